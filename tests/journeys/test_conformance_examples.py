"""The two examples for the official conformance suite, against each other's kind and without the suite."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitResult

from askfirst import Accepted, Ask, NobodyAsked, askable, form
from askfirst.core.revisions import REVISIONS, Era

pytestmark = pytest.mark.anyio

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SERVER, CLIENT = EXAMPLES / "conformance_server.py", EXAMPLES / "conformance_client.py"
MODES = {"legacy": "legacy", "modern": "auto"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@asynccontextmanager
async def conformance_server() -> AsyncIterator[str]:
    """The example as a process of its own; it is up as soon as it says so on stderr."""
    port = free_port()
    async with await anyio.open_process([sys.executable, str(SERVER), str(port)]) as process:
        try:
            assert process.stderr is not None
            said = b""
            while b"running on" not in said:
                said += await process.stderr.receive()
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


def agreeing(seen: list[Any]) -> Any:
    async def answer(context: object, params: Any) -> ElicitResult:
        seen.append(params)
        properties = params.requested_schema["properties"]
        content = {
            name: True if one["type"] == "boolean" else one.get("default", "a@example.com")
            for name, one in properties.items()
        }
        return ElicitResult(action="accept", content=content)

    return answer


@pytest.mark.parametrize("era", MODES)
async def test_the_server_asks_a_client_of_each_era(era: str) -> None:
    seen: list[Any] = []
    async with (
        conformance_server() as url,
        Client(url, mode=MODES[era], elicitation_callback=agreeing(seen)) as client,
    ):
        plain = await client.call_tool("test_elicitation", {"message": "Who are you?"})
        defaults = await client.call_tool("test_elicitation_sep1034_defaults", {})
        rounds = await client.call_tool("test_input_required_result_multi_round", {})
    texts = [result.content[0].text for result in (plain, defaults, rounds)]
    assert texts == ["User answered: accept", "Elicitation completed: accept", "Done: accept, accept"]
    assert seen[0].message == "Who are you?"
    assert seen[1].requested_schema["properties"]["score"]["default"] == 95.5


def test_the_server_says_how_it_is_used() -> None:
    done = subprocess.run([sys.executable, SERVER, "nine"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, "usage: conformance_server.py PORT")


class Plan(StrEnum):
    FREE = "free"
    PAID = "paid"


@form
@dataclass
class Signup:
    agree: bool
    seats: int = 3
    plan: Plan = Plan.PAID


def asking(got: list[object]) -> MCPServer:
    mcp = MCPServer("asking")

    @mcp.tool()
    @askable
    async def sign_up(ask: Ask) -> str:
        """Ask for what the defaults of a form answer."""
        match await ask("Sign up?", Signup):
            case Accepted(data):
                got.append(data)
        return "done"

    @mcp.tool()
    @askable
    async def name_it(ask: Ask) -> str:
        """Ask for what no default answers."""
        try:
            await ask("A name?", str)
        except NobodyAsked:
            got.append("nobody")
        return "done"

    @mcp.tool()
    async def add(a: int, b: float, words: list[str]) -> str:
        """Need arguments of several kinds."""
        got.append((a, b, words))
        return "done"

    return mcp


@asynccontextmanager
async def serving(mcp: MCPServer) -> AsyncIterator[str]:
    server = uvicorn.Server(uvicorn.Config(mcp.streamable_http_app(), log_level="error", lifespan="on"))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
            server.should_exit = True


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_client_calls_everything_and_accepts_with_the_defaults(revision: str) -> None:
    got: list[object] = []
    async with serving(asking(got)) as url:
        done = await anyio.run_process(
            [sys.executable, str(CLIENT), url],
            env={**os.environ, "MCP_CONFORMANCE_PROTOCOL_VERSION": revision},
        )
    # A legacy server is told that nobody was asked, and goes on; a modern call ends at the client.
    legacy = REVISIONS[revision].era is Era.LEGACY
    assert got == [Signup(agree=True), *(["nobody"] if legacy else []), (5, 5.0, [])]
    named = "done" if legacy else "an error"
    assert done.stderr.decode().split("\n") == ["sign_up: done", f"name_it: {named}", "add: done", ""]
