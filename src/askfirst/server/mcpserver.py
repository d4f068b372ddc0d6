"""The official SDK's server: `@askable` under `@mcp.tool()`, `@mcp.prompt()` and `@mcp.resource("…{template}")`.

The SDK calls a function with its arguments and a `Context`, and takes an `InputRequiredResult` as well as a result.
So `askable` gives it a function that has a context and no `ask`, and drives the real one in whichever way the
connection's era has. Only the SDK's public surface is used.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn, TypeVar, overload

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequest,
    InputRequiredResult,
    TextContent,
)

from askfirst.core.errors import AskfirstError, AuthorError, NobodyAsked
from askfirst.core.fallback import Ending, refused
from askfirst.core.journal import Journal
from askfirst.core.revisions import Era
from askfirst.wire import Reply

from .asking import Ask, Asking, Line
from .filling import Ended
from .lines import PushLine, ReplayLine, Unwind, answered
from .mcpserver_peer import LiveContext, SdkPeer, reply_of
from .mcpserver_signature import Plan, plan_for
from .paused import Asks, Done, LostCall, PausedCall

__all__ = ["askable"]

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])

_STATE_VERSION: Final = 1
_NO_ERROR_RESULTS: Final = ("prompts/get", "resources/read")
"""Requests whose failure is a protocol error, and whose arguments are all text."""
_DEFAULT: Final = Asking()


@overload
def askable(function: F, /) -> F: ...
@overload
def askable(*, asking: Asking = ..., resume: Literal["pause", "replay"] = ...) -> Callable[[F], F]: ...


def askable(
    function: Callable[..., Awaitable[Any]] | None = None,
    /,
    *,
    asking: Asking = _DEFAULT,
    resume: Literal["pause", "replay"] = "pause",
) -> Any:
    """Let an async tool, prompt or resource template ask the person in the middle of its work.

    Stands under the SDK's own decorator. The function has a parameter annotated `Ask`, or parameters marked with
    `Fill`, or both; neither `ask` nor what only a person may give is shown to the caller. On a connection of a
    legacy revision the body waits inside `ask`; on a modern one the call returns with the question and is made again
    (multi round-trip requests): with `resume="pause"` the same body goes on where it was, exactly once; with
    `resume="replay"` nothing is held and the body runs again from the top with the answers already given.

    Raises:
        AuthorError: The function can't be asked from; found when it is defined.
    """
    if resume not in ("pause", "replay"):
        raise AuthorError(f'resume is "pause" or "replay", got {resume!r}')

    def decorate(asker: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        return _shown_to_sdk(_Driver(plan_for(asker), asking, resume))

    return decorate if function is None else decorate(function)


def _shown_to_sdk(driver: "_Driver") -> Callable[..., Awaitable[Any]]:
    plan = driver.plan

    async def call(**arguments: Any) -> Any:
        context = arguments.pop(plan.context)
        return await driver.call(context, arguments)

    call.__name__ = plan.name
    call.__qualname__ = getattr(plan.function, "__qualname__", plan.name)
    call.__doc__ = plan.function.__doc__
    call.__module__ = plan.function.__module__
    call.__signature__ = plan.signature  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in plan.signature.parameters.values()}
    if plan.signature.return_annotation is not plan.signature.empty:
        call.__annotations__["return"] = plan.signature.return_annotation
    return call


@dataclass(frozen=True)
class _Driver:
    """Runs one function's calls, whatever the era of each."""

    plan: Plan
    asking: Asking
    resume: Literal["pause", "replay"]

    async def call(self, context: Context[Any, Any], arguments: dict[str, Any]) -> Any:
        """Serve one request: its result, or the questions to ask first, or an honest end."""
        peer = SdkPeer(context)
        method = context.request_context.method if context.protocol_version is not None else ""
        try:
            if peer.facts().revision.era is Era.LEGACY:
                return await self._body(PushLine(peer, self.asking.patience), context, arguments, method)
            if self.resume == "pause":
                return await self._paused(peer, arguments, method)
            return await self._replayed(peer, arguments, method)
        except LostCall:
            _lost()
        except AskfirstError as fault:
            return self._ending(fault, peer, method)
        except ExceptionGroup as group:
            return self._ending(_only_ours(group), peer, method)
        except Ended as fault:
            return self._result(fault.ending, peer, method, code=INVALID_REQUEST)

    async def _body(
        self, line: Line, context: Context[Any, Any] | None, arguments: dict[str, Any], method: str
    ) -> Any:
        plan, ask = self.plan, Ask(line)
        if plan.fills is not None:
            as_text = method in _NO_ERROR_RESULTS
            filled = await plan.fills.fill(arguments, ask, line.peer.facts(), as_text=as_text)
            arguments = {**arguments, **filled}
        if plan.ask is not None:
            arguments[plan.ask] = ask
        if plan.wants_context:
            arguments[plan.context] = context
        return await plan.function(**arguments)

    async def _paused(self, peer: SdkPeer, arguments: dict[str, Any], method: str) -> Any:
        context, room = peer.context, self.asking.room
        state = _state(context)
        if state is None:

            def body(call: PausedCall[Any]) -> Coroutine[Any, Any, Any]:
                # What the first request brought is not kept for a body that has no use for it.
                live = LiveContext(lambda: _peer_of(call)) if self.plan.wants_context else None
                return self._body(call, live, arguments, method)

            outcome: Asks | Done[Any] = await room.start(peer, body)
        else:
            ticket = state.get("ticket")
            if not isinstance(ticket, str):
                raise LostCall
            outcome = await room.resume(ticket, peer, _replies(context))
        if isinstance(outcome, Done):
            return outcome.result
        return _input_required(outcome.questions, {"ticket": outcome.ticket})

    async def _replayed(self, peer: SdkPeer, arguments: dict[str, Any], method: str) -> Any:
        context = peer.context
        state = _state(context)
        call, journal = secrets.token_urlsafe(12), Journal()
        if state is not None:
            call, journal = _recorded(state, _replies(context))
        line = ReplayLine(peer, call, journal, self.asking.memory)
        try:
            return await self._body(line, context, arguments, method)
        except Unwind:
            pass
        except BaseExceptionGroup as group:
            # A body's task group wraps the signal. Whatever else is in the group is the body's own failure.
            own = group.split(Unwind)[1]
            if own is not None:
                raise own from None
        asked = {"call": call, "journal": line.journal.to_json(), "asked": line.digests}
        return _input_required(line.questions, asked)

    def _ending(self, fault: AskfirstError, peer: SdkPeer, method: str) -> CallToolResult:
        if isinstance(fault, NobodyAsked):
            return self._result(refused(fault.message, fault.reason), peer, method, mode=fault.mode)
        if method in _NO_ERROR_RESULTS:
            raise MCPError(INTERNAL_ERROR, str(fault)) from fault
        raise ToolError(str(fault)) from fault

    def _result(
        self, ending: Ending, peer: SdkPeer, method: str, *, mode: str = "", code: int = INVALID_REQUEST
    ) -> CallToolResult:
        """An ending as a tool's result; prompts and resources have no error results, so there it is an error."""
        facts = dict(ending.facts)
        if method in _NO_ERROR_RESULTS:
            if mode and peer.facts().revision.era is Era.MODERN:
                code, facts = (
                    MISSING_REQUIRED_CLIENT_CAPABILITY,
                    {**facts, "requiredCapabilities": {"elicitation": {mode: {}}}},
                )
            raise MCPError(code, ending.text, facts)
        is_error = ending.is_error
        returns = self.plan.signature.return_annotation
        if not is_error and returns is str:
            facts["result"] = ending.text  # what the SDK's output schema for text asks for
        elif not is_error and returns is not self.plan.signature.empty:
            is_error = True  # no result of this tool's own type: its output schema allows nothing else
        text = TextContent(type="text", text=ending.text)
        return CallToolResult(content=[text], structured_content=facts, is_error=is_error)


def _only_ours(group: ExceptionGroup[Exception]) -> AskfirstError:
    """The fault of ours that a body's task group wraps. With any other fault in it, the group is the body's own."""
    fault: BaseException = group
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    if isinstance(fault, AskfirstError) and group.split(AskfirstError)[1] is None:
        return fault
    raise group


def _peer_of(call: PausedCall[Any]) -> SdkPeer:
    assert isinstance(call.peer, SdkPeer)
    return call.peer


def _state(context: Context[Any, Any]) -> dict[str, Any] | None:
    """What we sealed into `requestState` a round ago, or None in the first round."""
    sealed = context.request_state
    if sealed is None:
        return None
    try:
        state = json.loads(sealed)
    except ValueError:
        raise LostCall from None
    if not isinstance(state, dict) or state.get("v") != _STATE_VERSION:
        raise LostCall
    return state


def _recorded(state: Mapping[str, Any], replies: Mapping[str, Reply]) -> tuple[str, Journal]:
    try:
        journal = Journal.from_json(state["journal"])
        return str(state["call"]), answered(journal, dict(state["asked"]), replies)
    except (KeyError, TypeError, ValueError):
        raise LostCall from None


def _replies(context: Context[Any, Any]) -> dict[str, Reply]:
    given = context.input_responses or {}
    return {key: reply for key, result in given.items() if (reply := reply_of(result)) is not None}


def _input_required(questions: Mapping[str, dict[str, object]], state: dict[str, Any]) -> InputRequiredResult:
    requests: dict[str, InputRequest] = {key: _request(params) for key, params in questions.items()}
    sealed = json.dumps({"v": _STATE_VERSION, **state}, separators=(",", ":"))
    return InputRequiredResult(input_requests=requests, request_state=sealed)


def _request(params: dict[str, object]) -> ElicitRequest:
    if params.get("mode") == "url":
        return ElicitRequest(params=ElicitRequestURLParams.model_validate(params))
    return ElicitRequest(params=ElicitRequestFormParams.model_validate(params))


def _lost() -> NoReturn:
    """The SDK's own words for a state that does not open, so that nobody learns which of the reasons it was."""
    raise MCPError(INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"})
