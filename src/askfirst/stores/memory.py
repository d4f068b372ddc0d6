"""Rows in this process's memory: the reference for every other store, and enough where nothing must outlive it."""

import secrets
from dataclasses import replace
from itertools import count

import anyio

from askfirst.core.ledger import START, Entry, Head, link
from askfirst.core.postings import Scope
from askfirst.core.rows import Closing, News, Refusal, Row

__all__ = ["MemoryStore"]


class MemoryStore:
    """A `Store` without a file. No method lets go of the event loop while it changes anything."""

    def __init__(self) -> None:
        self._open: dict[str, Row] = {}
        self._closed: dict[str, Row] = {}
        self._places: dict[str, int] = {}
        self._next_place = count()
        self._changed_at: dict[str, int] = {}
        self._muted: set[str] = set()
        self._remembered: dict[tuple[Scope, str], str] = {}
        self._steps: dict[tuple[str, str], tuple[str, float]] = {}
        self._claims: dict[str, str] = {}
        self._lines: list[str] = []
        self._head = START
        self._key = secrets.token_bytes(32)
        self._changed = anyio.Event()

    async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
        """See `Store.add`."""
        if row.server in self._muted:
            return "muted"
        if (await self.counts(row.posted)).get(row.server, 0) >= most_open:
            return "flooded"
        if row.token in self._places or any(row.code == other.code for other in self._open.values()):
            return "taken"
        self._open[row.token] = row
        self._places[row.token] = next(self._next_place)
        self._note(entry, row.token)
        return None

    async def close_row(self, token: str, closing: Closing, entry: Entry) -> bool:
        """See `Store.close_row`."""
        row = self._open.pop(token, None)
        if row is None:
            return False
        self._closed[token] = replace(
            row, status=closing.status, closed=closing.at, action=closing.action, content=closing.content
        )
        self._note(entry, token)
        return True

    def _note(self, entry: Entry, token: str | None = None) -> None:
        line, self._head = link(self._head, entry)
        self._lines.append(line)
        if token is not None:
            self._changed_at.pop(token, None)  # so that the latest change stands last
            self._changed_at[token] = self._head.number
        self._changed.set()
        self._changed = anyio.Event()

    async def take(self, token: str) -> None:
        """See `Store.take`."""
        if token in self._closed:
            self._closed[token] = replace(self._closed[token], content=None, taken=True)

    async def prune(self, before: float, limit: int) -> int:
        """See `Store.prune`."""
        old = [token for token, row in self._closed.items() if (row.closed or 0.0) < before][:limit]
        for token in old:
            del self._closed[token], self._places[token], self._changed_at[token]
        mine = {row.call for row in (*self._open.values(), *self._closed.values()) if not row.taken}
        over = [key for key, (_, at) in self._steps.items() if at < before and key[0] not in mine][:limit]
        for key in over:
            del self._steps[key]
        return len(old) + len(over)

    async def row(self, token: str) -> Row | None:
        """See `Store.row`."""
        return self._open.get(token) or self._closed.get(token)

    async def open_rows(
        self, now: float, server: str | None, after: str | None, limit: int
    ) -> tuple[Row, ...]:
        """See `Store.open_rows`."""
        place = -1 if after is None else self._places.get(after, -1)
        rows = [
            row
            for row in self._open.values()
            if row.expires > now and server in (None, row.server) and self._places[row.token] > place
        ]
        return tuple(rows[:limit])

    async def overdue_rows(self, now: float, limit: int) -> tuple[Row, ...]:
        """See `Store.overdue_rows`."""
        return tuple([row for row in self._open.values() if row.expires <= now][:limit])

    async def closed_rows(self, limit: int) -> tuple[Row, ...]:
        """See `Store.closed_rows`."""
        return tuple(row for row, _ in zip(reversed(self._closed.values()), range(limit), strict=False))

    async def rows_of_call(self, call: str) -> tuple[Row, ...]:
        """See `Store.rows_of_call`."""
        rows = [
            row
            for row in (*self._open.values(), *self._closed.values())
            if row.call == call and not row.taken
        ]
        return tuple(sorted(rows, key=lambda row: self._places[row.token]))

    async def counts(self, now: float) -> dict[str, int]:
        """See `Store.counts`."""
        counts: dict[str, int] = {}
        for row in self._open.values():
            if row.expires > now:
                counts[row.server] = counts.get(row.server, 0) + 1
        return counts

    async def head(self) -> Head:
        """See `Store.head`."""
        return self._head

    async def news(self, since: int) -> News:
        """See `Store.news`."""
        while self._head.number <= since:
            await self._changed.wait()
        tokens = set()
        for token, number in reversed(self._changed_at.items()):
            if number <= since:
                break
            tokens.add(token)
        return News(self._head.number, frozenset(tokens))

    async def append(self, entry: Entry) -> None:
        """See `Store.append`."""
        self._note(entry)

    async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
        """See `Store.ledger`."""
        return tuple(self._lines[after : after + limit])

    async def mute(self, server: str, entry: Entry) -> None:
        """See `Store.mute`."""
        self._muted.add(server)
        self._note(entry)

    async def unmute(self, server: str, entry: Entry) -> None:
        """See `Store.unmute`."""
        self._muted.discard(server)
        self._note(entry)

    async def muted(self) -> frozenset[str]:
        """See `Store.muted`."""
        return frozenset(self._muted)

    async def remember(self, scope: Scope, key: str, content: str) -> None:
        """See `Store.remember`."""
        self._remembered[scope, key] = content

    async def recall(self, scope: Scope, key: str) -> str | None:
        """See `Store.recall`."""
        return self._remembered.get((scope, key))

    async def remembered(self) -> tuple[tuple[Scope, str], ...]:
        """See `Store.remembered`."""
        return tuple(sorted(self._remembered))

    async def forget(self, scope: Scope, key: str) -> bool:
        """See `Store.forget`."""
        return self._remembered.pop((scope, key), None) is not None

    async def keep_step(self, call: str, key: str, result: str, at: float) -> None:
        """See `Store.keep_step`."""
        self._steps[call, key] = result, at

    async def step(self, call: str, key: str) -> str | None:
        """See `Store.step`."""
        kept = self._steps.get((call, key))
        return None if kept is None else kept[0]

    async def forget_steps(self, call: str) -> None:
        """See `Store.forget_steps`."""
        self._steps = {key: kept for key, kept in self._steps.items() if key[0] != call}

    async def claim(self, name: str, owner: str) -> bool:
        """See `Store.claim`."""
        return self._claims.setdefault(name, owner) == owner

    async def release(self, name: str, owner: str) -> None:
        """See `Store.release`."""
        if self._claims.get(name) == owner:
            del self._claims[name]

    async def key(self) -> bytes:
        """See `Store.key`."""
        return self._key

    async def close(self) -> None:
        """See `Store.close`."""
