"""The words in which any surface shows a question's parts: a terminal, a page. Pure functions.

Server text is hostile: everything of it goes through `plain`, and is never markup.
"""

from typing import Final, assert_never

from .addresses import examine_url
from .answers import Value
from .entry import explain, show_value
from .errors import Problem
from .fields import Choice, ChoicesField, Field, FlagField, Form, TextField
from .hygiene import plain, shorten
from .questions import FormQuestion, Question, UrlQuestion
from .screening import secrets_in

__all__ = [
    "UNANSWERED",
    "advice",
    "cautions",
    "choice_text",
    "hidden_fields",
    "host",
    "is_confirmation",
    "label",
    "name_of",
    "one_line",
    "shown",
    "title",
]

UNANSWERED: Final = "(unanswered: nothing is sent)"
_EMPTY: Final = '"" (empty text)'
_LONGEST_NAME: Final = 60
_MOST_SUSPECTS: Final = 5
_NONE_CHOSEN: Final = "(none chosen)"
_NO_SECRETS: Final = (
    "The protocol forbids that in a form: what you type passes through programs, and a model may read it."
)


def one_line(text: str) -> str:
    """Server text for a place that holds one line."""
    return " ".join(plain(text, keep_newlines=False).split())


def name_of(text: str) -> str:
    """A name that the server gives, fit to stand in quotes: it can't end them, nor push away what comes after."""
    name, more = shorten(one_line(text), _LONGEST_NAME)
    return name.replace('"', "'") + ("..." if more else "")


def title(field: Field) -> str:
    """What the field is called."""
    return one_line(field.title or "") or one_line(field.name)


def label(field: Field) -> str:
    """What the field is called, with "(optional)" where it may be left out."""
    return title(field) if field.required else f"{title(field)} (optional)"


def advice(problem: Problem, field: Field | None) -> str:
    """What to do about a problem, in one line."""
    return one_line(explain(problem, field))


def choice_text(choice: Choice) -> str:
    """A choice's label and, where that differs, the code that is sent."""
    name, code = one_line(choice.label), one_line(choice.value)
    return name if name == code else f"{name}  [{code}]"


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


def is_confirmation(form: Form) -> bool:
    """Whether the form is a plain yes or no: no field at all, or one flag."""
    return not form.fields or (len(form.fields) == 1 and isinstance(form.fields[0], FlagField))


def hidden_fields(question: Question) -> frozenset[str]:
    """The names of the fields that seem to ask for a secret: what is typed there is not shown to bystanders."""
    if isinstance(question, UrlQuestion):
        return frozenset()
    return frozenset(one.field for one in secrets_in(question.message, question.form))


def cautions(question: Question) -> tuple[str, ...]:
    """What the person should know before answering: a form that seems to ask for a secret, an address to doubt.

    Raises:
        InvalidUrl: The address has no single reading; see `examine_url`.
    """
    match question:
        case FormQuestion(message=message, form=form):
            found = secrets_in(message, form)
            suspects = ", ".join(f"{_suspect(one.field)} ({one.what})" for one in found[:_MOST_SUSPECTS])
            more = f" and {len(found) - _MOST_SUSPECTS} more" if len(found) > _MOST_SUSPECTS else ""
            return (f"this seems to ask for a secret: {suspects}{more}. {_NO_SECRETS}",) if suspects else ()
        case UrlQuestion(url=url):
            return examine_url(url).warnings
        case _:
            assert_never(question)


def host(url: str) -> str:
    """The host that would be visited, in its own letters and, where those are not ASCII, as it opens too.

    Raises:
        InvalidUrl: The address has no single reading; see `examine_url`.
    """
    address = examine_url(url)
    return address.host if address.host == address.ascii_host else f"{address.host} ({address.ascii_host})"


def _suspect(field: str) -> str:
    return f'"{name_of(field)}"' if field else "the message"
