"""What may be answered, and what to change, in a person's words.

The texts may hold a pattern that a server wrote; show them as any other text of a server: screened.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from .errors import Problem
from .fields import ChoiceField, ChoicesField, Field, FlagField, NumberField, TextField

__all__ = ["describe", "explain"]

_FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "email": "an e-mail address such as ada@example.org",
        "uri": "a full address such as https://example.org/page",
        "date": "a date such as 2026-12-31",
        "date-time": "a date and time with its zone, such as 2026-12-31T18:00:00+01:00",
    }
)

_CHANGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "minLength": "Make it longer: {}.",
        "maxLength": "Make it shorter: {}.",
        "minimum": "Give a larger number: {}.",
        "maximum": "Give a smaller number: {}.",
        "minItems": "Choose more: {}.",
        "maxItems": "Choose fewer: {}.",
        "pattern": "Write it another way: {}.",
        "unicode": "Type it again: one of its characters is broken.",
        "uniqueItems": "Choose each one once.",
        "additionalProperties": "Leave out what was not asked for.",
    }
)


def describe(one: Field) -> str:
    """One line that says what may be given: "a whole number from 1 to 10", "choose 1 to 3"."""
    match one:
        case TextField():
            return _text(one)
        case NumberField():
            return _number(one)
        case FlagField():
            return "yes or no"
        case ChoiceField():
            return f"choose one of {len(one.choices)}"
        case ChoicesField():
            return f"choose {_count(one.min_items, one.max_items) or 'any number'}"
        case _:
            assert_never(one)


def explain(problem: Problem, one: Field | None) -> str:
    """What to do about a problem, as a sentence; `one` is its field, None where it is of no field."""
    change = _CHANGES.get(problem.what)
    if change is not None:
        return change.format(problem.expected)
    if one is None:
        return f"Give {problem.expected}."
    wanted = describe(one)
    if isinstance(one, ChoiceField | ChoicesField):
        return f"{wanted.capitalize()} from the list."
    return f"Answer {wanted}." if isinstance(one, FlagField) else f"Give {wanted}."


def _text(one: TextField) -> str:
    kind = _FORMATS.get(one.format or "")
    count = _count(one.min_length, one.max_length)
    size = f"{count} character{'' if count.split()[-1] == '1' else 's'}" if count else ""
    parts = [part for part in (kind, size) if part] or ["any text"]
    if one.pattern is not None:
        parts.append(f"in the pattern {one.pattern}")
    return ", ".join(parts)


def _number(one: NumberField) -> str:
    kind, low, high = "a whole number" if one.integer else "a number", one.minimum, one.maximum
    if low is None:
        return kind if high is None else f"{kind} up to {high}"
    if high is None:
        return f"{kind} of at least {low}"
    return f"the number {low}" if low == high else f"{kind} from {low} to {high}"


def _count(low: int | None, high: int | None) -> str:
    """How many; empty where it does not matter."""
    if not low:
        return "" if high is None else f"up to {high}"
    if high is None:
        return f"at least {low}"
    return f"{low}" if low == high else f"{low} to {high}"
