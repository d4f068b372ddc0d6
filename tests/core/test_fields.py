"""Forms and fields: what can't be built, and that what can be built can be answered."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given

import strategies
from askfirst.core.checking import check_value
from askfirst.core.errors import InvalidForm, Problem
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Deviation,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)

AB = (Choice("a"), Choice("b", "The second"))
EACH_KIND = [kind("x") for kind in (TextField, NumberField, FlagField, ChoiceField, ChoicesField)]


def broken(*fields: Field) -> list[tuple[str, str]]:
    with pytest.raises(InvalidForm) as caught:
        Form(fields)
    return [(problem.field, problem.what) for problem in caught.value.problems]


def test_a_form_gives_its_fields_by_name() -> None:
    form = Form((FlagField(name="sure"), TextField(name="why")))
    assert form["why"] == TextField(name="why")
    with pytest.raises(KeyError):
        form["how"]


def test_a_form_names_its_required_fields_in_order() -> None:
    form = Form((FlagField(name="b", required=True), FlagField(name="c"), FlagField(name="a", required=True)))
    assert form.required == ("b", "a")


def test_how_a_form_was_read_does_not_count_when_forms_are_compared() -> None:
    assert Form(deviations=(Deviation("", "title", "left out"),)) == Form()
    assert Form(closed=True) != Form()


def test_a_form_can_not_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Form().fields = ()  # type: ignore[misc]


@pytest.mark.parametrize("one", [*EACH_KIND, Choice("a")])
def test_nothing_in_a_form_can_be_changed(one: Any) -> None:
    for part in (*one._fields, "another"):
        with pytest.raises(AttributeError):
            setattr(one, part, None)


def test_fields_of_two_kinds_are_never_the_same() -> None:
    assert len({*EACH_KIND}) == len(EACH_KIND)


def test_a_choice_is_shown_by_its_title_or_by_its_value() -> None:
    assert [choice.label for choice in AB] == ["a", "The second"]
    assert Choice("a", "").label == ""


def test_every_contradiction_of_every_field_is_named_at_once() -> None:
    assert broken(
        FlagField(name="x"),
        TextField(name="x", min_length=3, max_length=2),
        NumberField(name="n", minimum=1, maximum=0, default=float("nan")),
    ) == [("x", "name"), ("x", "minLength"), ("n", "minimum"), ("n", "default")]


@pytest.mark.parametrize(
    ("field", "what"),
    [
        (TextField(name="f", min_length=-1), "minLength"),
        (TextField(name="f", max_length=-1), "maxLength"),
        (TextField(name="f", min_length=2, max_length=1), "minLength"),
        (TextField(name="f", min_length=2, default="x"), "default"),
        (TextField(name="f", max_length=1, default="xy"), "default"),
        (TextField(name="f", format="date", default="2026-02-30"), "default"),
        (TextField(name="f", default="\ud800"), "default"),
        (NumberField(name="f", minimum=float("-inf")), "minimum"),
        (NumberField(name="f", maximum=float("nan")), "maximum"),
        (NumberField(name="f", minimum=2, maximum=1.5), "minimum"),
        (NumberField(name="f", integer=True, minimum=0.2, maximum=0.8), "minimum"),
        (NumberField(name="f", default=float("inf")), "default"),
        (NumberField(name="f", integer=True, default=1.5), "default"),
        (NumberField(name="f", minimum=1, default=0), "default"),
        (NumberField(name="f", maximum=1, default=2), "default"),
        (ChoiceField(name="f", choices=()), "enum"),
        (ChoiceField(name="f", choices=(Choice("a"), Choice("a", "again"))), "enum"),
        (ChoiceField(name="f", choices=AB, default="The second"), "default"),
        (ChoicesField(name="f", choices=()), "enum"),
        (ChoicesField(name="f", choices=(*AB, *AB)), "enum"),
        (ChoicesField(name="f", choices=AB, min_items=-1), "minItems"),
        (ChoicesField(name="f", choices=AB, max_items=-1), "maxItems"),
        (ChoicesField(name="f", choices=AB, min_items=2, max_items=1), "minItems"),
        (ChoicesField(name="f", choices=AB, min_items=3), "minItems"),
        (ChoicesField(name="f", choices=AB, default=("c",)), "default"),
        (ChoicesField(name="f", choices=AB, default=("a", "a")), "default"),
        (ChoicesField(name="f", choices=AB, min_items=1, default=()), "default"),
    ],
)
def test_a_field_that_contradicts_itself_is_no_part_of_a_form(field: Field, what: str) -> None:
    assert broken(field) == [("f", what)]


@pytest.mark.parametrize(
    "field",
    [
        TextField(name=""),
        TextField(name="f", min_length=0, max_length=0, default=""),
        TextField(name="f", max_length=2, default="🙂é"),
        TextField(name="f", format="colour", default="blue"),
        NumberField(name="f", integer=True, minimum=0.5, maximum=1, default=1),
        NumberField(name="f", integer=True, default=3.0),
        NumberField(name="f", minimum=-(10**400), maximum=10**400, default=10**400),
        FlagField(name="f", default=False),
        ChoiceField(name="f", choices=AB, default="b"),
        ChoicesField(name="f", choices=AB, min_items=2, max_items=5, default=("b", "a")),
        ChoicesField(name="f", choices=AB, max_items=0, default=()),
    ],
)
def test_an_unusual_field_that_can_be_answered_is_fine(field: Field) -> None:
    assert Form((field,)).fields == (field,)


def test_a_contradiction_is_told_without_the_default() -> None:
    with pytest.raises(InvalidForm) as caught:
        Form((TextField(name="f", max_length=3, default="tulips"),))
    assert "tulips" not in str(caught.value)
    assert caught.value.problems == (Problem("f", "default", "as many characters as the lengths allow", "6"),)


@given(strategies.forms())
def test_every_default_could_be_sent_as_it_stands(form: Form) -> None:
    for one in form.fields:
        if one.default is not None:
            value = list(one.default) if isinstance(one.default, tuple) else one.default
            assert not isinstance(check_value(one, value), Problem)
