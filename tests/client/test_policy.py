"""A written policy: the first rule that matches, nothing without a rule, no value ever told."""

from pathlib import Path
from typing import Any

import pytest

from askfirst.client.policy import InvalidPolicy, Policy
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import FlagField, Form, TextField
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode

pytestmark = pytest.mark.anyio

ORIGIN = Origin("records-admin", claimed="trusted", tool="delete_rows")
CONFIRM = FormQuestion(
    "Delete 4 rows from users?",
    Form((FlagField(name="confirm", required=True), TextField(name="reason", default="none given"))),
)
YES_OR_NO = FormQuestion("Go on?", Form())
FILE = """
[[answer]]
server  = "records-*"
tool    = "delete_*"
message = "Delete * rows from *"
action  = "accept"
content = { confirm = true, reason = "nightly clean-up" }

[[answer]]
action = "refuse"
message = "Go on*"

[[answer]]
action = "decline"
"""


def policy(*rules: dict[str, Any], said: list[str] | None = None) -> Policy:
    return Policy.from_dict({"answer": list(rules)}, report=([] if said is None else said).append)


async def answered(by: Policy, question: Question = CONFIRM, origin: Origin = ORIGIN) -> Answer[Content]:
    return await by.answer(question, origin, None)


async def test_the_first_rule_that_matches_decides(tmp_path: Path) -> None:
    (tmp_path / "answers.toml").write_text(FILE)
    by = Policy.from_file(tmp_path / "answers.toml", report=lambda _: None)
    assert await answered(by) == Accepted({"confirm": True, "reason": "nightly clean-up"})
    assert await answered(by, origin=Origin("other")) == Declined()
    with pytest.raises(NobodyAsked, match=r"answers\.toml, answer 2 refuses this question"):
        await answered(by, YES_OR_NO)


@pytest.mark.parametrize(
    "rule",
    [
        {"server": "records"},
        {"server": "trusted"},
        {"tool": "Delete_*"},
        {"message": "delete*"},
        {"tool": ""},
    ],
)
async def test_a_glob_fits_the_whole_of_a_name_the_person_knows(rule: dict[str, str]) -> None:
    with pytest.raises(NobodyAsked, match="no rule is for 'Delete 4 rows"):
        await answered(policy({"action": "accept", "content": {"confirm": True}, **rule}))


@pytest.mark.parametrize("glob", ["delete_*", "*", ""])
@pytest.mark.parametrize("action", ["accept", "decline", "cancel", "refuse"])
async def test_where_the_tool_is_not_known_no_rule_for_a_tool_decides_and_none_after_it(
    glob: str, action: str
) -> None:
    told: list[str] = []
    by = policy(
        {"action": action, "tool": glob}, {"action": "accept", "content": {"confirm": True}}, said=told
    )
    with pytest.raises(NobodyAsked, match="answer 1 is for some tool, and it is not known which tool asks"):
        await answered(by, origin=Origin("records-admin"))
    assert "it is not known which tool asks" in told[0]


async def test_where_the_tool_is_not_known_rules_for_other_questions_are_in_nobodys_way() -> None:
    other = {"action": "accept", "tool": "delete_*", "message": "Go on*"}
    assert await answered(policy(other, {"action": "decline"}), origin=Origin("records-admin")) == Declined()
    assert (
        await answered(
            policy({"action": "decline"}, {"action": "accept", "tool": "*"}), origin=Origin("records-admin")
        )
        == Declined()
    )


async def test_a_rule_for_servers_of_some_name_accepts_nothing_of_one_that_named_itself() -> None:
    own = Origin("records-admin", own_name=True)
    rule = {"server": "records-*", "action": "accept", "content": {"confirm": True}}
    with pytest.raises(NobodyAsked):
        await answered(policy(rule), origin=own)
    with pytest.raises(NobodyAsked, match="answer 1 refuses"):
        await answered(policy({"server": "records-*", "action": "refuse"}), origin=own)
    assert await answered(policy({"server": "records-*", "action": "decline"}), origin=own) == Declined()


async def test_without_a_rule_nobody_has_chosen() -> None:
    with pytest.raises(NobodyAsked):
        await answered(policy())


@pytest.mark.parametrize(("action", "answer"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_decline_and_cancel_are_what_they_say(action: str, answer: Answer[Content]) -> None:
    assert await answered(policy({"action": action})) == answer


async def test_a_form_without_fields_may_be_accepted_without_content() -> None:
    assert await answered(policy({"action": "accept"}), YES_OR_NO) == Accepted({})


async def test_a_form_with_fields_is_not_accepted_without_content() -> None:
    with pytest.raises(NobodyAsked, match="accepts without content, and the form has fields"):
        await answered(policy({"action": "accept"}))


async def test_defaults_nobody_saw_are_not_sent() -> None:
    by = policy({"action": "accept", "content": {"confirm": True}})
    assert await answered(by) == Accepted({"confirm": True})


async def test_content_that_does_not_fit_is_no_answer_and_only_its_fields_are_told() -> None:
    said: list[str] = []
    with pytest.raises(NobodyAsked, match="does not fit the form: confirm: expected true or false, got text"):
        await answered(policy({"action": "accept", "content": {"confirm": "hunter2"}}, said=said))
    assert "hunter2" not in "".join(said)


async def test_content_the_form_has_no_field_for_is_said() -> None:
    said: list[str] = []
    by = policy({"action": "accept", "content": {"confirm": True, "reson": "typo"}}, said=said)
    assert await answered(by) == Accepted({"confirm": True})
    assert "not asked for: reson" in said[0]


async def test_a_policy_reaches_forms_alone_and_consents_to_no_visit() -> None:
    by = policy({"action": "accept"})
    assert by.reaches() == frozenset({Mode.FORM})
    with pytest.raises(NobodyAsked, match="does not consent to visiting"):
        await answered(by, UrlQuestion("Sign in", "https://example.org"))


def test_a_policy_that_only_refuses_reaches_nobody() -> None:
    assert policy({"action": "refuse"}).reaches() == frozenset()


async def test_what_it_did_goes_to_stderr_without_values(capsys: pytest.CaptureFixture[str]) -> None:
    by = Policy.from_dict(
        {"answer": [{"action": "accept", "content": {"confirm": True, "reason": "hunter2"}}]}
    )
    await answered(by, origin=Origin("records-admin", tool="delete\x1b[2Jrows"))
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "askfirst: policy, answer 1: accepted a question of records-admin, tool deleterows (confirm, reason)\n"
    )


def test_no_content_is_in_the_repr_of_a_rule() -> None:
    by = policy({"action": "accept", "content": {"reason": "hunter2"}})
    assert "hunter2" not in repr(by.rules)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("answer = 1", r"p\.toml: expected \[\[answer\]\] \(double brackets\), got a number"),
        ("[answer]\naction='decline'", r"expected \[\[answer\]\] \(double brackets\), got a table"),
        ("[[answers]]\naction='decline'", "expected only .* tables, got the key 'answers'"),
        (
            "[[answer]]",
            "p.toml, answer 1, action: expected one of accept, decline, cancel, refuse, got nothing",
        ),
        ("[[answer]]\naction='yes'", "answer 1, action: .* got 'yes'"),
        ("[[answer]]\naction=['accept']", "answer 1, action: .* got a list"),
        ("answer = [1]", "answer 1: expected a table, got a number"),
        (
            "[[answer]]\naction='decline'\n[[answer]]\naction='decline'\nwho='me'",
            "answer 2: .* got the key 'who'",
        ),
        ("[[answer]]\naction='decline'\nserver=true", "answer 1, server: expected text, got true or false"),
        ("[[answer]]\naction='decline'\ncontent={}", "answer 1, content: expected only with action accept"),
        ("[[answer]]\naction='accept'\ncontent='x'", "answer 1, content: expected a table of field names"),
        (
            "[[answer]]\naction='accept'\ncontent={a=2026-01-01}",
            "content, a: .* got a date; .* in quotes",
        ),
        ("[[answer]]\naction='accept'\ncontent={a=[1]}", "content, a: expected text, .* got a list"),
        ("[[answer", "p.toml: expected TOML in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_a_policy_is_refused_with_the_place(
    tmp_path: Path, written: str, message: str
) -> None:
    (tmp_path / "p.toml").write_text(written)
    with pytest.raises(InvalidPolicy, match=message):
        Policy.from_file(tmp_path / "p.toml")


def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match=r"nowhere\.toml: expected a policy file, got No such file"):
        Policy.from_file(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(InvalidPolicy, match="expected TOML in UTF-8"):
        Policy.from_file(tmp_path / "latin.toml")
