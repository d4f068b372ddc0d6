"""Marks are understood by what they carry, and refused where nothing would keep them."""

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, get_args

import annotated_types as at
import pytest
from pydantic import AfterValidator, Field, Strict, StringConstraints, conint, constr

from askfirst.core.marks import A_BOUND, A_LENGTH, A_PATTERN, NOTHING, TITLES, NoField, Titles, read_marks


class Size(Enum):
    SMALL = "s"


@dataclass
class Meta:
    """Somebody else's mark, which carries the same names."""

    ge: int = 3
    title: str = "Theirs"
    default: int = 9


def read(*marks: Any, enforced: bool = False) -> Any:
    return read_marks(marks, enforced=enforced)


def test_no_marks_say_nothing() -> None:
    assert read().said == set()
    assert read(enforced=True).enforced


def test_bounds_are_read_from_annotated_types_and_from_pydantic() -> None:
    found = read(at.Ge(1), at.Interval(gt=0, le=9), Field(lt=8, multiple_of=2), *get_args(conint(ge=2))[1:])
    assert {name: found.all(name) for name in ("ge", "gt", "le", "lt", "multiple_of")} == {
        "ge": [1, 2],
        "gt": [0],
        "le": [9],
        "lt": [8],
        "multiple_of": [2],
    }
    assert found.said == {A_BOUND}


def test_of_several_lengths_the_tightest_holds() -> None:
    found = read(at.MinLen(1), at.Len(2, 9), Field(max_length=5), *get_args(constr(min_length=3))[1:])
    assert (found.min_length, found.max_length, found.said) == (3, 5, {A_LENGTH})
    assert (read().min_length, read().max_length) == (None, None)


def test_patterns_are_read_as_text_and_compiled() -> None:
    found = read(Field(pattern="a"), StringConstraints(pattern=re.compile("b")))
    assert (found.patterns, found.said) == (["a", "b"], {A_PATTERN})


def test_the_last_title_and_description_hold() -> None:
    found = read(Field(title="A", description="a"), Field(title="B"), at.doc("words"))
    assert (found.title, found.description) == ("B", "words")


def test_a_default_is_pydantics_field_alone() -> None:
    assert read(Field(default=3)).default == 3
    assert read(Field()).default is NOTHING
    assert read(Field(default=...)).default is NOTHING
    assert read(Meta()).default is NOTHING


def test_a_mark_of_another_package_is_read_by_its_names() -> None:
    found = read(Meta())
    assert (found.all("ge"), found.title) == ([3], "Theirs")


@pytest.mark.parametrize("mark", ["title", object(), 3, Strict()])
def test_other_marks_are_ignored(mark: Any) -> None:
    assert read(mark).said == set()
    assert read(mark).title is None


def test_a_name_that_carries_no_text_is_no_title() -> None:
    @dataclass
    class Odd:
        title: int = 1
        description: int = 2
        pairs: int = 3
        metadata: int = 4

    found = read(Odd())
    assert (found.title, found.description, found.said) == (None, None, set())


def test_titles_are_given_by_value_or_by_member() -> None:
    assert read(Titles({"a": "A"}), Titles({Size.SMALL: "Small"})).titles == {"a": "A", "s": "Small"}
    assert read(Titles({})).said == {TITLES}
    assert hash(Titles({"a": "A"})) == hash(Titles({"a": "A"}))


@pytest.mark.parametrize(
    "mark",
    [
        at.Ge("a"),
        at.Ge(True),
        at.Ge(date(2024, 1, 1)),
        at.MinLen(1.5),  # type: ignore[arg-type]
        at.MinLen(True),
        at.Predicate(bool),
        AfterValidator(str),
        StringConstraints(strip_whitespace=True),
        StringConstraints(to_lower=True),
        Field(alias="b"),
        Field(default_factory=list),
        Field(max_digits=3),
    ],
)
def test_what_nothing_would_keep_is_refused(mark: Any) -> None:
    with pytest.raises(NoField) as refusal:
        read(mark)
    assert refusal.value.expected
    assert refusal.value.got


@pytest.mark.parametrize(
    "mark",
    [
        at.Ge(date(2024, 1, 1)),
        at.Predicate(bool),
        AfterValidator(str),
        StringConstraints(strip_whitespace=True),
        Field(default_factory=list),
    ],
)
def test_a_type_that_enforces_its_own_marks_may_have_any(mark: Any) -> None:
    assert read(mark, enforced=True).said == set()
