"""What a schema allows, flattened and in words."""

from typing import Any

from hypothesis import given

from askfirst.cli.shapes import shapes, words
from strategies import json_values


def said(schema: dict[str, Any], **root: Any) -> str:
    return words(shapes(schema, root))


def test_kinds_are_words() -> None:
    assert said({"type": "integer"}) == "a whole number"
    assert said({"type": ["string", "null"]}) == "a text, or null"
    assert said({"anyOf": [{"type": "string"}, {"type": "string", "format": "hostname"}]}) == "a text"
    assert said({"type": "string", "format": "date"}) == "a date such as 2026-12-31"
    assert said({"type": "array", "items": {"type": "number"}}) == "a list, each a number"
    assert said({"type": "array"}) == "a list"
    assert said({}) == "anything"
    assert said({"type": "something-new"}) == "anything"


def test_listed_values_are_shown_up_to_a_point() -> None:
    assert said({"enum": ["a", 1, None]}) == "one of a, 1, null"
    assert said({"const": "a"}) == "a"
    assert said({"enum": [f"v{number}" for number in range(30)]}).endswith("v19 and 10 more")


def test_a_reference_is_followed_within_the_document_only() -> None:
    assert said({"$ref": "#/$defs/A"}, **{"$defs": {"A": {"type": "boolean"}}}) == "true or false"
    assert said({"$ref": "#/$defs/a~1b"}, **{"$defs": {"a/b": {"type": "boolean"}}}) == "true or false"
    assert said({"$ref": "#/$defs/B"}) == "anything"


def test_a_circle_of_references_ends() -> None:
    tree = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]}
    assert said({"$ref": "#/$defs/Tree"}, **{"$defs": {"Tree": tree}}) == "a text, or a list"


def test_references_that_double_at_every_step_end_soon() -> None:
    doubling = {f"A{at}": {"anyOf": [{"$ref": f"#/$defs/A{at + 1}"}] * 2} for at in range(60)}
    assert said({"$ref": "#/$defs/A0"}, **{"$defs": doubling}) == "anything"


@given(json_values)
def test_no_schema_is_too_strange(schema: Any) -> None:
    assert words(shapes(schema, {}))
