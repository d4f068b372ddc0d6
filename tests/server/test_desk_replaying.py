"""Replay with a desk at hand: what the desk keeps of a call, for whom, and when that is gone."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Asking, Declined, askable
from askfirst.core.answers import Answer
from askfirst.core.errors import NotOnDesk
from askfirst.core.postings import Posting, Status
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.server import mcpserver_peer
from askfirst.stores.sqlite import SqliteStore
from askfirst.visits import finish
from server.conftest import Connect, Person, text_of
from server.table import YES, Table

pytestmark = pytest.mark.anyio


class Place:
    """A desk of one process, without a page."""

    def __init__(self, rows: SqliteStore) -> None:
        self.rows = rows
        self.desk = Desk(rows)

    async def address(self, posting: Posting) -> str:
        return ""

    async def answer(self, answer: Answer[Any] = YES) -> Posting:
        (posting,) = await self.desk.open()
        assert (await self.desk.answer(posting.token, posting.digest, answer)).accepted
        return posting


Places = Callable[[], Place]


@pytest.fixture
async def places(tmp_path: Path) -> AsyncIterator[Places]:
    """Gives one more process's view of one desk."""
    made: list[Place] = []

    def another() -> Place:
        made.append(Place(SqliteStore(tmp_path / "desk.sqlite3")))
        return made[-1]

    yield another
    for place in made:
        await place.rows.close()


def shop(place: Place, charges: list[str], *, hold: float = 0.05) -> MCPServer:
    mcp = MCPServer("shop")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=hold), resume="replay")
    async def buy(ask: Ask) -> str:
        async def charge() -> int:
            charges.append("charged")
            number = len(charges)
            await anyio.sleep(0.05)
            return number

        receipt = await ask.once("charge", charge)
        wrap = await ask("Gift wrap?", bool)
        return f"receipt {receipt}, {wrap.action}"

    return mcp


# --- steps


async def test_a_client_that_asks_itself_takes_its_own_steps_in_each_call(
    connect: Connect, places: Places
) -> None:
    charges: list[str] = []
    async with connect(shop(places(), charges), Person(*[{"value": True}] * 2)) as client:
        done = [text_of(await client.call_tool("buy", {})) for _ in range(2)]
    assert done == ["receipt 1, accept", "receipt 2, accept"]


async def test_calls_at_once_of_a_client_that_asks_itself_take_a_step_each(
    connect: Connect, places: Places
) -> None:
    charges: list[str] = []
    person = Person(*[{"value": True}] * 2)
    async with connect(shop(places(), charges), person) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "buy", {})
        group.start_soon(client.call_tool, "buy", {})
    assert charges == ["charged"] * 2


async def test_a_step_is_kept_while_its_call_waits_and_is_nothing_that_is_remembered(
    connect: Connect, places: Places
) -> None:
    place, charges = places(), list[str]()
    async with connect(shop(place, charges)) as client:
        await client.call_tool("buy", {})
        assert await place.desk.remembered() == ()
        await place.answer()
    async with connect(shop(places(), charges)) as client:
        assert text_of(await client.call_tool("buy", {})) == "receipt 1, accept"
        await client.call_tool("buy", {})
        await place.answer()
        assert text_of(await client.call_tool("buy", {})) == "receipt 2, accept"
    assert charges == ["charged"] * 2


async def test_a_process_does_not_take_up_its_own_step_of_a_call_that_another_one_ended(
    connect: Connect, places: Places
) -> None:
    place, charges = places(), list[str]()
    async with connect(shop(place, charges)) as here, connect(shop(places(), charges)) as there:
        await here.call_tool("buy", {})
        await place.answer()
        assert text_of(await there.call_tool("buy", {})) == "receipt 1, accept"
        await here.call_tool("buy", {})
        await place.answer()
        assert text_of(await here.call_tool("buy", {})) == "receipt 2, accept"


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two processes"])
async def test_of_calls_alike_at_the_same_moment_one_takes_the_step(
    connect: Connect, places: Places, alone: bool
) -> None:
    place, charges = places(), list[str]()
    first, second = shop(place, charges), shop(place if alone else places(), charges)
    async with connect(first) as one, connect(second) as other, anyio.create_task_group() as group:
        for client in (one, other):
            group.start_soon(client.call_tool, "buy", {})
    assert charges == ["charged"]


async def test_what_a_client_was_asked_before_a_question_came_to_the_desk_does_not_make_a_step_happen_again(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, charges = places(), list[str]()
    mcp = MCPServer("shop")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=0.05), resume="replay")
    async def pay(ask: Ask) -> str:
        await ask("Really?", bool)
        receipt = await ask.once("charge", lambda: charges.append("charged") or len(charges))
        visit = await ask.visit("Pay.", "https://pay.example.org/")
        return f"{receipt} {visit.action}"

    person = Person(*[{"value": True}] * 2)
    monkeypatch.setattr(mcpserver_peer, "read_modes", lambda _: frozenset({Mode.FORM}))
    async with Client(mcp, elicitation_callback=person) as client:
        waits = await client.call_tool("pay", {})
        assert waits.structured_content["outcome"] == "waiting"
        await place.answer(Accepted({}))
        assert text_of(await client.call_tool("pay", {})) == "1 accept"
    assert charges == ["charged"]


# --- what is left of a call


async def test_an_answer_that_a_body_no_longer_asked_for_is_not_there_for_the_next_call(
    connect: Connect, places: Places
) -> None:
    place, count = places(), [5]
    mcp = MCPServer("shop")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=0.05), resume="replay")
    async def purge(ask: Ask) -> str:
        return (await ask(f"Delete {count[0]} rows?", bool)).action

    async with connect(mcp) as client:
        await client.call_tool("purge", {})
        await place.answer()
        count[0] = 6
        await client.call_tool("purge", {})
        await place.answer()
        assert text_of(await client.call_tool("purge", {})) == "accept"
        count[0] = 5
        again = await client.call_tool("purge", {})
    assert again.structured_content["outcome"] == "waiting"


async def test_a_question_that_a_body_no_longer_asks_leaves_the_desk_when_it_ends(
    connect: Connect, places: Places
) -> None:
    place, asks = places(), [True]
    mcp = MCPServer("shop")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=0.05), resume="replay")
    async def purge(ask: Ask) -> str:
        first = await ask("Delete?", bool)
        return (await ask("Backups too?", bool)).action if asks[0] else first.action

    async with connect(mcp) as client:
        await client.call_tool("purge", {})
        await place.answer()
        await client.call_tool("purge", {})
        (second,) = await place.desk.open()
        asks[0] = False
        assert text_of(await client.call_tool("purge", {})) == "accept"
    assert await place.desk.open() == ()
    assert (await place.desk.find(second.token)).status is Status.WITHDRAWN  # type: ignore[union-attr]


async def test_of_two_questions_alike_that_are_asked_at_once_each_has_its_own_answer(
    connect: Connect,
) -> None:
    table, laid = Table(), anyio.Event()
    mcp = MCPServer("shop")

    async def slowly(_: Posting) -> str:
        laid.set()
        await anyio.wait_all_tasks_blocked()
        return ""

    @mcp.tool()
    @askable(asking=Asking(desk=table, hold=60), resume="replay")
    async def purge(ask: Ask) -> str:
        said: list[str] = []

        async def one() -> None:
            said.append((await ask("Delete one more?", bool)).action)

        async with anyio.create_task_group() as group:
            group.start_soon(one)
            await laid.wait()
            group.start_soon(one)
        return " ".join(sorted(said))

    table.address = slowly  # type: ignore[method-assign]
    async with connect(mcp) as client, anyio.create_task_group() as group:

        async def call() -> None:
            assert text_of(await client.call_tool("purge", {})) == "accept decline"

        group.start_soon(call)
        first, second = await table.open(2)
        for posting, answer in ((first, YES), (second, Declined())):
            assert (await table.desk.answer(posting.token, posting.digest, answer)).accepted


async def test_what_was_remembered_and_forgotten_is_asked_for_again(connect: Connect, places: Places) -> None:
    place = places()
    mcp = MCPServer("shop")

    @mcp.tool()
    @askable(asking=Asking(desk=place, hold=0.05), resume="replay")
    async def report(ask: Ask) -> str:
        where = await ask.remember("workspace", "Where to?", str)
        await ask("Now?", bool)
        return where.action

    async with connect(mcp) as client:
        await client.call_tool("report", {})
        await place.answer(Accepted({"value": "there"}))
        await client.call_tool("report", {})
        await place.answer()
        assert text_of(await client.call_tool("report", {})) == "accept"
        ((scope, key),) = await place.desk.remembered()
        await place.desk.forget(scope, key)
        await client.call_tool("report", {})
        (posting,) = await place.desk.open()
    assert posting.question.message == "Where to?"


# --- visits


class Visit:
    """A tool in replay that sends the person to a page, and perhaps asks something after that."""

    def __init__(self, places: Places, *, asks: bool = False, times: int = 1, hold: float = 0.2) -> None:
        self.place, self.ended, self.awaited = places(), anyio.Event(), 0
        self.mcp = MCPServer("bank")
        self.mcp.tool()(askable(asking=Asking(desk=self.place, hold=hold), resume="replay")(self.pay))
        self._asks = asks
        self._times = times

    async def pay(self, ask: Ask) -> str:
        for _ in range(self._times):
            answer = await ask.visit("Pay.", "https://pay.example.org/", until=self.until)
        return (await ask("More?", bool)).action if self._asks else answer.action

    async def until(self) -> None:
        self.awaited += 1
        await self.ended.wait()

    async def agree(self) -> Posting:
        return await self.place.answer(Accepted({}))


async def waits(client: Client) -> list[str]:
    """The call waits; for which questions."""
    with anyio.fail_after(20):
        result = await client.call_tool("pay", {})
    assert result.structured_content["outcome"] == "waiting"
    return [one["question"] for one in result.structured_content["waiting"]]


FINISHED = "Have you finished at https://pay.example.org/?"


async def test_the_end_of_a_visit_told_between_two_calls_is_taken_up_by_the_next(
    connect: Connect, places: Places
) -> None:
    visit = Visit(places)
    desk = visit.place.desk
    async with connect(visit.mcp) as client:
        assert await waits(client) == ["Pay."]
        posting = await visit.agree()
        assert not await finish(desk, posting)
        with pytest.raises(NotOnDesk):
            await finish(desk, posting)
        assert text_of(await client.call_tool("pay", {})) == "accept"
        with pytest.raises(NotOnDesk):
            await finish(desk, posting)
        assert await waits(client) == ["Pay."]
        assert not await finish(desk, await visit.agree())


async def test_a_call_waits_for_the_end_of_a_visit_no_longer_than_it_may(
    connect: Connect, places: Places
) -> None:
    visit = Visit(places)
    async with connect(visit.mcp) as client:
        await waits(client)
        posting = await visit.agree()
        for _ in range(2):
            assert await waits(client) == [FINISHED]
        assert len(await visit.place.desk.open()) == 1
        assert await finish(visit.place.desk, posting)
        assert text_of(await client.call_tool("pay", {})) == "accept"


async def test_who_gave_up_on_a_visit_between_two_calls_has_not_finished_it(
    connect: Connect, places: Places
) -> None:
    visit = Visit(places)
    async with connect(visit.mcp) as client:
        await waits(client)
        await visit.agree()
        await waits(client)
        await visit.place.answer(Declined())
        assert text_of(await client.call_tool("pay", {})) == "decline"


async def test_a_visit_that_ended_by_itself_is_not_waited_for_again(connect: Connect, places: Places) -> None:
    early, late = Visit(places, asks=True), Visit(places, asks=True, hold=30)
    desk = late.place.desk
    async with connect(early.mcp) as client:
        await waits(client)
        posting = await early.agree()
        assert await waits(client) == [FINISHED]
    async with connect(late.mcp) as client, anyio.create_task_group() as group:
        late.ended.set()
        group.start_soon(client.call_tool, "pay", {})
        with anyio.fail_after(20):
            async for _ in desk.changes():  # pragma: no branch
                if [one.question.message for one in await desk.open()] == ["More?"]:
                    break
        group.cancel_scope.cancel()
    with pytest.raises(NotOnDesk):
        await finish(desk, posting)
    late.ended = anyio.Event()
    await late.place.answer()
    async with connect(late.mcp) as client:
        assert text_of(await client.call_tool("pay", {})) == "accept"
    assert late.awaited == 1


async def test_each_of_two_visits_to_one_page_has_its_own_end(connect: Connect, places: Places) -> None:
    visit = Visit(places, times=2)
    async with connect(visit.mcp) as client:
        await waits(client)
        assert not await finish(visit.place.desk, await visit.agree())
        assert await waits(client) == ["Pay."]
        second = await visit.agree()
        assert not await finish(visit.place.desk, second)
        with pytest.raises(NotOnDesk):
            await finish(visit.place.desk, second)
        assert text_of(await client.call_tool("pay", {})) == "accept"


async def test_the_end_of_a_visit_that_the_client_shows_is_awaited_once(
    connect: Connect, places: Places
) -> None:
    visit = Visit(places, asks=True)
    visit.ended.set()
    async with connect(visit.mcp, Person("accept", {"value": True})) as client:
        assert text_of(await client.call_tool("pay", {})) == "accept"
    assert visit.awaited == 1
