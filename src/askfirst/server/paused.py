"""Calls that wait for an answer while no request is open: the body keeps its task, a ticket finds it again.

Rules of the room:
1. A body runs exactly once. Nothing here ever starts it a second time.
2. A ticket is good for one retry. A used, foreign or expired one finds nothing.
3. A call leaves the room when its body ends, when its time is up, when the request it is serving is cancelled, or
   when the room closes; in the last three its task is cancelled, so its `finally` blocks run.
4. No more than `max_paused` calls wait at once; one more is told so before it is asked anything.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from askfirst.core.errors import AuthorError, TooManyPaused
from askfirst.core.journal import JsonValue
from askfirst.ports import Peer
from askfirst.wire import Reply

from .posing import Expired, Posed, way_for
from .steps import Steps

__all__ = ["Asks", "Done", "LostCall", "PausedCall", "WaitingRoom"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asks:
    """A round that ends with questions: their parameters by key, and the ticket for the next round."""

    questions: Mapping[str, dict[str, object]]
    ticket: str


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """A round that ends with the body's own result."""

    result: T


class LostCall(Exception):
    """A ticket that finds no waiting call: used, expired, foreign, or from before a restart."""


class PausedCall(Generic[T]):
    """One call whose body runs in a task of its own, and the questions it waits for. It is its body's `Line`."""

    __slots__ = ("_open", "_room", "_steps", "_task", "_turn", "peer", "ticket", "timer")

    def __init__(self, room: "WaitingRoom", peer: Peer) -> None:
        self.peer = peer
        self.ticket = ""
        self.timer: asyncio.TimerHandle | None = None
        self._room = room
        self._open: dict[str, tuple[dict[str, object], asyncio.Future[Reply]]] = {}
        self._steps = Steps()
        self._turn: asyncio.Future[None] | None = None
        self._task: asyncio.Task[T] | None = None

    def start(self, body: Coroutine[Any, Any, T]) -> None:
        """Give the body a task; it outlives the request that started it."""
        self._task = asyncio.get_running_loop().create_task(body)
        self._task.add_done_callback(self._ended)

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Lay questions out for the next round and wait until each has a reply."""
        loop = asyncio.get_running_loop()
        facts = self.peer.facts()
        written: dict[str, dict[str, object]] = {}
        for key, posed in asked.items():
            question = posed.question
            way_for(facts, question.mode, question.message)
            if not self._room.take_place(self):
                raise TooManyPaused(self._room.max_paused, message=question.message, mode=question.mode.value)
            written[key] = posed.params(facts)
        mine: dict[str, asyncio.Future[Reply]] = {key: loop.create_future() for key in asked}
        for key, params in written.items():
            unique = key if key not in self._open else f"{key}-{secrets.token_hex(4)}"
            self._open[unique] = (params, mine[key])
        self._wake()
        try:
            return {key: await future for key, future in mine.items()}
        finally:
            self._open = {key: one for key, one in self._open.items() if one[1] not in mine.values()}

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """A body runs once here, so a step only has to be kept from being called twice within it."""
        return await self._steps.run(key, step)

    async def round(self) -> Asks | Done[T]:
        """Wait until the body asks or ends. When the request that waits here is cancelled, so is the body."""
        assert self._task is not None
        try:
            while not self._task.done() and not self._unanswered():
                self._turn = asyncio.get_running_loop().create_future()
                await self._turn
        except asyncio.CancelledError:
            self.end()
            raise
        finally:
            self._turn = None
        if self._task.done():
            self._room.forget(self)
            if self._task.cancelled():
                raise LostCall
            return Done(self._task.result())
        return Asks({key: params for key, (params, _) in self._unanswered().items()}, self._room.admit(self))

    def deliver(self, replies: Mapping[str, Reply]) -> None:
        """Hand out the replies that belong to open questions; others are ignored."""
        for key, reply in replies.items():
            if key in self._open and not self._open[key][1].done():
                self._open[key][1].set_result(reply)

    def stop_clock(self) -> None:
        """The call is no longer waiting: its time does not run out."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def end(self) -> None:
        """Leave the room and cancel the body, so that its `finally` blocks run."""
        assert self._task is not None
        self._room.forget(self)
        self._task.cancel()

    def _unanswered(self) -> dict[str, tuple[dict[str, object], "asyncio.Future[Reply]"]]:
        return {key: one for key, one in self._open.items() if not one[1].done()}

    def _ended(self, task: "asyncio.Task[T]") -> None:
        if not task.cancelled():
            task.exception()  # a body that fails while nobody waits for it has been heard, not lost
        self._wake()

    def _wake(self) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(None)


class WaitingRoom:
    """The paused calls of one server process.

    Args:
        patience: Seconds a paused call waits for a retry.
        max_paused: How many calls may wait at once.
        token: Makes tickets that can't be guessed.
    """

    def __init__(
        self, patience: float, max_paused: int, token: Callable[[], str] = lambda: secrets.token_urlsafe(18)
    ) -> None:
        self.patience = patience
        self.max_paused = max_paused
        self._token = token
        self._waiting: dict[str, PausedCall[Any]] = {}
        self._places: set[PausedCall[Any]] = set()
        self._running: set[PausedCall[Any]] = set()

    def __len__(self) -> int:
        """How many calls wait for a retry now."""
        return len(self._waiting)

    def take_place(self, call: PausedCall[Any]) -> bool:
        """Have a place for this call until it ends; False when all are taken."""
        if call not in self._places and len(self._places) >= self.max_paused:
            return False
        self._places.add(call)
        return True

    async def start(
        self, peer: Peer, body: Callable[[PausedCall[T]], Coroutine[Any, Any, T]]
    ) -> Asks | Done[T]:
        """The first round of a call: start its body and wait until it asks or ends.

        Raises:
            AuthorError: The server does not run on asyncio. Whatever the body raises is raised here.
            LostCall: The room was closed meanwhile.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise AuthorError(
                'pausing a call needs asyncio; under another event loop use @askable(resume="replay")'
            ) from None
        call: PausedCall[T] = PausedCall(self, peer)
        call.start(body(call))
        self._running.add(call)
        return await call.round()

    async def resume(self, ticket: str, peer: Peer, replies: Mapping[str, Reply]) -> Asks | Done[Any]:
        """A later round: hand the replies to the waiting body and wait until it asks again or ends.

        Raises:
            LostCall: No call waits under this ticket.
        """
        call = self._waiting.pop(ticket, None)
        if call is None:
            raise LostCall
        call.stop_clock()
        call.peer = peer
        self._running.add(call)
        call.deliver(replies)
        return await call.round()

    def admit(self, call: PausedCall[Any]) -> str:
        """Let a call wait, for `patience` seconds at most, and give the ticket that finds it again."""
        self._running.discard(call)
        call.peer.rest()
        call.ticket = self._token()
        call.timer = asyncio.get_running_loop().call_later(self.patience, call.end)
        self._waiting[call.ticket] = call
        return call.ticket

    def forget(self, call: PausedCall[Any]) -> None:
        """Take a call out of the room; nothing of it is left behind."""
        self._running.discard(call)
        self._places.discard(call)
        self._waiting.pop(call.ticket, None)
        call.stop_clock()

    def close(self) -> None:
        """End every call that waits or runs here."""
        for call in [*self._waiting.values(), *self._running]:
            call.end()
