"""The terminal as lines: typed ones in, written ones out, without ever touching stdin or stdout.

Both may carry the protocol of a stdio server. So the terminal is opened by its device name, or there is none.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final

import anyio

from .conversation import Typed

if sys.platform != "win32":
    import termios

__all__ = ["DEVICE", "LONGEST", "LineTerminal", "is_at_hand"]

DEVICE: Final = "/dev/tty"
"""The terminal of the process, whatever its stdin and stdout are."""

_TOGETHER: Final = 0.03
"""Seconds within which a second line can only have been pasted. Nobody types that fast."""

LONGEST: Final = 4095
"""Bytes a terminal's own line editing holds; what is typed beyond them is lost without a word."""


def is_at_hand(device: str) -> bool:
    """Whether somebody can be asked on that device now: it is a terminal, and we are not in its background.

    A process in the background would be stopped as soon as it reads. Windows has no terminal with a device name.
    """
    if sys.platform == "win32":
        return False
    try:
        fd = os.open(device, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.isatty(fd) and _in_foreground(fd)
    finally:
        os.close(fd)


def _in_foreground(fd: int) -> bool:
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:  # not the terminal that controls us: it has no background that we could be in
        return True


class LineTerminal:
    """A terminal in its ordinary mode: the person edits a line with the terminal's own means and sends it.

    Every wait can be cancelled at once; there is no thread. What was typed before a question was shown is thrown
    away by `forget`: it can't be meant for it.
    """

    def __init__(self, device: str) -> None:
        """Open the device.

        Raises:
            OSError: It can't be opened.
        """
        # Two descriptors of our own: the flag that reads don't block must not reach anybody else's.
        self._in = os.open(device, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            self._out = os.open(device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            os.close(self._in)
            raise
        self._half = b""

    def __enter__(self) -> "LineTerminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._in)
        os.close(self._out)

    def forget(self) -> None:
        """Throw away what was typed and not read yet, finished lines and unfinished ones."""
        self._half = b""
        termios.tcflush(self._in, termios.TCIFLUSH)

    async def write(self, text: str) -> None:
        """Write all of the text, waiting while the terminal is stopped."""
        left = memoryview(text.encode(errors="replace"))
        while left:
            try:
                left = left[os.write(self._out, left) :]
            except BlockingIOError:
                await anyio.wait_writable(self._out)

    def note(self, text: str) -> None:
        """Write a last short text without waiting; a terminal that takes nothing now does not get it."""
        try:
            os.write(self._out, text.encode(errors="replace"))
        except OSError:
            return

    @contextmanager
    def hiding(self, hidden: bool) -> Iterator[None]:
        """While inside, what is typed is not shown, if `hidden`."""
        if not hidden:
            yield
            return
        before = termios.tcgetattr(self._in)
        silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
        termios.tcsetattr(self._in, termios.TCSADRAIN, silent)
        try:
            yield
        finally:
            termios.tcsetattr(self._in, termios.TCSADRAIN, before)
            self.note("\n")  # the Enter that was not shown

    async def read(self) -> Typed:
        """The next line, or the lines that came together; None at the end of the input, or of the terminal."""
        lines: list[str] = []
        while not lines:
            data = await self._take()
            if not data:
                return None
            lines += self._split(data)
        while True:
            data = b""
            with anyio.move_on_after(_TOGETHER):
                data = await self._take()
            if not data:
                return tuple(lines)
            lines += self._split(data)

    async def _take(self) -> bytes:
        """What there is, as soon as there is something; nothing at the end."""
        while True:
            await anyio.wait_readable(self._in)
            try:
                return os.read(self._in, 65536)
            except BlockingIOError:  # another process took it
                continue
            except OSError:  # the terminal was hung up
                return b""

    def _split(self, data: bytes) -> Iterator[str]:
        *whole, self._half = (self._half + data).split(b"\n")
        return (line.decode(errors="replace") for line in whole)
