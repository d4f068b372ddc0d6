"""Hypothesis strategies that every test may use: forms, content for them, schemas, any JSON."""

from datetime import UTC
from functools import cache
from typing import Any

from hypothesis import strategies as st

from askfirst.core.answers import Content
from askfirst.core.dialects import ABILITIES
from askfirst.core.fields import (
    TEXT_FORMATS,
    Choice,
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.core.revisions import NEWEST_DIALECT, Dialect

texts = st.text(max_size=8)
"""Any text of whole characters, from every script, control characters too."""

names = st.one_of(st.sampled_from(["a", "b", "a_1", "title", "type", "default", "properties"]), texts)
"""Field names; few, so that they meet, and some that are keywords."""

finite = st.one_of(st.integers(-1000, 1000), st.floats(allow_nan=False, allow_infinity=False)).map(
    lambda number: number or 0
)
"""Numbers of JSON, without the zero below zero: no bound means that."""

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
"""Whatever `json.loads` can give back; Python's lets NaN and the infinities through."""

_OF_FORMATS: dict[str | None, st.SearchStrategy[str]] = {
    "email": st.sampled_from(["ada@example.com", "a.b+c@sub.example.org"]),
    "uri": st.sampled_from(["https://example.com/", "urn:isbn:0451450523"]),
    "date": st.dates().map(str),
    "date-time": st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.isoformat()),
}


@cache
def _text(format_: str | None, low: int | None, high: int | None) -> st.SearchStrategy[str]:
    return (
        _OF_FORMATS[format_] if format_ else st.text(min_size=low or 0, max_size=8 if high is None else high)
    )


@cache
def _number(integer: bool, low: float | None, high: float | None) -> st.SearchStrategy[int | float]:
    whole = st.integers(low if low is None else int(low), high if high is None else int(high))
    return whole if integer else st.floats(low, high, allow_nan=False, allow_infinity=False)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def _bounds(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    def ordered(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        low, high = pair
        return (high, low) if low is not None and high is not None and low > high else pair

    return st.tuples(_maybe(strategy), _maybe(strategy)).map(ordered)


# What depends on nothing that was drawn is made once: making a strategy takes longer than drawing from it.
_SOME_TEXT = _maybe(texts)
_FLAGS = st.booleans()
_SOME_FLAG = _maybe(_FLAGS)
_SOME_FORMAT = _maybe(st.sampled_from(TEXT_FORMATS))
_LENGTHS = _bounds(st.integers(0, 6))
_WHOLE = _bounds(st.integers(-100, 100))
_FINITE = _bounds(finite)
_KINDS = {
    dialect: st.sampled_from(["text", "number", "flag", "choice"] + ["several"] * abilities.many)
    for dialect, abilities in ABILITIES.items()
}


@st.composite
def fields(draw: st.DrawFn, name: str, dialect: Dialect = NEWEST_DIALECT) -> Field:
    """A field that the dialect can carry in full."""
    abilities = ABILITIES[dialect]
    title, description = draw(_SOME_TEXT), draw(_SOME_TEXT)
    required = draw(_FLAGS)
    named: Any = {"name": name, "title": title, "description": description, "required": required}

    def default(strategy: st.SearchStrategy[Any]) -> Any:
        return draw(_maybe(strategy)) if abilities.defaults else None

    match draw(_KINDS[dialect]):
        case "text":
            format_ = draw(_SOME_FORMAT)
            low, high = (None, None) if format_ else draw(_LENGTHS)
            value = default(_text(format_, low, high))
            return TextField(**named, format=format_, min_length=low, max_length=high, default=value)
        case "number":
            integer = draw(_FLAGS)
            low, high = draw(_WHOLE if integer else _FINITE)
            value = default(_number(integer, low, high))
            return NumberField(**named, integer=integer, minimum=low, maximum=high, default=value)
        case "flag":
            return FlagField(**named, default=draw(_SOME_FLAG))
        case "choice":
            codes = draw(_codes)
            choices = draw(_choices(codes))
            legacy = abilities.titled and choices[0].title is not None and draw(_FLAGS)
            value = default(st.sampled_from(codes))
            return ChoiceField(**named, choices=choices, legacy_titles=legacy, default=value)
        case _:
            codes = draw(_codes)
            low, high = draw(_bounds(st.integers(0, len(codes))))
            chosen = _some(codes, low, high).map(tuple)
            choices = draw(_choices(codes))
            return ChoicesField(
                **named, choices=choices, min_items=low, max_items=high, default=default(chosen)
            )


_codes = st.lists(texts, min_size=1, max_size=5, unique=True)


@st.composite
def _choices(draw: st.DrawFn, codes: list[str]) -> tuple[Choice, ...]:
    """All with a title, or none: the shapes of the specification have no other."""
    if draw(_FLAGS):
        return tuple(Choice(code) for code in codes)
    return tuple(Choice(code, draw(texts)) for code in codes)


def _some(codes: list[str], low: int | None, high: int | None) -> st.SearchStrategy[list[str]]:
    most = len(codes) if high is None else high
    return st.lists(st.sampled_from(codes), min_size=low or 0, max_size=most, unique=True)


_names = st.lists(names, max_size=4, unique=True)


@st.composite
def forms(draw: st.DrawFn, dialect: Dialect = NEWEST_DIALECT) -> Form:
    """A form that the dialect can carry in full: what is written can be read again, and is the same."""
    used = draw(_names)
    return Form(tuple(draw(fields(name, dialect)) for name in used))


def values(one: Field) -> st.SearchStrategy[Any]:
    """What fits a field."""
    match one:
        case TextField():
            return _text(one.format, one.min_length, one.max_length)
        case NumberField():
            return _number(one.integer, one.minimum, one.maximum)
        case FlagField():
            return st.booleans()
        case ChoiceField():
            return st.sampled_from([choice.value for choice in one.choices])
        case ChoicesField():
            return _some([choice.value for choice in one.choices], one.min_items, one.max_items)


@st.composite
def fitting(draw: st.DrawFn, form: Form) -> Content:
    """Content that the form accepts: required fields, and some of the others."""
    content: Content = {}
    for one in form.fields:
        if one.required or draw(_FLAGS):
            content[one.name] = draw(values(one))
    return content


_ONE_OF_FOUR = st.integers(0, 3)
_ANOTHER = st.dictionaries(names, json_values, max_size=1)


@st.composite
def content(draw: st.DrawFn, form: Form) -> dict[str, Any]:
    """Content for a form, right or wrong, from somebody who has at least seen it."""
    given: dict[str, Any] = {}
    for one in form.fields:
        if draw(_ONE_OF_FOUR):
            given[one.name] = draw(st.one_of(values(one), values(one), json_values))
    return given | draw(_ANOTHER)


_KEYWORDS = [
    *("type", "title", "description", "default", "enum", "enumNames", "oneOf", "anyOf", "allOf", "const"),
    *("$ref", "items", "minItems", "maxItems", "minLength", "maxLength", "format", "pattern", "required"),
    *("properties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "$defs", "a"),
]
_WORDS = st.sampled_from(
    [
        "string",
        "number",
        "integer",
        "boolean",
        "array",
        "object",
        "null",
        "email",
        "#",
        "#/$defs/a",
        "#/properties/a",
    ]
)


def _schema_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYWORDS), inner, max_size=5)


schema_like: st.SearchStrategy[Any] = st.recursive(
    _WORDS | st.none() | st.booleans() | st.integers(-3, 9) | st.floats(), _schema_of, max_leaves=20
)
"""JSON made of the words of JSON Schema, put together by somebody who does not know what they mean."""

wild_schemas: st.SearchStrategy[Any] = json_values | st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(names, schema_like, max_size=4)},
    optional={
        "required": schema_like,
        "$defs": st.fixed_dictionaries({"a": schema_like}),
        "anyOf": schema_like,
    },
)
"""What may come as a `requestedSchema`: nonsense, and near misses."""
