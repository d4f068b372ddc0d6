"""What was typed into a question and not sent yet.

It is kept for the session that typed it, in this process's memory alone: never in an address, in a hidden box, in a
log or in the store. So every post can be answered with a redirect, Back and Reload find what was typed, and a form can
be filled in over several pages. What was typed masked is kept only if it fits, and never shown again.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final

from askfirst.core.errors import Problem
from askfirst.core.fields import Form
from askfirst.core.postings import Posting

from .access import Session
from .entries import Entries, boxes, laid_out

__all__ = ["Draft", "Drafts", "fresh"]

_MOST: Final = 32 * 1024 * 1024
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
    """The drafts of all sessions, by the tokens of their questions. Those go first that are oldest."""

    def __init__(self, most: int = _MOST, clock: Callable[[], float] = time.monotonic) -> None:
        """No drafts yet.

        Args:
            most: How many characters all of them may hold together.
            clock: Seconds.
        """
        self._most = most
        self._clock = clock
        self._size = 0
        self._kept: OrderedDict[tuple[str, str], tuple[float, Draft]] = OrderedDict()

    def of(self, session: Session, posting: Posting) -> Draft | None:
        """What was typed in a session into exactly that question."""
        self._clear()
        _, found = self._kept.get((session.csrf, posting.token), (0.0, None))
        return found if found is not None and found.digest == posting.digest else None

    def keep(self, session: Session, posting: Posting, draft: Draft) -> None:
        """Keep a draft until it is dropped, nobody has changed it for too long, or there is no room for it."""
        before = self.drop(session, posting)
        same = before is not None and before.entries == draft.entries
        version = before.version if before and same else secrets.token_urlsafe(9)
        self._kept[session.csrf, posting.token] = self._clock(), replace(draft, version=version)
        self._size += draft.size
        self._clear()

    def drop(self, session: Session, posting: Posting) -> Draft | None:
        """Forget what was typed; gives it back."""
        _, found = self._kept.pop((session.csrf, posting.token), (0.0, None))
        self._size -= found.size if found else 0
        return found

    def _clear(self) -> None:
        ended = self._clock() - _IDLE
        while self._kept and (self._size > self._most or next(iter(self._kept.values()))[0] < ended):
            _, (_, oldest) = self._kept.popitem(last=False)
            self._size -= oldest.size


def fresh(posting: Posting, form: Form) -> Draft:
    """The draft of somebody who has not typed anything: the form's defaults."""
    return Draft(posting.digest, laid_out(form))
