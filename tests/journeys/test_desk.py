"""Real servers over stdio whose questions wait on the desk, and whoever answers them in another process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from askfirst.core.answers import Accepted, Answer, Content, Declined
from askfirst.core.postings import Posting, Status
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore
from at_the_page import LINK, answer_at

pytestmark = pytest.mark.anyio

RECORDS = Path(__file__).resolve().parents[2] / "examples" / "records.py"
WAITING_SERVER = Path(__file__).with_name("waiting_server.py")
MODES = {"legacy": "legacy", "modern": "auto"}
TOOL = "delete_stale_records"
ARGUMENTS = {"table": "events", "older_than_days": 365}
YES = {"confirm": True, "reason": "old"}


@dataclass
class Machine:
    """One machine's store, and the servers and people on it."""

    folder: Path
    rows: SqliteStore

    def __post_init__(self) -> None:
        self.desk = Desk(self.rows)

    @property
    def store(self) -> Path:
        return self.folder / "desk.sqlite3"

    @asynccontextmanager
    async def caller(
        self, script: Path = RECORDS, *, era: str = "modern", **variables: str
    ) -> AsyncIterator[Client]:
        """A client that can't ask, of a server that runs in a process of its own."""
        ours = {
            "ASKFIRST_DESK": "local",
            "ASKFIRST_STORE": str(self.store),
            "RECORDS_DB": str(self.folder / "records.db"),
        }
        inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ}
        server = StdioServerParameters(
            command=sys.executable, args=[str(script)], env={**inherited, **ours, **variables}
        )
        async with Client(server, mode=MODES[era]) as client:
            yield client

    async def asked(self, number: int = 1) -> tuple[Posting, ...]:
        with anyio.fail_after(60):
            while len(found := await self.desk.open()) < number:
                with anyio.move_on_after(0.1):
                    async for _ in self.desk.changes():
                        break
        return found

    async def says(self, posting: Posting, answer: Answer[Content]) -> None:
        """An answer from this process, which is none of the servers'."""
        assert (await self.desk.answer(posting.token, posting.digest, answer)).accepted

    async def answer(self, posting: Posting, *flags: str) -> "subprocess.CompletedProcess[str]":
        """`askfirst desk answer`, in a process of its own."""
        command = [sys.executable, "-m", "askfirst", "desk", "answer", posting.code, *flags]
        return await anyio.to_thread.run_sync(
            lambda: subprocess.run(
                [*command, "--store", str(self.store)], check=False, capture_output=True, text=True
            )
        )


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    store = SqliteStore(tmp_path / "desk.sqlite3")
    yield Machine(tmp_path, store)
    await store.close()


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


@pytest.mark.parametrize("era", MODES)
async def test_the_call_goes_on_with_an_answer_from_another_process(machine: Machine, era: str) -> None:
    results: list[str] = []
    async with machine.caller(era=era) as client, anyio.create_task_group() as group:

        async def call() -> None:
            results.append(text_of(await client.call_tool(TOOL, ARGUMENTS)))

        group.start_soon(call)
        (posting,) = await machine.asked()
        done = await machine.answer(posting, "--content", json.dumps(YES))
        assert done.stdout == f"{posting.code}: accept, for records-admin\n"
    assert results == ["Deleted 2000 rows. Reason: 'old'"]
    late = await machine.answer(posting, "--decline")
    assert late.returncode == 1
    assert "was answered before (accept)" in late.stderr


@pytest.mark.parametrize("era", MODES)
async def test_a_call_that_times_out_in_between_is_asked_once_and_run_once(
    machine: Machine, era: str
) -> None:
    async with machine.caller(era=era) as client:
        with pytest.raises(MCPError, match=r"(?i)timed out|timeout"):
            await client.call_tool(TOOL, ARGUMENTS, read_timeout_seconds=2)
        (posting,) = await machine.asked()
        await machine.says(posting, Accepted(YES))
        result = await client.call_tool(TOOL, ARGUMENTS)
        left = await client.call_tool("count_records", {"table": "events"})
    assert text_of(result) == "Deleted 2000 rows. Reason: 'old'"
    assert text_of(left) == "2000 rows in events"
    assert [one.token for one in await machine.desk.closed()] == [posting.token]


@pytest.mark.parametrize("era", MODES)
async def test_the_address_that_the_caller_is_told_leads_to_the_question(machine: Machine, era: str) -> None:
    async with machine.caller(WAITING_SERVER, era=era, HOLD="0.2") as client:
        told = text_of(await client.call_tool("pause", {"name": "a"}))
        found = LINK.search(told)
        assert found is not None
        page = await anyio.to_thread.run_sync(answer_at, found[0], "send", {"f0": "yes"})
        assert "What was sent" in page
        result = await client.call_tool("pause", {"name": "a"})
    assert text_of(result) == "a: accept, started 1 time(s)"


async def test_ten_questions_of_three_servers_wait_at_once_and_each_gets_its_own_answer(
    machine: Machine,
) -> None:
    results: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(machine.caller(WAITING_SERVER, NAME=f"server {number}"))
            for number in range(3)
        ]
        async with anyio.create_task_group() as group:

            async def call(number: int) -> None:
                name = f"call {number}"
                results[name] = text_of(await clients[number % 3].call_tool("pause", {"name": name}))

            for number in range(10):
                group.start_soon(call, number)
            postings = await machine.asked(10)
            assert await machine.desk.counts() == {"server 0": 4, "server 1": 3, "server 2": 3}
            for posting in postings:
                number = int(posting.question.message.rpartition(" ")[2].rstrip("?"))
                await machine.says(posting, Declined() if number % 2 else Accepted({"value": True}))
    expected = {
        f"call {number}": f"call {number}: {'decline' if number % 2 else 'accept'}, started 1 time(s)"
        for number in range(10)
    }
    assert results == expected


@asynccontextmanager
async def killed_while_it_waits(machine: Machine, tool: str, era: str) -> AsyncIterator[Posting]:
    """A server has asked, and was killed before the answer came."""
    pid_file = machine.folder / "pid"
    async with machine.caller(WAITING_SERVER, era=era, PID_FILE=str(pid_file)) as client:

        async def kill() -> None:
            await machine.asked()
            os.kill(int(pid_file.read_text()), signal.SIGKILL)

        async with anyio.create_task_group() as group:
            group.start_soon(kill)
            with pytest.raises(MCPError):
                await client.call_tool(tool, {"name": "a"})
    (posting,) = await machine.asked()
    yield posting


@pytest.mark.parametrize("era", MODES)
async def test_in_replay_an_answer_outlives_a_server_that_was_killed(machine: Machine, era: str) -> None:
    async with killed_while_it_waits(machine, "replay", era) as posting:
        assert (await machine.answer(posting, "--content", '{"value": true}')).returncode == 0
    async with machine.caller(WAITING_SERVER, era=era) as client:
        result = await client.call_tool("replay", {"name": "a"})
    assert text_of(result) == "a: accept, charged 1 time(s)"
    assert [one.token for one in await machine.desk.closed()] == [posting.token]


@pytest.mark.parametrize("era", MODES)
async def test_a_paused_call_of_a_server_that_was_killed_is_reported_lost(machine: Machine, era: str) -> None:
    async with killed_while_it_waits(machine, "pause", era) as posting:
        refused = await machine.answer(posting, "--content", '{"value": true}')
        assert refused.returncode == 1
        assert "who asked it has stopped" in refused.stderr
        # A page says so too, but takes the answer of somebody who was about to press the button.
        await machine.says(posting, Accepted({"value": True}))
    async with machine.caller(WAITING_SERVER, era=era, HOLD="0.2") as client:
        lost = await client.call_tool("pause", {"name": "a"})
        assert lost.is_error
        assert lost.structured_content["outcome"] == "lost"
        again = await client.call_tool("pause", {"name": "a"})
        assert again.structured_content["outcome"] == "waiting"
        (anew,) = await machine.desk.open()
        assert anew.token != posting.token


async def test_a_question_that_a_killed_server_left_open_gives_way_to_the_next_calls(
    machine: Machine,
) -> None:
    async with (
        killed_while_it_waits(machine, "pause", "modern") as posting,
        machine.caller(WAITING_SERVER, HOLD="0.2") as client,
    ):
        waits = await client.call_tool("pause", {"name": "a"})
        assert waits.structured_content["outcome"] == "waiting"
        (anew,) = await machine.desk.open()
    assert anew.token != posting.token
    assert (await machine.desk.find(posting.token)).status is Status.WITHDRAWN  # type: ignore[union-attr]


async def test_what_waits_in_one_server_is_not_taken_from_it_by_another(machine: Machine) -> None:
    results: list[str] = []
    async with (
        machine.caller(WAITING_SERVER) as one,
        machine.caller(WAITING_SERVER, HOLD="0.2") as other,
        anyio.create_task_group() as group,
    ):

        async def call() -> None:
            results.append(text_of(await one.call_tool("both", {"name": "a"})))

        group.start_soon(call)
        first, second = await machine.asked(2)
        # Given and not used yet, for its asker waits for the first one before.
        await machine.says(second, Accepted({"value": True}))
        waits = await other.call_tool("both", {"name": "a"})
        assert waits.structured_content["outcome"] == "waiting"
        await machine.says(first, Accepted({"value": True}))
    assert results == ["a: accept accept"]
