"""A form: a flat list of fields that hold primitive values.

These are the specification's `PrimitiveSchemaDefinition`s (client/elicitation, "Requested Schema"), as values
that can't be built wrongly. Text from a server is kept as it came; `core.screening.plain` makes it showable.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from .contradictions import contradictions
from .errors import InvalidForm, Problem

__all__ = [
    "TEXT_FORMATS",
    "Choice",
    "ChoiceField",
    "ChoicesField",
    "Deviation",
    "Field",
    "FlagField",
    "Form",
    "NumberField",
    "TextField",
]

TEXT_FORMATS: Final = ("email", "uri", "date", "date-time")
"""The formats the specification lists. Others may be read, and are shown, but not checked or written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """What every field has. `title` is a label, `description` a hint; an absent answer is allowed unless `required`."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField(_Named):
    """A line or several of text. Lengths are in code points; `pattern` is a regular expression of ECMA-262."""

    min_length: int | None = None
    max_length: int | None = None
    format: str | None = None
    pattern: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField(_Named):
    """A finite number; a whole one when `integer`. Both bounds are inclusive."""

    integer: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    default: int | float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagField(_Named):
    """Yes or no. Without a default nothing is chosen."""

    default: bool | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: the code that is sent, and the words that are shown."""

    value: str
    title: str | None = None

    @property
    def label(self) -> str:
        """The title, or the value where there is none."""
        return self.value if self.title is None else self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField(_Named):
    """One of several. `legacy_titles`: its titles are written as `enumNames` where `oneOf` would be possible."""

    choices: tuple[Choice, ...]
    legacy_titles: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesField(_Named):
    """Any number of several, each at most once, in any order; bounds are inclusive."""

    choices: tuple[Choice, ...]
    min_items: int | None = None
    max_items: int | None = None
    default: tuple[str, ...] | None = None


Field: TypeAlias = TextField | NumberField | FlagField | ChoiceField | ChoicesField


@dataclass(frozen=True, slots=True)
class Deviation:
    """A place where a schema that could be read differs from its revision's official schema.

    `field` is the field's name or "" for the root; `keyword` the schema keyword; `note` says what was done with it.
    """

    field: str
    keyword: str
    note: str


@dataclass(frozen=True, slots=True)
class Form:
    """An ordered, flat list of fields; none of them is a form by itself. No fields: a plain yes or no.

    `closed`: its asker refuses an answer with any other field (`additionalProperties` is false). That can be
    read, but no revision lets it be written. `deviations` says how the schema it was read from differs from the
    specification; it does not count when two forms are compared.

    Raises:
        InvalidForm: If two fields have one name, or bounds, choices or defaults contradict each other.
    """

    fields: tuple[Field, ...] = ()
    closed: bool = False
    deviations: tuple[Deviation, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        problems: list[Problem] = []
        for one in self.fields:
            if one.name in seen:
                problems.append(Problem(one.name, "name", "a name of its own", "a second field of that name"))
            seen.add(one.name)
            problems.extend(contradictions(one))
        if problems:
            raise InvalidForm("this form contradicts itself", problems)

    def __getitem__(self, name: str) -> Field:
        """The field of that name; KeyError where there is none."""
        for one in self.fields:
            if one.name == name:
                return one
        raise KeyError(name)

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the fields that must be answered."""
        return tuple(one.name for one in self.fields if one.required)
