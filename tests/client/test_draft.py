"""A draft: what is shown is what is sent."""

import pytest

from askfirst.client.draft import Draft
from askfirst.core.answers import Value
from askfirst.core.errors import Problem
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField

CHOICES = (Choice("a"), Choice("b"))
TEXT = TextField(name="text")
NUMBER = NumberField(name="number", integer=True, maximum=9)
FORM = Form((TEXT, NUMBER, FlagField(name="flag"), ChoicesField(name="many", choices=CHOICES)))


def test_nothing_is_filled_in_that_has_no_default() -> None:
    draft = Draft(FORM)
    assert draft.content() == {}
    assert draft.problems() == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (TextField(name="x", default=""), ""),
        (NumberField(name="x", default=0), 0),
        (FlagField(name="x", default=False), False),
        (ChoiceField(name="x", choices=CHOICES, default="b"), "b"),
        (ChoicesField(name="x", choices=CHOICES, default=()), []),
    ],
)
def test_each_default_is_filled_in_and_sent(field: TextField, value: Value) -> None:
    assert Draft(Form((field,))).content() == {"x": value}


def test_clearing_makes_a_field_unanswered_even_one_with_a_default() -> None:
    field = TextField(name="x", default="before")
    draft = Draft(Form((field,)))
    draft.put(field, None)
    draft.put(field, None)
    assert draft.content() == {}
    assert draft.value(field) is None


def test_typed_text_becomes_a_value_and_empty_text_unanswers() -> None:
    draft = Draft(FORM)
    assert draft.enter(NUMBER, "7") is None
    assert draft.content() == {"number": 7}
    assert draft.enter(NUMBER, "") is None
    assert draft.content() == {}


def test_text_that_is_no_value_changes_nothing() -> None:
    draft = Draft(FORM)
    draft.enter(NUMBER, "7")
    assert isinstance(draft.enter(NUMBER, "12"), Problem)
    assert draft.content() == {"number": 7}


def test_a_required_field_stands_against_sending_until_it_is_answered() -> None:
    field = TextField(name="x", required=True)
    draft = Draft(Form((field,)))
    assert [problem.what for problem in draft.problems()] == ["required"]
    draft.put(field, "here")
    assert draft.problems() == ()


def test_what_was_picked_is_checked_too() -> None:
    field = ChoicesField(name="x", choices=CHOICES, min_items=2)
    draft = Draft(Form((field,)))
    draft.put(field, ["a"])
    assert [problem.what for problem in draft.problems()] == ["minItems"]


def test_content_comes_in_the_order_of_the_fields() -> None:
    draft = Draft(FORM)
    draft.enter(NUMBER, "1")
    draft.enter(TEXT, "x")
    assert list(draft.content()) == ["text", "number"]
