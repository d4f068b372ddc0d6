"""The desk: where questions wait for a person, and what may become of one.

1. A posting is open until exactly one thing happens to it: answered, withdrawn or expired. The store decides which was
   first; everybody else is told.
2. An answer counts for exactly the question that was shown (its digest), before its limit, from whom it was put to.
3. Its content is kept until the asker has used it (`take`), sealed if it is secret, and goes to nobody else after.
4. The clock is asked once for each decision; an open posting past its limit has expired, noted or not.
"""

import json
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, assert_never

import anyio

from askfirst.core import errors
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.checking import check
from askfirst.core.errors import InvalidAnswer, NobodyAsked, NotOnDesk, Problem, StoreFault
from askfirst.core.ledger import Entry
from askfirst.core.postings import Posting, Scope, Status
from askfirst.core.questions import FormQuestion, Origin, Question, digest
from askfirst.core.rows import Closing, Row, posting_of, row_of
from askfirst.ports import Store

from .keeping import CallSteps, content_of
from .recording import Ledger, entry_of, over
from .sealing import seal, unseal
from .tokens import new_code, new_token
from .waiting import Bell, Watch

__all__ = ["Desk", "Settled", "Why"]

Why: TypeAlias = Literal[
    "",
    "already answered",
    "expired",
    "withdrawn",
    "another question",
    "another person",
    "does not fit",
]
"""Why an answer was not accepted; "" when it was."""

_LOST_TO: Final[dict[Status, Why]] = {
    Status.ANSWERED: "already answered",
    Status.WITHDRAWN: "withdrawn",
    Status.EXPIRED: "expired",
}

_RECHECK: Final = 0.5
"""Seconds after which the clock is asked again: it may have been set, or the machine been asleep."""

_SWEPT: Final = 100
_DRAWS: Final = 1000
"""How often a token and a code are drawn before it is said that there are no more of them."""

_RETENTION: Final = 30 * 24 * 3600.0
_BETWEEN_PRUNES: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of an answer. `posting` is as it is now, without anybody's content."""

    accepted: bool
    posting: Posting
    why: Why = ""
    problems: tuple[Problem, ...] = ()


class Desk:
    """Questions that wait for a person, over a store that processes may share. It belongs to one event loop."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        token: Callable[[], str] = new_token,
        code: Callable[[], str] = new_code,
        most_open: int = 20,
        retention: float = _RETENTION,
    ) -> None:
        """A desk over a store.

        Args:
            store: Where its rows are. clock: Seconds since 1970. token, code: Draw what a posting is found by.
            most_open: How many open questions one server may have.
            retention: Seconds that a closed question is kept, with its answer if nobody took that. Within an hour
                after, whoever uses the desk erases it; its lines in the ledger stay.
        """
        self.ledger: Final = Ledger(store, clock)
        self.steps: Final = CallSteps(store, clock)
        self._store = store
        self._clock = clock
        self._token = token
        self._code = code
        self._most_open = most_open
        self._retention = retention
        self._pruned = float("-inf")
        self._own = new_token()
        self._watch = Watch(store)

    async def post(
        self,
        question: Question,
        origin: Origin,
        *,
        limit: float,
        call: str = "",
        asked_of: str | None = None,
        arguments: Iterable[tuple[str, str]] = (),
        secret: bool = False,
        held: bool = False,
    ) -> Posting:
        """Lay a question on the desk for `limit` seconds; see `Posting` for the rest.

        Cancelled in the middle, it leaves no open question behind. Of one that is held it shows when this process is
        gone (`askfirst.abandoned`).

        Raises:
            Flooded: The server has too many open questions.
            Muted: The person wants none of this server.
            NobodyAsked: Every token or code that was drawn is in use.
        """
        now = self._clock()
        draft = Posting(
            token="",
            code="",
            question=question,
            digest=digest(question),
            origin=origin,
            posted=now,
            expires=now + limit,
            arguments=tuple(arguments),
            asked_of=asked_of,
            call=call,
            secret=secret,
            held=held,
        )
        await self._sweep()
        for _ in range(_DRAWS):
            posting = replace(draft, token=self._token(), code=self._code())
            if await self._add(posting):
                return posting
        raise NobodyAsked(
            f"the desk has no code for this question: {_DRAWS} that were drawn are all in use",
            cure="to call again later",
            message=question.message,
            mode=question.mode,
        )

    async def _add(self, posting: Posting) -> bool:
        server, question = posting.origin.server, posting.question
        entry = entry_of(posting, posting.posted, "posted")
        if posting.held and not await self._store.claim(posting.token, self._own):
            return False
        try:
            refusal = await self._store.add(row_of(posting), entry, self._most_open)
        except BaseException:
            # Whether it was added can't be known, and nobody is left to wait for it.
            with anyio.CancelScope(shield=True), suppress(StoreFault):
                await self.withdraw(posting.token)
            raise
        if refusal is not None:
            await self._store.release(posting.token, self._own)
        match refusal:
            case "flooded":
                raise errors.Flooded(server, self._most_open, message=question.message, mode=question.mode)
            case "muted":
                raise errors.Muted(server, message=question.message, mode=question.mode)
            case _:
                return refusal is None

    async def wait(self, token: str) -> Answer[Content]:
        """The answer, as soon as there is one, whichever process it was given in. Cancelling withdraws nothing.

        Past the limit it is `Cancelled(expired=True)`.

        Raises:
            NobodyAsked: The question was withdrawn.
            NotOnDesk: There is no such question, or its content was taken before.
        """
        async with self._watch.bell(token) as bell:
            while (row := await self._known(token)).status is Status.OPEN:
                await self._until(bell, row.expires)
        if row.taken and row.action == "accept":
            raise NotOnDesk("the answer to this question has been used already; ask again")
        posting = await self._with_content(row)
        if posting.answer is None:
            question = posting.question
            raise NobodyAsked(
                "the question was withdrawn",
                cure="to call again, if it is still to be asked",
                message=question.message,
                mode=question.mode,
            )
        return posting.answer

    async def _until(self, bell: Bell, moment: float) -> None:
        while (left := moment - self._clock()) > 0:
            if await bell.wait(min(left, _RECHECK)):
                return

    async def answer(
        self, token: str, digest: str, answer: Answer[Content], *, by: str | None = None
    ) -> Settled:
        """Give the answer to a question; the first that fits counts.

        Args:
            token: Which question.
            digest: The `Posting.digest` that was shown together with it.
            answer: What the person said. Content is checked here, and kept as `core.checking.check` gives it back.
            by: Who answers, where that is known.

        Raises:
            NotOnDesk: There is no such question.
        """
        row = await self._known(token)
        posting = self._read(row)
        if posting.asked_of is not None and by != posting.asked_of:
            return Settled(False, posting, "another person")
        if posting.status is not Status.OPEN:
            return Settled(False, posting, _LOST_TO[posting.status])
        if digest != posting.digest:
            return Settled(False, posting, "another question")
        try:
            content = _checked(posting.question, answer)
        except InvalidAnswer as invalid:
            return Settled(False, posting, "does not fit", invalid.problems)
        kept = None if content is None else json.dumps(content)
        if kept is not None and posting.secret:
            kept = seal(await self._store.key(), kept, token)
        at = self._clock()
        if at >= posting.expires:
            return await self._lost(token)
        entry = entry_of(posting, at, "answered", outcome=answer.action, by=by or "")
        closing = Closing(Status.ANSWERED, at, answer.action, kept)
        if not await self._store.close_row(token, closing, entry):
            return await self._lost(token)
        return Settled(True, self._read(replace(row, status=closing.status, closed=at, action=answer.action)))

    async def _lost(self, token: str) -> Settled:
        posting = self._read(await self._known(token))
        return Settled(False, posting, _LOST_TO[posting.status])

    async def withdraw(self, token: str) -> None:
        """The asker is gone: close the question wherever it is shown, or erase what was answered."""
        try:
            row, now = await self._judged(token), self._clock()
            if row is None or not await self._end(row, Status.WITHDRAWN, now):
                await self._store.take(token)
        finally:
            await self._store.release(token, self._own)

    async def take(self, token: str) -> None:
        """The asker has used the answer: its content is erased. An open or unknown question stays as it is."""
        await self._store.take(token)
        await self._store.release(token, self._own)

    async def claim(self, name: str, owner: str) -> bool:
        """Have a name until it is released or this process ends; False while somebody else has it, anywhere."""
        return await self._store.claim(name, owner)

    async def release(self, name: str, owner: str) -> None:
        """Let go of a name."""
        await self._store.release(name, owner)

    async def find(self, token: str) -> Posting | None:
        """The posting with that token, with what was answered until that is taken; a secret is never in it."""
        row = await self._judged(token)
        if row is None:
            return None
        posting = self._read(row)
        return posting if posting.secret else await self._with_content(row)

    async def of_call(self, call: str) -> tuple[Posting, ...]:
        """The postings of a call that its asker has not taken yet, oldest first, without any content."""
        await self._sweep()
        return self._readable(await self._store.rows_of_call(call))

    async def open(
        self, server: str | None = None, limit: int = 100, after: str | None = None
    ) -> tuple[Posting, ...]:
        """Open questions, oldest first: those of one server, those that came after the one with a token."""
        now = await self._sweep()
        return self._readable(await self._store.open_rows(now, server, after, limit))

    async def counts(self) -> dict[str, int]:
        """How many questions are open, by server; a server without any is not in it."""
        return await self._store.counts(await self._sweep())

    async def closed(self, limit: int = 50) -> tuple[Posting, ...]:
        """Closed questions, the last one closed first, without any content."""
        await self._sweep()
        return self._readable(await self._store.closed_rows(limit))

    async def changes(self) -> AsyncGenerator[None]:
        """Says that something changed, within 100 ms (an expiry within a second); now and then for nothing."""
        async with self._watch.bell(None) as bell:
            while True:
                await self._sweep()
                if await bell.wait(_RECHECK):
                    yield

    async def mute(self, server: str) -> None:
        """The person wants no further questions of a server; those that are open stay."""
        await self._store.mute(server, Entry(at=self._clock(), event="muted", server=server))

    async def unmute(self, server: str) -> None:
        """The person takes questions of a server again."""
        await self._store.unmute(server, Entry(at=self._clock(), event="unmuted", server=server))

    async def muted(self) -> frozenset[str]:
        """The servers that are muted."""
        return await self._store.muted()

    async def remember(self, scope: Scope, key: str, content: Content) -> None:
        """Keep an answer for the next time, in place of an earlier one. Never for secrets: it is kept as it is."""
        await self._store.remember(scope, key, json.dumps(content))

    async def recall(self, scope: Scope, key: str) -> Content | None:
        """What is remembered there. It may be older than the form it is for: check it again."""
        kept = await self._store.recall(scope, key)
        return None if kept is None else content_of(kept)

    async def remembered(self) -> tuple[tuple[Scope, str], ...]:
        """What is remembered, by scope and key, without content."""
        return await self._store.remembered()

    async def forget(self, scope: Scope, key: str) -> bool:
        """Forget a remembered answer; False if there was none."""
        return await self._store.forget(scope, key)

    async def _known(self, token: str) -> Row:
        row = await self._judged(token)
        if row is None:
            raise NotOnDesk("no question on the desk has this token")
        return row

    async def _judged(self, token: str) -> Row | None:
        """The row, closed if its time is over."""
        row = await self._store.row(token)
        if row is None or row.status is not Status.OPEN or row.expires > self._clock():
            return row
        await self._end(row, Status.EXPIRED, row.expires)
        return await self._store.row(token)

    async def _sweep(self) -> float:
        """Close what is overdue, so that the ledger says so and pages show it; gives back the time."""
        now = self._clock()
        for row in await self._store.overdue_rows(now, _SWEPT):
            await self._end(row, Status.EXPIRED, row.expires)
        is_due = not self._pruned <= now < self._pruned + _BETWEEN_PRUNES
        if is_due and await self._store.prune(now - self._retention, _SWEPT) < _SWEPT:
            self._pruned = now
        return now

    async def _end(self, row: Row, status: Status, at: float) -> bool:
        """Close a row unanswered; False when somebody closed it before."""
        line = over(row, self._clock(), status.value)
        return await self._store.close_row(row.token, Closing(status, at), line)

    def _read(self, row: Row) -> Posting:
        try:
            return posting_of(row, self._clock())
        except ValueError:
            raise StoreFault(
                "the row of this question is damaged: it can't be answered, only expire"
            ) from None

    def _readable(self, rows: Iterable[Row]) -> tuple[Posting, ...]:
        """The postings of all rows that are not damaged: one that is takes no list down with it."""
        postings: list[Posting] = []
        for row in rows:
            with suppress(ValueError):
                postings.append(posting_of(row, self._clock()))
        return tuple(postings)

    async def _with_content(self, row: Row) -> Posting:
        posting = self._read(row)
        if row.content is None:
            return posting
        kept = unseal(await self._store.key(), row.content, row.token) if posting.secret else row.content
        return replace(posting, answer=Accepted(content_of(kept)))


def _checked(question: Question, answer: Answer[Content]) -> Content | None:
    match answer:
        case Accepted(data):
            return check(question.form, data) if isinstance(question, FormQuestion) else {}
        case Declined() | Cancelled():
            return None
        case _:
            assert_never(answer)
