"""Questions of a call on a page of its own, in the browser of who made it."""

from typing import TYPE_CHECKING, Final

from .failure import cause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from mcp_types import CallToolResult

    from askfirst.core.answers import Answer, Content
    from askfirst.core.postings import Posting
    from askfirst.core.questions import Origin, Question
    from askfirst.core.revisions import Mode
    from askfirst.local import LocalDesk

__all__ = ["OnPage"]

_LINGER: Final = 1.0
"""Seconds in which a browser that has just posted the last answer gets the page that says so."""


class OnPage:
    """An answerer: each question is shown on a page on this machine, whose address goes to stderr."""

    def __init__(self, *, opens: bool, say: "Callable[[str], None]" = lambda _: None) -> None:
        """Pages that come up with the first question.

        Args:
            opens: In the person's browser.
            say: Told what became of each question that was answered.
        """
        from askfirst.client.browser import open_in_browser
        from askfirst.desk import Desk
        from askfirst.local import LocalDesk
        from askfirst.stores.memory import MemoryStore

        self._opener = open_in_browser if opens else None
        self._place = LocalDesk(Desk(MemoryStore()), opener=self._opener)
        self._say = say
        self._answered = False
        self.arguments: Mapping[str, object] = {}
        """Those of the call that is being made, shown with its questions."""

    def reaches(self) -> "frozenset[Mode]":
        """Both modes."""
        from askfirst.core.revisions import Mode

        return frozenset(Mode)

    async def answer(self, question: "Question", origin: "Origin", limit: float | None) -> "Answer[Content]":
        """Show the question; see `Answerer.answer`.

        Raises:
            NobodyAsked: The page can't be served, or the server asks too much.
        """
        import anyio

        from askfirst.client import presenting
        from askfirst.client.inbox import Inbox

        try:
            async with anyio.create_task_group() as tasks:

                def tell(posting: "Posting") -> None:
                    tasks.start_soon(self._place.address, posting)

                inbox = Inbox(self._place.desk, tell=tell, arguments=lambda: self.arguments)
                answer = await inbox.answer(question, origin, limit)
        except BaseExceptionGroup as group:
            raise cause(group) from None
        self._answered = True
        self._say(presenting.farewell(answer))
        return answer

    async def call(
        self, store: "Path", tool: str, call: "Callable[[], Awaitable[CallToolResult]]"
    ) -> "CallToolResult":
        """A call whose questions wait on its server's desk, made again until it has its own result.

        Args:
            store: The file of the server's desk. Its questions are shown on a page from here.
            tool: The name of the tool.
            call: Makes the call.
        """
        import anyio

        from askfirst.client import presenting
        from askfirst.desk import Desk
        from askfirst.local import LocalDesk
        from askfirst.stores.sqlite import SqliteStore

        from .again import until_done

        rows = SqliteStore(store)
        place = LocalDesk(Desk(rows), opener=self._opener)
        told: set[str] = set()
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_announce, place, told)
                result = await until_done(tool, call)
                tasks.cancel_scope.cancel()
            for token in told:
                posting = await place.desk.find(token)
                if posting is not None and posting.answer is not None:
                    self._say(presenting.farewell(posting.answer))
        finally:
            with anyio.CancelScope(shield=True):
                await place.close(_LINGER)
                await rows.close()
        return result

    async def close(self) -> None:
        """No more questions come."""
        await self._place.close(_LINGER if self._answered else 0.0)


async def _announce(place: "LocalDesk", told: set[str]) -> None:
    """Say of each question where it can be answered, and keep its token in `told`."""
    async for _ in place.desk.changes():
        for posting in await place.desk.open():
            if posting.token not in told:
                told.add(posting.token)
                await place.address(posting)
