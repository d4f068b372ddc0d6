"""The two lines that hold nothing: pushed during the call, and replayed from a journal."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import anyio

from askfirst.core.errors import NobodyAsked
from askfirst.core.journal import Entry, Journal, JsonValue, Replay
from askfirst.core.questions import digest
from askfirst.ports import Peer
from askfirst.wire import Reply

from .posing import EXPIRED, Expired, Posed, way_for
from .steps import Steps

__all__ = ["PushLine", "ReplayLine", "Unwind", "answered"]


class PushLine:
    """Legacy era: the body waits inside `ask` while the client shows the question."""

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
                        fault.reason, message=question.message, mode=question.mode.value
                    ) from None
        return replies

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """A body runs once here, so a step only has to be kept from being called twice within it."""
        return await self._steps.run(key, step)


class Unwind(BaseException):
    """Unwinds a body in replay, so that the call can return with its questions.

    Not an `Exception`: a body's own `except Exception` must not swallow it.
    """


class ReplayLine:
    """Modern era, nothing held: answers come from the journal, and the first question without one unwinds the body."""

    def __init__(self, peer: Peer, call: str, journal: Journal, memory: Steps) -> None:
        self.peer = peer
        self.questions: dict[str, dict[str, object]] = {}
        self.digests: dict[str, str] = {}
        self._call = call
        self._memory = memory
        self._replay = Replay(journal)

    @property
    def journal(self) -> Journal:
        """What is recorded so far, steps of this run included."""
        return self._replay.journal

    async def carry(self, asked: Mapping[str, Posed[Any]]) -> Mapping[str, Reply | Expired]:
        """Give what is recorded; when anything is not, note it down and unwind."""
        facts = self.peer.facts()
        found: dict[str, Reply | Expired] = {}
        for key, posed in asked.items():
            question = posed.question
            mark = digest(question)
            entry = self._replay.take(mark)
            if entry is not None:
                found[key] = Reply(entry.action, entry.content)
                continue
            way_for(facts, question.mode, question.message)
            self.questions[key] = posed.params(facts)
            self.digests[key] = mark
        if len(found) < len(asked):
            raise Unwind
        return found

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The recorded result, or that of running the step now, recorded for every later run."""
        known = self._replay.step(key)
        if known is not None:
            return known[0]
        result = await self._memory.run((self._call, key), step)
        self._replay.record_step(key, result)
        return result


def answered(journal: Journal, digests: Mapping[str, str], replies: Mapping[str, Reply]) -> Journal:
    """The journal with the replies to the questions of the last round; replies nobody asked for are ignored."""
    for key, mark in digests.items():
        reply = replies.get(key)
        if reply is not None:
            journal = journal.with_entry(Entry(mark, reply.action, cast(JsonValue, reply.content)))
    return journal
