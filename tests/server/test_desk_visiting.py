"""A visit whose end is waited for on the desk: it ends by itself or by the person's word."""

import contextlib
from collections.abc import AsyncIterator

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Asking, Cancelled, Declined, askable
from askfirst.core.answers import Answer, Content
from askfirst.core.errors import NotOnDesk
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion
from askfirst.visits import finish
from server.conftest import Connect
from server.table import Table

pytestmark = pytest.mark.anyio


class Visit:
    """A tool that sends the person to a page, on the desk, and what comes of it."""

    def __init__(self, connect: Connect, **limits: float) -> None:
        self.table, self.seen, self.ended = Table(), [], anyio.Event()
        self.stopped = False
        self.mcp = MCPServer("visits")
        self.mcp.tool()(askable(asking=Asking(desk=self.table, **limits))(self.sign_in))
        self._connect = connect

    async def sign_in(self, ask: Ask) -> str:
        self.seen.append(await ask.visit("Sign in.", "https://accounts.example.org/login", until=self.until))
        return "done"

    async def until(self) -> None:
        try:
            await self.ended.wait()
        except BaseException:
            self.stopped = True
            raise

    @contextlib.asynccontextmanager
    async def agreed(self) -> AsyncIterator[Posting]:
        """The tool is called, and its person has agreed to the visit."""
        async with self._connect(self.mcp) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "sign_in", {})
            await self.table.asked()
            posting = await self.table.answer(Accepted({}))
            with anyio.fail_after(60):
                await self.table.asked()
                yield posting

    async def only_closed(self) -> Posting:
        return (await self.table.desk.closed())[0]


async def test_a_visit_on_the_desk_ends_when_the_person_says_that_they_have_finished(
    connect: Connect,
) -> None:
    visit = Visit(connect)
    async with visit.agreed() as posting:
        (follow,) = await visit.table.desk.open()
        assert follow.question == FormQuestion(
            "Have you finished at https://accounts.example.org/login?", Form(())
        )
        await finish(visit.table.desk, posting)
    assert visit.seen == [Accepted(None)]
    assert visit.stopped
    with pytest.raises(NotOnDesk):
        await finish(visit.table.desk, posting)


async def test_a_visit_on_the_desk_ends_by_itself_and_then_nobody_need_say_so(connect: Connect) -> None:
    visit = Visit(connect)
    async with visit.agreed():
        visit.ended.set()
    assert visit.seen == [Accepted(None)]
    assert not visit.stopped
    assert (await visit.only_closed()).status is Status.WITHDRAWN


@pytest.mark.parametrize("said", [Declined(), Cancelled()])
async def test_who_gives_up_on_a_visit_has_not_finished_it(connect: Connect, said: Answer[Content]) -> None:
    visit = Visit(connect)
    async with visit.agreed():
        await visit.table.answer(said)
    assert visit.seen == [said]
    assert visit.stopped


async def test_a_visit_whose_end_nobody_can_be_asked_for_ends_by_itself(connect: Connect) -> None:
    visit = Visit(connect)
    async with connect(visit.mcp) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "sign_in", {})
        (posting,) = await visit.table.asked()
        await visit.table.desk.mute("visits")
        await visit.table.desk.answer(posting.token, posting.digest, Accepted({}))
        visit.ended.set()
    assert visit.seen == [Accepted(None)]


async def test_a_visit_whose_end_fails_fails_the_call(connect: Connect) -> None:
    visit = Visit(connect)

    async def broken() -> None:
        raise RuntimeError("the bank is closed")

    visit.until = broken  # type: ignore[method-assign]
    async with connect(visit.mcp) as client, anyio.create_task_group() as group:
        results = []

        async def call() -> None:
            results.append(await client.call_tool("sign_in", {}))

        group.start_soon(call)
        await visit.table.answer(Accepted({}))
    assert results[0].is_error
    assert await visit.table.desk.open() == ()
