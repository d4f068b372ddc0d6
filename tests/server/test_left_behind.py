"""What a task can do that a body has left behind when its call ended: nothing, and it is told so."""

from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitResult

from askfirst import Ask, Asking, NobodyAsked, askable
from server.conftest import Connect, Person, text_of
from server.table import Table

pytestmark = pytest.mark.anyio

OVER = "the call in which it was to be asked has ended"


WAYS: dict[str, Any] = {
    "question": lambda ask: ask("Still there?", bool),
    "confirmation": lambda ask: ask.confirm("Still there?"),
    "visit": lambda ask: ask.visit("Still there?", "https://pay.example/1"),
    "secret": lambda ask: ask.secret("Still there?", "Code"),
}


@pytest.mark.parametrize("resume", ["pause", "replay"])
@pytest.mark.parametrize("at_desk", [False, True])
@pytest.mark.parametrize("way", list(WAYS))
async def test_who_asks_after_the_call_has_ended_asks_nobody(
    connect: Connect, way: str, at_desk: bool, resume: Any
) -> None:
    mcp, table, reasons = MCPServer("late"), Table(), []
    asking = Asking(desk=table if at_desk else None, max_paused=1)
    returned = anyio.Event()

    async def late(ask: Ask) -> None:
        await returned.wait()
        try:
            await WAYS[way](ask)
        except NobodyAsked as fault:
            reasons.append(fault.reason)

    person = Person()
    async with anyio.create_task_group() as group:

        @mcp.tool()
        @askable(asking=asking, resume=resume)
        async def leave(ask: Ask) -> str:
            group.start_soon(late, ask)
            return "gone"

        async with connect(mcp, None if at_desk else person) as client:
            assert text_of(await client.call_tool("leave", {})) == "gone"
            returned.set()
    assert reasons == [OVER]
    assert person.asked == []
    assert await table.desk.open() == ()


async def test_who_has_asked_before_the_call_ended_is_not_left_waiting() -> None:
    mcp, asking, reasons = MCPServer("late"), Asking(max_paused=1), []
    asked, heard = anyio.Event(), anyio.Event()

    async def late(ask: Ask) -> None:
        try:
            await ask("Still there?", bool)
        except NobodyAsked as fault:
            reasons.append(fault.reason)
            heard.set()

    async def never(context: object, params: object) -> ElicitResult:
        raise AssertionError("answered by hand in this test")

    async with anyio.create_task_group() as group:

        @mcp.tool()
        @askable(asking=asking)
        async def leave(ask: Ask) -> str:
            group.start_soon(late, ask)
            await asked.wait()
            return "gone"

        async with Client(mcp, elicitation_callback=never) as client:
            first: Any = await client.session.call_tool("leave", {}, allow_input_required=True)
            asked.set()
            with anyio.fail_after(10):
                await heard.wait()
            ended = await client.session.call_tool(
                "leave",
                {},
                input_responses={"question": ElicitResult(action="accept", content={"value": True})},
                request_state=first.request_state,
            )
    assert text_of(ended) == "gone"
    assert reasons == [OVER]
    assert len(asking.room) == 0


@pytest.mark.parametrize("at_desk", [False, True])
@pytest.mark.parametrize("way", list(WAYS))
async def test_a_body_that_was_cancelled_asks_nobody_while_it_tidies_up(way: str, at_desk: bool) -> None:
    mcp, table, reasons = MCPServer("tidy"), Table(), []
    asking = Asking(desk=table if at_desk else None, max_paused=1, hold=0.02)

    @mcp.tool()
    @askable(asking=asking)
    async def tidy(ask: Ask) -> str:
        try:
            return (await ask("Go on?", bool)).action
        finally:
            try:
                await WAYS[way](ask)
            except NobodyAsked as fault:
                reasons.append(fault.reason)

    async with Client(mcp, elicitation_callback=None if at_desk else Person()) as client:
        for _ in range(2):  # its place is free again
            await client.session.call_tool("tidy", {}, allow_input_required=True)
            await asking.room.close()
    assert reasons == [OVER, OVER]
    assert await table.desk.open() == ()
