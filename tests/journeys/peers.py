"""Servers and clients by other hands: the TypeScript ones of tests/peers, and the official example server."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

PEERS = Path(__file__).resolve().parent.parent / "peers"
EVERYTHING = PEERS / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
ASKING_SERVER = [sys.executable, str(Path(__file__).with_name("asking_server.py"))]


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


def node(script: str) -> list[str]:
    """The command line of a TypeScript fixture."""
    return ["node", str(PEERS / script)]


def everything() -> list[str]:
    """The command line of the official example server."""
    return ["node", str(EVERYTHING)]


def over_stdio(command: list[str]) -> StdioServerParameters:
    """A server that the SDK's client starts itself."""
    program, *arguments = command
    return StdioServerParameters(command=program, args=arguments)


@contextmanager
def over_http(command: list[str]) -> Iterator[str]:
    """A server that is up while the block runs; gives the address that it prints as its first line."""
    with subprocess.Popen([*command, "http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://"), f"expected an address, got {address!r}"
            yield address
        finally:
            process.terminate()


@dataclass(frozen=True)
class Call:
    """One tool call for a fixture client, with its answers in order; "fail" stands for a client that can't show one."""

    tool: str
    arguments: dict[str, object]
    answers: Sequence[dict[str, object] | str] = ()


@dataclass(frozen=True)
class Outcome:
    """What a fixture client saw of one call: the questions as they came on the wire, and a result or an error."""

    questions: list[dict[str, Any]]
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        assert self.result is not None, self.error
        return "\n".join(block["text"] for block in self.result["content"])


def run_client(
    script: str, target: str | list[str], capability: dict[str, object] | None, calls: Sequence[Call]
) -> tuple[str, list[Outcome]]:
    """Makes calls with a fixture client, on one connection; gives the revision and what came of each.

    `tests/peers/order.mjs` says how the client is told and how it tells.
    """
    orders = [{"tool": one.tool, "arguments": one.arguments, "answers": list(one.answers)} for one in calls]
    order = json.dumps({"target": target, "capability": capability, "calls": orders})
    done = subprocess.run([*node(script), order], stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    return told["revision"], [Outcome(**one) for one in told["calls"]]
