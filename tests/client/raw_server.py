"""A server of bare messages, in memory, for what the official one would not send: one tool, one thing to answer."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

__all__ = ["RawServer", "text"]


def text(words: str) -> dict[str, Any]:
    """A tool's result."""
    return {"content": [{"type": "text", "text": words}]}


class RawServer:
    """A transport to a server that does what it is told as soon as its tool is called.

    Args:
        modern: Whether it speaks 2026-07-28.
        called: Gives what to send, one message after the other, from the number of the call and its parameters.
    """

    def __init__(
        self, *, modern: bool, called: Callable[[object, Mapping[str, Any]], list[dict[str, Any]]]
    ) -> None:
        self.received: list[dict[str, Any]] = []
        self._modern = modern
        self._called = called
        self._entered = self._run()

    async def __aenter__(self) -> Any:
        return await self._entered.__aenter__()

    async def __aexit__(self, *fault: Any) -> bool | None:
        return await self._entered.__aexit__(*fault)

    @asynccontextmanager
    async def _run(self) -> AsyncIterator[Any]:
        async with (
            create_client_server_memory_streams() as (client, (read, write)),
            anyio.create_task_group() as group,
        ):
            group.start_soon(self._serve, read, write)
            yield client
            group.cancel_scope.cancel()

    async def _serve(self, read: Any, write: Any) -> None:
        async for item in read:
            message = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
            self.received.append(message)
            for answer in self._answers(message):
                parsed = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **answer})
                await write.send(SessionMessage(parsed))

    def _answers(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        number, params = message.get("id"), message.get("params") or {}
        match message.get("method"):
            case "server/discover" if self._modern:
                return [{"id": number, "result": {"supportedVersions": ["2026-07-28"], "capabilities": {}}}]
            case "initialize":
                said = {"protocolVersion": params["protocolVersion"], "capabilities": {}}
                return [{"id": number, "result": {**said, "serverInfo": {"name": "raw", "version": "1"}}}]
            case "tools/list":
                return [{"id": number, "result": {"tools": [], "cacheScope": "private", "ttlMs": 0}}]
            case "tools/call":
                return self._called(number, params)
            case str() if number is not None:
                return [{"id": number, "error": {"code": -32601, "message": "no such method"}}]
            case None:  # an answer to a question of ours: tell the caller what it was
                said = message.get("error", message.get("result"))
                return [{"id": number, "result": text(str(said))}]
            case _:
                return []
