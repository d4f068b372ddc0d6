"""An annotation becomes a field: what may be left out, what stands for it, what is checked afterwards."""

from typing import Annotated, Any, Literal, NotRequired, Required

import pytest
from annotated_types import Ge, Gt, Lt, MultipleOf
from pydantic import Field

from askfirst.core.annotations import Asked, read_annotation
from askfirst.core.fields import FlagField, NumberField
from askfirst.core.marks import NOTHING


def required(annotation: Any, **facts: Any) -> bool:
    return read_annotation(Asked("x", annotation, **facts)).field.required


def blank(annotation: Any, **facts: Any) -> object:
    return read_annotation(Asked("x", annotation, **facts)).blank


def test_a_plain_annotation_must_be_answered() -> None:
    assert required(int)
    assert blank(int) is NOTHING


@pytest.mark.parametrize("annotation", [int | None, Annotated[int, Ge(1)] | None, Literal["a", None]])
def test_an_optional_one_may_be_left_out_and_is_none_then(annotation: Any) -> None:
    assert not required(annotation)
    assert blank(annotation) is None


def test_a_default_is_shown_and_need_not_be_given() -> None:
    part = read_annotation(Asked("x", bool, default=False))
    assert part.field == FlagField(name="x", required=False, default=False)
    assert part.blank is NOTHING


def test_none_as_default_is_no_default_to_show() -> None:
    part = read_annotation(Asked("x", bool, default=None))
    assert part.field == FlagField(name="x", required=False)
    assert part.blank is NOTHING


def test_a_default_inside_annotated_stands_for_an_answer_left_out() -> None:
    part = read_annotation(Asked("x", Annotated[int, Field(default=3)]))
    assert part.field == NumberField(name="x", integer=True, default=3)
    assert part.blank == 3


def test_the_types_own_default_goes_before_one_inside_annotated() -> None:
    part = read_annotation(Asked("x", Annotated[int, Field(default=3)], default=4))
    assert part.field == NumberField(name="x", integer=True, default=4)
    assert part.blank is NOTHING
    assert required(Annotated[int, Field(default=3)], enforced=True)


def test_a_key_of_a_typed_dict_is_absent_or_none_as_its_type_says() -> None:
    assert blank(int | None, omissible=True) is NOTHING
    assert blank(Required[int | None], omissible=True) is None
    assert blank(NotRequired[int | None]) is NOTHING
    assert required(Required[int], omissible=True)
    assert not required(NotRequired[int])
    assert not required(int, omissible=True)


def test_words_beside_the_annotation_go_before_those_inside() -> None:
    annotation = Annotated[int, Field(title="A", description="a")]
    inside = read_annotation(Asked("x", annotation)).field
    beside = read_annotation(Asked("x", annotation, title="B", description="b")).field
    assert (inside.title, inside.description) == ("A", "a")
    assert (beside.title, beside.description) == ("B", "b")


def test_marks_beside_the_annotation_count_too() -> None:
    assert read_annotation(Asked("x", int, (Ge(1),))).field == NumberField(
        name="x", integer=True, minimum=1, required=True
    )


@pytest.mark.parametrize(
    ("annotation", "what", "right", "wrong"),
    [
        (Annotated[float, Gt(0)], "exclusiveMinimum", 0.1, 0),
        (Annotated[float, Lt(1)], "exclusiveMaximum", 0.9, 1.0),
        (Annotated[int, MultipleOf(5)], "multipleOf", 10, 11),
    ],
)
def test_a_limit_that_no_form_carries_is_a_rule(annotation: Any, what: str, right: Any, wrong: Any) -> None:
    (rule,) = read_annotation(Asked("x", annotation)).rules
    assert rule.what == what
    assert rule.test(right)
    assert not rule.test(wrong)


@pytest.mark.parametrize("annotation", [str, int, Annotated[int, Gt(0)], Annotated[float, Ge(0)]])
def test_a_limit_that_the_form_carries_is_none(annotation: Any) -> None:
    assert read_annotation(Asked("x", annotation)).rules == ()


def test_a_type_that_enforces_itself_needs_no_rules() -> None:
    assert read_annotation(Asked("x", Annotated[float, Gt(0)], enforced=True)).rules == ()
