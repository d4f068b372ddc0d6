"""What a question looks like as lines of text, for every surface that shows text. Pure functions.

Server text is hostile: everything of it goes through `plain`, stands between quotes or behind a bar where it
could pass for our own words, and is never markup. Who asks comes first, by the name the person configured.
"""

from typing import Final, assert_never

from askfirst.core.addresses import examine_url
from askfirst.core.answers import Content, Value
from askfirst.core.entry import describe, explain, show_value
from askfirst.core.errors import Problem
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, Field, FlagField, Form, TextField
from askfirst.core.hygiene import plain
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.screening import secrets_in

__all__ = [
    "UNANSWERED",
    "address_lines",
    "advice",
    "asker",
    "choice_lines",
    "choice_text",
    "confirmation",
    "field_lines",
    "hidden_fields",
    "hint",
    "host",
    "is_confirmation",
    "kept",
    "label",
    "message_lines",
    "one_line",
    "question_lines",
    "review",
    "shown",
    "time_left",
    "title",
    "waiting",
    "warnings",
]

UNANSWERED: Final = "(unanswered: nothing is sent)"
_EMPTY: Final = '"" (empty text)'
_NONE_CHOSEN: Final = "(none chosen)"
_NO_SECRETS: Final = (
    "The protocol forbids that in a form: what you type passes through programs, and a model may read it."
)
_BAR: Final = "| "


def one_line(text: str) -> str:
    """Server text for a place that holds one line."""
    return " ".join(plain(text, keep_newlines=False).split())


def asker(origin: Origin) -> tuple[str, ...]:
    """Who asks and in which call: the configured name first, what the server calls itself marked as its own claim."""
    tool = f", in {one_line(origin.tool)}" if origin.tool else ""
    lines = [f"{one_line(origin.server)} asks{tool}"]
    if origin.claimed is not None:
        lines.append(f'It calls itself "{one_line(origin.claimed)}" (its own claim, not verified)')
    return tuple(lines)


def message_lines(question: Question) -> tuple[str, ...]:
    """The message, line by line."""
    return tuple(plain(question.message).strip("\n").split("\n"))


def warnings(question: Question) -> tuple[str, ...]:
    """What the person should know before answering: a form that seems to ask for a secret, an address to doubt."""
    match question:
        case FormQuestion(message=message, form=form):
            suspects = ", ".join(f"{_suspect(one.field)} ({one.what})" for one in secrets_in(message, form))
            return (
                (f"Warning: this seems to ask for a secret: {suspects}. {_NO_SECRETS}",) if suspects else ()
            )
        case UrlQuestion(url=url):
            return tuple(f"Warning: {warning}" for warning in examine_url(url).warnings)
        case _:
            assert_never(question)


def hidden_fields(question: Question) -> frozenset[str]:
    """The names of the fields that seem to ask for a secret: what is typed there is not shown to bystanders."""
    if isinstance(question, UrlQuestion):
        return frozenset()
    return frozenset(one.field for one in secrets_in(question.message, question.form))


def host(url: str) -> str:
    """The host that would be visited, in its own letters and, where those are not ASCII, as it opens too."""
    address = examine_url(url)
    return address.host if address.host == address.ascii_host else f"{address.host} ({address.ascii_host})"


def address_lines(url: str) -> tuple[str, ...]:
    """The host that would be visited by itself, and the whole address as text."""
    return (f"Host:    {host(url)}", f"Address: {examine_url(url).shown}")


def question_lines(question: Question, origin: Origin) -> tuple[str, ...]:
    """The whole question but its fields, for a place that prints it once; the message stands behind a bar."""
    message = tuple(f"{_BAR}{line}".rstrip() for line in message_lines(question))
    address = address_lines(question.url) if isinstance(question, UrlQuestion) else ()
    return ("", *asker(origin), *message, *address, *warnings(question))


def title(field: Field) -> str:
    """What the field is called."""
    return one_line(field.title or "") or one_line(field.name)


def label(field: Field) -> str:
    """What the field is called, with "(optional)" where it may be left out."""
    return title(field) if field.required else f"{title(field)} (optional)"


def hint(field: Field) -> str:
    """The field's description and what fits into it, in one line."""
    said, fits = one_line(field.description or ""), one_line(describe(field))
    return f"{said} ({fits})" if said else fits


def advice(problem: Problem, field: Field | None) -> str:
    """What to do about a problem, in one line."""
    return one_line(explain(problem, field))


def choice_lines(field: Field) -> tuple[str, ...]:
    """The choices with their numbers."""
    if not isinstance(field, ChoiceField | ChoicesField):
        return ()
    return tuple(f"  {number}. {choice_text(choice)}" for number, choice in enumerate(field.choices, start=1))


def choice_text(choice: Choice) -> str:
    """A choice's label and, where that differs, the code that is sent."""
    label, code = one_line(choice.label), one_line(choice.value)
    return label if label == code else f"{label}  [{code}]"


def field_lines(field: Field, number: str = "") -> tuple[str, ...]:
    """All there is to know about a field before answering it."""
    return (f"{number}{label(field)}", f"  {hint(field)}", *choice_lines(field))


def kept(field: Field, value: Value | None, *, hidden: bool = False) -> tuple[str, ...]:
    """What Enter alone does at this field."""
    if value is not None:
        return (f"  Enter keeps: {shown(field, value, hidden=hidden)}",)
    return () if field.required else ("  Enter leaves it unanswered",)


def shown(field: Field, value: Value | None, *, hidden: bool = False) -> str:
    """A field's value as a person reads it, in one line; a hidden one by its length alone."""
    if value is None:
        return UNANSWERED
    if hidden:
        return f"({len(str(value))} characters, hidden)"
    if value == [] and isinstance(field, ChoicesField):
        return _NONE_CHOSEN
    if isinstance(value, str) and isinstance(field, TextField):
        return " / ".join(plain(value).split("\n")) or _EMPTY
    return one_line(show_value(field, value))


def review(form: Form, content: Content, hidden: frozenset[str]) -> tuple[str, ...]:
    """What would be sent, one numbered line a field."""
    return tuple(
        f"  {number}. {title(field)}: {shown(field, content.get(field.name), hidden=field.name in hidden)}"
        for number, field in enumerate(form.fields, start=1)
    )


def is_confirmation(form: Form) -> bool:
    """Whether the form is a plain yes or no: no field at all, or one flag."""
    return not form.fields or (len(form.fields) == 1 and isinstance(form.fields[0], FlagField))


def confirmation(message: str, said: str) -> str:
    """The last look at a yes or no before it is sent."""
    return f"Send: {said.capitalize()} - {one_line(message)}"


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


def _suspect(field: str) -> str:
    return f'"{one_line(field)}"' if field else "the message"
