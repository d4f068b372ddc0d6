"""What a JSON schema says by detours, said directly.

Generators hide a field's own schema behind references and unions. Before a field is read, again and again:

1. `$ref` to a place in the same document becomes what stands there; nothing is ever fetched.
2. `allOf`, `anyOf` and `oneOf` of a single schema become that schema.
3. `anyOf` and `oneOf` of one schema and null become that schema: null is no answer in MCP, so where null
   would do the field is left out (unless it is required).
4. What stands beside any of these wins over what it brings.

All of it is bounded: the steps for one field, and the parts that a whole document may unfold to.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from .errors import Problem, UnreadableSchema
from .fields import Deviation

__all__ = ["MOST_PARTS", "MOST_STEPS", "TEXT_PART", "Document", "is_null", "unreadable"]

MOST_STEPS: Final = 32
"""How many detours one field may take. More is a circle, or meant to harm."""

MOST_PARTS: Final = 50_000
"""How many parts a document may unfold to. References multiply: a small text can mean a huge form."""

TEXT_PART: Final = 10
"""Characters of text that count as one part. More of both than this takes longer to draw than a person waits."""


def is_null(schema: object) -> bool:
    """Whether this schema lets nothing but null through."""
    if not isinstance(schema, dict):
        return False
    return schema.get("type") == "null" or ("const" in schema and schema["const"] is None)


@dataclass(slots=True)
class Document:
    """A schema being read: where references lead, what was noted, how much may still be unfolded."""

    root: Mapping[str, object]
    notes: dict[Deviation, None] = field(default_factory=dict)
    left: int = MOST_PARTS

    def note(self, name: str, keyword: str, note: str) -> None:
        """Keep a deviation, once."""
        self.notes[Deviation(name, keyword, note)] = None

    def spend(self, name: str, parts: int) -> None:
        """Account for members, choices or text that were unfolded.

        Raises:
            UnreadableSchema: The document unfolds to more than it may.
        """
        self.left -= parts
        if self.left < 0:
            raise unreadable(name, "size", f"a schema of at most {MOST_PARTS} parts", "more")

    def unfold(self, name: str, schema: object) -> Mapping[str, object]:
        """The schema of one field without its detours, each of which is noted.

        Raises:
            UnreadableSchema: A detour has no end, or leads nowhere.
        """
        for _ in range(MOST_STEPS):
            if not isinstance(schema, dict):
                raise unreadable(name, "type", "a schema that describes one field", "something else")
            keyword = _detour(schema)
            if keyword is None:
                return schema
            target = schema[keyword]
            inner = self._named(target) if keyword == "$ref" else _not_null(target)[0]
            if not isinstance(inner, dict):
                raise unreadable(name, keyword, "a schema in the same document", "a way to none")
            self.spend(name, len(inner))
            self.note(name, keyword, "replaced by the one schema it stands for")
            schema = inner | {key: value for key, value in schema.items() if key != keyword}
        raise unreadable(name, "$ref", "a schema", f"more than {MOST_STEPS} references in a row")

    def _named(self, reference: object) -> object:
        """What a JSON pointer (RFC 6901) in a URI fragment names, or None."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        found: object = self.root
        for token in unquote(reference[1:]).split("/")[1:]:
            if not isinstance(found, Mapping):
                return None
            found = found.get(token.replace("~1", "/").replace("~0", "~"))
        return found


def unreadable(name: str, keyword: str, expected: str, got: str) -> UnreadableSchema:
    """The error for one field; `read_schema` gathers them."""
    return UnreadableSchema("this field can't be shown", [Problem(name, keyword, expected, got)])


def _detour(schema: Mapping[str, object]) -> str | None:
    """The keyword to replace next, if any."""
    if "$ref" in schema:
        return "$ref"
    for keyword in ("allOf", "anyOf", "oneOf"):
        rest = _not_null(schema.get(keyword))
        if len(rest) == 1 and not _is_choice(rest[0]):
            return keyword
    return None


def _not_null(union: object) -> list[object]:
    return [one for one in union if not is_null(one)] if isinstance(union, list) else []


def _is_choice(schema: object) -> bool:
    """A titled choice, the only one in its list, is no schema of a field."""
    return isinstance(schema, dict) and "const" in schema
