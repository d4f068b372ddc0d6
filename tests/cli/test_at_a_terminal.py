"""`askfirst call` where a person sits at a terminal."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

F2, F8, ESCAPE = "\x1bOQ", "\x1b[19~", "\x1b"


@pytest.fixture
def terminal() -> Iterator[Callable[..., "pexpect.spawn[str]"]]:
    """Runs a shell line in a terminal of 24 by 80; ASKFIRST in it is the command."""
    started: list[pexpect.spawn[str]] = []

    def run(line: str) -> "pexpect.spawn[str]":
        command = line.replace("ASKFIRST", f"{shlex.quote(sys.executable)} -m askfirst")
        env = {name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")}
        child = pexpect.spawn(
            "/bin/sh",
            ["-c", f"exec {command}"],
            encoding="utf-8",
            timeout=60,
            dimensions=(24, 80),
            env={**env, "TERM": "xterm"},
        )
        started.append(child)
        return child

    yield run
    for child in started:
        child.close(force=True)


def ended(child: "pexpect.spawn[str]") -> tuple[str, int | None]:
    """What came until the end, and the exit code."""
    child.expect(pexpect.EOF)
    child.close()
    return child.before or "", child.exitstatus


@pytest.mark.parametrize(("era", "tool"), [("legacy", "plan"), ("modern", "book")])
def test_a_person_answers_line_by_line(
    terminal: Callable[..., "pexpect.spawn[str]"], asking: str, era: str, tool: str
) -> None:
    child = terminal(f"ASKFIRST call {asking} {tool} --era {era} --plain")
    child.expect("How many guests")
    child.expect("Guests: ")
    child.sendline("5")
    child.expect("Outside: ")
    child.sendline("yes")
    child.expect("send, edit N, decline or cancel")
    child.sendline("send")
    said, code = ended(child)
    assert code == 0
    assert " for 5, outside\r\n" in said


def test_a_person_answers_in_a_form(terminal: Callable[..., "pexpect.spawn[str]"], asking: str) -> None:
    child = terminal(f"ASKFIRST call {asking} book")
    child.expect("How many guests")
    child.expect("F8 decline")
    child.send("7")
    child.send(F2)
    said, code = ended(child)
    assert code == 0
    assert said.endswith("booked for 7, inside\r\n")


def test_escape_closes_the_question(terminal: Callable[..., "pexpect.spawn[str]"], asking: str) -> None:
    child = terminal(f"ASKFIRST call {asking} book")
    child.expect("F8 decline")
    child.send(ESCAPE)
    said, code = ended(child)
    assert code == 0
    assert said.endswith("not booked: cancel\r\n")


@pytest.mark.parametrize("how", ["--plain", ""])
def test_an_interrupt_leaves_the_question_and_the_command(
    terminal: Callable[..., "pexpect.spawn[str]"], raw: str, tmp_path: Path, how: str
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    child = terminal(f"ASKFIRST call '{raw} well {fifo}' ask {how}")
    server = int(fifo.read_text())
    child.expect("Really")
    child.expect("cancel")
    child.sendintr()
    said, code = ended(child)
    assert code == 130
    assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)


def test_a_person_is_asked_though_the_result_goes_to_a_file(
    terminal: Callable[..., "pexpect.spawn[str]"], raw: str, tmp_path: Path
) -> None:
    result = tmp_path / "result.json"
    child = terminal(f"ASKFIRST call {raw} ask --plain --json >{result} </dev/null")
    child.expect("accept, decline or cancel")
    child.sendline("decline")
    assert ended(child)[1] == 0
    document = json.loads(result.read_text())
    assert [one["action"] for one in document["questions"]] == ["decline"]


def test_a_terminal_gets_a_text_that_it_does_not_obey(
    terminal: Callable[..., "pexpect.spawn[str]"], asking: str
) -> None:
    assert ended(terminal(f"ASKFIRST call {asking} deceive")) == ("beforeafter\r\n", 0)


def test_progress_is_a_bar_that_goes_away(terminal: Callable[..., "pexpect.spawn[str]"], asking: str) -> None:
    said, code = ended(terminal(f"ASKFIRST call {asking} work steps=2"))
    assert code == 0
    assert "\r[############............]  50% step 1" in said
    assert said.endswith("\rdone\r\n")


def test_a_person_decides_both_questions_of_the_demo(terminal: Callable[..., "pexpect.spawn[str]"]) -> None:
    child = terminal("env -u CI ASKFIRST demo --plain")
    child.expect("legacy era")
    child.expect("Enter goes on")
    child.sendline("")
    child.expect("confirm: ")
    child.sendline("/decline")
    child.expect("4000 before, 4000 after")
    child.expect("modern era")
    child.expect("Enter goes on")
    child.sendline("")
    child.expect("confirm: ")
    child.sendline("yes")
    child.expect("reason: ")
    child.sendline("old")
    child.expect("send, edit N")
    child.sendline("send")
    child.expect("4000 before, 2000 after")
    child.expect("can't ask")
    child.expect("Enter goes on")
    child.sendline("")
    child.expect("nobody was asked")
    said, code = ended(child)
    assert code == 0
    assert "docs/quickstart.md" in said
    assert "askfirst call --help" in said


def test_no_form_covers_the_demo_before_the_person_goes_on(
    terminal: Callable[..., "pexpect.spawn[str]"],
) -> None:
    child = terminal("env -u CI ASKFIRST demo")
    for era, key in (("legacy", ESCAPE), ("modern", F8)):
        child.expect(f"{era} era")
        child.expect("Enter goes on")
        assert "\x1b[?1049h" not in child.before
        child.send("\r")
        child.expect_exact("\x1b[?1049h")
        child.expect("F8 decline")
        child.send(key)
    child.expect("Declined.")
    child.expect("Enter goes on")
    child.sendintr()
    assert ended(child)[1] == 130


@pytest.mark.parametrize("line", ["env -u CI ASKFIRST demo --no-input", "env CI=1 ASKFIRST demo"])
def test_the_demo_has_a_scripted_person_where_nobody_is_to_be_asked(
    terminal: Callable[..., "pexpect.spawn[str]"], line: str
) -> None:
    child = terminal(line)
    child.expect("The scripted person: accept")
    child.expect("The scripted person: decline")
    said, code = ended(child)
    assert code == 0
    assert "What next" not in said
