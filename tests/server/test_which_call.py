"""Which calls are taken for one, so that what was asked in the first is answered in the next: those alike in all."""

from typing import Any

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, SecretStr

from askfirst import Ask, Asking, askable
from server.conftest import Connect, text_of
from server.table import YES, Table

pytestmark = pytest.mark.anyio


class Money(BaseModel):
    amount: int
    currency: str
    pin: SecretStr

    def __str__(self) -> str:
        return f"{self.amount}"


@pytest.mark.parametrize("resume", ["pause", "replay"])
@pytest.mark.parametrize("other", [{"currency": "USD"}, {"pin": "1235"}], ids=min)
async def test_a_consent_is_not_for_arguments_that_only_look_the_same(
    connect: Connect, other: dict[str, str], resume: Any
) -> None:
    mcp, table = MCPServer("bank"), Table()

    @mcp.tool()
    @askable(asking=Asking(desk=table, hold=0.02), resume=resume)
    async def pay(price: Money, ask: Ask) -> str:
        return (await ask("Pay?", bool)).action

    price = {"amount": 5, "currency": "JPY", "pin": "1234"}
    async with connect(mcp) as client:
        await client.call_tool("pay", {"price": price})
        posting = await table.answer(YES)
        waits = await client.call_tool("pay", {"price": price | other})
        assert waits.structured_content["outcome"] == "waiting"
        assert text_of(await client.call_tool("pay", {"price": price})) == "accept"
    assert posting.arguments == (("price", '{"amount": 5, "currency": "JPY", "pin": "**********"}'),)


async def test_functions_of_one_name_are_not_taken_for_each_other(connect: Connect) -> None:
    table = Table()
    mcp, asking = MCPServer("sites"), Asking(desk=table, hold=0.02)

    def site(name: str) -> Any:
        @askable(asking=asking)
        async def purge(ask: Ask) -> str:
            return f"{name}: {(await ask(f'Purge {name}?', bool)).action}"

        return purge

    mcp.add_tool(site("shop"), name="purge-shop")
    mcp.add_tool(site("blog"), name="purge-blog")
    mcp.prompt(name="purge-shop")(site("prompt"))
    async with connect(mcp) as client:
        waits = await client.call_tool("purge-shop", {})
        assert waits.structured_content["tool"] == "purge-shop"
        assert "call purge-shop again" in text_of(waits)
        posting = await table.answer(YES)
        assert (posting.origin.tool, posting.question.message) == ("purge-shop", "Purge shop?")
        assert "purge-blog waits" in text_of(await client.call_tool("purge-blog", {}))
        with pytest.raises(MCPError, match="purge-shop waits"):
            await client.get_prompt("purge-shop", {})
        assert text_of(await client.call_tool("purge-shop", {})) == "shop: accept"
