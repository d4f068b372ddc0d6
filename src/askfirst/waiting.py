"""Waiting for a change of one posting, or of any: one of those who wait listens to the store for all of them.

1. A bell is hung up before its row is read, so that no change falls between reading and waiting.
2. Who finds nobody listening listens, and rings the bells of the rows that changed.
3. Who stops waiting, for whatever reason, while nobody listens, rings the bell of one other who waits; they find
   nobody listening, and so on.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from askfirst.ports import Store

__all__ = ["Bell", "Watch"]


class Bell:
    """Rings when the posting it hangs at may have changed; sometimes for nothing."""

    def __init__(self, watch: "Watch", token: str | None) -> None:
        self.token = token
        self.waiting: bool = False
        self._watch = watch
        self._rung = anyio.Event()

    def ring(self) -> None:
        """Wake who waits at this bell."""
        self._rung.set()

    @property
    def rung(self) -> bool:
        """Whether it has rung since it was last waited for."""
        return self._rung.is_set()

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; whether it did. May raise `StoreFault`."""
        self.waiting = True
        try:
            with anyio.move_on_after(seconds):
                while not self.rung:
                    if self._watch.listening:
                        await self._rung.wait()
                    else:
                        await self._watch.listen(self)
        finally:
            self.waiting = False
            self._watch.hand_over()
        rung = self.rung
        self._rung = anyio.Event()
        return rung


class Watch:
    """The bells of one desk."""

    def __init__(self, store: Store) -> None:
        self.listening: bool = False
        self._store = store
        self._bells: dict[Bell, None] = {}
        self._seen = 0

    @asynccontextmanager
    async def bell(self, token: str | None) -> AsyncIterator[Bell]:
        """A bell at a posting, or at all of them (None), for as long as the block runs."""
        bell = Bell(self, token)
        self._bells[bell] = None
        try:
            if not self.listening:
                await self._catch_up(bell)
            yield bell
        finally:
            del self._bells[bell]

    async def _catch_up(self, own: Bell) -> None:
        # What changed while nobody listened is not worth listing: whoever waits by now looks for themselves.
        head = await self._store.head()
        if not self.listening and head.number != self._seen:
            self._seen = head.number
            for bell in self._bells:
                if bell is not own:
                    bell.ring()

    async def listen(self, own: Bell) -> None:
        """Listen for all until one's own bell rings."""
        self.listening = True
        try:
            while not own.rung:
                news = await self._store.news(self._seen)
                self._seen = news.number
                for bell in self._bells:
                    if bell.token is None or news.tokens is None or bell.token in news.tokens:
                        bell.ring()
        finally:
            self.listening = False

    def hand_over(self) -> None:
        """Somebody stopped waiting: see that somebody listens, as long as somebody waits."""
        heir = next((bell for bell in self._bells if bell.waiting), None)
        if heir is not None and not self.listening:
            heir.ring()
