"""What a user of askfirst may replace, as protocols. Real, scripted and in-memory ones are siblings."""

from typing import Protocol

from .core.answers import Answer, Content
from .core.questions import Origin, Question
from .core.reach import Reachable
from .core.revisions import Mode
from .wire import Reply

__all__ = ["Answerer", "Peer"]


class Answerer(Protocol):
    """Something that puts a question to a person and brings back what they said."""

    def reaches(self) -> frozenset[Mode]:
        """The modes in which a person can really be reached at this moment; empty when nobody can."""
        ...

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """Put one question to a person.

        Accepted content fits the question's form and holds only what the person gave or saw; for a url
        question it is empty. Cancelling the awaiting task takes the question off the screen at once.

        Args:
            question: What to ask. Every text in it is the server's and hostile.
            origin: Who asks; always shown.
            limit: Seconds until the asker stops waiting, or None. When they are over, the answer is
                `Cancelled(expired=True)`.

        Raises:
            NobodyAsked: No person was shown the question; the reason says why.
        """
        ...


class Peer(Protocol):
    """The client at the other end of the call that is being served now."""

    def facts(self) -> Reachable:
        """What is known about it at this moment; asked anew for each question."""
        ...

    async def push(self, params: dict[str, object]) -> Reply:
        """Send one `elicitation/create` on the stream of the call being served and wait for the reply.

        Cancelling the awaiting task withdraws the question.

        Raises:
            NobodyAsked: The client answered with an error: no person was shown the question.
            UnreadableAnswer: The reply is no answer.
        """
        ...

    async def completed(self, elicitation_id: str) -> None:
        """Send the notice that what a url question was about is done (2025-11-25 only)."""
        ...

    def rest(self) -> None:
        """The request is over and the call waits for the next one: let go of what only that request needed."""
        ...
