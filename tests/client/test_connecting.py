"""What is declared is what the answerer reaches: seen from a real server, over stdio, HTTP and in memory."""

import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from askfirst.client.callback import NOBODY_ASKED
from askfirst.client.connecting import connect
from askfirst.core.answers import Accepted, Answer, Content
from askfirst.core.errors import NobodyAsked
from askfirst.core.questions import Origin, Question
from askfirst.core.revisions import Mode
from client.declaring_server import mcp as declaring_server

pytestmark = pytest.mark.anyio

SERVER = str(Path(__file__).with_name("declaring_server.py"))
STDIO = StdioServerParameters(command=sys.executable, args=[SERVER, "stdio"])
BOTH, FORM, URL, NONE = (
    frozenset(Mode),
    frozenset({Mode.FORM}),
    frozenset({Mode.URL}),
    frozenset[Mode](),
)
NAMES: dict[frozenset[Mode], list[str] | None] = {
    BOTH: ["form", "url"],
    FORM: ["form"],
    URL: ["url"],
    NONE: None,
}


class Reaching:
    """Reaches what it is told to, and says yes; `origins` remembers who asked."""

    def __init__(self, modes: frozenset[Mode]) -> None:
        self.modes = modes
        self.origins: list[Origin] = []

    def reaches(self) -> frozenset[Mode]:
        return self.modes

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        self.origins.append(origin)
        if not self.modes:
            raise NobodyAsked("everybody went home")
        return Accepted({"name": "Ada"} if question.mode is Mode.FORM else {})


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def http_server() -> AsyncIterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with await anyio.open_process(
        [sys.executable, SERVER, str(port)], stdout=None, stderr=None
    ) as process:
        with anyio.fail_after(60):
            while True:
                try:
                    await (await anyio.connect_tcp("127.0.0.1", port)).aclose()
                    break
                except OSError:
                    await anyio.lowlevel.checkpoint()
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


async def declared_to(server: Any, answerer: Reaching, mode: str) -> list[str] | None:
    async with connect(server, answerer, name="mine", mode=mode) as client:
        result = await client.call_tool("declared")
    found: list[str] | None = json.loads(result.content[0].text)
    return found


@pytest.mark.parametrize("modes", [BOTH, FORM, URL, NONE], ids=["both", "form", "url", "none"])
async def test_over_stdio_exactly_what_is_reached_is_declared(modes: frozenset[Mode], mode: str) -> None:
    assert await declared_to(STDIO, Reaching(modes), mode) == NAMES[modes]


async def test_over_http_exactly_what_is_reached_is_declared(mode: str) -> None:
    async with http_server() as url:
        for server in (url, streamable_http_client(url)):
            assert await declared_to(server, Reaching(FORM), mode) == ["form"]
        assert await declared_to(url, Reaching(NONE), mode) is None


@pytest.mark.parametrize("modes", [BOTH, NONE], ids=["both", "none"])
async def test_in_memory_all_or_nothing_is_declared(modes: frozenset[Mode], mode: str) -> None:
    assert await declared_to(declaring_server, Reaching(modes), mode) == NAMES[modes]


def test_in_memory_one_mode_alone_is_refused_because_it_could_not_be_declared() -> None:
    with pytest.raises(ValueError, match="reaches form alone: the SDK would declare both"):
        connect(declaring_server, Reaching(FORM), name="mine")


@pytest.mark.parametrize(
    "server",
    ["janitor.py", "localhost:8000/mcp", "", "ftp://example.org/", "http://", "https:///mcp", "http://["],
)
def test_a_text_that_is_no_address_is_refused_before_anything_is_started(server: str) -> None:
    with pytest.raises(
        ValueError, match=r"begins with http:// or https://.*no such address; a program is started"
    ):
        connect(server, Reaching(BOTH), name="mine")


@pytest.mark.parametrize("server", [Path("janitor.py"), ["python", "janitor.py"], None])
def test_what_is_no_server_at_all_is_refused_by_its_kind(server: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"begins with http.*got {type(server).__name__}; a program is started"
    ):
        connect(server, Reaching(BOTH), name="mine")


@pytest.mark.parametrize("server", ["HTTP://localhost:8000/mcp", "https://user@example.org"])
def test_any_http_address_is_taken(server: str) -> None:
    connect(server, Reaching(BOTH), name="mine")


async def test_in_the_modern_era_somebody_who_leaves_is_no_longer_declared() -> None:
    answerer = Reaching(BOTH)
    async with connect(STDIO, answerer, name="mine", mode="auto") as client:
        answerer.modes = NONE
        result = await client.call_tool("declared")
        answerer.modes = URL
        later = await client.call_tool("declared")
    assert [json.loads(one.content[0].text) for one in (result, later)] == [None, ["url"]]


@pytest.mark.parametrize(("tool", "said"), [("greet", "Ada"), ("sign_in", "accept")])
async def test_a_question_reaches_the_answerer_with_who_asks_it(tool: str, said: str) -> None:
    answerer = Reaching(BOTH)
    async with connect(STDIO, answerer, name="mine", mode="legacy") as client:
        result = await client.call_tool(tool)
    assert result.content[0].text == said
    (origin,) = answerer.origins
    assert (origin.server, origin.claimed, origin.tool) == ("mine", "declared-server", tool)


async def test_that_nobody_was_asked_is_an_error_and_no_answer() -> None:
    answerer = Reaching(BOTH)
    async with connect(STDIO, answerer, name="mine", mode="legacy") as client:
        answerer.modes = NONE
        with pytest.raises(MCPError) as failed:
            await client.call_tool("greet")
    assert failed.value.error.code == NOBODY_ASKED
    assert "everybody went home" in str(failed.value)


async def test_a_mode_that_was_not_declared_is_an_error() -> None:
    answerer = Reaching(BOTH)
    async with connect(STDIO, answerer, name="mine", mode="legacy") as client:
        answerer.modes = FORM
        with pytest.raises(MCPError, match="did not declare url mode"):
            await client.call_tool("sign_in")
