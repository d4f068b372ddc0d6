"""What a user of askfirst may replace, as protocols. Real, scripted and in-memory ones are siblings."""

from typing import Protocol

from .core.answers import Answer, Content, Reply
from .core.ledger import Entry, Head
from .core.postings import Scope
from .core.questions import Origin, Question
from .core.reach import Reachable
from .core.revisions import Mode
from .core.rows import Closing, News, Refusal, Row

__all__ = ["Answerer", "Peer", "Store"]


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

    async def progress(self, message: str) -> None:
        """Tell the client that the call goes on, so that it keeps waiting; nothing where it did not ask to be told.

        Each notice says more than the one before, the body's own included (basic/utilities/progress).
        """
        ...

    def rest(self) -> None:
        """The request is over and the call waits for the next one: let go of what only that request needed."""
        ...


class Store(Protocol):
    """Rows that several processes may share. It decides nothing: it adds, closes once, finds and lists.

    Each change of a row is one transaction together with its ledger line, whose number is the number of the change.
    A change that was acknowledged survives whatever happens to the process. Every method may raise `StoreFault`.
    A store belongs to one event loop.
    """

    async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
        """Add an open row, unless its server is muted, has `most_open` open rows already, or token or code is in use.

        A row is open for this count while its `expires` lies after the new row's `posted`; a code is in use while
        a row with it is not closed.
        """
        ...

    async def close_row(self, token: str, closing: Closing, entry: Entry) -> bool:
        """Close a row if it is open; False, and nothing happens, if it is not. Of several callers one succeeds."""
        ...

    async def take(self, token: str) -> None:
        """Erase the content of a closed row and mark it as taken; neither a change nor an entry."""
        ...

    async def prune(self, before: float, limit: int) -> int:
        """Erase rows that were closed before that moment, whole. No change, no entry.

        Then results of steps that were kept before it, of calls without a row that is not taken. At most so many of
        either; how many in all.
        """
        ...

    async def row(self, token: str) -> Row | None:
        """The row with that token."""
        ...

    async def open_rows(
        self, now: float, server: str | None, after: str | None, limit: int
    ) -> tuple[Row, ...]:
        """Open rows that expire after `now`, in the order they were added: of one server, after a row's token."""
        ...

    async def overdue_rows(self, now: float, limit: int) -> tuple[Row, ...]:
        """Open rows that expire at `now` or before."""
        ...

    async def closed_rows(self, limit: int) -> tuple[Row, ...]:
        """Closed rows, the last one closed first."""
        ...

    async def rows_of_call(self, call: str) -> tuple[Row, ...]:
        """Rows of one call that are not taken, in the order they were added."""
        ...

    async def counts(self, now: float) -> dict[str, int]:
        """How many open rows expire after `now`, by server."""
        ...

    async def head(self) -> Head:
        """The end of the ledger; its number is that of the latest change."""
        ...

    async def news(self, since: int) -> News:
        """Wait until there is a change after number `since`, made by whatever process; at most 100 ms later."""
        ...

    async def append(self, entry: Entry) -> None:
        """Add a line to the ledger."""
        ...

    async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
        """Lines of the ledger after that number, in order."""
        ...

    async def mute(self, server: str, entry: Entry) -> None:
        """Refuse further rows of a server."""
        ...

    async def unmute(self, server: str, entry: Entry) -> None:
        """Take rows of a server again."""
        ...

    async def muted(self) -> frozenset[str]:
        """The servers whose rows are refused."""
        ...

    async def remember(self, scope: Scope, key: str, content: str) -> None:
        """Keep a text, in place of what was kept there before."""
        ...

    async def recall(self, scope: Scope, key: str) -> str | None:
        """The text that is kept there."""
        ...

    async def remembered(self) -> tuple[tuple[Scope, str], ...]:
        """Where texts are kept, in order of scope and key."""
        ...

    async def forget(self, scope: Scope, key: str) -> bool:
        """Let go of a text; False if there was none."""
        ...

    async def keep_step(self, call: str, key: str, result: str, at: float) -> None:
        """Keep the result of a call's step, in place of what was kept there before."""
        ...

    async def step(self, call: str, key: str) -> str | None:
        """The result that is kept there."""
        ...

    async def forget_steps(self, call: str) -> None:
        """Let go of the results of all steps of a call."""
        ...

    async def claim(self, name: str, owner: str) -> bool:
        """Give a name to an owner until it is released or its process has ended; False while somebody else has it.

        Of several callers one has it. No clock ends it, so that a clock which is set gives it to nobody else.
        """
        ...

    async def release(self, name: str, owner: str) -> None:
        """Let go of a name, if it is this owner's."""
        ...

    async def key(self) -> bytes:
        """32 bytes to seal secrets with: the same for all who share these rows, and not kept among them."""
        ...

    async def close(self) -> None:
        """Let go of whatever the store holds; nothing is called after that."""
        ...
