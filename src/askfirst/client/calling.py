"""Which tool is being called, for a question that comes meanwhile. Where that is not certain, none is named.

- In the modern era a question is in the result of the call, and is put by the very task that called: what a context
  variable says there is exact.
- In the legacy era it is a request that says nothing of a call. While one call alone is open it is about that one;
  while several are, it may be about each.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, Final

from mcp.client import Client
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolResult,
    GetPromptResult,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    ReadResourceResult,
)

from .passing import Received

__all__ = ["CallingClient", "Calls"]

_CALL: Final = "tools/call"
_MAY_ASK: Final = (_CALL, "prompts/get", "resources/read")


@dataclass(slots=True)
class _Call:
    """What a task is about: on which connection, and in which tool; over for all that the task left behind."""

    calls: "Calls"
    tool: str | None
    over: bool = False


_call: Final[ContextVar[_Call | None]] = ContextVar("askfirst_call", default=None)


class Calls:
    """The calls of one connection."""

    def __init__(self) -> None:
        self._open: dict[str, str | None] = {}
        self._asked = False

    def tool(self) -> str | None:
        """The tool in whose call this task asks; None where that is not known, or where it is a prompt or resource."""
        call = _call.get()
        return None if call is None or call.calls is not self or call.over else call.tool

    @contextmanager
    def during(self, tool: str | None) -> Iterator[None]:
        """What this task does in the block belongs to a call of the tool, or to no tool."""
        call = _Call(self, tool)
        before = _call.set(call)
        try:
            yield
        finally:
            call.over = True
            _call.reset(before)

    def sent(self, item: SessionMessage) -> None:
        """Told of each message before it goes to the server."""
        match item.message:
            case JSONRPCRequest(id=number, method=method, params=params) if method in _MAY_ASK:
                self._open[str(number)] = str((params or {}).get("name")) if method == _CALL else None
            case JSONRPCNotification(method="notifications/cancelled", params=params):
                self._open.pop(str((params or {}).get("requestId")), None)
            case _:
                pass

    def unsent(self, item: SessionMessage) -> None:
        """Told of a message that may not have gone: nobody waits for what comes of it."""
        if isinstance(item.message, JSONRPCRequest):
            self._open.pop(str(item.message.id), None)

    def received(self, item: Received) -> None:
        """Told of each message before anybody acts on it."""
        message = None if isinstance(item, Exception) else item.message
        self._asked = isinstance(message, JSONRPCRequest)
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._open.pop(str(message.id), None)

    def within(self, context: Context | None) -> Context | None:
        """In which context the last message is acted on: a request in one that knows the call it is about."""
        if not self._asked:
            return context
        about = copy_context() if context is None else context.copy()
        (tool,) = self._open.values() if len(self._open) == 1 else (None,)
        about.run(_call.set, _Call(self, tool))
        return about


class CallingClient(Client):
    """The SDK's client, of which `calls` knows which tool it calls."""

    calls: Calls

    async def call_tool(self, name: str, *args: Any, **options: Any) -> CallToolResult:
        """As `Client.call_tool`."""
        with self.calls.during(name):
            return await super().call_tool(name, *args, **options)

    async def get_prompt(self, name: str, *args: Any, **options: Any) -> GetPromptResult:
        """As `Client.get_prompt`."""
        with self.calls.during(None):
            return await super().get_prompt(name, *args, **options)

    async def read_resource(self, uri: str, **options: Any) -> ReadResourceResult:
        """As `Client.read_resource`."""
        with self.calls.during(None):
            return await super().read_resource(uri, **options)
