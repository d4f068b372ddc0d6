"""The SDK's callback: three words for what a person said, an error for everything nobody said."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
)

from askfirst.client.callback import NOBODY_ASKED, elicitation_callback
from askfirst.client.policy import Policy
from askfirst.client.prepared import Prepared
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from askfirst.ports import Answerer

pytestmark = pytest.mark.anyio

FORM = ElicitRequestFormParams(
    message="Who?",
    requested_schema={"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
VISIT = ElicitRequestURLParams(message="Sign in", url="https://example.org/login")


async def answered(answerer: Answerer, params: ElicitRequestParams, **given: Any) -> ElicitResult | ErrorData:
    return await asked(elicitation_callback(answerer, server="mine", **given), params)


async def asked(callback: ElicitationFnT, params: ElicitRequestParams) -> ElicitResult | ErrorData:
    session = SimpleNamespace(server_info=SimpleNamespace(name="claims this"), protocol_version="2025-11-25")
    context = cast(ClientRequestContext, SimpleNamespace(session=session, request_id=1, meta=None))
    return await callback(context, params)


class Listening:
    """Declines, and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Question, Origin, float | None]] = []

    def reaches(self) -> frozenset[Mode]:
        return frozenset(Mode)

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        self.told.append((question, origin, limit))
        return Declined()


async def test_an_accepted_form_carries_its_content() -> None:
    result = await answered(Prepared([Accepted({"name": "Ada"})]), FORM)
    assert result == ElicitResult(action="accept", content={"name": "Ada"})


async def test_an_accepted_visit_carries_none() -> None:
    result = await answered(Prepared([Accepted({})]), VISIT)
    assert result == ElicitResult(action="accept")


@pytest.mark.parametrize("params", [FORM, VISIT], ids=["form", "url"])
@pytest.mark.parametrize("said", [Declined(), Cancelled(), Cancelled(expired=True)])
async def test_decline_and_cancel_carry_none(params: ElicitRequestParams, said: Answer[Content]) -> None:
    assert await answered(Prepared([said]), params) == ElicitResult(action=said.action)


async def test_the_answerer_is_told_who_asks_and_how_long_they_wait() -> None:
    listening = Listening()
    await answered(listening, FORM, tool=lambda: "greet", limit=30.0)
    ((question, origin, limit),) = listening.told
    assert question.message == "Who?"
    assert origin == Origin("mine", claimed="claims this", tool="greet", revision="2025-11-25")
    assert limit == 30.0


async def test_the_host_is_asked_anew_which_tool_is_being_called_with_each_question() -> None:
    listening, tools = Listening(), iter(["greet", None])
    callback = elicitation_callback(listening, server="mine", tool=lambda: next(tools))
    await asked(callback, FORM)
    await asked(callback, FORM)
    assert [origin.tool for _, origin, _ in listening.told] == ["greet", None]


def test_one_tool_for_all_calls_is_refused_because_a_callback_serves_all_of_them() -> None:
    with pytest.raises(TypeError, match="expected tool to be a function"):
        elicitation_callback(Listening(), server="mine", tool=cast(Any, "greet"))


async def test_a_host_that_fails_to_tell_the_tool_asks_nobody() -> None:
    listening = Listening()

    def fails() -> str:
        raise LookupError("secret words")

    with pytest.raises(MCPError, match=r"what was to ask failed \(LookupError\)") as failed:
        await answered(listening, FORM, tool=fails)
    assert failed.value.error.code == NOBODY_ASKED
    assert listening.told == []


async def test_a_question_that_cannot_be_shown_is_an_error_that_says_why() -> None:
    nested = ElicitRequestFormParams(
        message="Who?",
        requested_schema={"type": "object", "properties": {"who": {"type": "object", "properties": {}}}},
    )
    error = await answered(Prepared([Declined()]), nested)
    assert isinstance(error, ErrorData)
    assert error.code == INVALID_PARAMS
    assert "who" in error.message


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://good.example\\@evil.example/", "not an address"]
)
async def test_an_address_with_two_readings_is_an_error(url: str) -> None:
    error = await answered(Prepared([Accepted({})]), ElicitRequestURLParams(message="Sign in", url=url))
    assert isinstance(error, ErrorData)
    assert error.code == INVALID_PARAMS


async def test_a_mode_the_answerer_cannot_do_is_an_error() -> None:
    policy = Policy.from_dict({"answer": [{"action": "decline"}]}, report=lambda _: None)
    error = await answered(policy, VISIT)
    assert error == ErrorData(code=INVALID_PARAMS, message="this client did not declare url mode")


class Failing(Listening):
    """Fails in its own way, or answers with what is no answer."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.said = answer

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        if isinstance(self.said, Exception):
            raise self.said
        return cast(Answer[Content], self.said)


@pytest.mark.parametrize(
    "said",
    [RuntimeError("/home/ada is full"), None, {"name": "Ada"}, Accepted("Ada"), Accepted({"name": object()})],
)
async def test_an_answerer_that_fails_tells_the_server_nothing_of_it(
    said: object, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(MCPError, match=r"^nobody was asked: what was to ask failed \(\w+\)$") as caught:
        await answered(Failing(said), FORM)
    assert caught.value.code == NOBODY_ASKED
    assert caught.value.__cause__ is not None
    assert [record.message for record in caplog.records] == [
        "Failing failed; the server is told that nobody was asked"
    ]


@pytest.mark.parametrize("value", ["hunter2" * 2, ["hunter2"], {"is": "hunter2"}])
async def test_an_answer_that_does_not_fit_is_neither_sent_nor_logged(
    value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    short = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}
    with pytest.raises(MCPError, match="nobody was asked"):
        await answered(
            Failing(Accepted({"name": value})),
            ElicitRequestFormParams(message="Who?", requested_schema=short),
        )
    assert "name: expected" in caplog.text
    assert "hunter2" not in caplog.text


async def test_that_nobody_was_asked_is_neither_decline_nor_cancel() -> None:
    error = await answered(Prepared([]), FORM)
    assert isinstance(error, ErrorData)
    assert error.code == NOBODY_ASKED
    assert "nobody was asked" in error.message
