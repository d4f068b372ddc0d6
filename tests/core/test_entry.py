"""Typed-in text to value and back, and the words beside a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.checking import check_value
from askfirst.core.entry import describe, explain, read_text, show_value
from askfirst.core.errors import Problem
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

TEXT = TextField(name="t")
DATE = TextField(name="d", format="date")
WHOLE = NumberField(name="n", integer=True)
NUMBER = NumberField(name="x")
FLAG = FlagField(name="f")
CHOICES = (Choice("a", "Apple"), Choice("b", "Berry"), Choice("c"))
ONE = ChoiceField(name="c", choices=CHOICES)
SEVERAL = ChoicesField(name="s", choices=CHOICES, max_items=2)


@pytest.mark.parametrize(
    ("one", "text", "value"),
    [
        (TEXT, " two  words \n", " two  words \n"),
        (TEXT, "  ", "  "),
        (TEXT, '""', ""),
        (TEXT, '"""', '"'),
        (TEXT, '"', '"'),
        (TEXT, '"a"', '"a"'),
        (TextField(name="p", format="password"), " x ", " x "),
        (DATE, " 2026-12-31\n", "2026-12-31"),
        (WHOLE, " 3 ", 3),
        (WHOLE, "-0", 0),
        (WHOLE, "+3.0", 3),
        (WHOLE, "1e3", 1000),
        (WHOLE, "120e-1", 12),
        (WHOLE, "12345678901234567890.0", 12345678901234567890),
        (WHOLE, "9" * 400, int("9" * 400)),
        (NUMBER, "3", 3),
        (NUMBER, "3.0", 3.0),
        (NUMBER, ".5", 0.5),
        (NUMBER, "5.", 5.0),
        (NUMBER, "1e-7", 1e-7),
        (FLAG, "Y", True),
        (FLAG, " yes ", True),
        (FLAG, "TRUE", True),
        (FLAG, "1", True),
        (FLAG, "No", False),
        (FLAG, "n", False),
        (FLAG, "false", False),
        (FLAG, "0", False),
        (ONE, "apple", "a"),
        (ONE, "2", "b"),
        (SEVERAL, "Apple, 3", ["a", "c"]),
        (SEVERAL, '""', []),
    ],
)
def test_text_stands_for_a_value(one: Field, text: str, value: object) -> None:
    read = read_text(one, text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize("one", [TEXT, DATE, WHOLE, NUMBER, FLAG, ONE, SEVERAL])
def test_empty_text_leaves_a_field_unanswered(one: Field) -> None:
    assert read_text(one, "") is None
    assert one is TEXT or read_text(one, " \t\n") is None


@pytest.mark.parametrize(
    ("one", "text", "what"),
    [
        (WHOLE, text, "type")
        for text in ["1_000", "\uff10", "nan", "inf", "7.5", "1.00000000000000000001", "1e999", "-"]
    ]
    + [(WHOLE, text, "type") for text in ["1,5", "0x10", "9" * 5000, "1 2", ".", "e3", "1e", "1e9999"]]
    + [(NUMBER, text, "type") for text in ["NaN", "-Infinity", "1e999", "1_0", "\u0663", "one"]]
    + [(FLAG, "maybe", "type"), (ONE, "pear", "enum"), (ONE, "4", "enum"), (SEVERAL, "a, pear", "enum")]
    + [
        (SEVERAL, "a,b,c", "maxItems"),
        (SEVERAL, "a,a", "uniqueItems"),
        (DATE, "soon", "format"),
        (DATE, '""', "format"),
    ]
    + [
        (NumberField(name="n", maximum=3), "4", "maximum"),
        (TextField(name="t", min_length=1), '""', "minLength"),
    ],
)
def test_text_that_stands_for_nothing_or_does_not_fit_is_a_problem(one: Field, text: str, what: str) -> None:
    problem = read_text(one, text)
    assert isinstance(problem, Problem)
    assert (problem.field, problem.what) == (one.name, what)


@given(strategies.forms(), st.text(min_size=12, alphabet="qzxv7351"))
def test_what_was_typed_is_in_no_problem(form: Form, text: str) -> None:
    read = [read_text(one, text) for one in form.fields]
    assert text not in repr([one for one in read if isinstance(one, Problem)])


@given(strategies.forms(), st.data())
def test_what_is_shown_is_read_as_the_same_value(form: Form, data: st.DataObject) -> None:
    for one in form.fields:
        value = check_value(one, data.draw(strategies.values(one)))
        assert not isinstance(value, Problem)
        again = read_text(one, show_value(one, value))
        assert (again, type(again)) == (value, type(value))


@given(st.text('"a', max_size=6))
def test_quotes_are_shown_so_that_they_come_back(text: str) -> None:
    assert read_text(TEXT, show_value(TEXT, text)) == text


@given(strategies.forms(), st.text())
def test_any_text_is_read(form: Form, text: str) -> None:
    for one in form.fields:
        read_text(one, text)


def test_a_value_of_another_kind_is_still_shown() -> None:
    assert show_value(TEXT, ["a", "b"]) == "a, b"
    assert show_value(FLAG, True) == "yes"
    assert show_value(FLAG, False) == "no"


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (TEXT, "any text"),
        (TextField(name="t", min_length=2, max_length=20), "2 to 20 characters"),
        (TextField(name="t", min_length=0, max_length=1), "up to 1 character"),
        (TextField(name="t", min_length=1), "at least 1 character"),
        (TextField(name="t", min_length=1, max_length=1), "1 character"),
        (TextField(name="t", min_length=0), "any text"),
        (TextField(name="t", pattern="^a"), "any text, in the pattern ^a"),
        (DATE, "a date such as 2026-12-31"),
        (
            TextField(name="e", format="email", max_length=40),
            "an e-mail address such as ada@example.org, up to 40 characters",
        ),
        (WHOLE, "a whole number"),
        (NumberField(name="n", integer=True, minimum=1, maximum=10), "a whole number from 1 to 10"),
        (NumberField(name="n", minimum=0), "a number of at least 0"),
        (NumberField(name="n", maximum=1.5), "a number up to 1.5"),
        (NumberField(name="n", minimum=3, maximum=3), "the number 3"),
        (FLAG, "yes or no"),
        (ONE, "choose one of 3"),
        (SEVERAL, "choose up to 2"),
        (ChoicesField(name="s", choices=CHOICES), "choose any number"),
        (ChoicesField(name="s", choices=CHOICES, min_items=1), "choose at least 1"),
        (ChoicesField(name="s", choices=CHOICES, min_items=1, max_items=3), "choose 1 to 3"),
        (ChoicesField(name="s", choices=CHOICES, min_items=2, max_items=2), "choose 2"),
    ],
)
def test_a_field_says_what_may_be_given(one: Field, words: str) -> None:
    assert describe(one) == words


def problem_of(one: Field, value: object) -> Problem:
    problem = check_value(one, value)
    assert isinstance(problem, Problem)
    return problem


@pytest.mark.parametrize(
    ("one", "value", "words"),
    [
        (TextField(name="t", min_length=2), "a", "Make it longer: at least 2 characters."),
        (TextField(name="t", max_length=2), "abc", "Make it shorter: at most 2 characters."),
        (TextField(name="t", pattern="^a"), "b", "Write it another way: text that matches ^a."),
        (TEXT, "\ud83d", "Type it again: one of its characters is broken."),
        (DATE, "soon", "Give a date such as 2026-12-31."),
        (WHOLE, 1.5, "Give a whole number."),
        (NumberField(name="n", minimum=1), 0, "Give a larger number: at least 1."),
        (NumberField(name="n", maximum=9), 10, "Give a smaller number: at most 9."),
        (FLAG, "maybe", "Answer yes or no."),
        (ONE, "pear", "Choose one of 3 from the list."),
        (SEVERAL, ["a", "a"], "Choose each one once."),
        (SEVERAL, ["a", "b", "c"], "Choose fewer: at most 2 of them."),
        (ChoicesField(name="s", choices=CHOICES, min_items=1), [], "Choose more: at least 1 of them."),
    ],
)
def test_a_problem_says_what_to_do(one: Field, value: object, words: str) -> None:
    assert explain(problem_of(one, value), one) == words


def test_an_answer_that_is_missing_is_asked_for() -> None:
    missing = Problem("c", "required", "an answer", "none")
    assert explain(missing, ONE) == "Choose one of 3 from the list."
    assert explain(missing, SEVERAL) == "Choose up to 2 from the list."
    assert explain(missing, ChoicesField(name="c", choices=CHOICES)) == (
        "Choose some from the list, or none of them."
    )
    assert explain(missing, TEXT) == "Write something."
    assert explain(missing, TextField(name="c", max_length=500)) == "Write something: up to 500 characters."
    assert explain(missing, DATE) == "Give a date such as 2026-12-31."
    assert explain(missing, None) == "Give an answer."
    assert (
        explain(Problem("", "additionalProperties", "none", "1 more"), None)
        == "Leave out what was not asked for."
    )


@given(strategies.forms(), st.data())
def test_no_explanation_blames_or_begs(form: Form, data: st.DataObject) -> None:
    for one in form.fields:
        problem = check_value(one, data.draw(strategies.json_values))
        if isinstance(problem, Problem):
            said = explain(problem, one).lower()
            assert not [word for word in ("invalid", "please", "required", "error", "must") if word in said]
