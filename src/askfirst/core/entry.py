"""What a person types, as a field's value, and back again.

For terminals and pages. What a text can mean is decided here; whether that fits, `core.checking` says.
Text that is empty leaves a field unanswered; to mean emptiness itself, type two double quotes (`""`): the
empty text, or no choice of a list. A text of nothing but double quotes is typed with two more of them.
"""

import re
from decimal import Decimal
from typing import Final, assert_never

from .answers import Value
from .checking import check_value
from .errors import Problem
from .fields import Choice, ChoiceField, ChoicesField, Field, FlagField, NumberField, TextField
from .formats import FORMATS

__all__ = ["read_text", "show_value"]

_NOTHING: Final = '""'
_QUOTES: Final = re.compile(r'"{2,}')
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,4000}")  # Python reads no longer ones, and nobody types them
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]{1,4000}(?:\.[0-9]{0,4000})?|\.[0-9]{1,4000})(?:[eE][+-]?[0-9]{1,3})?"
)
_MOST_DIGITS: Final = 308  # as far as JSON's numbers reach in most languages
_PLACE: Final = re.compile(r"#?([0-9]{1,6})")
_WORDS: Final = dict.fromkeys(("y", "yes", "true", "1"), True) | dict.fromkeys(
    ("n", "no", "false", "0"), False
)


def read_text(one: Field, text: str) -> Value | Problem | None:
    """The value that typed-in text stands for, by the same rules as `check`.

    Numbers may have blanks around them and be written like `1e3`; a flag is yes, no, y, n, true, false, 1
    or 0 in any case; a choice is its value, its label in any case, or its number in the list, counted from 1
    (a value or label that looks like a number goes before the number; then `#2` is the second); a list of
    choices has commas between them. Blanks around a date, an address or a choice are dropped, in other text
    they are kept.

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
            value = _chosen(one.choices, text)
        case ChoicesField():
            value = [] if text.strip() == _NOTHING else _several(one.choices, text)
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
            return _shown_choices(one.choices, value) if isinstance(one, ChoicesField) else ", ".join(value)
        case str():
            return _shown_choice(one.choices, value) if isinstance(one, ChoiceField) else _quoted(value)
        case _:
            assert_never(value)


def _is_free(one: Field) -> bool:
    """Whether blanks mean something: in free text they do, in a date or an address they can't."""
    return isinstance(one, TextField) and one.format not in FORMATS


def _unquoted(text: str) -> str:
    return text[2:] if _QUOTES.fullmatch(text) else text


def _quoted(text: str) -> str:
    return _NOTHING + text if not text or _QUOTES.fullmatch(text) else text


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


def _chosen(choices: tuple[Choice, ...], text: str) -> str | None:
    """The one value that the text names; None where it names none, or several."""
    word = text.strip()
    values = [one.value for one in choices]
    for exact in (text, word):
        if exact in values:
            return exact
    named = {one.value for one in choices if one.label.strip() == word}
    if not named:
        folded = word.casefold()
        named = {
            one.value for one in choices if folded in (one.value.casefold(), one.label.strip().casefold())
        }
    if named:
        return named.pop() if len(named) == 1 else None
    if word == _NOTHING and "" in values:
        return ""
    place = _PLACE.fullmatch(word)
    return values[int(place[1]) - 1] if place and 1 <= int(place[1]) <= len(values) else None


def _several(choices: tuple[Choice, ...], text: str) -> list[str] | None:
    """The values named between commas; a choice may hold commas itself, so the longest name goes first."""
    pieces = text.split(",")
    widest = 1 + max(max(one.value.count(","), one.label.count(",")) for one in choices)
    found: list[str] = []
    at = 0
    while at < len(pieces):
        if not pieces[at].strip():  # between two commas, or after the last
            at += 1
            continue
        for end in range(min(at + widest, len(pieces)), at, -1):
            value = _chosen(choices, ",".join(pieces[at:end]))
            if value is not None:
                break
        else:
            return None
        found.append(value)
        at = end
    return found


def _shown_choice(choices: tuple[Choice, ...], value: str) -> str:
    """The first of label, value, number and `""` that is read as this value."""
    places = [(number, one) for number, one in enumerate(choices, 1) if one.value == value]
    for number, one in places:
        for text in (one.label, value, f"{number}", f"#{number}", _NOTHING):
            if text and not text.isspace() and _chosen(choices, text) == value:
                return text
    return value


def _shown_choices(choices: tuple[Choice, ...], values: list[str]) -> str:
    if not values:
        return _NOTHING
    numbers = {one.value: f"#{number}" for number, one in enumerate(choices, 1)}
    by_name = ", ".join(_shown_choice(choices, value) for value in values)
    by_number = ", ".join(numbers.get(value, value) for value in values)
    return by_name if _several(choices, by_name) == values else by_number
