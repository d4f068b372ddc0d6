"""Rows in one SQLite file, which several processes may have open: the default where questions must outlive a process.

1. Every change is one `BEGIN IMMEDIATE` transaction, ledger line included: a process that is killed leaves all of it or
   nothing, and what was acknowledged is on the disk.
2. SQLite blocks, so it runs in worker threads, one at a time; a call that was cancelled still finishes there.
3. Only the owner can read the file and the key beside it. SQLite gives its own files (-wal, -shm) the same mode.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import anyio
import anyio.to_thread

from askfirst.core.errors import StoreFault
from askfirst.core.ledger import Entry, Head, link
from askfirst.core.postings import Scope, Status
from askfirst.core.rows import Closing, News, Refusal, Row

from .sqlite_claims import Claims
from .sqlite_file import advice, default_path, identity, open_file, read_key, transaction

__all__ = ["SqliteStore", "default_path"]

T = TypeVar("T")

_STATUSES: Final = {status.value: status for status in Status}

_POLL: Final = 0.03
"""Seconds between two looks at what other processes did, while somebody waits for it."""

_COLUMNS: Final = "token, code, server, call, posted, expires, body, status, closed, action, content, taken"


class SqliteStore:
    """A `Store` in a file. It is opened, and made if need be, at the first use."""

    def __init__(self, path: Path | None = None) -> None:
        """A store in that file; in `default_path()` where None.

        A link stands for the file that it leads to, and a path is told from the folder of now.
        """
        # What lies beside the file has to be the same for all who use it, whichever way they come.
        self.path: Final = Path(os.path.realpath(path or default_path()))
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._secret: bytes | None = None
        self._changed = anyio.Event()
        # The limiter spares threads, the lock keeps them apart: a cancelled task leaves the limiter before its thread.
        self._limiter = anyio.CapacityLimiter(1)
        self._lock = threading.Lock()
        self._claims = Claims(self.path.with_name(f"{self.path.name}.lock"))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await anyio.to_thread.run_sync(self._in_thread, work, limiter=self._limiter)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def whole(db: sqlite3.Connection) -> T:
            with transaction(db):
                return work(db)

        done = await self._read(whole)
        self._changed.set()
        self._changed = anyio.Event()
        return done

    def _in_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock, self._advising():
            return work(self._connected())

    @contextmanager
    def _advising(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise StoreFault(f"{self.path}: {advice(error)} ({error})") from error
        except UnicodeEncodeError:
            raise StoreFault(f"{self.path}: a text with half a surrogate pair can't be kept") from None

    def _connected(self) -> sqlite3.Connection:
        """The connection to the file that has the path now: what was deleted or replaced is nobody's store any more."""
        if self._db is not None and self._file != identity(self.path):
            self._db.close()
            self._db = None
        if self._db is None:
            self._db = open_file(self.path)
            self._file = identity(self.path)
            self._secret = None
        return self._db

    async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
        """See `Store.add`."""

        def work(db: sqlite3.Connection) -> Refusal | None:
            refusal = _refusal(db, row, most_open)
            if refusal is None:
                number = _append(db, entry)
                values = [getattr(row, name) for name in _COLUMNS.split(", ")]
                marks = ", ".join("?" * (len(values) + 1))
                db.execute(f"INSERT INTO postings ({_COLUMNS}, number) VALUES ({marks})", (*values, number))
            return refusal

        return await self._write(work)

    async def close_row(self, token: str, closing: Closing, entry: Entry) -> bool:
        """See `Store.close_row`."""

        def work(db: sqlite3.Connection) -> bool:
            closed = db.execute(
                "UPDATE postings SET status = ?, closed = ?, action = ?, content = ? "
                "WHERE token = ? AND status = 'open'",
                (closing.status, closing.at, closing.action, closing.content, token),
            ).rowcount
            if closed:
                db.execute("UPDATE postings SET number = ? WHERE token = ?", (_append(db, entry), token))
            return bool(closed)

        return await self._write(work)

    async def take(self, token: str) -> None:
        """See `Store.take`."""
        await self._write(
            lambda db: db.execute(
                "UPDATE postings SET content = NULL, taken = 1 WHERE token = ? AND status <> 'open'", (token,)
            )
        )

    async def prune(self, before: float, limit: int) -> int:
        """See `Store.prune`."""
        old = "SELECT place FROM postings WHERE status <> 'open' AND closed < ? ORDER BY closed LIMIT ?"
        unused = "SELECT 1 FROM postings WHERE postings.call = steps.call AND taken = 0"
        over = f"SELECT rowid FROM steps WHERE at < ? AND NOT EXISTS ({unused}) LIMIT ?"

        def work(db: sqlite3.Connection) -> int:
            rows = db.execute(f"DELETE FROM postings WHERE place IN ({old})", (before, limit)).rowcount
            return rows + db.execute(f"DELETE FROM steps WHERE rowid IN ({over})", (before, limit)).rowcount

        return await self._write(work)

    async def row(self, token: str) -> Row | None:
        """See `Store.row`."""
        rows = await self._rows("WHERE token = ?", (token,))
        return rows[0] if rows else None

    async def open_rows(
        self, now: float, server: str | None, after: str | None, limit: int
    ) -> tuple[Row, ...]:
        """See `Store.open_rows`."""
        return await self._rows(
            "WHERE status = 'open' AND expires > ? AND (? IS NULL OR server = ?) "
            "AND place > coalesce((SELECT place FROM postings WHERE token = ?), 0) ORDER BY place LIMIT ?",
            (now, server, server, after, limit),
        )

    async def overdue_rows(self, now: float, limit: int) -> tuple[Row, ...]:
        """See `Store.overdue_rows`."""
        return await self._rows("WHERE status = 'open' AND expires <= ? LIMIT ?", (now, limit))

    async def closed_rows(self, limit: int) -> tuple[Row, ...]:
        """See `Store.closed_rows`."""
        return await self._rows("WHERE status <> 'open' ORDER BY number DESC LIMIT ?", (limit,))

    async def rows_of_call(self, call: str) -> tuple[Row, ...]:
        """See `Store.rows_of_call`."""
        return await self._rows("WHERE call = ? AND taken = 0 ORDER BY place", (call,))

    async def _rows(self, condition: str, values: Sequence[object]) -> tuple[Row, ...]:
        query = f"SELECT {_COLUMNS} FROM postings {condition}"
        found = await self._read(lambda db: db.execute(query, values).fetchall())
        return tuple(row for one in found if (row := _row(one)) is not None)

    async def counts(self, now: float) -> dict[str, int]:
        """See `Store.counts`."""
        query = "SELECT server, count(*) FROM postings WHERE status = 'open' AND expires > ? GROUP BY server"
        return dict(await self._read(lambda db: db.execute(query, (now,)).fetchall()))

    async def head(self) -> Head:
        """See `Store.head`."""
        return await self._read(_head)

    async def news(self, since: int) -> News:
        """See `Store.news`."""

        def look(db: sqlite3.Connection) -> News | None:
            number = _head(db).number
            if number < since:  # a ledger only grows: this is another one
                return News(number, None)
            if number == since:
                return None
            tokens = db.execute("SELECT token FROM postings WHERE number > ?", (since,))
            return News(number, frozenset(token for (token,) in tokens))

        while True:
            changed = self._changed
            if (news := await self._read(look)) is not None:
                return news
            with anyio.move_on_after(_POLL):
                await changed.wait()

    async def append(self, entry: Entry) -> None:
        """See `Store.append`."""
        await self._write(lambda db: _append(db, entry))

    async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
        """See `Store.ledger`."""
        query = "SELECT line FROM ledger WHERE number > ? ORDER BY number LIMIT ?"
        found = await self._read(lambda db: db.execute(query, (after, limit)).fetchall())
        return tuple(str(line) for (line,) in found)

    async def mute(self, server: str, entry: Entry) -> None:
        """See `Store.mute`."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR IGNORE INTO muted VALUES (?)", (server,))
            _append(db, entry)

        await self._write(work)

    async def unmute(self, server: str, entry: Entry) -> None:
        """See `Store.unmute`."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM muted WHERE server = ?", (server,))
            _append(db, entry)

        await self._write(work)

    async def muted(self) -> frozenset[str]:
        """See `Store.muted`."""
        found = await self._read(lambda db: db.execute("SELECT server FROM muted").fetchall())
        return frozenset(str(server) for (server,) in found)

    async def remember(self, scope: Scope, key: str, content: str) -> None:
        """See `Store.remember`."""
        values = (*scope, key, content)
        await self._write(
            lambda db: db.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?, ?, ?)", values)
        )

    async def recall(self, scope: Scope, key: str) -> str | None:
        """See `Store.recall`."""
        query = "SELECT content FROM remembered WHERE server = ? AND user = ? AND key = ?"
        found = await self._read(lambda db: db.execute(query, (*scope, key)).fetchone())
        return None if found is None else str(found[0])

    async def remembered(self) -> tuple[tuple[Scope, str], ...]:
        """See `Store.remembered`."""
        query = "SELECT server, user, key FROM remembered ORDER BY server, user, key"
        found = await self._read(lambda db: db.execute(query).fetchall())
        return tuple((Scope(str(server), str(user)), str(key)) for server, user, key in found)

    async def forget(self, scope: Scope, key: str) -> bool:
        """See `Store.forget`."""
        query = "DELETE FROM remembered WHERE server = ? AND user = ? AND key = ?"
        return await self._write(lambda db: db.execute(query, (*scope, key)).rowcount > 0)

    async def keep_step(self, call: str, key: str, result: str, at: float) -> None:
        """See `Store.keep_step`."""
        values = (call, key, result, at)
        await self._write(lambda db: db.execute("INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?)", values))

    async def step(self, call: str, key: str) -> str | None:
        """See `Store.step`."""
        query = "SELECT result FROM steps WHERE call = ? AND key = ?"
        found = await self._read(lambda db: db.execute(query, (call, key)).fetchone())
        return None if found is None else str(found[0])

    async def forget_steps(self, call: str) -> None:
        """See `Store.forget_steps`."""
        await self._write(lambda db: db.execute("DELETE FROM steps WHERE call = ?", (call,)))

    async def claim(self, name: str, owner: str) -> bool:
        """See `Store.claim`. The locks are in a file beside the rows, with `.lock` after their file's name."""
        with self._advising():
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Not in a thread: cancelled or not, it is known whose it is.
            return self._claims.claim(name, owner)

    async def release(self, name: str, owner: str) -> None:
        """See `Store.release`."""
        with self._advising():
            self._claims.release(name, owner)

    async def key(self) -> bytes:
        """See `Store.key`. It stands in a file beside the rows, with `.key` after their file's name."""
        if self._secret is None:
            path = self.path.with_name(f"{self.path.name}.key")
            # In a transaction, so that of several processes one makes it.
            self._secret = await self._write(lambda _: read_key(path))
        return self._secret

    async def close(self) -> None:
        """See `Store.close`."""

        def work() -> None:
            with self._lock:
                if self._db is not None:
                    self._db.close()
                    self._db = None

        self._claims.close()
        await anyio.to_thread.run_sync(work, limiter=self._limiter)


def _refusal(db: sqlite3.Connection, row: Row, most_open: int) -> Refusal | None:
    if db.execute("SELECT 1 FROM muted WHERE server = ?", (row.server,)).fetchone():
        return "muted"
    ((count,),) = db.execute(
        "SELECT count(*) FROM postings WHERE status = 'open' AND server = ? AND expires > ?",
        (row.server, row.posted),
    )
    if count >= most_open:
        return "flooded"
    known = "SELECT 1 FROM postings WHERE token = ? UNION SELECT 1 FROM postings WHERE status = 'open' AND code = ?"
    return "taken" if db.execute(known, (row.token, row.code)).fetchone() else None


def _append(db: sqlite3.Connection, entry: Entry) -> int:
    line, head = link(_head(db), entry)
    db.execute("INSERT INTO ledger VALUES (?, ?)", (head.number, line))
    db.execute("UPDATE head SET number = ?, hash = ?", (head.number, head.hash))
    return head.number


def _head(db: sqlite3.Connection) -> Head:
    match db.execute("SELECT number, hash FROM head").fetchone():
        case (int(number), str(last)):
            return Head(number, last)
        case _:
            raise sqlite3.DatabaseError("the end of the ledger is missing")


def _row(values: tuple[object, ...]) -> Row | None:
    """The row; None where somebody wrote something into the file that is none, for SQLite lets any value in."""
    match values:
        case (
            str(token),
            str(code),
            str(server),
            str(call),
            float(posted),
            float(expires),
            str(body),
            str(status),
            float() | None as closed,
            "accept" | "decline" | "cancel" | None as action,
            str() | None as content,
            int(taken),
        ) if status in _STATUSES:
            at = (posted, expires, body, _STATUSES[status], closed)
            return Row(token, code, server, call, *at, action, content, bool(taken))
        case _:
            return None
