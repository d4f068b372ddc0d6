"""A call that waits between two requests: once, bounded, and with nothing left behind."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import INVALID_REQUEST, CallToolResult, ElicitResult, InputRequiredResult

from askfirst import Accepted, Ask, AskfirstError, Asking, askable
from askfirst.core.errors import AuthorError
from server.conftest import text_of

pytestmark = pytest.mark.anyio

LOST = "Invalid or expired requestState"


def yes(value: Any = True) -> ElicitResult:
    return ElicitResult(action="accept", content={"value": value})


@asynccontextmanager
async def modern(server: MCPServer) -> AsyncIterator[Client]:
    """A client that declares the capability but answers by hand, round by round."""

    async def never(context: object, params: object) -> ElicitResult:
        raise AssertionError("answered by hand in this test")

    async with Client(server, elicitation_callback=never) as client:
        yield client


async def call(client: Client, name: str, arguments: dict[str, Any] | None = None, **more: Any) -> Any:
    return await client.session.call_tool(name, arguments or {}, allow_input_required=True, **more)


async def retry(client: Client, name: str, round_: InputRequiredResult, *answers: ElicitResult) -> Any:
    responses = dict(zip(round_.input_requests or {}, answers, strict=False))
    return await call(client, name, input_responses=responses, request_state=round_.request_state)


def counting(asking: Asking) -> tuple[MCPServer, list[str]]:
    mcp, log = MCPServer("counting"), []

    @mcp.tool()
    @askable(asking=asking)
    async def count(ask: Ask) -> str:
        log.append("started")
        try:
            first = await ask("First?", bool)
            second = await ask("Second?", bool)
            log.append("answered")
            return f"{first.action} {second.action}"
        finally:
            log.append("ended")

    return mcp, log


async def test_a_body_goes_on_where_it_was_and_leaves_nothing_behind() -> None:
    asking = Asking()
    mcp, log = counting(asking)
    async with modern(mcp) as client:
        first = await call(client, "count")
        assert isinstance(first, InputRequiredResult)
        assert len(asking.room) == 1
        second = await retry(client, "count", first, yes())
        assert second.request_state != first.request_state
        done = await retry(client, "count", second, ElicitResult(action="decline"))
    assert text_of(done) == "accept decline"
    assert (log, len(asking.room)) == (["started", "answered", "ended"], 0)


async def test_a_used_ticket_finds_nothing() -> None:
    mcp, log = counting(Asking())
    async with modern(mcp) as client:
        first = await call(client, "count")
        await retry(client, "count", first, yes())
        with pytest.raises(MCPError, match=LOST):
            await retry(client, "count", first, yes())
    assert log.count("started") == 1


async def test_a_tampered_or_foreign_ticket_gets_the_same_error() -> None:
    mcp, _ = counting(Asking())
    other, _ = counting(Asking())
    async with modern(mcp) as client, modern(other) as stranger:
        first = await call(client, "count")
        with pytest.raises(MCPError, match=LOST) as tampered:
            await call(client, "count", request_state=f"{first.request_state}x")
        with pytest.raises(MCPError, match=LOST) as foreign:
            await retry(stranger, "count", first, yes())
    assert tampered.value.error == foreign.value.error


async def test_a_retry_without_an_answer_or_with_another_key_is_asked_again() -> None:
    asking = Asking()
    mcp, _ = counting(asking)
    async with modern(mcp) as client:
        first = await call(client, "count")
        again = await retry(client, "count", first)
        assert again.input_requests == first.input_requests
        wrong = await call(
            client, "count", input_responses={"nobody": yes()}, request_state=again.request_state
        )
        assert wrong.input_requests == first.input_requests
        second = await retry(client, "count", wrong, yes())
        assert "Second?" in str(second.input_requests)
        assert len(asking.room) == 1


async def test_answers_nobody_asked_for_are_ignored() -> None:
    mcp, _ = counting(Asking())
    async with modern(mcp) as client:
        first = await call(client, "count")
        (key,) = first.input_requests
        second = await call(
            client,
            "count",
            input_responses={key: yes(), "extra": yes(), "other": ElicitResult(action="cancel")},
            request_state=first.request_state,
        )
    assert isinstance(second, InputRequiredResult)


async def test_expiry_ends_the_body_and_a_late_answer_is_refused() -> None:
    asking = Asking(patience=0.02)
    mcp, log = counting(asking)
    async with modern(mcp) as client:
        first = await call(client, "count")
        with anyio.fail_after(60):
            while "ended" not in log:
                await anyio.lowlevel.checkpoint()
        with pytest.raises(MCPError, match=LOST):
            await retry(client, "count", first, yes())
    assert (log, len(asking.room)) == (["started", "ended"], 0)


async def test_closing_the_room_ends_every_waiting_body() -> None:
    mcp, log = MCPServer("closing"), []
    async with Asking() as asking:

        @mcp.tool()
        @askable(asking=asking)
        async def wait(ask: Ask) -> str:
            try:
                return (await ask("Well?", bool)).action
            finally:
                log.append("ended")

        async with modern(mcp) as client:
            for _ in range(3):
                await call(client, "wait")
            assert len(asking.room) == 3
    await anyio.wait_all_tasks_blocked()
    assert (log, len(asking.room)) == (["ended"] * 3, 0)


async def test_closing_the_room_ends_a_body_at_work_and_its_caller_hears_of_it() -> None:
    mcp, asking, log = MCPServer("closing"), Asking(), []

    @mcp.tool()
    @askable(asking=asking)
    async def work(ask: Ask) -> str:
        try:
            async with asking:
                pass
            await anyio.sleep_forever()
            return "never"
        finally:
            log.append("ended")

    async with modern(mcp) as client:
        with pytest.raises(MCPError, match=LOST):
            await call(client, "work")
    assert log == ["ended"]


async def test_cancelling_the_request_that_is_being_served_ends_the_body() -> None:
    asking, started, log = Asking(), anyio.Event(), []
    mcp = MCPServer("slow")

    @mcp.tool()
    @askable(asking=asking)
    async def slow(ask: Ask) -> str:
        await ask("Start?", bool)
        try:
            started.set()
            await anyio.sleep_forever()
        finally:
            log.append("ended")
        return ""

    async with modern(mcp) as client:
        first = await call(client, "slow")
        async with anyio.create_task_group() as group:
            group.start_soon(retry, client, "slow", first, yes())
            await started.wait()
            group.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
    assert (log, len(asking.room)) == (["ended"], 0)


async def test_a_body_that_cancels_itself_is_not_told_as_a_ticket_that_is_lost() -> None:
    mcp, asking = MCPServer("jobs"), Asking()

    @mcp.tool()
    @askable(asking=asking)
    async def wait_for_job(ask: Ask) -> str:
        await ask("Wait for it?", bool)
        job = asyncio.create_task(asyncio.Event().wait())
        job.cancel()
        return str(await job)

    async with modern(mcp) as client:
        first = await call(client, "wait_for_job")
        done = await retry(client, "wait_for_job", first, yes())
    assert done.is_error
    assert "it waited for a task that was cancelled" in text_of(done)
    assert len(asking.room) == 0


async def test_more_calls_than_may_wait_are_told_so_before_they_are_asked() -> None:
    asking = Asking(max_paused=2)
    mcp, _log = counting(asking)
    async with modern(mcp) as client:
        held = [await call(client, "count") for _ in range(2)]
        refused = await call(client, "count")
        assert isinstance(refused, CallToolResult)
        assert refused.is_error
        assert "max_paused" in text_of(refused)
        second = await retry(client, "count", held[0], yes())  # one that waits keeps its place
        await retry(client, "count", second, yes())
        assert isinstance(await call(client, "count"), InputRequiredResult)
    assert len(asking.room) == 2


async def test_a_prompt_beyond_the_limit_does_not_tell_its_client_that_it_lacks_an_ability() -> None:
    mcp, asking = MCPServer("small"), Asking(max_paused=1)

    @mcp.prompt()
    @askable(asking=asking)
    async def letter(ask: Ask) -> str:
        return (await ask("To whom?", str)).action

    async with modern(mcp) as client:
        await client.session.get_prompt("letter", {}, allow_input_required=True)
        with pytest.raises(MCPError, match="1 calls are already waiting") as caught:
            await client.get_prompt("letter", {})
    assert caught.value.code == INVALID_REQUEST
    assert "requiredCapabilities" not in caught.value.data
    await asking.room.close()


async def test_concurrent_calls_of_one_connection_do_not_mix() -> None:
    mcp = MCPServer("echo")

    @mcp.tool()
    @askable
    async def echo(name: str, ask: Ask) -> str:
        match await ask(f"Who is {name}?", str):
            case Accepted(said):
                return f"{name}={said}"
        return "nothing"

    async def one(number: int) -> None:
        first = await call(client, "echo", {"name": f"n{number}"})
        (request,) = first.input_requests.values()
        assert request.params.message == f"Who is n{number}?"
        responses = {key: yes(f"v{number}") for key in first.input_requests}
        result = await call(
            client,
            "echo",
            {"name": f"n{number}"},
            input_responses=responses,
            request_state=first.request_state,
        )
        assert text_of(result) == f"n{number}=v{number}"

    async with modern(mcp) as client, anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(one, number)


async def test_a_body_may_ask_from_several_tasks_at_once() -> None:
    mcp = MCPServer("parallel")

    @mcp.tool()
    @askable
    async def both(ask: Ask) -> str:
        said: dict[str, str] = {}

        async def one(name: str) -> None:
            said[name] = (await ask(f"{name}?", bool)).action

        async with anyio.create_task_group() as group:
            group.start_soon(one, "a")
            group.start_soon(one, "b")
        return str(sorted(said.items()))

    async with modern(mcp) as client:
        first = await call(client, "both")
        assert len(first.input_requests) == 2
        half = await retry(client, "both", first, yes())
        assert len(half.input_requests) == 1
        done = await retry(client, "both", half, ElicitResult(action="decline"))
    assert sorted([word for word in ("accept", "decline") if word in text_of(done)]) == ["accept", "decline"]


async def test_a_context_keeps_working_after_a_pause() -> None:
    mcp, ids = MCPServer("context"), []

    @mcp.tool()
    @askable
    async def show(ask: Ask, ctx: Context[Any, Any]) -> str:
        ids.append((ctx.request_id, ctx.session is ctx.request_context.session, ctx.protocol_version))
        await ask("Go on?", bool)
        ids.append((ctx.request_id, ctx.session is ctx.request_context.session, ctx.protocol_version))
        await ctx.notify_tools_changed()
        return "done"

    async with modern(mcp) as client:
        await retry(client, "show", await call(client, "show"), yes())
    (first, _, version), (second, _, same) = ids
    assert first != second
    assert version == same


async def test_a_body_that_fails_while_nobody_waits_is_reported_at_the_retry() -> None:
    mcp = MCPServer("failing")
    answered = asyncio.Event()

    @mcp.tool()
    @askable
    async def fails(ask: Ask) -> str:
        async def asks() -> None:
            await ask("Go on?", bool)

        async with anyio.create_task_group() as group:
            group.start_soon(asks)
            await answered.wait()
            raise RuntimeError("broken meanwhile")

    async with modern(mcp) as client:
        first = await call(client, "fails")
        answered.set()
        await anyio.wait_all_tasks_blocked()
        result = await retry(client, "fails", first, yes())
    assert result.is_error


async def test_of_questions_asked_together_none_is_left_when_one_cannot_be() -> None:
    mcp = MCPServer("mixed")

    @mcp.tool()
    @askable
    async def mixed(ask: Ask) -> str:
        with suppress(AskfirstError):
            await ask.together(fine=("Fine?", bool), secret=("Your password?", str))
        return (await ask("Alone?", bool)).action

    async with modern(mcp) as client:
        first = await call(client, "mixed")
        assert [one.params.message for one in first.input_requests.values()] == ["Alone?"]


async def test_everything_a_context_does_it_does_for_the_request_that_is_open_now() -> None:
    mcp, done = MCPServer("context"), []

    @mcp.resource("notes://today")
    def today() -> str:
        return "dentist"

    @mcp.tool()
    @askable
    async def show(ask: Ask, ctx: Context[Any, Any]) -> str:
        await ask("Go on?", bool)
        done.append([one.content for one in await ctx.read_resource("notes://today")])
        await ctx.notify_tools_changed()
        await ctx.notify_prompts_changed()
        await ctx.notify_resources_changed()
        await ctx.notify_resource_updated("notes://today")
        await ctx.close_sse_stream()
        await ctx.close_standalone_sse_stream()
        return "shown"

    async with modern(mcp) as client:
        result = await retry(client, "show", await call(client, "show"), yes())
    assert (text_of(result), done) == ("shown", [["dentist"]])


async def test_while_a_call_waits_its_context_has_no_request_and_progress_is_not_heard() -> None:
    mcp, faults = MCPServer("context"), []
    paused = asyncio.Event()

    @mcp.tool()
    @askable
    async def work(ask: Ask, ctx: Context[Any, Any]) -> str:
        async def meanwhile() -> None:
            await paused.wait()
            await ctx.report_progress(1, 2)
            try:
                ctx.request_id  # noqa: B018
            except RuntimeError as fault:
                faults.append(str(fault))

        async with anyio.create_task_group() as group:
            group.start_soon(meanwhile)
            return (await ask("Go on?", bool)).action

    async with modern(mcp) as client:
        first = await call(client, "work")
        paused.set()
        await anyio.wait_all_tasks_blocked()
        assert text_of(await retry(client, "work", first, yes())) == "accept"
    assert faults == ["this call waits for an answer and no request is open; its context is back after that"]


async def test_an_answer_that_is_in_already_is_not_taken_back_while_others_are_missing() -> None:
    mcp = MCPServer("both")

    @mcp.tool()
    @askable
    async def both(ask: Ask) -> str:
        said = await ask.together(a=("A?", bool), b=("B?", bool))
        return " ".join(one.action for one in said.values())

    async with modern(mcp) as client:
        first = await call(client, "both")
        half = await call(client, "both", input_responses={"a": yes()}, request_state=first.request_state)
        no = ElicitResult(action="decline")
        done = await call(
            client, "both", input_responses={"a": no, "b": no}, request_state=half.request_state
        )
    assert text_of(done) == "accept decline"


def test_pausing_needs_asyncio_and_says_what_to_do_without() -> None:
    room = Asking().room
    with pytest.raises(AuthorError, match=r'use @askable\(resume="replay"\)'):
        room.start(cast(Any, None), cast(Any, None)).send(None)
