"""What a started server writes to its stderr: kept, and told when something fails or when asked for."""

import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from askfirst.core.hygiene import plain, shorten

__all__ = ["ServerLog"]

_KEPT_LINES: Final = 20
_LONGEST_LINE: Final = 500
_MOST_HELD: Final = 1000
_LAST_WORDS: Final = 0.5
"""Seconds to wait for the rest: a grandchild may hold the pipe open for ever."""


class ServerLog:
    """The last lines of a server's stderr; when `verbose`, all of them go to ours as they come.

    Its text is hostile and made plain. While a question is open nothing is written, so that the screen stays
    the question's.
    """

    def __init__(self, *, verbose: bool, stream: TextIO | None = None) -> None:
        """A log; `stream` is where lines go, stderr by default."""
        self.verbose = verbose
        self._stream = sys.stderr if stream is None else stream
        self._tail: deque[str] = deque(maxlen=_KEPT_LINES)
        self._held: deque[str] = deque(maxlen=_MOST_HELD)
        self._questions = 0
        self._lock = threading.Lock()

    @property
    def tail(self) -> tuple[str, ...]:
        """The last lines, made plain, without empty ones."""
        with self._lock:
            return tuple(self._tail)

    @property
    def has_traceback(self) -> bool:
        """Whether a Python traceback begins in the last lines."""
        return any(line.startswith("Traceback (") for line in self.tail)

    def last_words(self) -> Iterator[str]:
        """The last lines under a heading, for a person; none where they have been shown as they came."""
        if self.tail and not self.verbose:
            yield "the last lines that it wrote to its stderr:"
            yield from (f"  | {line}" for line in self.tail)

    @contextmanager
    def pipe(self) -> Iterator[TextIO]:
        """A file for the server's stderr. At the end of the block the log has what was written to it."""
        read_end, write_end = os.pipe()
        reader = threading.Thread(target=self._read, args=(read_end,), name="server stderr", daemon=True)
        reader.start()
        try:
            with os.fdopen(write_end, "w") as errlog:
                yield errlog
        finally:
            reader.join(_LAST_WORDS)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Inside this block a question has the screen; blocks may overlap."""
        with self._lock:
            self._questions += 1
        try:
            yield
        finally:
            with self._lock:
                self._questions -= 1
                self._write()

    def _read(self, read_end: int) -> None:
        with os.fdopen(read_end, encoding="utf-8", errors="replace") as lines:
            # Bounded: a server may write megabytes without ever ending a line.
            while line := lines.readline(_LONGEST_LINE):
                words = shorten(plain(line.rstrip(), keep_newlines=False), _LONGEST_LINE)[0]
                with self._lock:
                    if words:
                        self._tail.append(words)
                    if self.verbose:
                        self._held.append(words)
                        self._write()

    def _write(self) -> None:
        while self._held and not self._questions:
            self._stream.write(self._held.popleft() + "\n")
            self._stream.flush()
