"""What can't be a field is refused with its cure."""

import collections
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any, ForwardRef, Literal, NamedTuple, TypedDict, TypeVar

import pytest
from pydantic import BaseModel, NaiveDatetime, SecretStr

from askfirst.core.marks import NoField
from askfirst.core.refusals import name_of, refuse


class Model(BaseModel):
    x: int


@dataclass
class Record:
    x: int


class Dict(TypedDict):
    x: int


class Tuple(NamedTuple):
    x: int


class Rank(IntEnum):
    ONE = 1


class Mixed(Enum):
    ONE = 1
    TWO = "two"


class Plain:
    pass


CASES: list[tuple[Any, str, str]] = [
    (Model, "Model, a model inside a form", "one by one, or in a second question"),
    (Record, "Record, a model inside a form", "ask for the fields of Record"),
    (Dict, "Dict, a model inside a form", "one by one"),
    (Tuple, "Tuple, a model inside a form", "one by one"),
    (list, "a free list", "list[Literal[...]]"),
    (list[str], "a free list of str", "list[Literal[...]]"),
    (list[Model], "a free list of Model", "list[Literal[...]]"),
    (set[str], "set[str]", "list[Literal[...]]"),
    (tuple[int, ...], "tuple[int, ...]", "list[Literal[...]]"),
    (collections.deque, "deque", "list[Literal[...]]"),
    (dict[str, int], "dict[str, int]", "a field of its own for each key"),
    (Mapping[str, int], "collections.abc.Mapping[str, int]", "a field of its own"),
    (int | str, "the union int | str", "one type"),
    (Rank, "Rank, whose values are not all text", "an Enum of text"),
    (Mixed, "Mixed, whose values are not all text", "an Enum of text"),
    (Literal[1, 2], "Literal[1, 2], whose values are not all text", "a Literal of text"),
    (bytes, "bytes", "a url to visit"),
    (Decimal, "Decimal", "float"),
    (Path, "Path", "str"),
    (NaiveDatetime, "NaiveDatetime", "a date-time always has a zone"),
    (type(None), "NoneType", "a plain yes or no"),
    (Any, "Any", "a type that says what to ask for"),
    (object, "object", "a type that says what to ask for"),
    (TypeVar("T"), "the type variable ~T", "a type of its own"),
    ("Later", "the name Later", "can be resolved"),
    (ForwardRef("Later"), "the name ForwardRef('Later')", "can be resolved"),
    (Plain, "Plain", "one of str, int"),
    (3.5, "3.5", "one of str, int"),
]


@pytest.mark.parametrize(("kind", "got", "cure"), CASES, ids=str)
def test_a_refusal_names_what_came_and_the_cure(kind: Any, got: str, cure: str) -> None:
    with pytest.raises(NoField) as refusal:
        refuse(kind)
    assert got in refusal.value.got
    assert cure in refusal.value.expected
    assert refusal.value.what == "annotation"


def test_a_subclass_of_text_is_no_list() -> None:
    with pytest.raises(NoField) as refusal:
        refuse(type("Name", (str,), {}))
    assert "one of str" in refusal.value.expected


def test_a_secret_is_refused_as_one() -> None:
    with pytest.raises(NoField) as refusal:
        refuse(SecretStr)
    assert refusal.value.what == "secret"
    for way in ("ask.secret", "ask.visit"):
        assert way in refusal.value.expected


def test_a_type_is_named_as_it_was_written() -> None:
    assert name_of(int) == "int"
    assert name_of(Literal["a"]) == "Literal['a']"
