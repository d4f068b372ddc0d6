"""What a posted form holds, as content; and a form's defaults, as a posted form would hold them.

Boxes are named by the place of their field (`f0`, `f1`), and choices by their place in the list: no text of a
server is ever a name or a value that comes back. A field whose boxes come back as they were laid out keeps its
default as the server wrote it. Text that is empty leaves a field unanswered, see `core.entry`.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never
from urllib.parse import parse_qsl

from askfirst.core.answers import Content, Value
from askfirst.core.checking import check_value
from askfirst.core.entry import read_text, show_value
from askfirst.core.errors import Problem
from askfirst.core.fields import ChoiceField, ChoicesField, Field, FlagField, Form, NumberField, TextField
from askfirst.core.hygiene import plain

__all__ = ["NONE", "Entries", "Filled", "box", "boxes", "entry", "laid_out", "parse", "read"]

Entries: TypeAlias = Mapping[str, tuple[str, ...]]
"""A posted form: names of boxes to what came in them, in order."""

NONE: Final = "none"
"""The box that says "none of these", which is not the same as leaving the field unanswered."""

_MOST_FIELDS: Final = 50_000
"""Every choice that is ticked counts as one."""

_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](.+?)([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_SHORT_TIME: Final = re.compile(r"\d\d:\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Filled:
    """What a posted form comes to: the values that fit, and what is wrong with the rest, one a field."""

    content: Content = field(repr=False)
    problems: tuple[Problem, ...]


def parse(body: bytes) -> Entries:
    """A body of `application/x-www-form-urlencoded`.

    Raises:
        ValueError: It is no UTF-8, or has more fields than any page of ours.
    """
    entries: dict[str, list[str]] = {}
    pairs = parse_qsl(
        body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
    )
    for name, value in pairs:
        entries.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return {name: tuple(values) for name, values in entries.items()}


def entry(entries: Entries, name: str) -> str:
    """The one text of that name; empty where there is none."""
    values = entries.get(name, ())
    return values[0] if values else ""


def box(index: int) -> str:
    """The name of the box of a form's field; a date and time has two more, ending in `t` and `z`."""
    return f"f{index}"


def boxes(index: int) -> tuple[str, str, str]:
    """The names of all boxes that a form's field may have."""
    name = box(index)
    return name, f"{name}t", f"{name}z"


def laid_out(form: Form) -> Entries:
    """The defaults of a form as its page shows them."""
    entries: dict[str, tuple[str, ...]] = {}
    for index, one in enumerate(form.fields):
        entries |= _default(box(index), one)
    return entries


def read(form: Form, entries: Entries, indexes: Collection[int] | None = None) -> Filled:
    """What a posted form says, or its fields at those places: by the rules of `core.entry` and `core.checking`."""
    content: Content = {}
    problems: list[Problem] = []
    for index, one in enumerate(form.fields):
        if indexes is not None and index not in indexes:
            continue
        value = _read(box(index), one, entries)
        if isinstance(value, Problem):
            problems.append(value)
        elif value is not None:
            content[one.name] = value
        elif one.required:
            problems.append(Problem(one.name, "required", "an answer", "none"))
    return Filled(content, tuple(problems))


def _default(name: str, one: Field) -> Entries:
    match one:
        case ChoiceField():
            return {} if one.default is None else {name: _places(one, (one.default,))}
        case ChoicesField():
            if one.default is None:
                return {}
            return {name: _places(one, one.default) or (NONE,)}
        case TextField() if one.format == "date-time":
            moment = _MOMENT.fullmatch(one.default or "")
            return (
                dict(zip((name, f"{name}t", f"{name}z"), ((part,) for part in moment.groups()), strict=True))
                if (moment)
                else {}
            )
        case TextField() | NumberField() | FlagField():
            # As a page gives it back: what can't be seen is a mark, and a line ends in one character.
            return {} if one.default is None else {name: (plain(show_value(one, one.default)),)}
        case _:
            assert_never(one)


def _places(one: ChoiceField | ChoicesField, values: tuple[str, ...]) -> tuple[str, ...]:
    places = {choice.value: str(at) for at, choice in enumerate(one.choices)}
    return tuple(places[value] for value in values)


def _read(name: str, one: Field, entries: Entries) -> Value | Problem | None:
    default = _default(name, one)
    if default and all(entries.get(each) == values for each, values in default.items()):
        return list(one.default or ()) if isinstance(one, ChoicesField) else one.default
    match one:
        case ChoiceField():
            return _one_of(one, entry(entries, name))
        case ChoicesField():
            return _several_of(one, entries.get(name, ()))
        case TextField() if one.format == "date-time":
            return read_text(one, _moment(name, entries))
        case TextField() | NumberField() | FlagField():
            return read_text(one, entry(entries, name))
        case _:
            assert_never(one)


def _one_of(one: ChoiceField, place: str) -> Value | Problem | None:
    if not place:
        return None
    values = {str(at): choice.value for at, choice in enumerate(one.choices)}
    return check_value(one, values.get(place))


def _several_of(one: ChoicesField, places: tuple[str, ...]) -> Value | Problem | None:
    if not places:
        return None
    if places == (NONE,):
        return check_value(one, [])
    values = {str(at): choice.value for at, choice in enumerate(one.choices)}
    chosen = [values.get(place) for place in places]
    if None in chosen:  # "none of these" beside some of them, or a place that is not in the list
        return Problem(one.name, "none", 'either "none of these" or some of the choices', "both")
    return check_value(one, chosen)


def _moment(name: str, entries: Entries) -> str:
    """A date and time as the standard writes it; empty where neither was given, whatever the zone says."""
    date, time, zone = (entry(entries, f"{name}{part}").strip() for part in ("", "t", "z"))
    if not date and not time:
        return ""
    return f"{date}T{time}{':00' if _SHORT_TIME.fullmatch(time) else ''}{zone}"
