"""Memory of a paused call: 10,000 calls waiting at once on the official SDK, then all answered.

Prints KiB for each waiting call, and what is left after the answers. The bound to reach: 16 KiB each, given back.
"""

import gc
import resource
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitResult

from askfirst import Accepted, Ask, Asking, askable

CALLS = 10_000


def resident() -> float:
    """KiB of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


async def measure() -> None:
    asking = Asking(max_paused=CALLS)
    mcp = MCPServer("waiting")

    @mcp.tool()
    @askable(asking=asking)
    async def wait(ask: Ask) -> str:
        match await ask("Go on?", bool):
            case Accepted(value):
                return str(value)
        return "no"

    async def never(context: object, params: object) -> ElicitResult:
        raise AssertionError("answered by hand")

    async with Client(mcp, elicitation_callback=never) as client:

        async def call(**more: Any) -> Any:
            return await client.session.call_tool("wait", {}, allow_input_required=True, **more)

        async def answer(states: list[str | None], keys: list[str]) -> None:
            for state, key in zip(states, keys, strict=True):
                reply = {key: ElicitResult(action="accept", content={"value": True})}
                await call(input_responses=reply, request_state=state)

        async def rounds(count: int) -> tuple[list[str | None], list[str]]:
            states, keys = [], []
            for _ in range(count):
                first = await call()
                states.append(first.request_state)
                keys.extend(first.input_requests)
            return states, keys

        await answer(*await rounds(50))  # warm up
        gc.collect()
        before = resident()
        tracemalloc.start()
        states, keys = await rounds(CALLS)
        gc.collect()
        ours = tracemalloc.take_snapshot()
        held = sum(one.size for one in ours.statistics("filename")) / 1024
        clients = sum(map(sys.getsizeof, [*states, *keys])) / 1024
        tracemalloc.stop()
        waiting = resident()
        assert len(asking.room) == CALLS
        await answer(states, keys)
        assert len(asking.room) == 0
        del states, keys
        gc.collect()
        print(f"paused call: {(held - clients) / CALLS:.1f} KiB each with {CALLS} waiting (limit 16)")
        print(f"resident: {before:.0f} KiB before, {waiting:.0f} waiting, {resident():.0f} after the answers")
        if "--where" in sys.argv:
            for line in ours.statistics("lineno")[:25]:
                print(line)


if __name__ == "__main__":
    anyio.run(measure)
