"""Choices in every shape that servers send."""

from typing import Any

import pytest

from askfirst.core.dialects import ABILITIES
from askfirst.core.errors import UnreadableSchema
from askfirst.core.fields import Choice
from askfirst.core.options import choices_of
from askfirst.core.references import MOST_PARTS, TEXT_PART, Document
from askfirst.core.revisions import NEWEST_DIALECT, Dialect
from askfirst.core.source import Source

A, B = Choice("a"), Choice("b")
TITLED = (Choice("a", "The first"), Choice("b", "The second"))
CONSTS = [{"const": "a", "title": "The first"}, {"const": "b", "title": "The second"}]


class Read:
    """One schema read as choices, where `oneOf` is what the specification lists."""

    def __init__(self, dialect: Dialect = NEWEST_DIALECT, **schema: Any) -> None:
        document = Document({"$defs": {"A": {"const": "a", "title": "The first"}}})
        self.source = Source("f", schema, document, ABILITIES[dialect])
        found = choices_of(self.source, "oneOf")
        self.choices, self.legacy = found if found is not None else (None, False)
        self.noted = [note.keyword for note in document.notes]


@pytest.mark.parametrize(
    ("schema", "choices", "legacy"),
    [
        ({"enum": ["a", "b"]}, (A, B), False),
        ({"oneOf": CONSTS}, TITLED, False),
        ({"enum": ["a", "b"], "enumNames": ["The first", "The second"]}, TITLED, True),
        ({"enum": [""]}, (Choice(""),), False),
    ],
)
def test_the_listed_shapes_are_read_without_a_note(
    schema: dict[str, Any], choices: tuple[Choice, ...], legacy: bool
) -> None:
    read = Read(**schema)
    assert (read.choices, read.legacy, read.noted) == (choices, legacy, [])


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"oneOf": []}, {"anyOf": "a"}])
def test_a_schema_without_choices_has_none(schema: dict[str, Any]) -> None:
    assert Read(**schema).choices is None


@pytest.mark.parametrize(
    ("schema", "choices", "keyword"),
    [
        ({"const": "a"}, (A,), "const"),
        ({"anyOf": CONSTS}, TITLED, "anyOf"),
        ({"oneOf": [{"const": "a", "title": "The first", "type": "string"}, CONSTS[1]]}, TITLED, "oneOf"),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, (A, B), "oneOf"),
        ({"oneOf": [{"enum": ["a", "b"], "title": "Both"}]}, (A, B), "oneOf"),
        ({"oneOf": [{"const": "a", "description": "Described"}]}, (Choice("a", "Described"),), "oneOf"),
        ({"oneOf": [{"$ref": "#/$defs/A"}, CONSTS[1]]}, TITLED, "$ref"),
        ({"enum": ["a", None, "b"]}, (A, B), "enum"),
        ({"enum": ["a", "b", "a"]}, (A, B), "enum"),
        ({"oneOf": [*CONSTS, {"const": "a", "title": "Again"}]}, TITLED, "enum"),
        ({"enum": ["a", "b"], "enumNames": ["The first"]}, (A, B), "enumNames"),
        ({"enum": ["a", "b"], "enumNames": ["The first", 2]}, (A, B), "enumNames"),
        ({"enum": ["a"], "enumNames": None}, (A,), "enumNames"),
    ],
)
def test_other_shapes_are_read_and_noted(
    schema: dict[str, Any], choices: tuple[Choice, ...], keyword: str
) -> None:
    read = Read(**schema)
    assert read.choices == choices
    assert keyword in read.noted
    assert not read.legacy


def test_names_stay_with_their_values_when_null_is_left_out() -> None:
    read = Read(enum=[None, "a", "b"], enumNames=["None", "The first", "The second"])
    assert read.choices == TITLED


def test_null_among_titled_choices_is_left_out() -> None:
    assert Read(oneOf=[*CONSTS, {"type": "null"}]).choices == TITLED


def test_titled_choices_are_noted_where_the_revision_has_none_and_names_are_its_own_shape() -> None:
    oldest = Dialect.D2025_06_18
    assert Read(oldest, oneOf=CONSTS).noted == ["oneOf"]
    names = Read(oldest, enum=["a", "b"], enumNames=["The first", "The second"])
    assert (names.choices, names.legacy, names.noted) == (TITLED, False, [])


def test_a_union_that_only_restricts_a_text_is_not_used() -> None:
    read = Read(type="string", anyOf=[{"format": "email"}, {"format": "uri"}])
    assert read.choices is None
    assert "anyOf" not in read.source.used


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"enum": [1, 2]}, "enum"),
        ({"enum": ["a", True]}, "enum"),
        ({"enum": "a"}, "enum"),
        ({"const": 1.5}, "const"),
        ({"oneOf": [{"const": "a"}, {"const": 1}]}, "oneOf"),
        ({"oneOf": [{"const": "a"}, {"title": "B"}]}, "oneOf"),
        ({"oneOf": [{"enum": "a"}]}, "oneOf"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "anyOf"),
    ],
)
def test_choices_that_are_not_all_text_are_an_error(schema: dict[str, Any], keyword: str) -> None:
    with pytest.raises(UnreadableSchema) as caught:
        Read(**schema)
    assert [(problem.field, problem.what) for problem in caught.value.problems] == [("f", keyword)]


def test_more_choices_than_a_document_may_hold_are_an_error() -> None:
    with pytest.raises(UnreadableSchema):
        Read(enum=[str(number) for number in range(MOST_PARTS + 1)])
    with pytest.raises(UnreadableSchema):
        Read(enum=["a" * MOST_PARTS * TEXT_PART])
    with pytest.raises(UnreadableSchema):
        Read(oneOf=[{"const": "a", "title": "a" * MOST_PARTS * TEXT_PART}])
