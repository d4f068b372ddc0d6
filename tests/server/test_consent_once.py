"""One consent, one run: whoever else waits for the same answer, and whatever became of the run it was given to."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import Client
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Asking, askable
from askfirst.core.answers import Answer
from askfirst.core.postings import Posting
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore
from server.conftest import Connect, text_of

pytestmark = pytest.mark.anyio

YES = Accepted({"confirm": True})


class Place:
    """A desk of one process. Of which questions its callers are told is heard by the test."""

    def __init__(self, file: Path, tell: MemoryObjectSendStream[str]) -> None:
        self.rows = SqliteStore(file)
        self.desk = Desk(self.rows)
        self._tell = tell

    async def address(self, posting: Posting) -> str:
        await self._tell.send(posting.token)
        return ""


@dataclass
class Bank:
    """Two processes' view of one desk."""

    here: Place
    there: Place
    told: MemoryObjectReceiveStream[str]

    async def heard(self) -> Posting:
        """The next question that a caller is told of."""
        with anyio.fail_after(60):
            posting = await self.here.desk.find(await self.told.receive())
        assert posting is not None
        return posting


@pytest.fixture
async def bank(tmp_path: Path) -> AsyncIterator[Bank]:
    tell, told = anyio.create_memory_object_stream[str](99)
    with tell, told:
        both = [Place(tmp_path / "desk.sqlite3", tell) for _ in range(2)]
        yield Bank(*both, told)
        for place in both:
            await place.rows.close()


def paying(place: Place, paid: list[str], *, hold: float = 10.0, fails: bool = False) -> MCPServer:
    mcp = MCPServer("bank")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=hold), resume="replay")
    async def pay(ask: Ask) -> str:
        answer: Answer[bool] = await ask.confirm("Pay?")
        if not isinstance(answer, Accepted):
            return answer.action
        paid.append("paid")
        await anyio.sleep(0.1)
        if fails:
            raise RuntimeError("the line broke")
        return "paid"

    return mcp


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two processes"])
async def test_of_two_calls_alike_one_is_given_the_answer_and_the_other_asks_anew(
    connect: Connect, bank: Bank, alone: bool
) -> None:
    paid: list[str] = []
    results: list[str] = []
    first, second = paying(bank.here, paid), paying(bank.here if alone else bank.there, paid)

    async def call(client: Client) -> None:
        results.append(text_of(await client.call_tool("pay", {})))

    async with connect(first) as one, connect(second) as other, anyio.create_task_group() as group:
        group.start_soon(call, one)
        posting = await bank.heard()
        group.start_soon(call, other)
        assert (await bank.heard()).token == posting.token
        await bank.here.desk.answer(posting.token, posting.digest, YES)
        anew = await bank.heard()
        assert anew.token != posting.token
        assert paid == ["paid"]
        await bank.here.desk.answer(anew.token, anew.digest, Accepted({"confirm": False}))
    assert sorted(results) == ["decline", "paid"]
    assert paid == ["paid"]


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two processes"])
async def test_of_two_calls_alike_each_takes_its_own_steps_in_the_end(
    connect: Connect, bank: Bank, alone: bool
) -> None:
    reserved: list[str] = []
    results: list[str] = []

    def reserving(place: Place) -> MCPServer:
        mcp = MCPServer("bank")

        @mcp.tool()
        @askable(asking=Asking(desk=place, hold=20), resume="replay")
        async def pay(ask: Ask) -> str:
            number = await ask.once("reserve", lambda: reserved.append("reserved") or len(reserved))
            return f"{number} {(await ask.confirm('Pay?')).action}"

        return mcp

    async def call(client: Client) -> None:
        results.append(text_of(await client.call_tool("pay", {})))

    first, second = reserving(bank.here), reserving(bank.here if alone else bank.there)
    async with connect(first) as one, connect(second) as other, anyio.create_task_group() as group:
        for client in (one, other):
            group.start_soon(call, client)
            posting = await bank.heard()
        assert reserved == ["reserved"]
        for _ in range(2):
            await bank.here.desk.answer(posting.token, posting.digest, YES)
            posting = await bank.heard() if len(reserved) < 2 else posting
    assert sorted(results) == ["1 accept", "2 accept"]


async def test_of_two_calls_alike_the_one_that_stays_takes_up_what_the_other_asked_next(
    connect: Connect, bank: Bank
) -> None:
    asking: list[str] = []

    def booking(place: Place, name: str) -> MCPServer:
        mcp = MCPServer("bank")

        @mcp.tool()
        @askable(asking=Asking(desk=place, hold=60), resume="replay")
        async def book(ask: Ask) -> str:
            await ask.confirm("Book?")
            asking.append(name)
            return (await ask.confirm("A seat too?")).action

        return mcp

    scopes = {"here": anyio.CancelScope(), "there": anyio.CancelScope()}

    async def call(client: Client, name: str) -> None:
        with scopes[name]:
            assert text_of(await client.call_tool("book", {})) == "accept"

    first, second = booking(bank.here, "here"), booking(bank.there, "there")
    async with connect(first) as one, connect(second) as other, anyio.create_task_group() as group:
        group.start_soon(call, one, "here")
        posting = await bank.heard()
        group.start_soon(call, other, "there")
        await bank.heard()
        await bank.here.desk.answer(posting.token, posting.digest, YES)
        seat = await bank.heard()
        scopes[asking[0]].cancel()
        assert (await bank.heard()).token == seat.token
        await bank.here.desk.answer(seat.token, seat.digest, YES)


async def test_what_was_answered_for_a_run_that_failed_is_not_used_for_the_next(
    connect: Connect, bank: Bank
) -> None:
    place, paid = bank.here, []
    async with connect(paying(place, paid, hold=0.05, fails=True)) as client:
        await client.call_tool("pay", {})
        (posting,) = await place.desk.open()
        await place.desk.answer(posting.token, posting.digest, YES)
        assert (await client.call_tool("pay", {})).is_error
        again = await client.call_tool("pay", {})
    assert again.structured_content["outcome"] == "waiting"
    assert paid == ["paid"]


async def test_while_another_run_has_the_answer_a_call_is_told_to_come_again(
    connect: Connect, bank: Bank
) -> None:
    place, paid = bank.here, []
    async with connect(paying(place, paid, hold=0.05)) as client:
        await client.call_tool("pay", {})
        (posting,) = await place.desk.open()
        await place.desk.answer(posting.token, posting.digest, YES)
        assert await bank.there.desk.claim(posting.call, "another run")
        meanwhile = await client.call_tool("pay", {})
        assert meanwhile.structured_content["waiting"][0]["code"] == posting.code
        assert paid == []
        await bank.there.desk.release(posting.call, "another run")
        assert text_of(await client.call_tool("pay", {})) == "paid"
    assert paid == ["paid"]


async def test_a_run_keeps_its_answers_to_itself_whatever_the_clock_says(
    connect: Connect, bank: Bank
) -> None:
    place, free = bank.here, []
    mcp = MCPServer("bank")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=5), resume="replay")
    async def pay(ask: Ask) -> str:
        await ask.confirm("Pay?")
        tomorrow = Desk(bank.there.rows, clock=lambda: time.time() + 86_400)
        free.append(await tomorrow.claim(call[0], "another run"))
        return "paid"

    call: list[str] = []
    async with connect(mcp) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "pay", {})
        posting = await bank.heard()
        call.append(posting.call)
        await place.desk.answer(posting.token, posting.digest, YES)
    assert free == [False]
    assert await bank.there.desk.claim(posting.call, "another run")
