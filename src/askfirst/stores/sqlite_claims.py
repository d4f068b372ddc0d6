"""Names that one owner of all processes has to itself: locks of the operating system on a file beside the rows.

1. The system lets go of a name when its process ends, however it ends. So no clock is asked and nothing is renewed: a
   clock that is set, or a machine that slept, gives no name to two.
2. Locks belong to processes. Within one, a table says whose a name is; a forked child has neither the locks of its
   parent nor its part of the table.
3. A process loses all its locks on a file when it closes any of its descriptors of it. So it has one for each file, and
   closes that when no name is held there any more.
"""

import hashlib
import os
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .sqlite_file import close_to_others, identity, must_be_file

__all__ = ["Claims"]

if sys.platform == "win32":
    import msvcrt

    _PLACES: Final = 2**30

    def _lock(file: int, place: int) -> bool:
        os.lseek(file, place, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: int, place: int) -> None:
        os.lseek(file, place, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    _PLACES: Final = 2**62

    def _lock(file: int, place: int) -> bool:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):  # the two that POSIX allows for "somebody else has it"
            return False
        return True

    def _unlock(file: int, place: int) -> None:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
"""A link could lead to the rows, whose own locks closing it would drop: see 3."""


@dataclass(slots=True)
class _File:
    """One file of locks, and whose each place is that this process has locked."""

    identity: tuple[int, int, int]
    number: int
    owners: dict[int, tuple[str, str]] = field(default_factory=dict)


_FILES: Final[dict[tuple[int, int, int], _File]] = {}
"""Files by the process that has them (see 2) and by what they are, not by path (see 3)."""

_GUARD: Final = threading.Lock()


class Claims:
    """The names that one store has given out, in the file at a path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._given: dict[tuple[str, str], _File] = {}

    def claim(self, name: str, owner: str) -> bool:
        """See `Store.claim`. It waits for nobody.

        Raises:
            OSError: The file can't be made or locked.
        """
        place, both = _place(name), (name, owner)
        with _GUARD:
            file = _opened(self._path)
            try:
                if place not in file.owners and _lock(file.number, place):
                    file.owners[place] = both
                if file.owners.get(place) != both:
                    return False
                self._given[both] = file
                return True
            finally:
                _close_if_free(file)

    def release(self, name: str, owner: str) -> None:
        """See `Store.release`."""
        with _GUARD:
            file = self._given.pop((name, owner), None)
            if file is not None and file.owners.pop(place := _place(name), None) is not None:
                _unlock(file.number, place)
                _close_if_free(file)

    def close(self) -> None:
        """Let go of all names that were given here."""
        for name, owner in tuple(self._given):
            self.release(name, owner)


def _opened(path: Path) -> _File:
    there = identity(path)
    known = None if there is None else (os.getpid(), *there)
    if known is None or known not in _FILES:
        if known is not None:
            must_be_file(path)
        number = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
        try:
            close_to_others(path)  # who can open it can have every name, and keep it
        except OSError:
            os.close(number)
            raise
        found = os.fstat(number)
        known = os.getpid(), found.st_dev, found.st_ino
        _FILES[known] = _File(known, number)
    return _FILES[known]


def _close_if_free(file: _File) -> None:
    if not file.owners:
        del _FILES[file.identity]
        os.close(file.number)


def _place(name: str) -> int:
    """Where in the file a name's lock is. That two share one is as good as impossible, and then both are one name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % _PLACES
