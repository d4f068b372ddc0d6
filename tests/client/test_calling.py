"""An answerer hears of the tool that is really being called, from the SDK's own client and server, in both eras."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp.client import Client, ClientRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from askfirst import Ask, askable, connect
from askfirst.client.calling import Calls
from askfirst.client.passing import passing
from askfirst.client.policy import Policy
from askfirst.core.answers import Accepted, Answer, Content
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from client.raw_server import RawServer, text

pytestmark = pytest.mark.anyio

QUESTION = {
    "method": "elicitation/create",
    "params": {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}},
}


class Hearing:
    """Accepts, and remembers in which tool each message was asked."""

    def __init__(self) -> None:
        self.tools: dict[str, str | None] = {}

    def reaches(self) -> frozenset[Mode]:
        return frozenset(Mode)

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        self.tools[question.message] = origin.tool
        return Accepted({"value": True} if question.message.startswith("Sure") else {})


def janitor(together: int = 1) -> MCPServer:
    """Whose tools ask as soon as `together` of them are being called."""
    mcp = MCPServer("janitor", log_level="ERROR")
    begun, all_here = [0], anyio.Event()

    async def sure(ask: Ask, what: str) -> str:
        begun[0] += 1
        if begun[0] >= together:
            all_here.set()
        await all_here.wait()
        return (await ask(f"Sure? {what}", bool)).action

    @mcp.tool()
    @askable
    async def drop_all(ask: Ask) -> str:
        return await sure(ask, "drop_all")

    @mcp.tool()
    @askable
    async def harmless(ask: Ask) -> str:
        return await sure(ask, "harmless")

    @mcp.prompt()
    @askable
    async def poem(ask: Ask) -> str:
        return await sure(ask, "poem")

    @mcp.resource("poems://{name}")
    @askable
    async def stored(name: str, ask: Ask) -> str:
        return await sure(ask, name)

    @mcp.tool()
    async def fails() -> str:
        raise RuntimeError("no")

    @mcp.tool()
    async def hangs() -> str:
        await anyio.sleep_forever()
        return "never"

    return mcp


@asynccontextmanager
async def streams(mcp: MCPServer) -> AsyncIterator[Any]:
    """A transport to the server, in this process."""
    low = mcp._lowlevel_server
    async with (
        create_client_server_memory_streams() as (client, (read, write)),
        anyio.create_task_group() as group,
    ):
        group.start_soon(low.run, read, write, low.create_initialization_options())
        yield client
        group.cancel_scope.cancel()


WAYS: dict[str, Callable[[MCPServer], Any]] = {"object": lambda mcp: mcp, "transport": streams}


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> Callable[[MCPServer], Any]:
    return WAYS[request.param]


def harmless_alone(told: list[str]) -> Policy:
    rule = {"tool": "harmless", "action": "accept", "content": {"value": True}}
    return Policy.from_dict({"answer": [rule]}, report=told.append)


async def test_the_answerer_hears_of_the_tool_that_is_called(
    way: Callable[[MCPServer], Any], mode: str
) -> None:
    hearing = Hearing()
    async with connect(way(janitor()), hearing, name="janitor", mode=mode) as client:
        await client.call_tool("drop_all")
        await client.call_tool(name="harmless", arguments={})
    assert hearing.tools == {"Sure? drop_all": "drop_all", "Sure? harmless": "harmless"}


async def test_a_rule_for_one_tool_accepts_nothing_of_another(mode: str) -> None:
    told: list[str] = []
    async with connect(streams(janitor()), harmless_alone(told), name="janitor", mode=mode) as client:
        assert (await client.call_tool("harmless")).content[0].text == "accept"
        await refused(client, "drop_all")
    assert ["accepted a question of janitor, tool harmless" in line for line in told] == [True, False]


async def refused(client: Client, tool: str) -> None:
    """The call fails in the way of its era."""
    try:
        result = await client.call_tool(tool)
    except MCPError:
        return
    assert result.is_error


async def both_at_once(client: Client, *tools: str) -> None:
    async with anyio.create_task_group() as group:
        for tool in tools:
            group.start_soon(client.call_tool, tool)


async def test_of_two_calls_at_once_each_is_told_apart_where_their_questions_say_it(
    way: Callable[[MCPServer], Any], mode: str
) -> None:
    hearing = Hearing()
    async with connect(way(janitor(2)), hearing, name="janitor", mode=mode) as client:
        await both_at_once(client, "drop_all", "harmless")
    if mode == "legacy" and way is streams:
        assert hearing.tools == {"Sure? drop_all": None, "Sure? harmless": None}
    else:
        assert hearing.tools == {"Sure? drop_all": "drop_all", "Sure? harmless": "harmless"}


async def test_a_policy_refuses_what_may_be_of_either_of_two_calls_and_says_so() -> None:
    told: list[str] = []
    async with (
        connect(streams(janitor(2)), harmless_alone(told), name="janitor", mode="legacy") as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(refused, client, "drop_all")
        group.start_soon(refused, client, "harmless")
    assert len(told) == 2
    assert all("it is not known which tool asks" in line for line in told)


async def test_a_call_by_hand_counts_as_one_that_may_ask() -> None:
    hearing = Hearing()
    async with connect(streams(janitor(2)), hearing, name="janitor", mode="legacy") as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.session.call_tool, "drop_all")
            group.start_soon(client.call_tool, "harmless")
        await client.session.call_tool("harmless")
    assert hearing.tools == {"Sure? drop_all": None, "Sure? harmless": "harmless"}


async def test_a_round_driven_by_hand_is_about_no_call_that_is_known() -> None:
    hearing = Hearing()
    async with connect(streams(janitor()), hearing, name="janitor") as client:
        result = await client.session.call_tool("drop_all", allow_input_required=True)
        assert result.result_type == "input_required"
        await client.call_tool("harmless")
        dispatch = client.session.dispatch_input_request
        for request in result.input_requests.values():
            await dispatch(_context(client), request)
    assert hearing.tools == {"Sure? drop_all": None, "Sure? harmless": "harmless"}


def _context(client: Client) -> Any:
    return ClientRequestContext(session=client.session, request_id=1)


async def test_what_a_prompt_or_a_resource_asks_is_of_no_tool(
    way: Callable[[MCPServer], Any], mode: str
) -> None:
    hearing = Hearing()
    async with connect(way(janitor()), hearing, name="janitor", mode=mode) as client:
        await client.get_prompt("poem")
        await client.read_resource("poems://ode")
    assert hearing.tools == {"Sure? poem": None, "Sure? ode": None}


async def test_beside_a_prompt_a_tool_is_not_taken_for_the_one_that_asks(mode: str) -> None:
    hearing = Hearing()
    async with (
        connect(streams(janitor(2)), hearing, name="janitor", mode=mode) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(client.call_tool, "harmless")
        group.start_soon(client.get_prompt, "poem")
    expected = None if mode == "legacy" else "harmless"
    assert hearing.tools == {"Sure? poem": None, "Sure? harmless": expected}


async def test_no_call_that_failed_was_cancelled_or_took_too_long_stays_behind(
    way: Callable[[MCPServer], Any], mode: str
) -> None:
    hearing = Hearing()
    async with connect(way(janitor()), hearing, name="janitor", mode=mode) as client:
        await client.call_tool("fails")
        with pytest.raises(MCPError):
            await client.get_prompt("there is none")
        with pytest.raises(MCPError):  # it times out
            await client.call_tool("hangs", read_timeout_seconds=0.05)
        with anyio.move_on_after(0.05):
            await client.call_tool("hangs")
        await client.call_tool("drop_all")
    assert hearing.tools == {"Sure? drop_all": "drop_all"}


@pytest.mark.parametrize(("order", "tool"), [("question first", "clean"), ("result first", None)])
async def test_a_legacy_question_is_about_the_call_that_was_open_as_it_came(
    order: str, tool: str | None
) -> None:
    """A server that asks after its result does so in the background, about nothing that is known."""

    def called(number: object, _given: Any) -> list[dict[str, Any]]:
        both = [{"id": "q", **QUESTION}, {"id": number, "result": text("done")}]
        return both if order == "question first" else both[::-1]

    hearing, answered = Hearing(), anyio.Event()
    server = RawServer(modern=False, called=called)

    class Telling(Hearing):
        async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
            answered.set()
            return await hearing.answer(question, origin, limit)

    async with connect(server, Telling(), name="raw", mode="legacy") as client:
        await client.call_tool("clean")
        with anyio.fail_after(30):
            await answered.wait()
    assert hearing.tools == {"Sure?": tool}


async def test_what_a_call_left_behind_in_the_background_is_of_no_call_any_more() -> None:
    calls, other, over = Calls(), Calls(), anyio.Event()
    seen: list[str | None] = []

    async def background() -> None:
        seen.append(calls.tool())
        await over.wait()
        seen.append(calls.tool())

    async with anyio.create_task_group() as group:
        with calls.during("clean"):
            group.start_soon(background)
            await anyio.wait_all_tasks_blocked()
            assert other.tool() is None
            with calls.during("inner"):
                assert calls.tool() == "inner"
            assert calls.tool() == "clean"
        assert calls.tool() is None
        over.set()
    assert seen == ["clean", None]


async def test_a_call_that_could_not_be_sent_is_not_open() -> None:
    calls = Calls()

    class Broken:
        async def send(self, item: SessionMessage) -> None:
            raise TimeoutError

    class Transport:
        async def __aenter__(self) -> Any:
            return None, Broken()

        async def __aexit__(self, *fault: Any) -> None:
            return None

    def sent(item: SessionMessage) -> SessionMessage:
        calls.sent(item)
        return item

    async with passing(Transport(), received=lambda item: item, sent=sent, unsent=calls.unsent) as (
        _,
        writing,
    ):
        with pytest.raises(TimeoutError):
            await writing.send(_called(1, "drop_all"))
    calls.sent(_called(2, "harmless"))
    calls.received(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=7, **QUESTION)))
    context = calls.within(None)
    assert context is not None
    assert context.run(calls.tool) == "harmless"


def _called(number: int, tool: str) -> SessionMessage:
    return SessionMessage(
        JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params={"name": tool})
    )
