"""Content becomes an instance, and a refusal says where and why but never what came."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Gt, MultipleOf
from pydantic import BaseModel, Field, HttpUrl, field_validator, model_validator

from askfirst.core.annotations import Asked, Part, read_annotation
from askfirst.core.building import builder
from askfirst.core.errors import InvalidAnswer, Problem


def parts(**annotations: Any) -> list[Part]:
    return [read_annotation(Asked(name, annotation)) for name, annotation in annotations.items()]


def as_given(given: Mapping[str, object]) -> Mapping[str, object]:
    return given


def test_values_that_need_nothing_go_straight_through() -> None:
    content: dict[str, Any] = {"a": 1}
    assert builder(as_given, "A", parts(a=int))(content) is content


def test_values_are_converted_and_the_content_is_left_alone() -> None:
    content: dict[str, Any] = {"on": "2024-01-01", "a": 1}
    assert builder(as_given, "A", parts(on=date, a=int))(content) == {"on": date(2024, 1, 1), "a": 1}
    assert content["on"] == "2024-01-01"


def test_a_type_that_converts_by_itself_gets_what_was_sent() -> None:
    assert builder(as_given, "A", parts(on=date), converts=False)({"on": "2024-01-01"}) == {
        "on": "2024-01-01"
    }


def test_what_is_left_out_gets_its_blank_or_stays_away() -> None:
    build = builder(as_given, "A", parts(a=int | None, b=int | None, on=date))
    assert build({"b": 2, "on": "2024-01-01"}) == {"a": None, "b": 2, "on": date(2024, 1, 1)}
    assert builder(as_given, "A", parts(on=date))({}) == {}


def test_a_blank_that_is_a_list_is_fresh_for_each_instance() -> None:
    build = builder(as_given, "A", parts(a=Annotated[list[Literal["x"]], Field(default=["x"])]))
    first, second = build({})["a"], build({})["a"]
    assert first == second == ["x"]
    assert first is not second


def test_every_value_that_cannot_be_kept_is_named() -> None:
    build = builder(
        as_given,
        "Trip",
        parts(ratio=Annotated[float, Gt(0)], site=HttpUrl, far=float)
        + parts(dozens=Annotated[int, MultipleOf(12)]),
    )
    with pytest.raises(InvalidAnswer) as refusal:
        build({"ratio": 0, "site": "ftp://secret.example", "far": 10**400, "dozens": 13})
    assert [(one.field, one.what) for one in refusal.value.problems] == [
        ("ratio", "exclusiveMinimum"),
        ("site", "type"),
        ("far", "type"),
        ("dozens", "multipleOf"),
    ]
    assert "secret.example" not in str(refusal.value)


@dataclass
class Range:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"{self.low} is above {self.high}")


def test_a_classs_own_check_refuses_without_the_value() -> None:
    build = builder(lambda given: Range(**given), "Range", parts(low=int, high=int))  # type: ignore[arg-type]
    assert build({"low": 1, "high": 2}) == Range(1, 2)
    with pytest.raises(InvalidAnswer) as refusal:
        build({"low": 7777, "high": 2})
    assert refusal.value.problems == (
        Problem("", "check", "what Range's own check accepts", "content that it refuses"),
    )
    assert refusal.value.__context__ is None
    assert "7777" not in str(refusal.value)


class Order(BaseModel):
    count: int = Field(gt=0)
    code: str

    @field_validator("code")
    @classmethod
    def known(cls, code: str) -> str:
        if code == "hunter2":
            raise ValueError(f"{code} is unknown")
        return code

    @model_validator(mode="after")
    def together(self) -> "Order":
        if self.code == "all":
            raise ValueError(f"{self.code} is too much")
        return self


def test_a_models_checks_are_told_by_field_and_in_words_made_from_the_limit_alone() -> None:
    build = builder(Order.model_validate, "Order", parts(count=int, code=str), converts=False)
    assert build({"count": 1, "code": "a"}) == Order(count=1, code="a")
    with pytest.raises(InvalidAnswer) as refusal:
        build({"count": -77, "code": "hunter2"})
    assert refusal.value.problems == (
        Problem(
            "count",
            "greater_than",
            "what Order's own check accepts (Input should be greater than 0)",
            "content that it refuses",
        ),
        Problem("code", "value_error", "what Order's own check accepts", "content that it refuses"),
    )
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__context__ is None


def test_a_check_of_the_whole_model_has_no_field() -> None:
    build = builder(Order.model_validate, "Order", parts(count=int, code=str), converts=False)
    with pytest.raises(InvalidAnswer) as refusal:
        build({"count": 1, "code": "all"})
    assert [one.field for one in refusal.value.problems] == [""]
