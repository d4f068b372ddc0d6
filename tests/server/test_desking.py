"""Questions that the client can't carry go to the desk: asked once, run once, whoever gave up waiting meanwhile."""

import asyncio
import contextlib
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitResult

from askfirst import Accepted, Ask, Asking, Cancelled, Declined, Fill, askable
from askfirst.core.derive import shape_of
from askfirst.core.errors import NobodyAsked
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.server import attending, desk_replay, mcpserver_peer
from askfirst.server.desking import DeskSide, WhichCall
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore
from bare import bare
from server.conftest import Connect, Person, text_of
from server.table import YES, Table

pytestmark = pytest.mark.anyio


def asking_server(asking: Asking, log: list[str], resume: Any = "pause") -> MCPServer:
    mcp = MCPServer("records")

    @mcp.tool()
    @askable(asking=asking, resume=resume)
    async def purge(table: str, ask: Ask) -> str:
        log.append("started")
        try:
            first = await ask(f"Delete {table}?", bool)
            receipt = await ask.once("charge", lambda: log.append("charged") or "receipt")
            second = await ask("And its backups?", bool)
            return f"{first.action} {receipt} {second.action}"
        except BaseException:
            log.append("unwound")
            raise
        finally:
            log.append("ended")

    return mcp


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_a_question_waits_on_the_desk_and_the_call_goes_on_with_the_answer(
    connect: Connect, resume: str
) -> None:
    table, log = Table(), []
    async with (
        connect(asking_server(Asking(desk=table), log, resume)) as client,
        anyio.create_task_group() as group,
    ):
        results = []

        async def call() -> None:
            results.append(await client.call_tool("purge", {"table": "users"}))

        group.start_soon(call)
        posting = await table.answer(YES)
        assert (posting.origin.server, posting.origin.tool) == ("records", "purge")
        assert posting.arguments == (("table", "users"),)
        await table.answer(Declined())
    (result,) = results
    assert text_of(result) == "accept receipt decline"
    assert log == ["started", "charged", "ended"]
    assert await table.desk.open() == ()


async def test_a_desk_that_is_none_is_named(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKFIRST_DESK", "kiosk")
    log: list[str] = []
    async with connect(asking_server(Asking(), log)) as client:
        result = await client.call_tool("purge", {"table": "users"})
    assert result.is_error
    assert "ASKFIRST_DESK is the name of a place to ask at" in text_of(result)
    assert log == []


async def test_a_desk_that_is_not_installed_is_told_to_whoever_gets_a_prompt(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKFIRST_DESK", "kiosk")
    mcp = MCPServer("letters")

    @mcp.prompt()
    @askable
    async def letter(ask: Ask) -> str:
        return (await ask("To whom?", str)).action

    async with connect(mcp) as client:
        with pytest.raises(MCPError, match="ASKFIRST_DESK is the name of a place to ask at"):
            await client.get_prompt("letter", {})


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_before_the_clients_limit_the_caller_is_told_where_to_answer_and_to_call_again(
    connect: Connect, resume: str
) -> None:
    table, log = Table(), []
    async with connect(asking_server(Asking(desk=table, hold=0.02), log, resume)) as client:

        async def call() -> Any:
            return await client.call_tool("purge", {"table": "users"})

        first = await call()
        (posting,) = await table.desk.open()
        assert not first.is_error
        assert first.structured_content["outcome"] == "waiting"
        assert (posting.origin.server, posting.origin.own_name) == ("records", True)
        assert first.structured_content["waiting"][0]["code"] == posting.code
        assert f"http://127.0.0.1:1/q/{posting.code}" in text_of(first)
        again = await call()
        assert again.structured_content["waiting"][0]["code"] == posting.code
        await table.answer(YES)
        second = await call()
        assert second.structured_content["waiting"][0]["question"] == "And its backups?"
        await table.answer(YES)
        done = await call()
        assert text_of(done) == "accept receipt accept"
        assert log.count("charged") == 1
        if resume == "pause":
            assert log == ["started", "charged", "ended"]
        fresh = await call()
        assert fresh.structured_content["outcome"] == "waiting"
        assert await table.desk.remembered() == ()


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_a_call_that_timed_out_in_between_is_asked_once_and_run_once(
    connect: Connect, resume: str
) -> None:
    table, log = Table(), []
    async with connect(asking_server(Asking(desk=table), log, resume)) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "purge", {"table": "users"})
            await table.asked()
            group.cancel_scope.cancel()
        posting = await table.answer(YES)
        async with anyio.create_task_group() as group:
            results = []

            async def call() -> None:
                results.append(await client.call_tool("purge", {"table": "users"}))

            group.start_soon(call)
            second = await table.answer(YES)
    assert posting.token != second.token
    assert text_of(results[0]) == "accept receipt accept"
    assert log.count("charged") == 1


async def test_what_a_person_agreed_to_is_not_left_half_done_when_the_client_gives_up(
    connect: Connect,
) -> None:
    table, begun, free = Table(), anyio.Event(), anyio.Event()
    mcp = MCPServer("records")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def purge(ask: Ask) -> str:
        answer = await ask("Delete them?", bool)
        begun.set()
        await free.wait()
        return f"deleted after {answer.action}"

    async with connect(mcp) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "purge", {})
            await table.answer(YES)
            await begun.wait()
            group.cancel_scope.cancel()
        async with anyio.create_task_group() as group:
            results: list[str] = []

            async def call() -> None:
                results.append(text_of(await client.call_tool("purge", {})))

            group.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            free.set()
    assert results == ["deleted after accept"]
    assert len(await table.desk.closed()) == 1


async def test_a_call_with_other_arguments_is_another_call(connect: Connect) -> None:
    table, log = Table(), []
    async with connect(asking_server(Asking(desk=table, hold=0.02), log)) as client:
        await client.call_tool("purge", {"table": "users"})
        await client.call_tool("purge", {"table": "orders"})
        assert {one.question.message for one in await table.desk.open()} == {
            "Delete users?",
            "Delete orders?",
        }


async def test_calls_that_wait_for_one_answer_at_once_get_one_result(connect: Connect) -> None:
    table, log, results = Table(), [], []
    async with connect(asking_server(Asking(desk=table), log)) as client:

        async def call() -> None:
            results.append(text_of(await client.call_tool("purge", {"table": "users"})))

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await table.asked()
            group.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            await table.answer(YES)
            await table.answer(YES)
    assert results == ["accept receipt accept"] * 2
    assert log == ["started", "charged", "ended"]


async def test_calls_that_wait_at_once_and_are_told_to_ask_leave_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mcp, table, rounds = MCPServer("shop"), Table(), []
    asking = Asking(desk=table)

    @mcp.tool()
    @askable(asking=asking)
    async def pay(ask: Ask) -> str:
        await ask("Really?", bool)
        return (await ask.visit("Pay.", "https://pay.example.org/")).action

    async def call() -> None:
        rounds.append(await client.session.call_tool("pay", {}, allow_input_required=True))

    monkeypatch.setattr(mcpserver_peer, "read_modes", lambda _: frozenset({Mode.URL}))
    async with Client(mcp, elicitation_callback=Person()) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await table.open()
            group.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            await table.answer(YES)
        assert len(asking.room) == 1
        said = {key: ElicitResult(action="accept") for key in rounds[0].input_requests}
        state = rounds[1].request_state
        done = await client.session.call_tool("pay", {}, input_responses=said, request_state=state)
    assert text_of(done) == "accept"
    assert len(asking.room) == 0


async def test_progress_tells_the_client_that_the_call_goes_on(connect: Connect) -> None:
    table, heard, told = Table(), [], anyio.Event()

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(message)
        told.set()

    async with connect(asking_server(Asking(desk=table), [])) as client, anyio.create_task_group() as group:
        group.start_soon(lambda: client.call_tool("purge", {"table": "u"}, progress_callback=progress))
        await told.wait()
        first = await table.answer(YES)
        await table.answer(YES)
    assert f"http://127.0.0.1:1/q/{first.code} (code {first.code})" in str(heard[0])


@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_progress_grows_with_each_notice_whoever_gives_it(
    connect: Connect, resume: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (attending, desk_replay):
        monkeypatch.setattr(module, "HEARTBEAT", 0.01)
    table, heard, thrice = Table(), [], anyio.Event()
    mcp = MCPServer("steps")

    @mcp.tool()
    @askable(asking=Asking(desk=table), resume=resume)
    async def work(ask: Ask, ctx: Context[Any, Any]) -> str:
        for _ in range(2):
            await ctx.report_progress(5, 10, "before")
        answer = await ask("Go on?", bool)
        await ctx.report_progress(6, 10, "after")
        return answer.action

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total))
        if len(heard) >= 4:
            thrice.set()

    async with connect(mcp) as client, anyio.create_task_group() as group:
        group.start_soon(lambda: client.call_tool("work", {}, progress_callback=progress))
        await thrice.wait()
        await table.answer(YES)
    assert (heard[0], heard[-1]) == ((5, 10), (6, 10))
    assert all(before < after for (before, _), (after, _) in pairwise(heard))
    assert {total for _, total in heard} == {10}


async def test_an_expired_question_is_neither_yes_nor_no(connect: Connect) -> None:
    table, seen = Table(), []
    mcp = MCPServer("brief")

    @mcp.tool()
    @askable(asking=Asking(desk=table, patience=0.05))
    async def brief(ask: Ask) -> str:
        seen.append(await ask("Well?", bool))
        return "done"

    async with connect(mcp) as client:
        assert text_of(await client.call_tool("brief", {})) == "done"
    assert seen == [Cancelled(expired=True)]
    (posting,) = await table.desk.closed()
    assert posting.status is Status.EXPIRED


async def test_a_body_that_ends_takes_its_questions_off_the_desk(connect: Connect) -> None:
    table = Table()
    mcp = MCPServer("impatient")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def impatient(ask: Ask) -> str:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "Quick?", bool)
            await table.asked()
            group.cancel_scope.cancel()
        return "went on"

    async with connect(mcp) as client:
        assert text_of(await client.call_tool("impatient", {})) == "went on"
    (posting,) = await table.desk.closed()
    assert posting.status is Status.WITHDRAWN


async def test_when_the_server_has_stopped_its_questions_are_off_the_desk(tmp_path: Path) -> None:
    table, log = Table(), []
    rows = SqliteStore(tmp_path / "desk.sqlite3")
    table.desk = Desk(rows)
    async with Asking(desk=table, hold=0.02) as asking, Client(asking_server(asking, log)) as client:
        await client.call_tool("purge", {"table": "users"})
    assert log == ["started", "unwound", "ended"]
    assert [one.status for one in await table.desk.closed()] == [Status.WITHDRAWN]
    await rows.close()


def test_a_call_that_ended_with_its_event_loop_is_not_met_by_one_in_the_next() -> None:
    table, log = Table(), []
    mcp = asking_server(Asking(desk=table, hold=0.02), log)

    async def call() -> str:
        async with Client(mcp) as client:
            return str((await client.call_tool("purge", {"table": "users"})).structured_content["outcome"])

    assert [asyncio.run(call()) for _ in range(2)] == ["waiting"] * 2


async def test_a_flood_is_refused_as_nobody_asked(connect: Connect) -> None:
    table = Table()
    table.desk = Desk(MemoryStore(), most_open=1)
    async with connect(asking_server(Asking(desk=table, hold=0.02), [])) as client:
        await client.call_tool("purge", {"table": "users"})
        result = await client.call_tool("purge", {"table": "orders"})
    assert result.is_error
    assert result.structured_content["outcome"] == "nobody_asked"


async def test_a_client_that_can_ask_is_asked_itself(connect: Connect) -> None:
    table, log = Table(), []
    async with connect(asking_server(Asking(desk=table), log), Person(*[{"value": True}] * 2)) as client:
        assert text_of(await client.call_tool("purge", {"table": "users"})) == "accept receipt accept"
    assert await table.desk.closed() == ()


async def test_what_a_retrys_client_can_not_be_asked_goes_to_the_desk() -> None:
    table, log = Table(), []
    prefix = "io.modelcontextprotocol"
    params = {"name": "purge", "arguments": {"table": "users"}}
    results = []
    async with bare(asking_server(Asking(desk=table, hold=60), log)) as wire:
        state = {}
        for number, capabilities in enumerate(({"elicitation": {}}, {}), 1):
            about = {f"{prefix}/protocolVersion": "2026-07-28", f"{prefix}/clientCapabilities": capabilities}
            await wire.send(
                {"id": number, "method": "tools/call", "params": {**params, **state, "_meta": about}}
            )
            if not state:
                results.append((await wire.receive())["result"])
                state = {"requestState": results[0]["requestState"]}
        for message in ("Delete users?", "And its backups?"):
            assert (await table.answer(YES)).question.message == message
        results.append((await wire.receive())["result"])
    assert results[0]["inputRequests"]["question"]["params"]["message"] == "Delete users?"
    assert results[1]["content"][0]["text"] == "accept receipt accept"
    assert log.count("started") == 1


async def test_a_missing_argument_goes_to_the_desk_before_it_goes_to_the_model(connect: Connect) -> None:
    table = Table()
    mcp = MCPServer("fills")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def deploy(where: Annotated[str, Fill("Where?")]) -> str:
        return where

    async with connect(mcp) as client, anyio.create_task_group() as group:
        results = []

        async def call() -> None:
            results.append(text_of(await client.call_tool("deploy", {})))

        group.start_soon(call)
        posting = await table.answer(Accepted({"where": "staging"}))
        assert posting.arguments == ()  # what was not given is no argument
    assert results == ["staging"]


async def test_a_secret_is_typed_at_the_desk_and_goes_to_the_tool_only(connect: Connect, era: str) -> None:
    table, seen = Table(), []
    mcp = MCPServer("vault")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def login(ask: Ask) -> str:
        seen.append(await ask.secret("To read the weather.", "API key of the weather service"))
        return "done"

    async with contextlib.AsyncExitStack() as stack:
        able = Person("accept")
        plain = await stack.enter_async_context(connect(mcp))
        client = await stack.enter_async_context(connect(mcp, able))
        for caller in (plain, client):
            async with anyio.create_task_group() as group:
                group.start_soon(caller.call_tool, "login", {})
                posting = await table.answer(Accepted({"value": "hunter2-key"}))
                assert posting.secret
    assert seen == [Accepted("hunter2-key")] * 2
    assert [one.url for one in able.asked] == [f"http://127.0.0.1:1/q/{posting.code}"]
    assert "hunter2-key" not in repr(await table.desk.closed())
    assert "hunter2-key" not in "".join([line async for line in table.desk.ledger.lines()])


async def test_a_secret_declined_in_the_client_leaves_nothing_on_the_desk(connect: Connect) -> None:
    table, seen = Table(), []
    mcp = MCPServer("vault")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def login(ask: Ask) -> str:
        seen.append(await ask.secret("To read the weather.", "API key"))
        return "done"

    async with connect(mcp, Person("decline")) as client:
        await client.call_tool("login", {})
    assert seen == [Declined()]
    assert await table.desk.open() == ()


async def test_without_a_desk_a_secret_is_asked_of_nobody(connect: Connect) -> None:
    mcp = MCPServer("vault")

    @mcp.tool()
    @askable
    async def login(ask: Ask) -> str:
        return (await ask.secret("To read the weather.", "API key")).action

    person = Person("accept")
    async with connect(mcp, person) as client:
        result = await client.call_tool("login", {})
    assert result.structured_content["outcome"] == "nobody_asked"
    assert "this server has no desk" in result.structured_content["reason"]
    for cure in ("Asking(desk=local_desk())", "ASKFIRST_DESK=local"):
        assert cure in result.structured_content["needs"]
    assert "pause" not in text_of(result)
    assert person.asked == []


async def test_a_secret_in_a_call_that_is_replayed_is_asked_of_nobody(connect: Connect) -> None:
    mcp = MCPServer("vault")

    @mcp.tool()
    @askable(asking=Asking(desk=Table()), resume="replay")
    async def login(ask: Ask) -> str:
        return (await ask.secret("To read the weather.", "API key")).action

    async with connect(mcp, Person()) as client:
        result = await client.call_tool("login", {})
    assert "this call is replayed" in result.structured_content["reason"]
    assert result.structured_content["needs"] == 'a call that pauses, by @askable(resume="pause")'


async def test_an_answer_is_remembered_until_it_is_forgotten(connect: Connect) -> None:
    table, seen = Table(), []
    mcp = MCPServer("reports")

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def report(ask: Ask) -> str:
        seen.append(await ask.remember("workspace", "Where should reports go?", str))
        return "done"

    person = Person("decline", {"value": "inbox"}, {"value": "outbox"})
    async with connect(mcp, person) as client:
        for _ in range(3):
            await client.call_tool("report", {})
        assert seen == [Declined(), Accepted("inbox"), Accepted("inbox")]
        ((scope, key),) = await table.desk.remembered()
        assert (scope.server, key) == ("reports", "workspace")
        await table.desk.forget(scope, key)
        await client.call_tool("report", {})
    assert seen[-1] == Accepted("outbox")


async def test_a_remembered_answer_that_no_longer_fits_is_asked_for_anew(connect: Connect) -> None:
    table, seen = Table(), []
    mcp = MCPServer("reports")
    kinds = iter([str, int])

    @mcp.tool()
    @askable(asking=Asking(desk=table))
    async def report(ask: Ask) -> str:
        seen.append(await ask.remember("size", "How big?", next(kinds)))
        return "done"

    async with connect(mcp, Person({"value": "big"}, {"value": 3})) as client:
        await client.call_tool("report", {})
        await client.call_tool("report", {})
    assert seen == [Accepted("big"), Accepted(3)]


async def test_an_answer_for_a_call_whose_process_is_gone_is_reported_lost_and_not_used(
    connect: Connect, era: str
) -> None:
    table, log = Table(), []
    entry = f"tools/call {__name__}.asking_server.<locals>.purge"
    gone = WhichCall(
        "records", "purge", {"table": "users"}, {"table": "users"}, None, None, entry
    )  # and nobody holds what it asked
    await DeskSide(table, gone, 600).post(FormQuestion("Delete users?", shape_of(bool).form))
    await table.answer(YES)
    async with connect(asking_server(Asking(desk=table, hold=0.02), log)) as client:
        lost = await client.call_tool("purge", {"table": "users"})
        assert lost.is_error
        assert lost.structured_content["outcome"] == "lost"
        fresh = await client.call_tool("purge", {"table": "users"})
        assert fresh.structured_content["outcome"] == "waiting"
    assert log == ["started"]


async def test_an_address_that_is_not_told_is_in_no_result(connect: Connect) -> None:
    table = Table(told=False)
    async with connect(asking_server(Asking(desk=table, hold=0.02), [])) as client:
        result = await client.call_tool("purge", {"table": "users"})
    assert "http" not in text_of(result)
    assert "on a page of the user's own" in text_of(result)


async def test_a_question_whose_place_has_no_page_does_not_stay_on_the_desk(connect: Connect) -> None:
    table = Table()

    async def nowhere(posting: Posting) -> str:
        raise NobodyAsked("there is no page")

    table.address = nowhere  # type: ignore[method-assign]
    async with connect(asking_server(Asking(desk=table), [])) as client:
        result = await client.call_tool("purge", {"table": "users"})
    assert "nobody was asked: there is no page" in text_of(result)
    (posting,) = await table.desk.closed()
    assert posting.status is Status.WITHDRAWN
