"""A person names a choice: by what they see first, by its number, by what stands behind it last."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.choosing import NOTHING, read_one, read_several, show_one, show_several
from askfirst.core.fields import Choice

FRUIT = (Choice("a", "Apple"), Choice("b", "Berry, red"), Choice("c"))
RATINGS = (Choice("3"), Choice("2"), Choice("1"))
CROSSED = (Choice("2", "Two"), Choice("1", "One"))
SWAPPED = (Choice("yes", "No"), Choice("no", "Yes"))
SAME = (Choice("a", "Chris"), Choice("b", "Chris"), Choice("c", "chris"))


@pytest.mark.parametrize(
    ("choices", "text", "value"),
    [
        (FRUIT, "Apple", "a"),
        (FRUIT, " apple ", "a"),
        (FRUIT, "berry, RED", "b"),
        (FRUIT, "a", "a"),
        (FRUIT, "B", "b"),
        (FRUIT, "C", "c"),
        (FRUIT, "2", "b"),
        (FRUIT, "#3", "c"),
        (FRUIT, "0", None),
        (FRUIT, "4", None),
        (FRUIT, "pear", None),
        (RATINGS, "3", "3"),
        (RATINGS, "#3", "1"),
        (SWAPPED, "yes", "no"),
        (SWAPPED, "No", "yes"),
        (CROSSED, "1", None),
        (CROSSED, "#1", "2"),
        (SAME, "Chris", None),
        (SAME, "chris", "c"),
        (SAME, "CHRIS", None),
        (SAME, "2", "b"),
        (SAME, "b", "b"),
    ],
)
def test_a_choice_is_read_by_label_then_number_then_value(
    choices: tuple[Choice, ...], text: str, value: str | None
) -> None:
    assert read_one(choices, text) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Apple", ["a"]),
        ("c, apple", ["c", "a"]),
        ("Berry, red, Apple", ["b", "a"]),
        ("1,2,3", ["a", "b", "c"]),
        (",a,,c,", ["a", "c"]),
        ("a, a", ["a", "a"]),
        ("a, pear", None),
        ("Berry", None),
    ],
)
def test_several_choices_have_commas_between_them(text: str, values: list[str] | None) -> None:
    assert read_several(FRUIT, text) == values


def test_a_choice_is_shown_by_label_where_that_can_be_read_back() -> None:
    assert [show_one(FRUIT, one) for one in "abc"] == ["Apple", "Berry, red", "c"]
    assert [show_one(SAME, one) for one in "abc"] == ["a", "b", "chris"]
    assert show_one((Choice(""), Choice("1")), "") == "#1"


def test_a_value_that_is_no_choice_is_shown_as_it_is() -> None:
    assert show_one(FRUIT, "z") == "z"
    assert show_several(FRUIT, ["z", "a"]) == "z, #1"


def test_a_choice_that_no_text_names_is_shown_by_its_value() -> None:
    assert show_one((Choice("", "x"), Choice("b", "x"), Choice("c", "#1")), "") == ""


def test_several_are_shown_by_name_or_where_names_run_together_by_number() -> None:
    assert show_several(FRUIT, ["b", "a"]) == "Berry, red, Apple"
    assert show_several((Choice("a"), Choice("b"), Choice("a, b")), ["a", "b"]) == "#1, #2"
    assert show_several(FRUIT, []) == NOTHING


def test_a_long_list_is_shown_and_read_without_looking_through_it_again_and_again() -> None:
    many = tuple(Choice(f"v{number}") for number in range(20_000))
    codes = [one.value for one in many]
    assert read_several(many, show_several(many, codes)) == codes


def test_a_name_of_very_many_commas_is_read_by_its_number_among_several() -> None:
    choices = (Choice("a"), Choice("," * 20 + "b"))
    assert read_one(choices, "," * 20 + "b") == "," * 20 + "b"
    assert show_several(choices, ["," * 20 + "b", "a"]) == "#2, #1"


CODES = st.lists(st.text("abAB12, ", max_size=3), min_size=1, max_size=5, unique=True)


@given(CODES, st.data())
def test_what_is_shown_is_read_as_the_same_choice(codes: list[str], data: st.DataObject) -> None:
    titles = st.none() | st.text("abAB12, ", max_size=3)
    choices = tuple(Choice(code, data.draw(titles)) for code in codes)
    value = data.draw(st.sampled_from(codes))
    assert read_one(choices, show_one(choices, value)) == value
    values = data.draw(st.lists(st.sampled_from(codes), min_size=1, unique=True))
    assert read_several(choices, show_several(choices, values)) == values
