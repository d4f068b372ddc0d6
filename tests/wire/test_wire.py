"""Protocol dicts and core values: strict in writing, lenient in reading, consent from one word alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined, Reply
from askfirst.core.errors import (
    UnknownAction,
    UnreadableAnswer,
    UnreadableQuestion,
    UnreadableSchema,
)
from askfirst.core.fields import FlagField, Form
from askfirst.core.questions import FormQuestion, Question, UrlQuestion
from askfirst.core.revisions import Mode, Revision, revision
from askfirst.core.schema import write_schema
from askfirst.wire import (
    asks_a_person,
    complete_request,
    complete_result,
    declare_modes,
    form_params,
    is_modern_request,
    question_request,
    read_modes,
    read_question,
    read_reply,
    required_modes,
    unasked_question,
    url_params,
    write_answer,
)

FORM, URL = Mode.FORM, Mode.URL
IN_META = "io.modelcontextprotocol/clientCapabilities"
OLD, MIDDLE, NEW = (revision(name) for name in ("2025-06-18", "2025-11-25", "2026-07-28"))
SURE = FormQuestion("Sure?", Form((FlagField(name="sure"),)))
PAY = UrlQuestion("Pay.", "https://pay.example.com/1", "id-1")

objects = st.dictionaries(strategies.texts, strategies.json_values, max_size=3)


# --- capabilities


@pytest.mark.parametrize(
    ("elicitation", "modes"),
    [
        ({}, {FORM}),
        ({"form": {}}, {FORM}),
        ({"url": {}}, {URL}),
        ({"form": {}, "url": {}}, {FORM, URL}),
        ({"form": {"later": 1}, "url": None}, {FORM}),
        ({"form": True}, set()),
        ({"url": "yes"}, set()),
        ({"voice": {}}, {FORM}),
        ({"voice": {}, "url": {}}, {URL}),
        (None, set()),
        (True, set()),
        ([], set()),
        ("form", set()),
    ],
)
def test_exactly_the_declared_modes_are_read(elicitation: Any, modes: set[Mode]) -> None:
    assert read_modes({"elicitation": elicitation, "roots": {}}) == modes


@pytest.mark.parametrize("capabilities", [None, [], "elicitation", {}, {"sampling": {}}])
def test_without_the_capability_no_mode_is_declared(capabilities: object) -> None:
    assert read_modes(capabilities) == frozenset()


@given(strategies.json_values | st.fixed_dictionaries({"elicitation": strategies.json_values}))
def test_any_json_declares_some_modes_or_none(capabilities: object) -> None:
    assert read_modes(capabilities) <= {FORM, URL}


@pytest.mark.parametrize("modes", [{FORM}, {URL}, {FORM, URL}])
def test_what_is_declared_is_read_as_the_same_modes(modes: set[Mode]) -> None:
    others = {"sampling": {}, "elicitation": {"form": {}, "url": {}}}
    params = {"capabilities": others, "_meta": {IN_META: others, "progressToken": 1}, "name": "x"}
    declared: Any = declare_modes(params, frozenset(modes))
    for capabilities in (declared["capabilities"], declared["_meta"][IN_META]):
        assert read_modes(capabilities) == modes
        assert capabilities["sampling"] == {}
    assert (declared["name"], declared["_meta"]["progressToken"]) == ("x", 1)
    assert params == {"capabilities": others, "_meta": {IN_META: others, "progressToken": 1}, "name": "x"}


def test_without_a_mode_the_capability_is_absent() -> None:
    params = {"capabilities": {"elicitation": {}, "sampling": {}}}
    assert declare_modes(params, frozenset()) == {"capabilities": {"sampling": {}}}


@pytest.mark.parametrize(
    "params",
    [{}, {"capabilities": {"roots": {}}}, {"capabilities": None}, {"_meta": None}, {"_meta": {IN_META: 1}}],
)
def test_nothing_is_declared_where_nothing_was(params: dict[str, object]) -> None:
    assert declare_modes(params, frozenset({FORM})) == params


def test_a_request_of_a_modern_revision_declares_capabilities_of_its_own() -> None:
    assert is_modern_request({"_meta": {IN_META: {}}})
    for legacy in ({}, {"_meta": {"progressToken": 1}}, {"_meta": None}, {"capabilities": {}}):
        assert not is_modern_request(legacy)


def test_an_error_says_which_modes_would_have_to_be_declared() -> None:
    assert required_modes(frozenset({URL})) == {"requiredCapabilities": {"elicitation": {"url": {}}}}
    for modes in (frozenset({FORM}), frozenset(Mode)):
        assert read_modes(required_modes(modes)["requiredCapabilities"]) == modes


def test_a_result_that_does_not_say_what_it_is_is_complete() -> None:
    for unsaid in ({}, {"resultType": None}):
        assert complete_result({"tools": [], **unsaid}, dict) == {"resultType": "complete", "tools": []}
    assert complete_result({"resultType": "input_required"}, dict) == {"resultType": "input_required"}


FRAME: dict[str, object] = {"type": "object", "properties": {}}
NAME: dict[str, object] = {"name": {"type": "string"}}


@pytest.mark.parametrize(
    ("params", "completed"),
    [
        ({"message": "m"}, FRAME),
        ({"message": "m", "requestedSchema": None}, FRAME),
        ({"mode": "form", "requestedSchema": {}}, FRAME),
        ({"requestedSchema": {"properties": NAME}}, {"type": "object", "properties": NAME}),
        ({"requestedSchema": {"type": "object"}}, FRAME),
        ({"mode": None, "message": "m", "requestedSchema": {"properties": None, "required": None}}, FRAME),
    ],
)
def test_a_form_question_has_a_form_also_where_its_asker_left_it_out(
    params: dict[str, object], completed: dict[str, object]
) -> None:
    request = {"method": "elicitation/create", "params": params}
    asked: Any = complete_request(request)
    given = {key: value for key, value in params.items() if value is not None}
    assert asked == {"method": "elicitation/create", "params": {**given, "requestedSchema": completed}}
    held: Any = complete_result({"inputRequests": {"q": request, "p": 7}}, complete_request)
    assert held["inputRequests"] == {"q": asked, "p": 7}


@pytest.mark.parametrize(
    "request_",
    [
        {"method": "ping"},
        {"method": "sampling/createMessage", "params": {}},
        {"method": "elicitation/create"},
        {"method": "elicitation/create", "params": {"mode": "url", "url": "x"}},
        {"method": "elicitation/create", "params": {"requestedSchema": 7}},
        {"method": "elicitation/create", "params": {"requestedSchema": {"$ref": "#/$defs/form"}}},
    ],
)
def test_nothing_is_made_up_for_any_other_request(request_: dict[str, object]) -> None:
    assert complete_request(request_) == request_


def test_of_all_requests_one_is_a_question_to_a_person() -> None:
    assert asks_a_person(question_request("Well?"))
    assert not asks_a_person({"method": "ping"})
    params: Any = question_request("Well?")["params"]
    assert read_question(params) == FormQuestion("Well?", Form())


@pytest.mark.parametrize(
    ("params", "told"),
    [
        (None, ("", "form")),
        ({"message": "Who?"}, ("Who?", "form")),
        ({"message": ["Who?"], "mode": "url"}, ("", "url")),
        ({"message": "x" * 9000, "mode": "hologram"}, ("x" * 1000, "")),
        ({"message": "Who?", "mode": {}}, ("Who?", "")),
    ],
)
def test_of_a_question_nobody_can_be_asked_its_message_and_mode_are_told(
    params: object, told: tuple[str, str]
) -> None:
    fault = unasked_question(params, "it can't be read")
    assert ((fault.message, fault.mode), fault.reason) == (told, "it can't be read")


# --- questions


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (OLD, {"message", "requestedSchema"}),
        (MIDDLE, {"mode", "message", "requestedSchema"}),
        (NEW, {"mode", "message", "requestedSchema"}),
    ],
)
def test_a_form_has_only_what_its_revision_has(row: Revision, expected: set[str]) -> None:
    params = form_params(SURE.message, write_schema(SURE.form, row.dialect), row)
    assert params.keys() == expected
    assert params.get("mode", "form") == "form"
    assert read_question(params) == SURE


@pytest.mark.parametrize(
    ("row", "id_", "expected"),
    [
        (MIDDLE, "id-1", {"elicitationId": "id-1"}),
        (MIDDLE, None, {}),
        (NEW, "id-1", {}),
    ],
)
def test_a_url_question_has_an_id_only_where_its_revision_has_one(
    row: Revision, id_: str | None, expected: Any
) -> None:
    params = url_params(PAY.message, PAY.url, id_, row)
    assert params == {"mode": "url", "message": PAY.message, "url": PAY.url, **expected}


@given(st.sampled_from([MIDDLE, NEW]), st.data())
def test_a_form_that_was_written_is_read_as_the_same_question(row: Revision, data: st.DataObject) -> None:
    question = FormQuestion(data.draw(strategies.texts), data.draw(strategies.forms(row.dialect)))
    written = form_params(question.message, write_schema(question.form, row.dialect), row)
    assert read_question(written) == question


@given(strategies.texts, strategies.texts, st.none() | strategies.texts)
def test_a_url_question_that_was_written_is_read_as_the_same(message: str, url: str, id_: str | None) -> None:
    assert read_question(url_params(message, url, id_, MIDDLE)) == UrlQuestion(message, url, id_)


@pytest.mark.parametrize(
    ("params", "question"),
    [
        ({"message": "Sure?"}, FormQuestion("Sure?", Form())),
        ({"message": "", "mode": "form", "requestedSchema": None}, FormQuestion("", Form())),
        ({"message": "", "mode": None}, FormQuestion("", Form())),
        ({"message": "Pay.", "mode": "url", "url": "x:y"}, UrlQuestion("Pay.", "x:y")),
        ({"message": "Pay.", "mode": "url", "url": "x:y", "elicitationId": 7}, UrlQuestion("Pay.", "x:y")),
        ({"message": "Pay.", "mode": "url", "url": "x:y", "requestedSchema": 7}, UrlQuestion("Pay.", "x:y")),
    ],
)
def test_a_question_is_read_leniently(params: dict[str, object], question: Question) -> None:
    assert read_question(params) == question


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, "a message"),
        ({"message": None}, "a message"),
        ({"message": "Pay.", "mode": "voice"}, "mode form or url"),
        ({"message": "Pay.", "mode": ""}, "mode form or url"),
        ({"message": "Pay.", "mode": "url"}, "an address"),
        ({"message": "Pay.", "mode": "url", "url": ["x:y"]}, "an address"),
    ],
)
def test_a_question_that_can_not_be_shown_says_what_was_expected(
    params: dict[str, object], expected: str
) -> None:
    with pytest.raises(UnreadableQuestion, match=f"expected {expected}"):
        read_question(params)


def test_a_schema_that_is_no_form_is_unreadable() -> None:
    with pytest.raises(UnreadableSchema):
        read_question({"message": "Who?", "requestedSchema": {"properties": {"who": {"type": "object"}}}})


@given(
    objects
    | st.fixed_dictionaries(
        {"message": st.just("m")},
        optional={
            "mode": st.sampled_from(["form", "url"]) | strategies.json_values,
            "requestedSchema": strategies.wild_schemas,
            "url": strategies.json_values,
        },
    )
)
def test_any_params_are_a_question_or_unreadable(params: dict[str, object]) -> None:
    try:
        question = read_question(params)
    except UnreadableQuestion:
        return
    assert question.message == params["message"]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"message": "x" * 100_001}, "a message of at most 100000 characters"),
        (
            {"message": "m", "mode": "url", "url": "https://a.example/" + "x" * 10_000},
            "at most 10000 characters",
        ),
    ],
)
def test_more_than_a_person_could_read_is_no_question(params: dict[str, object], words: str) -> None:
    with pytest.raises(UnreadableQuestion, match=words) as caught:
        read_question(params)
    assert len(str(caught.value)) < 200


# --- answers


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_content_of_a_decline_or_a_cancel_means_nothing(action: Any) -> None:
    assert read_reply({"action": action, "content": {"sure": True}}) == Reply(action, None)


def test_accepted_content_is_kept_as_it_came() -> None:
    assert read_reply({"action": "accept", "content": ["odd"], "_meta": {}}) == Reply("accept", ["odd"])
    assert read_reply({"action": "accept"}) == Reply("accept", None)


@pytest.mark.parametrize(
    "action", [None, "", "approve", "Accept", "accept ", True, 1, ["accept"], {"accept": 1}]
)
def test_another_word_is_never_consent(action: object) -> None:
    with pytest.raises(UnknownAction, match="accept, decline or cancel"):
        read_reply({"action": action, "content": {"sure": True}})


@pytest.mark.parametrize("result", [None, "accept", True, ["accept"], 1])
def test_what_is_no_object_is_no_answer(result: object) -> None:
    with pytest.raises(UnreadableAnswer, match="expected an answer with an action"):
        read_reply(result)


@given(strategies.json_values | objects.map(lambda more: {"action": "accept!", **more}))
def test_nothing_but_the_one_word_is_read_as_an_accept(result: object) -> None:
    try:
        reply = read_reply(result)
    except UnreadableAnswer:
        return
    assert isinstance(result, dict)
    assert result["action"] == reply.action


@pytest.mark.parametrize(
    ("answer", "mode", "written"),
    [
        (Accepted({"sure": False}), FORM, {"action": "accept", "content": {"sure": False}}),
        (Accepted({}), FORM, {"action": "accept", "content": {}}),
        (Accepted({}), URL, {"action": "accept"}),
        (Declined(), FORM, {"action": "decline"}),
        (Cancelled(), URL, {"action": "cancel"}),
        (Cancelled(expired=True), FORM, {"action": "cancel"}),
    ],
)
def test_only_an_accepted_form_carries_content(answer: Answer[Content], mode: Mode, written: object) -> None:
    assert write_answer(answer, mode) == written


@given(st.data())
def test_an_answer_that_was_written_is_read_as_it_was_given(data: st.DataObject) -> None:
    content = data.draw(strategies.fitting(data.draw(strategies.forms())))
    assert read_reply(write_answer(Accepted(content), FORM)) == Reply("accept", content)


def test_what_was_answered_is_in_no_repr_and_no_error() -> None:
    assert "tulips" not in repr(read_reply({"action": "accept", "content": {"flower": "tulips"}}))
    for result in ({"action": "tulips"}, "tulips"):
        with pytest.raises(UnreadableAnswer) as caught:
            read_reply(result)
        assert "tulips" not in str(caught.value)
