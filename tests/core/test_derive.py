"""A type becomes a form once, at definition, or says everything that is wrong with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, EmailStr, Field, SecretStr, create_model
from pydantic.dataclasses import dataclass as pydantic_dataclass

import strategies
from askfirst.core.checking import check
from askfirst.core.derive import Shape, form, shape_of
from askfirst.core.errors import InvalidAnswer, InvalidForm, SecretInForm
from askfirst.core.fields import Choice, ChoiceField, FlagField, Form, NumberField, TextField
from askfirst.core.marks import Titles
from askfirst.core.revisions import NEWEST_DIALECT, OLDEST
from askfirst.core.schema import read_schema


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


class Tone(StrEnum):
    HIGH = "high"
    LOW = "low"


@dataclass
class Trip:
    where: Annotated[str, Field(title="Where to", max_length=40)]
    on: date
    size: Size
    people: Annotated[int, Ge(1)] = 2
    extras: list[Size] = field(default_factory=list)
    note: str | None = None


class Order(BaseModel):
    where: str = Field(title="Where to", max_length=40)
    on: date
    size: Size
    people: int = Field(default=2, ge=1)
    note: str | None


class Keys(TypedDict):
    where: str
    on: NotRequired[date]
    size: Size | None


TRIP = {"where": "Oslo", "on": "2024-02-29", "size": "s"}


def build(schema: Any, content: Any) -> Any:
    shape: Shape[Any] = shape_of(schema)
    return shape.build(check(shape.form, content))


# --- what comes back ---------------------------------------------------------------------------------------------


def test_a_dataclass_is_built_with_what_it_promises() -> None:
    assert build(Trip, TRIP) == Trip("Oslo", date(2024, 2, 29), Size.SMALL)
    full = TRIP | {"people": 3, "extras": ["l"], "note": "x"}
    assert build(Trip, full) == Trip("Oslo", date(2024, 2, 29), Size.SMALL, 3, [Size.LARGE], "x")


def test_a_model_is_built_by_its_own_validation() -> None:
    assert build(Order, TRIP) == Order(where="Oslo", on=date(2024, 2, 29), size=Size.SMALL, note=None)


def test_a_strict_model_takes_an_answer_too() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        on: date
        size: Size

    Strict.model_rebuild(_types_namespace={"date": date, "Size": Size})
    assert build(Strict, TRIP) == Strict(on=date(2024, 2, 29), size=Size.SMALL)


def test_a_typed_dict_has_the_keys_that_were_answered() -> None:
    assert build(Keys, {"where": "Oslo"}) == {"where": "Oslo", "size": None}
    assert build(Keys, TRIP) == {"where": "Oslo", "on": date(2024, 2, 29), "size": Size.SMALL}


def test_a_pydantic_dataclass_is_built_by_its_constructor() -> None:
    checked = pydantic_dataclass(make_dataclass("Checked", [("size", Size), ("people", int, Field(gt=1))]))
    assert build(checked, {"size": "s", "people": 2}) == checked(size=Size.SMALL, people=2)
    with pytest.raises(InvalidAnswer, match="people"):
        build(checked, {"size": "s", "people": 1})


@pytest.mark.parametrize(
    ("schema", "sent", "meant"),
    [
        (bool, False, False),
        (str, "", ""),
        (int, 3.0, 3),
        (float, 3, 3.0),
        (date, "2024-02-29", date(2024, 2, 29)),
        (Size, "s", Size.SMALL),
        (Literal["a", "b"], "b", "b"),
        (list[Size], ["l"], [Size.LARGE]),
        (list[Literal["a", "b"]], ["b"], ["b"]),
        (Annotated[int, Field(ge=1)], 1, 1),
    ],
)
def test_one_value_comes_back_alone(schema: Any, sent: Any, meant: Any) -> None:
    assert build(schema, {"value": sent}) == meant
    assert shape_of(schema).form.required == ("value",)


def test_one_value_that_may_be_left_out_is_none_or_its_default() -> None:
    assert build(int | None, {}) is None
    assert build(Annotated[int, Field(default=3)], {}) == 3


def test_a_form_that_is_ready_gives_its_content() -> None:
    ready = Form((FlagField(name="sure", required=True),))
    shape = shape_of(ready)
    content: Any = {"sure": True}
    assert shape.form is ready
    assert shape.build(content) is content
    assert shape.schema(NEWEST_DIALECT)["required"] == ["sure"]


def test_no_fields_make_a_plain_yes_or_no() -> None:
    nothing = make_dataclass("Nothing", [])
    assert build(nothing, None) == nothing()
    assert shape_of(nothing).form == Form()


# --- once --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema", [Trip, Order, Keys, bool, Annotated[int, Field(ge=1)], list[Literal["a", "b"]], int | None]
)
def test_a_type_is_derived_once_and_written_once_for_each_dialect(schema: Any) -> None:
    assert shape_of(schema) is shape_of(schema)
    assert shape_of(schema).schema(NEWEST_DIALECT) is shape_of(schema).schema(NEWEST_DIALECT)


def test_what_a_small_dialect_cannot_carry_is_converted_once() -> None:
    several = shape_of(list[Size])
    assert several.converted(OLDEST.dialect) is several.converted(OLDEST.dialect)
    properties = several.schema(OLDEST.dialect)["properties"]
    assert isinstance(properties, dict)
    assert {one["type"] for one in properties.values()} == {"boolean"}
    assert several.converted(NEWEST_DIALECT).form is several.form


def test_the_order_of_choices_is_part_of_a_type() -> None:
    def codes(schema: Any) -> list[str]:
        (one,) = shape_of(schema).form.fields
        assert isinstance(one, ChoiceField)
        return [choice.value for choice in one.choices]

    assert Literal["a", "b"] == Literal["b", "a"]
    assert codes(Literal["a", "b"]) == ["a", "b"]
    assert codes(Literal["b", "a"]) == ["b", "a"]
    assert codes(Annotated[Literal["b", "a"], Titles({"a": "first"})]) == ["b", "a"]


def test_a_mark_without_a_hash_does_no_harm() -> None:
    assert build(Annotated[int, []], {"value": 1}) == 1


def test_annotations_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askfirst.core.derive._KEPT", 2)
    kept = [shape_of(Annotated[int, Ge(1000 + bound)]) for bound in range(4)]
    assert [shape.form.fields[0] for shape in kept] == [
        NumberField(name="value", integer=True, required=True, minimum=1000 + bound) for bound in range(4)
    ]


def test_deriving_imports_no_pydantic() -> None:
    script = "import sys, askfirst.core.derive; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


# --- what is refused ---------------------------------------------------------------------------------------------


def test_form_gives_the_class_back() -> None:
    assert form(Trip) is Trip
    assert form(Order) is Order
    assert form(Keys) is Keys


def test_form_takes_classes_that_have_fields_alone() -> None:
    with pytest.raises(InvalidForm, match="stands above @dataclass"):
        form(type("Plain", (), {"__annotations__": {"a": int}}))
    with pytest.raises(InvalidForm, match="a dataclass"):
        form(Size)


def test_everything_wrong_is_told_at_once() -> None:
    wrong = make_dataclass(
        "Wrong",
        [
            ("address", Trip),
            ("tags", list[str]),
            ("count", int, 3.5),
            ("fine", str),
            ("low", Annotated[int, Ge(5), Le(1)]),
        ],
        kw_only=True,
    )
    with pytest.raises(InvalidForm) as refusal:
        form(wrong)
    assert not isinstance(refusal.value, SecretInForm)
    assert [one.field for one in refusal.value.problems] == ["address", "tags", "count", "low"]
    assert str(refusal.value).startswith("Wrong can't be a form")
    assert "address: expected one primitive value: ask for the fields of Trip one by one" in str(
        refusal.value
    )


def test_a_class_that_names_itself_is_a_model_inside_a_form() -> None:
    with pytest.raises(InvalidForm) as refusal:
        form(Node)
    assert [(one.field, one.got) for one in refusal.value.problems] == [
        ("next", "Node, a model inside a form")
    ]


@dataclass
class Node:
    value: int
    next: Node | None = None


def test_a_name_known_to_a_function_alone_is_told() -> None:
    class Local(Enum):
        ONE = "1"

    @dataclass
    class Asking:
        one: Local

    with pytest.raises(InvalidForm, match="one: expected an annotation whose names are known"):
        form(Asking)


def test_two_fields_with_one_name_are_refused() -> None:
    twice = create_model("Twice", a=(int, Field(alias="x")), b=(int, Field(alias="x")))
    with pytest.raises(InvalidForm, match="x: "):
        form(twice)


@pytest.mark.parametrize(
    "make",
    [
        lambda: form(make_dataclass("Login", [("user", str), ("password", str)])),
        lambda: form(create_model("Login", user=(str, ...), password=(SecretStr, ...))),
        lambda: form(create_model("Login", user=(str, ...), password=(SecretStr | None, None))),
        lambda: shape_of(Annotated[str, Field(title="Password")]),
        lambda: shape_of(Form((TextField(name="password"),))),
    ],
)
def test_a_form_that_asks_for_a_secret_is_refused_with_the_way_out(make: Callable[[], object]) -> None:
    with pytest.raises(SecretInForm) as refusal:
        make()
    assert len(refusal.value.problems) == 1
    assert "url" in str(refusal.value)


def test_a_secret_is_told_beside_everything_else() -> None:
    wrong = make_dataclass(
        "Login", [("password", str), ("tags", list[str]), ("low", Annotated[int, Ge(5), Le(1)])]
    )
    with pytest.raises(SecretInForm) as refusal:
        form(wrong)
    assert {one.field for one in refusal.value.problems} == {"password", "tags", "low"}


# --- for all types -----------------------------------------------------------------------------------------------

annotations = st.sampled_from(
    [
        bool,
        str,
        int,
        float,
        date,
        datetime,
        EmailStr,
        Size,
        Tone,
        Literal["a", "b"],
        Literal[Size.SMALL, "x"],
        list[Size],
        list[Literal["a", "b", "c"]],
        Annotated[int, Gt(-5), Lt(900)],
        Annotated[float, Ge(-0.5), Le(99)],
        Annotated[str, MinLen(1), MaxLen(6), Field(title="T", description="D")],
        Annotated[list[Tone], MinLen(1), MaxLen(2)],
        Annotated[Literal["a", "b"], Titles({"a": "A"})],
    ]
)
wanted = st.lists(st.tuples(annotations, st.booleans()), max_size=5)


def made(wanted: list[tuple[Any, bool]]) -> type[Any]:
    return make_dataclass(
        "Made", [(f"f{at}", kind | None if optional else kind) for at, (kind, optional) in enumerate(wanted)]
    )


@given(wanted)
def test_a_derived_form_is_read_as_it_was_written(wanted: list[tuple[Any, bool]]) -> None:
    shape = shape_of(made(wanted))
    assert read_schema(shape.schema(NEWEST_DIALECT)) == shape.form


@given(wanted, st.data())
def test_content_that_fits_builds_an_instance(wanted: list[tuple[Any, bool]], data: st.DataObject) -> None:
    shape = shape_of(made(wanted))
    content = data.draw(strategies.fitting(shape.form))
    instance = shape.build(check(shape.form, content))
    for at, (kind, optional) in enumerate(wanted):
        value = getattr(instance, f"f{at}")
        assert (value is None) == (f"f{at}" not in content)
        assert optional or value is not None
        if isinstance(kind, type) and kind is not EmailStr and value is not None:
            assert isinstance(value, kind)


def test_choices_are_labelled() -> None:
    (one,) = shape_of(Annotated[Size, Titles({Size.SMALL: "Small"})]).form.fields
    assert isinstance(one, ChoiceField)
    assert one.choices == (Choice("s", "Small"), Choice("l", "l"))
