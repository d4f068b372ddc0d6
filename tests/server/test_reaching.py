"""Exactly the declared mode, or an honest end: capabilities as clients really send them, over raw messages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Asking, Cancelled, Declined, NobodyAsked, askable
from bare import Bare, bare
from server.conftest import Connect, Person, text_of
from server.table import Table

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
    """A client that is asked and answers by bare messages."""

    def __init__(self, wire: Bare) -> None:
        self.wire = wire
        self.calls = 0

    async def call(self, name: str) -> dict[str, Any]:
        self.calls += 1
        params = {"name": name, "arguments": {}}
        await self.wire.send({"id": self.calls, "method": "tools/call", "params": params})
        return await self.wire.receive()

    async def reply(self, asked: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
        await self.wire.send({"id": asked["id"], "result": result})
        return await self.wire.receive()


@asynccontextmanager
async def raw(mcp: MCPServer, version: str, capabilities: dict[str, Any]) -> AsyncIterator[Raw]:
    async with bare(mcp) as wire:
        await wire.initialize(version, capabilities)
        yield Raw(wire)


def outcome(message: dict[str, Any]) -> str:
    return str(message["result"]["structuredContent"]["outcome"])


@pytest.mark.parametrize("capability", [{}, {"form": {}}, {"form": {}, "url": {}}])
async def test_a_declared_form_is_pushed_with_only_what_the_revision_has(capability: dict[str, Any]) -> None:
    async with raw(server([]), "2025-06-18", {"elicitation": capability}) as client:
        asked = await client.call("by_form")
        assert set(asked["params"]) == {"message", "requestedSchema"}
        done = await client.reply(asked, {"action": "decline", "content": {"value": True}})
    assert done["result"]["content"][0]["text"] == "decline"


async def test_the_next_revision_says_its_mode() -> None:
    async with raw(server([]), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        assert set(asked["params"]) == {"message", "mode", "requestedSchema"}


@pytest.mark.parametrize(
    "capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": {"form": None}}, {"sampling": {}}]
)
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
        assert set(asked["params"]) == {"mode", "message", "url", "elicitationId"}
        assert (asked["params"]["mode"], asked["params"]["url"]) == ("url", "https://pay.example.com/1")
        done = await client.reply(asked, {"action": "accept"})
    assert done["result"]["content"][0]["text"] == "accept"


async def test_an_unknown_action_is_an_error_and_never_consent() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        done = await client.reply(asked, {"action": "approve", "content": {"value": True}})
    assert done["result"]["isError"]
    assert seen == []
    assert "accept, decline or cancel" in done["result"]["content"][0]["text"]


async def test_what_a_client_says_in_its_error_is_told_as_plain_text_and_not_without_end() -> None:
    async with raw(server([]), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        error = {"code": -32000, "message": "\x1b[31mno\n" + "x" * 10_000}
        await client.wire.send({"id": asked["id"], "error": error})
        reason = (await client.wire.receive())["result"]["structuredContent"]["reason"]
    assert reason.startswith("the client answered the question with error -32000: no xxx")
    assert len(reason) < 300


async def test_a_result_that_is_no_answer_is_an_error_and_never_consent() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        done = await client.reply(asked, {"content": {"value": True}, "model": "s3cret"})
    assert done["result"]["isError"]
    assert "expected the action accept, decline or cancel" in done["result"]["content"][0]["text"]
    assert "s3cret" not in str(done)
    assert seen == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("content", [None, [], "yes", True, {"value": True}, {"value": {"nested": True}}])
@pytest.mark.parametrize("tool", ["by_form", "by_url"])
async def test_a_no_stays_a_no_whatever_stands_beside_it(tool: str, content: object, action: str) -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {"form": {}, "url": {}}}) as client:
        asked = await client.call(tool)
        done = await client.reply(asked, {"action": action, "content": content, "_meta": 7})
    assert done["result"]["content"][0]["text"] == action
    assert [one.action for one in seen] == [action]


@pytest.mark.parametrize("content", [None, [], "yes", True, {"value": {"nested": True}}])
async def test_consent_to_a_visit_is_no_matter_of_content(content: object) -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {"url": {}}}) as client:
        asked = await client.call("by_url")
        await client.reply(asked, {"action": "accept", "content": content})
    assert seen == [Accepted(None)]


async def test_an_answer_to_something_else_is_no_answer() -> None:
    seen: list[Any] = []
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    }
    params = {"name": "by_form", "arguments": {}, "_meta": meta}
    async with bare(server(seen)) as wire:
        await wire.send({"id": 1, "method": "tools/call", "params": params})
        state = (await wire.receive())["result"]["requestState"]
        roots = {"question": {"roots": []}}
        again = {**params, "requestState": state, "inputResponses": roots}
        await wire.send({"id": 2, "method": "tools/call", "params": again})
        assert (await wire.receive())["result"]["resultType"] == "input_required"
    assert seen == []


def modern(name: str, capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Parameters of a call whose client declares these capabilities in it."""
    prefix = "io.modelcontextprotocol"
    meta = {f"{prefix}/protocolVersion": "2026-07-28", f"{prefix}/clientCapabilities": capabilities}
    return {"name": name, "arguments": {}, "_meta": meta, **more}


@pytest.mark.parametrize("less", [{}, {"elicitation": {"url": {}}}], ids=["nothing", "the other mode"])
@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_a_retry_is_asked_only_in_a_mode_that_it_declares_itself(
    resume: Literal["pause", "replay"], less: dict[str, Any]
) -> None:
    mcp, reasons = MCPServer("retried"), []

    @mcp.tool()
    @askable(resume=resume)
    async def both(ask: Ask) -> str:
        try:
            return " ".join((await ask.together(a=("A?", bool), b=("B?", bool))).keys())
        except NobodyAsked as nobody:
            reasons.append(nobody.reason)
            raise

    async with bare(mcp) as wire:
        await wire.send({"id": 1, "method": "tools/call", "params": modern("both", {"elicitation": {}})})
        state = (await wire.receive())["result"]["requestState"]
        half = {"a": {"action": "accept", "content": {"value": True}}}
        params = modern("both", less, requestState=state, inputResponses=half)
        await wire.send({"id": 2, "method": "tools/call", "params": params})
        ended = (await wire.receive())["result"]
    assert ended["resultType"] == "complete"
    assert ended["structuredContent"]["outcome"] == "nobody_asked"
    assert ended["structuredContent"]["question"] == "B?"
    assert reasons == ["the client does not declare the elicitation capability for form questions"]


async def test_content_that_is_not_even_primitive_is_asked_again() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        again = await client.reply(asked, {"action": "accept", "content": {"value": {"nested": True}}})
        assert again["method"] == "elicitation/create"
        await client.reply(again, {"action": "accept", "content": {"value": True}})
    assert seen == [Accepted(True)]


async def test_a_multi_select_is_one_yes_or_no_a_choice_where_the_revision_has_none() -> None:
    seen: list[Any] = []
    async with raw(server(seen), "2025-06-18", {"elicitation": {}}) as client:
        asked = await client.call("many")
        properties = asked["params"]["requestedSchema"]["properties"]
        assert {one["type"] for one in properties.values()} == {"boolean"}
        ticked = {name: one["title"] in ("a", "c") for name, one in properties.items()}
        await client.reply(asked, {"action": "accept", "content": ticked})
    assert seen == [Accepted([1, 3])]


async def test_a_question_nobody_answers_in_time_is_expired_and_withdrawn() -> None:
    seen: list[Any] = []
    async with raw(server(seen, Asking(patience=0.02)), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("by_form")
        withdrawn = await client.wire.receive()
        assert withdrawn["method"] == "notifications/cancelled"
        assert withdrawn["params"]["requestId"] == asked["id"]
        done = await client.wire.receive()
    assert done["result"]["content"][0]["text"] == "cancel"
    assert seen == [Cancelled(expired=True)]


def waiting(log: list[str]) -> MCPServer:
    """A tool whose body waits for an answer and notes that it has ended."""
    mcp = MCPServer("waiting")

    @mcp.tool()
    @askable
    async def waits(ask: Ask) -> str:
        try:
            return (await ask("Well?", bool)).action
        finally:
            log.append("ended")

    return mcp


async def test_cancelling_a_legacy_call_withdraws_its_question_and_ends_its_body() -> None:
    log: list[str] = []
    async with raw(waiting(log), "2025-11-25", {"elicitation": {}}) as client:
        asked = await client.call("waits")
        params = {"requestId": client.calls, "reason": "user"}
        await client.wire.send({"method": "notifications/cancelled", "params": params})
        withdrawn = await client.wire.receive()
        assert (withdrawn["method"], withdrawn["params"]["requestId"]) == (
            "notifications/cancelled",
            asked["id"],
        )
        await anyio.wait_all_tasks_blocked()
    assert log == ["ended"]


async def test_a_client_that_vanishes_ends_the_body() -> None:
    log: list[str] = []
    async with raw(waiting(log), "2025-11-25", {"elicitation": {}}) as client:
        await client.call("waits")
        await client.wire.leave()
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
        assert notice["method"] == "notifications/elicitation/complete"
        assert notice["params"]["elicitationId"] == asked["params"]["elicitationId"]


@pytest.mark.parametrize("typed", [Accepted({"value": "hunter2-key"}), Declined()], ids=["typed", "declined"])
async def test_a_client_that_sent_its_person_to_type_a_secret_hears_when_that_is_done(typed: Any) -> None:
    table, mcp = Table(), MCPServer("vault")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def login(ask: Ask) -> str:
        return (await ask.secret("To read the weather.", "API key")).action

    async with raw(mcp, "2025-11-25", {"elicitation": {"url": {}}}) as client:
        asked = await client.call("login")
        await client.wire.send({"id": asked["id"], "result": {"action": "accept"}})
        await table.answer(typed)
        heard = [await client.wire.receive()]
        if typed.action == "accept":
            heard.append(await client.wire.receive())
    *notices, done = heard
    assert [one["params"]["elicitationId"] for one in notices] == [asked["params"]["elicitationId"]] * len(
        notices
    )
    assert done["result"]["content"][0]["text"] == typed.action


async def test_a_call_from_inside_the_process_has_nobody_to_ask() -> None:
    result = await server([]).call_tool("by_form", {})
    assert "nobody was asked" in result.content[0].text  # type: ignore[union-attr]


async def test_a_client_that_declares_nothing_keeps_its_tools(connect: Connect) -> None:
    async with connect(server([])) as client:
        assert isinstance(client, Client)
        assert {one.name for one in (await client.list_tools()).tools} == {"by_form", "by_url", "many"}
