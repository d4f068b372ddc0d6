"""What an author says about a field inside `Annotated`, gathered into one value.

Marks are read by what they carry, not by their class: `ge`, `gt`, `le`, `lt`, `multiple_of`, `min_length`,
`max_length`, `pattern`, `title`, `description`, `documentation`, `default`, `default_factory`. So `annotated_types`,
pydantic's `Field` and `StringConstraints`, and whatever else has these attributes, are understood, and none of them
is imported. A mark of pydantic or `annotated_types` that is not understood is refused where nothing would enforce it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, NewType, NotRequired, Required, Union, get_args, get_origin

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
        self.what, self.expected, self.got = what, expected, got
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


@dataclass(slots=True)
class Marks:
    """All marks of one field. Of several bounds the tightest holds; of several texts the last.

    `said` names the kinds of limit among them; `enforced`: the type enforces its own.
    """

    enforced: bool
    title: str | None = None
    description: str | None = None
    default: object = NOTHING
    said: set[str] = field(default_factory=set)
    titles: dict[str, str] = field(default_factory=dict)
    at_least: list[int | float] = field(default_factory=list)
    above: list[int | float] = field(default_factory=list)
    at_most: list[int | float] = field(default_factory=list)
    below: list[int | float] = field(default_factory=list)
    multiples: list[int | float] = field(default_factory=list)
    min_lengths: list[int] = field(default_factory=list)
    max_lengths: list[int] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Bare:
    """An annotation without what is wrapped around it; the innermost mark is the first."""

    kind: object
    marks: list[object]
    optional: bool = False
    required: bool | None = None


def unwrap(annotation: object) -> Bare:
    """Take off `Annotated`, `Optional`, `Required`, `NotRequired`, `Final`, new types and names of types."""
    bare = Bare(annotation, [])
    while _peel(bare):
        pass
    return bare


def _peel(bare: Bare) -> bool:
    """Take off one wrapping, if there is one."""
    kind = bare.kind
    if isinstance(kind, type):
        return False
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bare.kind, bare.marks[:0] = inside[0], inside[1:]
    elif origin is Union or origin is UnionType:
        kinds = [one for one in inside if one is not NoneType]
        if len(kinds) != 1:
            return False
        bare.kind, bare.optional = kinds[0], True
    elif origin is Required or origin is NotRequired:
        bare.kind, bare.required = inside[0], origin is Required
    elif origin is Final:
        bare.kind = inside[0]
    elif isinstance(kind, NewType):
        bare.kind = kind.__supertype__
    elif type(kind).__name__ == "TypeAliasType":  # `type X = ...`, of typing or typing_extensions
        bare.kind = getattr(kind, "__value__", None)
    else:
        bare.optional = bare.optional or (origin is Literal and None in inside)
        return False
    return True


_NUMBERS: Final = {
    "ge": "at_least",
    "gt": "above",
    "le": "at_most",
    "lt": "below",
    "multiple_of": "multiples",
}
_COUNTS: Final = {"min_length": "min_lengths", "max_length": "max_lengths"}
_HARMLESS: Final = frozenset({"AllowInfNan", "DocInfo", "Strict"})  # what `check` does anyway, and mere words
_FOREIGN: Final = ("annotated_types", "pydantic")
_TRANSFORMS: Final = (
    "strip_whitespace",
    "to_lower",
    "to_upper",
    "ascii_only",
    "max_digits",
    "decimal_places",
)


def read_marks(marks: Iterable[object], *, enforced: bool) -> Marks:
    """Gather marks, innermost first.

    Args:
        marks: The metadata of `Annotated`.
        enforced: The type checks and converts values by itself when it is built, as a pydantic model does, so
            that a mark no form can carry still holds.

    Raises:
        NoField: A mark that nobody would enforce, or a limit of the wrong kind.
    """
    found = Marks(enforced)
    for mark in marks:
        _read(mark, found)
    return found


def _read(mark: object, found: Marks) -> None:
    if isinstance(mark, Titles):
        found.titles.update(mark.pairs)
        found.said.add(TITLES)
        return
    if isinstance(mark, str):  # its methods bear the names looked for
        return
    inner = getattr(mark, "metadata", None)
    if isinstance(inner, list):  # pydantic's Field: its limits are marks of their own
        for one in inner:
            _read(one, found)
        _read_default(mark, found)
    understood = _read_texts(mark, found) | _read_limits(mark, found) | isinstance(inner, list)
    if not found.enforced:
        _refuse_what_nobody_enforces(mark, understood)


def _read_texts(mark: object, found: Marks) -> bool:
    title = getattr(mark, "title", None)
    description = getattr(mark, "description", None) or getattr(mark, "documentation", None)
    if isinstance(title, str):
        found.title = title
    if isinstance(description, str):
        found.description = description
    return isinstance(title, str) or isinstance(description, str)


def _read_limits(mark: object, found: Marks) -> bool:
    said = set()
    for name, into in _NUMBERS.items():
        limit = getattr(mark, name, None)
        if limit is not None:
            if isinstance(limit, bool) or not isinstance(limit, int | float):
                raise NoField("annotation", f"a number for {name}", f"a {type(limit).__name__}")
            getattr(found, into).append(limit)
            said.add(A_BOUND)
    for name, into in _COUNTS.items():
        limit = getattr(mark, name, None)
        if limit is not None:
            getattr(found, into).append(limit)
            said.add(A_LENGTH)
    pattern = getattr(mark, "pattern", None)
    if pattern is not None:
        found.patterns.append(pattern if isinstance(pattern, str) else pattern.pattern)
        said.add(A_PATTERN)
    found.said |= said
    return bool(said)


def _read_default(mark: object, found: Marks) -> None:
    """The default of a pydantic `Field` inside `Annotated`; a factory of lists is called, others can't be shown."""
    factory: Callable[[], object] | None = getattr(mark, "default_factory", None)
    if factory is not None:
        raise NoField(
            "default_factory", "the factory in the class itself", "default_factory inside Annotated"
        )
    default: object = getattr(mark, "default", NOTHING)
    if type(default).__name__ != "PydanticUndefinedType" and default is not ...:
        found.default = default


def _refuse_what_nobody_enforces(mark: object, understood: bool) -> None:
    kind = type(mark)
    name = kind.__name__
    for attribute in _TRANSFORMS:
        if getattr(mark, attribute, None):
            raise NoField(
                "annotation", f"no {attribute}, or a pydantic model, which does it", f"{name}({attribute})"
            )
    if getattr(mark, "alias", None) or getattr(mark, "validation_alias", None):
        raise NoField("alias", "the field's own name, or a pydantic model", f"{name}(alias)")
    foreign = kind.__module__.startswith(_FOREIGN)
    if foreign and not understood and name not in _HARMLESS:
        raise NoField(
            "annotation",
            "limits that a form carries, or a pydantic model, which enforces the others",
            f"{name}, which nothing would enforce here",
        )
