"""The terminal: opened by its own name, one question at a time, and as it was when the question is gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from askfirst.client.terminal import Terminal
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form, NumberField, TextField
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode
from person import Person

pytestmark = pytest.mark.anyio

ORIGIN = Origin("mine", claimed="Somebody else", tool="work")
EMPTY = FormQuestion("Delete?", Form())
TEXT = FormQuestion("Tell", Form((TextField(name="text", required=True), NumberField(name="number"))))
SECRET = FormQuestion("Tell", Form((TextField(name="password", required=True),)))
VISIT = UrlQuestion("Sign in", "https://例え.jp/login")
SHOWN = "https://xn--r8jz45g.jp/login"


@pytest.fixture
def person() -> Iterator[Person]:
    with Person() as person:
        yield person


def terminal(person: Person, **given: Any) -> Terminal:
    return Terminal(**{"plain": True, "device": person.device, "environ": {"TERM": "xterm"}, **given})


class Call:
    """A question that is asked meanwhile; `answer` is there when the block is left."""

    def __init__(
        self, by: Terminal, question: Question, limit: float | None = None, *, origin: Origin = ORIGIN
    ) -> None:
        self._asked = (by, question, limit)
        self._origin = origin
        self._tasks = anyio.create_task_group()
        self.answer: Answer[Content] | None = None

    async def _ask(self) -> None:
        by, question, limit = self._asked
        self.answer = await by.answer(question, self._origin, limit)

    def withdraw(self) -> None:
        self._tasks.cancel_scope.cancel()

    async def __aenter__(self) -> "Call":
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._ask)
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._tasks.__aexit__(*error)


@pytest.mark.parametrize("device", ["/nowhere/tty", "a file"])
async def test_without_a_terminal_nobody_is_reached(tmp_path: Path, device: str) -> None:
    (tmp_path / "a file").touch()
    by = Terminal(device=str(tmp_path / device))
    assert by.reaches() == frozenset()
    with pytest.raises(NobodyAsked, match="there is no terminal"):
        await by.answer(EMPTY, ORIGIN, None)


async def test_with_a_terminal_both_modes_are_reached(person: Person) -> None:
    assert terminal(person).reaches() == frozenset(Mode)


@pytest.mark.parametrize(
    ("environ", "full"), [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({}, False)]
)
async def test_a_terminal_that_cannot_draw_gets_lines(
    person: Person, environ: dict[str, str], full: bool
) -> None:
    async with Call(terminal(person, plain=None, environ=environ), EMPTY) as call:
        await person.sees("Delete?")
        call.withdraw()
    assert ("\x1b[?1049h" in person.raw) is full
    assert full or "\x1b" not in person.raw


@pytest.mark.parametrize("plain", [True, False])
async def test_nothing_of_a_server_s_text_reaches_the_terminal_as_a_command(
    person: Person, plain: bool
) -> None:
    hostile = "a\x1b]0;title\x07b\x1b[2Jc\x9b5md\u202ee\x08f"
    question = FormQuestion(hostile, Form((TextField(name=hostile, title=hostile, description=hostile),)))
    origin = Origin("mine", claimed=hostile, tool=hostile)
    async with Call(terminal(person, plain=plain), question, origin=origin) as call:
        await person.sees("Enter leaves it unanswered" if plain else "Send")
        call.withdraw()
    for wrong in ("\x1b]0;", "title", "\x9b", "\u202e", "\x08f"):
        assert wrong not in person.raw
    assert "abcd\u2039U+202E\u203ae" in person.screen


async def test_what_was_typed_before_a_question_is_no_answer_to_it(person: Person) -> None:
    person.types("accept\nsend\nacc")
    async with Call(terminal(person), EMPTY) as call:
        await person.sees("accept, decline or cancel? ")
        person.types("decline\n")
    assert call.answer == Declined()


async def test_the_time_left_and_the_waiting_stand_at_the_prompt(person: Person) -> None:
    by = terminal(person)
    async with Call(by, EMPTY, limit=3600), Call(Terminal(plain=True, device=person.device), VISIT):
        await person.sees("[59 min 59 s left, 1 more question waits] accept")
        person.types("decline\n")
        await person.sees("Sign in")
        person.types("decline\n")


async def test_at_the_end_of_its_time_a_question_says_so_and_goes(person: Person) -> None:
    assert await terminal(person).answer(TEXT, ORIGIN, 0.1) == Cancelled(expired=True)
    await person.sees("Time is up: the question was closed.")


async def test_a_question_whose_time_ends_before_its_turn_was_put_to_nobody(person: Person) -> None:
    by = terminal(person)
    async with Call(by, EMPTY):
        await person.sees("? ")
        with pytest.raises(NobodyAsked, match="another question was on the screen"):
            await by.answer(VISIT, ORIGIN, 0.05)
        person.types("cancel\n")


async def test_a_question_that_is_withdrawn_takes_its_half_typed_answer_along(person: Person) -> None:
    by = terminal(person)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(by.answer, SECRET, ORIGIN, None)
        await person.sees("password: ")
        person.types("hunt")
        tasks.cancel_scope.cancel()
    await person.sees("The question was withdrawn.")
    assert person.echoes
    async with Call(by, EMPTY) as call:
        await person.sees("accept, decline or cancel? ")
        person.types("cancel\n")
    assert call.answer == Cancelled()


async def test_what_seems_to_be_a_secret_is_not_echoed(person: Person) -> None:
    async with Call(terminal(person), SECRET) as call:
        await person.sees("password: ")
        assert not person.echoes
        person.types("hunter2\n")
        await person.sees("send, edit N, decline or cancel? ")
        assert person.echoes
        person.types("send\n")
    assert call.answer == Accepted({"password": "hunter2"})
    assert "hunter2" not in person.screen


async def test_strict_declines_what_seems_to_ask_for_a_secret_and_says_so(person: Person) -> None:
    by = terminal(person, strict=True)
    assert await by.answer(SECRET, ORIGIN, None) == Declined()
    await person.sees("mine asks")
    await person.sees("Warning: this seems to ask for a secret")
    await person.sees("Declined without asking you: strict mode.")
    assert await by.answer(VISIT, ORIGIN, 0.1) == Cancelled(expired=True)


async def test_a_paste_into_a_number_is_dropped_with_its_unfinished_end(person: Person) -> None:
    async with Call(terminal(person), TEXT) as call:
        await person.sees("text: ")
        person.types("hello\n")
        await person.sees("number: ")
        person.types("1\n2\n3")
        await person.sees("2 lines came at once, so none was taken.")
        await person.sees("number: ")
        person.types("\n")
        await person.sees("send, ")
        person.types("send\n")
    assert call.answer == Accepted({"text": "hello"})


async def test_a_line_the_terminal_may_have_cut_is_not_taken(person: Person) -> None:
    async with Call(terminal(person), TEXT) as call:
        await person.sees("text: ")
        person.types("x" * 4095 + "\n")
        await person.sees("may have been cut by the terminal; not taken.")
        await person.sees("text: ")
        person.types("/cancel\n")
    assert call.answer == Cancelled()


async def test_the_end_of_the_input_is_a_cancel(person: Person) -> None:
    async with Call(terminal(person), TEXT) as call:
        await person.sees("text: ")
        person.types("\x04")
    assert call.answer == Cancelled()


async def test_an_address_is_opened_after_consent_and_exactly_as_it_was_shown(person: Person) -> None:
    visited: list[str] = []

    def opener(url: str) -> bool:
        visited.append(url)
        return True

    by = terminal(person, opener=opener)
    for word, answer in (("decline", Declined()), ("cancel", Cancelled()), ("open", Accepted({}))):
        async with Call(by, VISIT) as call:
            await person.sees(f"Address: {SHOWN}")
            await person.sees("? ")
            assert visited == []
            person.types(f"{word}\n")
        assert call.answer == answer
    assert visited == [SHOWN]
    await person.sees(f"Handed to your browser: {SHOWN}")


async def test_an_address_that_could_not_be_opened_is_shown_and_consent_stands(person: Person) -> None:
    async with Call(terminal(person, opener=lambda _: False), VISIT) as call:
        await person.sees("? ")
        person.types("open\n")
    assert call.answer == Accepted({})
    await person.sees(f"No browser could be opened here. Visit it yourself: {SHOWN}")


async def test_an_address_with_two_readings_is_put_before_nobody(person: Person) -> None:
    with pytest.raises(NobodyAsked, match="can't be shown to a person"):
        await terminal(person).answer(UrlQuestion("Go", "https://good.example\\@evil.example"), ORIGIN, None)
    person.look()
    assert person.screen == ""


async def test_a_terminal_that_goes_away_is_a_cancel() -> None:
    with Person() as person:
        by = terminal(person)
        async with Call(by, TEXT) as call:
            await person.sees("text: ")
            person.hangs_up()
    assert call.answer == Cancelled()
