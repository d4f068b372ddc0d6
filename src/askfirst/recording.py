"""The ledger of a store, line after line: what `core.ledger` links and follows."""

from collections.abc import AsyncIterator
from typing import Final

from askfirst.core.ledger import START, Broken, Entry, Head, follow
from askfirst.ports import Store

__all__ = ["Ledger"]

_PAGE: Final = 500
"""Lines that are read at once."""


class Ledger:
    """The record of what was asked and what came of it, by whichever route; see `core.ledger`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def append(self, entry: Entry) -> None:
        """Add a line. It must hold no value that anybody gave."""
        await self._store.append(entry)

    async def lines(self) -> AsyncIterator[str]:
        """All lines as JSON texts, oldest first."""
        number = 0
        while lines := await self._store.ledger(number, _PAGE):
            for line in lines:
                yield line
            number += len(lines)

    async def verify(self) -> Head | Broken:
        """Follow all lines that there are at this moment: their head, or the first place where they are broken."""
        noted, reached = await self._store.head(), START
        async for line in self.lines():
            if reached.number == noted.number:
                break
            after = follow(reached, line)
            if isinstance(after, Broken):
                return after
            reached = after
        if reached != noted:
            return Broken(reached.number + 1, "the end is not what was noted: lines are missing")
        return reached
