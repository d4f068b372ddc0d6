"""Replay over the desk: the journal of a call lies there, so that another process can go on with it.

A question that was asked in an earlier run of the body is found by the call's key and its digest, with its answer
where a person has given one; the results of steps are kept beside it. When the body ends, all of it is erased.

Several runs may wait for one answer: calls that are alike, of one process or of several. Only one at a time is given
what was answered, and when its body has ended there is nothing left for the others, steps included: they begin again.
Whose turn it is shows by names that a run claims: the call's, and that of each step while it runs.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from askfirst.core.answers import Accepted, Answer, Content
from askfirst.core.errors import NobodyAsked, NotOnDesk
from askfirst.core.fallback import Waiting, waiting_notice
from askfirst.core.journal import JsonValue
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import Question, UrlQuestion, digest
from askfirst.ports import Peer
from askfirst.visits import follow_up

from .desking import HEARTBEAT, DeskSide, said_before
from .steps import Steps

__all__ = ["DeskReplay"]

_LOOK: Final = 0.25
"""Seconds between two looks whether another run has ended."""


class DeskReplay:
    """One run of a body over what its call has on the desk.

    Args:
        side: The call's questions on the desk.
        peer: The client of the open request.
        until: How long this run may wait for a person before it is unwound, on the event loop's clock.
    """

    def __init__(self, side: DeskSide, peer: Peer, until: float) -> None:
        self.overtaken: bool = False
        """The body of another run has ended, and all that the call had on the desk is gone: this one is another call,
        and has to begin again."""
        self.side = side
        self._peer = peer
        self._until = until
        self._met: set[str] = set()
        self._laying = asyncio.Lock()
        self._steps = Steps()
        self._run = secrets.token_hex(8)

    @property
    def notices(self) -> tuple[Waiting, ...]:
        """The questions that wait for a person."""
        return tuple(self.side.waiting.values())

    async def answer(self, question: Question, mark: str) -> Answer[Content] | None:
        """The answer to a question, waited for as long as this run may; None when that was too short.

        `mark` is the question's digest.
        """
        async with self._laying:  # so that questions of this run that are alike get a posting each
            posting = await self._found(mark) or await self.side.post(question)
            self._met.add(posting.token)
        if posting.token not in self.side.waiting:
            await self._tell(posting)
        if not (await self._answered(posting) and await self._is_chosen()):
            return None
        self.side.waiting.pop(posting.token, None)
        try:
            answer = await self.side.desk.wait(posting.token)
        except (NotOnDesk, NobodyAsked):
            self.overtaken = True
            return None
        return answer

    async def visited(self, visit: UrlQuestion, end: Callable[[], Awaitable[object]]) -> Answer[None] | None:
        """Wait for the end of a visit, as long as this run may: `end` returns, or the person says so on the desk.

        What they say is kept for the next run, like every answer; None when it has to be waited for there.
        """
        asked = follow_up(visit)
        said = await said_before(end, self.answer(asked, mark := digest(asked)))
        if said is None:
            await self._withdraw(mark)
            return Accepted(None)
        return Accepted(None) if isinstance(said[0], Accepted) else said[0]

    async def _withdraw(self, mark: str) -> None:
        for posting in await self.side.desk.of_call(self.side.which.key):
            if posting.digest == mark and posting.status is Status.OPEN:
                await self.side.withdraw([posting])

    async def _tell(self, posting: Posting) -> None:
        if posting.status is Status.OPEN:
            await self.side.announce(posting)
        else:
            self.side.waiting[posting.token] = Waiting(posting.question.message, "", posting.code)

    async def _answered(self, posting: Posting) -> bool:
        while posting.status is Status.OPEN:
            left = self._left()
            if left <= 0:
                return False
            try:
                async with asyncio.timeout(min(HEARTBEAT, max(left, 0.05))):
                    await self.side.desk.wait(posting.token)
                    break
            except TimeoutError:
                await self._peer.progress(waiting_notice(self.notices))
            except (NotOnDesk, NobodyAsked):
                break
        return True

    async def _is_chosen(self) -> bool:
        """Have the answers of this call for this run alone, as soon as no other run has them."""
        while not await self._claims(self.side.which.key):
            if self._left() <= 0:
                return False
        return True

    async def _claims(self, name: str) -> bool:
        """Have a name for this run; where another run has it, False after a while."""
        claimed = await self.side.desk.claim(name, self._run)
        if not claimed:
            await asyncio.sleep(_LOOK)
        return claimed

    def _left(self) -> float:
        return self._until - asyncio.get_running_loop().time()

    async def release(self) -> None:
        """This run is over, whatever became of its body: the next one may have the answers."""
        await self.side.desk.release(self.side.which.key, self._run)

    async def step(self, key: str) -> tuple[JsonValue] | None:
        """The kept result of a step, in a tuple, or None."""
        return await self.side.desk.steps.find(self.side.which.key, key)

    async def once(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The kept result of a step, or that of running it now; of runs that are alike one at a time comes to it."""
        return await self._steps.run(key, lambda: self._alone(key, step))

    async def _alone(self, key: str, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        desk, call = self.side.desk, self.side.which.key
        name = f"{call} {key}"
        while not await self._claims(name):
            pass  # it is at work, and work has no limit here
        try:
            if (kept := await self.step(key)) is not None:
                return kept[0]
            result = await step()
            await desk.steps.keep(call, key, result)
            return result
        finally:
            await desk.release(name, self._run)

    async def keep(self, steps: Iterable[tuple[str, JsonValue]]) -> None:
        """Keep results of steps that happened before anything of this call came to the desk."""
        for key, result in steps:
            if await self.step(key) is None:
                await self.side.desk.steps.keep(self.side.which.key, key, result)

    async def use_up(self) -> None:
        """Take the call's questions off the desk and erase their answers, also those that this run did not come to."""
        for posting in await self.side.desk.of_call(self.side.which.key):
            if posting.status is Status.OPEN:
                await self.side.desk.withdraw(posting.token)
            await self.side.desk.take(posting.token)

    async def finish(self) -> None:
        """The body has ended: erase what was kept for it."""
        await self.use_up()
        await self.side.desk.steps.forget(self.side.which.key)

    async def _found(self, mark: str) -> Posting | None:
        """A question that an earlier run asked, or one that is like this, and that this one has not come to yet."""
        for posting in await self.side.desk.of_call(self.side.which.key):
            is_usable = posting.status in (Status.OPEN, Status.ANSWERED) and posting.token not in self._met
            if posting.digest == mark and is_usable:
                return posting
        return None
