"""Content that fits its form, and content that does not: one set of rules for both sides."""

import json
from math import inf, nan
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.checking import check, check_value
from askfirst.core.errors import InvalidAnswer, Problem
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.patterns import MOST_STEPS
from askfirst.core.revisions import NEWEST_DIALECT
from askfirst.core.schema import write_schema

TEXT = TextField(name="t", min_length=2, max_length=4)
WHOLE = NumberField(name="n", integer=True, minimum=1, maximum=10)
NUMBER = NumberField(name="x", minimum=0.5, maximum=3.2)
FLAG = FlagField(name="f")
ONE = ChoiceField(name="c", choices=(Choice("a", "Apple"), Choice("b", "Berry")))
SEVERAL = ChoicesField(name="s", choices=(*ONE.choices, Choice("d")), min_items=1, max_items=2)
FORM = Form((TEXT, WHOLE, NUMBER, FLAG, ONE, SEVERAL))


def problems_of(form: Form, content: object) -> tuple[Problem, ...]:
    """What does not fit, if anything."""
    try:
        check(form, content)
    except InvalidAnswer as wrong:
        return wrong.problems
    return ()


def broken(form: Form, content: object) -> list[tuple[str, str]]:
    """Field and rule of each problem; there must be one."""
    problems = problems_of(form, content)
    assert problems
    return [(problem.field, problem.what) for problem in problems]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("t", "ab"),
        ("t", "😀😀😀😀"),
        ("n", 1),
        ("n", 10),
        ("x", 0.5),
        ("x", 3.2),
        ("x", 1),
        ("f", False),
        ("c", "a"),
        ("s", ["d"]),
        ("s", ["b", "a"]),
    ],
)
def test_a_value_within_its_bounds_is_taken_as_it_is(name: str, value: Any) -> None:
    assert check(FORM, {name: value}) == {name: value}
    assert check_value(FORM[name], value) == value


@pytest.mark.parametrize(
    ("name", "value", "whats"),
    [
        ("t", 5, ["type"]),
        ("t", ["ab"], ["type"]),
        ("t", "a", ["minLength"]),
        ("t", "abcde", ["maxLength"]),
        ("t", "a\ud83d", ["unicode"]),
        ("n", True, ["type"]),
        ("n", "1", ["type"]),
        ("n", 1.5, ["type"]),
        ("n", nan, ["type"]),
        ("n", inf, ["type"]),
        ("n", 0, ["minimum"]),
        ("n", 11.0, ["maximum"]),
        ("n", 10**400, ["maximum"]),
        ("n", -(10**4000), ["minimum"]),
        ("x", False, ["type"]),
        ("x", -inf, ["type"]),
        ("x", 3.2000000000000006, ["maximum"]),
        ("x", {}, ["type"]),
        ("f", 1, ["type"]),
        ("f", "true", ["type"]),
        ("c", "Apple", ["enum"]),
        ("c", "A", ["enum"]),
        ("c", 1, ["type"]),
        ("c", ["a"], ["type"]),
        ("s", "a", ["type"]),
        ("s", ["a", 1], ["type"]),
        ("s", ["a", ["b"]], ["type"]),
        ("s", [], ["minItems"]),
        ("s", ["a", "b", "d"], ["maxItems"]),
        ("s", ["a", "a"], ["uniqueItems"]),
        ("s", ["Apple"], ["enum"]),
        ("s", ["z", "z", "a"], ["enum", "uniqueItems", "maxItems"]),
        ("s", object(), ["type"]),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_the_rules_it_breaks(
    name: str, value: Any, whats: list[str]
) -> None:
    assert broken(FORM, {name: value}) == [(name, what) for what in whats]
    first = check_value(FORM[name], value)
    assert isinstance(first, Problem)
    assert (first.field, first.what) == (name, whats[0])


def test_a_whole_number_comes_back_as_an_int() -> None:
    values = check(FORM, {"n": 3.0, "x": 3.0})
    assert (type(values["n"]), type(values["x"])) == (int, float)


@pytest.mark.parametrize("value", [10**400, -(10**400), 1e308, -0.0, 5e-324])
def test_a_number_without_bounds_may_have_any_size(value: float) -> None:
    assert check(Form((NumberField(name="x"),)), {"x": value}) == {"x": value}


def test_text_without_bounds_may_have_any_length() -> None:
    assert check(Form((TextField(name="t"),)), {"t": "a" * 100_000}) == {"t": "a" * 100_000}


def test_a_format_is_checked_and_an_unknown_one_restricts_nothing() -> None:
    form = Form((TextField(name="d", format="date"), TextField(name="p", format="password")))
    assert check(form, {"d": "2026-12-31", "p": "x"}) == {"d": "2026-12-31", "p": "x"}
    assert broken(form, {"d": "2026-02-30"}) == [("d", "format")]


def test_a_pattern_is_searched_for_and_one_that_can_not_be_checked_here_restricts_nothing() -> None:
    form = Form((TextField(name="p", pattern=r"\d\d"), TextField(name="q", pattern=r"(a)\1")))
    assert check(form, {"p": "room 12", "q": "b"}) == {"p": "room 12", "q": "b"}
    assert broken(form, {"p": "room 1"}) == [("p", "pattern")]


def test_length_is_no_way_round_a_pattern() -> None:
    form = Form((TextField(name="p", pattern="^[a-z]*$"),))
    assert broken(form, {"p": "a" * MOST_STEPS}) == [("p", "pattern")]


def test_all_that_is_wrong_with_a_text_is_said() -> None:
    form = Form((TextField(name="d", format="date", pattern="^2", max_length=3),))
    assert broken(form, {"d": "soon"}) == [("d", "maxLength"), ("d", "format"), ("d", "pattern")]


REQUIRED = Form((TextField(name="a", required=True), TextField(name="b"), FlagField(name="c", required=True)))


def test_what_must_be_answered_and_is_not_is_named() -> None:
    assert broken(REQUIRED, {"b": "x"}) == [("a", "required"), ("c", "required")]


def test_nothing_at_all_is_an_empty_form() -> None:
    assert broken(REQUIRED, None) == [("a", "required"), ("c", "required")]
    assert check(Form(), None) == check(Form(), {}) == {}


def test_null_leaves_a_field_out_and_answers_no_required_one() -> None:
    assert check(REQUIRED, {"a": "x", "b": None, "c": False}) == {"a": "x", "c": False}
    assert broken(REQUIRED, {"a": "x", "c": None}) == [("c", "required")]


@pytest.mark.parametrize("content", [[], ["a"], "a", True, 3, '{"a": "x"}', ()])
def test_content_that_is_no_object_is_one_problem(content: object) -> None:
    assert broken(REQUIRED, content) == [("", "type")]


def test_extra_fields_are_left_out() -> None:
    content = {"z": 1, "b": "x", "a": "y", "c": True, "_client": {}}
    assert check(REQUIRED, content) == {"a": "y", "b": "x", "c": True}


def test_a_closed_form_takes_no_extra_fields() -> None:
    closed = Form((FLAG,), closed=True)
    assert check(closed, {"f": True}) == {"f": True}
    assert broken(closed, {"f": True, "g": 1}) == [("", "additionalProperties")]


def test_values_come_in_the_order_of_the_form() -> None:
    assert list(check(FORM, {"f": True, "n": 1, "t": "ab"})) == ["t", "n", "f"]


def test_many_forms_are_kept_apart() -> None:
    forms = [Form((NumberField(name="n", minimum=low),)) for low in range(600)]
    for low, form in enumerate(forms):
        assert check(form, {"n": low}) == {"n": low}
        assert broken(form, {"n": low - 1}) == [("n", "minimum")]


def test_the_content_and_the_list_it_holds_are_not_handed_on() -> None:
    content = {"s": ["a"]}
    values = check(FORM, content)
    assert values is not content
    assert values["s"] is not content["s"]


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (True, "a boolean"),
        (7, "a whole number"),
        (7.0, "a whole number"),
        (7.5, "a number with a fraction"),
        (nan, "a number that is not finite"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "an object with 1 member"),
        ({}, "an object with 0 members"),
        (b"x", "something that JSON has no word for"),
    ],
)
def test_what_came_is_told_by_its_kind(value: object, got: str) -> None:
    problem = check_value(TEXT, value)
    assert isinstance(problem, Problem)
    assert problem.got == got


def test_a_text_is_told_by_its_length() -> None:
    problem = check_value(TEXT, "ä")
    assert str(problem) == "t: expected at least 2 characters, got text of 1 character"
    alone = check_value(ChoiceField(name="c", choices=(Choice("a"),)), "bb")
    assert str(alone) == "c: expected the only choice, got text of 2 characters"


SECRET = "qzxv-7351-wkjy"
SECRETS = st.sampled_from(
    [SECRET, 735198264103, 735198264.103, [SECRET, SECRET], {SECRET: SECRET}, [[SECRET]]]
)


@given(strategies.forms(), st.data())
def test_no_value_is_in_an_error_or_a_repr(form: Form, data: st.DataObject) -> None:
    content = {one.name: data.draw(SECRETS) for one in form.fields} | {"zz": SECRET}
    try:
        check(form, content)
        said = ""
    except InvalidAnswer as wrong:
        said = f"{wrong!r} {wrong} {wrong.problems!r}"
    assert SECRET not in said
    assert "735198264" not in said


@given(strategies.forms(), st.data())
def test_fitting_content_fits(form: Form, data: st.DataObject) -> None:
    content = data.draw(strategies.fitting(form))
    assert check(form, content) == content


@given(strategies.forms(), st.data())
def test_what_was_accepted_is_accepted_again_unchanged(form: Form, data: st.DataObject) -> None:
    optional = Form(tuple(one._replace(required=False) for one in form.fields))
    content = data.draw(strategies.content(form))
    for problem in problems_of(optional, content):
        content.pop(problem.field, None)
    values = check(optional, content)
    assert json.dumps(check(optional, values)) == json.dumps(values)


@given(strategies.forms(), strategies.json_values)
def test_any_json_fits_or_says_what_does_not(form: Form, content: object) -> None:
    assert problems_of(form, content) or isinstance(content, dict | None)


def is_json(content: object) -> bool:
    try:
        json.dumps(content, allow_nan=False)
    except ValueError:
        return False
    return True


@given(strategies.forms(), st.data())
def test_another_validator_is_of_the_same_opinion(form: Form, data: st.DataObject) -> None:
    content = data.draw(strategies.content(form).filter(is_json))
    schema = write_schema(form, NEWEST_DIALECT)
    for one in form.fields:  # what differs by decision: null is left out where it may be, and a set is a set
        if not one.required and content.get(one.name, 0) is None:
            del content[one.name]
        if isinstance(one, ChoicesField):
            schema["properties"][one.name]["uniqueItems"] = True
    other = jsonschema_rs.validator_for(schema, validate_formats=True)
    assert other.is_valid(content) == (not problems_of(form, content))
