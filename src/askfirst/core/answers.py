"""The three honest answers a person can give, and the reply that brings one.

That *nobody was asked* is no answer: it is `NobodyAsked` in `core.errors`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Final, Generic, Literal, NoReturn, TypeAlias, TypeVar

from .errors import NoTruthValue

__all__ = ["ACTIONS", "Accepted", "Action", "Answer", "Cancelled", "Content", "Declined", "Reply", "Value"]

T_co = TypeVar("T_co", covariant=True)

Action: TypeAlias = Literal["accept", "decline", "cancel"]
"""The three words the specification allows on the wire."""

ACTIONS: Final[Mapping[object, Action]] = MappingProxyType(
    {"accept": "accept", "decline": "decline", "cancel": "cancel"}
)
"""Each word to itself: how something that came from outside becomes an `Action`."""

Value: TypeAlias = str | int | float | bool | list[str]
"""What one field of an accepted form may hold."""

Content: TypeAlias = dict[str, Value]
"""What an accepted form carries: field names to values."""


class _NoTruth:
    """An answer has no truth value: a dismissal must not slip through an `if`."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise NoTruthValue(
            f"{type(self).__name__} is neither true nor false: match on the answer "
            "(case Accepted(data): ... case Declined(): ... case Cancelled(): ...)"
        )


@dataclass(frozen=True)
class Accepted(_NoTruth, Generic[T_co]):
    """The person sent the form. `data` is what they gave; it stays out of the repr."""

    data: T_co = field(repr=False)
    action: ClassVar[Action] = "accept"


@dataclass(frozen=True)
class Declined(_NoTruth):
    """The person said no."""

    action: ClassVar[Action] = "decline"


@dataclass(frozen=True)
class Cancelled(_NoTruth):
    """The person closed the question without choosing, or its time ran out (`expired`)."""

    expired: bool = False
    action: ClassVar[Action] = "cancel"


Answer: TypeAlias = Accepted[T_co] | Declined | Cancelled


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: one of three words, and content that is not trusted yet (only with accept).

    `native`: the content is of the question's own form, not of what the client's dialect made of it.
    """

    action: Action
    content: object = field(default=None, repr=False)
    native: bool = False
