"""The command as it is installed: run in a process of its own, its stdout taken apart."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst import __version__
from askfirst.core.revisions import REVISIONS, Era

MODERN, LEGACY = (
    [row.name for row in REVISIONS.values() if row.era is era][-1] for era in (Era.MODERN, Era.LEGACY)
)


def test_help_and_version_need_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from askfirst.cli import main\n"
        "for arguments in (['--help'], ['call', '--help'], ['tools', '--help'], ['--version']):\n"
        "    try: main(arguments)\n"
        "    except SystemExit as ended: assert not ended.code\n"
        "assert not {'mcp', 'mcp_types', 'pydantic', 'anyio', 'prompt_toolkit'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"askfirst, version {__version__}\n")


def test_a_question_of_today_is_answered_by_a_flag(command: Callable[..., Any], asking: str) -> None:
    done = command("call", asking, "book", "--answer", '{"guests": 3}', "--json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["revision"] == MODERN
    (asked,) = document["questions"]
    assert (asked["message"], asked["mode"], asked["action"]) == ("How many guests?", "form", "accept")
    assert document["result"]["content"] == [{"type": "text", "text": "booked for 3, inside"}]


def test_a_question_of_yesterday_is_answered_by_a_flag(command: Callable[..., Any], asking: str) -> None:
    done = command("call", asking, "plan", "--era", "legacy", "--answer", '{"guests": 3}', "--json")
    assert done.code == 0
    document = json.loads(done.out)
    assert document["revision"] == LEGACY
    assert [one["action"] for one in document["questions"]] == ["accept"]
    assert document["result"]["content"] == [{"type": "text", "text": "a party for 3, inside"}]


def test_the_result_is_on_stdout_and_everything_else_on_stderr(
    command: Callable[..., Any], asking: str, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[[answer]]\ntool = "book"\naction = "accept"\ncontent = { guests = 4, outside = true }\n'
    )
    done = command("call", asking, "book", ASKFIRST_ANSWERS=str(policy))
    assert (done.code, done.out) == (0, "booked for 4, outside\n")
    assert "accepted a question" in done.err
    assert "4" not in done.err.replace(asking, "")


def test_where_there_is_no_terminal_the_server_is_told_so(command: Callable[..., Any], asking: str) -> None:
    done = command("call", asking, "book")
    assert (done.code, done.out) == (1, "")
    assert "did not declare the form elicitation capability" in done.err
    assert "there is no terminal to ask at; --answer and --answers can answer questions" in done.err


def test_a_verbose_command_shows_the_servers_stderr(command: Callable[..., Any], raw: str) -> None:
    done = command("tools", f"{raw} crash", "--verbose")
    assert done.code == 1
    assert "the disk is full\n" in done.err
    assert "  | " not in done.err


def test_a_reader_that_goes_away_is_no_trouble(raw: str) -> None:
    call = [sys.executable, "-m", "askfirst", "call", raw, "huge", "--no-input"]
    # Without a buffer, Python takes a write that was cut short for a whole one.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=buffered
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(3) == "xxx"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


full_disk = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")


@full_disk
@pytest.mark.parametrize(
    ("arguments", "streams", "code"),
    [
        ("call RAW ask --decline", ">&-", 0),
        ("call RAW ask --decline", "<&- >&- 2>&-", 0),
        ("call RAW refuse", "2>&-", 1),
        ("--help", ">&-", 0),
        ("no-such-command", "2>&-", 2),
        ("call RAW refuse", "2>/dev/full", 1),
        ("no-such-command", "2>/dev/full", 2),
    ],
)
def test_closed_and_full_streams_do_not_change_what_comes_of_a_command(
    raw: str, arguments: str, streams: str, code: int
) -> None:
    line = f"exec {sys.executable} -m askfirst {arguments.replace('RAW', raw)} {streams}"
    done = subprocess.run(["sh", "-c", line], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, "")


@full_disk
@pytest.mark.parametrize("arguments", ["--version", "tools RAW", "call RAW huge --no-input"])
def test_output_that_finds_no_room_is_told(raw: str, arguments: str) -> None:
    line = f"exec {sys.executable} -m askfirst {arguments.replace('RAW', raw)} >/dev/full"
    done = subprocess.run(["sh", "-c", line], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "askfirst: the system refused: No space left on device\n")


INTERRUPTED_IMPORT = """
import signal, sys
from importlib.abc import MetaPathFinder

class Interrupting(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "askfirst.cli.call":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from askfirst.__main__ import main
main()
"""


def test_an_interrupt_while_the_command_is_still_being_imported_is_quiet() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize(
    ("how", "tool", "number", "code"),
    [
        ("silent", "none", signal.SIGINT, 130),
        ("well", "hang", signal.SIGINT, 130),
        ("well", "hang", signal.SIGTERM, 143),
        ("well", "hang", signal.SIGHUP, 129),
    ],
)
def test_a_signal_ends_the_command_and_its_server(
    raw: str, tmp_path: Path, how: str, tool: str, number: int, code: int
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    call = [sys.executable, "-m", "askfirst", "call", f"{raw} {how} {fifo}", tool, "--no-input"]
    with (
        open(os.open(fifo, os.O_RDWR)) as told,  # also for writing, so that no line ends it
        subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
    ):
        server = int(told.readline())
        if tool == "hang":
            assert told.readline() == "called\n"
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (code, "", "")
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
