"""Exactly the declared mode, or an honest end: capabilities as clients really send them, over raw messages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from askfirst import Accepted, Ask, Asking, Cancelled, askable
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio


def server(seen: list[Any], asking: Asking | None = None) -> MCPServer:
    mcp = MCPServer("modes")
    settings = asking or Asking()

    @mcp.tool()
    @askable(asking=settings)
    async def by_form(ask: Ask) -> str:
        seen.append(await ask("Well?", bool))
        return seen[-1].action

    @mcp.tool()
    @askable(asking=settings)
    async def by_url(ask: Ask) -> str:
        seen.append(await ask.visit("Pay on our page.", "https://pay.example.com/1"))
        return seen[-1].action

    @mcp.tool()
    @askable(asking=settings)
    async def many(ask: Ask) -> str:
        seen.append(await ask.choose_many("Which?", {"a": 1, "b": 2, "c": 3}))
        return seen[-1].action

    return mcp


class Raw:
    """A client of bare messages, for what the official one would not send."""

    def __init__(self, read: Any, write: Any) -> None:
        self._read, self._write, self._id = read, write, 0

    async def send(self, message: Any) -> None:
        await self._write.send(SessionMessage(message))

    async def request(self, method: str, params: dict[str, Any]) -> None:
        self._id += 1
        await self.send(JSONRPCRequest(jsonrpc="2.0", id=self._id, method=method, params=params))

    async def receive(self) -> Any:
        with anyio.fail_after(10):
            return (await self._read.receive()).message

    async def call(self, name: str) -> Any:
        await self.request("tools/call", {"name": name, "arguments": {}})
        return await self.receive()

    async def reply(self, asked: Any, result: dict[str, Any]) -> Any:
        await self.send(JSONRPCResponse(jsonrpc="2.0", id=asked.id, result=result))
        return await self.receive()


@asynccontextmanager
async def raw(mcp: MCPServer, version: str, capabilities: dict[str, Any]) -> AsyncIterator[Raw]:
    async with (
        create_client_server_memory_streams() as ((read, write), (server_read, server_write)),
        anyio.create_task_group() as group,
    ):
        low = mcp._lowlevel_server
        group.start_soon(low.run, server_read, server_write, low.create_initialization_options())
        client = Raw(read, write)
        hello = {
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": {"name": "raw", "version": "1"},
        }
        await client.request("initialize", hello)
        assert (await client.receive()).result["protocolVersion"] == version
        await client.send(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"))
        yield client
        group.cancel_scope.cancel()


def outcome(message: Any) -> str:
    return str(message.result["structuredContent"]["outcome"])


@pytest.mark.parametrize("capability", [{}, {"form": {}}, {"form": {}, "url": {}}])
async def test_a_declared_form_is_pushed_with_only_what_the_revision_has(capability: dict[str, Any]) -> None:
    async with raw(server([]), "2025-06-18", {"elicitation": capability}) as client:
        asked = await client.call("by_form")
        assert set(asked.params) == {"message", "requestedSchema"}
        done = await client.reply(asked, {"action": "decline", "content": {"value": True}})
    assert done.result["content"][0]["text"] == "decline"


async def test_the_next_revision_says_its_mode() -> None:
    async with raw(server([]), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        assert set(asked.params) == {"message", "mode", "requestedSchema"}


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"sampling": {}}])
async def test_an_undeclared_form_is_not_asked(capabilities: dict[str, Any]) -> None:
    async with raw(server([]), "2025-11-25", capabilities) as client:
        assert outcome(await client.call("by_form")) == "nobody_asked"


@pytest.mark.parametrize(
    ("version", "capability"), [("2025-11-25", {}), ("2025-11-25", {"form": {}}), ("2025-06-18", {"url": {}})]
)
async def test_an_undeclared_or_unknown_url_mode_is_not_used(
    version: str, capability: dict[str, Any]
) -> None:
    async with raw(server([]), version, {"elicitation": capability}) as client:
        assert outcome(await client.call("by_url")) == "nobody_asked"


async def test_a_url_question_carries_an_id_where_the_revision_has_one() -> None:
    async with raw(server([]), "2025-11-25", {"elicitation": {"url": {}}}) as client:
        asked = await client.call("by_url")
        assert set(asked.params) == {"mode", "message", "url", "elicitationId"}
        assert (asked.params["mode"], asked.params["url"]) == ("url", "https://pay.example.com/1")
        done = await client.reply(asked, {"action": "accept"})
    assert done.result["content"][0]["text"] == "accept"


async def test_an_unknown_action_is_an_error_and_never_consent() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        done = await client.reply(asked, {"action": "approve", "content": {"value": True}})
    assert done.result["isError"]
    assert seen == []
    assert "accept, decline or cancel" in done.result["content"][0]["text"]


async def test_content_that_is_not_even_primitive_is_asked_again() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        again = await client.reply(asked, {"action": "accept", "content": {"value": {"nested": True}}})
        assert again.method == "elicitation/create"
        await client.reply(again, {"action": "accept", "content": {"value": True}})
    assert seen == [Accepted(True)]


async def test_a_multi_select_is_one_yes_or_no_a_choice_where_the_revision_has_none() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-06-18", {"elicitation": {}}) as client:
        asked = await client.call("many")
        properties = asked.params["requestedSchema"]["properties"]
        assert {one["type"] for one in properties.values()} == {"boolean"}
        ticked = {name: one["title"] in ("a", "c") for name, one in properties.items()}
        await client.reply(asked, {"action": "accept", "content": ticked})
    assert seen == [Accepted([1, 3])]


async def test_a_question_nobody_answers_in_time_is_expired_and_withdrawn() -> None:
    seen: list[Any] = []
    async with raw(server(seen, Asking(patience=0.02)), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        withdrawn = await client.receive()
        assert withdrawn.method == "notifications/cancelled"
        assert withdrawn.params["requestId"] == asked.id
        done = await client.receive()
    assert done.result["content"][0]["text"] == "cancel"
    assert seen == [Cancelled(expired=True)]


async def test_cancelling_a_legacy_call_withdraws_its_question_and_ends_its_body() -> None:
    mcp, log = MCPServer("cancelled"), []

    @mcp.tool()
    @askable
    async def waits(ask: Ask) -> str:
        try:
            return (await ask("Well?", bool)).action
        finally:
            log.append("ended")

    async with raw(mcp, "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("waits")
        params = {"requestId": client._id, "reason": "user"}
        await client.send(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))
        withdrawn = await client.receive()
        assert (withdrawn.method, withdrawn.params["requestId"]) == ("notifications/cancelled", asked.id)
        await anyio.wait_all_tasks_blocked()
    assert log == ["ended"]


async def test_a_client_that_vanishes_ends_the_body() -> None:
    mcp, log = MCPServer("vanished"), []

    @mcp.tool()
    @askable
    async def waits(ask: Ask) -> str:
        try:
            return (await ask("Well?", bool)).action
        finally:
            log.append("ended")

    async with raw(mcp, "2025-11-25", {"elicitation": {}}) as client:
        await client.call("waits")
        await client._write.aclose()
        await anyio.wait_all_tasks_blocked()
        assert log == ["ended"]


async def test_a_visit_is_complete_when_the_servers_own_wait_ends(connect: Connect, era: str) -> None:
    mcp, log = MCPServer("visits"), []

    @mcp.tool()
    @askable
    async def pay(ask: Ask) -> str:
        async def paid() -> None:
            log.append("paid")

        answer = await ask.visit("Pay on our page.", "http://localhost:8000/pay", until=paid)
        return answer.action

    person = Person("accept", "decline")
    async with connect(mcp, person) as client:
        assert text_of(await client.call_tool("pay", {})) == "accept"
        assert text_of(await client.call_tool("pay", {})) == "decline"
    assert log == ["paid"]
    assert all((one.elicitation_id is not None) is (era == "legacy") for one in person.asked)


@pytest.mark.parametrize(
    "url", ["ftp://example.com", "http://example.com", "javascript:alert(1)", "nonsense"]
)
async def test_an_address_that_must_not_be_put_before_a_person_is_refused(connect: Connect, url: str) -> None:
    mcp = MCPServer("visits")

    @mcp.tool()
    @askable
    async def pay(ask: Ask) -> str:
        return (await ask.visit("Pay.", url)).action

    person = Person()
    async with connect(mcp, person) as client:
        result = await client.call_tool("pay", {})
    assert result.is_error
    assert person.asked == []


async def test_a_message_that_asks_for_a_secret_is_refused_before_it_is_sent(connect: Connect) -> None:
    mcp = MCPServer("secrets")

    @mcp.tool()
    @askable
    async def login(ask: Ask) -> str:
        return (await ask("Enter your password", str)).action

    person = Person({"value": "hunter2"})
    async with connect(mcp, person) as client:
        result = await client.call_tool("login", {})
    assert result.is_error
    assert person.asked == []
    assert "url mode" in text_of(result)


async def test_a_completion_notice_is_sent_where_the_revision_has_one() -> None:
    mcp = MCPServer("visits")

    @mcp.tool()
    @askable
    async def pay(ask: Ask) -> str:
        async def paid() -> None:
            pass

        return (await ask.visit("Pay.", "https://pay.example.com", until=paid)).action

    async with raw(mcp, "2025-11-25", {"elicitation": {"url": {}}}) as client:
        asked = await client.call("pay")
        notice = await client.reply(asked, {"action": "accept"})
        assert notice.method == "notifications/elicitation/complete"
        assert notice.params["elicitationId"] == asked.params["elicitationId"]


async def test_a_call_from_inside_the_process_has_nobody_to_ask() -> None:
    result = await server([]).call_tool("by_form", {})
    assert "nobody was asked" in result.content[0].text  # type: ignore[union-attr]


async def test_a_client_that_declares_nothing_keeps_its_tools(connect: Connect) -> None:
    async with connect(server([])) as client:
        assert isinstance(client, Client)
        assert {one.name for one in (await client.list_tools()).tools} == {"by_form", "by_url", "many"}
