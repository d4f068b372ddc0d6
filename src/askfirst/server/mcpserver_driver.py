"""One call of a function that asks, served through the official SDK in whichever way its era and its client have."""

import json
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, NoReturn

import anyio
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    ElicitRequest,
    InputRequest,
    InputRequiredResult,
)

from askfirst.abandoned import clear
from askfirst.core.answers import Reply
from askfirst.core.errors import AskfirstError, NobodyAsked
from askfirst.core.fallback import Ending, lost, refused, waiting
from askfirst.core.journal import Journal
from askfirst.core.postings import Status
from askfirst.core.revisions import Era

from .asking import Ask
from .attending import attend
from .desk_replay import DeskReplay
from .desking import DeskSide, Place, WhichCall
from .filling import ABSENT, Ended
from .lines import Line, PushLine, ReplayLine, Unwind, answered
from .mcpserver_endings import as_error, as_result
from .mcpserver_peer import LiveContext, Request, SdkPeer, as_json, reply_of, request_of
from .mcpserver_signature import Plan
from .paused import PausedCall
from .recorded import heard
from .rounds import Done, LostCall, Waits
from .settings import Asking

__all__ = ["Driver"]

_STATE_VERSION: Final = 1
_UNWOUND: Final = object()


@dataclass(frozen=True)
class Driver:
    """Runs one function's calls, whatever the era of each."""

    plan: Plan
    asking: Asking
    resume: Literal["pause", "replay"]

    def bound_to(self, owner: Sequence[Any]) -> "Driver":
        """The same for a method of this object, or class; nothing is bound where there is none."""
        if not owner:
            return self
        return replace(self, plan=replace(self.plan, function=partial(self.plan.function, *owner)))

    async def call(self, context: Context[Any, Any], arguments: dict[str, Any]) -> Any:
        """Serve one request: its result, or the questions to ask first, or an honest end."""
        request = request_of(context, self.plan.name)
        try:
            place = self.asking.place()
        except AskfirstError as fault:
            return await self._fail(fault, context, SdkPeer(context), request)
        peer = SdkPeer(context, desk=place is not None)
        try:
            legacy = peer.facts().revision.era is Era.LEGACY
            if legacy and place is None:
                return await self._body(PushLine(peer, self.asking.patience), context, arguments, request)
            at_desk = None if place is None else (place, self._which(context, arguments, request))
            if self.resume == "pause":
                return await self._paused(peer, arguments, request, at_desk)
            return await self._replayed(peer, arguments, request, at_desk)
        except LostCall:
            _lost()
        except AskfirstError as fault:
            return await self._fail(fault, context, peer, request)
        except ExceptionGroup as group:
            return await self._fail(_only_ours(group), context, peer, request)
        except Ended as fault:
            return await self._end(fault.ending, context, peer, request)

    def _which(self, context: Context[Any, Any], arguments: dict[str, Any], request: Request) -> WhichCall:
        server, entry = context.mcp_server.name, f"{request.method} {self.plan.entry}"
        fills = self.plan.fills.marks if self.plan.fills is not None else {}
        given = {
            name: value
            for name, value in arguments.items()
            if name not in fills or (value is not None and value is not ABSENT)
        }
        shown = as_json(given)
        sent = {name: request.arguments.get(name, value) for name, value in shown.items()}
        return WhichCall(server, request.name, shown, sent, _person(), context.protocol_version, entry)

    async def _body(
        self, line: Line, context: Context[Any, Any] | None, arguments: dict[str, Any], request: Request
    ) -> Any:
        plan, ask = self.plan, Ask(line)
        if plan.fills is not None:
            facts, as_text = line.peer.facts(), request.is_plain
            filled = await plan.fills.fill(request.name, arguments, ask, facts, as_text=as_text)
            arguments = {**arguments, **filled}
        if plan.ask is not None:
            arguments[plan.ask] = ask
        if plan.wants_context:
            arguments[plan.context] = context
        try:
            result = await plan.function(**arguments)
        finally:
            ask.close()
        ask.nothing_unasked(plan.name)
        return result

    async def _paused(
        self,
        peer: SdkPeer,
        arguments: dict[str, Any],
        request: Request,
        at_desk: tuple[Place, WhichCall] | None,
    ) -> Any:
        context, room = peer.context, self.asking.room
        state = _state(context)
        call: PausedCall[Any] | None = None
        if state is not None:
            ticket = state.get("ticket")
            if not isinstance(ticket, str):
                raise LostCall
            call = room.retried(ticket, _replies(context))
        elif at_desk is not None:
            call = room.met(at_desk[1].key)
            if call is None and await _left_behind(*at_desk):
                raise Ended(lost(request.name))
        if call is None:

            def body(call: PausedCall[Any]) -> Coroutine[Any, Any, Any]:
                # What the first request brought is not kept for a body that has no use for it.
                live = LiveContext(lambda: _peer_of(call)) if self.plan.wants_context else None
                return self._body(call, live, arguments, request)

            call = room.start(peer, body, at_desk)
        outcome = await attend(call, peer, self.asking.hold)
        if isinstance(outcome, Done):
            return outcome.result
        if isinstance(outcome, Waits):
            raise Ended(waiting(request.name, outcome.notices))
        return _input_required(outcome.questions, {"ticket": outcome.ticket})

    async def _replayed(
        self,
        peer: SdkPeer,
        arguments: dict[str, Any],
        request: Request,
        at_desk: tuple[Place, WhichCall] | None,
    ) -> Any:
        context, asking = peer.context, self.asking
        state = _state(context)
        call, journal = secrets.token_urlsafe(12), Journal()
        if state is not None:
            replies = _replies(context)
            call, journal = _recorded(state, replies)
            if at_desk is not None:
                await heard(DeskSide(*at_desk, asking.patience), call, state["asked"], replies)
        live = LiveContext(lambda: peer) if self.plan.wants_context else None
        until = anyio.current_time() + asking.hold
        while True:
            kept = at_desk and DeskReplay(DeskSide(*at_desk, asking.patience), peer, until)
            line = ReplayLine(PushLine(peer, asking.patience), call, journal, asking.memory, kept)
            try:
                result = await self._run(line, live, {**arguments}, request)
            finally:
                if kept is not None:
                    with anyio.CancelScope(shield=True):
                        await kept.release()
            if result is not _UNWOUND:
                return result
            if kept is None or not kept.overtaken:
                break
        if not line.questions and kept is not None:
            raise Ended(waiting(request.name, kept.notices))
        asked = {"call": call, "journal": line.journal.to_json(), "asked": line.digests}
        return _input_required(line.questions, asked)

    async def _run(
        self, line: ReplayLine, context: LiveContext | None, arguments: dict[str, Any], request: Request
    ) -> Any:
        """One run of a body: its result, or _UNWOUND when it has to be run again.

        A body that swallowed the signal, as a bare `except:` does, goes on with an answer that nobody gave: what it
        then returns or raises does not count.
        """
        try:
            result = await self._body(line, context, arguments, request)
        except Unwind:
            return _UNWOUND
        except BaseExceptionGroup as group:
            # A body's task group wraps the signal. Whatever else is in the group is the body's own failure.
            own = group.split(Unwind)[1]
            if own is None:
                return _UNWOUND
            if isinstance(own, ExceptionGroup):
                await line.fail()
            raise own from None
        except Exception as fault:
            if line.unwound and not isinstance(fault, AskfirstError):
                return _UNWOUND
            await line.fail()
            raise
        if line.unwound:
            return _UNWOUND
        await line.finish()
        return result

    async def _fail(
        self, fault: AskfirstError, context: Context[Any, Any], peer: SdkPeer, request: Request
    ) -> CallToolResult:
        if isinstance(fault, NobodyAsked):
            ending = refused(fault.message, fault.reason, fault.cure)
            return await self._end(ending, context, peer, request, mode=fault.mode)
        if request.is_plain:
            raise MCPError(INTERNAL_ERROR, str(fault)) from fault
        raise ToolError(str(fault)) from fault

    async def _end(
        self,
        ending: Ending,
        context: Context[Any, Any],
        peer: SdkPeer,
        request: Request,
        *,
        mode: str = "",
    ) -> CallToolResult:
        if request.is_plain:
            raise as_error(ending, peer.facts(), mode)
        return await as_result(ending, context, request, self.plan.signature.return_annotation)


def _only_ours(group: ExceptionGroup[Exception]) -> AskfirstError:
    """The fault of ours that a body's task group wraps. With any other fault in it, the group is the body's own."""
    fault: BaseException = group
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    if isinstance(fault, AskfirstError) and group.split(AskfirstError)[1] is None:
        return fault
    raise group


def _person() -> str | None:
    """Who calls, as far as the access token tells: a person where it can, whichever client they use.

    A page knows people by their sign-in and can't know which client they called with.
    """
    token = get_access_token()
    if token is None:
        return None
    client, issuer, subject = principal_components(token)
    if not subject:
        return f"client {client}"
    return subject if issuer is None else f"{issuer} {subject}"


async def _left_behind(place: Place, which: WhichCall) -> bool:
    """Whether the desk had an answer for a call like this one whose process is gone."""
    return any(one.status is Status.ANSWERED for one in await clear(place.desk, which.key))


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
    requests: dict[str, InputRequest] = {
        key: ElicitRequest.model_validate({"params": params}) for key, params in questions.items()
    }
    sealed = json.dumps({"v": _STATE_VERSION, **state}, separators=(",", ":"))
    return InputRequiredResult(input_requests=requests, request_state=sealed)


def _lost() -> NoReturn:
    """The SDK's own words for a state that does not open, so that nobody learns which of the reasons it was."""
    raise MCPError(INVALID_PARAMS, "Invalid or expired requestState", {"reason": "invalid_request_state"})
