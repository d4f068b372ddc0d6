"""Forms through smaller dialects, and their answers back."""

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.answers import Content
from askfirst.core.checking import check
from askfirst.core.dialects import convert
from askfirst.core.errors import InvalidAnswer
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.revisions import NEWEST_DIALECT, Dialect
from askfirst.core.schema import read_schema, write_schema

OLDEST = Dialect.D2025_06_18
TOPPINGS = ChoicesField(
    name="toppings",
    title="Toppings",
    choices=(Choice("c", "Cheese"), Choice("o"), Choice("h", "Ham")),
)


def flags(several: ChoicesField) -> list[FlagField]:
    return [one for one in convert(Form((several,)), OLDEST).form.fields if isinstance(one, FlagField)]


def test_a_form_that_can_be_carried_is_left_as_it_is() -> None:
    titled = Form((ChoiceField(name="a", choices=(Choice("x", "X"),)), FlagField(name="b", default=True)))
    assert convert(titled, OLDEST).form is titled
    full = Form((TOPPINGS, TextField(name="why", default="so")))
    assert convert(full, NEWEST_DIALECT).form is full


def test_a_choice_of_several_becomes_a_flag_a_choice_in_its_place() -> None:
    form = Form((FlagField(name="a"), TOPPINGS, FlagField(name="b")))
    assert [(one.name, one.title) for one in convert(form, OLDEST).form.fields] == [
        ("a", None),
        ("toppings_1", "Cheese"),
        ("toppings_2", "o"),
        ("toppings_3", "Ham"),
        ("b", None),
    ]


def test_no_flag_is_required_and_none_is_ticked_without_a_default() -> None:
    several = ChoicesField(name="t", choices=TOPPINGS.choices, required=True)
    assert [(one.required, one.default) for one in flags(several)] == [(False, None)] * 3


def test_a_default_becomes_the_defaults_of_the_flags() -> None:
    several = ChoicesField(name="t", choices=TOPPINGS.choices, default=("h",))
    assert [one.default for one in flags(several)] == [False, False, True]


@pytest.mark.parametrize(
    ("several", "description"),
    [
        (ChoicesField(name="t", choices=TOPPINGS.choices), "t"),
        (ChoicesField(name="t", title="Top", description="All", choices=TOPPINGS.choices), "Top: All"),
        (ChoicesField(name="t", min_items=1, choices=TOPPINGS.choices), "t (choose at least 1)"),
        (ChoicesField(name="t", min_items=1, max_items=3, choices=TOPPINGS.choices), "t (choose at least 1)"),
        (ChoicesField(name="t", max_items=2, choices=TOPPINGS.choices), "t (choose 0 to 2)"),
        (ChoicesField(name="t", min_items=2, max_items=2, choices=TOPPINGS.choices), "t (choose 2)"),
    ],
)
def test_each_flag_tells_what_it_belongs_to_and_how_many_to_choose(
    several: ChoicesField, description: str
) -> None:
    assert {one.description for one in flags(several)} == {description}


def test_flags_take_no_name_that_is_taken() -> None:
    form = Form(
        (FlagField(name="t_1"), ChoicesField(name="t", choices=(Choice("a"),)), TextField(name="t_1_"))
    )
    assert [one.name for one in convert(form, OLDEST).form.fields] == ["t_1", "t_1__", "t_1_"]


def test_choices_that_are_called_the_same_are_told_apart_by_their_values() -> None:
    several = ChoicesField(name="t", choices=(Choice("a", "Same"), Choice("b", "Same"), Choice("c", "Other")))
    assert [one.title for one in flags(several)] == ["Same (a)", "Same (b)", "Other"]


def test_defaults_that_a_dialect_has_not_go() -> None:
    form = Form(
        (
            TextField(name="a", default="x"),
            NumberField(name="b", default=1),
            FlagField(name="c", default=True),
        )
    )
    converted = convert(form, OLDEST).form
    assert [one.default for one in converted.fields] == [None, None, True]


@pytest.mark.parametrize(
    ("content", "restored"),
    [
        ({"toppings_1": True, "toppings_2": False, "toppings_3": True}, {"toppings": ["c", "h"]}),
        ({"toppings_3": True}, {"toppings": ["h"]}),
        ({"toppings_2": False}, {"toppings": []}),
        ({"why": "hungry"}, {"why": "hungry"}),
        ({"toppings": ["c"], "other": 1}, {}),
    ],
)
def test_ticked_flags_come_back_as_a_list_and_untouched_ones_as_nothing(
    content: Content, restored: Content
) -> None:
    form = Form((TOPPINGS, TextField(name="why")))
    assert convert(form, OLDEST).restore(content) == restored


def test_too_few_ticked_is_found_by_the_original_form() -> None:
    form = Form((ChoicesField(name="t", choices=TOPPINGS.choices, min_items=2, required=True),))
    converted = convert(form, OLDEST)
    for given_, what in (({"t_1": True}, "minItems"), ({}, "required")):
        with pytest.raises(InvalidAnswer) as caught:
            check(form, converted.restore(check(converted.form, given_)))
        assert [(problem.field, problem.what) for problem in caught.value.problems] == [("t", what)]


def test_a_closed_form_stays_closed() -> None:
    assert convert(Form((TOPPINGS,), closed=True), OLDEST).form.closed


@given(strategies.forms())
def test_what_was_converted_can_be_written_and_read_as_it_is(form: Form) -> None:
    converted = convert(form, OLDEST).form
    read = read_schema(write_schema(converted, OLDEST), OLDEST)
    assert read.deviations == ()
    assert convert(read, OLDEST).form is read
    assert [one.name for one in read.fields] == [one.name for one in converted.fields]


@given(st.data())
def test_what_comes_back_and_passes_fits_the_original_schema(data: st.DataObject) -> None:
    form = data.draw(strategies.forms())
    converted = convert(form, OLDEST)
    try:
        content = check(converted.form, data.draw(strategies.content(converted.form)))
        content = check(form, converted.restore(content))
    except InvalidAnswer:
        return
    assert jsonschema_rs.is_valid(write_schema(form, NEWEST_DIALECT), content)


@given(st.data())
def test_whatever_fits_the_original_can_be_said_in_the_smaller_dialect(data: st.DataObject) -> None:
    form = data.draw(strategies.forms())
    content = data.draw(strategies.fitting(form))
    converted = convert(form, OLDEST)
    small: Content = {name: value for name, value in content.items() if name not in converted.groups}
    for name, group in converted.groups.items():
        chosen = content.get(name)
        if isinstance(chosen, list):
            small |= {flag: value in chosen for flag, value in group.items()}
    restored = check(form, converted.restore(check(converted.form, small)))
    assert {name: _sorted(value) for name, value in restored.items()} == {
        name: _sorted(value) for name, value in check(form, content).items()
    }


def _sorted(value: object) -> object:
    return sorted(value) if isinstance(value, list) else value
