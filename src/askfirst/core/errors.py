"""Everything askfirst raises, drawn once.

::

    AskfirstError
    ├── AuthorError            the program that asks was written wrongly; found at definition
    │   ├── InvalidForm        a type that can't be a form (.problems)
    │   │   └── SecretInForm   a form that asks for a secret (.problems)
    │   ├── CannotCarry        a form that the peer's revision can't hold (.problems)
    │   ├── InvalidUrl         an address that must not be put before a person
    │   ├── NoTruthValue       an answer, or a question without one yet, tested for truth (a TypeError too)
    │   └── NotAwaited         a question used as if it were its answer (an AttributeError and a TypeError too)
    ├── PeerError              the other side sent something that breaks the protocol
    │   ├── UnreadableQuestion a request that can't be shown
    │   │   └── UnreadableSchema   a requestedSchema that can't be a form (.problems)
    │   └── UnreadableAnswer   a response that says neither yes nor no
    │       ├── UnknownAction  an action that is not accept, decline or cancel
    │       └── InvalidAnswer  content that does not fit its form (.problems)
    ├── NobodyAsked            no person was shown the question (.reason): never "the person said no"
    │   ├── TooManyPaused      the server holds as many waiting calls as it may
    │   ├── Flooded            the server has as many open questions on the desk as it may
    │   └── Muted              the person wants no questions of this server on the desk
    ├── NotOnDesk              a token finds no question, or one whose answer has been used
    └── StoreFault             the store can't be opened, read or written

An answer's value never appears in a message: what came is described by its kind alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

__all__ = [
    "AskfirstError",
    "AuthorError",
    "CannotCarry",
    "Flooded",
    "InvalidAnswer",
    "InvalidForm",
    "InvalidUrl",
    "Muted",
    "NoTruthValue",
    "NobodyAsked",
    "NotAwaited",
    "NotOnDesk",
    "PeerError",
    "Problem",
    "SecretInForm",
    "StoreFault",
    "TooManyPaused",
    "UnknownAction",
    "UnreadableAnswer",
    "UnreadableQuestion",
    "UnreadableSchema",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one field.

    `field` is the field's name, or "" for the whole; `what` a stable word such as "type" or "maximum" (the
    schema keyword that is broken, where there is one); `expected` what would have been right; `got` what came,
    by its kind and size only ("text of 12 characters"), never its value.
    """

    field: str
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"{where}expected {self.expected}, got {self.got}"


class AskfirstError(Exception):
    """The root of everything askfirst raises."""


class _WithProblems(AskfirstError):
    """An error that names every fault at once, not only the first."""

    def __init__(self, headline: str, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join([headline, *(f"  - {problem}" for problem in self.problems)]))


class AuthorError(AskfirstError):
    """The program that asks was written wrongly."""


class InvalidForm(_WithProblems, AuthorError):
    """A type or a list of fields that can't be a flat form of primitive values."""


class SecretInForm(InvalidForm):
    """A form that asks for a secret; the specification forbids it, url mode is the way."""


class CannotCarry(_WithProblems, AuthorError):
    """A form that the peer's protocol revision can't hold, even after conversion."""


class InvalidUrl(AuthorError):
    """An address that must not be put before a person."""


class NoTruthValue(AuthorError, TypeError):
    """An answer, or a question that has none yet, was used where Python wants a yes or a no."""


class NotAwaited(AuthorError, AttributeError, TypeError):
    """A question that nothing has waited for was used as if it were its answer."""


class PeerError(AskfirstError):
    """The other side sent something that breaks the protocol."""


class UnreadableQuestion(PeerError):
    """A request for an answer that can't be shown to a person."""


class UnreadableSchema(_WithProblems, UnreadableQuestion):
    """A `requestedSchema` that can't be a form."""


class UnreadableAnswer(PeerError):
    """A response that is no answer."""


class UnknownAction(UnreadableAnswer):
    """An action that is not accept, decline or cancel. It is never consent."""


class InvalidAnswer(_WithProblems, UnreadableAnswer):
    """Content that does not fit the form it was given to."""


class NobodyAsked(AskfirstError):
    """No person was shown the question.

    This is not an answer and says nothing about what anybody wants. `reason` is a sentence for the caller; `cure`
    what would help, as the end of one; `message` the question's message and `mode` its mode ("form" or "url"); each
    of these is "" where there is none.
    """

    def __init__(self, reason: str, *, cure: str = "", message: str = "", mode: str = "") -> None:
        self.reason = reason
        self.cure = cure
        self.message = message
        self.mode = mode
        super().__init__(f"nobody was asked: {reason}{f'; what would help: {cure}' if cure else ''}")


class TooManyPaused(NobodyAsked):
    """The server already holds as many waiting calls as it may (`max_paused`)."""

    def __init__(self, limit: int, *, message: str = "", mode: str = "") -> None:
        self.limit = limit
        super().__init__(
            f"{limit} calls are already waiting for an answer, which is this server's limit (max_paused)",
            cure="to call again when some of them are answered",
            message=message,
            mode=mode,
        )


class Flooded(NobodyAsked):
    """The server has as many open questions on the desk as it may (`most_open`)."""

    def __init__(self, server: str, limit: int, *, message: str = "", mode: str = "") -> None:
        self.server = server
        self.limit = limit
        super().__init__(
            f"{server} already has {limit} open questions, which is the limit for one server (most_open)",
            cure="that the user answers some of them, on the desk's page or with `askfirst desk`; then call again",
            message=message,
            mode=mode,
        )


class Muted(NobodyAsked):
    """The person wants no questions of this server on the desk."""

    def __init__(self, server: str, *, message: str = "", mode: str = "") -> None:
        self.server = server
        unmute = f"`askfirst desk unmute {quote(server)}`"
        super().__init__(
            f"the person has muted {server}",
            cure=f"that the user lets it ask again, on the desk's page or with {unmute}",
            message=message,
            mode=mode,
        )


class NotOnDesk(AskfirstError):
    """A token finds no question, or one whose answer has been used and erased."""


class StoreFault(AskfirstError):
    """The store can't be opened, read or written; the message says which, why and what to do."""
