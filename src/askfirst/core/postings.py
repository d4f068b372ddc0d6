"""A question laid out on the desk: what was asked, by whom, until when, and what became of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from .answers import Answer, Content
from .questions import Origin, Question

__all__ = ["Posting", "Scope", "Status", "shown_arguments"]

_LONGEST_SHOWN: Final = 200


class Status(StrEnum):
    """What became of a posting. Only an open one can be answered; every other is final."""

    OPEN = "open"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    """The asker is gone: its call was cancelled, its client left, its server stopped."""
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Posting:
    """One question on the desk.

    `token` is private and random: whoever has it may see and answer the question, and nothing else finds it. `code`
    is short and public, for a person to match what they see here with where the question came from. `digest` is the
    fingerprint of exactly what is asked; `arguments` the call's arguments that matter, as shown; `asked_of` the
    identity it was put to, where identities are known; `call` what a repeated call is recognised by. Times are
    seconds since 1970. With `secret` the form's one field is typed masked and its value goes to the asker alone.
    With `held` nobody but the process that asked can use the answer.
    An accepted `answer` is `Accepted({})` where its content is not for whoever got this posting, or was erased.
    """

    token: str = field(repr=False)
    code: str
    question: Question
    digest: str
    origin: Origin
    posted: float
    expires: float
    arguments: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    asked_of: str | None = None
    call: str = ""
    secret: bool = False
    held: bool = False
    status: Status = Status.OPEN
    closed: float | None = None
    answer: Answer[Content] | None = field(default=None, repr=False)


class Scope(NamedTuple):
    """For whom an answer is remembered: the server by the name it asks under, and the user ("" if unknown)."""

    server: str
    user: str = ""


def shown_arguments(arguments: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """A call's arguments as text, each cut to what a person can take in."""
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in arguments.items()
    }
    return tuple(
        (name, text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")
        for name, text in texts.items()
    )
