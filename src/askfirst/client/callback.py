"""An answerer as the elicitation callback of the official SDK's client; one callback serves both eras."""

import logging
from collections.abc import Callable
from typing import Final

import mcp_types as types
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp.shared.exceptions import MCPError

from askfirst.core.addresses import examine_url
from askfirst.core.answers import Accepted, Answer, Content
from askfirst.core.checking import check
from askfirst.core.errors import InvalidUrl, NobodyAsked, UnreadableQuestion
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.ports import Answerer
from askfirst.wire import read_question, unasked_question, write_answer

__all__ = ["NOBODY_ASKED", "elicitation_callback", "refusal"]

_log: Final = logging.getLogger(__name__)

NOBODY_ASKED: Final = types.INTERNAL_ERROR
"""The error code for "no person was shown the question": the request was right, and could not be carried out."""


def elicitation_callback(
    answerer: Answerer,
    *,
    server: str,
    tool: Callable[[], str | None] | None = None,
    limit: float | None = None,
    unasked: Callable[[NobodyAsked], None] | None = None,
) -> ElicitationFnT:
    """A callback for the SDK's `Client` or `ClientSession` that puts every question to the answerer.

    What no person has said is never sent as decline or cancel. It is an error: -32602 for a question that can't be
    read or is of a mode the answerer can't do (client/elicitation, "Error Handling"), -32603 when nobody could be
    asked, each with the reason. An exception of the answerer's own is logged, and the server hears of it no more than
    that nobody was asked; so it is with content that does not fit the question, of which the log names the fields.

    The SDK's client declares both modes as soon as it has a callback; `askfirst.client.connecting.connect` declares
    those that the answerer really reaches.

    Args:
        answerer: Who answers.
        server: The name under which the person knows this server; shown first with every question.
        tool: Tells, as a question comes, the tool that is being called; None where that is not certain. It is the
            host's own word, which is shown and which policies go by: the SDK does not say it, and nobody checks it.
        limit: Seconds after which a question that was put to a person is cancelled as expired.
        unasked: Told of each question that the answerer never sees, with the reason: one that can't be read, or of a
            mode that was not declared. Where the server makes no fuss about it, nobody else hears.

    Raises:
        TypeError: `tool` is a text: the callback serves more than one call.
    """
    if isinstance(tool, str):
        raise TypeError(
            "expected tool to be a function that tells which tool is being called as a question comes, got a text; "
            "for a client that calls one tool alone: tool=lambda: ..."
        )

    async def answer(
        context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        given = params.model_dump(by_alias=True, mode="json")
        question = _readable(given, answerer)
        if isinstance(question, NobodyAsked):
            return refusal(question, unasked)
        session = context.session
        claimed = session.server_info.name if session.server_info is not None else None
        try:
            called = tool() if tool is not None else None
            origin = Origin(server, claimed=claimed, tool=called, revision=session.protocol_version)
            said = _fitting(question, await answerer.answer(question, origin, limit))
            return types.ElicitResult.model_validate(write_answer(said, question.mode))
        except NobodyAsked as nobody:
            return types.ErrorData(code=NOBODY_ASKED, message=str(nobody))
        except Exception as fault:  # the SDK would send its words, which are not the server's to read
            _log.exception("%s failed; the server is told that nobody was asked", type(answerer).__name__)
            told = f"nobody was asked: what was to ask failed ({type(fault).__name__})"
            raise MCPError(NOBODY_ASKED, told) from fault

    return answer


def refusal(fault: NobodyAsked, told: Callable[[NobodyAsked], None] | None) -> types.ErrorData:
    """The answer to a question that the answerer never sees."""
    if told is not None:
        told(fault)
    return types.ErrorData(code=types.INVALID_PARAMS, message=fault.reason)


def _fitting(question: Question, said: Answer[Content]) -> Answer[Content]:
    """What was said, checked as the server will check it: what the SDK refuses, it refuses with the value in its words.

    Raises:
        InvalidAnswer: It does not fit the question.
    """
    if isinstance(said, Accepted) and isinstance(question, FormQuestion):
        return Accepted(check(question.form, said.data))
    return said


def _readable(params: dict[str, object], answerer: Answerer) -> Question | NobodyAsked:
    try:
        question = read_question(params)
        if isinstance(question, UrlQuestion):
            examine_url(question.url)
    except (UnreadableQuestion, InvalidUrl) as unreadable:
        return unasked_question(params, str(unreadable))
    modes = answerer.reaches()
    if modes and question.mode not in modes:
        return unasked_question(params, f"this client did not declare {question.mode} mode")
    return question
