"""Replay with a desk at hand: what the desk keeps of a call, for whom, and when that is gone."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Asking, askable
from askfirst.core.postings import Posting, Status
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.server import mcpserver_peer
from askfirst.stores.sqlite import SqliteStore
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio

YES = Accepted({"value": True})


class Place:
    """A desk of one process, without a page."""

    def __init__(self, rows: SqliteStore) -> None:
        self.rows = rows
        self.desk = Desk(rows)

    async def address(self, posting: Posting) -> str:
        return ""

    async def answer(self, answer: Accepted[Any] = YES) -> Posting:
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
