"""One question at a time on one terminal, whoever asks; the others wait their turn and are counted."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from weakref import ReferenceType, WeakValueDictionary

import anyio

from .presenting import time_left, waiting

__all__ = ["Situation", "Turns"]


class Turns:
    """The queue in front of one terminal. Two answerers at the same terminal must share it: `Turns.at`."""

    def __init__(self) -> None:
        self._lock = anyio.Lock()
        self.waiting: int = 0
        self.lost: str = ""
        """What became of the question that was shown last, if nobody answered it: for who is shown the next."""

    @staticmethod
    def at(device: str) -> "Turns":
        """The one queue of that device, as long as anybody uses it."""
        return _AT.setdefault(device, Turns())

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait until nobody else's question is shown, and keep the terminal inside the block."""
        self.waiting += 1
        try:
            await self._lock.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._lock.release()


_AT: Final[WeakValueDictionary[str, Turns]] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class Situation:
    """What changes while a question is shown: the time left until `end`, and who waits behind it.

    `lost` says what became of the question before, if that went away unanswered. The queue is the answerers' own: a
    form that was left, and is not yet collected, does not keep it.
    """

    turns: ReferenceType[Turns]
    end: float | None
    lost: str = ""

    def status(self, now: float) -> str:
        """Both in a few words; empty when there is nothing to say. `now` is the event loop's clock, as is `end`."""
        left = None if self.end is None else self.end - now
        turns = self.turns()
        queued = 0 if turns is None else turns.waiting
        return ", ".join(part for part in (time_left(left), waiting(queued)) if part)

    def closed(self, now: float) -> str:
        """Why a question went away that nobody answered."""
        over = self.end is not None and now >= self.end
        return "Time is up: the question was closed." if over else "The question was withdrawn."
