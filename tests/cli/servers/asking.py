"""A server of the official SDK that asks: in the body (legacy), and through resolved parameters (both eras)."""

from typing import Annotated, Literal

import anyio
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel

mcp = MCPServer("asking-server")


class Party(BaseModel):
    guests: int
    outside: bool = False


@mcp.tool()
async def plan(ctx: Context) -> str:
    """Plan a party.

    The second line is nobody's business.
    """
    answer = await ctx.elicit("How many guests?", Party)
    if answer.action == "accept":
        return f"a party for {answer.data.guests}, {'outside' if answer.data.outside else 'inside'}"
    return f"no party: {answer.action}"


def ask_party() -> Elicit[Party]:
    return Elicit("How many guests?", Party)


@mcp.tool()
async def book(party: Annotated[ElicitationResult[Party], Resolve(ask_party)]) -> str:
    """Book a party in any era."""
    if party.action == "accept":
        return f"booked for {party.data.guests}, {'outside' if party.data.outside else 'inside'}"
    return f"not booked: {party.action}"


@mcp.tool()
async def echo(
    text: str,
    times: int = 1,
    loud: bool = False,
    mood: Literal["glad", "sad"] | None = None,
    tags: list[str] | None = None,
    extra: dict[str, int] | None = None,
) -> str:
    """Say it again."""
    return f"{text!r} {times!r} {loud!r} {mood!r} {tags!r} {extra!r}"


@mcp.tool()
async def work(steps: int, ctx: Context, pause: float = 0.0) -> str:
    """Work in steps."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        await anyio.sleep(pause)
    return "done"


@mcp.tool()
async def fail() -> str:
    """Fail."""
    raise ValueError("the tool broke")


@mcp.tool()
async def deceive() -> str:
    """Return what a terminal would obey."""
    return "before\x1b[2Jafter"


if __name__ == "__main__":
    mcp.run()
