"""Several answerers in a row: the first that can be reached and answers in time speaks for the person."""

from collections.abc import Sequence

import anyio

from askfirst.core.answers import Answer, Cancelled, Content
from askfirst.core.errors import NobodyAsked
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from askfirst.ports import Answerer

__all__ = ["Chain"]

_GRACE = 1.0
"""Seconds an answerer gets to close its own question at its deadline before it is closed from outside."""


class Chain:
    """Asks one answerer after another until one of them brings an answer.

    The next is asked when one can't show this kind of question, raises `NobodyAsked`, or lets its own deadline
    pass. Accept, decline and cancel of a person end the chain: a second answerer is never asked to overrule the
    first. A deadline that passes is no cancel of the person's.
    """

    def __init__(self, links: Sequence[tuple[Answerer, float | None]]) -> None:
        """A chain over `links`: each an answerer and the seconds it may take, None for no deadline of its own.

        Raises:
            ValueError: If there are no links, or a deadline is not above zero.
        """
        if not links:
            raise ValueError("expected at least one answerer in the chain, got none")
        for position, (_, seconds) in enumerate(links, start=1):
            if seconds is not None and not seconds > 0:
                raise ValueError(f"answerer {position}: expected a deadline above 0 seconds, got {seconds!r}")
        self._links = tuple(links)

    def reaches(self) -> frozenset[Mode]:
        """Every mode that at least one of the answerers reaches now."""
        return frozenset[Mode]().union(*(answerer.reaches() for answerer, _ in self._links))

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """The first answer that comes; see `Answerer.answer`.

        When the question was put to somebody and every deadline passed, that is `Cancelled(expired=True)`.

        Raises:
            NobodyAsked: None of the answerers could put the question to anybody; the reason lists each of theirs.
        """
        end = None if limit is None else anyio.current_time() + limit
        reasons: list[str] = []
        expired = False
        for answerer, seconds in self._links:
            left = None if end is None else end - anyio.current_time()
            if left is not None and left <= 0:
                break
            name = type(answerer).__name__
            if question.mode not in answerer.reaches():
                reasons.append(f"{name}: reaches nobody for a {question.mode} question")
                continue
            try:
                answer = await _within(answerer, question, origin, _shorter(seconds, left))
            except NobodyAsked as nobody:
                reasons.append(f"{name}: {nobody.reason}")
                continue
            if not (isinstance(answer, Cancelled) and answer.expired):
                return answer
            expired = True
        if expired or not reasons:
            return Cancelled(expired=True)
        raise NobodyAsked("; ".join(reasons))


async def _within(
    answerer: Answerer, question: Question, origin: Origin, seconds: float | None
) -> Answer[Content]:
    """The answer of one answerer, which closes its question by itself at `seconds`, or is made to."""
    with anyio.move_on_after(None if seconds is None else seconds + _GRACE):
        return await answerer.answer(question, origin, seconds)
    return Cancelled(expired=True)


def _shorter(one: float | None, other: float | None) -> float | None:
    return min((limit for limit in (one, other) if limit is not None), default=None)
