"""A scripted person at a real terminal (a pty): waits for words on the screen, and types."""

import fcntl
import os
import pty
import re
import struct
import termios
from types import TracebackType

import anyio

from screen import Screen

__all__ = ["Person"]

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]|\x1b\][^\x07]*\x07|\r")


class Person:
    """One end of a pty; `device` is the terminal to give to the answerer."""

    def __init__(self, rows: int = 24, columns: int = 80) -> None:
        self._master, self._slave = pty.openpty()
        self._ends: tuple[int, ...] = (self._master, self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)
        self.resize(rows, columns)
        self._raw = ""
        self._read_to = 0

    def __enter__(self) -> "Person":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hangs_up()

    def hangs_up(self) -> None:
        """The terminal is gone."""
        for end in self._ends:
            os.close(end)
        self._ends = ()

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen = Screen(rows, columns)

    def clears(self) -> None:
        """Forget what stands on the screen."""
        self.look()
        self._screen = Screen(self._screen.rows, self._screen.columns)

    @property
    def screen(self) -> str:
        """All that was ever written to the terminal, without its control sequences."""
        return _CONTROL.sub("", self._raw)

    @property
    def display(self) -> str:
        """What stands on the screen now."""
        return self._screen.text

    @property
    def raw(self) -> str:
        """All that was ever written to the terminal, as it came."""
        return self._raw

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, by itself."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    @property
    def is_cooked(self) -> bool:
        """Whether the terminal is in its ordinary mode."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ICANON)

    async def sees(self, words: str) -> None:
        """Wait until these words appear behind those that were seen last."""
        with anyio.fail_after(60):
            while (at := self.screen.find(words, self._read_to)) < 0:
                await anyio.wait_readable(self._master)
                self.look()
        self._read_to = at + len(words)

    async def shows(self, words: str) -> None:
        """Wait until these words stand on the screen."""
        with anyio.fail_after(60):
            while words not in self.display:
                await anyio.wait_readable(self._master)
                self.look()

    def look(self) -> None:
        """Take what is on the terminal by now."""
        try:
            came = os.read(self._master, 65536).decode(errors="replace")
        except BlockingIOError:
            return
        self._raw += came
        self._screen.feed(came)

    def types(self, text: str) -> None:
        os.write(self._master, text.encode())
