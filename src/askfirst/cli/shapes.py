"""What a JSON schema allows in one place, flattened: references followed, unions spread out.

Used to read an argument (`arguments`) and to describe one (`listing`). It knows kinds, listed values
and the formats of text, nothing about bounds. The schema is the server's: whatever it holds, this neither raises
nor runs away.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from askfirst.core.entry import describe
from askfirst.core.fields import TextField
from askfirst.core.formats import FORMATS

__all__ = ["KINDS", "Json", "Shape", "shapes", "words"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Whatever JSON can hold."""

_Schema: TypeAlias = Mapping[str, object]

KINDS: Final[Mapping[str, str]] = {
    "null": "null",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "a JSON object",
    "array": "a list",
    "string": "a text",
}
"""The kinds of JSON Schema, from the narrowest reading of a text to the widest, and the words for them."""

_SHOWN_VALUES: Final = 20
_MOST_STEPS: Final = 500
"""A schema of references that double at every step would else keep us busy for ever."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One alternative: a kind of `KINDS`, or "values" with the values listed, or "any"."""

    kind: str
    values: tuple[Json, ...] = ()
    items: tuple["Shape", ...] = ()
    format: str = ""

    @property
    def words(self) -> str:
        """What to tell a person: "one of staging, production", "a list, each a whole number"."""
        if self.kind == "values":
            shown = [one if isinstance(one, str) else json.dumps(one) for one in self.values[:_SHOWN_VALUES]]
            more = len(self.values) - len(shown)
            return (
                ("one of " if len(self.values) > 1 else "")
                + ", ".join(shown)
                + (f" and {more} more" if more else "")
            )
        if self.kind == "array" and any(item.kind != "any" for item in self.items):
            return f"a list, each {words(self.items)}"
        if self.format:
            return describe(TextField(name="", format=self.format))
        return KINDS.get(self.kind, "anything")


def words(allowed: Iterable[Shape]) -> str:
    """Several alternatives in words."""
    return ", or ".join(dict.fromkeys(shape.words for shape in allowed))


def shapes(schema: _Schema, root: _Schema) -> tuple[Shape, ...]:
    """The alternatives that `schema` allows; "any" alone where it says nothing.

    Args:
        schema: The schema of one place.
        root: The whole document, which `#/...` references point into.
    """
    return _Walk(root).all(schema, frozenset())


class _Walk:
    """One walk through a schema, bounded in steps; `seen` are the references on the way down to here."""

    def __init__(self, root: _Schema) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def all(self, schema: object, seen: frozenset[str]) -> tuple[Shape, ...]:
        return tuple(self._each(schema, seen)) or (Shape("any"),)

    def _each(self, schema: object, seen: frozenset[str]) -> Iterator[Shape]:
        self._left -= 1
        if self._left < 0 or not isinstance(schema, Mapping):
            return
        reference = schema.get("$ref")
        if isinstance(reference, str):
            if reference not in seen:
                yield from self._each(self._resolve(reference), seen | {reference})
            return
        members = _members(schema)
        for member in members:
            yield from self._each(member, seen)
        if not members:
            yield from self._plain(schema, seen)

    def _plain(self, schema: _Schema, seen: frozenset[str]) -> Iterator[Shape]:
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(values, list) and values:
            yield Shape("values", tuple(cast(list[Json], values)))
            return
        kind = schema.get("type")
        for one in kind if isinstance(kind, list) else [kind]:
            if isinstance(one, str) and one in KINDS:
                items = self.all(schema.get("items"), seen) if one == "array" else ()
                written = schema.get("format")
                known = one == "string" and isinstance(written, str) and written in FORMATS
                yield Shape(one, items=items, format=str(written) if known else "")

    def _resolve(self, reference: str) -> object:
        """The part of the document that `#/...` points to; None where it points elsewhere."""
        found: object = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, Mapping) else None
        return found


def _members(schema: _Schema) -> list[object]:
    """The members of a union. All of one is that one: older generators put a title beside a reference so."""
    for key in ("anyOf", "oneOf", "allOf"):
        members = schema.get(key)
        if isinstance(members, list) and (key != "allOf" or len(members) == 1):
            return members
    return []
