"""How the questions of one call travel: what every line does, and the two that hold nothing (pushed, and replayed)."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn, Protocol, TypeAlias, cast

import anyio

from askfirst.core.answers import Accepted, Answer, Reply
from askfirst.core.errors import NobodyAsked
from askfirst.core.journal import Entry, Journal, JsonValue, Replay
from askfirst.core.questions import UrlQuestion, digest
from askfirst.core.reach import Route, reach
from askfirst.core.revisions import Mode
from askfirst.ports import Peer

from .desk_replay import DeskReplay
from .desking import DeskSide, reply_for
from .posing import EXPIRED, Expired, Posed, way_for
from .recorded import noted_down, recorded
from .steps import Steps

__all__ = ["End", "Line", "PushLine", "ReplayLine", "Unwind", "answered", "ended", "tell_end"]


End: TypeAlias = Callable[[], Awaitable[JsonValue]]
"""Returns when a visit has ended."""


class Line(Protocol):
    """How the questions of one call travel to the person and back."""

    peer: Peer

    @property
    def desk(self) -> DeskSide | None:
        """This call's part of the desk, where the server has one and the call can wait there."""
        ...

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Put these questions and bring a reply to each.

        Raises:
            NobodyAsked: There is no way to a person.
        """
        ...

    @property
    def holds(self) -> bool:
        """Whether the body keeps its place while a person thinks."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nobody waits for the body any more, so that it can ask nothing."""
        ...

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Run a step, or give its recorded result."""
        ...

    async def visited(self, visit: UrlQuestion, key: str, end: End) -> Answer[None]:
        """Wait for the end of a visit that the person agreed to; the step `key` is that `end` returned.

        What the person says of it instead is the answer, where they are asked.
        """
        ...


class PushLine:
    """Legacy era: the body waits inside `ask` while the client shows the question."""

    desk: None = None
    holds = True
    is_over = False

    def __init__(self, peer: Peer, patience: float) -> None:
        self.peer = peer
        self._patience = patience
        self._steps = Steps()

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """One after the other: a client has one screen."""
        facts = self.peer.facts()
        replies: dict[str, Reply | Expired] = {}
        for key, posed in asked.items():
            question = posed.question
            way_for(facts, question.mode, question.message)
            replies[key] = EXPIRED
            with anyio.move_on_after(self._patience):
                try:
                    replies[key] = await self.peer.push(posed.params(facts))
                except NobodyAsked as fault:
                    raise NobodyAsked(
                        fault.reason, cure=fault.cure, message=question.message, mode=question.mode.value
                    ) from None
        return replies

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """A body runs once here, so a step only has to be kept from being called twice within it."""
        return await self._steps.run(key, step)

    async def visited(self, visit: UrlQuestion, key: str, end: End) -> Answer[None]:
        """The end shows by itself, and the client is told of it."""
        return await ended(self.peer, visit, end)


async def ended(peer: Peer, visit: UrlQuestion, end: End) -> Answer[None]:
    """Wait for the end of a visit that the client sent the person on, and tell it where its revision has a notice."""
    await end()
    await tell_end(peer, visit)
    return Accepted(None)


async def tell_end(peer: Peer, visit: UrlQuestion) -> None:
    """Give the client notice, where its revision has one, that the visit it sent the person on is completed."""
    if visit.elicitation_id is not None and peer.facts().revision.elicitation_ids:
        await peer.completed(visit.elicitation_id)


class Unwind(BaseException):
    """Unwinds a body in replay, so that the call can return with its questions.

    Not an `Exception`: a body's own `except Exception` must not swallow it.
    """


class ReplayLine:
    """Nothing held: answers come from the journal or the desk, and the first question without one unwinds the body."""

    holds = False
    is_over = False

    def __init__(
        self, push: PushLine, call: str, journal: Journal, memory: Steps, at_desk: DeskReplay | None = None
    ) -> None:
        self.peer: Peer = push.peer
        self.at_desk = at_desk
        self.questions: dict[str, dict[str, object]] = {}
        self.digests: dict[str, str] = {}
        self._push = push
        self._call = call
        self._memory = memory
        self.unwound: bool = False
        self._on_desk = False
        self._replay = Replay(journal)

    @property
    def desk(self) -> DeskSide | None:
        """The call's part of the desk."""
        return self.at_desk.side if self.at_desk is not None else None

    @property
    def journal(self) -> Journal:
        """What is recorded so far, steps of this run included."""
        return self._replay.journal

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Give what is recorded or can be had now; when anything is neither, note it down and unwind."""
        found: dict[str, Reply | Expired] = {}
        for key, posed in asked.items():
            mark = digest(posed.question)
            entry = self._replay.take(mark)
            reply = (
                Reply(entry.action, entry.content)
                if entry is not None
                else await self._asked(key, posed, mark)
            )
            if reply is not None:
                found[key] = reply
        if len(found) < len(asked):
            self._unwind()
        return found

    def _unwind(self) -> NoReturn:
        self.unwound = True
        raise Unwind

    async def _asked(self, key: str, posed: Posed[Any], mark: str) -> Reply | Expired | None:
        """The reply to a question that has none yet, or None when this run can't wait for it."""
        facts, question = self.peer.facts(), posed.question
        way = way_for(facts, question.mode, question.message)
        if way is Route.DESK and self.at_desk is not None:
            self._on_desk = True
            await self.at_desk.keep(self.journal.steps)
            answer = await self.at_desk.answer(question, mark)
            return None if answer is None else reply_for(answer)
        if way is Route.PUSH:
            one = {key: posed}
            return (await recorded(self.desk, way, one, lambda: self._push.carry(one)))[key]
        params = posed.params(facts)
        await noted_down(self.desk, self._call, mark)
        self.questions[key] = params
        self.digests[key] = mark
        return None

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The recorded result, or that of running the step now, recorded for every later run."""
        known = await self._known(key)
        if known is not None:
            return known[0]
        if self.unwound:  # a body that swallowed the signal may take this step for an answer that nobody gave
            self._unwind()
        if self.at_desk is not None and (self._on_desk or reach(self.peer.facts(), Mode.FORM) is Route.DESK):
            self._on_desk = True
            result = await self.at_desk.once(key, step)
        else:  # a client that carries questions itself may call twice at once, and mean two calls by it
            result = await self._memory.run((self._call, key), step)
        self._replay.record_step(key, result)
        return result

    async def _known(self, key: str) -> tuple[JsonValue] | None:
        known = self._replay.step(key)
        if known is None and self.at_desk is not None and (known := await self.at_desk.step(key)) is not None:
            self._on_desk = True
            self._replay.record_step(key, known[0])
        return known

    async def visited(self, visit: UrlQuestion, key: str, end: End) -> Answer[None]:
        """Wait for what ends it, once for all runs; at the desk no longer than this run may."""
        if self.at_desk is None or reach(self.peer.facts(), Mode.URL) is not Route.DESK:
            return await ended(self.peer, visit, lambda: self.once(key, end))
        if await self._known(key) is not None:
            return Accepted(None)
        answer = await self.at_desk.visited(visit, lambda: self.once(key, end))
        if answer is None:
            self._unwind()
        return answer

    async def fail(self) -> None:
        """The body has failed: what a person answered was for this run, and not for one after it."""
        if self.at_desk is not None and self._on_desk:
            await self.at_desk.use_up()

    async def finish(self) -> None:
        """The body has ended: what the desk and this process kept for it is forgotten."""
        if self.at_desk is not None and self._on_desk:
            await self.at_desk.finish()


def answered(journal: Journal, digests: Mapping[str, str], replies: Mapping[str, Reply]) -> Journal:
    """The journal with the replies to the questions of the last round; replies nobody asked for are ignored."""
    for key, mark in digests.items():
        reply = replies.get(key)
        if reply is not None:
            journal = journal.with_entry(Entry(mark, reply.action, cast(JsonValue, reply.content)))
    return journal
