"""What was typed into a question and not sent yet.

It is kept for the session that typed it, in this process's memory alone: never in an address, in a hidden box, in a
log or in the store. So every post can be answered with a redirect, Back and Reload find what was typed, and a form can
be filled in over several pages. What was typed masked is never shown again.
"""

import secrets
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from askfirst.core.errors import Problem
from askfirst.core.fields import Form
from askfirst.core.postings import Posting

from .access import Session
from .entries import Entries, boxes, laid_out

__all__ = ["Draft", "Drafts", "fresh"]

_MOST: Final = 32 * 1024 * 1024
_MOST_OF_ONE: Final = 8 * 1024 * 1024
_FRAME: Final = 500
"""Bytes that a draft takes beside what was typed, roughly."""

_IDLE: Final = 12 * 3600.0
"""Seconds for which a draft is kept that nobody changes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a question's boxes hold, and what is wrong with those that were checked.

    `place` is the page that the person was led to last. `reviewed` says that all of it was shown to them once.
    `version` changes with every change of `entries`: what was shown can be told from what came after.
    """

    digest: str
    entries: Entries = field(repr=False)
    problems: tuple[Problem, ...] = ()
    place: str = ""
    reviewed: bool = False
    version: str = ""

    @property
    def size(self) -> int:
        """How many characters it holds, and one more for each box."""
        return sum(len(value) + 1 for values in self.entries.values() for value in values)

    @property
    def weight(self) -> int:
        """How many bytes of memory it takes, roughly: of many short texts far more than they have characters."""
        return _FRAME + sum(sys.getsizeof(value) + 8 for values in self.entries.values() for value in values)

    def given(self, entries: Entries, indexes: Collection[int]) -> "Draft":
        """With what a page posted that shows the fields at those places: its boxes stand in place of the old ones."""
        shown = {name for index in indexes for name in boxes(index)}
        others = {name: values for name, values in self.entries.items() if name not in shown}
        posted = {name: values for name, values in entries.items() if name in shown}
        return replace(self, entries=others | posted)

    def without(self, indexes: Collection[int]) -> "Draft":
        """With nothing in the boxes of those fields."""
        return self.given({}, indexes)

    def judged(self, form: Form, indexes: Collection[int], problems: tuple[Problem, ...]) -> "Draft":
        """With what was found to be wrong in those fields, in place of what was before."""
        names = {form.fields[index].name for index in indexes}
        others = [problem for problem in self.problems if problem.field not in names]
        return replace(self, problems=(*others, *problems))


class Drafts:
    """The drafts of all sessions, by the tokens of their questions. Those go first that are oldest.

    Nobody's drafts go for those of somebody who has too many: these go for each other.
    """

    def __init__(
        self, most: int = _MOST, most_of_one: int = _MOST_OF_ONE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """No drafts yet.

        Args:
            most: How many bytes all of them may take together, as `Draft.weight` counts them.
            most_of_one: How many those of one person may take, or of one session where it is not known whose it is.
            clock: Seconds.
        """
        self._most = most
        self._most_of_one = most_of_one
        self._clock = clock
        self._weights: Counter[str] = Counter()
        self._kept: OrderedDict[_Place, tuple[float, Draft]] = OrderedDict()

    def of(self, session: Session, posting: Posting) -> Draft | None:
        """What was typed in a session into exactly that question."""
        self._clear()
        _, found = self._kept.get(_place(session, posting), (0.0, None))
        return found if found is not None and found.digest == posting.digest else None

    def keep(self, session: Session, posting: Posting, draft: Draft) -> None:
        """Keep a draft until it is dropped, nobody has changed it for too long, or there is no room for it."""
        before = self.drop(session, posting)
        same = before is not None and before.entries == draft.entries
        version = before.version if before and same else secrets.token_urlsafe(9)
        place = _place(session, posting)
        self._kept[place] = self._clock(), replace(draft, version=version)
        self._weights[place.owner] += draft.weight
        while self._weights[place.owner] > self._most_of_one:
            self._forget(next(one for one in self._kept if one.owner == place.owner))
        self._clear()

    def drop(self, session: Session, posting: Posting) -> Draft | None:
        """Forget what was typed; gives it back."""
        return self._forget(_place(session, posting))

    def _forget(self, place: "_Place") -> Draft | None:
        _, found = self._kept.pop(place, (0.0, None))
        if found is not None:
            self._weights[place.owner] -= found.weight
            if not self._weights[place.owner]:
                del self._weights[place.owner]
        return found

    def _clear(self) -> None:
        ended = self._clock() - _IDLE
        while self._kept and (
            self._weights.total() > self._most or next(iter(self._kept.values()))[0] < ended
        ):
            self._forget(next(iter(self._kept)))


class _Place(NamedTuple):
    owner: str
    session: str
    token: str


def _place(session: Session, posting: Posting) -> _Place:
    return _Place(f"person {session.who}" if session.who else session.csrf, session.csrf, posting.token)


def fresh(posting: Posting, form: Form) -> Draft:
    """The draft of somebody who has not typed anything: the form's defaults."""
    return Draft(posting.digest, laid_out(form))
