"""An answerer for hosts: questions are laid on a desk, and wait there until somebody answers them.

Whoever shows the desk (the pages of `askfirst.web`, the command line, another process on the same store) shows the
question; this side waits and brings the answer back.
"""

from collections.abc import Callable, Mapping
from typing import Final

import anyio

from askfirst.core.answers import Answer, Content
from askfirst.core.postings import Posting, shown_arguments
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from askfirst.desk import Desk

__all__ = ["Inbox"]

_DAY: Final = 24 * 3600.0


class Inbox:
    """Posts each question to a desk and waits for its answer."""

    def __init__(
        self,
        desk: Desk,
        *,
        tell: Callable[[Posting], None],
        attended: Callable[[], bool] = lambda: True,
        patience: float = _DAY,
        arguments: Callable[[], Mapping[str, object]] = dict,
    ) -> None:
        """An answerer over a desk.

        Args:
            desk: Where questions wait.
            tell: Lets the person know that a question waits, with its code and where it can be answered.
            attended: Whether somebody sees the desk at this moment.
            patience: Seconds that a question waits at most, whatever its asker would grant.
            arguments: The arguments of the call that is being made, to be shown with its questions.
        """
        self._desk = desk
        self._tell = tell
        self._attended = attended
        self._patience = patience
        self._arguments = arguments

    def reaches(self) -> frozenset[Mode]:
        """Both modes, while somebody sees the desk."""
        return frozenset(Mode) if self._attended() else frozenset()

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """What somebody answers at the desk; see `Answerer.answer`.

        Cancelled, it withdraws the question, which then leaves every page within a second.

        Raises:
            NobodyAsked: The server is muted, has too many open questions, or somebody withdrew this one.
        """
        patience = self._patience if limit is None else min(limit, self._patience)
        shown = shown_arguments(self._arguments())
        posting = await self._desk.post(question, origin, limit=patience, arguments=shown, held=True)
        try:
            self._tell(posting)
            answer = await self._desk.wait(posting.token)
            await self._desk.take(posting.token)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._desk.withdraw(posting.token)
            raise
        return answer
