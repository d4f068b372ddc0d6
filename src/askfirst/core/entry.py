"""What a person types, as a field's value, and back again; and what may be typed, in a person's words.

For terminals and pages. What a text can mean is decided here; whether that fits, `core.checking` says.
Text that is empty leaves a field unanswered; to mean emptiness itself, type two double quotes (`""`): the
empty text, or no choice of a list. A text of nothing but double quotes is typed with two more of them.

Descriptions may hold a pattern that a server wrote: show them as any other text of a server, screened.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final, assert_never

from .answers import Value
from .checking import check_value
from .choosing import NOTHING, read_one, read_several, show_one, show_several
from .errors import Problem
from .fields import ChoiceField, ChoicesField, Field, FlagField, NumberField, TextField
from .formats import FORMATS

__all__ = ["describe", "explain", "read_text", "show_value"]

_QUOTES: Final = re.compile(r'"{2,}')
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,4000}")  # Python reads no longer ones, and nobody types them
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]{1,4000}(?:\.[0-9]{0,4000})?|\.[0-9]{1,4000})(?:[eE][+-]?[0-9]{1,3})?"
)
_MOST_DIGITS: Final = 308  # as far as JSON's numbers reach in most languages
_WORDS: Final = dict.fromkeys(("y", "yes", "true", "1"), True) | dict.fromkeys(
    ("n", "no", "false", "0"), False
)

_BY_FORMAT: Final[Mapping[str, str]] = MappingProxyType(
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


def read_text(one: Field, text: str) -> Value | Problem | None:
    """The value that typed-in text stands for, by the same rules as `check`.

    Numbers may have blanks around them and be written like `1e3`; a flag is yes, no, y, n, true, false, 1
    or 0 in any case; a choice is its label or value in any case, or its number in the list, counted from 1
    (a label that looks like a number goes before the number; then `#2` is the second); a list of choices
    has commas between them. Blanks around a date, an address or a choice are dropped, in other text kept.

    Returns:
        The value; None where the text is empty, which leaves the field unanswered; or what is wrong.
    """
    if not text or (text.isspace() and not _is_free(one)):
        return None
    match one:
        case TextField():
            value: Value | None = _unquoted(text) if _is_free(one) else text.strip()
        case NumberField():
            value = _number(text.strip(), one.integer)
        case FlagField():
            value = _WORDS.get(text.strip().lower())
        case ChoiceField():
            value = read_one(one.choices, text)
        case ChoicesField():
            value = [] if text.strip() == NOTHING else read_several(one.choices, text)
        case _:
            assert_never(one)
    if value is None:
        return _unread(one, text)
    return check_value(one, value)


def show_value(one: Field, value: Value) -> str:
    """The text that `read_text` reads as this value: what to fill in before a person edits it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return repr(value)
        case list():
            return show_several(one.choices, value) if isinstance(one, ChoicesField) else ", ".join(value)
        case str():
            return show_one(one.choices, value) if isinstance(one, ChoiceField) else _quoted(value)
        case _:
            assert_never(value)


def _is_free(one: Field) -> bool:
    """Whether blanks mean something: in free text they do, in a date or an address they can't."""
    return isinstance(one, TextField) and one.format not in FORMATS


def _unquoted(text: str) -> str:
    return text[2:] if _QUOTES.fullmatch(text) else text


def _quoted(text: str) -> str:
    return NOTHING + text if not text or _QUOTES.fullmatch(text) else text


def _unread(one: Field, text: str) -> Problem:
    got = f"other text, of length {len(text)}"
    match one:
        case NumberField():
            expected = "a whole number" if one.integer else "a number"
            return Problem(one.name, "type", f"{expected} in the digits 0 to 9", got)
        case FlagField():
            return Problem(one.name, "type", "yes or no", got)
        case _:
            return Problem(one.name, "enum", "one of the choices, or its number in the list", got)


def _number(text: str, whole: bool) -> int | float | None:
    if _WHOLE.fullmatch(text):
        return int(text)
    if not _NUMBER.fullmatch(text):
        return None
    if not whole:
        return float(text)
    exact = Decimal(text)
    if exact.adjusted() > _MOST_DIGITS or exact != exact.to_integral_value():
        return None
    return int(exact)


def describe(one: Field) -> str:
    """One line that says what may be given: "a whole number from 1 to 10", "choose 1 to 3"."""
    match one:
        case TextField():
            return _text(one)
        case NumberField():
            return _numbers(one)
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
    if isinstance(one, TextField) and one.format not in _BY_FORMAT:  # "give up to" is no advice
        return "Write something." if wanted == "any text" else f"Write something: {wanted}."
    if isinstance(one, ChoicesField) and wanted.endswith("any number"):
        return "Choose some from the list, or none of them."
    if isinstance(one, ChoiceField | ChoicesField):
        return f"{wanted.capitalize()} from the list."
    return f"Answer {wanted}." if isinstance(one, FlagField) else f"Give {wanted}."


def _text(one: TextField) -> str:
    kind = _BY_FORMAT.get(one.format or "")
    count = _count(one.min_length, one.max_length)
    size = f"{count} character{'' if count.split()[-1] == '1' else 's'}" if count else ""
    parts = [part for part in (kind, size) if part] or ["any text"]
    if one.pattern is not None:
        parts.append(f"in the pattern {one.pattern}")
    return ", ".join(parts)


def _numbers(one: NumberField) -> str:
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
