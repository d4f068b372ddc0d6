"""Questions of a call that go to the desk: posted, waited for, withdrawn when the call is over.

1. A call is recognised by server, tool, arguments and user: the next one like it takes up what the last one asked.
2. A question stays on the desk when the client's request ends, for a client gives up long before a person answers;
   it is withdrawn when the body that asks it ends, and it expires by itself.
3. An answer is used once: what was taken from the desk is erased there.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, assert_never

import anyio

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined, Reply
from askfirst.core.errors import NobodyAsked
from askfirst.core.fallback import Waiting
from askfirst.core.fields import Form, TextField
from askfirst.core.ledger import Asked
from askfirst.core.postings import Posting, Scope, shown_arguments
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.reach import Route
from askfirst.desk import Desk
from askfirst.visits import follow_up

from .posing import EXPIRED, Expired, Posed

__all__ = [
    "HEARTBEAT",
    "DeskSide",
    "OwnPlace",
    "Place",
    "WhichCall",
    "reply_for",
    "said_before",
]

T = TypeVar("T")

HEARTBEAT: Final = 10.0
"""Seconds between two progress notices, so that a client that heeds them does not give up."""


class Place(Protocol):
    """A desk, and the page where its questions are answered."""

    @property
    def desk(self) -> Desk:
        """Where questions are laid."""
        ...

    async def address(self, posting: Posting) -> str:
        """Where a person answers this question; brings the page up on first need. "" when it is not to be told.

        Tells the operator, where there is a way to. Each address may be good for one visitor alone.

        Raises:
            NobodyAsked: There is no page on which this question could be answered.
        """
        ...


class OwnPlace(Place, Protocol):
    """A place that an `Asking` has made for itself."""

    async def close(self) -> None:
        """Let go of whatever it has brought up."""
        ...


@dataclass(frozen=True, slots=True)
class WhichCall:
    """Which call this is: enough to recognise the next one like it, and to show a person what it is about.

    `tool` is what the client called; `entry` says what serves it here, for two functions may be registered under one
    name: a tool and a prompt. `arguments` is what a person is shown of them, `sent` what tells calls apart: what the
    client wrote, for the values made of it may look alike.
    """

    server: str
    tool: str
    arguments: Mapping[str, object]
    sent: Mapping[str, object]
    user: str | None
    revision: str | None
    entry: str

    @property
    def key(self) -> str:
        """The same for each call of this tool with these arguments by this user; says nothing about them."""
        told = json.dumps(
            [self.server, self.tool, self.entry, self.sent, self.user], sort_keys=True, default=str
        )
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def origin(self) -> Origin:
        """Who asks, as the page shows it. A server can say of itself only what it calls itself."""
        return Origin(self.server, tool=self.tool, revision=self.revision, own_name=True)

    @property
    def scope(self) -> Scope:
        """For whom an answer is remembered."""
        return Scope(self.server, self.user or "")


class DeskSide:
    """One call's questions on the desk.

    `waiting` has what the caller is told of each; `used` says whether a person may have seen one.

    Args:
        place: The desk and its page.
        which: The call.
        patience: Seconds a question stays.
        changed: Called when a question is about to be posted, and when it has come to `waiting`.
        held: Whether this process alone can use the answers.
    """

    def __init__(
        self,
        place: Place,
        which: WhichCall,
        patience: float,
        changed: Callable[[], None] = lambda: None,
        *,
        held: bool = False,
    ) -> None:
        self.waiting: dict[str, Waiting] = {}
        self.used: bool = False
        self.which: Final = which
        self.desk: Final = place.desk
        self._place = place
        self._patience = patience
        self._changed = changed
        self._held = held

    async def post(self, question: Question, *, secret: bool = False) -> Posting:
        """Lay a question on the desk, and say where it can be answered."""
        which = self.which
        self.used = True  # a person may see it before its caller was told of it
        self._changed()
        posting = await self.desk.post(
            question,
            which.origin,
            limit=self._patience,
            call=which.key,
            asked_of=which.user,
            arguments=shown_arguments(which.arguments),
            secret=secret,
            held=self._held,
        )
        try:
            await self.announce(posting)
        except BaseException:
            await self.withdraw([posting])
            raise
        return posting

    async def announce(self, posting: Posting) -> None:
        """Tell the caller that a question waits."""
        question = posting.question
        try:
            address = await self._place.address(posting)
        except NobodyAsked as fault:  # a place knows why nobody is asked there, and not what it was about
            raise NobodyAsked(
                fault.reason, cure=fault.cure, message=question.message, mode=question.mode.value
            ) from None
        self.waiting[posting.token] = Waiting(question.message, address, posting.code)
        self._changed()

    async def wait(self, posting: Posting) -> Answer[Content]:
        """The answer to a posted question; what came is erased from the desk."""
        try:
            answer = await self.desk.wait(posting.token)
        finally:
            self.waiting.pop(posting.token, None)
        await self.desk.take(posting.token)
        return answer

    async def withdraw(self, postings: Iterable[Posting]) -> None:
        """The body that asked is over: its questions leave the desk."""
        with anyio.CancelScope(shield=True):
            for posting in postings:
                self.waiting.pop(posting.token, None)
                await self.desk.withdraw(posting.token)

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Lay all of these on the desk and bring a reply to each."""
        postings: dict[str, Posting] = {}
        try:
            for key, posed in asked.items():
                postings[key] = await self.post(posed.question)
            return {key: reply_for(await self.wait(posting)) for key, posting in postings.items()}
        finally:
            await self.withdraw(postings.values())

    async def visited(self, visit: UrlQuestion, end: Callable[[], Awaitable[object]]) -> Answer[None]:
        """Wait for the end of a visit: `end` returns, or the person says so on the desk, whichever comes first."""
        said = await said_before(end, self._told(visit))
        return Accepted(None) if said is None or isinstance(said[0], Accepted) else said[0]

    async def _told(self, visit: UrlQuestion) -> Answer[Content]:
        posting = await self.post(follow_up(visit))
        try:
            return await self.wait(posting)
        finally:
            await self.withdraw([posting])

    def carried(self, route: Route, token: str, shown: str) -> Asked:
        """A question of this call that its client carries, for the ledger."""
        which = self.which
        arguments = shown_arguments(which.arguments)
        return Asked(which.origin, arguments, which.user, route.value, token, shown)

    async def secret(self, message: str, name: str) -> Posting:
        """Lay a question for a secret on the desk: one field, typed masked, its value for this server alone."""
        field = TextField(name="value", title=name, required=True, min_length=1)
        return await self.post(FormQuestion(message, Form((field,))), secret=True)


async def said_before(
    end: Callable[[], Awaitable[object]], saying: Coroutine[Any, Any, T]
) -> tuple[T] | None:
    """What a person says of a visit, in a tuple; None when `end` returned before, or nobody can be asked."""
    ended, said = asyncio.ensure_future(_end_of(end)), asyncio.ensure_future(saying)
    try:
        await asyncio.wait((ended, said), return_when=asyncio.FIRST_COMPLETED)
        if not ended.done() and not isinstance(said.exception(), NobodyAsked):
            return (said.result(),)
        await ended  # where the desk takes no more questions, the end shows by itself or not at all
        return None
    finally:
        ended.cancel()
        said.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait((ended, said))


async def _end_of(visit: Callable[[], Awaitable[object]]) -> None:
    await visit()


def reply_for(answer: Answer[Content]) -> Reply | Expired:
    """An answer from the desk as a reply in the question's own form."""
    match answer:
        case Accepted(data):
            return Reply("accept", data, native=True)
        case Cancelled(expired=True):
            return EXPIRED
        case Declined() | Cancelled():
            return Reply(answer.action)
        case _:
            assert_never(answer)
