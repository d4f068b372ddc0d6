"""What stands around a type is taken off, and remembered."""

from typing import Annotated, Any, Final, Literal, NewType, NotRequired, Optional, Required, Union

import pytest
from typing_extensions import TypeAliasType

from askfirst.core.wrappings import is_settled, unwrap

UserId = NewType("UserId", int)
Colour = TypeAliasType("Colour", Literal["red", "blue"])


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (int, int),
        (Annotated[int, "a"], int),
        (Final[int], int),
        (UserId, int),
        (Colour, Literal["red", "blue"]),
        (int | str, int | str),
        (int | str | None, int | str | None),
        ("text", "text"),
    ],
)
def test_the_type_inside_is_found(annotation: Any, kind: Any) -> None:
    assert unwrap(annotation).kind == kind


@pytest.mark.parametrize(
    "annotation",
    [int | None, Optional[int], Union[None, int], Annotated[int | None, "a"], Literal["a", None]],  # noqa: UP007, UP045
)
def test_none_makes_it_optional(annotation: Any) -> None:
    assert unwrap(annotation).optional


@pytest.mark.parametrize("annotation", [int, Literal["a"], list[int | None], int | str])
def test_nothing_else_makes_it_optional(annotation: Any) -> None:
    assert not unwrap(annotation).optional


def test_a_key_of_a_typed_dict_says_whether_it_is_required() -> None:
    assert unwrap(Required[int]).required is True
    assert unwrap(Annotated[NotRequired[int], "a"]).required is False
    assert unwrap(int).required is None


def test_marks_are_kept_with_the_innermost_first() -> None:
    inner = Annotated[int, 1, 2]
    assert unwrap(Annotated[inner | None, 3]).marks == (1, 2, 3)


def test_what_typing_says_of_the_type_is_kept() -> None:
    bare = unwrap(Annotated[list[int] | None, 1])
    assert (bare.origin, bare.inside) == (list, (int,))
    assert (unwrap(int | None).origin, unwrap(int | None).inside) == (None, ())


@pytest.mark.parametrize(
    "annotation",
    [int, Annotated[int, "x"], Literal["x"], list[Literal["x"]], int | None, Optional[int]],  # noqa: UP045
)
def test_an_annotation_without_names_is_settled(annotation: Any) -> None:
    assert is_settled(annotation)


@pytest.mark.parametrize("annotation", ["int", Annotated["int", 1], list["int"], Optional["int"], UserId])
def test_an_annotation_with_a_name_to_look_up_is_not_settled(annotation: Any) -> None:
    assert not is_settled(annotation)
