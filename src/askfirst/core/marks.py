"""What an author says about a field inside `Annotated`, gathered into one value.

Marks are read by what they carry, not by their class: `ge`, `gt`, `le`, `lt`, `multiple_of`, `min_length`,
`max_length`, `pattern`, `title`, `description`, `documentation`, `default`, `default_factory`. So `annotated_types`,
pydantic's `Field` and `StringConstraints`, and whatever else has these attributes, are understood, and none of them
is imported. A mark of pydantic or `annotated_types` that is not understood is refused where nothing would enforce it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, TypeAlias

__all__ = [
    "A_BOUND",
    "A_LENGTH",
    "A_PATTERN",
    "NOTHING",
    "TITLES",
    "Marks",
    "NoField",
    "Titles",
    "read_marks",
]

NOTHING: Final = object()
"""No default, where None would be one."""


class NoField(Exception):
    """This can't be a field: `what` is wrong; `expected` says the cure, `got` what was written. It never leaves
    core.
    """

    def __init__(self, what: str, expected: str, got: str) -> None:
        self.what = what
        self.expected = expected
        self.got = got
        super().__init__(what)


@dataclass(frozen=True, slots=True, init=False)
class Titles:
    """The words to show for choices: `Annotated[Literal["eu", "us"], Titles({"eu": "Europe", "us": "America"})]`.

    Keys are the values of a `Literal`, or the members (or values) of an `Enum`; a choice without a title is shown
    by its value.
    """

    pairs: tuple[tuple[str, str], ...]

    def __init__(self, titles: Mapping[str, str] | Mapping[Enum, str]) -> None:
        # Pairs can be hashed, so that the annotation this stands in can be, and its form is derived once.
        pairs = tuple(
            (str(key.value if isinstance(key, Enum) else key), title) for key, title in titles.items()
        )
        object.__setattr__(self, "pairs", pairs)


A_BOUND: Final = "a bound"
A_LENGTH: Final = "a length"
A_PATTERN: Final = "a pattern"
TITLES: Final = "titles"


class Marks:
    """All marks of one field; of several texts the last holds, of several limits all.

    `said` names the kinds of limit among them; `enforced`: the type enforces its own. `min_length` is the greatest of
    the least lengths, `max_length` the least of the greatest.
    """

    __slots__ = (
        "bounds",
        "default",
        "description",
        "enforced",
        "max_length",
        "min_length",
        "patterns",
        "said",
        "title",
        "titles",
    )

    def __init__(self, enforced: bool) -> None:
        self.enforced: bool = enforced
        self.title: str | None = None
        self.description: str | None = None
        self.default: object = NOTHING
        self.said: set[str] = set()
        self.titles: dict[str, str] = {}
        self.bounds: dict[str, list[int | float]] = {}
        self.min_length: int | None = None
        self.max_length: int | None = None
        self.patterns: list[str] = []

    def all(self, name: str) -> Sequence[int | float]:
        """The bounds of this name: "ge", "gt", "le", "lt" or "multiple_of"."""
        return self.bounds.get(name, ())


_Take: TypeAlias = Callable[[str, object, Marks], bool]

_NONE: Final = {enforced: Marks(enforced) for enforced in (False, True)}
"""For the many annotations without any mark; nobody writes into Marks but this file."""

_OF_A_FIELD: Final = frozenset({"alias", "default", "default_factory", "validation_alias"})
"""What pydantic's `Field` means by these, another mark need not."""

_HARMLESS: Final = frozenset({"AllowInfNan", "DocInfo", "Strict"})  # what `check` does anyway, and mere words
_NUMBERS: Final = (int, float)  # quicker than a union, which is made anew each time
_FOREIGN: Final = ("annotated_types", "pydantic")


def read_marks(marks: Sequence[object], *, enforced: bool) -> Marks:
    """Gather marks, innermost first.

    Args:
        marks: The metadata of `Annotated`.
        enforced: The type checks and converts values by itself when it is built, as a pydantic model does, so
            that a mark no form can carry still holds.

    Raises:
        NoField: A mark that nobody would enforce, or a limit of the wrong kind.
    """
    if not marks:
        return _NONE[enforced]
    found = Marks(enforced)
    for mark in marks:
        _read(mark, found)
    return found


def _read(mark: object, found: Marks) -> None:
    kind: type = type(mark)
    understood = False
    for name, take in _carried(kind):
        value: object = getattr(mark, name, None)
        if value is not None and value is not False:
            understood = take(name, value, found) or understood
    if understood or found.enforced or kind.__name__ in _HARMLESS:
        return
    if kind.__module__.startswith(_FOREIGN):
        raise NoField(
            "annotation",
            "limits that a form carries, or a pydantic model, which enforces the others",
            f"{kind.__name__}, which nothing would enforce here",
        )


@lru_cache(256)
def _carried(kind: type) -> tuple[tuple[str, _Take], ...]:
    """Which of the attributes looked for a mark of this class may have, and what takes them."""
    if issubclass(kind, str):  # its methods bear such names
        return ()
    ours = _TAKEN if kind.__module__.startswith("pydantic") else _TAKEN.keys() - _OF_A_FIELD
    return tuple(
        (name, take)
        for name, take in _TAKEN.items()
        if name in ours and (kind.__dictoffset__ or hasattr(kind, name))
    )


def _take_bound(name: str, value: object, found: Marks) -> bool:
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        if found.enforced:  # a date before another, which no form can say
            return True
        raise NoField("annotation", f"a number for {name}", f"a {type(value).__name__}")
    found.bounds.setdefault(name, []).append(value)
    found.said.add(A_BOUND)
    return True


def _take_min_length(name: str, value: object, found: Marks) -> bool:
    count = _count(name, value, found)
    found.min_length = count if found.min_length is None else max(found.min_length, count)
    return True


def _take_max_length(name: str, value: object, found: Marks) -> bool:
    count = _count(name, value, found)
    found.max_length = count if found.max_length is None else min(found.max_length, count)
    return True


def _count(name: str, value: object, found: Marks) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NoField("annotation", f"a whole number for {name}", f"a {type(value).__name__}")
    found.said.add(A_LENGTH)
    return value


def _take_pattern(_name: str, value: object, found: Marks) -> bool:
    found.patterns.append(str(getattr(value, "pattern", value)))  # text, or compiled
    found.said.add(A_PATTERN)
    return True


def _take_title(_name: str, value: object, found: Marks) -> bool:
    if isinstance(value, str):
        found.title = value
    return isinstance(value, str)


def _take_description(_name: str, value: object, found: Marks) -> bool:
    if isinstance(value, str):
        found.description = value
    return isinstance(value, str)


def _take_titles(_name: str, value: object, found: Marks) -> bool:
    if isinstance(value, tuple):
        found.titles.update(value)
        found.said.add(TITLES)
    return True


def _take_metadata(_name: str, value: object, found: Marks) -> bool:
    """The limits inside pydantic's `Field` are marks of their own."""
    if isinstance(value, list):
        for one in value:
            _read(one, found)
    return True


def _take_default(_name: str, value: object, found: Marks) -> bool:
    if type(value).__name__ != "PydanticUndefinedType" and value is not ...:
        found.default = value
    return False


def _take_factory(name: str, _value: object, found: Marks) -> bool:
    if not found.enforced:
        raise NoField(name, "the factory in the class itself", f"{name} inside Annotated")
    return False


def _take_change(name: str, _value: object, found: Marks) -> bool:
    """What changes a value or its name needs a type that does so."""
    if not found.enforced:
        raise NoField("annotation", f"a field without {name}, or a pydantic model, which does it", name)
    return False


_TAKEN: Final[dict[str, _Take]] = {
    "title": _take_title,
    "documentation": _take_description,
    "description": _take_description,
    "pairs": _take_titles,
    "metadata": _take_metadata,
    "default": _take_default,
    "default_factory": _take_factory,
    "pattern": _take_pattern,
    **dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"), _take_bound),
    "min_length": _take_min_length,
    "max_length": _take_max_length,
    **dict.fromkeys(
        (
            "alias",
            "validation_alias",
            "strip_whitespace",
            "to_lower",
            "to_upper",
            "ascii_only",
            "max_digits",
            "decimal_places",
        ),
        _take_change,
    ),
}
