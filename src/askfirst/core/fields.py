"""A form: a flat list of fields that hold primitive values.

These are the specification's `PrimitiveSchemaDefinition`s (client/elicitation, "Requested Schema"), as values; a
form can't be built from wrong ones. Text from a server is kept as it came; `core.hygiene.plain` makes it showable.
A form holds dozens of them, so they are named tuples: made in a fifth of the time that frozen dataclasses take.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from math import ceil, floor, inf, isfinite
from typing import Final, NamedTuple, TypeAlias

from .errors import InvalidForm, Problem
from .formats import FORMATS

__all__ = [
    "TEXT_FORMATS",
    "Choice",
    "ChoiceField",
    "ChoicesField",
    "Deviation",
    "Field",
    "FlagField",
    "Form",
    "Label",
    "NumberField",
    "TextField",
    "is_unicode",
]

TEXT_FORMATS: Final = ("email", "uri", "date", "date-time")
"""The formats the specification lists. Others may be read, and are shown, but not checked or written."""


Label: TypeAlias = tuple[str, str | None, str | None, bool]
"""What every field begins with: its name, a label (`title`), a hint (`description`); left out at will unless
`required`.
"""


class TextField(NamedTuple):
    """A line or several of text. Lengths are in code points; `pattern` is an ECMA-262 regular expression."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False
    min_length: int | None = None
    max_length: int | None = None
    format: str | None = None
    pattern: str | None = None
    default: str | None = None

    def contradictions(self) -> Collection[Problem]:
        """What makes this field impossible to answer, or its default impossible to send."""
        found = _counts(self.name, "minLength", self.min_length, "maxLength", self.max_length)
        text = self.default
        if text is None:
            return found
        if not _within(len(text), self.min_length, self.max_length):
            got = f"{len(text)}"
            found.append(Problem(self.name, "default", "as many characters as the lengths allow", got))
        if not is_unicode(text):
            found.append(Problem(self.name, "default", "whole characters", "text with half a surrogate pair"))
        follows = FORMATS.get(self.format or "")
        if follows is not None and not follows(text):
            found.append(Problem(self.name, "default", f"a text in the format {self.format}", "another text"))
        return found


class NumberField(NamedTuple):
    """A finite number; a whole one when `integer`. Both bounds are inclusive."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False
    integer: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    default: int | float | None = None

    def contradictions(self) -> Collection[Problem]:
        """What makes this field impossible to answer, or its default impossible to send."""
        low, high = self.minimum, self.maximum
        found: list[Problem] = []
        if not (_is_finite(low) and _is_finite(high)):
            bad = [what for what, bound in (("minimum", low), ("maximum", high)) if not _is_finite(bound)]
            found = [Problem(self.name, what, "a finite number", "NaN or an infinity") for what in bad]
        if not found and low is not None and high is not None:
            if low > high:
                found.append(Problem(self.name, "minimum", "at most the maximum", "more"))
            elif self.integer and ceil(low) > floor(high):
                found.append(Problem(self.name, "minimum", "a whole number between the bounds", "none"))
        number = self.default
        if number is None:
            return found
        if not _is_finite(number):
            found.append(Problem(self.name, "default", "a finite number", "NaN or an infinity"))
        elif self.integer and number != floor(number):
            found.append(Problem(self.name, "default", "a whole number", "a fraction"))
        elif not _within(number, low, high):
            found.append(Problem(self.name, "default", "a number within the bounds", "one outside"))
        return found


class FlagField(NamedTuple):
    """Yes or no. Without a default nothing is chosen."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False
    default: bool | None = None

    def contradictions(self) -> Collection[Problem]:
        """None: a flag can always be answered, and its default sent."""
        return ()


class Choice(NamedTuple):
    """One thing to choose: the code that is sent, and the words that are shown."""

    value: str
    title: str | None = None

    @property
    def label(self) -> str:
        """The title, or the value where there is none."""
        return self.value if self.title is None else self.title


class ChoiceField(NamedTuple):
    """One of several. `legacy_titles`: titles are written as `enumNames` where `oneOf` would be possible."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False
    choices: tuple[Choice, ...] = ()
    legacy_titles: bool = False
    default: str | None = None

    def contradictions(self) -> Collection[Problem]:
        """What makes this field impossible to answer, or its default impossible to send."""
        values = {choice.value for choice in self.choices}
        found = _choosable(self.name, self.choices, values)
        if self.default is not None and self.default not in values:
            found.append(Problem(self.name, "default", "one of the choices", "another text"))
        return found


class ChoicesField(NamedTuple):
    """Any number of several, each at most once, in any order; bounds are inclusive."""

    name: str
    title: str | None = None
    description: str | None = None
    required: bool = False
    choices: tuple[Choice, ...] = ()
    min_items: int | None = None
    max_items: int | None = None
    default: tuple[str, ...] | None = None

    def contradictions(self) -> Collection[Problem]:
        """What makes this field impossible to answer, or its default impossible to send."""
        values = {choice.value for choice in self.choices}
        found = _choosable(self.name, self.choices, values)
        found += _counts(self.name, "minItems", self.min_items, "maxItems", self.max_items)
        if self.min_items is not None and self.min_items > len(self.choices):
            expected = f"at most {len(self.choices)}, for so many choices there are"
            found.append(Problem(self.name, "minItems", expected, "more"))
        chosen = self.default
        if chosen is None:
            return found
        if len(set(chosen)) < len(chosen) or not values.issuperset(chosen):
            found.append(Problem(self.name, "default", "some of the choices, each once", "others"))
        if not _within(len(chosen), self.min_items, self.max_items):
            got = f"{len(chosen)}"
            found.append(Problem(self.name, "default", "as many choices as the counts allow", got))
        return found


def _counts(name: str, least: str, low: int | None, most: str, high: int | None) -> list[Problem]:
    if 0 <= (low or 0) <= (inf if high is None else high):  # as nearly all do
        return []
    found = [
        Problem(name, what, "no negative number", "a negative number")
        for what, count in ((least, low), (most, high))
        if count is not None and count < 0
    ]
    if low is not None and high is not None and low > high:
        found.append(Problem(name, least, f"at most {most}", "more"))
    return found


def _choosable(name: str, choices: tuple[Choice, ...], values: set[str]) -> list[Problem]:
    if not choices:
        return [Problem(name, "enum", "at least one choice", "none")]
    twice = len(choices) - len(values)
    return [Problem(name, "enum", "choices that differ", f"{twice} of them twice")] if twice else []


def _within(number: int | float, low: int | float | None, high: int | float | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


def _is_finite(number: int | float | None) -> bool:
    # Not every int fits into a float, so isfinite may only see floats.
    return not isinstance(number, float) or isfinite(number)


def is_unicode(text: str) -> bool:
    """Whether the text has whole characters alone: half a surrogate pair can't be sent."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Field: TypeAlias = TextField | NumberField | FlagField | ChoiceField | ChoicesField


@dataclass(frozen=True, slots=True)
class Deviation:
    """A place where a schema that could be read differs from its revision's official schema.

    `field` is the field's name or "" for the root; `keyword` the schema keyword; `note` what was done.
    """

    field: str
    keyword: str
    note: str


@dataclass(frozen=True, slots=True)
class Form:
    """An ordered, flat list of fields; none of them is a form by itself. No fields: a plain yes or no.

    `closed`: its asker refuses an answer with any other field (`additionalProperties` is false). That can be
    read, but no revision lets it be written. `deviations` says how the schema it was read from differs from
    the specification; it does not count when two forms are compared.

    Raises:
        InvalidForm: If two fields have one name, or bounds, choices or defaults contradict each other.
    """

    fields: tuple[Field, ...] = ()
    closed: bool = field(default=False, kw_only=True)
    deviations: tuple[Deviation, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        problems: list[Problem] = []
        for one in self.fields:
            if one.name in seen:
                problems.append(Problem(one.name, "name", "a name of its own", "a second field of that name"))
            seen.add(one.name)
            problems.extend(one.contradictions())
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
