"""Whole schemas: what real servers send, and what is written."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.errors import CannotCarry, UnreadableSchema
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Deviation,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.core.revisions import NEWEST_DIALECT, Dialect
from askfirst.core.schema import read_schema, write_schema

OLDEST = Dialect.D2025_06_18

ROWS = [
    row
    for line in (Path(__file__).parents[1] / "data" / "requests.jsonl").read_text("utf-8").splitlines()
    if (row := json.loads(line))["params"].get("mode") != "url"
]

UNREADABLE = {
    "py-workflow-card-checkbox": [("checks", "enum")],
    "py-root-string": [("", "type")],
    "ts-profile-nested": [("preferences", "type")],
    "ts-survey-strings": [("hobbies", "items")],
    "ts-hostile-nested": [("profile", "type")],
}
"""What is no flat form of primitive values, with the fields that are to blame."""


def read(row: dict[str, Any], dialect: Dialect = NEWEST_DIALECT) -> Form:
    return read_schema(row["params"].get("requestedSchema"), dialect)


def noted(form: Form) -> set[tuple[str, str]]:
    return {(note.field, note.keyword) for note in form.deviations}


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["id"] not in UNREADABLE], ids=lambda row: row["id"]
)
def test_what_real_servers_ask_can_be_read(row: dict[str, Any]) -> None:
    form = read(row)
    schema = row["params"].get("requestedSchema", {})
    assert [one.name for one in form.fields] == list(schema.get("properties", {}))
    assert form.required == tuple(
        name for name in schema.get("properties", {}) if name in schema.get("required", [])
    )
    if row["valid"] and not [problem for problem in row["strict_problems"] if "parameter" not in problem]:
        assert form.deviations == ()


@pytest.mark.parametrize("row", [row for row in ROWS if row["id"] in UNREADABLE], ids=lambda row: row["id"])
def test_what_can_not_be_a_form_is_refused_by_name(row: dict[str, Any]) -> None:
    assert not row["valid"]
    with pytest.raises(UnreadableSchema) as caught:
        read(row)
    assert [(problem.field, problem.what) for problem in caught.value.problems] == UNREADABLE[row["id"]]


class Complaint(NamedTuple):
    """Something that a strict reader finds in a real request, as the collection words it."""

    row: dict[str, Any]
    field: str
    words: str
    keywords: list[str]


def _complaints() -> list[Complaint]:
    found = []
    for row in ROWS:
        for problem in row["strict_problems"]:
            field, words = re.fullmatch(r"(?:properties\.(\w+)[.a-z]*: )?(.*)", problem).groups()
            keywords = re.findall(r"'([^']+)'", words) if "unknown" in words else []
            if row["id"] not in UNREADABLE and "parameter" not in words:
                found.append(Complaint(row, field or "", words, keywords))
    return found


@pytest.mark.parametrize("one", _complaints(), ids=lambda one: f"{one.row['id']}-{one.field}")
def test_what_a_strict_reader_complains_about_is_noted(one: Complaint) -> None:
    notes = noted(read(one.row))
    if "unknown" in one.words and "keyword" in one.words and "option" not in one.words:
        assert {(one.field, keyword) for keyword in one.keywords} <= notes
    else:
        assert one.field in {field for field, _ in notes}


def test_null_is_no_answer_so_an_optional_field_of_pydantic_is_just_one_that_may_be_left_out() -> None:
    (row,) = [row for row in ROWS if row["id"] == "py-sdk-register-v1"]
    assert read(row)["plan"] == TextField(name="plan", title="Plan")


def test_choices_behind_references_are_found() -> None:
    by_id = {row["id"]: row for row in ROWS}
    decision = read(by_id["rs-payment-ref"])["decision"]
    assert isinstance(decision, ChoiceField)
    assert [choice.value for choice in decision.choices] == ["approve", "reject"]
    action = read(by_id["rs-lock-remedy"])["action"]
    assert isinstance(action, ChoiceField)
    assert action.choices[2] == Choice("C", "Do nothing")


@pytest.mark.parametrize("schema", [None, {}, {"type": "object"}, {"type": "object", "properties": None}])
def test_no_fields_is_a_form_without_fields(schema: object) -> None:
    form = read_schema(schema)
    assert form == Form()
    assert ("", "properties") in noted(form)


@pytest.mark.parametrize(
    ("rest", "note"),
    [
        ({"title": "Model"}, ("", "title")),
        ({"$defs": {}}, ("", "$defs")),
        ({"required": True}, ("", "required")),
        ({"required": ["sure", 3]}, ("", "required")),
        ({"required": ["sure", "gone"]}, ("gone", "required")),
        ({"type": ["object", "null"]}, ("", "type")),
        ({"anyOf": [{"required": ["sure"]}, {"required": ["why"]}]}, ("", "anyOf")),
        ({"additionalProperties": True}, ("", "additionalProperties")),
    ],
)
def test_what_is_odd_at_the_root_is_noted(rest: dict[str, Any], note: tuple[str, str]) -> None:
    form = read_schema({"type": "object", "properties": {"sure": {"type": "boolean"}}} | rest)
    assert noted(form) == {note}
    assert not form.closed


def test_a_root_behind_a_reference_is_found() -> None:
    inner = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
    form = read_schema({"$ref": "#/definitions/Model", "definitions": {"Model": inner}})
    assert form == Form((FlagField(name="sure"),))


def test_a_schema_that_lets_nothing_else_through_closes_the_form() -> None:
    form = read_schema({"type": "object", "properties": {}, "additionalProperties": False})
    assert form.closed
    assert form.deviations == (Deviation("", "additionalProperties", "not listed for the root; kept"),)


def test_a_schema_may_declare_what_it_is_written_in_except_in_the_oldest_revision() -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}}
    assert noted(read_schema(schema)) == set()
    assert noted(read_schema(schema, OLDEST)) == {("", "$schema")}


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ([], "type"),
        ("object", "type"),
        ({"type": "string"}, "type"),
        ({"type": None}, "type"),
        ({"type": "object", "properties": []}, "properties"),
        ({"type": "object", "allOf": [{"properties": {}}, {"required": []}]}, "allOf"),
        ({"$ref": "#"}, "$ref"),
    ],
)
def test_a_whole_that_is_no_form_is_an_error_of_the_whole(schema: object, what: str) -> None:
    with pytest.raises(UnreadableSchema) as caught:
        read_schema(schema)
    assert [(problem.field, problem.what) for problem in caught.value.problems] == [("", what)]


def test_all_fields_that_can_not_be_read_are_named_at_once() -> None:
    fields = {"a": {"type": "object"}, "b": {"type": "boolean"}, "c": {"type": "array"}}
    with pytest.raises(UnreadableSchema, match="this schema can't be shown as a form") as caught:
        read_schema({"type": "object", "properties": fields})
    assert [problem.field for problem in caught.value.problems] == ["a", "c"]


def test_properties_named_like_keywords_are_properties() -> None:
    names = ["title", "description", "default", "type", "required", "properties", "$ref", ""]
    form = read_schema({"type": "object", "properties": {name: {"type": "string"} for name in names}})
    assert [one.name for one in form.fields] == names
    assert form.deviations == ()


def test_a_short_text_can_not_unfold_to_a_huge_form() -> None:
    choices = {"type": "string", "enum": [str(number) for number in range(2000)]}
    fields = {str(number): {"$ref": "#/$defs/choices"} for number in range(500)}
    with pytest.raises(UnreadableSchema, match="at most 50000 parts"):
        read_schema({"type": "object", "properties": fields, "$defs": {"choices": choices}})


@pytest.mark.parametrize(
    ("names", "fits"),
    [
        ([f"f{number}" for number in range(500)], True),
        ([f"f{number}" for number in range(501)], False),
        (["n" * 1000], True),
        (["n" * 1001], False),
    ],
)
def test_a_form_of_more_than_a_person_could_fill_in_is_none(names: list[str], fits: bool) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    if fits:
        assert [one.name for one in read_schema(schema).fields] == names
        return
    with pytest.raises(UnreadableSchema) as caught:
        read_schema(schema)
    assert [(problem.field, problem.what) for problem in caught.value.problems] == [("", "properties")]
    assert len(str(caught.value)) < 300


def test_depth_does_no_harm() -> None:
    deep: Any = {"type": "string"}
    for _ in range(100_000):
        deep = {"allOf": [deep]}
    with pytest.raises(UnreadableSchema):
        read_schema({"type": "object", "properties": {"f": deep, "g": {"type": "string", "x-deep": deep}}})


@given(strategies.wild_schemas, st.sampled_from(Dialect))
def test_any_json_is_a_form_or_unreadable(schema: Any, dialect: Dialect) -> None:
    try:
        form = read_schema(schema, dialect)
    except UnreadableSchema:
        return
    assert all(name in schema["properties"] for name in form.required)


@given(st.data(), st.sampled_from(Dialect))
def test_what_was_written_is_read_as_the_same_form_without_a_deviation(
    data: st.DataObject, dialect: Dialect
) -> None:
    form = data.draw(strategies.forms(dialect))
    again = read_schema(json.loads(json.dumps(write_schema(form, dialect))), dialect)
    assert again == form
    assert again.deviations == ()


AB = (Choice("a", "The first"), Choice("b", "The second"))
CONSTS = [{"const": "a", "title": "The first"}, {"const": "b", "title": "The second"}]
EVERYTHING = Form(
    (
        TextField(name="text", title="Text", description="Any", required=True, min_length=1, format="email"),
        NumberField(name="whole", integer=True, minimum=0, maximum=9, default=0),
        NumberField(name="number", default=1.5),
        FlagField(name="flag", default=False),
        ChoiceField(name="plain", choices=(Choice("a"), Choice("b")), default="a"),
        ChoiceField(name="titled", choices=AB, required=True),
        ChoiceField(name="legacy", choices=AB, legacy_titles=True),
        ChoicesField(name="many", choices=(Choice("a"), Choice("b")), min_items=1, default=("b",)),
        ChoicesField(name="many_titled", choices=AB, max_items=1),
    )
)


@pytest.mark.parametrize("dialect", [Dialect.D2025_11_25, Dialect.D2026_07_28])
def test_every_field_is_written_in_its_own_shape(dialect: Dialect) -> None:
    assert write_schema(EVERYTHING, dialect) == {
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "title": "Text",
                "description": "Any",
                "minLength": 1,
                "format": "email",
            },
            "whole": {"type": "integer", "minimum": 0, "maximum": 9, "default": 0},
            "number": {"type": "number", "default": 1.5},
            "flag": {"type": "boolean", "default": False},
            "plain": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "titled": {"type": "string", "oneOf": CONSTS},
            "legacy": {"type": "string", "enum": ["a", "b"], "enumNames": ["The first", "The second"]},
            "many": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "string", "enum": ["a", "b"]},
                "default": ["b"],
            },
            "many_titled": {"type": "array", "maxItems": 1, "items": {"anyOf": CONSTS}},
        },
        "required": ["text", "titled"],
    }


def test_the_oldest_dialect_has_names_for_titles_and_defaults_of_flags_alone() -> None:
    assert write_schema(Form(EVERYTHING.fields[1:6]), OLDEST) == {
        "type": "object",
        "properties": {
            "whole": {"type": "integer", "minimum": 0, "maximum": 9},
            "number": {"type": "number"},
            "flag": {"type": "boolean", "default": False},
            "plain": {"type": "string", "enum": ["a", "b"]},
            "titled": {"type": "string", "enum": ["a", "b"], "enumNames": ["The first", "The second"]},
        },
        "required": ["titled"],
    }


def test_what_a_dialect_has_not_is_refused_by_name() -> None:
    with pytest.raises(CannotCarry, match="must be converted") as caught:
        write_schema(EVERYTHING, OLDEST)
    assert [problem.field for problem in caught.value.problems] == ["many", "many_titled"]


def test_what_no_dialect_lists_is_not_written() -> None:
    form = Form((TextField(name="f", format="password", pattern="^a"),), closed=True)
    assert write_schema(form, NEWEST_DIALECT) == {"type": "object", "properties": {"f": {"type": "string"}}}


def test_a_choice_without_a_title_among_titled_ones_is_titled_with_its_value() -> None:
    form = Form((ChoiceField(name="f", choices=(Choice("a", "The first"), Choice("b"))),))
    assert write_schema(form, NEWEST_DIALECT)["properties"] == {
        "f": {"type": "string", "oneOf": [{"const": "a", "title": "The first"}, {"const": "b", "title": "b"}]}
    }
    assert write_schema(form, OLDEST)["properties"] == {
        "f": {"type": "string", "enum": ["a", "b"], "enumNames": ["The first", "b"]}
    }


def test_what_is_no_field_is_not_written() -> None:
    class Date(NamedTuple):
        name: str = "day"
        required: bool = False
        default: None = None

        def contradictions(self) -> tuple[()]:
            return ()

    with pytest.raises(AssertionError):
        write_schema(Form((Date(),)), NEWEST_DIALECT)  # type: ignore[arg-type]
