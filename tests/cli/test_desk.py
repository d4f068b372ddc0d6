"""`askfirst desk`: what waits, on a page, at the terminal, and for scripts."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import pexpect
import pytest

from askfirst.cli.desk_live import answer_all
from askfirst.client.prepared import Prepared
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import FlagField, Form, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore

T = TypeVar("T")

WHO = FormQuestion("Who?", Form((TextField(name="who", required=True),)))
SURE = FormQuestion("Sure?\x1b[2J", Form((FlagField(name="sure", required=True),)))
VISIT = UrlQuestion("Sign in", "https://example.org/login")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "desk.sqlite3"


def on(file: Path, work: Callable[[Desk], Awaitable[T]]) -> T:
    async def use() -> T:
        store = SqliteStore(file)
        try:
            return await work(Desk(store))
        finally:
            await store.close()

    return anyio.run(use)


def post(file: Path, question: Question = WHO, server: str = "records", **more: Any) -> Posting:
    given = {"limit": 600, **more}
    return on(file, lambda desk: desk.post(question, Origin(server, tool="purge"), **given))


def found(file: Path, posting: Posting) -> Posting:
    one = on(file, lambda desk: desk.find(posting.token))
    assert one is not None
    return one


def test_the_open_questions_are_listed_oldest_first(inside: Callable[..., Any], file: Path) -> None:
    first, second = post(file), post(file, SURE, "ma\x1b[2Jil")
    done = inside("desk", "list", "--store", str(file))
    lines = [line.split("  ") for line in done.out.splitlines()]
    assert [line[:4] for line in lines] == [
        [first.code, "records", "purge", "Who?"],
        [second.code, "mail", "purge", "Sure?"],
    ]
    assert lines[0][4].endswith("left")


def test_a_script_gets_all_there_is_to_know_about_them(inside: Callable[..., Any], file: Path) -> None:
    posting, visit = post(file, arguments=[("table", "users")]), post(file, VISIT)
    listed = json.loads(inside("desk", "list", "--json", "--store", str(file)).out)
    assert listed[0] == {
        "code": posting.code,
        "token": posting.token,
        "server": "records",
        "own_name": False,
        "tool": "purge",
        "arguments": {"table": "users"},
        "message": "Who?",
        "mode": "form",
        "schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
        "secret": False,
        "asked_of": None,
        "posted": posting.posted,
        "expires": posting.expires,
        "abandoned": False,
    }
    assert (listed[1]["token"], listed[1]["url"]) == (visit.token, "https://example.org/login")


def test_a_question_whose_asker_has_stopped_says_so_and_takes_no_yes(
    inside: Callable[..., Any], file: Path
) -> None:
    posting = post(file, held=True)
    stopped = "who asked it has stopped, and can't use an answer"
    assert inside("desk", "list", "--store", str(file)).out.strip().endswith(stopped)
    assert json.loads(inside("desk", "list", "--json", "--store", str(file)).out)[0]["abandoned"]
    refused = inside("desk", "answer", posting.code, "--content", '{"who": "Ada"}', "--store", str(file))
    assert refused.code == 1
    assert f"{posting.code}: {stopped}; --decline takes the question off the desk" in refused.err
    assert inside("desk", "answer", posting.code, "--decline", "--store", str(file)).code == 0
    assert found(file, posting).answer == Declined()


def test_a_list_of_nothing_says_so_beside_the_output(inside: Callable[..., Any], file: Path) -> None:
    on(file, lambda desk: desk.counts())
    assert inside("desk", "list", "--store", str(file)).out == ""
    assert "no question waits" in inside("desk", "list", "--store", str(file)).err
    assert json.loads(inside("desk", "list", "--json", "--store", str(file)).out) == []


def test_more_questions_than_one_page_holds_are_all_listed(inside: Callable[..., Any], file: Path) -> None:
    async def fill(desk: Desk) -> None:
        for number in range(120):
            await desk.post(WHO, Origin(f"server {number // 20}"), limit=60)

    on(file, fill)
    assert len(inside("desk", "list", "--store", str(file)).out.splitlines()) == 120


@pytest.mark.parametrize(
    ("flags", "answer"),
    [
        (["--content", '{"who": "Ann"}'], Accepted({"who": "Ann"})),
        (["--decline"], Declined()),
        (["--cancel"], Cancelled()),
    ],
)
@pytest.mark.parametrize("name", ["code", "token"])
def test_a_question_is_answered_by_its_code_or_its_token(
    inside: Callable[..., Any], file: Path, flags: list[str], answer: Answer[Content], name: str
) -> None:
    posting = post(file)
    name = posting.code.lower() if name == "code" else posting.token
    # A token may begin with what looks like an option.
    done = inside("desk", "answer", "--store", str(file), *flags, "--", name)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{posting.code}: {answer.action}, for records\n"
    assert found(file, posting).answer == answer


def test_a_secret_is_not_taken_from_the_command_line(inside: Callable[..., Any], file: Path) -> None:
    posting = post(file, secret=True)
    done = inside("desk", "answer", posting.code, "--content", '{"who": "hush"}', "--store", str(file))
    assert (done.code, done.out) == (1, "")
    assert "give it with --content -" in done.err
    assert "hush" not in done.err
    assert found(file, posting).answer is None
    assert inside("desk", "answer", posting.code, "--decline", "--store", str(file)).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("desk", "list"), "no question waits"),
        (("desk", "muted"), "no server is muted"),
        (("ledger", "show"), "nothing was asked yet"),
        (("remembered", "list"), "nothing is remembered"),
    ],
)
def test_before_anything_was_asked_there_is_nothing_and_that_is_no_error(
    inside: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = inside(*words)
    assert (done.code, done.out, done.err) == (0, "", f"askfirst: {said}\n")
    assert inside(*words, "--json").out in ("[]\n", "")
    assert list(tmp_path.iterdir()) == []
    done = inside(*words, "--store", str(tmp_path / "desk.sqlite3"))
    assert done.code == 1
    assert "there is no store at" in done.err


def test_content_may_come_from_stdin(file: Path) -> None:
    posting = post(file, secret=True)
    subprocess.run(
        [sys.executable, "-m", "askfirst", "desk", "answer", posting.code, "--content", "-", "--store", file],
        input='{"who": "quite-unlikely"}',
        text=True,
        check=True,
        capture_output=True,
    )
    assert on(file, lambda desk: desk.wait(posting.token)) == Accepted({"who": "quite-unlikely"})


def test_an_answer_to_what_is_closed_is_told_what_happened(inside: Callable[..., Any], file: Path) -> None:
    answered, withdrawn, expired = post(file), post(file), post(file, limit=-1)
    theirs = post(file, asked_of="ann")
    on(file, lambda desk: desk.answer(answered.token, answered.digest, Declined()))
    on(file, lambda desk: desk.withdraw(withdrawn.token))
    for posting, what in [
        (answered, "was answered before (decline)"),
        (withdrawn, "was withdrawn"),
        (expired, "has expired"),
        (theirs, "was put to somebody else"),
    ]:
        done = inside("desk", "answer", posting.code, "--cancel", "--store", str(file))
        assert done.code == 1
        assert f"{posting.code} {what}" in done.err
        assert done.out == ""


def test_content_with_a_field_that_was_not_asked_for_leaves_the_question_open(
    inside: Callable[..., Any], file: Path
) -> None:
    posting = post(file)
    content = '{"who": "Ada", "woh": "Bob"}'
    done = inside("desk", "answer", posting.code, "--content", content, "--store", str(file))
    assert done.code == 1
    assert "woh: expected one of the fields asked for (who)" in done.err
    assert found(file, posting).answer is None


def test_content_that_does_not_fit_leaves_the_question_open_and_is_not_repeated(
    inside: Callable[..., Any], file: Path
) -> None:
    posting = post(file)
    done = inside("desk", "answer", posting.code, "--content", '{"who": 987654}', "--store", str(file))
    assert done.code == 1
    assert "who: expected" in done.err
    assert "987654" not in done.err
    assert found(file, posting).answer is None


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["answer", "NONE", "--decline"], 1, "no question has the code or token 'NONE'"),
        (["answer", "NONE"], 2, "expected one of --content JSON, --decline and --cancel"),
        (["answer", "NONE", "--decline", "--cancel"], 2, "expected one of"),
        (["answer", "NONE", "--content", "who"], 2, "--content: expected a JSON object"),
    ],
)
def test_what_can_t_be_done_is_told(
    inside: Callable[..., Any], file: Path, arguments: list[str], code: int, said: str
) -> None:
    on(file, lambda desk: desk.counts())
    done = inside("desk", *arguments, "--store", str(file))
    assert done.code == code
    assert said in done.err


def test_a_server_is_muted_until_it_is_let_ask_again(inside: Callable[..., Any], file: Path) -> None:
    def desk(*words: str) -> Any:
        return inside("desk", *words, "--store", str(file))

    on(file, lambda desk: desk.counts())
    assert desk("muted").err == "askfirst: no server is muted\n"
    assert desk("mute", "records").code == 0
    assert desk("muted").out == "records\n"
    assert json.loads(desk("muted", "--json").out) == ["records"]
    with pytest.raises(NobodyAsked, match="muted"):
        post(file)
    assert desk("unmute", "records").code == 0
    post(file)
    again = desk("unmute", "records")
    assert again.code == 1
    assert "'records' is not muted" in again.err
    told = inside("ledger", "show", "--store", str(file)).out
    assert told.count("unmuted") == 1


def test_options_of_the_live_desk_are_none_of_its_commands(inside: Callable[..., Any], file: Path) -> None:
    done = inside("desk", "--store", str(file), "list")
    assert done.code == 2
    assert "expected options after list" in done.err


def test_a_store_that_is_none_is_told(inside: Callable[..., Any], file: Path) -> None:
    file.write_text("no database, and long enough not to be taken for an empty one")
    for command in ([], ["list"]):
        done = inside("desk", *command, "--store", str(file))
        assert done.code == 1
        assert str(file) in done.err


def test_without_a_terminal_there_is_nobody_to_ask_at_one(command: Callable[..., Any], file: Path) -> None:
    done = command("desk", "--terminal", "--store", str(file))
    assert done.code == 1
    assert "there is no terminal to ask at" in done.err


def test_the_page_shows_all_questions_until_ctrl_c(file: Path) -> None:
    posting = post(file)
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")}
    with subprocess.Popen(
        [sys.executable, "-m", "askfirst", "desk", "--store", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        link = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\S+/enter\?key=\S+", link)
        page = httpx2.get(link, follow_redirects=True)
        assert posting.code in page.text
        assert "Who?" in page.text
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == "askfirst: questions are shown on this page until Ctrl-C\n"


@pytest.fixture
def terminal(file: Path) -> Iterator["pexpect.spawn[str]"]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "askfirst", "desk", "--terminal", "--plain", "--store", str(file)],
        encoding="utf-8",
        timeout=60,
        env={**variables, "TERM": "xterm"},
    )
    yield child
    child.close(force=True)


def test_at_the_terminal_they_are_asked_as_they_come(terminal: "pexpect.spawn[str]", file: Path) -> None:
    terminal.expect("Waiting for questions")
    first = post(file, arguments=[("table", "users")])
    terminal.expect(f"Question {first.code}: records asks, in purge")
    terminal.expect("with table: users")
    terminal.expect("who: ")
    gone = post(file, SURE)
    terminal.sendline("Ann")
    terminal.expect("send, edit")
    terminal.sendline("send")
    terminal.expect(f"Question {gone.code}")
    terminal.expect("sure: ")
    assert found(file, first).answer == Accepted({"who": "Ann"})
    on(file, lambda desk: desk.withdraw(gone.token))
    terminal.expect(f"{gone.code} is not open any more")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


class Formless:
    """Reaches somebody, who does not take forms; or who answers too late."""

    def __init__(self, desk: Desk, posting: Posting | None = None) -> None:
        self._desk = desk
        self._posting = posting

    def reaches(self) -> frozenset[Mode]:
        return frozenset({Mode.FORM}) if self._posting else frozenset({Mode.URL})

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        assert self._posting is not None
        with anyio.CancelScope(shield=True):
            await self._desk.answer(self._posting.token, self._posting.digest, Declined())
        return Accepted({"who": "Ann"})


async def said_by(desk: Desk, answerer: Any, last: str) -> list[str]:
    """What is said beside the questions, until the line that begins so."""
    said: list[str] = []
    async with anyio.create_task_group() as tasks:

        def say(line: str) -> None:
            said.append(line)
            if line.startswith(last):
                tasks.cancel_scope.cancel()

        tasks.start_soon(answer_all, desk, answerer, say)
    return said


@pytest.mark.anyio
async def test_what_is_not_for_the_terminal_is_passed_over_and_told_once() -> None:
    desk = Desk(MemoryStore())
    origin = Origin("records")
    secret = await desk.post(WHO, origin, limit=60, secret=True)
    theirs = await desk.post(WHO, origin, limit=60, asked_of="ann")
    form = await desk.post(WHO, origin, limit=60)
    gone = await desk.post(VISIT, origin, limit=60, held=True)
    await desk.release(gone.token, desk._own)  # as when a process ends
    said = await said_by(desk, Formless(desk), "Waiting")
    assert said[:-1] == [
        f"{secret.code} is not asked here: it asks for a secret; the page of `askfirst desk` takes it",
        f"{theirs.code} is not asked here: it was put to somebody else",
        f"{form.code} is not asked here: there is no terminal any more",
        f"{gone.code} is not asked here: who asked it has stopped, and can't use an answer",
    ]
    assert len(await desk.open()) == 4


@pytest.mark.anyio
async def test_an_answer_that_comes_second_is_told_so() -> None:
    desk = Desk(MemoryStore())
    posting = await desk.post(WHO, Origin("records"), limit=60)
    said = await said_by(desk, Formless(desk, posting), "Waiting")
    assert said[0].startswith(posting.code)


@pytest.mark.anyio
async def test_a_question_that_can_t_be_shown_does_not_end_the_desk() -> None:
    desk = Desk(MemoryStore())
    posting = await desk.post(WHO, Origin("records"), limit=60)

    class Broken(Formless):
        async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
            raise NobodyAsked("the terminal is gone")

    said = await said_by(desk, Broken(desk, posting), "Waiting")
    assert said[0] == f"{posting.code} can't be asked here: the terminal is gone"


@pytest.mark.anyio
async def test_questions_are_taken_oldest_first() -> None:
    desk = Desk(MemoryStore())
    postings = [await desk.post(WHO, Origin("records"), limit=60) for _ in range(3)]
    answers: list[Answer[Content]] = [Accepted({"who": name}) for name in ("Ann", "Bob", "Cem")]
    await said_by(desk, Prepared(answers), "Waiting")
    assert [(await desk.find(one.token)).answer for one in postings] == answers  # type: ignore[union-attr]
