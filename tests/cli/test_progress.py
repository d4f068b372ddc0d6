"""Progress on stderr."""

import math
from io import StringIO

import pytest

from askfirst.cli.progress import Progress

pytestmark = pytest.mark.anyio


class Screen(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


async def test_a_terminal_gets_a_bar_that_is_taken_away() -> None:
    screen = Screen()
    progress = Progress(screen)
    await progress.show(5, 10, "half way")
    assert screen.getvalue() == "\r[############............]  50% half way"
    await progress.show(6, 10, None)
    assert screen.getvalue().endswith("\r[##############..........]  60%         ")
    progress.clear()
    assert screen.getvalue().endswith("\r" + " " * 31 + "\r")
    before = screen.getvalue()
    progress.clear()
    assert screen.getvalue() == before


async def test_anything_else_gets_a_line_now_and_then() -> None:
    stream = StringIO()
    times = iter([0.0, 0.0, 1.0, 4.9, 5.0, 5.0])
    progress = Progress(stream, lambda: next(times))
    for step in range(4):
        await progress.show(step, 4, f"step {step}")
    assert stream.getvalue() == "  0% step 0\n 75% step 3\n"


async def test_an_address_is_told_whole_and_once() -> None:
    screen = Screen()
    progress = Progress(screen)
    await progress.show(1, 2, None)
    long = f"waiting for the user: http://127.0.0.1:1/{'x' * 60} (code K7QM)\x1b[2J"
    for step in range(3):
        await progress.show(step, None, long)
    told = f"the server says: {long.removesuffix(chr(27) + '[2J')}\n"
    assert screen.getvalue().endswith(f"\r{told}")
    assert screen.getvalue().count("the server says") == 1


async def test_nothing_is_drawn_over_a_question() -> None:
    screen = Screen()
    progress = Progress(screen)
    await progress.show(1, 2, None)
    with progress.standing_still():
        shown = screen.getvalue()
        assert shown.endswith("\r")
        with progress.standing_still():
            await progress.show(1, 2, None)
        await progress.show(1, 2, None)
        assert screen.getvalue() == shown
    await progress.show(2, 2, None)
    assert screen.getvalue().endswith("100%")


@pytest.mark.parametrize(
    ("at", "total", "line"),
    [
        (3, None, "working: 3 x"),
        (3, 0, "working: 3 x"),
        (3, -1, "working: 3 x"),
        (3, math.nan, "working: 3 x"),
        (math.inf, 10, "working: inf x"),
        (-3, 10, "  0% x"),
        (30, 10, "100% x"),
    ],
)
async def test_numbers_that_make_no_sense_make_no_trouble(at: float, total: float | None, line: str) -> None:
    stream = StringIO()
    await Progress(stream).show(at, total, "x")
    assert stream.getvalue() == line + "\n"


async def test_a_message_is_plain_short_and_on_one_line() -> None:
    stream = StringIO()
    await Progress(stream).show(1, 2, "a\x1b[2Jb\nc " + "long " * 50)
    assert stream.getvalue().startswith(" 50% ab c long")
    assert len(stream.getvalue()) < 50
