"""A terminal as the toolkit's keyboard and screen, and keys that were meant for something else."""

import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

__all__ = ["forget", "keyboard_and_screen", "without_one"]


@contextmanager
def keyboard_and_screen(device: str, environ: Mapping[str, str]) -> Iterator[tuple[Input, Output]]:
    """Both ends of that device, until the block is left.

    Raises:
        OSError: It can't be opened.
    """
    color = ColorDepth.DEPTH_1_BIT if environ.get("NO_COLOR") else None
    with open(device) as keyboard, open(device, "w") as screen:
        yield (
            Vt100Input(keyboard),
            Vt100_Output.from_pty(screen, term=environ.get("TERM"), default_color_depth=color),
        )


def forget(keyboard: Input) -> None:
    """Throw away what was typed before: for another question, or for none.

    The toolkit keeps what was typed into the form before and not used there, and would take it for this one.
    """
    clear_typeahead(keyboard)
    termios.tcflush(keyboard.fileno(), termios.TCIFLUSH)


def without_one(keys: list[KeyPress]) -> list[KeyPress]:
    """What is left when an escape took its own: one character (Alt), or a sequence to its final byte (ECMA-48, 5.4)."""
    if keys[0].data not in ("[", "O"):
        return keys[1:]
    ends = (at for at, key in enumerate(keys) if at > 0 and "@" <= key.data[-1:] <= "~")
    return keys[next(ends, len(keys)) + 1 :]
