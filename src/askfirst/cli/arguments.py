"""`name=value` texts into a tool's arguments, read by its input schema.

The schema decides what a text means: `3` is a number where it asks for one and a text where it asks for that.
Bounds, lengths and formats are left to the server, which has the last word anyway. What can't be said like
this comes in `--arguments JSON`, which is passed on as it is.
"""

import difflib
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

import click

from .shapes import KINDS, Json, Shape, shapes, words

__all__ = ["missing", "parse_object", "read_arguments", "split_arguments"]

_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class _Unfit(ValueError):
    """A text that is not of the kind asked for; the argument says what it is instead."""


def split_arguments(texts: Sequence[str]) -> dict[str, list[str]]:
    """`name=value` texts by name, each with all its values in their order.

    Raises:
        click.UsageError: A text without a name or without `=`.
    """
    grouped: dict[str, list[str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.UsageError("expected arguments as name=value, got one without a name or without =")
        grouped.setdefault(name, []).append(value)
    return grouped


def read_arguments(
    grouped: Mapping[str, Sequence[str]], schema: Mapping[str, object], more: Mapping[str, Json]
) -> dict[str, Json]:
    """The arguments of a call.

    A name given several times is a list; a list or an object can be written as JSON. `null` is null where the
    schema allows null. A value the schema says nothing about is JSON where it can be read so, else a text.

    Args:
        grouped: What `split_arguments` returned.
        schema: The tool's `inputSchema`.
        more: Further arguments, passed on as they are.

    Raises:
        click.UsageError: An unknown name, a value of the wrong kind, or a name that both have.
    """
    arguments = dict(more)
    for name, values in grouped.items():
        if name in arguments:
            raise click.UsageError(f"{name}: given as {name}=... and in --arguments; give it once")
        arguments[name] = _argument(name, values, shapes(_property(name, schema), schema))
    return arguments


def missing(arguments: Mapping[str, Json], schema: Mapping[str, object]) -> list[str]:
    """The names that the schema requires and `arguments` lacks."""
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    return [name for name in names if isinstance(name, str) and name not in arguments]


def parse_object(text: str, where: str) -> dict[str, Json]:
    """A JSON object.

    Args:
        text: The JSON.
        where: The flag it was given to, for the message.

    Raises:
        click.UsageError: The text is not JSON, or no object. It is not repeated: it may hold a secret.
    """
    try:
        value = _json(text)
    except _Unfit as unfit:
        raise click.UsageError(f"{where}: expected a JSON object, got {unfit}") from None
    if not isinstance(value, dict):
        raise click.UsageError(f"{where}: expected a JSON object, got JSON of another kind")
    return value


def _json(text: str) -> Json:
    def refuse(constant: str) -> NoReturn:
        raise _Unfit(f"{constant}, which JSON has no place for")

    try:
        value: Json = json.loads(text, parse_constant=refuse, parse_float=_finite)
        return _whole(value)
    except json.JSONDecodeError as error:
        raise _Unfit(f"text that is not JSON ({error.msg} at character {error.pos + 1})") from None
    except RecursionError:
        raise _Unfit("JSON that is nested too deeply") from None
    except _Unfit:
        raise
    except ValueError:  # the interpreter's bound on the digits of a whole number
        raise _Unfit("a number with too many digits") from None


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Unfit("a number that is too large")
    return value


def _whole(value: Json) -> Json:
    """The value, none of whose texts holds half a character: that could not be sent."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise _Unfit("text with half a character in it") from None
    return value


def _property(name: str, schema: Mapping[str, object]) -> Mapping[str, object]:
    """The schema of one argument.

    Raises:
        click.UsageError: The tool has no argument of that name; the message has those it has.
    """
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    if name in known:
        found = known[name]
        return found if isinstance(found, dict) else {}
    # JSON Schema allows further names unless told otherwise, but a name that the tool never mentions is a
    # slip of the pen far more often than an extension: only a schema that says so takes them.
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        return others
    if others is True or "patternProperties" in schema:
        return {}
    if not known:
        raise click.UsageError(f"{name}: the tool takes no arguments")
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise click.UsageError(f"{name}: the tool has no such argument, only {', '.join(known)}{hint}")


def _argument(name: str, values: Sequence[str], allowed: Sequence[Shape]) -> Json:
    try:
        if len(values) == 1:
            return _value(values[0], allowed)
        for shape in allowed:
            if shape.kind in ("array", "any"):
                return [_value(value, shape.items or (shape,)) for value in values]
    except _Unfit as unfit:
        raise click.UsageError(f"{name}: {unfit}") from None
    raise click.UsageError(f"{name}: given {len(values)} times, and it takes one value")


def _value(text: str, allowed: Sequence[Shape]) -> Json:
    """The value a text stands for: the first reading that works, from the narrowest to the widest."""
    got = f"text of {len(text)} character{'' if len(text) == 1 else 's'}" if text else "nothing"
    for kind in ("values", *KINDS, "any"):
        for shape in allowed:
            if shape.kind == kind:
                try:
                    return _READERS[kind](text, shape)
                except _Unfit as unfit:
                    got = str(unfit) or got
    # One text for a list, and nothing else it could be: a list of one.
    for shape in allowed:
        if shape.kind == "array" and not text.lstrip().startswith("["):
            return [_value(text, shape.items)]
    raise _Unfit(f"expected {words(allowed)}, got {got}")


def _read_listed(text: str, shape: Shape) -> Json:
    for value in shape.values:
        if (value if isinstance(value, str) else json.dumps(value)) == text:
            return value
    raise _Unfit


def _read_word(text: str, shape: Shape) -> Json:
    words: dict[str, Json] = {"null": None} if shape.kind == "null" else {"true": True, "false": False}
    if text not in words:
        raise _Unfit
    return words[text]


def _read_integer(text: str, _shape: Shape) -> Json:
    if not _INTEGER.fullmatch(text):
        raise _Unfit
    return _json(text)


def _read_number(text: str, _shape: Shape) -> Json:
    if not _NUMBER.fullmatch(text):
        raise _Unfit
    return _json(text)


def _read_nested(text: str, shape: Shape) -> Json:
    opening, kind = ("[", list) if shape.kind == "array" else ("{", dict)
    if not text.lstrip().startswith(opening):
        raise _Unfit
    value = _json(text)
    if not isinstance(value, kind):
        raise _Unfit
    return value


def _read_text(text: str, _shape: Shape) -> Json:
    return _whole(text)


def _read_any(text: str, _shape: Shape) -> Json:
    try:
        return _json(text)
    except _Unfit:
        return _whole(text)


_READERS: Final[Mapping[str, Callable[[str, Shape], Json]]] = {
    "values": _read_listed,
    "null": _read_word,
    "boolean": _read_word,
    "integer": _read_integer,
    "number": _read_number,
    "object": _read_nested,
    "array": _read_nested,
    "string": _read_text,
    "any": _read_any,
}
