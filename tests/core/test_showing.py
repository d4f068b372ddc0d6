"""The words for a question's parts: hostile text as text, nothing hidden but what must be."""

import pytest

from askfirst.core import showing
from askfirst.core.answers import Value
from askfirst.core.errors import InvalidUrl, Problem
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
from askfirst.core.questions import FormQuestion, UrlQuestion

NAME = TextField(name="name", title="Name", required=True)
FRUIT = ChoiceField(name="fruit", choices=(Choice("a", "Apple"), Choice("plain")))


def test_server_text_becomes_one_line_without_escapes() -> None:
    assert showing.one_line("a\x1b[31m b\n\n c\u202e") == "a b c\u2039U+202E\u203a"


def test_what_may_be_left_out_says_so() -> None:
    assert showing.label(NAME) == "Name"
    assert showing.label(FRUIT) == "fruit (optional)"


def test_a_title_of_blanks_is_no_title() -> None:
    assert showing.title(TextField(name="x", title=" \n ")) == "x"


def test_advice_says_what_to_do() -> None:
    assert showing.advice(Problem("name", "required", "an answer", "none"), NAME) == "Write something."


def test_a_choice_shows_the_code_that_is_sent_where_its_label_is_another() -> None:
    assert [*map(showing.choice_text, FRUIT.choices)] == ["Apple  [a]", "plain"]


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        (NAME, None, showing.UNANSWERED),
        (NAME, "", '"" (empty text)'),
        (NAME, "two\nlines", "two / lines"),
        (NAME, "\x1b[2Jx", "x"),
        (NumberField(name="x"), 0, "0"),
        (FlagField(name="x"), False, "no"),
        (FRUIT, "a", "Apple"),
        (ChoicesField(name="x", choices=FRUIT.choices), [], "(none chosen)"),
        (ChoicesField(name="x", choices=FRUIT.choices), ["a", "plain"], "Apple, plain"),
    ],
)
def test_a_value_is_shown_as_a_person_reads_it(field: Field, value: Value | None, shown: str) -> None:
    assert showing.shown(field, value) == shown


def test_a_hidden_value_is_shown_by_its_length_alone() -> None:
    assert showing.shown(NAME, "hunter2", hidden=True) == "(7 characters, hidden)"
    assert showing.shown(NAME, None, hidden=True) == showing.UNANSWERED


@pytest.mark.parametrize(
    ("fields", "is_one"),
    [((), True), ((FlagField(name="x"),), True), ((NAME,), False), ((FlagField(name="x"), NAME), False)],
)
def test_a_confirmation_has_no_field_or_a_single_flag(fields: tuple[Field, ...], is_one: bool) -> None:
    assert showing.is_confirmation(Form(fields)) is is_one


def test_a_form_that_seems_to_ask_for_a_secret_is_cautioned_about_and_its_field_hidden() -> None:
    question = FormQuestion("Hello", Form((TextField(name="api_key"), NAME)))
    (caution,) = showing.cautions(question)
    assert '"api_key"' in caution
    assert showing.hidden_fields(question) == {"api_key"}


def test_a_caution_is_short_however_many_fields_it_is_about() -> None:
    fields = tuple(TextField(name=f"password_{number}_{'y' * 300}") for number in range(60))
    (caution,) = showing.cautions(FormQuestion("Hello", Form(fields)))
    assert '"password_0_yyy' in caution
    assert '..." (a password) and 55 more. The protocol forbids' in caution
    assert len(caution) < 700


def test_a_message_that_seems_to_ask_for_a_secret_is_cautioned_about() -> None:
    (caution,) = showing.cautions(FormQuestion("Your password, please", Form((TextField(name="value"),))))
    assert "the message" in caution


def test_an_honest_form_needs_no_caution() -> None:
    question = FormQuestion("Hello", Form((NAME,)))
    assert showing.cautions(question) == ()
    assert showing.hidden_fields(question) == frozenset()


def test_an_address_is_cautioned_about_where_it_is_odd_and_hides_no_field() -> None:
    question = UrlQuestion("Sign in", "http://good.example@evil.example/")
    assert any("login" in caution for caution in showing.cautions(question))
    assert showing.hidden_fields(question) == frozenset()


def test_an_address_with_two_readings_is_not_shown() -> None:
    with pytest.raises(InvalidUrl):
        showing.cautions(UrlQuestion("Sign in", "https://a.example\\@b.example/"))


def test_a_host_in_other_letters_is_shown_in_both_forms() -> None:
    assert showing.host("https://例え.jp/") == "例え.jp (xn--r8jz45g.jp)"
    assert showing.host("https://example.org/") == "example.org"


def test_advice_about_a_pattern_of_the_server_s_is_one_safe_line() -> None:
    field = TextField(name="x", pattern="a\x1b[2J\nb")
    assert "\x1b" not in showing.advice(Problem("x", "pattern", "x", "y"), field)
    assert "\n" not in showing.advice(Problem("x", "type", "x", "y"), field)
