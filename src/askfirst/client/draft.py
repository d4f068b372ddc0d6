"""A form while somebody fills it in: what is shown is what would be sent."""

from askfirst.core.answers import Content, Value
from askfirst.core.checking import check_value
from askfirst.core.entry import read_text
from askfirst.core.errors import Problem
from askfirst.core.fields import ChoicesField, Field, Form

__all__ = ["Draft"]


class Draft:
    """The values a person has given so far, one field at a time.

    Defaults are filled in, false, 0 and empty text too. A field that was never touched and has no default is
    unanswered, which is not the same as any value; clearing a field makes it unanswered again.
    """

    def __init__(self, form: Form) -> None:
        """A draft with nothing in it but the form's defaults."""
        self.form = form
        self._values: Content = {}
        self._judged: dict[str, Problem | None] = {}
        for field in form.fields:
            value = _default(field)
            if value is not None:
                self._values[field.name] = value

    def value(self, field: Field) -> Value | None:
        """What the field holds now; None while it is unanswered."""
        return self._values.get(field.name)

    def enter(self, field: Field, text: str) -> Problem | None:
        """Take typed-in text as the field's value; on a problem the value stays as it was."""
        value = read_text(field, text)
        if isinstance(value, Problem):
            return value
        self.put(field, value)
        return None

    def put(self, field: Field, value: Value | None) -> None:
        """Set the field to a value that was picked, not typed; None makes it unanswered."""
        self._judged.pop(field.name, None)
        if value is None:
            self._values.pop(field.name, None)
        else:
            self._values[field.name] = value

    def problem(self, field: Field) -> Problem | None:
        """What stands against sending the field as it is."""
        value = self.value(field)
        if value is None:
            return Problem(field.name, "required", "an answer", "none") if field.required else None
        if field.name not in self._judged:  # a screen asks each time it is drawn, and a pattern may be slow
            verdict = check_value(field, value)
            self._judged[field.name] = verdict if isinstance(verdict, Problem) else None
        return self._judged[field.name]

    def problems(self) -> tuple[Problem, ...]:
        """Everything that stands against sending, in the order of the fields."""
        return tuple(found for field in self.form.fields if (found := self.problem(field)) is not None)

    def content(self) -> Content:
        """What would be sent now, in the order of the fields; unanswered ones are absent."""
        return {
            field.name: self._values[field.name] for field in self.form.fields if field.name in self._values
        }


def _default(field: Field) -> Value | None:
    if isinstance(field, ChoicesField):
        return None if field.default is None else list(field.default)
    return field.default
