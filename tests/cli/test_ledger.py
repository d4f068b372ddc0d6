"""`askfirst ledger` and `askfirst remembered`: what the store holds, for a person and for a script."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from askfirst.core.answers import Accepted
from askfirst.core.fields import Form, TextField
from askfirst.core.postings import Scope
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore

WORD = "quite-unlikely"
QUESTION = FormQuestion("Who?", Form((TextField(name="who"),)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store in which two questions were asked, one was answered, and two answers are remembered."""
    file = tmp_path / "desk.sqlite3"

    async def fill() -> None:
        store = SqliteStore(file)
        desk = Desk(store, clock=lambda: 1_000_000.0, code=iter(["K7QM", "XXZZ"]).__next__)
        posted = await desk.post(QUESTION, Origin("records", tool="\x1b[2Jgreet\nme"), limit=60)
        await desk.post(QUESTION, Origin("mail"), limit=60)
        await desk.answer(posted.token, posted.digest, Accepted({"who": WORD}), by="ann")
        await desk.remember(Scope("records"), "workspace", {"who": WORD})
        await desk.remember(Scope("records", "ann"), "workspace\x1b[2J", {"who": WORD})
        await store.close()

    anyio.run(fill)
    return file


def tamper(file: Path, statement: str) -> None:
    with sqlite3.connect(file) as db:
        db.execute(statement)
    db.close()


def test_the_record_is_shown_line_by_line(inside: Callable[..., Any], file: Path) -> None:
    done = inside("ledger", "show", "--store", str(file))
    assert (done.code, done.err) == (0, "")
    assert [line.split("  ") for line in done.out.splitlines()] == [
        ["1970-01-12 13:46:40", "posted", "desk", "K7QM", "records", "greet me"],
        ["1970-01-12 13:46:40", "posted", "desk", "XXZZ", "mail"],
        ["1970-01-12 13:46:40", "answered", "desk", "K7QM", "records", "greet me", "accept", "ann"],
    ]


def test_the_record_as_json_lines_can_be_verified_elsewhere(
    inside: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    shown = inside("ledger", "show", "--store", str(file), "--json")
    lines = shown.out.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["posted", "posted", "answered"]
    assert WORD not in shown.out
    copy = tmp_path / "copy.jsonl"
    copy.write_text(shown.out)
    of_copy, of_store = (
        inside("ledger", "verify", str(copy)),
        inside("ledger", "verify", "--store", str(file)),
    )
    assert (of_copy.code, of_copy.out) == (0, of_store.out)
    assert of_store.out == f"whole: 3 lines, head {json.loads(lines[-1])['hash']}\n"
    copy.write_text("\n".join([lines[0], lines[2]]))
    broken = inside("ledger", "verify", str(copy))
    assert (broken.code, broken.out) == (1, "")
    assert "the ledger is not what was written: line 2: does not follow" in broken.err


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        (
            "UPDATE ledger SET line = replace(line, 'records', 'another') WHERE number = 1",
            "line 1: was changed",
        ),
        ("DELETE FROM ledger WHERE number = 2", "line 2: does not follow"),
        ("DELETE FROM ledger WHERE number = 3", "line 3: the end is not what was noted"),
        ("UPDATE ledger SET number = -number WHERE number = 1", "line 1: does not follow"),
        ("UPDATE ledger SET line = 'nothing' WHERE number = 3", "line 3: expected a line of JSON"),
    ],
)
def test_whatever_was_done_to_the_record_shows(
    inside: Callable[..., Any], file: Path, statement: str, where: str
) -> None:
    tamper(file, statement)
    broken = inside("ledger", "verify", "--store", str(file))
    assert (broken.code, broken.out) == (1, "")
    assert f"the ledger is not what was written: {where}" in broken.err


def test_a_record_whose_end_was_cut_off_with_its_head_shows_against_one_that_was_noted(
    inside: Callable[..., Any], file: Path, tmp_path: Path
) -> None:
    lines = inside("ledger", "show", "--store", str(file), "--json").out.splitlines()
    noted, before = [json.loads(line)["hash"] for line in (lines[2], lines[1])]
    verify = ("ledger", "verify", "--store", str(file), "--head")
    assert inside(*verify, noted.upper()).code == inside(*verify, before).code == 0
    tamper(file, f"UPDATE head SET number = 2, hash = '{before}'")
    tamper(file, "DELETE FROM ledger WHERE number = 3")
    assert inside("ledger", "verify", "--store", str(file)).code == 0
    cut = inside(*verify, noted)
    assert (cut.code, cut.out) == (1, "")
    assert "line 3: the head that was noted is that of no line" in cut.err
    copy = tmp_path / "copy.jsonl"
    copy.write_text("\n".join(lines[:2]))
    assert inside("ledger", "verify", str(copy), "--head", noted).code == 1
    assert inside("ledger", "verify", str(copy), "--head", before).code == 0
    wrong = inside("ledger", "verify", str(copy), "--head", "5f8a")
    assert (wrong.code, "64 hex digits" in wrong.err) == (2, True)


def test_a_line_that_is_none_is_shown_as_what_it_is(inside: Callable[..., Any], file: Path) -> None:
    tamper(file, "UPDATE ledger SET line = 'noth' || char(27) || '[2Jing' WHERE number = 3")
    done = inside("ledger", "show", "--store", str(file))
    assert done.out.splitlines()[-1] == "not as it was written:  nothing"


def test_what_is_remembered_is_listed_without_the_answers(inside: Callable[..., Any], file: Path) -> None:
    done = inside("remembered", "list", "--store", str(file))
    assert (done.code, done.out, done.err) == (0, "records  workspace\nrecords  workspace  ann\n", "")
    listed = json.loads(inside("remembered", "list", "--store", str(file), "--json").out)
    assert listed == [
        {"server": "records", "user": "", "key": "workspace"},
        {"server": "records", "user": "ann", "key": "workspace\x1b[2J"},
    ]


def test_what_is_forgotten_is_gone_and_only_that(inside: Callable[..., Any], file: Path) -> None:
    store = ("--store", str(file))
    assert inside("remembered", "forget", "records", "workspace", *store).code == 0
    again = inside("remembered", "forget", "records", "workspace", *store)
    assert (again.code, "nothing like that is remembered" in again.err) == (1, True)
    assert inside("remembered", "forget", "records", "workspace\x1b[2J", "--user", "ann", *store).code == 0
    empty = inside("remembered", "list", *store)
    assert (empty.code, empty.out, empty.err) == (0, "", "askfirst: nothing is remembered\n")
    assert inside("remembered", "list", *store, "--json").out == "[]\n"


def test_a_store_that_is_not_there_is_not_made(inside: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "no" / "desk.sqlite3"
    done = inside("ledger", "show", "--store", str(file))
    assert (done.code, done.out) == (1, "")
    assert f"there is no store at {file}" in done.err
    assert not file.parent.exists()


def test_a_file_that_is_no_store_is_named(inside: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary, " * 100)
    done = inside("remembered", "list", "--store", str(file))
    assert done.code == 1
    assert f"{file}: this file is no store" in done.err


def test_the_store_may_be_named_in_the_environment(
    inside: Callable[..., Any], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKFIRST_STORE", str(file))
    assert inside("ledger", "verify").out.startswith("whole: 3 lines")


def test_help_needs_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from askfirst.cli import main\n"
        "for arguments in (['ledger', 'verify', '--help'], ['remembered', 'list', '--help']):\n"
        "    try: main(arguments)\n"
        "    except SystemExit as ended: assert not ended.code\n"
        "assert not {'anyio', 'mcp', 'pydantic', 'platformdirs'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
