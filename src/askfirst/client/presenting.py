"""What a question looks like as lines of text, for every surface that shows text. Pure functions.

Server text is hostile: everything of it goes through `plain`, stands between quotes or behind a bar where it
could pass for our own words, and is never markup. Who asks comes first, by the name the person configured.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from askfirst.core.addresses import examine_url
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined, Value
from askfirst.core.entry import describe
from askfirst.core.errors import Problem
from askfirst.core.fields import ChoiceField, ChoicesField, Field, FlagField, Form, NumberField, TextField
from askfirst.core.hygiene import plain, shorten
from askfirst.core.questions import Origin, Question, UrlQuestion
from askfirst.core.showing import cautions, choice_text, host, label, name_of, one_line, shown, title

__all__ = [
    "address_lines",
    "argument_lines",
    "asker",
    "choice_lines",
    "confirmation",
    "farewell",
    "field_lines",
    "hint",
    "kept",
    "message_lines",
    "question_lines",
    "quoted",
    "review",
    "time_left",
    "unfit",
    "waiting",
    "warnings",
]

_BAR: Final = "| "
_QUOTED: Final = 120
_MOST_CHOICES: Final = 8
_LONGEST_CHOICE: Final = 60


def quoted(question: Question) -> str:
    """A question's message in quotes, on one line and not without end, to say which question is meant."""
    return repr(shorten(one_line(question.message), _QUOTED)[0])


def unfit(problems: Iterable[Problem], form: Form) -> tuple[str, ...]:
    """What does not fit, a line for each problem, with what would: for who wrote the answer without seeing the form.

    No value of the answer is in it.
    """
    fields = {one.name: one for one in form.fields}
    return tuple(one_line(str(_in_full(one, fields.get(one.field)))) for one in problems)


def _in_full(problem: Problem, field: Field | None) -> Problem:
    match field:
        case ChoiceField() | ChoicesField() if problem.what in ("required", "type", "enum"):
            several = "a list of some of " if isinstance(field, ChoicesField) else "one of "
            return replace(problem, expected=several + _named([one.value for one in field.choices]))
        case FlagField() if problem.what == "required":
            return replace(problem, expected="true or false")  # as JSON says it
        case TextField() | NumberField() if problem.what == "required":
            return replace(problem, expected=describe(field))
        case _:
            return problem


def _named(values: list[str]) -> str:
    texts = [shorten(json.dumps(value, ensure_ascii=False), _LONGEST_CHOICE)[0] for value in values]
    more = len(texts) - _MOST_CHOICES
    return ", ".join(texts[:_MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def asker(origin: Origin) -> tuple[str, ...]:
    """Who asks and in which call: the configured name first, what the server calls itself marked as its own claim."""
    tool = f", in {one_line(origin.tool)}" if origin.tool else ""
    name = name_of(origin.server) if origin.own_name else one_line(origin.server)
    code = f"Question {one_line(origin.code)}: " if origin.code else ""
    lines = [f"{code}{name} asks{tool}"]
    if not origin.tool:
        lines.append("In which tool is not known")
    if origin.own_name:
        lines.append("That is what it calls itself (its own claim, not verified)")
    if origin.claimed is not None:
        lines.append(f'It calls itself "{name_of(origin.claimed)}" (its own claim, not verified)')
    return tuple(lines)


def argument_lines(origin: Origin) -> tuple[str, ...]:
    """The arguments of the call, one line each; always before the message, which could pass for them."""
    return tuple(f"  with {one_line(name)}: {one_line(text)}" for name, text in origin.arguments)


def message_lines(question: Question) -> tuple[str, ...]:
    """The message, line by line."""
    return tuple(plain(question.message).strip("\n").split("\n"))


def warnings(question: Question) -> tuple[str, ...]:
    """What the person should know before answering, one line each."""
    return tuple(f"Warning: {caution}" for caution in cautions(question))


def address_lines(url: str) -> tuple[str, ...]:
    """The host that would be visited by itself, and the whole address as text."""
    return (f"Host:    {host(url)}", f"Address: {examine_url(url).shown}")


def question_lines(question: Question, origin: Origin) -> tuple[str, ...]:
    """The whole question but its fields, for a place that prints it once; the message stands behind a bar."""
    message = tuple(f"{_BAR}{line}".rstrip() for line in message_lines(question))
    address = address_lines(question.url) if isinstance(question, UrlQuestion) else ()
    return ("", *asker(origin), *argument_lines(origin), *message, *address, *warnings(question))


def hint(field: Field) -> str:
    """The field's description and what fits into it, in one line."""
    said, fits = one_line(field.description or ""), one_line(describe(field))
    return f"{said} ({fits})" if said else fits


def choice_lines(field: Field) -> tuple[str, ...]:
    """The choices with their numbers."""
    if not isinstance(field, ChoiceField | ChoicesField):
        return ()
    return tuple(f"  {number}. {choice_text(choice)}" for number, choice in enumerate(field.choices, start=1))


def field_lines(field: Field, number: str = "") -> tuple[str, ...]:
    """All there is to know about a field before answering it."""
    return (f"{number}{label(field)}", f"  {hint(field)}", *choice_lines(field))


def kept(field: Field, value: Value | None, *, hidden: bool = False) -> tuple[str, ...]:
    """What Enter alone does at this field."""
    if value is not None:
        return (f"  Enter keeps: {shown(field, value, hidden=hidden)}",)
    return () if field.required else ("  Enter leaves it unanswered",)


def review(form: Form, content: Content, hidden: frozenset[str]) -> tuple[str, ...]:
    """What would be sent, one numbered line a field."""
    return tuple(
        f"  {number}. {title(field)}: {shown(field, content.get(field.name), hidden=field.name in hidden)}"
        for number, field in enumerate(form.fields, start=1)
    )


def confirmation(message: str, said: str) -> str:
    """The last look at a yes or no before it is sent."""
    return f"Send: {said.capitalize()} - {one_line(message)}"


def farewell(answer: Answer[Content]) -> str:
    """What became of the question, in a word."""
    match answer:
        case Accepted():
            return "Sent."
        case Declined():
            return "Declined."
        case Cancelled():
            return "Cancelled."
        case _:
            assert_never(answer)


def time_left(seconds: float | None) -> str:
    """How long the asker still waits; empty when it waits for ever."""
    if seconds is None:
        return ""
    whole = max(int(seconds), 0)
    days, hours, minutes = whole // 86400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} d {hours} h left"
    if hours:
        return f"{hours} h {minutes} min left"
    return f"{minutes} min {whole % 60} s left" if minutes else f"{whole} s left"


def waiting(count: int) -> str:
    """How many questions wait behind this one; empty for none."""
    return "" if count < 1 else f"{count} more {'question waits' if count == 1 else 'questions wait'}"
