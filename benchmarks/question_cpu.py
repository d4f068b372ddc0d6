"""CPU of one question on the official SDK, in memory: `ask` beside `ctx.elicit` (legacy) and a resolver (modern).

Prints ratios. The bounds to reach: 0.75 and 0.45. Each side does the same work, taken in turns, least of five.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio
from mcp import Client
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp_types import ElicitResult
from pydantic import BaseModel

from askfirst import Accepted, Ask, askable, form

QUESTIONS = 300
TURNS = 5


@form
class Booking(BaseModel):
    name: str
    party: int
    window: bool = False


def elicit_booking() -> Elicit[Booking]:
    return Elicit("Which booking?", Booking)


def server() -> MCPServer:
    mcp = MCPServer("cpu")

    @mcp.tool()
    @askable
    async def ours(ask: Ask) -> str:
        match await ask("Which booking?", Booking):
            case Accepted(data):
                return data.name
        return "none"

    @mcp.tool()
    async def theirs(ctx: Context[Any, Any]) -> str:
        answer = await ctx.elicit("Which booking?", Booking)
        return answer.data.name if answer.action == "accept" else "none"

    @mcp.tool()
    async def resolved(booking: Annotated[Booking, Resolve(elicit_booking)]) -> str:
        return booking.name

    @mcp.tool()
    async def nothing() -> str:
        return "Ada"

    return mcp


async def answer(context: object, params: object) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Ada", "party": 4})


async def spent(call: Callable[[], Awaitable[Any]]) -> float:
    start = time.process_time()
    for _ in range(QUESTIONS):
        await call()
    return (time.process_time() - start) / QUESTIONS * 1000


async def compare(mode: str, ours: str, theirs: str) -> tuple[float, float]:
    async with Client(server(), mode=mode, elicitation_callback=answer) as client:

        def calling(name: str) -> Callable[[], Awaitable[Any]]:
            return lambda: client.call_tool(name, {})

        least = {ours: float("inf"), theirs: float("inf")}
        for _ in range(TURNS):
            for name in least:
                least[name] = min(least[name], await spent(calling(name)))
        return least[ours], least[theirs]


async def main() -> None:
    for mode, theirs, limit in (("legacy", "theirs", 0.75), ("auto", "resolved", 0.45)):
        mine, other = await compare(mode, "ours", theirs)
        era = "legacy, ctx.elicit" if mode == "legacy" else "modern, a resolver"
        print(f"question ({era}): {mine:.3f} ms beside {other:.3f} ms, ratio {mine / other:.2f} (limit {limit})")


if __name__ == "__main__":
    anyio.run(main)
