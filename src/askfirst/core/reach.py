"""Which way a question takes to a person: one pure function over facts.

Everything fails closed. TEXT lets the model carry an answer back as an argument, so it is never a route for what
only a person may decide.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from .revisions import Era, Mode, Revision

__all__ = ["Reachable", "Route", "reach", "why_not"]


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


def why_not(facts: Reachable, mode: Mode) -> str:
    """Why the client can't carry a question of this mode, as a sentence for the caller."""
    if mode not in facts.revision.modes:
        return f"the client speaks protocol revision {facts.revision.name}, which has no {mode} questions"
    if mode not in facts.modes:
        return f"the client does not declare the elicitation capability for {mode} questions"
    return "this connection has no way back for a question to the client (stateless HTTP)"
