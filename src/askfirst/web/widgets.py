"""A form's fields as what a page draws: which control, with which words, holding what. Pure functions."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, assert_never

from askfirst.core.answers import Value
from askfirst.core.entry import describe, show_value
from askfirst.core.errors import Problem
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.core.hygiene import plain
from askfirst.core.showing import UNANSWERED, advice, one_line, shown, title

from .entries import NONE, Entries, box, entry

__all__ = ["Mistake", "Option", "Row", "Widget", "mistakes", "rows", "widgets"]

Kind: TypeAlias = Literal["line", "area", "masked", "date", "moment", "radios", "select", "boxes"]

_MOST_RADIOS: Final = 8
"""More choices than this are a list, which a script makes a filterable one."""

_ONE_LINE: Final = 100
"""Text of at most so many characters gets a box of one line."""

_AGAIN: Final = "What you typed before is not shown here: type it again, or it is not sent."

_KEYBOARDS: Final = {"email": "email", "uri": "url"}


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose. `code` is what is sent, where that is not what is shown."""

    value: str
    label: str
    code: str
    chosen: bool = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One field's control. `texts` is what its boxes hold; `none` the box for "none of these"."""

    kind: Kind
    name: str
    label: str
    optional: bool
    help: str
    fits: str
    mistake: str = ""
    texts: tuple[str, ...] = field(default=(), repr=False)
    options: tuple[Option, ...] = ()
    none: Option | None = None
    keyboard: str = "text"
    most: int | None = None

    @property
    def described_by(self) -> str:
        """The ids of what explains the control, for a screen reader."""
        parts = (("help", self.help), ("fits", self.fits), ("mistake", self.mistake))
        return " ".join(f"{self.name}-{part}" for part, text in parts if text)

    @property
    def target(self) -> str:
        """The id of the control that a link in the summary of mistakes leads to."""
        return f"{self.name}-0" if self.kind in {"radios", "boxes"} else self.name


@dataclass(frozen=True, slots=True)
class Mistake:
    """One line of the summary above a form. `target` is the id to go to, "" where there is none."""

    target: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of what is sent: the field's name and its value as a person reads it."""

    label: str
    text: str = field(repr=False)


def widgets(
    form: Form,
    entries: Entries,
    problems: tuple[Problem, ...] = (),
    masked: frozenset[str] = frozenset(),
    only: int | None = None,
) -> tuple[Widget, ...]:
    """The controls of a form, or of its one field at a place, that hold the given entries, with what is wrong."""
    wrong: dict[str, str] = {}
    for problem in reversed(problems):
        if problem.field:
            wrong[problem.field] = _advice(problem, form)
    return tuple(
        _widget(box(index), one, entries, wrong.get(one.name, ""), one.name in masked)
        for index, one in enumerate(form.fields)
        if only in {None, index}
    )


def mistakes(drawn: tuple[Widget, ...], problems: tuple[Problem, ...]) -> tuple[Mistake, ...]:
    """The summary above a form: what is wrong with each field, and with the whole."""
    whole = [Mistake("", "", advice(problem, None)) for problem in problems if not problem.field]
    return (*whole, *(Mistake(one.target, one.label, one.mistake) for one in drawn if one.mistake))


def rows(form: Form, content: dict[str, Value], masked: frozenset[str] = frozenset()) -> tuple[Row, ...]:
    """What is sent, field by field, those without an answer included."""
    return tuple(
        Row(title(one), _read_back(one, content.get(one.name), one.name in masked)) for one in form.fields
    )


def _advice(problem: Problem, form: Form) -> str:
    if problem.what == "none":
        return f"Choose {problem.expected}."
    return advice(problem, form[problem.field])


def _read_back(one: Field, value: Value | None, masked: bool) -> str:
    match one, value:
        case _, None:
            return UNANSWERED
        case TextField(), str() if value and not masked:
            return plain(value)
        case ChoiceField(), str():
            return _label(next(choice for choice in one.choices if choice.value == value))
        case ChoicesField(), list() if value:
            chosen = set(value)
            return "\n".join(_label(choice) for choice in one.choices if choice.value in chosen)
        case _:
            return shown(one, value, hidden=masked)


def _label(choice: Choice) -> str:
    return one_line(choice.label) or '"" (empty)'


def _widget(name: str, one: Field, entries: Entries, mistake: str, masked: bool) -> Widget:
    kind = _kind(one, entry(entries, name), masked)
    return Widget(
        kind=kind,
        name=name,
        label=title(one),
        optional=not one.required,
        help=plain(one.description or "").strip(),
        fits=f"{_fits(one)} {_AGAIN}".strip() if masked and _is_typed(name, one, entries) else _fits(one),
        mistake=mistake,
        texts=tuple(entry(entries, f"{name}{part}") for part in ("", "t", "z")),
        options=_options(one, frozenset(entries.get(name, ()))),
        none=_none(one, entries.get(name, ())),
        keyboard=_keyboard(one),
        most=one.max_length if isinstance(one, TextField) else None,
    )


def _is_typed(name: str, one: Field, entries: Entries) -> bool:
    """Whether a box holds a text of the person's own."""
    if not isinstance(one, TextField | NumberField):
        return False
    default = "" if one.default is None else plain(show_value(one, one.default))
    return entry(entries, name) not in {"", default}


def _kind(one: Field, text: str, masked: bool) -> Kind:
    match one:
        case TextField() | NumberField() if masked:
            return "masked"
        case TextField(format="date"):
            return "date"
        case TextField(format="date-time"):
            return "moment"
        case TextField():
            short = one.max_length is not None and one.max_length <= _ONE_LINE
            return "line" if "\n" not in text and (short or one.format or one.pattern) else "area"
        case NumberField():
            return "line"
        case FlagField():
            return "radios"
        case ChoiceField():
            return "radios" if len(one.choices) <= _MOST_RADIOS else "select"
        case ChoicesField():
            return "boxes"
        case _:
            assert_never(one)


def _keyboard(one: Field) -> str:
    if isinstance(one, NumberField):
        # The keyboards of some telephones have no minus sign in their digits.
        signed = one.minimum is None or one.minimum < 0
        return "text" if signed else "numeric" if one.integer else "decimal"
    return _KEYBOARDS.get(one.format or "", "text") if isinstance(one, TextField) else "text"


def _fits(one: Field) -> str:
    """What may be given, where the control alone does not say it."""
    match one:
        case FlagField() | ChoiceField():
            return ""
        case TextField(format="date-time"):
            return (
                "A date, a time such as 18:00, and its offset from UTC such as +01:00, or Z for UTC itself."
            )
        case TextField(format="date"):
            return ""
        case TextField() | NumberField() | ChoicesField():
            words = one_line(describe(one))
            if words in {"any text", "choose any number"}:
                words = "choose any number of them" if isinstance(one, ChoicesField) else ""
            quotes = ' Two double quotes ("") stand for an empty text.' if _shows_quotes(one) else ""
            return f"{words[:1].upper()}{words[1:]}.{quotes}" if words else quotes.strip()
        case _:
            assert_never(one)


def _shows_quotes(one: Field) -> bool:
    return isinstance(one, TextField) and one.default is not None and show_value(one, one.default) == '""'


def _options(one: Field, chosen: frozenset[str]) -> tuple[Option, ...]:
    match one:
        case FlagField():
            options = [Option("yes", "Yes", "", "yes" in chosen), Option("no", "No", "", "no" in chosen)]
        case ChoiceField() | ChoicesField():
            options = [
                _option(str(place), choice, str(place) in chosen) for place, choice in enumerate(one.choices)
            ]
        case TextField() | NumberField():
            return ()
        case _:
            assert_never(one)
    if not one.required and not isinstance(one, ChoicesField):
        # A radio that is chosen once can't be unchosen; this one can be chosen instead.
        options.append(Option("", "No answer", "", "" in chosen))
    return tuple(options)


def _option(value: str, choice: Choice, chosen: bool) -> Option:
    code = one_line(choice.value)
    label = _label(choice)
    return Option(value, label, "" if code == label else code, chosen)


def _none(one: Field, chosen: tuple[str, ...]) -> Option | None:
    if isinstance(one, ChoicesField) and not one.min_items:
        return Option(NONE, "None of these", "", NONE in chosen)
    return None
