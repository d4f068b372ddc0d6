"""Servers and clients by other hands: the TypeScript ones of tests/peers, and the official example server."""

import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import StdioServerParameters

PEERS = Path(__file__).resolve().parent.parent / "peers"
EVERYTHING = PEERS / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
START = 30.0
"""Seconds a peer may take to start: node compiles a large SDK, on a machine that may be busy."""


@cache
def _missing() -> str | None:
    """Why the peers can't run here, or None."""
    node = shutil.which("node")
    if node is None:
        return "there is no node on the PATH"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < 20:
        return f"the TypeScript SDK 2.x needs node 20 or newer, this is {version}"
    if not EVERYTHING.exists():
        return "tests/peers is not installed: run npm ci there"
    return None


needs_node = pytest.mark.skipif(_missing() is not None, reason=str(_missing()))


def command(script: str, *arguments: str) -> list[str]:
    """The command line of a fixture."""
    return ["node", str(PEERS / script), *arguments]


def over_stdio(script: str) -> StdioServerParameters:
    """A fixture that the SDK's client starts itself."""
    node, *arguments = command(script)
    return StdioServerParameters(command=node, args=arguments)


def everything() -> StdioServerParameters:
    """The official example server."""
    return StdioServerParameters(command="node", args=[str(EVERYTHING)])


@asynccontextmanager
async def over_http(script: str) -> AsyncIterator[str]:
    """A fixture that serves HTTP while the block runs; gives its address."""
    async with await anyio.open_process(command(script, "http"), stderr=None) as process:
        try:
            assert process.stdout is not None
            with anyio.fail_after(START):
                line = await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 200)
            yield line.decode()
        finally:
            process.terminate()


@dataclass(frozen=True)
class Report:
    """What a fixture client saw: the questions as they came on the wire, and the call's result or error."""

    questions: list[dict[str, Any]]
    revision: str
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The text of the result."""
        assert self.result is not None, self.error
        return "\n".join(block["text"] for block in self.result["content"])


async def run_client(
    script: str,
    target: str | list[str],
    tool: str,
    arguments: dict[str, Any],
    capability: dict[str, Any] | None,
    *answers: dict[str, Any] | str,
) -> Report:
    """Calls one tool with a fixture client; `tests/peers/order.mjs` says what it is told and what it tells."""
    order = {"target": target, "tool": tool, "arguments": arguments, "capability": capability, "answers": answers}
    with anyio.fail_after(2 * START):
        done = await anyio.run_process(command(script, json.dumps(order)), stderr=None, env=dict(os.environ))
    return Report(**json.loads(done.stdout))
