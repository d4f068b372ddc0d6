"""The server of the golden conversations: a tool for each way of asking."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.prompts.base import Message, UserMessage

from askfirst import Accepted, Answer, Ask, Asking, Fill, askable, form

__all__ = ["golden_server"]


@form
@dataclass
class Deletion:
    confirm: bool
    reason: str


def said(answer: Answer[Any]) -> str:
    """An answer as a word, and what was accepted."""
    return f"accept {answer.data!r}" if isinstance(answer, Accepted) else answer.action


def golden_server() -> MCPServer:
    """A server of its own for each conversation."""
    mcp, asking = MCPServer("golden", version="1"), Asking()

    async def delete(table: str, ask: Ask) -> str:
        return said(await ask(f"Delete all of {table}?", Deletion))

    async def order(ask: Ask) -> str:
        """Charges in between, once."""
        count = said(await ask("How many?", int))
        receipt = await ask.once("charge", lambda: "receipt 1")
        return f"{count}, {receipt}, {said(await ask('Gift wrap?', bool))}"

    mcp.tool(name="delete")(askable(asking=asking)(delete))
    mcp.tool(name="delete_replayed")(askable(asking=asking, resume="replay")(delete))
    mcp.tool(name="order_replayed")(askable(asking=asking, resume="replay")(order))

    @mcp.tool()
    @askable(asking=asking)
    async def deploy(
        environment: Annotated[Literal["staging", "production"], Fill("Which environment?")],
    ) -> str:
        return f"deployed to {environment}"

    @mcp.tool()
    @askable(asking=asking)
    async def wipe(sure: Annotated[bool, Fill("Wipe the disk?", person_only=True)]) -> str:
        return f"wiped: {sure}"

    @mcp.tool()
    @askable(asking=asking)
    async def greet(ask: Ask) -> str:
        answers = await ask.together(name=("Your name?", str), age=("Your age?", int))
        return " and ".join(map(said, answers.values()))

    @mcp.tool()
    @askable(asking=asking)
    async def pick(ask: Ask) -> str:
        colours = said(await ask.choose_many("Which colours?", {"red": 1, "green": 2}, at_least=1))
        return f"{colours}, {said(await ask.choose('Which size?', {'S': 'small', 'L': 'large'}))}"

    @mcp.tool()
    @askable(asking=asking)
    async def pay(ask: Ask) -> str:
        async def paid() -> None:
            """The page tells us; here at once."""

        return said(await ask.visit("Pay on our page.", "https://pay.example.com/1", until=paid))

    @mcp.prompt()
    @askable(asking=asking)
    async def letter(ask: Ask) -> list[Message]:
        return [UserMessage(f"Write to {said(await ask('To whom?', str))}.")]

    return mcp
