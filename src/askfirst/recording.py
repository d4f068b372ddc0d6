"""The ledger of a desk: its lines in the store, and the line for each thing that happens to a question."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from askfirst.core.ledger import START, Asked, Broken, Entry, Head, fingerprint, follow, unmet
from askfirst.core.postings import Posting
from askfirst.core.rows import Row, posting_of
from askfirst.ports import Store

__all__ = ["Ledger", "entry_of", "over"]

_PAGE: Final = 500


class Ledger:
    """The record of what was asked and what came of it, by whichever route; see `core.ledger`.

    Args:
        store: Where it is kept.
        clock: Seconds since 1970.
    """

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def note(self, question: Asked, event: str, outcome: str = "") -> None:
        """Add a line for a question that never lies on the desk.

        Args:
            question: The question. event, outcome: One word each, see `core.ledger.Entry`.

        Raises:
            StoreFault: It could not be kept.
        """
        by = question.user if event == "answered" else None
        await self._store.append(_entry(question, self._clock(), event, outcome, by or ""))

    async def lines(self) -> AsyncIterator[str]:
        """All lines as JSON texts, oldest first."""
        number = 0
        while lines := await self._store.ledger(number, _PAGE):
            for line in lines:
                yield line
            number += len(lines)

    async def verify(self, noted: str | None = None) -> Head | Broken:
        """Follow all lines that there are at this moment: their head, or the first place where they are broken.

        Args:
            noted: The hash of a head that it had before, if any; see `core.ledger.verify`.
        """
        head, reached, met = await self._store.head(), START, noted in (None, START.hash)
        async for line in self.lines():
            if reached.number == head.number:
                break
            after = follow(reached, line)
            if isinstance(after, Broken):
                return after
            reached, met = after, met or after.hash == noted
        if reached != head:
            return Broken(reached.number + 1, "the end is not what was noted: lines are missing")
        return reached if met else unmet(reached)


def entry_of(posting: Posting, at: float, event: str, *, outcome: str = "", by: str = "") -> Entry:
    """The line that says what happened to a question."""
    asked = Asked(posting.origin, posting.arguments, posting.asked_of, "desk", posting.token, posting.digest)
    return replace(_entry(asked, at, event, outcome, by), code=posting.code)


def _entry(question: Asked, at: float, event: str, outcome: str, by: str) -> Entry:
    return Entry(
        at=at,
        event=event,
        server=question.origin.server,
        tool=question.origin.tool or "",
        question=fingerprint(question.token),
        arguments=fingerprint(question.arguments) if question.arguments else "",
        route=question.route,
        shown=question.shown,
        outcome=outcome,
        by=by,
        own_name=question.origin.own_name,
    )


def over(row: Row, at: float, event: str) -> Entry:
    """The line for a question that ends unanswered, be its row damaged: then what its other columns tell."""
    with suppress(ValueError):
        return entry_of(posting_of(row, at), at, event, outcome=event)
    return Entry(
        at=at,
        event=event,
        server=row.server,
        question=fingerprint(row.token),
        code=row.code,
        route="desk",
        outcome=event,
        own_name=True,
    )
