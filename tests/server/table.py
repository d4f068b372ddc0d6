"""A desk for tests, answered by the test itself."""

import anyio

from askfirst import Accepted
from askfirst.core.answers import Answer, Content
from askfirst.core.postings import Posting
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore

__all__ = ["YES", "Table"]


class Table:
    """A desk whose page is only an address."""

    def __init__(self, told: bool = True) -> None:
        self.desk = Desk(MemoryStore())
        self._told = told

    async def address(self, posting: Posting) -> str:
        return f"http://127.0.0.1:1/q/{posting.code}" if self._told else ""

    async def open(self, number: int = 1) -> tuple[Posting, ...]:
        """The open questions, as soon as there are that many."""
        with anyio.fail_after(60):
            async for _ in self.desk.changes():  # pragma: no branch
                if len(found := await self.desk.open()) >= number:
                    return found
        raise AssertionError

    async def answer(self, answer: Answer[Content]) -> Posting:
        (posting,) = await self.asked()
        settled = await self.desk.answer(posting.token, posting.digest, answer)
        assert settled.accepted, settled.why
        return posting

    async def asked(self) -> tuple[Posting, ...]:
        found = await self.desk.open()
        return found or await self.open()


YES: Accepted[Content] = Accepted({"value": True})
