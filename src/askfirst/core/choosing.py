"""Which of the choices a person means by what they type, and how to write a choice so that it is read so."""

import re
from typing import Final

from .fields import Choice

__all__ = ["NOTHING", "read_one", "read_several", "show_one", "show_several"]

NOTHING: Final = '""'
"""What is typed for emptiness itself, where an empty text would mean that nothing was answered."""

_PLACE: Final = re.compile(r"#?([0-9]{1,6})")
_MOST_COMMAS: Final = 16
"""A name with more of them is not looked for among several; its number is."""


class _Names:
    """What each choice can be called, so that finding one does not mean looking at all of them."""

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        self.choices = choices
        self.number = {one.value: number for number, one in enumerate(choices, 1)}
        self._labels = _by_name([(one.label, one.value) for one in choices])
        self._codes = _by_name([(one.value, one.value) for one in choices if one.title is not None])

    def read(self, text: str) -> str | None:
        word = text.strip()
        shown = _named(word, *self._labels)
        if shown:
            return min(shown) if len(shown) == 1 else None
        meant = set(_named(word, *self._codes))
        place = _PLACE.fullmatch(word)
        if place and 1 <= int(place[1]) <= len(self.choices):
            meant.add(self.choices[int(place[1]) - 1].value)
        return meant.pop() if len(meant) == 1 else None

    def read_all(self, text: str) -> list[str] | None:
        pieces = text.split(",")
        commas = max(max(one.value.count(","), one.label.count(",")) for one in self.choices)
        widest = 1 + min(commas, _MOST_COMMAS)
        found: list[str] = []
        at = 0
        while at < len(pieces):
            if not pieces[at].strip():  # between two commas, or after the last
                at += 1
                continue
            for end in range(min(at + widest, len(pieces)), at, -1):
                value = self.read(",".join(pieces[at:end]))
                if value is not None:
                    break
            else:
                return None
            found.append(value)
            at = end
        return found

    def show(self, value: str) -> str:
        number = self.number.get(value)
        if number is not None:
            for text in (self.choices[number - 1].label, value, f"#{number}"):
                if not _is_blank(text) and self.read(text) == value:
                    return text
        return value

    def show_all(self, values: list[str]) -> str:
        by_name = ", ".join(map(self.show, values))
        if self.read_all(by_name) == values:
            return by_name
        return ", ".join(f"#{self.number[value]}" if value in self.number else value for value in values)


def read_one(choices: tuple[Choice, ...], text: str) -> str | None:
    """The one value that the text names; None where it names none, or could mean several.

    What a person sees goes first: a label, then its number in the list (`2`, or `#2`). A value hidden behind
    a title names its choice too, unless the same text is the number of another one.
    """
    return _Names(choices).read(text)


def read_several(choices: tuple[Choice, ...], text: str) -> list[str] | None:
    """The values named between commas; a choice may hold commas itself, so the longest name goes first."""
    return _Names(choices).read_all(text)


def show_one(choices: tuple[Choice, ...], value: str) -> str:
    """The first of label, value and number that is read as this value."""
    return _Names(choices).show(value)


def show_several(choices: tuple[Choice, ...], values: list[str]) -> str:
    """The chosen ones with commas between, by name where that is read as these values, else by number."""
    return _Names(choices).show_all(values) if values else NOTHING


def _by_name(names: list[tuple[str, str]]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The values by their names as they stand, and in any case."""
    exact: dict[str, set[str]] = {}
    folded: dict[str, set[str]] = {}
    for name, value in names:
        exact.setdefault(name.strip(), set()).add(value)
        folded.setdefault(name.strip().casefold(), set()).add(value)
    return exact, folded


def _named(word: str, exact: dict[str, set[str]], folded: dict[str, set[str]]) -> set[str]:
    """The values whose name is the word; in any case, where none is so exactly."""
    return exact.get(word) or folded.get(word.casefold()) or set()


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
