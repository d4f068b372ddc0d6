"""One field, as servers write it."""

from typing import Any

import pytest

from askfirst.core.dialects import ABILITIES
from askfirst.core.errors import UnreadableSchema
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, Field, FlagField, NumberField, TextField
from askfirst.core.reading import read_field
from askfirst.core.references import Document
from askfirst.core.revisions import NEWEST_DIALECT, Dialect

OLDEST = Dialect.D2025_06_18
AB = (Choice("a"), Choice("b"))
TITLED = [{"const": "a", "title": "A"}]


def read(schema: object, dialect: Dialect = NEWEST_DIALECT, **root: Any) -> tuple[Field, list[str]]:
    document = Document(root)
    one = read_field(document, ABILITIES[dialect], "f", schema, False)
    return one, [note.keyword for note in document.notes]


def text(**rest: Any) -> TextField:
    return TextField(name="f", **rest)


def number(**rest: Any) -> NumberField:
    return NumberField(name="f", **rest)


def several(**rest: Any) -> ChoicesField:
    return ChoicesField(name="f", choices=AB, **rest)


ITEMS = {"type": "string", "enum": ["a", "b"]}


@pytest.mark.parametrize(
    ("schema", "field"),
    [
        ({"type": "string"}, text()),
        ({"type": "string", "title": "", "description": "Why?"}, text(title="", description="Why?")),
        ({"type": "string", "minLength": 1, "maxLength": 2.0}, text(min_length=1, max_length=2)),
        (
            {"type": "string", "format": "date", "default": "2026-02-28"},
            text(format="date", default="2026-02-28"),
        ),
        ({"type": "number", "minimum": 0.5, "default": 1}, number(minimum=0.5, default=1)),
        ({"type": "integer", "maximum": 7.0, "default": 3.0}, number(integer=True, maximum=7, default=3)),
        ({"type": "integer", "minimum": 0.5}, number(integer=True, minimum=0.5)),
        ({"type": "boolean", "default": False}, FlagField(name="f", default=False)),
        ({"type": "string", "enum": ["a", "b"]}, ChoiceField(name="f", choices=AB)),
        ({"type": "array", "items": ITEMS, "minItems": 1}, several(min_items=1)),
        ({"type": "array", "items": ITEMS, "default": ["b"]}, several(default=("b",))),
        ({"type": "array", "items": {"anyOf": TITLED}}, ChoicesField(name="f", choices=(Choice("a", "A"),))),
    ],
)
def test_what_the_specification_lists_is_read_without_a_note(schema: object, field: Field) -> None:
    assert read(schema) == (field, [])


@pytest.mark.parametrize(
    ("schema", "field", "keyword"),
    [
        ({}, text(), "type"),
        ({"format": "email"}, text(format="email"), "type"),
        ({"const": True}, FlagField(name="f"), "const"),
        ({"default": True}, FlagField(name="f", default=True), "type"),
        ({"default": 3}, number(default=3), "type"),
        ({"minimum": 3}, number(minimum=3), "type"),
        ({"enum": ["a", "b"]}, ChoiceField(name="f", choices=AB), "type"),
        ({"enum": "ab", "default": 1}, None, ""),
        ({"oneOf": TITLED}, ChoiceField(name="f", choices=(Choice("a", "A"),)), "type"),
        ({"items": ITEMS}, several(), "type"),
        ({"type": ["string", "null"]}, text(), "type"),
        ({"type": ["integer"]}, number(integer=True), "type"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, number(integer=True), "anyOf"),
        ({"type": "string", "pattern": "^a"}, text(pattern="^a"), "pattern"),
        ({"type": "string", "format": "password"}, text(format="password"), "format"),
        ({"type": "string", "format": 3}, text(), "format"),
        ({"type": "string", "minLength": -1}, text(), "minLength"),
        ({"type": "string", "x-input": "wide"}, text(), "x-input"),
        ({"type": "string", "anyOf": [{"minLength": 1}, {"maxLength": 0}]}, text(), "anyOf"),
        ({"type": "string", "title": 3}, text(), "title"),
        ({"type": "string", "required": True}, text(required=True), "required"),
        ({"type": "string", "required": ["f"]}, text(), "required"),
        ({"type": "string", "allOf": []}, text(), "allOf"),
        ({"type": "boolean", "enum": [True, False]}, FlagField(name="f"), "enum"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, several(), "items"),
        ({"type": "array", "items": ITEMS, "uniqueItems": True}, several(), "uniqueItems"),
    ],
)
def test_what_it_does_not_list_is_read_and_noted(schema: Any, field: Field | None, keyword: str) -> None:
    if field is None:
        with pytest.raises(UnreadableSchema):
            read(schema)
        return
    one, noted = read(schema)
    assert one == field
    assert keyword in noted


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "default": 3},
        {"type": "string", "default": None},
        {"type": "string", "maxLength": 1, "default": "ab"},
        {"type": "string", "format": "email", "default": ""},
        {"type": "string", "enum": ["a"], "default": "A"},
        {"type": "integer", "default": 1.5},
        {"type": "integer", "default": "1"},
        {"type": "number", "minimum": 1, "default": 0},
        {"type": "boolean", "default": "yes"},
        {"type": "array", "items": ITEMS, "default": "a"},
        {"type": "array", "items": ITEMS, "default": ["a", 1]},
        {"type": "array", "items": ITEMS, "default": ["c"]},
        {"type": "array", "items": ITEMS, "default": ["a", "a"]},
        {"type": "array", "items": ITEMS, "minItems": 1, "default": []},
    ],
)
def test_a_default_that_could_not_be_sent_is_left_out_and_noted(schema: object) -> None:
    one, noted = read(schema)
    assert one.default is None
    assert noted == ["default"]


@pytest.mark.parametrize(
    ("schema", "low", "high", "integer"),
    [
        ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, 1, 9, True),
        ({"type": "integer", "exclusiveMinimum": 0.5, "exclusiveMaximum": 2.5}, 1, 2, True),
        ({"type": "integer", "minimum": 5, "exclusiveMinimum": 0}, 5, None, True),
        ({"type": "integer", "maximum": 5, "exclusiveMaximum": 9}, None, 5, True),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, 1, None, True),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": False}, 0, None, True),
        ({"type": "integer", "exclusiveMinimum": True}, None, None, True),
        ({"type": "number", "exclusiveMinimum": 0}, 5e-324, None, False),
        ({"type": "number", "exclusiveMaximum": 1}, None, 0.9999999999999999, False),
        ({"type": "number", "exclusiveMinimum": 10**400}, 10**400 + 1, None, False),
        ({"type": "number", "exclusiveMinimum": 2.0**60}, 2**60 + 1, None, False),
        ({"type": "integer", "enum": [3, 1, 2]}, 1, 3, True),
        ({"type": "integer", "enum": [1, 2, 3], "minimum": 2, "maximum": 2}, 2, 2, True),
        ({"type": "number", "enum": [1, 2.0, None]}, 1, 2, True),
        ({"enum": [1, 2]}, 1, 2, True),
        ({"const": 1.5}, 1.5, 1.5, False),
    ],
)
def test_other_words_for_bounds_become_bounds_that_are_as_strict(
    schema: object, low: float | None, high: float | None, integer: bool
) -> None:
    one, noted = read(schema)
    assert one == number(minimum=low, maximum=high, integer=integer)
    assert noted


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ({"type": "object"}, "type"),
        ({"properties": {}}, "type"),
        ({"default": {}}, "type"),
        ({"type": "null"}, "type"),
        ({"type": "bool"}, "type"),
        ({"type": 3}, "type"),
        ({"type": None}, "type"),
        ({"type": []}, "type"),
        ({"type": ["null"]}, "type"),
        ({"type": ["string", "integer"]}, "type"),
        ({"type": [["string"]]}, "type"),
        (False, "type"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "anyOf"),
        ({"type": "string", "allOf": [{"minLength": 1}, {"maxLength": 2}]}, "allOf"),
        ({"type": "string", "enum": []}, "enum"),
        ({"type": "string", "minLength": 2, "maxLength": 1}, "minLength"),
        ({"type": "string", "maxLength": -1}, "maxLength"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "minimum"),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, "minimum"),
        ({"type": "integer", "enum": [80, 443]}, "enum"),
        ({"type": "number", "enum": [1.5, 2.5]}, "enum"),
        ({"type": "integer", "enum": ["1"]}, "enum"),
        ({"type": "integer", "enum": 1}, "enum"),
        ({"type": "number", "enum": []}, "enum"),
        ({"type": "number", "const": True}, "const"),
        ({"type": "boolean", "enum": ["yes", "no"]}, "enum"),
        ({"type": "boolean", "enum": True}, "enum"),
        ({"type": "boolean", "const": "yes"}, "const"),
        ({"type": "array"}, "items"),
        ({"type": "array", "items": []}, "items"),
        ({"type": "array", "items": {"type": "string"}}, "items"),
        ({"type": "array", "items": {"type": "integer", "enum": ["a"]}}, "items"),
        ({"type": "array", "items": ITEMS, "minItems": 3}, "minItems"),
    ],
)
def test_what_no_field_can_stand_for_is_an_error_that_names_it(schema: object, what: str) -> None:
    with pytest.raises(UnreadableSchema) as caught:
        read(schema)
    assert [(problem.field, problem.what) for problem in caught.value.problems] == [("f", what)]


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "string", "default": "x"}, "default"),
        ({"type": "number", "default": 1}, "default"),
        ({"type": "string", "enum": ["a"], "default": "a"}, "default"),
        ({"type": "string", "oneOf": TITLED}, "oneOf"),
        ({"type": "array", "items": ITEMS}, "type"),
    ],
)
def test_what_an_older_revision_has_not_is_kept_and_noted(schema: object, keyword: str) -> None:
    one, noted = read(schema, OLDEST)
    assert one == read(schema)[0]
    assert noted == [keyword]
    assert read(schema)[1] == []


def test_a_flag_has_a_default_in_every_revision() -> None:
    assert read({"type": "boolean", "default": True}, OLDEST) == (FlagField(name="f", default=True), [])


def test_a_field_that_may_be_null_can_be_required_and_null_is_no_answer() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert read_field(Document({}), ABILITIES[OLDEST], "f", schema, True) == text(required=True)
