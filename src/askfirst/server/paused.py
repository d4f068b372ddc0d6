"""Calls that wait for an answer while no request is open: the body keeps its task, and is found again.

Rules of the room:
1. A body runs exactly once. Nothing here ever starts it a second time.
2. A ticket is good for one retry. A used, foreign or expired one finds nothing.
3. A call whose question waits on the desk is found by its key instead: by the next call that is like it.
4. A call leaves the room when its body ends, when its time is up, when the request it is serving is cancelled, or
   when the room closes; in the last three its task is cancelled, so its `finally` blocks run. A call that went to the
   desk outlives its requests: the client may have given up long before a person answers, and what a person agreed to
   is not left half done because of that.
5. No more than `max_paused` calls wait at once; one more is told so before it is asked anything.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from askfirst.core.answers import Answer, Reply
from askfirst.core.errors import AuthorError, TooManyPaused
from askfirst.core.fallback import Waiting
from askfirst.core.journal import JsonValue
from askfirst.core.questions import UrlQuestion
from askfirst.core.reach import Reachable, Route, reach
from askfirst.core.revisions import Mode
from askfirst.ports import Peer

from .desking import DeskSide, Place, WhichCall
from .lines import End, PushLine, ended
from .posing import Expired, Posed, call_over, way_for
from .recorded import recorded
from .rounds import Asks, Done, LostCall, Waits
from .steps import Steps

__all__ = ["PausedCall", "WaitingRoom"]

T = TypeVar("T")

_LAST_MOMENT: Final = 5.0
"""Seconds that bodies have for their `finally` blocks when a room closes: a server must be able to stop."""


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A question that waits for a retry; its reply is None when it is to be put anew, for the retry's client is not
    one to ask it of, or has nobody to wait for any more, for the body has ended.
    """

    mode: Mode
    params: dict[str, object]
    reply: "asyncio.Future[Reply | None]"


class PausedCall(Generic[T]):
    """One call whose body runs in a task of its own, and the questions it waits for. It is its body's `Line`."""

    holds = True
    __slots__ = (
        "_arrived",
        "_attending",
        "_given_up",
        "_news",
        "_open",
        "_room",
        "_steps",
        "_task",
        "_turns",
        "desk",
        "peer",
        "ticket",
        "timer",
    )

    def __init__(self, room: "WaitingRoom", peer: Peer) -> None:
        self.peer: Peer = peer
        self.ticket: str = ""
        self.timer: asyncio.TimerHandle | None = None
        self.desk: DeskSide | None = None
        self._room = room
        self._open: dict[str, _Laid] = {}
        self._steps = Steps()
        self._turns: set[asyncio.Future[None]] = set()
        self._task: asyncio.Task[T] | None = None
        self._attending = 0
        self._given_up = False
        self._arrived: asyncio.Event | None = None
        self._news = False

    def at_desk(self, place: Place, which: WhichCall) -> None:
        """Let questions that the client can't carry go to the desk."""
        self.desk = DeskSide(place, which, self._room.patience, self._noted, held=True)

    def start(self, body: Coroutine[Any, Any, T]) -> None:
        """Give the body a task; it outlives the request that started it."""
        self._task = asyncio.get_running_loop().create_task(body)
        self._task.add_done_callback(self._ended)

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Put these questions the way the client's abilities leave, and wait until each has a reply.

        Each request says anew what its client can do, and a retry may say less than the request before it: what is
        unanswered then is put again, the way that is left.
        """
        replies: dict[str, Reply | Expired] = {}
        while left := {key: posed for key, posed in asked.items() if key not in replies}:
            replies |= await self._put(left)
        return replies

    async def _put(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        self._check_open(asked)
        facts = self.peer.facts()
        # Questions of one round are all forms or one url, so they all have one way.
        ways = {way_for(facts, one.question.mode, one.question.message) for one in asked.values()}
        if Route.PUSH in ways:
            await self._somebody()
            self._check_open(asked)
            push = PushLine(self.peer, self._room.patience)
            return await recorded(self.desk, Route.PUSH, asked, lambda: push.carry(asked))
        for posed in asked.values():
            if not self._room.take_place(self):
                question = posed.question
                raise TooManyPaused(self._room.max_paused, message=question.message, mode=question.mode.value)
        if Route.DESK in ways and self.desk is not None:
            return await self.desk.carry(asked)
        return await recorded(self.desk, Route.INPUT_REQUIRED, asked, lambda: self._lay_out(asked, facts))

    def _check_open(self, asked: Mapping[str, Posed[Any]]) -> None:
        for posed in asked.values():
            if self.is_over:
                raise call_over(posed.question.message, posed.question.mode)

    @property
    def is_over(self) -> bool:
        """Whether the body has ended or was given up; a task that it left behind finds this out, or a `finally`."""
        return self._given_up or (self._task is not None and self._task.done())

    async def _lay_out(self, asked: Mapping[str, Posed[Any]], facts: Reachable) -> Mapping[str, Reply]:
        loop = asyncio.get_running_loop()
        mine = {
            key: _Laid(posed.question.mode, posed.params(facts), loop.create_future())
            for key, posed in asked.items()
        }
        for key, laid in mine.items():
            self._open[key if key not in self._open else f"{key}-{secrets.token_hex(4)}"] = laid
        self._wake()
        try:
            replies = {key: await laid.reply for key, laid in mine.items()}
        finally:
            self._open = {key: one for key, one in self._open.items() if one not in mine.values()}
        return {key: reply for key, reply in replies.items() if reply is not None}

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """A body runs once here, so a step only has to be kept from being called twice within it."""
        return await self._steps.run(key, step)

    async def visited(self, visit: UrlQuestion, key: str, end: End) -> Answer[None]:
        """See `Line.visited`: on the desk the person may say that they have finished."""
        if self.desk is not None and reach(self.peer.facts(), Mode.URL) is Route.DESK:
            return await self.desk.visited(visit, end)
        return await ended(self.peer, visit, end)

    async def round(self, hold: float | None = None) -> Asks | Done[T] | Waits:
        """Wait until the body asks or ends, or a question waits on the desk: one that is new, or `hold` seconds long.

        When the request that waits here is cancelled, so is the body, unless a question of it went to the desk.
        """
        assert self._task is not None
        while not self._task.done() and not self._unanswered():
            in_time = await self._turn(hold)
            news, self._news = self._news or not in_time, False
            if news and self._notices():
                return Waits(self._notices())
            if not in_time:
                hold = None  # the body is at work, and work is not what is held
        if self._task.done():
            self._room.forget(self)
            if self._task.cancelled() and not self._given_up:
                raise AuthorError(
                    "the body was cancelled by its own doing: it waited for a task that was cancelled"
                )
            if self._task.cancelled():
                raise LostCall
            return Done(self._task.result())
        questions = {key: laid.params for key, laid in self._unanswered().items()}
        return Asks(questions, self._room.admit(self))

    async def _turn(self, limit: float | None) -> bool:
        """Wait until something happens to this call; False when the limit came first."""
        turn = asyncio.get_running_loop().create_future()
        self._turns.add(turn)
        try:
            done, _ = await asyncio.wait((turn,), timeout=limit) if limit is not None else ((await turn,), ())
            return bool(done)
        finally:
            self._turns.discard(turn)

    @contextmanager
    def attended(self, peer: Peer) -> Iterator[None]:
        """Serve this call from one request for as long as the block runs."""
        self.stop_clock()
        self.peer = peer
        self._take_back(peer.facts())
        self._attending += 1
        if self._arrived is not None:
            self._arrived.set()
        try:
            yield
        except asyncio.CancelledError:
            if self._attending == 1 and not (self.desk is not None and self.desk.used):
                self.end()
            raise
        finally:
            self._attending -= 1
            if not self._attending:
                self._room.left(self)

    async def _somebody(self) -> None:
        """Wait until a request is open again: only on one can a question be pushed."""
        while not self._attending and not self.is_over:
            self._arrived = asyncio.Event()
            await self._arrived.wait()

    def deliver(self, replies: Mapping[str, Reply]) -> None:
        """Hand out the replies that belong to open questions; others are ignored."""
        for key, reply in replies.items():
            if key in self._open and not self._open[key].reply.done():
                self._open[key].reply.set_result(reply)

    def _take_back(self, facts: Reachable) -> None:
        """Have the questions put again that this client declares no ability for."""
        for laid in self._unanswered().values():
            if reach(facts, laid.mode) is not Route.INPUT_REQUIRED:
                laid.reply.set_result(None)

    def stop_clock(self) -> None:
        """The call is no longer waiting: its time does not run out."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def end(self) -> "asyncio.Task[T]":
        """Leave the room and cancel the body, so that its `finally` blocks run."""
        assert self._task is not None
        self._room.forget(self)
        self._given_up = True
        self._task.cancel()
        return self._task

    def _unanswered(self) -> dict[str, _Laid]:
        return {key: laid for key, laid in self._open.items() if not laid.reply.done()}

    def _notices(self) -> tuple[Waiting, ...]:
        return tuple(self.desk.waiting.values()) if self.desk is not None else ()

    def _noted(self) -> None:
        self._news = True
        if self.desk is not None:
            self._room.keep(self, self.desk.which.key)
        self._wake()

    def _ended(self, task: "asyncio.Task[T]") -> None:
        if task.cancelled():  # by whoever: at the end of its event loop too, which the room may outlive
            self._room.forget(self)
        else:
            task.exception()  # a body that fails while nobody waits for it has been heard, not lost
        for laid in self._unanswered().values():
            laid.reply.set_result(None)
        if self._arrived is not None:
            self._arrived.set()
        self._wake()

    def _wake(self) -> None:
        for turn in self._turns:
            if not turn.done():
                turn.set_result(None)


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
        self._calls: set[PausedCall[Any]] = set()
        self._places: set[PausedCall[Any]] = set()
        self._by_ticket: dict[str, PausedCall[Any]] = {}
        self._by_key: dict[str, list[PausedCall[Any]]] = {}

    def __len__(self) -> int:
        """How many calls wait for a retry now."""
        return len(self._by_ticket)

    def take_place(self, call: PausedCall[Any]) -> bool:
        """Have a place for this call until it ends; False when all are taken."""
        if call not in self._places and len(self._places) >= self.max_paused:
            return False
        self._places.add(call)
        return True

    def start(
        self,
        peer: Peer,
        body: Callable[[PausedCall[T]], Coroutine[Any, Any, T]],
        at_desk: tuple[Place, WhichCall] | None = None,
    ) -> PausedCall[T]:
        """A new call, whose body starts now.

        Raises:
            AuthorError: The server does not run on asyncio.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise AuthorError(
                'pausing a call needs asyncio; under another event loop use @askable(resume="replay")'
            ) from None
        call: PausedCall[T] = PausedCall(self, peer)
        if at_desk is not None:
            call.at_desk(*at_desk)
        self._calls.add(call)
        call.start(body(call))
        return call

    def retried(self, ticket: str, replies: Mapping[str, Reply]) -> PausedCall[Any]:
        """The call that waits under a ticket, with the replies handed to it. The ticket is used up.

        Raises:
            LostCall: No call waits under this ticket.
        """
        call = self._by_ticket.pop(ticket, None)
        if call is None:
            raise LostCall
        call.ticket = ""
        call.deliver(replies)
        return call

    def met(self, key: str) -> PausedCall[Any] | None:
        """A call like this one whose question went to the desk and whose result nobody has fetched yet."""
        calls = self._by_key.get(key)
        return calls[0] if calls else None

    def keep(self, call: PausedCall[Any], key: str) -> None:
        """A question of this call is on the desk: let the next call like it find it, if it is still here."""
        if call in self._calls and call not in self._by_key.get(key, ()):
            self._by_key.setdefault(key, []).append(call)

    def admit(self, call: PausedCall[Any]) -> str:
        """Let a call wait for its retry, and give the ticket that finds it again.

        Several requests may be told to ask the same at once, where it went to the desk before: the first retry counts.
        """
        if not call.ticket:
            call.ticket = self._token()
            self._by_ticket[call.ticket] = call
        return call.ticket

    def left(self, call: PausedCall[Any]) -> None:
        """No request is open for this call: from now on it waits, for `patience` seconds at most."""
        if call in self._calls:
            call.peer.rest()
            call.timer = asyncio.get_running_loop().call_later(self.patience, call.end)

    def forget(self, call: PausedCall[Any]) -> None:
        """Take a call out of the room; nothing of it is left behind."""
        self._calls.discard(call)
        self._places.discard(call)
        self._by_ticket.pop(call.ticket, None)
        call.stop_clock()
        if call.desk is not None:
            key = call.desk.which.key
            self._by_key[key] = [one for one in self._by_key.get(key, ()) if one is not call]
            if not self._by_key[key]:
                del self._by_key[key]

    async def close(self) -> None:
        """End every call that waits or runs here, and see their bodies out for a moment: they tidy up."""
        ended = [call.end() for call in list(self._calls)]
        if running := [task for task in ended if not task.done()]:
            await asyncio.wait(running, timeout=_LAST_MOMENT)
