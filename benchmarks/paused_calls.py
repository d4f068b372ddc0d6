"""Memory of a paused call: 10,000 calls wait at once on the official SDK, then all are answered; and once more.

Two measures: what Python's allocations hold for each waiting call and after the answers (`tracemalloc`), and what the
process has in memory. Memory that is given back to Python stays with the process, so a second round tells whether it
is used again. With `--where` the lines that allocate the most are printed.
"""

import gc
import resource
import sys
import tracemalloc
from pathlib import Path

import anyio
from _turns import verdict
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ElicitResult, InputRequiredResult

from askfirst import Accepted, Ask, Asking, askable

CALLS = 10_000
LIMIT = 16
SPARE = 0.1
"""KiB a call that may stay: tables of dictionaries that grew, which do not shrink."""

YES = ElicitResult(action="accept", content={"value": True})


class Waiting:
    """The client's side of calls that wait: how many there are, and what each needs to go on."""

    def __init__(self, client: Client) -> None:
        self._session = client.session
        self._open: list[tuple[str | None, str]] = []

    async def call(self, count: int) -> None:
        for _ in range(count):
            first = await self._session.call_tool("wait", {}, allow_input_required=True)
            assert isinstance(first, InputRequiredResult)
            (key,) = first.input_requests or {}
            self._open.append((first.request_state, key))

    async def answer(self) -> None:
        for state, key in self._open:
            last = await self._session.call_tool(
                "wait", {}, input_responses={key: YES}, request_state=state, allow_input_required=True
            )
            assert isinstance(last, CallToolResult)
        self._open.clear()

    def size(self) -> int:
        """Bytes that are the client's own."""
        return sys.getsizeof(self._open) + sum(
            map(sys.getsizeof, [one for pair in self._open for one in (pair, *pair)])
        )


def resident() -> float:
    """KiB of this process in memory now."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024


def held() -> float:
    """KiB that are allocated since the tracing began."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024


async def trace(asking: Asking, waiting: Waiting) -> None:
    tracemalloc.start()
    await waiting.call(CALLS)
    assert len(asking.room) == CALLS
    each = (held() - waiting.size() / 1024) / CALLS
    if "--where" in sys.argv:
        for line in tracemalloc.take_snapshot().statistics("lineno")[:25]:
            print(line)
    await waiting.answer()
    assert len(asking.room) == 0
    left = held() / CALLS
    tracemalloc.stop()
    print(f"paused call: {each:.1f} KiB each with {CALLS} waiting{verdict(each, LIMIT)}")
    print(f"after the answers: {left:.2f} KiB a call are held{verdict(left, SPARE)}")


async def measure() -> None:
    asking = Asking(max_paused=CALLS)
    mcp = MCPServer("waiting")

    @mcp.tool()
    @askable(asking=asking)
    async def wait(ask: Ask) -> str:
        answer = await ask("Go on?", bool)
        return str(answer.data) if isinstance(answer, Accepted) else "no"

    async def never(context: object, params: object) -> ElicitResult:
        raise AssertionError("answered by hand")

    async with Client(mcp, elicitation_callback=never) as client:
        waiting = Waiting(client)
        await waiting.call(50)
        await waiting.answer()
        before, peaks = resident(), []
        for _ in range(2):
            await waiting.call(CALLS)
            peaks.append((resident() - before) / CALLS)
            await waiting.answer()
        again = peaks[1] - peaks[0]
        print(f"resident: {peaks[0]:.1f} KiB more for each waiting call{verdict(peaks[0], LIMIT)}")
        print(f"resident, a second round: {again:.2f} KiB a call more than the first{verdict(again, SPARE)}")
        await trace(asking, waiting)


if __name__ == "__main__":
    anyio.run(measure)
