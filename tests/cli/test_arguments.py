"""`name=value` texts, read by a tool's schema."""

import json
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.cli.arguments import missing, parse_object, read_arguments, split_arguments
from strategies import json_values

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "loud": {"type": "boolean"},
        "nothing": {"type": "null"},
        "mood": {"enum": ["glad", "sad", 3, None, True]},
        "fixed": {"const": "only"},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "both": {"type": ["string", "integer"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "numbers": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "plain_list": {"type": "array"},
        "one_or_more": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "extra": {"type": "object"},
        "place": {"$ref": "#/$defs/Place"},
        "wrapped": {"allOf": [{"$ref": "#/$defs/Place"}], "title": "Place"},
        "elsewhere": {"$ref": "https://example.org/schema"},
        "anything": {},
        "true": True,
    },
    "required": ["text"],
    "$defs": {"Place": {"type": "string", "enum": ["here", "there"]}},
}


def read(*texts: str, schema: dict[str, Any] = SCHEMA, **more: Any) -> dict[str, Any]:
    return read_arguments(split_arguments(texts), schema, more)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("text=3", "3"),
        ("text=", ""),
        ("text=a=b", "a=b"),
        ("text=null", "null"),
        ("count=3", 3),
        ("count=-3", -3),
        ("share=2.5e3", 2500.0),
        ("share=2", 2),
        ("loud=true", True),
        ("loud=false", False),
        ("nothing=null", None),
        ("mood=sad", "sad"),
        ("mood=3", 3),
        ("mood=null", None),
        ("mood=true", True),
        ("fixed=only", "only"),
        ("maybe=null", None),
        ("maybe=7", 7),
        ("both=7", 7),
        ("both=007", "007"),
        ("tags=a", ["a"]),
        ('tags=["a", "b"]', ["a", "b"]),
        ("tags=[]", []),
        ("numbers=1", [1]),
        ("numbers=null", None),
        ("plain_list=1", [1]),
        ("one_or_more=a", "a"),
        ('one_or_more=["a"]', ["a"]),
        ('extra={"a": {"b": 1}}', {"a": {"b": 1}}),
        ("place=there", "there"),
        ("wrapped=here", "here"),
        ("elsewhere=3", 3),
        ("anything=3", 3),
        ("anything=x y", "x y"),
        ("true=[1]", [1]),
    ],
)
def test_a_text_is_read_as_its_schema_says(text: str, value: Any) -> None:
    name = text.partition("=")[0]
    got = read(text)[name]
    assert (got, type(got)) == (value, type(value))


def test_a_name_given_several_times_is_a_list() -> None:
    assert read("tags=a", "numbers=1", "tags=b", "numbers=2") == {"tags": ["a", "b"], "numbers": [1, 2]}
    assert read("anything=1", "anything=x") == {"anything": [1, "x"]}
    assert read("tags=[a", "tags=b") == {"tags": ["[a", "b"]}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["text=\udcff"], "text: expected a text, got text with half a character in it"),
        (["anything=\udcff"], "anything: expected anything, got text with half a character in it"),
        (['extra={"a": "\\ud800"}'], "got text with half a character in it"),
        (["count=x"], "count: expected a whole number, got text of 1 character"),
        (["count=3.5"], "count: expected a whole number, got text of 3 characters"),
        (["count="], "count: expected a whole number, got nothing"),
        (["count=" + "9" * 5000], "count: expected a whole number, got a number with too many digits"),
        (["share=1e999"], "share: expected a number, got a number that is too large"),
        (["share=NaN"], "share: expected a number, got text of 3 characters"),
        (["loud=yes"], "loud: expected true or false, got text of 3 characters"),
        (["mood=angry"], "mood: expected one of glad, sad, 3, null, true, got text of 5 characters"),
        (["fixed=other"], "fixed: expected only, got text of 5 characters"),
        (["maybe=x"], "maybe: expected a whole number, or null, got text of 1 character"),
        (["place=nowhere"], "place: expected one of here, there, got text of 7 characters"),
        (["extra=x"], "extra: expected a JSON object, got text of 1 character"),
        (["extra={x"], "extra: expected a JSON object, got text that is not JSON"),
        (["extra={}]"], "extra: expected a JSON object, got text that is not JSON"),
        (["tags=[a"], "tags: expected a list, each a text, got text that is not JSON"),
        (["numbers=x"], "numbers: expected a whole number, got text of 1 character"),
        (["count=1", "count=2"], "count: given 2 times, and it takes one value"),
        (["txet=1"], "txet: the tool has no such argument, only text, count"),
        (["txet=1"], "did you mean text?"),
    ],
)
def test_what_can_not_be_meant_is_said(texts: list[str], words: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        read(*texts)
    assert words in raised.value.message


def test_an_argument_that_is_none_is_said() -> None:
    for text in ("novalue", "=x", ""):
        with pytest.raises(click.UsageError, match="expected arguments as name=value"):
            split_arguments([text])


def test_a_name_is_given_once_either_way() -> None:
    assert read("count=1", text="x") == {"count": 1, "text": "x"}
    with pytest.raises(click.UsageError, match="and in --arguments; give it once"):
        read("count=1", count=2)


def test_unknown_names_go_where_the_schema_takes_them() -> None:
    assert read("new=1", schema={"additionalProperties": True}) == {"new": 1}
    assert read("new=1", schema={"additionalProperties": {"type": "string"}}) == {"new": "1"}
    assert read("new=1", schema={"patternProperties": {"^n": {}}}) == {"new": 1}
    for schema in ({}, {"properties": {}}, {"properties": 3}):
        with pytest.raises(click.UsageError, match="new: the tool takes no arguments"):
            read("new=1", schema=schema)


def test_what_is_missing_is_named() -> None:
    assert missing({}, SCHEMA) == ["text"]
    assert missing({"text": "x"}, SCHEMA) == []
    assert missing({}, {"required": "nonsense"}) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "text that is not JSON"),
        ("[]", "JSON of another kind"),
        ('{"a": NaN}', "NaN, which JSON has no place for"),
        ('{"a": ' + "9" * 5000 + "}", "a number with too many digits"),
        ('{"a":' * 100_000, "JSON that is nested too deeply"),
    ],
)
def test_json_that_is_no_object_is_said_and_not_repeated(text: str, words: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        parse_object(text, "--arguments")
    assert raised.value.message.startswith("--arguments: expected a JSON object, got ")
    assert words in raised.value.message


@given(st.text(min_size=1).filter(lambda name: "=" not in name), st.text(), json_values)
def test_any_text_against_any_schema_is_a_value_or_a_usage_error(name: str, text: str, schema: Any) -> None:
    try:
        value = read(f"{name}={text}", schema={"properties": {name: schema}})[name]
    except click.UsageError:
        return
    json.dumps(value)


@given(st.dictionaries(st.text(min_size=1), json_values, max_size=3))
def test_an_object_is_read_as_json_reads_it(value: dict[str, Any]) -> None:
    try:
        text = json.dumps(value, allow_nan=False)
    except ValueError:
        return
    assert parse_object(text, "--arguments") == value


@given(st.integers() | st.booleans() | st.none())
def test_a_scalar_survives_its_json(value: Any) -> None:
    kinds = {"type": ["integer", "boolean", "null"]}
    got = read(f"x={json.dumps(value)}", schema={"properties": {"x": kinds}})["x"]
    assert (got, type(got)) == (value, type(value))
