"""A bare type -> its kind of field, and what turns a checked value into that type.

Only what is flat and primitive can be a field (client/elicitation, "Requested Schema"): text, numbers, flags,
dates, one choice, several choices; `core.refusals` has the cure for everything else. Pydantic's types are known by
name, so that nothing here imports it.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import Enum, EnumType
from functools import partial
from math import ceil, floor
from typing import Final, Literal, TypeAlias, TypeVar

from .fields import Choice, ChoiceField, ChoicesField, Field, FlagField, Label, NumberField, TextField
from .marks import A_BOUND, A_LENGTH, A_PATTERN, NOTHING, TITLES, Marks, NoField, read_marks
from .patterns import compile_pattern
from .refusals import name_of, refuse
from .wrappings import Bare, unwrap

__all__ = ["Convert", "read_kind"]

Convert: TypeAlias = Callable[..., object]
"""A checked value -> what the annotation promises. ValueError or OverflowError where that can't be."""


_TEXT: Final = {str}
_UNMARKED: Final = frozenset[str]()
_WORDED: Final = frozenset({A_LENGTH, A_PATTERN})
_BOUNDED: Final = frozenset({A_BOUND})
_TITLED: Final = frozenset({TITLES})
_COUNTED: Final = frozenset({A_LENGTH, TITLES})

_T = TypeVar("_T")
_Members = dict[str, object]
_Read: TypeAlias = tuple[Field, Convert | None]
_Reader: TypeAlias = Callable[[Label, Marks, object], _Read]


def read_kind(bare: Bare, label: Label, marks: Marks, default: object) -> _Read:
    """The field for a bare type, and its conversion if it needs one.

    Raises:
        NoField: No field can hold it, or a mark or the default does not fit it.
    """
    kind = bare.kind
    if isinstance(kind, type):
        reader = _BY_TYPE.get(kind) or _by_name(kind)
        if reader is not None:
            return reader(label, marks, default)
    if bare.origin is list:
        return _list(bare, label, marks, default)
    members, are_text = _members(bare)
    _only(marks, "a choice", _TITLED)
    shown = None if default is NOTHING else _code(default, members)
    field = ChoiceField(*label, _choices(members, are_text, marks.titles), default=shown)
    return field, None if are_text else members.__getitem__


def _by_name(kind: type) -> _Reader | None:
    """The reader for one of pydantic's types; of its addresses, whatever is made from `AnyUrl`."""
    for base in kind.__mro__:
        if base.__module__.startswith("pydantic."):
            if base.__name__ == "AnyUrl":
                return partial(_url, kind)
            if base.__name__ in _BY_NAME:
                return _BY_NAME[base.__name__]
    return None


def _text(label: Label, marks: Marks, default: object) -> _Read:
    return _text_field(label, marks, None, _plain(default, "text", str)), None


def _email(label: Label, marks: Marks, default: object) -> _Read:
    return _text_field(label, marks, "email", _plain(default, "text", str)), None


def _url(kind: type, label: Label, marks: Marks, default: object) -> _Read:
    shown = str(default) if isinstance(default, kind) else _plain(default, "text", str)
    return _text_field(label, marks, "uri", shown), kind


def _text_field(label: Label, marks: Marks, form: str | None, default: str | None) -> TextField:
    _only(marks, "text", _WORDED)
    pattern = _pattern(marks) if marks.patterns else None
    return TextField(*label, marks.min_length, marks.max_length, form, pattern, default)


def _pattern(marks: Marks) -> str:
    if len(marks.patterns) > 1:
        raise NoField("pattern", "one pattern", f"{len(marks.patterns)} of them")
    if not marks.enforced and compile_pattern(marks.patterns[0]) is None:
        raise NoField("pattern", "a regular expression of ECMA-262 that runs in bounded time", "another one")
    return marks.patterns[0]


def _date(label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a date", _UNMARKED)
    shown = _plain(default, "a date", date)
    field = TextField(*label, format="date", default=None if shown is None else shown.isoformat())
    return field, date.fromisoformat


def _datetime(label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a datetime", _UNMARKED)
    shown = _plain(default, "a datetime", datetime)
    if shown is not None and shown.tzinfo is None:
        raise NoField("default", "a datetime with a zone (tzinfo)", "one without")
    field = TextField(*label, format="date-time", default=None if shown is None else shown.isoformat())
    return field, _to_datetime


def _to_datetime(text: str) -> datetime:
    # A leap second, which a datetime can't hold, becomes the second before it.
    return datetime.fromisoformat((text[:17] + "59" + text[19:] if text[17:19] == "60" else text).upper())


def _dated(read: _Reader) -> _Reader:
    """A date that only the type itself can judge, since it takes a clock or a calendar."""

    def read_when_enforced(label: Label, marks: Marks, default: object) -> _Read:
        if not marks.enforced:
            raise NoField(
                "annotation", "date or datetime, or a pydantic model", "a type that nothing would enforce"
            )
        return read(label, marks, default)

    return read_when_enforced


def _flag(label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a flag", _UNMARKED)
    return FlagField(*label, _plain(default, "True or False", bool)), None


def _integer(label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a number", _BOUNDED)
    low, high = _whole_bounds(marks) if marks.bounds else (None, None)
    shown = _plain(default, "a whole number", int)
    return NumberField(*label, True, low, high, shown), None


def _whole_bounds(marks: Marks) -> tuple[int | None, int | None]:
    """Whole numbers have a neighbour, so every bound can be an inclusive one."""
    lows: list[int] = []
    highs: list[int] = []
    for name, bounds in marks.bounds.items():
        if name == "ge":
            lows += map(ceil, bounds)
        elif name == "gt":
            lows += map(_above, bounds)
        elif name == "le":
            highs += map(floor, bounds)
        elif name == "lt":
            highs += map(_below, bounds)
    return max(lows) if lows else None, min(highs) if highs else None


def _above(bound: int | float) -> int:
    return floor(bound) + 1


def _below(bound: int | float) -> int:
    return ceil(bound) - 1


def _number(label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a number", _BOUNDED)
    if marks.all("multiple_of") and not marks.enforced:
        raise NoField("annotation", "multiple_of on an int alone", "multiple_of on a number with a fraction")
    field = NumberField(
        *label,
        minimum=max([*marks.all("ge"), *marks.all("gt")], default=None),
        maximum=min([*marks.all("le"), *marks.all("lt")], default=None),
        default=_plain(default, "a number", float, int),
    )
    return field, float


def _list(bare: Bare, label: Label, marks: Marks, default: object) -> _Read:
    _only(marks, "a list of choices", _COUNTED)
    item = unwrap(bare.inside[0])
    inner = read_marks(item.marks, enforced=False)
    _only(inner, "a choice", _TITLED)
    if item.optional or not _is_choice(item):
        refuse(bare.kind)
    members, are_text = _members(item)
    choices = _choices(members, are_text, inner.titles | marks.titles)
    shown = None if default is NOTHING else _codes(default, members)
    field = ChoicesField(*label, choices, marks.min_length, marks.max_length, shown)
    return field, None if are_text else _each(members)


def _is_choice(bare: Bare) -> bool:
    return bare.origin is Literal or (isinstance(bare.kind, type) and issubclass(bare.kind, Enum))


def _each(members: _Members) -> Convert:
    def convert(codes: list[str]) -> list[object]:
        return [members[code] for code in codes]

    return convert


def _members(bare: Bare) -> tuple[_Members, bool]:
    """What is sent -> what it stands for, in the order in which it was written; and whether these are the same."""
    if bare.origin is Literal:
        texts: _Members = {code: code for code in bare.inside if type(code) is str}
        if texts and len(texts) == len(bare.inside):  # nearly all of them
            return texts, True
    kind, found = bare.kind, _Members()
    if not _is_choice(bare):
        refuse(kind)
    for member in kind if isinstance(kind, EnumType) else bare.inside:
        code = member.value if isinstance(member, Enum) else member
        if isinstance(code, str):
            found[str(code)] = member
        elif member is not None:
            refuse(kind)
    if not found:
        raise NoField("enum", "at least one choice", f"{name_of(kind)}, which has none")
    return found, {*map(type, found.values())} == _TEXT


def _choices(members: _Members, are_text: bool, titles: Mapping[str, str]) -> tuple[Choice, ...]:
    if are_text and not titles:
        return tuple(map(Choice, members))
    strangers = titles.keys() - members.keys()
    if strangers:
        raise NoField("titles", "titles for the choices there are", f"one for {min(strangers)!r}")
    words = [titles.get(code) or _label_of(member) for code, member in members.items()]
    if not any(words):
        return tuple(map(Choice, members))
    # No dialect can write titles for some of the choices alone.
    return tuple([Choice(code, title or code) for code, title in zip(members, words, strict=True)])


def _label_of(member: object) -> str | None:
    """The words an enum's author gave a member, as a `label` or a `title`."""
    if isinstance(member, Enum):
        for name in ("label", "title"):
            words = getattr(member, name, None)
            # A member of that name is no label, and a `str`'s own `title` is a method.
            if isinstance(words, str) and not isinstance(words, Enum):
                return words
    return None


def _code(default: object, members: _Members) -> str:
    if type(default) is str and type(members.get(default)) is str:
        return default
    for code, member in members.items():
        if type(default) is type(member) and default == member:
            return code
    raise NoField("default", "one of the choices", f"another {name_of(type(default))}")


def _codes(default: object, members: _Members) -> tuple[str, ...]:
    if not isinstance(default, list):
        raise NoField("default", "a list of choices", name_of(type(default)))
    return tuple(_code(one, members) for one in default)


def _plain(default: object, expected: str, *kinds: type[_T]) -> _T | None:
    """A default of exactly one of these types; a subclass may mean something else, as a bool is no number."""
    if default is NOTHING:
        return None
    for kind in kinds:
        if type(default) is kind and isinstance(default, kind):
            return default
    raise NoField("default", expected, f"a default that is a {name_of(type(default))}")


def _only(marks: Marks, what: str, fitting: frozenset[str]) -> None:
    """Refuse marks that say nothing about this kind of field: a limit left out in silence is no limit."""
    if marks.said and not marks.said <= fitting:
        said = min(marks.said - fitting)
        raise NoField("annotation", f"{what} without {said}", f"a mark with {said}")


_BY_TYPE: Final[dict[type, _Reader]] = {
    str: _text,
    int: _integer,
    float: _number,
    bool: _flag,
    date: _date,
    datetime: _datetime,
}

_BY_NAME: Final[dict[str, _Reader]] = {
    "EmailStr": _email,
    "AwareDatetime": _datetime,  # a date-time always has its zone
    "PastDate": _dated(_date),
    "FutureDate": _dated(_date),
    "PastDatetime": _dated(_datetime),
    "FutureDatetime": _dated(_datetime),
}
