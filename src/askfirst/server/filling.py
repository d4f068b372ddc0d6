"""`Fill` parameters: one code path for values the caller gave and values a person is asked for."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, make_dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final, NoReturn

from askfirst.core.answers import Accepted, Cancelled, Content
from askfirst.core.checking import check
from askfirst.core.derive import Shape, shape_of
from askfirst.core.entry import describe, read_text
from askfirst.core.errors import AuthorError, InvalidAnswer, NobodyAsked, Problem
from askfirst.core.fallback import Ending, ended, missing_arguments
from askfirst.core.fields import Form
from askfirst.core.reach import Reachable, Route, reach, why_not
from askfirst.core.revisions import NEWEST_DIALECT, Mode
from askfirst.core.schema import write_schema

from .asking import Ask
from .slips import PUT_ASKABLE

__all__ = ["ABSENT", "Ended", "Fill", "FillPlan"]

ABSENT: Final = object()
"""What stands for an argument that the caller has left out; with null, or an empty text, it says something."""


_SAID_OTHERWISE: Final = ("title", "description", "default")
"""What an argument's schema has in words of its own, or not at all."""


@dataclass(frozen=True)
class Fill:
    """Marks a parameter whose value the caller may leave out and the person then gives.

    ``environment: Annotated[Literal["staging", "production"], Fill("Which environment?")]``: used when the caller
    gives it, asked when not; all that is missing goes into one form. With `person_only` the caller can't give it at
    all, and a client that can't ask makes the call fail.
    """

    question: str
    person_only: bool = False

    @property
    def title(self) -> str:
        """The field's title: `core.marks` reads it like any other mark's."""
        return self.question

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> NoReturn:
        """The SDK reads a function's arguments with pydantic; what `askable` shows it has no `Fill` any more.

        Raises:
            AuthorError: Always.
        """
        raise AuthorError(f"Fill(...) marks what nobody would be asked for without @askable: {PUT_ASKABLE}")


class Ended(Exception):
    """The call ends before its body runs; the ending says why."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending
        super().__init__(ending.text)


@dataclass(frozen=True)
class FillPlan:
    """All `Fill` parameters of one function, as one form whose fields carry the parameters' names."""

    marks: Mapping[str, Fill]
    shape: Shape[Any]

    @classmethod
    def of(cls, function: str, parameters: Mapping[str, tuple[Any, Fill, object]]) -> "FillPlan":
        """The plan for parameters given as annotation, mark and default (`dataclasses.MISSING` for none).

        Raises:
            InvalidForm: An annotation is not one value that a form can ask for.
        """
        built = make_dataclass(
            function,
            [(name, annotation, _default(default)) for name, (annotation, _, default) in parameters.items()],
            kw_only=True,
            frozen=True,
        )
        return cls({name: mark for name, (_, mark, _) in parameters.items()}, shape_of(built))

    def argument_schema(self, name: str) -> dict[str, object]:
        """What the tool's input schema says of one argument."""
        properties = write_schema(self._part({name}), NEWEST_DIALECT)["properties"]
        assert isinstance(properties, dict)
        hint = f"{self.marks[name].question} Leave it out when you don't know: the user is then asked."
        written = {key: value for key, value in properties[name].items() if key not in _SAID_OTHERWISE}
        if not self.shape.form[name].required:
            written = {"anyOf": [written, {"type": "null"}]}
        return {**written, "description": hint}

    async def fill(
        self, called: str, given: Mapping[str, object], ask: Ask, facts: Reachable, *, as_text: bool
    ) -> Mapping[str, object]:
        """A value for every parameter: checked when the caller gave it, asked for when not.

        Args:
            called: What the caller knows the function as.
            given: The caller's arguments. None and ABSENT count as not given, and what only a person may give is
                ignored. Where no person can be asked, None says of an answer that is not needed that there is none.
            ask: Puts the one question that has all that is missing.
            facts: What is known about the client now.
            as_text: The arguments are all text (prompts and resource templates), to be read as typed in.

        Raises:
            InvalidAnswer: A given value does not fit.
            NobodyAsked: Something only a person may give is missing, and no person can be asked.
            Ended: The person declined or dismissed, or the caller has to bring what is missing.
        """
        brought = {name: value for name, value in given.items() if self._may_bring(name, value)}
        known = {name: value for name, value in brought.items() if value is not None}
        if as_text:
            known = self._typed_in(called, known)
        content = self._checked(called, known)
        missing = [name for name in self.marks if name not in content]
        if missing:
            by_argument = not any(self.marks[name].person_only for name in missing)
            if reach(facts, Mode.FORM, by_argument=by_argument) is Route.TEXT:
                self._bring(called, missing, brought, why_not(facts, Mode.FORM).reason, as_text=as_text)
            else:
                content |= await self._asked(missing, ask, facts)
        built = self.shape.build(content)
        return {one.name: getattr(built, one.name) for one in fields(built)}

    def _may_bring(self, name: str, value: object) -> bool:
        return name in self.marks and not self.marks[name].person_only and value is not ABSENT

    def _part(self, names: Container[str]) -> Form:
        return Form(tuple(one for one in self.shape.form.fields if one.name in names))

    def _typed_in(self, called: str, known: Mapping[str, object]) -> dict[str, object]:
        values: dict[str, object] = {}
        problems: list[Problem] = []
        for name, text in known.items():
            value = read_text(self.shape.form[name], str(text))
            if isinstance(value, Problem):
                problems.append(value)
            elif value is not None:
                values[name] = value
        if problems:
            raise _unusable(called, problems)
        return values

    def _checked(self, called: str, known: Mapping[str, object]) -> Content:
        try:
            return check(self._part(known), dict(known))
        except InvalidAnswer as fault:
            raise _unusable(called, fault.problems) from None

    def _bring(
        self, called: str, missing: Sequence[str], brought: Container[str], reason: str, *, as_text: bool
    ) -> None:
        """Have the caller bring what is missing, save what it says that the person has no answer to."""
        fields = [one for one in self._part(missing).fields if one.required or one.name not in brought]
        if fields:
            described = {one.name: describe(one) for one in fields}
            none = "an empty text" if as_text else "null"
            raise Ended(missing_arguments(called, fields, described, reason, none=none))

    async def _asked(self, missing: list[str], ask: Ask, facts: Reachable) -> Content:
        form = self._part(missing)
        message = " ".join(self.marks[name].question for name in missing)
        if reach(facts, Mode.FORM) is Route.REFUSE:
            reason, cure = why_not(facts, Mode.FORM)
            raise NobodyAsked(reason, cure=cure, message=message, mode=Mode.FORM.value)
        key = "missing"
        if len(missing) == 1:  # the message is the question already
            key, form = missing[0], Form((form.fields[0]._replace(title=None),))
        answers = await ask.together(**{key: (message, form)})
        answer = answers[key]
        if isinstance(answer, Accepted):
            content: Content = answer.data
            return content
        expired = isinstance(answer, Cancelled) and answer.expired
        raise Ended(ended(answer.action, message, expired=expired))


def _unusable(called: str, problems: Sequence[Problem]) -> InvalidAnswer:
    headline = f"{called} can't use these arguments; nothing was asked and nothing was done"
    return InvalidAnswer(headline, problems)


def _default(default: object) -> Any:
    if default is MISSING:
        return dataclass_field()
    if isinstance(default, list):
        return dataclass_field(default_factory=lambda: list(default))
    return dataclass_field(default=default)
