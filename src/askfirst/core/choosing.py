"""Which of the choices a person means by what they type, and how to write a choice so that it is read so."""

import re
from typing import Final

from .fields import Choice

__all__ = ["NOTHING", "read_one", "read_several", "show_one", "show_several"]

NOTHING: Final = '""'
"""What is typed for emptiness itself, where an empty text would mean that nothing was answered."""

_PLACE: Final = re.compile(r"#?([0-9]{1,6})")


def read_one(choices: tuple[Choice, ...], text: str) -> str | None:
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
    if word == NOTHING and "" in values:
        return ""
    place = _PLACE.fullmatch(word)
    return values[int(place[1]) - 1] if place and 1 <= int(place[1]) <= len(values) else None


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
    """The first of label, value, number and `""` that is read as this value."""
    places = [(number, one) for number, one in enumerate(choices, 1) if one.value == value]
    for number, one in places:
        for text in (one.label, value, f"{number}", f"#{number}", NOTHING):
            if text and not text.isspace() and read_one(choices, text) == value:
                return text
    return value


def show_several(choices: tuple[Choice, ...], values: list[str]) -> str:
    if not values:
        return NOTHING
    numbers = {one.value: f"#{number}" for number, one in enumerate(choices, 1)}
    by_name = ", ".join(show_one(choices, value) for value in values)
    by_number = ", ".join(numbers.get(value, value) for value in values)
    return by_name if read_several(choices, by_name) == values else by_number
