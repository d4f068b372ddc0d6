"""The examples served for real, over stdio and streamable HTTP, to the official SDK's client of both eras."""

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn
from mcp import Client, MCPError, StdioServerParameters
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitResult

from askfirst import Ask, Asking, askable

pytestmark = pytest.mark.anyio

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
MODES = {"legacy": "legacy", "modern": "auto"}


def example(name: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[str(EXAMPLES / name)])


def person(*replies: Any) -> Any:
    waiting = list(replies)

    async def answer(context: object, params: object) -> ElicitResult:
        reply = waiting.pop(0)
        return (
            ElicitResult(action="accept", content=reply)
            if isinstance(reply, dict)
            else ElicitResult(action=reply)
        )

    return answer


@asynccontextmanager
async def serving(mcp: MCPServer, **options: Any) -> AsyncIterator[str]:
    """The server on a free port of the own machine; connections wait in the socket's queue until it is up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(mcp.streamable_http_app(**options), log_level="error"))
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
            server.should_exit = True


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


@pytest.mark.parametrize("era", MODES)
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ({"confirm": True, "reason": "old"}, "Deleted 2000 rows. Reason: 'old'"),
        ({"confirm": False, "reason": "old"}, "Box not ticked. No rows deleted."),
        ("decline", "User declined. No rows deleted."),
        ("cancel", "Question dismissed. No rows deleted."),
    ],
)
async def test_records_over_stdio(era: str, reply: Any, outcome: str) -> None:
    arguments = {"table": "events", "older_than_days": 365}
    async with Client(example("records.py"), mode=MODES[era], elicitation_callback=person(reply)) as client:
        result = await client.call_tool("delete_stale_records", arguments)
        left = await client.call_tool("count_records", {"table": "events"})
    assert text_of(result) == outcome
    assert text_of(left) == (
        "2000 rows in events" if outcome.startswith("Deleted") else "4000 rows in events"
    )


@pytest.mark.parametrize("era", MODES)
async def test_records_with_a_client_that_cannot_ask_keeps_every_row(era: str) -> None:
    async with Client(example("records.py"), mode=MODES[era]) as client:
        result = await client.call_tool("delete_stale_records", {"table": "events", "older_than_days": 365})
        left = await client.call_tool("count_records", {"table": "events"})
    assert result.is_error
    assert "nobody was asked" in text_of(result)
    assert text_of(left) == "4000 rows in events"


@pytest.mark.parametrize("era", MODES)
async def test_deploy_fills_in_the_environment_and_confirms_production(era: str) -> None:
    call = ("deploy", {"service": "shop", "version": "1.4.0"})
    async with Client(
        example("deploy.py"),
        mode=MODES[era],
        elicitation_callback=person(
            {"environment": "production"}, {"confirm": True}, {"environment": "staging"}, "decline"
        ),
    ) as client:
        assert text_of(await client.call_tool(*call)) == "shop 1.4.0 now runs in production."
        assert text_of(await client.call_tool(*call)) == "shop 1.4.0 now runs in staging."
        assert "Nothing was done" in text_of(await client.call_tool(*call))


async def test_deploy_without_a_way_to_ask_names_the_argument_and_never_takes_a_confirmation() -> None:
    async with Client(example("deploy.py")) as client:
        missing = await client.call_tool("deploy", {"service": "shop", "version": "1"})
        guarded = await client.call_tool(
            "deploy", {"service": "shop", "version": "1", "environment": "production"}
        )
        free = await client.call_tool("deploy", {"service": "shop", "version": "1", "environment": "staging"})
    assert not missing.is_error
    assert "staging, production" in text_of(missing)
    assert guarded.is_error
    assert "nobody was asked" in text_of(guarded)
    assert text_of(free) == "shop 1 now runs in staging."


@pytest.mark.parametrize("era", MODES)
async def test_meeting_finds_out_which_chris_is_meant(era: str) -> None:
    replies = ({"when": "2026-12-24T09:30:00+01:00"}, {"choice": "Chris Ito, Legal"})
    async with Client(
        example("meeting.py"), mode=MODES[era], elicitation_callback=person(*replies)
    ) as client:
        result = await client.call_tool("schedule", {"name": "chris"})
    assert (
        text_of(result)
        == "Invited Chris Ito <chris.ito@example.com> for Thursday, 24 December 2026 at 09:30."
    )


@pytest.mark.parametrize("era", MODES)
async def test_onboarding_asks_once_and_remembers(era: str, tmp_path: Path) -> None:
    server = example("onboarding.py").model_copy(
        update={"env": {"REPORT_SETTINGS": str(tmp_path / "settings.json")}}
    )
    settings = {"post_to": "https://example.com/inbox", "day": "fri", "most_rows": 5}
    async with Client(server, mode=MODES[era], elicitation_callback=person("decline", settings)) as client:
        first, second, third = [text_of(await client.call_tool("weekly_report", {})) for _ in range(3)]
    assert "declined" in first
    assert second == third == "Report with at most 5 rows is posted to https://example.com/inbox every fri."


def working(log: list[str], asking: Asking) -> MCPServer:
    mcp = MCPServer("working")

    @mcp.tool()
    @askable(asking=asking)
    async def work(ask: Ask, ctx: Context[Any, Any]) -> str:
        log.append("started")
        try:
            await ctx.report_progress(1, 3)
            answer = await ask("Go on?", bool)
            await ctx.report_progress(2, 3)
            again = await ask("And on?", bool)
            await ctx.report_progress(3, 3)
            return f"{answer.action} {again.action}"
        finally:
            log.append("ended")

    return mcp


@pytest.mark.parametrize("era", MODES)
@pytest.mark.parametrize("json_response", [False, True])
async def test_a_body_runs_once_over_http_and_its_progress_arrives(era: str, json_response: bool) -> None:
    if era == "legacy" and json_response:
        pytest.skip("plain JSON responses have no way back for a question; covered below")
    log: list[str] = []
    heard: list[float] = []
    asking = Asking()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    async with serving(working(log, asking), json_response=json_response) as url:
        replies = person({"value": True}, "decline")
        async with Client(url, mode=MODES[era], elicitation_callback=replies) as client:
            result = await client.call_tool("work", {}, progress_callback=progress)
    assert text_of(result) == "accept decline"
    assert (log, len(asking.room)) == (["started", "ended"], 0)
    assert heard == ([] if json_response else [1, 2, 3])


@pytest.mark.parametrize("way", ["stateless_http", "json_response"])
async def test_legacy_http_without_a_way_back_is_an_honest_end_and_not_a_hang(way: str) -> None:
    log: list[str] = []
    async with (
        serving(working(log, Asking()), **{way: True}) as url,
        Client(url, mode="legacy", elicitation_callback=person({"value": True})) as client,
    ):
        with anyio.fail_after(60):
            result = await client.call_tool("work", {})
    assert result.is_error
    assert "no way back" in result.structured_content["reason"]
    assert "keeps a session" in result.structured_content["needs"]
    assert log == ["started", "ended"]


async def test_a_paused_call_goes_on_over_stateless_http_in_the_modern_era() -> None:
    log: list[str] = []
    async with (
        serving(working(log, Asking()), stateless_http=True) as url,
        Client(url, elicitation_callback=person({"value": True}, {"value": True})) as client,
    ):
        assert text_of(await client.call_tool("work", {})) == "accept accept"
    assert log == ["started", "ended"]


@pytest.mark.parametrize("era", MODES)
async def test_a_client_that_gives_up_over_http_ends_the_body(era: str) -> None:
    asked, ended, log = anyio.Event(), anyio.Event(), []
    asking = Asking()
    mcp = MCPServer("working")

    @mcp.tool()
    @askable(asking=asking)
    async def work(ask: Ask) -> str:
        try:
            await ask("First?", bool)
            asked.set()
            await anyio.sleep_forever()
        finally:
            log.append("ended")
            ended.set()
        return ""

    async with (
        serving(mcp) as url,
        Client(url, mode=MODES[era], elicitation_callback=person({"value": True})) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(client.call_tool, "work", {})
        await asked.wait()
        group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True), anyio.fail_after(60):
            await ended.wait()
    assert (log, len(asking.room)) == (["ended"], 0)


async def test_many_clients_are_asked_at_once_and_none_gets_anothers_question() -> None:
    mcp = MCPServer("echo")

    @mcp.tool()
    @askable
    async def echo(name: str, ask: Ask) -> str:
        answer = await ask(f"{name}?", str)
        return f"{name}={answer.data}" if answer.action == "accept" else "no"

    async def one(url: str, mode: str, number: int) -> None:
        async def answer(context: object, params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"value": f"re {params.message}"})

        async with (
            Client(url, mode=mode, elicitation_callback=answer) as client,
            anyio.create_task_group() as calls,
        ):
            for call in range(4):
                calls.start_soon(check, client, f"c{number}-{call}")

    async def check(client: Client, name: str) -> None:
        assert text_of(await client.call_tool("echo", {"name": name})) == f"{name}=re {name}?"

    async with serving(mcp) as url, anyio.create_task_group() as group:
        for number in range(6):
            group.start_soon(one, url, list(MODES.values())[number % 2], number)


async def test_a_sealed_state_of_another_server_is_refused_like_any_other() -> None:
    log: list[str] = []
    async with serving(working(log, Asking())) as one, serving(working(log, Asking())) as two:
        async with Client(one, elicitation_callback=person()) as client:
            first = await client.session.call_tool("work", {}, allow_input_required=True)
        async with Client(two, elicitation_callback=person()) as stranger:
            with pytest.raises(MCPError, match="Invalid or expired requestState"):
                await stranger.session.call_tool("work", {}, request_state=first.request_state)
