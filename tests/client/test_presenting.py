"""What a question looks like: who asks first, hostile text as text, nothing left out."""

import pytest

from askfirst.client import presenting
from askfirst.core.checking import check
from askfirst.core.errors import InvalidAnswer, Problem
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion

NAME = TextField(name="name", title="Name", required=True)
FRUIT = ChoiceField(name="fruit", choices=(Choice("a", "Apple"), Choice("plain")))


def test_the_configured_name_comes_first_and_the_claimed_one_is_marked_as_claimed() -> None:
    first, second = presenting.asker(Origin("mine", claimed="Trusted\x1b[31m Bank", tool="pay"))
    assert first == "mine asks, in pay"
    assert second == 'It calls itself "Trusted Bank" (its own claim, not verified)'


def test_a_name_that_nobody_configured_is_marked_as_claimed() -> None:
    lines = presenting.asker(Origin("Trusted Bank", tool="pay", own_name=True))
    assert lines == (
        "Trusted Bank asks, in pay",
        "That is what it calls itself (its own claim, not verified)",
    )


def test_a_claimed_name_can_not_push_away_or_deny_that_it_is_a_claim() -> None:
    claimed = 'Bank" (verified by the police). "' + "x" * 5000
    (_, second) = presenting.asker(Origin("mine", claimed=claimed, tool="pay"))
    assert second.startswith("It calls itself \"Bank' (verified by the police). 'xxx")
    assert second.endswith('x..." (its own claim, not verified)')
    assert len(second) < 120
    first, *_ = presenting.asker(Origin(claimed, own_name=True))
    assert len(first) < 80


def test_a_server_that_claims_no_name_gets_no_second_line() -> None:
    assert presenting.asker(Origin("mine")) == ("mine asks", "In which tool is not known")


def test_a_question_of_a_desk_has_its_code_and_the_arguments_of_its_call_before_the_message() -> None:
    origin = Origin(
        "mine", tool="move", code="7XC5", arguments=(("path", "/x\n  with path: /y"), ("\x1b[2Jdry", "true"))
    )
    question = FormQuestion("  with path: /z", Form())
    assert presenting.question_lines(question, origin) == (
        "",
        "Question 7XC5: mine asks, in move",
        "  with path: /x with path: /y",
        "  with dry: true",
        "|   with path: /z",
    )
    assert "/x" not in repr(origin)


def test_each_line_of_a_message_stands_behind_a_bar_so_that_it_cannot_pass_for_ours() -> None:
    question = FormQuestion("One\n\nmine2 asks\rSend? \x1b[2J\u202eevil", Form((NAME,)))
    lines = presenting.question_lines(question, Origin("mine", tool="pay"))
    assert lines == ("", "mine asks, in pay", "| One", "|", "| mine2 asks", "| Send? \u2039U+202E\u203aevil")


def test_a_form_that_seems_to_ask_for_a_secret_is_shown_with_a_warning() -> None:
    question = FormQuestion("Hello", Form((TextField(name="api_key"), NAME)))
    (warning,) = presenting.warnings(question)
    assert '"api_key"' in warning
    assert warning in presenting.question_lines(question, Origin("mine"))


def test_an_honest_form_has_no_warning() -> None:
    question = FormQuestion("Hello", Form((NAME,)))
    assert presenting.warnings(question) == ()


def test_an_address_is_shown_whole_with_its_host_set_apart_and_what_is_odd_about_it() -> None:
    question = UrlQuestion("Sign in", "http://good.example@xn--80ak6aa92e.com/login?next=/")
    lines = presenting.question_lines(question, Origin("mine"))
    assert "Host:    xn--80ak6aa92e.com" in lines
    assert "Address: http://good.example@xn--80ak6aa92e.com/login?next=/" in lines
    warned = " ".join(line for line in lines if line.startswith("Warning: "))
    assert "login" in warned
    assert "not encrypted" in warned
    assert "imitate another site" in warned


def test_a_hint_has_the_description_and_what_fits() -> None:
    assert presenting.hint(FlagField(name="x")) == "yes or no"
    assert presenting.hint(FlagField(name="x", description="Really\nall?")) == "Really all? (yes or no)"


def test_choices_show_the_code_that_is_sent_where_the_label_is_another() -> None:
    assert presenting.choice_lines(FRUIT) == ("  1. Apple  [a]", "  2. plain")
    assert presenting.choice_lines(NAME) == ()


def test_a_review_shows_every_field_and_which_are_not_sent() -> None:
    form = Form((NAME, FRUIT, TextField(name="pin")))
    assert presenting.review(form, {"name": "Ada", "pin": "1234"}, frozenset({"pin"})) == (
        "  1. Name: Ada",
        "  2. fruit: (unanswered: nothing is sent)",
        "  3. pin: (4 characters, hidden)",
    )


def test_enter_alone_says_what_it_does() -> None:
    assert presenting.kept(NAME, "Ada") == ("  Enter keeps: Ada",)
    assert presenting.kept(NAME, None) == ()
    assert presenting.kept(FRUIT, None) == ("  Enter leaves it unanswered",)


def test_a_confirmation_says_what_is_confirmed() -> None:
    assert presenting.confirmation("Delete\n4 rows?", "yes") == "Send: Yes - Delete 4 rows?"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (-3, "0 s left"),
        (59.9, "59 s left"),
        (272, "4 min 32 s left"),
        (7500, "2 h 5 min left"),
        (180000, "2 d 2 h left"),
    ],
)
def test_the_time_left_is_told_in_words(seconds: float | None, words: str) -> None:
    assert presenting.time_left(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"), [(0, ""), (1, "1 more question waits"), (3, "3 more questions wait")]
)
def test_the_waiting_are_counted(count: int, words: str) -> None:
    assert presenting.waiting(count) == words


def test_a_quoted_question_is_one_short_line_without_escape_codes() -> None:
    quoted = presenting.quoted(FormQuestion("One\n\x1b[2Jtwo " + "x" * 500, Form((NAME,))))
    assert quoted.startswith("'One two x")
    assert len(quoted) <= 122


def test_what_does_not_fit_is_told_by_field_and_kind_without_values() -> None:
    problems = [Problem("a", "type", "yes or no", "text"), Problem("b\n", "required", "x", "none")]
    assert presenting.unfit(problems, Form()) == (
        "a: expected yes or no, got text",
        "b : expected x, got none",
    )


FEW = (Choice("eu-1", "Europe"), Choice("us\x1b[2J"))
MANY = tuple(Choice(f"c{number}") for number in range(11))


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        (ChoiceField("x", required=True, choices=FEW), "hunter2", 'one of "eu-1", "us\\u001b[2J"'),
        (
            ChoiceField("x", required=True, choices=MANY),
            None,
            'one of "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7" and 3 more',
        ),
        (
            ChoicesField("x", required=True, choices=FEW[:1]),
            ["hunter2"],
            'a list of some of "eu-1"',
        ),
        (FlagField("x", required=True), None, "true or false"),
        (NumberField("x", required=True, integer=True, minimum=1), None, "a whole number of at least 1"),
        (TextField("x", required=True), None, "any text"),
        (TextField("x", required=True, max_length=3), "hunter2", "at most 3 characters"),
    ],
)
def test_who_answers_without_seeing_the_form_is_told_what_would_fit(
    field: Field, value: object, expected: str
) -> None:
    form = Form((field,))
    with pytest.raises(InvalidAnswer) as invalid:
        check(form, {} if value is None else {"x": value})
    (line,) = presenting.unfit(invalid.value.problems, form)
    assert line.startswith(f"x: expected {expected}, got ")
    assert "hunter2" not in line
