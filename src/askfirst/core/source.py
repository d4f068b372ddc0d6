"""One schema while it is read: what its keywords say, and that none of them is passed over in silence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor, isfinite
from typing import TypeAlias, TypeGuard

from .dialects import Abilities
from .references import TEXT_PART, Document

__all__ = ["Number", "Source", "is_number"]

Number: TypeAlias = int | float


@dataclass(slots=True)
class Source:
    """One schema, and which of its keywords have been used."""

    name: str
    schema: Mapping[str, object]
    document: Document
    abilities: Abilities
    used: set[str] = field(default_factory=set)

    def take(self, keyword: str) -> object:
        """What the keyword says, or None."""
        self.used.add(keyword)
        return self.schema.get(keyword)

    def note(self, keyword: str, note: str) -> None:
        """A deviation of this field."""
        self.document.note(self.name, keyword, note)

    def left_out(self, keyword: str, kind: str) -> None:
        """Note that the keyword, if it is there, holds nothing of that kind."""
        if keyword in self.schema:
            self.note(keyword, f"no {kind}; left out")

    def leave_the_rest(self) -> None:
        """Note every keyword that nothing has used."""
        for keyword in self.schema:
            if keyword not in self.used:
                self.note(keyword, "not listed for this kind of field; left out")

    def text(self, keyword: str) -> str | None:
        """A text; anything else is left out."""
        value = self.take(keyword)
        if isinstance(value, str):
            self.document.spend(self.name, len(value) // TEXT_PART)
            return value
        self.left_out(keyword, "text")
        return None

    def number(self, keyword: str) -> Number | None:
        """A finite number; anything else is left out."""
        value = self.take(keyword)
        if is_number(value):
            return value
        self.left_out(keyword, "finite number")
        return None

    def count(self, keyword: str) -> int | None:
        """A whole number; anything else is left out."""
        value = self.take(keyword)
        if is_number(value) and value == floor(value):
            return floor(value)
        self.left_out(keyword, "whole number")
        return None

    def least(self, keyword: str) -> int | None:
        """A lower count; a negative one says nothing, and is left out."""
        count = self.count(keyword)
        if count is None or count >= 0:
            return count
        self.left_out(keyword, "count")
        return None


def is_number(value: object) -> TypeGuard[Number]:
    """Whether this is a finite number of JSON; a bool is none."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)
