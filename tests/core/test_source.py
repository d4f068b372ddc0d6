"""What a keyword says, and what is noted where it says something else."""

import math
from typing import Any

import pytest

from askfirst.core.dialects import ABILITIES
from askfirst.core.errors import UnreadableSchema
from askfirst.core.references import MOST_PARTS, TEXT_PART, Document
from askfirst.core.revisions import NEWEST_DIALECT
from askfirst.core.source import Source, is_number


def source(**schema: Any) -> Source:
    return Source("f", schema, Document({}), ABILITIES[NEWEST_DIALECT])


def noted(given: Source) -> list[tuple[str, str]]:
    return [(note.keyword, note.note) for note in given.document.notes]


@pytest.mark.parametrize(
    ("method", "value", "read"),
    [
        ("text", "", ""),
        ("number", -1.5, -1.5),
        ("number", 0, 0),
        ("number", 10**400, 10**400),
        ("count", 3, 3),
        ("count", 3.0, 3),
        ("count", -3, -3),
        ("least", 0, 0),
        ("take", {"a": 1}, {"a": 1}),
    ],
)
def test_a_keyword_says_what_it_should(method: str, value: object, read: object) -> None:
    given = source(key=value)
    assert getattr(given, method)("key") == read
    given.leave_the_rest()
    assert not noted(given)


@pytest.mark.parametrize(
    ("method", "value", "note"),
    [
        ("text", 3, "no text; left out"),
        ("text", None, "no text; left out"),
        ("number", "3", "no finite number; left out"),
        ("number", True, "no finite number; left out"),
        ("number", math.inf, "no finite number; left out"),
        ("number", math.nan, "no finite number; left out"),
        ("count", 1.5, "no whole number; left out"),
        ("count", [], "no whole number; left out"),
        ("least", -1, "no count; left out"),
        ("least", "1", "no whole number; left out"),
    ],
)
def test_a_keyword_that_says_something_else_is_left_out_and_noted(
    method: str, value: object, note: str
) -> None:
    given = source(key=value)
    assert getattr(given, method)("key") is None
    assert noted(given) == [("key", note)]


@pytest.mark.parametrize("method", ["take", "text", "number", "count", "least"])
def test_a_keyword_that_is_not_there_is_not_noted(method: str) -> None:
    given = source()
    assert getattr(given, method)("key") is None
    assert not noted(given)


def test_a_keyword_that_nothing_used_is_noted() -> None:
    given = source(title="A", examples=[], multipleOf=2)
    given.text("title")
    given.leave_the_rest()
    assert [keyword for keyword, _ in noted(given)] == ["examples", "multipleOf"]


def test_more_text_than_a_document_may_hold_is_an_error() -> None:
    half = "x" * (MOST_PARTS * TEXT_PART // 2)
    given = source(title=half, description=half, default=half)
    assert (given.text("title"), given.text("description")) == (half, half)
    with pytest.raises(UnreadableSchema, match=f"f: expected a schema of at most {MOST_PARTS} parts"):
        given.text("default")


def test_a_bool_is_no_number() -> None:
    assert is_number(1)
    assert not is_number(True)
    assert not is_number("1")
