"""Processor time of one question on the official SDK, in memory: `ask` beside what the SDK itself offers.

That is `ctx.elicit` on a legacy connection, and a parameter resolved before the body on a modern one. The same
tool on the same server is called each way, in turns, the least of several turns. Client and server run in one process,
so that the work of both is counted, on both sides alike.
"""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, Literal

import anyio
from _booking import CONTENT, Named, booking_model, one_field_model
from _turns import TURNS, report_share
from mcp import Client
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp_types import ElicitResult

from askfirst import Accepted, Ask, askable

QUESTIONS = 200
Mode = Literal["legacy", "auto"]


def server(kind: type[Named]) -> MCPServer:
    """A server whose tools all ask for this form, each in another way."""
    mcp = MCPServer("cpu")

    def elicit() -> Elicit[Named]:
        return Elicit("Which booking?", kind)

    @mcp.tool()
    @askable
    async def ours(ask: Ask) -> str:
        answer = await ask("Which booking?", kind)
        return answer.data.name if isinstance(answer, Accepted) else "none"

    @mcp.tool()
    async def pushed(ctx: Context[Any, Any]) -> str:
        answer = await ctx.elicit("Which booking?", kind)
        return answer.data.name if answer.action == "accept" else "none"

    async def resolved(booking: Named) -> str:
        return booking.name

    resolved.__annotations__["booking"] = Annotated[kind, Resolve(elicit)]
    mcp.tool()(resolved)
    return mcp


async def spent(call: Callable[[], Awaitable[Any]]) -> float:
    """Milliseconds of processor time for one call."""
    start = time.process_time()
    for _ in range(QUESTIONS):
        await call()
    return (time.process_time() - start) / QUESTIONS * 1000


async def compare(kind: type[Named], mode: Mode, theirs: str) -> tuple[float, float]:
    """The least that our tool and theirs need."""
    content = {name: CONTENT[name] for name in kind.model_fields}

    async def answer(context: object, params: object) -> ElicitResult:
        return ElicitResult.model_validate({"action": "accept", "content": content})

    async with Client(server(kind), mode=mode, elicitation_callback=answer) as client:
        turns = [
            (
                await spent(partial(client.call_tool, "ours", {})),
                await spent(partial(client.call_tool, theirs, {})),
            )
            for _ in range(TURNS)
        ]
    return min(ours for ours, _ in turns), min(other for _, other in turns)


async def main() -> None:
    for what, kind, limits in (
        ("six fields", booking_model(), (0.75, 0.45)),
        ("one field", one_field_model(), (None, None)),
    ):
        ours, theirs = await compare(kind, "legacy", "pushed")
        report_share(f"question, {what}, legacy, beside ctx.elicit", ours, theirs, limits[0])
        ours, theirs = await compare(kind, "auto", "resolved")
        report_share(f"question, {what}, modern, beside a resolved parameter", ours, theirs, limits[1])


if __name__ == "__main__":
    anyio.run(main)
