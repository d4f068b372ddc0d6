"""How one request's time with a call ends: with questions, with the result, or while questions wait on the desk."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from askfirst.core.fallback import Waiting

__all__ = ["Asks", "Done", "LostCall", "Waits"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asks:
    """A round that ends with questions: their parameters by key, and the ticket for the next round."""

    questions: Mapping[str, dict[str, object]]
    ticket: str


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """A round that ends with the body's own result."""

    result: T


@dataclass(frozen=True, slots=True)
class Waits:
    """A round that ends while questions wait on the desk."""

    notices: tuple[Waiting, ...]


class LostCall(Exception):
    """A ticket that finds no waiting call: used, expired, foreign, or from before a restart."""
