"""One field of a `requestedSchema`, read leniently.

1. What means the same in other words is read, and noted as a deviation: the detours of `core.references`, a
   `const`, a missing `type`, options in other shapes, `exclusiveMinimum`, a field's own `required: true`.
2. Any other keyword is left out, and noted. If it restricts what may be answered, the form accepts what its
   asker may still refuse, and the note is all that can be done about it.
3. A default that could not be sent as it stands is left out, and noted.
4. What no field of primitive values can stand for (a nested object, a list of free values, a choice between
   kinds or of things that are not text) is an error.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import floor, inf, nextafter
from types import MappingProxyType
from typing import Final

from .dialects import Abilities
from .errors import UnreadableSchema
from .fields import TEXT_FORMATS, ChoiceField, ChoicesField, Field, FlagField, Label, NumberField, TextField
from .options import choices_of
from .references import Document, unreadable
from .source import Number, Source, is_number

__all__ = ["read_field"]

_WHOLE_FLOATS: Final = 2.0**53
"""From here on every float is a whole number."""


def read_field(document: Document, abilities: Abilities, name: str, schema: object, required: bool) -> Field:
    """One property of the root as a field; deviations go to the document.

    Raises:
        UnreadableSchema: It can't be a field; `.problems` says why.
    """
    source = Source(name, document.unfold(name, schema), document, abilities)
    kind = _kind(source)
    read = _READERS.get(kind)
    if read is None:
        got = "an object" if kind == "object" else "another type"
        raise unreadable(name, "type", "text, a number, a yes or no, or a choice", got)
    if source.schema.get("allOf"):
        raise unreadable(name, "allOf", "one schema", "several that must hold together")
    if source.schema.get("required") is True:
        source.take("required")
        source.note("required", "belongs to the root; read as if it stood there")
        required = True
    label: Label = (name, source.text("title"), source.text("description"), required)
    one = read(source, label)
    source.leave_the_rest()
    if problems := tuple(one.contradictions()):
        raise UnreadableSchema("this field can't be answered", problems)
    return one


def _kind(source: Source) -> str:
    """The JSON type of one field, guessed from the rest where it is missing."""
    kind = source.take("type")
    if isinstance(kind, list):
        rest = [one for one in kind if one != "null"]
        if len(rest) == 1:
            source.note("type", "a list of one type beside null; read as that type")
            kind = rest[0]
    if isinstance(kind, str):
        return kind
    if "type" in source.schema:
        raise unreadable(source.name, "type", "one type", "several, or none")
    guess = _guess(source.schema)
    source.note("type", f"missing; read as {guess}")
    return guess


def _guess(schema: Mapping[str, object]) -> str:
    for keyword, kind in (("items", "array"), ("properties", "object")):
        if keyword in schema:
            return kind
    options = schema.get("enum")
    samples = options if isinstance(options, list) else []
    for sample in (schema.get("const"), *samples[:1], schema.get("default")):
        for python, kind in _KINDS:
            if isinstance(sample, python):
                return kind
    return "number" if schema.keys() & _OF_NUMBERS else "string"


_KINDS: Final = (
    (str, "string"),
    (bool, "boolean"),
    (int | float, "number"),
    (list, "array"),
    (dict, "object"),
)
_OF_NUMBERS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})


def _text_or_choice(source: Source, label: Label) -> Field:
    found = choices_of(source, "oneOf")
    default = source.text("default")
    if found is not None:
        choices, legacy = found
        return _settled(source, ChoiceField(*label, choices=choices, legacy_titles=legacy, default=default))
    text = TextField(
        *label,
        min_length=source.least("minLength"),
        max_length=source.count("maxLength"),
        format=source.text("format"),
        pattern=source.text("pattern"),
        default=default,
    )
    if text.pattern is not None:
        source.note("pattern", "not listed; kept")
    if text.format is not None and text.format not in TEXT_FORMATS:
        source.note("format", "none of those listed; kept, but not checked")
    return _settled(source, text)


def _flag(source: Source, label: Label) -> Field:
    for keyword, values in (("enum", source.schema.get("enum")), ("const", [source.schema.get("const")])):
        if keyword in source.schema:
            if not (isinstance(values, list) and any(isinstance(one, bool) for one in values)):
                raise unreadable(source.name, keyword, "yes or no among the values", "neither")
            source.take(keyword)
            source.note(keyword, "not listed for a flag; left out: both yes and no can be answered")
    default = source.take("default")
    if isinstance(default, bool):
        return FlagField(*label, default=default)
    source.left_out("default", "true or false")
    return FlagField(*label)


def _several(source: Source, label: Label) -> Field:
    items = source.take("items")
    if not isinstance(items, dict):
        raise unreadable(source.name, "items", "choices", "a list of free values")
    inner = replace(source, schema=source.document.unfold(source.name, items), used=set())
    kind, found = inner.take("type"), choices_of(inner, "anyOf")
    if kind not in (None, "string") or found is None:
        raise unreadable(source.name, "items", "choices", "a list of free values")
    if kind is None and "enum" in inner.used:
        source.note("items", "without a type; read as text")
    inner.leave_the_rest()
    if not source.abilities.many:
        source.note("type", "a choice of several is not in this revision; kept")
    low, high, default = source.least("minItems"), source.count("maxItems"), source.take("default")
    chosen: tuple[str, ...] | None = None
    if isinstance(default, list) and all(isinstance(one, str) for one in default):
        chosen = tuple(default)
    else:
        source.left_out("default", "list of texts")
    several = ChoicesField(*label, choices=found[0], min_items=low, max_items=high, default=chosen)
    return _settled(source, several)


def _settled(source: Source, one: Field) -> Field:
    """The field with its default, if that default could be sent as it stands."""
    if one.default is None:
        return one
    if any(problem.what == "default" for problem in one.contradictions()):
        source.note("default", "breaks the field's own rules; left out")
        return one._replace(default=None)
    if not source.abilities.defaults:
        source.note("default", "not in this revision for this kind of field; kept")
    return one


def _integer(source: Source, label: Label) -> Field:
    return _number(source, label, integer=True)


def _number(source: Source, label: Label, integer: bool = False) -> Field:
    low = _bound(source, "minimum", "exclusiveMinimum", integer)
    high = _bound(source, "maximum", "exclusiveMaximum", integer)
    for keyword, values in (("enum", source.schema.get("enum")), ("const", [source.schema.get("const")])):
        if keyword in source.schema:
            least, most = _ends(source, keyword, values)
            source.take(keyword)
            source.note(keyword, "not listed for a number; read as bounds")
            integer = integer or (isinstance(least, int) and isinstance(most, int))
            low = least if low is None else max(low, least)
            high = most if high is None else min(high, most)
    default = source.number("default")
    if integer and default is not None and default == floor(default):
        default = floor(default)
    return _settled(source, NumberField(*label, integer=integer, minimum=low, maximum=high, default=default))


def _bound(source: Source, inclusive: str, exclusive: str, integer: bool) -> Number | None:
    bound = source.number(inclusive)
    if source.schema.get(exclusive) is True and bound is not None:
        # The way of JSON Schema's draft 4: a flag beside the bound.
        source.used.add(exclusive)
        strict, bound = bound, None
    elif (given := source.number(exclusive)) is not None:
        strict = given
    else:
        return floor(bound) if integer and bound is not None and bound == floor(bound) else bound
    source.note(exclusive, "not listed; read as the nearest inclusive bound")
    if inclusive == "minimum":
        nearest = _next_above(strict, integer)
        return nearest if bound is None else max(bound, nearest)
    nearest = -_next_above(-strict, integer)
    return nearest if bound is None else min(bound, nearest)


def _next_above(number: Number, integer: bool) -> Number:
    if integer or abs(number) >= _WHOLE_FLOATS:
        return floor(number) + 1
    return nextafter(number, inf)


def _ends(source: Source, keyword: str, values: object) -> tuple[Number, Number]:
    """The least and the greatest of some numbers, if every whole number between is one of them."""
    numbers = [one for one in values if one is not None] if isinstance(values, list) else []
    known = {floor(one) if one == floor(one) else one for one in numbers if is_number(one)}
    gapless = len(known) == 1 or (
        all(isinstance(one, int) for one in known) and known and max(known) - min(known) + 1 == len(known)
    )
    if not gapless or not all(is_number(one) for one in numbers):
        raise unreadable(source.name, keyword, "choices that are text, or numbers without a gap", "others")
    return min(known), max(known)


_READERS: Final[Mapping[str, Callable[[Source, Label], Field]]] = MappingProxyType(
    {"string": _text_or_choice, "number": _number, "integer": _integer, "boolean": _flag, "array": _several}
)
