"""A client of bare messages, in memory, for what the official one would not send or does not show."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

__all__ = ["CLIENT", "Bare", "bare"]

CLIENT = {"name": "bare", "version": "1"}
PATIENCE = 60.0
"""Seconds to wait for a message. None takes a tenth of it."""


class Bare:
    """Sends and receives what is on the wire, without `jsonrpc`, which is the same everywhere."""

    def __init__(self, read: Any, write: Any) -> None:
        self._read, self._write = read, write

    async def send(self, message: dict[str, Any]) -> None:
        parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **message})
        await self._write.send(SessionMessage(parsed))

    async def receive(self) -> dict[str, Any]:
        with anyio.fail_after(PATIENCE):
            got = await self._read.receive()
        return self._plain(got)

    async def initialize(self, version: str, capabilities: dict[str, Any]) -> None:
        """Open the connection as a client of a legacy revision."""
        params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": CLIENT}
        await self.send({"id": "first", "method": "initialize", "params": params})
        assert (await self.receive())["result"]["protocolVersion"] == version
        await self.send({"method": "notifications/initialized"})

    async def left_over(self) -> list[dict[str, Any]]:
        """What the server sent that was not received yet, once it has nothing left to do."""
        await anyio.wait_all_tasks_blocked()
        await self.send({"id": "last", "method": "ping"})
        messages = []
        while (message := await self.receive()).get("id") != "last":
            messages.append(message)
        return messages

    async def leave(self) -> None:
        """Close our end, as a client that vanishes."""
        await self._write.aclose()

    def _plain(self, got: SessionMessage | Exception) -> dict[str, Any]:
        assert isinstance(got, SessionMessage)
        message: dict[str, Any] = got.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert message.pop("jsonrpc") == "2.0"
        return message


@asynccontextmanager
async def bare(mcp: MCPServer) -> AsyncIterator[Bare]:
    """A connection to a server before anything was said."""
    async with (
        create_client_server_memory_streams() as ((read, write), (server_read, server_write)),
        anyio.create_task_group() as group,
    ):
        low = mcp._lowlevel_server
        group.start_soon(low.run, server_read, server_write, low.create_initialization_options())
        yield Bare(read, write)
        group.cancel_scope.cancel()
