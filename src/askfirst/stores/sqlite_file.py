"""The SQLite file and the key beside it: for their owner alone, whole or not at all, and of no newer version."""

import errno
import os
import secrets
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from askfirst.core.errors import StoreFault
from askfirst.core.ledger import START

__all__ = [
    "advice",
    "close_to_others",
    "default_path",
    "identity",
    "must_be_file",
    "open_file",
    "read_key",
    "transaction",
]

_SCHEMA_VERSION: Final = 1
_APPLICATION: Final = 0x41534B31
"""Marks the file as one of ours (`PRAGMA application_id`)."""

_BUSY: Final = 10.0
"""Seconds to wait for another process's transaction; each takes a few milliseconds."""

_MAKING: Final = threading.Lock()
"""Held while a file may be made: nobody else in this process opens it before its maker has closed it."""

_ADDED: Final = (
    "CREATE INDEX IF NOT EXISTS closed_at ON postings (closed) WHERE status <> 'open'",
    """CREATE TABLE IF NOT EXISTS steps (
        call TEXT, key TEXT, result TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (call, key)
    )""",
)
"""What stores of old have from their next use on; those who don't know it need not."""

_SCHEMA: Final = (
    """CREATE TABLE postings (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL UNIQUE, code TEXT NOT NULL, server TEXT NOT NULL, call TEXT NOT NULL,
        posted REAL NOT NULL, expires REAL NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL,
        closed REAL, action TEXT, content TEXT, taken INTEGER NOT NULL,
        number INTEGER NOT NULL -- of the latest change
    )""",
    "CREATE UNIQUE INDEX open_code ON postings (code) WHERE status = 'open'",
    "CREATE INDEX open_place ON postings (place) WHERE status = 'open'",
    "CREATE INDEX open_server ON postings (server, expires) WHERE status = 'open'",
    "CREATE INDEX open_expires ON postings (expires) WHERE status = 'open'",
    "CREATE INDEX closed_number ON postings (number) WHERE status <> 'open'",
    "CREATE INDEX changed_number ON postings (number)",
    "CREATE INDEX untaken_call ON postings (call) WHERE taken = 0",
    *_ADDED,
    "CREATE TABLE ledger (number INTEGER PRIMARY KEY, line TEXT NOT NULL)",
    "CREATE TABLE head (number INTEGER NOT NULL, hash TEXT NOT NULL)",
    "CREATE TABLE muted (server TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE remembered (
        server TEXT, user TEXT, key TEXT, content TEXT NOT NULL, PRIMARY KEY (server, user, key)
    ) WITHOUT ROWID""",
)


def default_path() -> Path:
    """`desk.sqlite3` in the user's data directory, as the platform has it."""
    from platformdirs import user_data_path  # only who keeps a desk needs it

    return user_data_path("askfirst", appauthor=False) / "desk.sqlite3"


def open_file(path: Path) -> sqlite3.Connection:
    """A connection to the store in that file, which is made if need be. One thread at a time may use it.

    Raises:
        StoreFault: It belongs to a newer askfirst, or to another program.
        sqlite3.Error, OSError: It can't be opened.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _MAKING:
        _make(path)
        db = sqlite3.connect(path, timeout=_BUSY, isolation_level=None, check_same_thread=False)
    try:
        if not _is_ours(path, db):
            with transaction(db):
                if not _is_ours(path, db):  # another process may have been faster
                    _create(path, db)
        close_to_others(path)
        for statement in _ADDED:
            db.execute(statement)
        _use_wal(db)
        # FULL: an answer that was acknowledged is not lost with the power either. What is erased is overwritten.
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA secure_delete = ON")
    except BaseException:
        db.close()
        raise
    return db


def _make(path: Path) -> None:
    """Have a file there that can be opened.

    One that is there is not opened here: a process that closes any of its descriptors of a file loses all its locks on
    it, those of SQLite too, and then other processes take it for gone and remove what it writes to.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    must_be_file(path)
    if not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def must_be_file(path: Path) -> None:
    """Refuse what is there and no regular file, such as a folder, a pipe or a device.

    Raises:
        StoreFault: It is none.
        OSError: There is nothing.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise StoreFault(
            f"{path} is no file: there can be no store here; choose a file where one can be written"
        )


def close_to_others(path: Path) -> None:
    """Let nobody but its owner open a file of ours.

    Raises:
        PermissionError: Others can, and it is theirs.
    """
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has that path now; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _is_ours(path: Path, db: sqlite3.Connection) -> bool:
    """Whether the file is a store of this version."""
    ((application,), (version,)) = (*db.execute("PRAGMA application_id"), *db.execute("PRAGMA user_version"))
    if (application, version) == (_APPLICATION, _SCHEMA_VERSION):
        return True
    if application == _APPLICATION:
        raise StoreFault(
            f"{path} was written by a newer askfirst (its schema is {version}, this one knows "
            f"{_SCHEMA_VERSION}): upgrade askfirst, or choose another file"
        )
    return False


def _use_wal(db: sqlite3.Connection) -> None:
    # When several processes switch a new file at once, SQLite tells some of them so without waiting.
    until = time.monotonic() + _BUSY
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _create(path: Path, db: sqlite3.Connection) -> None:
    if db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise StoreFault(f"{path} is a database of another program: choose another file")
    close_to_others(path)  # before there is anything in it
    for statement in _SCHEMA:
        db.execute(statement)
    db.execute("INSERT INTO head VALUES (?, ?)", (START.number, START.hash))
    db.execute(f"PRAGMA application_id = {_APPLICATION}")
    db.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A block whose changes are all made, or none."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def advice(error: sqlite3.Error | OSError | UnicodeDecodeError) -> str:
    """What to do about a fault. The texts of SQLite name tables and files, never values.

    Of a damaged file they may quote what is no text at all; Python then says so, in their place.
    """
    match error:
        case sqlite3.OperationalError() if "locked" in str(error):
            return f"another process has kept the store busy for {_BUSY:g} seconds; try again, or find and stop it"
        case sqlite3.DatabaseError() if "not a database" in str(error):
            return "this file is no store; choose another file"
        case sqlite3.OperationalError() if "readonly" in str(error):
            return "nothing can be written here; the store and its folder must belong to whoever uses it"
        case PermissionError():
            return "the store may not be opened; it must belong to whoever uses it"
        case OSError(errno=errno.EROFS | errno.ENOTDIR | errno.EISDIR | errno.EEXIST):
            return "there can be no store here; choose a file where one can be written"
        case OSError(errno=errno.ENOLCK):
            return "its file system has no locks, as many network drives; choose a file on a disk of this machine"
        case _:
            return "the store can't be used; see whether the disk is full or the file damaged"


def read_key(path: Path) -> bytes:
    """The key in that file, which is made if need be; only one process at a time may do this.

    Raises:
        StoreFault: The file holds something else, or somebody else owns it.
        OSError: It can't be read or written.
    """
    if not path.exists():
        new = path.with_name(f"{path.name}.new")
        new.unlink(missing_ok=True)
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, secrets.token_bytes(32))
            os.fsync(file)
        finally:
            os.close(file)
        new.replace(path)  # whole or not at all, wherever the process is killed
    found = path.stat()
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise StoreFault(f"{path} belongs to somebody else, who could read what is sealed with it: remove it")
    if not stat.S_ISREG(found.st_mode) or found.st_size != 32:
        got = found.st_size if stat.S_ISREG(found.st_mode) else "no file"
        raise StoreFault(f"{path} is no key: expected 32 bytes, got {got}; remove it, and ask secrets again")
    close_to_others(path)
    return path.read_bytes()
