"""Progress of a long call, on stderr: a bar on a terminal, a line now and then anywhere else."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from askfirst.core.hygiene import plain, shorten

__all__ = ["Progress"]

_WIDTH: Final = 24
_LONGEST_MESSAGE: Final = 40
_LONGEST_WITH_ADDRESS: Final = 1000
_PAUSE: Final = 5.0
"""Seconds between two lines where there is no terminal: a log wants to know that it goes on, not every step."""


class Progress:
    """Shows how far a call is. It never writes to stdout, and never while a question is on the screen."""

    def __init__(self, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic) -> None:
        """Progress on `stream` (stderr by default); `now` gives seconds that only grow."""
        self._stream = sys.stderr if stream is None else stream
        self._bar = self._stream.isatty()
        self._now = now
        self._last = -math.inf
        self._questions = 0
        self._drawn = 0
        self._told = ""

    async def show(self, progress: float, total: float | None, message: str | None) -> None:
        """One notice of the server's; what it says is hostile, and its numbers may be nonsense."""
        if self._questions:
            return
        if message and "://" in message:
            self.tell(message)
            return
        line = _line(progress, total, message, bar=self._bar)
        if self._bar:
            self._stream.write("\r" + line.ljust(self._drawn))
            self._drawn = len(line)
        elif self._now() - self._last >= _PAUSE:
            self._last = self._now()
            self._stream.write(line + "\n")
        self._stream.flush()

    def tell(self, message: str) -> None:
        """Write a message whole, for a cut address is of no use; once, however often it comes."""
        if message != self._told:
            self._told = message
            self.clear()
            words = shorten(plain(message, keep_newlines=False), _LONGEST_WITH_ADDRESS)[0]
            self._stream.write(f"the server says: {words}\n")
            self._stream.flush()

    def clear(self) -> None:
        """Take the bar off the screen."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Inside this block a question has the screen; blocks may overlap."""
        self.clear()
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1


def _line(progress: float, total: float | None, message: str | None, *, bar: bool) -> str:
    words = shorten(plain(message, keep_newlines=False), _LONGEST_MESSAGE)[0] if message else ""
    if total is None or not math.isfinite(progress) or not (math.isfinite(total) and total > 0):
        return f"working: {progress:g} {words}".rstrip()
    share = min(max(progress / total, 0.0), 1.0)
    if not bar:
        return f"{share:4.0%} {words}".rstrip()
    full = round(share * _WIDTH)
    return f"[{'#' * full}{'.' * (_WIDTH - full)}] {share:4.0%} {words}".rstrip()
