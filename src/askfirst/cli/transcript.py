"""What was asked in one call, and how it went. Never what was answered."""

from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Protocol

import anyio

from askfirst.core.answers import Action, Answer, Content
from askfirst.core.errors import NobodyAsked
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from askfirst.ports import Answerer

__all__ = ["Asked", "Pausable", "Transcribed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that came. `action` is None where nobody was asked, and `reason` says why; `mode` is None where
    the question does not say it.

    `seconds` is the time from its arrival to the answer.
    """

    message: str
    mode: Mode | None
    action: Action | None
    seconds: float
    reason: str | None = None

    def as_json(self) -> dict[str, str | float | None]:
        """The row of `--json`; `reason` only where nobody was asked."""
        row: dict[str, str | float | None] = {
            "message": self.message,
            "mode": self.mode,
            "action": self.action,
            "seconds": round(self.seconds, 3),
        }
        return row if self.reason is None else {**row, "reason": self.reason}


class Pausable(Protocol):
    """Something that stops while a question is open: the work clock, the progress bar."""

    def standing_still(self) -> AbstractContextManager[None]:
        """A block in which it stands still."""
        ...


class Transcribed:
    """An answerer that writes down what another one is asked.

    While any question is open, everything in `pauses` stands still: the person is busy. Questions that come
    together wait for each other inside the answerer, which knows how many it can show.
    """

    def __init__(self, answerer: Answerer, pauses: tuple[Pausable, ...]) -> None:
        self._answerer = answerer
        self._pauses = pauses
        self.asked: list[Asked] = []

    def reaches(self) -> frozenset[Mode]:
        """What the answerer reaches."""
        return self._answerer.reaches()

    def unasked(self, fault: NobodyAsked) -> None:
        """Write down a question that the answerer never sees."""
        mode = Mode(fault.mode) if fault.mode else None
        self.asked.append(Asked(fault.message, mode, None, 0.0, fault.reason))

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """The answer of the answerer; see `Answerer.answer`."""
        begun = anyio.current_time()
        action: Action | None = None
        reason: str | None = "the question was taken back before it was answered"
        with ExitStack() as stack:
            for pause in self._pauses:
                stack.enter_context(pause.standing_still())
            try:
                answer = await self._answerer.answer(question, origin, limit)
                action, reason = answer.action, None
                return answer
            except NobodyAsked as nobody:
                reason = nobody.reason
                raise
            finally:
                seconds = anyio.current_time() - begun
                self.asked.append(Asked(question.message, question.mode, action, seconds, reason))
