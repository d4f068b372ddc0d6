"""One question on its way: written for the client at hand, read back, and asked again when the content is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Literal, Protocol, TypeVar

from askfirst.core.answers import Accepted, Answer, Cancelled, Declined, Reply
from askfirst.core.checking import check
from askfirst.core.derive import Shape
from askfirst.core.errors import InvalidAnswer, NobodyAsked, Problem, SecretInForm
from askfirst.core.questions import FormQuestion, Question, UrlQuestion
from askfirst.core.reach import Reachable, Route, reach, why_not
from askfirst.core.revisions import Mode
from askfirst.core.screening import secret_in_message
from askfirst.wire import form_params, url_params

from .slips import check_message

__all__ = [
    "EXPIRED",
    "REASKS",
    "Expired",
    "FormAsk",
    "Posed",
    "UrlAsk",
    "Way",
    "call_over",
    "no_secret",
    "way_for",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

REASKS: Final = 2
"""How often a question is asked again because what came back did not fit it."""


class Expired:
    """What a line brings back instead of a reply when a question's time ran out."""


EXPIRED: Final = Expired()

Way = Literal[Route.PUSH, Route.INPUT_REQUIRED, Route.DESK]


class Posed(Protocol[T_co]):
    """A question ready to be put: what it asks, how it is written, how its reply is read."""

    @property
    def question(self) -> Question:
        """What is asked, for a digest or a report."""
        ...

    def params(self, facts: Reachable) -> dict[str, object]:
        """`elicitation/create` parameters in the client's dialect.

        Raises:
            CannotCarry: The client's revision can't hold this form.
        """
        ...

    def read(self, reply: Reply, facts: Reachable) -> Answer[T_co]:
        """The answer in a reply.

        Raises:
            InvalidAnswer: Accepted content does not fit.
        """
        ...

    def again(self, problems: Sequence[Problem]) -> "Posed[T_co]":
        """The same question, saying what was wrong with the last answer."""
        ...


@dataclass(frozen=True)
class FormAsk(Generic[T]):
    """A form question made from a type.

    Raises:
        SecretInForm: The message asks for a secret that one of the fields could hold.
    """

    message: str
    shape: Shape[T]
    correction: str = ""

    def __post_init__(self) -> None:
        check_message(self.message)
        suspicion = secret_in_message(self.message, self.shape.form)  # its fields are screened with the shape
        if suspicion is not None:
            got = f"one that asks for {suspicion.what}"
            problem = Problem("", "secret", "a message that asks for no secret", got)
            raise SecretInForm(
                "a form must not ask for a secret; use url mode instead: ask.secret with a desk, or ask.visit",
                [problem],
            )

    @property
    def shown(self) -> str:
        """The message as it is sent: after a wrong answer it says what was wrong."""
        return f"{self.message}\n\n{self.correction}" if self.correction else self.message

    @property
    def question(self) -> FormQuestion:
        """What is asked, corrections included."""
        return FormQuestion(self.shown, self.shape.form)

    def params(self, facts: Reachable) -> dict[str, object]:
        """See `Posed.params`."""
        return form_params(self.shown, self.shape.schema(facts.revision.dialect), facts.revision)

    def read(self, reply: Reply, facts: Reachable) -> Answer[T]:
        """See `Posed.read`."""
        if reply.action == "decline":
            return Declined()
        if reply.action == "cancel":
            return Cancelled()
        form = self.shape.form
        converted = self.shape.converted(facts.revision.dialect)
        content = reply.content
        if converted.form is not form and not reply.native:
            content = converted.restore(check(converted.form, content))
        return Accepted(self.shape.build(check(form, content)))

    def again(self, problems: Sequence[Problem]) -> "FormAsk[T]":
        """See `Posed.again`."""
        told = "\n".join(f"- {problem}" for problem in problems)
        return replace(self, correction=f"The last answer could not be used:\n{told}")


@dataclass(frozen=True)
class UrlAsk:
    """A url question; its answer is consent to visit and nothing else."""

    message: str
    url: str
    elicitation_id: str
    awaited: bool = False

    def __post_init__(self) -> None:
        check_message(self.message)

    @property
    def question(self) -> UrlQuestion:
        """What is asked."""
        return UrlQuestion(self.message, self.url, self.elicitation_id, self.awaited)

    def params(self, facts: Reachable) -> dict[str, object]:
        """See `Posed.params`."""
        return url_params(self.message, self.url, self.elicitation_id, facts.revision)

    def read(self, reply: Reply, facts: Reachable) -> Answer[None]:
        """See `Posed.read`: consent to the visit; nothing in it could be wrong."""
        if reply.action == "decline":
            return Declined()
        return Accepted(None) if reply.action == "accept" else Cancelled()

    def again(self, problems: Sequence[Problem]) -> "UrlAsk":
        """Never: its answer holds nothing that could be wrong.

        Raises:
            InvalidAnswer: Always.
        """
        raise InvalidAnswer("a url question has no content that could be wrong", problems)


def call_over(message: str, mode: Mode) -> NobodyAsked:
    """What a task hears that asks in a call whose body has ended."""
    return NobodyAsked(
        "the call in which it was to be asked has ended",
        cure="to wait for every answer before the call ends",
        message=message,
        mode=mode.value,
    )


def no_secret(message: str, has_desk: bool, holds: bool) -> NobodyAsked:
    """Why a secret can't be asked for: the call lacks a desk, or is not held, or both."""
    lacks: list[tuple[str, str]] = []
    if not has_desk:
        cure = (
            "a desk for this server, by Asking(desk=local_desk()) or ASKFIRST_DESK=local in its environment"
        )
        lacks.append(
            ("a secret is typed on a page of the server's own, and this server has no desk for it", cure)
        )
    if not holds:
        cure = 'a call that pauses, by @askable(resume="pause")'
        lacks.append(("a secret is not kept for a body that runs again, and this call is replayed", cure))
    reasons, cures = zip(*lacks, strict=True)
    return NobodyAsked("; ".join(reasons), cure=", and ".join(cures), message=message, mode=Mode.URL.value)


def way_for(facts: Reachable, mode: Mode, message: str) -> Way:
    """The way a question in a body takes to a person.

    Raises:
        NobodyAsked: There is none.
    """
    route = reach(facts, mode)
    if route is Route.PUSH or route is Route.INPUT_REQUIRED or route is Route.DESK:
        return route
    reason, cure = why_not(facts, mode)
    raise NobodyAsked(reason, cure=cure, message=message, mode=mode.value)
