"""The terminal of a real process: its own, whatever stdin is, and only in the foreground."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

HERE = Path(__file__).parent
ASKS = f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE / 'ask_at_tty.py'))}"


@contextmanager
def shell(command: str) -> Iterator["pexpect.spawn[str]"]:
    child = pexpect.spawn("/bin/sh", ["-c", command], encoding="utf-8", timeout=60, dimensions=(24, 80))
    try:
        yield child
    finally:
        child.close(force=True)


@pytest.mark.parametrize(("mode", "keys"), [("lines", ["hello\r", "send\r"]), ("form", ["hello\x1bOQ"])])
def test_a_stdin_that_carries_something_else_is_left_alone(mode: str, keys: list[str]) -> None:
    with shell(f"echo protocol | {ASKS} {mode}") as child:
        for ready, key in zip(["text: |Esc cancel", "cancel. "], keys, strict=False):
            child.expect(ready)
            child.send(key)
        child.expect(r"ANSWER accept \{'text': 'hello'\} STDIN protocol")


@pytest.mark.parametrize("mode", ["lines", "form"])
def test_ctrl_c_interrupts_the_program_and_leaves_the_terminal_as_it_was(mode: str) -> None:
    with shell(f"trap : INT; {ASKS} {mode}; echo CODE $?; stty -a") as child:
        child.expect("text: |Esc cancel")
        child.send("\x03")
        child.expect("The question was withdrawn")
        child.expect("KeyboardInterrupt")
        child.expect(r"CODE 130|CODE 1\b")
        child.expect(r"[^-]icanon.*[^-]echo\b")


def test_a_process_in_the_background_reaches_nobody() -> None:
    with shell(f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE / 'in_background.py'))}") as child:
        child.expect("FOREGROUND True")
        child.expect("BACKGROUND False")


def test_a_process_without_a_terminal_reaches_nobody() -> None:
    script = f"setsid {shlex.quote(sys.executable)} -c 'from askfirst.client.tty import *; print(is_at_hand(DEVICE))'"
    with shell(f"{script} < /dev/null | cat") as child:
        child.expect("False")
