"""A server that has a desk has a ledger, and that has the questions which its clients carry too."""

import json
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from askfirst import Ask, Asking, askable
from askfirst.core.errors import StoreFault
from askfirst.core.ledger import Entry, Head
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from server.conftest import Connect, Person, text_of
from server.table import Table

pytestmark = pytest.mark.anyio

ROUTES = {"legacy": "push", "modern": "input_required"}


def guarded(table: Table, resume: Any = "pause", **more: Any) -> MCPServer:
    mcp = MCPServer("records")

    @mcp.tool()
    @askable(asking=Asking(desk=table, **more), resume=resume)
    async def purge(table: str, ask: Ask) -> str:
        first = await ask(f"Delete {table}?", bool)
        second = await ask("And its backups?", bool)
        return f"{first.action} {second.action}"

    return mcp


async def lines(table: Table) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in table.desk.ledger.lines()]


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_what_a_client_carries_is_recorded_with_its_route_and_without_values(
    connect: Connect, era: str, resume: str
) -> None:
    table = Table()
    async with connect(guarded(table, resume), Person({"value": True}, "decline")) as client:
        assert text_of(await client.call_tool("purge", {"table": "users-of-2019"})) == "accept decline"
    found = await lines(table)
    assert [(one["event"], one["outcome"]) for one in found] == [
        ("posted", ""),
        ("answered", "accept"),
        ("posted", ""),
        ("answered", "decline"),
    ]
    for one in found:
        assert (one["server"], one["tool"], one["route"]) == ("records", "purge", ROUTES[era])
    assert found[0]["question"] == found[1]["question"] != found[2]["question"] == found[3]["question"]
    assert found[0]["shown"] == found[1]["shown"] != found[2]["shown"]
    assert len({one["arguments"] for one in found}) == 1
    assert "users-of-2019" not in json.dumps(found)
    assert isinstance(await table.desk.ledger.verify(), Head)


async def test_a_question_whose_time_ran_out_in_the_client_is_recorded_as_that() -> None:
    table = Table()
    person = Person(anyio.sleep_forever, anyio.sleep_forever)
    async with Client(guarded(table, patience=0.05), mode="legacy", elicitation_callback=person) as client:
        assert text_of(await client.call_tool("purge", {"table": "users"})) == "cancel cancel"
    found = await lines(table)
    assert [(one["event"], one["outcome"]) for one in found] == [
        ("posted", ""),
        ("expired", "expired"),
    ] * 2


async def test_a_question_whose_call_was_given_up_is_recorded_as_withdrawn(
    connect: Connect, era: str
) -> None:
    table, shown = Table(), anyio.Event()
    # That a modern client gives up between two requests shows by its silence alone.
    patience = 600 if era == "legacy" else 0.05

    async def never() -> None:
        shown.set()
        await anyio.sleep_forever()

    async with (
        connect(guarded(table, patience=patience), Person(never)) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(client.call_tool, "purge", {"table": "users"})
        await shown.wait()
        group.cancel_scope.cancel()
    with anyio.fail_after(60):
        while len(await lines(table)) < 2:
            await anyio.lowlevel.checkpoint()
    assert [one["event"] for one in await lines(table)] == ["posted", "withdrawn"]


class Full(MemoryStore):
    """A store that takes so many lines and no more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    async def append(self, entry: Entry) -> None:
        if not self.room:
            raise StoreFault("the store is full")
        self.room -= 1
        await super().append(entry)


@pytest.mark.parametrize("resume", ["pause", "replay"])
@pytest.mark.parametrize("room", [0, 1])
async def test_what_can_not_be_recorded_is_not_asked_and_no_answer_counts(
    connect: Connect, resume: str, room: int
) -> None:
    table, person = Table(), Person({"value": True})
    table.desk = Desk(Full(room))
    async with connect(guarded(table, resume), person) as client:
        result = await client.call_tool("purge", {"table": "users"})
    assert result.is_error
    assert "the store is full" in text_of(result)
    assert person.messages == ["Delete users?"] * room
