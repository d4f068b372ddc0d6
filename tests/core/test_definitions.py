"""What a dataclass, a model, a TypedDict or one value asks for."""

import dataclasses
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Any, ClassVar, Generic, Literal, NotRequired, TypedDict, TypeVar

import pytest
import typing_extensions
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, PrivateAttr, RootModel, computed_field
from pydantic.dataclasses import dataclass as pydantic_dataclass

from askfirst.core.definitions import VALUE, is_model, is_record, is_typed_dict, read_definition
from askfirst.core.marks import NOTHING

T = TypeVar("T")


def asked(schema: Any) -> dict[str, Any]:
    return {one.name: one for one in read_definition(schema).asked}


def problems(schema: Any) -> list[tuple[str, str]]:
    return [(one.field, one.what) for one in read_definition(schema).problems]


@dataclass
class Base:
    kind: ClassVar[str] = "base"
    first: int


@dataclass(frozen=True)
class Frozen:
    only: int


@dataclass(slots=True)
class Child(Base):
    _: KW_ONLY
    second: str = "two"
    made: list[Literal["a", "b"]] = field(default_factory=lambda: ["b"])
    later: int = field(default_factory=lambda: 1 // 0)
    hidden: int = field(default=0, init=False)
    worded: int = field(default=1, metadata={"title": "T", "description": "D", "other": 1})
    odd: int = field(default=1, metadata={"title": 3})


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: ClassVar[str] = "model"
    _private: int = PrivateAttr(0)
    plain: int
    worded: Annotated[int, Field(ge=1)] = Field(default=3, title="T", description="D", le=9)
    made: list[Literal["a", "b"]] = Field(default_factory=lambda: ["a"])
    from_others: list[Literal["a"]] = Field(default_factory=lambda data: list(data)[:0])
    later: int = Field(default_factory=lambda: 1 // 0)
    renamed: int = Field(alias="wireName")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def twice(self) -> int:
        return 2 * self.plain


class Partial(TypedDict, total=False):
    a: typing_extensions.Required[int]
    b: str


class Extended(Partial):
    c: int
    d: NotRequired[int]


class ByExtensions(typing_extensions.TypedDict, total=False):
    a: int


@pydantic_dataclass
class Checked:
    a: int
    b: int = Field(default=2, ge=1)
    hidden: int = Field(default=0, init=False)


def test_kinds_of_type_are_told_apart() -> None:
    assert [is_record(one) for one in (Base, Model, Partial, Checked, int, Base(1))] == [True] + [False] * 5
    assert [is_model(one) for one in (Base, Model, Partial, Checked, int)] == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert [is_typed_dict(one) for one in (Base, Partial, ByExtensions, dict)] == [False, True, True, False]


def test_a_dataclass_asks_for_what_its_constructor_takes() -> None:
    assert list(asked(Child)) == ["first", "second", "made", "later", "worded", "odd"]
    assert list(asked(Frozen)) == ["only"]
    assert not any(one.enforced for one in asked(Child).values())


def test_a_list_of_choices_is_made_once_to_be_shown_and_no_other_default_is() -> None:
    assert asked(Child)["first"].default is NOTHING
    assert asked(Child)["second"].default == "two"
    assert asked(Child)["made"].default == ["b"]
    assert asked(Child)["later"].default is None


def test_a_dataclass_gives_words_in_its_metadata() -> None:
    assert (asked(Child)["worded"].title, asked(Child)["worded"].description) == ("T", "D")
    assert (asked(Child)["odd"].title, asked(Child)["odd"].description) == (None, None)


def test_a_model_asks_for_its_fields_by_the_names_it_is_given_them() -> None:
    assert list(asked(Model)) == ["plain", "worded", "made", "from_others", "later", "wireName"]
    assert all(one.enforced for one in asked(Model).values())


def test_a_models_defaults_are_those_that_can_be_shown() -> None:
    found = {name: one.default for name, one in asked(Model).items()}
    assert found == {
        "plain": NOTHING,
        "worded": 3,
        "made": ["a"],
        "from_others": None,
        "later": None,
        "wireName": NOTHING,
    }


def test_a_models_words_and_limits_come_along() -> None:
    one = asked(Model)["worded"]
    assert (one.title, one.description) == ("T", "D")
    assert len(one.marks) == 2


def test_a_model_that_is_filled_by_name_is_asked_by_name() -> None:
    class ByName(BaseModel):
        model_config = ConfigDict(validate_by_name=True, validate_by_alias=False)
        a: int = Field(alias="b")

    assert list(asked(ByName)) == ["a"]


def test_an_alias_of_several_names_is_refused() -> None:
    class Several(BaseModel):
        a: int = Field(validation_alias=AliasChoices("b", "c"))

    assert problems(Several) == [("a", "alias")]


def test_a_root_model_is_refused() -> None:
    assert problems(RootModel[int]) == [("", "annotation")]


def test_a_strict_model_needs_its_values_converted() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)

    class StrictField(BaseModel):
        a: int = Field(strict=True)

    assert [read_definition(one).converts for one in (Strict, StrictField, Model, Base)] == [
        True,
        True,
        False,
        True,
    ]


def test_a_pydantic_dataclass_is_read_as_a_model() -> None:
    found = asked(Checked)
    assert list(found) == ["a", "b"]
    assert found["b"].default == 2
    assert found["b"].enforced


def test_a_model_whose_names_are_known_by_now_is_completed() -> None:
    class Early(BaseModel):
        a: "Late"

    global Late  # noqa: PLW0603
    Late = int
    assert asked(Early)["a"].annotation is int


def test_a_pydantic_dataclass_that_cannot_be_completed_keeps_its_names() -> None:
    @pydantic_dataclass
    class Early:
        a: "NeverDefined"  # type: ignore[name-defined]  # noqa: F821

    assert not isinstance(asked(Early)["a"].annotation, type)


def test_a_typed_dict_says_which_keys_may_be_absent() -> None:
    assert {name: one.omissible for name, one in asked(Extended).items()} == {
        "a": False,
        "b": True,
        "c": False,
        "d": True,
    }


def test_anything_else_is_one_value() -> None:
    (one,) = read_definition(list[int]).asked
    assert (one.name, one.annotation) == (VALUE, list[int])
    assert read_definition(bool).name == "bool"


def test_pydantics_field_as_the_default_of_a_dataclass_is_refused() -> None:
    @dataclass
    class Wrong:
        a: int = Field(ge=1)

    assert problems(Wrong) == [("a", "default")]


def test_fields_without_a_dataclass_are_refused() -> None:
    class Lost(Base):
        more: int

    class Fine(Base):
        kind: ClassVar[str] = "fine"

    assert problems(Lost) == [("", "annotation")]
    assert problems(Fine) == []


def test_an_init_var_without_default_is_refused() -> None:
    @dataclass
    class Seeded:
        a: int
        needed: InitVar[int]
        spare: InitVar[int] = 3

    assert problems(Seeded) == [("needed", "annotation")]
    assert list(asked(Seeded)) == ["a"]


def test_annotations_come_whole_whether_or_not_a_name_in_them_is_looked_up() -> None:
    @dataclass
    class Settled:
        a: Annotated[Literal["x"] | None, 1]
        b: list[Literal["x"]]

    @dataclass
    class Named(Settled):
        c: list["int"]

    found = [(one.name, one.annotation) for one in read_definition(Named).asked]
    assert [(one.name, one.annotation) for one in read_definition(Settled).asked] == found[:2]
    assert found == [
        ("a", Annotated[Literal["x"] | None, 1]),
        ("b", list[Literal["x"]]),
        ("c", list[int]),
    ]


def test_every_name_that_means_nothing_is_told_and_the_rest_is_read() -> None:
    @dataclass
    class Unknown(Generic[T]):
        a: "NotThere"  # type: ignore[name-defined]  # noqa: F821
        b: int
        c: "dataclasses.nothing"  # type: ignore[name-defined]
        d: "1 +"  # type: ignore[valid-type]  # noqa: F722

    found = read_definition(Unknown)
    assert [one.field for one in found.problems] == ["a", "c", "d"]
    assert "NotThere" in found.problems[0].got
    assert [one.name for one in found.asked] == ["b"]


def test_a_name_that_means_nothing_to_typing_alone_is_told_without_its_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Lazy(TypedDict):
        a: int

    def fail(*_args: object, **_options: object) -> dict[str, object]:
        raise NameError("name 'Gone' is not defined", name="Gone")

    monkeypatch.setattr("askfirst.core.definitions.get_type_hints", fail)
    Lazy.__annotations__.clear()
    assert problems(Lazy) == [("", "annotation")]


def test_a_name_in_a_dataclass_of_its_own_is_looked_up() -> None:
    @dataclass
    class Late:
        when: "int"

    assert asked(Late)["when"].annotation is int


def test_an_instance_is_made_from_values_by_name() -> None:
    class Small(BaseModel):
        only: int

    @pydantic_dataclass
    class Checked:
        only: int

    for kind in (Frozen, Small, Checked):
        assert read_definition(kind).make({"only": 1}) == kind(only=1)


def test_a_typed_dict_and_one_value_are_what_came() -> None:
    assert read_definition(TypedDict("Pair", {"a": int})).make({"a": 1}) == {"a": 1}
    assert read_definition(int).make({VALUE: 1}) == 1
