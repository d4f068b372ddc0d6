"""The full form: keys, checks, paste and size, on a real terminal."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from askfirst.client.terminal import Terminal
from askfirst.client.tty import LineTerminal
from askfirst.client.widgets import wrapped
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from person import Person

pytestmark = pytest.mark.anyio

ENTER, TAB, BACKTAB, ESC, F4, F8 = "\r", "\t", "\x1b[Z", "\x1b", "\x1bOS", "\x1b[19~"
GO_ON = "\x0e"
SEND, NEW_LINE, PAGE_DOWN, PAGE_UP, DOWN, RIGHT = "\x1bOQ", "\n", "\x1b[6~", "\x1b[5~", "\x1b[B", "\x1b[C"
ORIGIN = Origin("mine", claimed="Somebody else", tool="work")
CHOICES = (Choice("a", "Apple"), Choice("b", "Birne"))
TEXT = FormQuestion("Tell", Form((TextField(name="text"), NumberField(name="days", default=30, maximum=99))))
NEEDED = FormQuestion("Tell", Form((TextField(name="mail", format="email", required=True),)))
CONFIRM = FormQuestion("Delete?", Form((FlagField(name="ok", required=True),)))
EMPTY = FormQuestion("Delete?", Form())
PICKS = FormQuestion(
    "Pick", Form((ChoiceField(name="one", choices=CHOICES), ChoicesField(name="many", choices=CHOICES)))
)
VISIT = UrlQuestion("Sign in", "http://user@example.org:8080/login")


@pytest.fixture
def person() -> Iterator[Person]:
    with Person() as person:
        yield person


class Given:
    answer: Answer[Content] | None = None


@asynccontextmanager
async def form(
    person: Person, question: Question, origin: Origin = ORIGIN, **environ: str
) -> AsyncIterator[Given]:
    """The form on the screen; what was answered is there when the block is left."""
    by = Terminal(
        plain=False, device=person.device, opener=lambda _: True, environ={"TERM": "xterm", **environ}
    )
    given = Given()

    async def ask() -> None:
        given.answer = await by.answer(question, origin, None)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        person.clears()
        await person.shows("Esc cancel")
        yield given


async def sent(person: Person, question: Question, *keys: str) -> Answer[Content] | None:
    async with form(person, question) as given:
        for key in keys:
            person.types(key)
    return given.answer


async def test_everything_is_in_view_and_the_screen_is_given_back(person: Person) -> None:
    async with form(person, TEXT):
        for words in (
            "mine asks, in work",
            'It calls itself "Somebody else"',
            "Tell",
            "text (optional)",
            "days",
        ):
            assert words in person.display
        for button in ("[ Send ]", "[ Decline ]", "[ Cancel ]"):
            assert button in person.display
        person.types(ESC)
    await person.sees("Cancelled.")
    assert person.raw.rstrip().endswith("Cancelled.")
    assert person.raw.rindex("\x1b[?1049l") > person.raw.rindex("\x1b[?1049h")
    assert person.is_cooked


async def test_sending_twice_does_not_stop_the_terminals_output(person: Person) -> None:
    assert await sent(person, TEXT, SEND) == Accepted({"days": 30})
    assert person.is_cooked
    person.types(SEND)
    with anyio.fail_after(60), LineTerminal(person.device) as terminal:
        await terminal.write("still here")
        await person.sees("still here")


async def test_what_can_not_be_seen_has_a_mark_where_it_is_edited(person: Person) -> None:
    hostile = "abc\u202edef \u200b\ttail\x1b[2J"
    question = FormQuestion("Tell", Form((TextField(name="text", default=hostile),)))
    async with form(person, question) as given:
        await person.shows("abc\ufffddef \ufffd^Itail^[[2J")
        person.types(SEND)
    assert given.answer == Accepted({"text": hostile})
    assert not {"\u202e", "\u200b"} & {*person.raw}
    family = FormQuestion("Tell", Form((TextField(name="text", default="e\u0301 👩\u200d👧"),)))
    await sent(person, family, ESC)
    assert "👩\u200d" in person.raw


async def test_thousands_of_choices_are_as_quick_as_few(person: Person) -> None:
    many = tuple(Choice(f"v{number}") for number in range(5000))
    field = ChoicesField(name="many", choices=many, default=tuple(one.value for one in many))
    async with form(person, FormQuestion("Pick", Form((field,)))) as given:
        for place in range(1, 200):
            person.types(DOWN)
            await person.shows(f"[x] v{place}\n")
        person.types(" " + SEND)
    assert given.answer == Accepted({"many": [one.value for one in many if one.value != "v199"]})


async def test_what_is_shown_is_what_is_sent(person: Person) -> None:
    assert await sent(person, TEXT, SEND) == Accepted({"days": 30})


async def test_enter_and_tab_go_on_to_the_next_field_and_never_send_from_one(person: Person) -> None:
    async with form(person, TEXT) as given:
        person.types("x")
        person.types(ENTER)
        await person.shows("field 2 of 2")
        person.types(BACKTAB)
        await person.shows("field 1 of 2")
        person.types("y" + TAB + "\x7f\x7f7" + SEND)
    assert given.answer == Accepted({"text": "xy", "days": 7})


async def test_the_buttons_are_reached_by_tab(person: Person) -> None:
    for tabs, word, answer in (
        (2, "send", Accepted({"days": 30})),
        (3, "decline", Declined()),
        (4, "cancel", Cancelled()),
    ):
        async with form(person, TEXT) as given:
            person.types(TAB * tabs)
            await person.shows(f"\nEnter {word}  Tab next")
            person.types(ENTER)
        assert given.answer == answer


async def test_escape_cancels_and_f8_declines(person: Person) -> None:
    assert await sent(person, TEXT, ESC) == Cancelled()
    assert await sent(person, TEXT, F8) == Declined()


async def test_a_key_that_is_not_known_does_not_close_the_form(person: Person) -> None:
    answer = await sent(person, TEXT, "x", "\x1b[99;99~y", "\x1b[1;9Zz", "\x1bOzA", "\x1bqB", SEND)
    assert answer == Accepted({"text": "xyzAB", "days": 30})


async def test_nothing_is_sent_while_an_answer_is_missing_or_wrong(person: Person) -> None:
    async with form(person, NEEDED) as given:
        person.types(SEND)
        await person.shows("Give an e-mail address")
        await person.shows("Not sent: 1 answer needs another look.")
        person.types("ada")
        person.types(SEND)
        person.types("@example.org" + SEND)
    assert given.answer == Accepted({"mail": "ada@example.org"})


async def test_a_field_is_checked_when_it_is_left_and_not_while_somebody_types(person: Person) -> None:
    async with form(person, TEXT) as given:
        person.types(TAB + "\x7f\x7f100")
        await person.shows("100")
        assert "Give a smaller" not in person.display
        person.types(TAB)
        await person.shows("! Give a smaller number")
        person.types(ESC)
    assert given.answer == Cancelled()


async def test_clearing_makes_a_field_unanswered(person: Person) -> None:
    assert await sent(person, TEXT, TAB, F4, SEND) == Accepted({})
    assert await sent(person, PICKS, " ", F4, TAB, " ", "\x7f", SEND) == Accepted({})
    assert await sent(person, TEXT, TAB, F4, TAB, F4, SEND) == Accepted({})


async def test_a_default_of_nothing_is_shown_as_two_quotes_and_sent(person: Person) -> None:
    question = FormQuestion("Tell", Form((TextField(name="text", default=""),)))
    assert await sent(person, question, SEND) == Accepted({"text": ""})
    assert '""' in person.display


async def test_a_pasted_text_stays_in_its_field_whole(person: Person) -> None:
    pasted = "\x1b[200~one\ntwo\tx\n\x1b[201~"
    assert await sent(person, TEXT, pasted, SEND) == Accepted({"text": "one\ntwo\tx\n", "days": 30})


async def test_a_paste_the_terminal_does_not_mark_stays_in_its_field_too(person: Person) -> None:
    assert await sent(person, TEXT, "one\rtwo\rthree", SEND) == Accepted(
        {"text": "one\ntwo\nthree", "days": 30}
    )


async def test_a_pasted_text_in_a_number_is_refused_aloud(person: Person) -> None:
    async with form(person, TEXT) as given:
        person.types(TAB + "1\r2" + SEND)
        await person.shows("Give a number up to 99.")
        person.types(ESC)
    assert given.answer == Cancelled()


async def test_a_text_may_have_lines(person: Person) -> None:
    assert await sent(person, TEXT, "one", NEW_LINE, "two", SEND) == Accepted(
        {"text": "one\ntwo", "days": 30}
    )


async def test_moving_chooses_nothing_and_the_space_bar_does(person: Person) -> None:
    assert await sent(person, PICKS, DOWN, TAB, DOWN, SEND) == Accepted({})
    assert await sent(person, PICKS, DOWN, " ", TAB, " ", DOWN, " ", SEND) == Accepted(
        {"one": "b", "many": ["a", "b"]}
    )
    assert await sent(person, PICKS, TAB, " ", " ", SEND) == Accepted({"many": []})


LOOK = "Read once more. F2 sends, Tab moves to the buttons."


@pytest.mark.parametrize("by", [(SEND,), (TAB, ENTER)])
async def test_a_confirmation_is_looked_at_once_more_where_enter_does_nothing(
    person: Person, by: tuple[str, ...]
) -> None:
    async with form(person, CONFIRM) as given:
        await person.shows("Enter, Tab next")
        for key in ("y", ENTER):
            person.types(key)
        await person.shows("Enter send")
        person.types(ENTER)
        await person.shows("Send: Yes - Delete?")
        await person.shows(LOOK)
        await person.shows("\nTab next  F2 send")
        for _ in range(3):
            person.types(ENTER)
            await anyio.wait_all_tasks_blocked()
        assert given.answer is None
        for key in by:
            person.types(key)
            await anyio.wait_all_tasks_blocked()
    assert given.answer == Accepted({"ok": True})


async def test_the_last_look_leads_back_to_the_answer(person: Person) -> None:
    async with form(person, CONFIRM) as given:
        person.types("n" + SEND)
        await person.shows("Send: No - Delete?")
        person.types(TAB * 2)
        await person.shows("Enter edit")
        person.types(ENTER)
        await person.shows("( ) Yes")
        person.types("y" + SEND)
        await person.shows("Send: Yes - Delete?")
        person.types(SEND)
    assert given.answer == Accepted({"ok": True})


@pytest.mark.parametrize("question", [TEXT, NEEDED, CONFIRM, PICKS, EMPTY, VISIT])
async def test_what_the_keys_do_fits_one_line(person: Person, question: Question) -> None:
    async with form(person, question):
        (keys,) = (line for line in person.display.splitlines() if "F2" in line)
        assert "Enter" in keys
        assert keys.endswith("Esc cancel")
        person.types(ESC)


@pytest.mark.parametrize(("key", "answer"), [(F8, Declined()), (ESC, Cancelled())])
async def test_the_last_look_can_be_left_in_both_ways(
    person: Person, key: str, answer: Answer[Content]
) -> None:
    async with form(person, EMPTY) as given:
        person.types(SEND)
        await person.shows("Send: Accept - Delete?")
        person.types(key)
    assert given.answer == answer


async def test_enter_on_a_form_without_fields_does_not_accept(person: Person) -> None:
    assert await sent(person, EMPTY, ENTER) == Cancelled()


async def test_a_visit_shows_its_host_the_whole_address_and_what_is_odd(person: Person) -> None:
    async with form(person, VISIT) as given:
        for words in (
            "Host:    example.org",
            "http://user@example.org:8080/login",
            "is a login",
            "not encrypted",
        ):
            assert words in person.display
        assert "[ Open example.org ]" in person.display
        person.types(SEND)
    assert given.answer == Accepted({})


async def test_a_host_too_long_for_a_button_stands_above_alone(person: Person) -> None:
    long = f"{'a' * 50}.example.org"
    async with form(person, UrlQuestion("Sign in", f"https://{long}/")):
        assert "[ Open ]" in person.display
        assert f"Host:    {long}" in person.display
        person.types(ESC)


async def test_a_long_hint_wraps_below_its_label(person: Person) -> None:
    field = TextField(
        name="text", title="Reason", description="because it has to be said at some length " * 3
    )
    async with form(person, FormQuestion("Tell", Form((field,)))):
        lines = person.display.splitlines()
        at = lines.index("Reason (optional)")
        assert lines[at + 1].startswith("because it has to be said")
        assert lines[at + 2].endswith("(any text)")
        person.types(ESC)


async def test_a_long_message_scrolls_with_the_buttons_in_view(person: Person) -> None:
    question = FormQuestion("\n".join(f"line {number}" for number in range(100)), TEXT.form)
    async with form(person, question) as given:
        assert "[ Send ]" in person.display
        assert "line 99" not in person.display
        for _ in range(40):
            person.types(PAGE_DOWN)
        await person.shows("line 99")
        person.types(PAGE_UP * 40)
        await person.shows("line 0")
        person.types("still typing" + SEND)
    assert given.answer == Accepted({"text": "still typing", "days": 30})


async def test_a_question_of_a_desk_shows_its_code_and_the_arguments_of_its_call(person: Person) -> None:
    arguments = (("path", "/x\n\x1b[2J  with path: /y"), *((f"a{number}", "b") for number in range(30)))
    origin = Origin("mine", tool="work", code="7XC5", arguments=arguments)
    async with form(person, TEXT, origin=origin) as given:
        first, _, third, *_ = person.display.splitlines()
        assert first.startswith("Question 7XC5: mine asks, in work")
        assert third.startswith("  with path: /x")
        assert "[ Send ]" in person.display
        for _ in range(40):
            person.types(PAGE_DOWN)
        await person.shows("  with a29: b\nTell")
        person.types(SEND)
    assert given.answer == Accepted({"days": 30})
    await person.sees("7XC5: Sent.")


async def test_a_form_that_takes_the_place_of_another_says_so_and_waits_for_the_person(
    person: Person,
) -> None:
    by = Terminal(plain=False, device=person.device, environ={"TERM": "xterm"})
    given, first = Given(), anyio.CancelScope()

    async def ask_first() -> None:
        with first:
            await by.answer(CONFIRM, ORIGIN, None)

    async def ask_second() -> None:
        given.answer = await by.answer(TEXT, ORIGIN, None)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask_first)
        await person.shows("Delete?")
        tasks.start_soon(ask_second)
        await person.shows("1 more question waits")
        person.types("y" + SEND)
        await person.shows(LOOK)
        first.cancel()
        await person.shows("The question was withdrawn. It was 'Delete?'.")
        await person.shows("Ctrl-N go on")
        for key in ("typed", SEND, SEND, TAB, ENTER, F4, F8, NEW_LINE, ESC):
            person.types(key)
            await anyio.wait_all_tasks_blocked()
        person.types(GO_ON)
        await person.shows("Esc cancel")
        assert "The question was withdrawn" not in person.display
        assert given.answer is None
        person.types("x" + SEND)
    assert given.answer == Accepted({"text": "x", "days": 30})


async def test_a_form_that_follows_one_whose_time_was_up_says_so(person: Person) -> None:
    by = Terminal(plain=False, device=person.device, environ={"TERM": "xterm"})
    await by.answer(CONFIRM, Origin("mine", code="7XC5"), 0.1)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(by.answer, TEXT, ORIGIN, None)
        await person.shows("Time is up: the question was closed. It was 7XC5: 'Delete?'.")
        person.types(GO_ON)
        await person.shows("Esc cancel")
        person.types(ESC)
    async with form(person, TEXT):  # told once
        person.types(ESC)


async def test_what_was_typed_beyond_the_end_of_a_form_is_no_answer_to_the_next(person: Person) -> None:
    assert await sent(person, TEXT, "one" + SEND + "two" + SEND) == Accepted({"text": "one", "days": 30})
    assert await sent(person, TEXT, ESC) == Cancelled()


async def test_what_was_typed_while_a_form_was_made_is_no_answer_to_it(person: Person) -> None:
    class Hasty(dict[str, str]):
        """Somebody types while the form looks up how it may draw."""

        def get(self, name: str, default: Any = None) -> Any:
            person.types("typed" + SEND if name == "NO_COLOR" else "")
            return super().get(name, default)

    by = Terminal(plain=False, device=person.device, environ=Hasty(TERM="xterm"))
    given = Given()

    async def ask() -> None:
        given.answer = await by.answer(TEXT, ORIGIN, None)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        await person.shows("Esc cancel")
        person.types(ESC)
    assert given.answer == Cancelled()


async def test_what_seems_to_be_a_secret_is_masked(person: Person) -> None:
    question = FormQuestion("Tell", Form((TextField(name="password"),)))
    async with form(person, question) as given:
        assert "Warning: this seems to ask for a secret" in person.display
        person.types("hunter2")
        await person.shows("*******")
        person.types(SEND)
    assert given.answer == Accepted({"password": "hunter2"})
    assert "hunter2" not in person.raw


async def test_another_size_keeps_what_was_typed(person: Person) -> None:
    async with form(person, TEXT) as given:
        person.types("before ")
        for rows, columns in ((5, 20), (2, 2), (60, 200)):
            person.resize(rows, columns)
        person.types("after" + SEND)
    assert given.answer == Accepted({"text": "before after", "days": 30})


async def test_without_color_there_is_none(person: Person) -> None:
    async with form(person, NEEDED, NO_COLOR="1"):
        person.types(SEND)
        await person.shows("! Give an e-mail")
        person.types(ESC)
    plain, colored = person.raw, ""
    with Person() as other:
        async with form(other, NEEDED):
            other.types(SEND)
            await other.shows("! Give an e-mail")
            other.types(ESC)
        colored = other.raw
    assert ";31" in colored
    assert ";31" not in plain
    assert ";9" not in plain


@pytest.mark.parametrize(
    ("line", "width", "pieces"),
    [
        ("", 10, [""]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("日本語", 4, ["日本", "語"]),
        ("日本", 1, ["日", "本"]),
        (" x", 2, [" x"]),
    ],
)
def test_lines_are_cut_at_blanks_and_by_columns(line: str, width: int, pieces: list[str]) -> None:
    assert wrapped(line, width) == pieces


def test_a_line_of_any_length_is_cut_in_one_go() -> None:
    assert wrapped("x" * 1_000_000, 80) == ["x" * 80] * 12_500
