"""Which of the choices a person means by what they type, and how to write a choice so that it is read so."""

import re
from typing import Final

from .fields import Choice

__all__ = ["NOTHING", "read_one", "read_several", "show_one", "show_several"]

NOTHING: Final = '""'
"""What is typed for emptiness itself, where an empty text would mean that nothing was answered."""

_PLACE: Final = re.compile(r"#?([0-9]{1,6})")


def read_one(choices: tuple[Choice, ...], text: str) -> str | None:
    """The one value that the text names; None where it names none, or could mean several.

    What a person sees goes first: a label, then its number in the list (`2`, or `#2`). A value hidden behind
    a title names its choice too, unless the same text is the number of another one.
    """
    word = text.strip()
    shown = _named(word, [(one.label, one.value) for one in choices])
    if shown:
        return shown.pop() if len(shown) == 1 else None
    meant = _named(word, [(one.value, one.value) for one in choices if one.title is not None])
    place = _PLACE.fullmatch(word)
    if place and 1 <= int(place[1]) <= len(choices):
        meant.add(choices[int(place[1]) - 1].value)
    return meant.pop() if len(meant) == 1 else None


def _named(word: str, names: list[tuple[str, str]]) -> set[str]:
    """The values whose name is the word; in any case, where none is so exactly."""
    exact = {value for name, value in names if name.strip() == word}
    return exact or {value for name, value in names if name.strip().casefold() == word.casefold()}


def read_several(choices: tuple[Choice, ...], text: str) -> list[str] | None:
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
            value = read_one(choices, ",".join(pieces[at:end]))
            if value is not None:
                break
        else:
            return None
        found.append(value)
        at = end
    return found


def show_one(choices: tuple[Choice, ...], value: str) -> str:
    """The first of label, value and number that is read as this value."""
    for number, one in enumerate(choices, 1):
        if one.value == value:
            for text in (one.label, value, f"#{number}"):
                if not _is_blank(text) and read_one(choices, text) == value:
                    return text
    return value


def show_several(choices: tuple[Choice, ...], values: list[str]) -> str:
    """The chosen ones with commas between, by name where that is read as these values, else by number."""
    if not values:
        return NOTHING
    numbers = {one.value: f"#{number}" for number, one in enumerate(choices, 1)}
    by_name = ", ".join(show_one(choices, value) for value in values)
    by_number = ", ".join(numbers.get(value, value) for value in values)
    return by_name if read_several(choices, by_name) == values else by_number


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
