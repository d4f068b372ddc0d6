"""What must happen once in a call does, however often and from wherever it is called."""

from typing import Any

import anyio
import pytest
from mcp.server.mcpserver import MCPServer

from askfirst import Ask, askable
from askfirst.server.steps import Steps
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_a_step_happens_once_before_and_after_a_question(connect: Connect, resume: Any) -> None:
    mcp, charges = MCPServer("orders"), []

    @mcp.tool()
    @askable(resume=resume)
    async def order(ask: Ask) -> str:
        def charge() -> str:
            charges.append("charged")
            return f"receipt {len(charges)}"

        before = await ask.once("charge", charge)
        await ask("Gift wrap?", bool)
        return f"{before}, {await ask.once('charge', charge)}"

    async with connect(mcp, Person({"value": True})) as client:
        assert text_of(await client.call_tool("order", {})) == "receipt 1, receipt 1"
    assert charges == ["charged"]


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_what_a_body_does_to_a_result_is_not_recorded(connect: Connect, resume: Any) -> None:
    mcp = MCPServer("steps")

    @mcp.tool()
    @askable(resume=resume)
    async def pack(ask: Ask) -> str:
        parcel = await ask.once("parcel", lambda: {"items": ["book"]})
        parcel["items"].append("card")
        await ask("Send it?", bool)
        return f"{parcel} {await ask.once('parcel', lambda: {})}"

    async with connect(mcp, Person({"value": True})) as client:
        result = await client.call_tool("pack", {})
    assert text_of(result) == "{'items': ['book', 'card']} {'items': ['book']}"


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_another_call_takes_its_own_steps(connect: Connect, resume: Any) -> None:
    mcp, charges = MCPServer("orders"), []

    @mcp.tool()
    @askable(resume=resume)
    async def order(ask: Ask) -> None:
        await ask.once("charge", lambda: charges.append("charged"))

    async with connect(mcp, Person()) as client:
        await client.call_tool("order", {})
        await client.call_tool("order", {})
    assert charges == ["charged", "charged"]


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_a_step_called_from_two_tasks_at_once_happens_once(connect: Connect, resume: Any) -> None:
    mcp, charges = MCPServer("orders"), []

    @mcp.tool()
    @askable(resume=resume)
    async def order(ask: Ask) -> str:
        async def charge() -> None:
            await anyio.lowlevel.checkpoint()
            charges.append("charged")

        async with anyio.create_task_group() as group:
            group.start_soon(ask.once, "charge", charge)
            group.start_soon(ask.once, "charge", charge)
        return "done"

    async with connect(mcp, Person()) as client:
        await client.call_tool("order", {})
    assert charges == ["charged"]


async def test_a_step_that_failed_did_not_happen_and_runs_for_one_caller_at_a_time() -> None:
    steps, running, log = Steps(), [], []

    async def step() -> str:
        running.append("in")
        assert len(running) == 1
        await anyio.lowlevel.checkpoint()
        running.pop()
        log.append("ran")
        if len(log) == 1:
            raise RuntimeError("not yet")
        return "done"

    async def one() -> None:
        try:
            log.append(await steps.run("step", step))
        except RuntimeError:
            log.append("failed")
            await one()  # comes while the other one runs

    async with anyio.create_task_group() as group:
        group.start_soon(one)
        group.start_soon(one)
    assert log == ["ran", "failed", "ran", "done", "done"]


async def test_no_more_results_are_kept_than_were_asked_for() -> None:
    steps, runs = Steps(most=2), []

    async def run(key: str) -> None:
        async def step() -> None:
            runs.append(key)

        await steps.run(key, step)

    for key in "abbcb":
        await run(key)
    assert runs == ["a", "b", "c"]
    await run("a")
    assert runs == ["a", "b", "c", "a"]
