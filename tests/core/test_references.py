"""Detours of a schema: where they lead, and that they end."""

from typing import Any

import pytest

from askfirst.core.errors import UnreadableSchema
from askfirst.core.references import MOST_PARTS, MOST_STEPS, Document, is_null

TEXT = {"type": "string"}
NULL = {"type": "null"}


def unfolded(schema: object, **root: Any) -> Any:
    return Document(root).unfold("f", schema)


def refused(schema: object, **root: Any) -> tuple[str, str]:
    with pytest.raises(UnreadableSchema) as caught:
        unfolded(schema, **root)
    (problem,) = caught.value.problems
    assert problem.field == "f"
    return problem.what, problem.got


def test_a_schema_without_detours_is_left_alone_and_not_noted() -> None:
    document = Document({})
    assert document.unfold("f", TEXT) is TEXT
    assert not document.notes


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/Text"},
        {"$ref": "#/definitions/a~1b~0c"},
        {"$ref": "#/definitions/with%20blank"},
        {"allOf": [{"$ref": "#/$defs/Text"}]},
        {"anyOf": [TEXT, NULL]},
        {"anyOf": [{"const": None}, {"$ref": "#/$defs/Text"}]},
        {"oneOf": [NULL, {"allOf": [TEXT]}]},
        {"oneOf": [TEXT]},
    ],
)
def test_a_detour_becomes_what_it_leads_to(schema: object) -> None:
    definitions = {"a/b~c": TEXT, "with blank": TEXT}
    assert unfolded(schema, **{"$defs": {"Text": TEXT}, "definitions": definitions}) == TEXT


def test_each_detour_is_noted_with_its_keyword() -> None:
    document = Document({"$defs": {"Text": TEXT}})
    document.unfold("f", {"anyOf": [{"$ref": "#/$defs/Text"}, NULL]})
    assert [(note.field, note.keyword) for note in document.notes] == [("f", "anyOf"), ("f", "$ref")]


def test_what_stands_beside_a_reference_wins() -> None:
    inner = {"type": "string", "title": "Inner", "maxLength": 3}
    outer = {"$ref": "#/$defs/a", "title": "Outer"}
    assert unfolded(outer, **{"$defs": {"a": inner}}) == {"type": "string", "title": "Outer", "maxLength": 3}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [TEXT, {"type": "integer"}]},
        {"allOf": [TEXT, {"maxLength": 3}]},
        {"anyOf": [NULL]},
        {"anyOf": "string"},
        {"oneOf": [{"const": "a", "title": "A"}]},
    ],
)
def test_what_means_more_or_less_than_one_schema_is_no_detour(schema: object) -> None:
    assert unfolded(schema) is schema


@pytest.mark.parametrize("schema", [True, None, "string", ["string"], 3])
def test_what_is_no_object_describes_no_field(schema: object) -> None:
    assert refused(schema) == ("type", "something else")


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/missing", "#/$defs/a/b/c", "https://example.com/schema.json", "other.json#/a", 3, None],
)
def test_a_reference_out_of_the_document_is_never_followed(reference: object) -> None:
    assert refused({"$ref": reference}, **{"$defs": {"a": "text"}}) == ("$ref", "a way to none")


def test_a_union_of_one_thing_that_is_no_schema_is_refused() -> None:
    assert refused({"anyOf": ["string"]}) == ("anyOf", "a way to none")


def test_the_whole_document_can_be_referred_to() -> None:
    assert unfolded({"$ref": "#"}, type="object") == {"type": "object"}


def test_references_in_a_circle_come_to_an_end() -> None:
    circle = {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}
    assert (
        refused({"$ref": "#/$defs/a"}, **{"$defs": circle})[1]
        == f"more than {MOST_STEPS} references in a row"
    )


def test_a_document_that_unfolds_without_measure_is_refused_however_short_its_text() -> None:
    huge = {str(number): number for number in range(MOST_PARTS // 10)}
    document = Document({"huge": huge})
    for _ in range(10):
        document.unfold("f", {"$ref": "#/huge"})
    with pytest.raises(UnreadableSchema) as caught:
        document.unfold("f", {"$ref": "#/huge"})
    assert f"at most {MOST_PARTS} parts" in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "verdict"),
    [(NULL, True), ({"const": None}, True), ({"const": ""}, False), ({}, False), (None, False)],
)
def test_only_a_schema_of_null_alone_is_null(schema: object, verdict: bool) -> None:
    assert is_null(schema) is verdict
