"""Which way a question takes to a person: one pure function over facts.

Everything fails closed. TEXT lets the model carry an answer back as an argument, so it is never a route for what
only a person may decide.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from .revisions import Era, Mode, Revision

__all__ = ["A_DESK", "Hindrance", "Reachable", "Route", "reach", "why_not"]


A_DESK: Final = (
    "a server with a desk of its own (a local one gets it by ASKFIRST_DESK=local in its environment)"
)
"""What helps whatever the client is, as a part of a cure."""


class Route(StrEnum):
    """The five ways."""

    PUSH = "push"
    """A request to the client, on the stream of the call being served (client/elicitation, legacy revisions)."""
    INPUT_REQUIRED = "input_required"
    """The call returns with the question and is made again with the answer (multi round-trip requests)."""
    DESK = "desk"
    """Our own page, where the question waits for a person."""
    TEXT = "text"
    """An ordinary result that names what is missing, for arguments that the caller may fill in."""
    REFUSE = "refuse"
    """An error result: nobody could be asked, nothing was done."""


@dataclass(frozen=True, slots=True)
class Reachable:
    """What is known about the client that is being served now.

    `modes` is what it declared, already read leniently; `return_path` whether this connection can carry a request
    to it; `desk` whether a page of our own is at hand.
    """

    revision: Revision
    modes: frozenset[Mode]
    return_path: bool
    desk: bool = False


def reach(facts: Reachable, mode: Mode, *, by_argument: bool = False) -> Route:
    """The route for one question.

    Args:
        facts: What is known about the client now.
        mode: Whether a form or a url is to be put before the person.
        by_argument: Whether the answer has an argument to arrive by and may come from the caller (`Fill` without
            `person_only`). False for every question in a body and for every confirmation.
    """
    if mode in facts.modes and mode in facts.revision.modes:
        match facts.revision.era:
            case Era.MODERN:
                return Route.INPUT_REQUIRED
            case Era.LEGACY if facts.return_path:
                return Route.PUSH
            case Era.LEGACY:
                pass
            case _:
                assert_never(facts.revision.era)
    if facts.desk:
        return Route.DESK
    return Route.TEXT if by_argument else Route.REFUSE


class Hindrance(NamedTuple):
    """Why the client can't carry a question, as a sentence; what would help, as the end of one."""

    reason: str
    cure: str


def why_not(facts: Reachable, mode: Mode) -> Hindrance:
    """What keeps the client from carrying a question of this mode.

    On a connection without a way back nothing may be known of the client, so what it declares is not the point there.
    """
    if mode not in facts.revision.modes:
        return Hindrance(
            f"the client speaks protocol revision {facts.revision.name}, which has no {mode} questions",
            f"a client that speaks a newer revision, or {A_DESK}",
        )
    if facts.revision.era is Era.LEGACY and not facts.return_path:
        return Hindrance(
            "this connection has no way back for a question to the client (HTTP without a session, or with plain JSON)",
            f"a connection that keeps a session, a client that speaks a newer revision, or {A_DESK}",
        )
    return Hindrance(
        f"the client does not declare the elicitation capability for {mode} questions",
        f"a client that declares the elicitation capability and puts the question to its user, or {A_DESK}",
    )
