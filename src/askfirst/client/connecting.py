"""The official SDK's client, declaring what its answerer can really do."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.client import Client, Transport
from mcp.client.session import ClientRequestContext, ElicitationFnT
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import ElicitRequestParams, ElicitResult, ErrorData, JSONRPCRequest, JSONRPCResponse

from askfirst.core.errors import NobodyAsked, PeerError
from askfirst.ports import Answerer
from askfirst.wire import complete_request, complete_result, declare_modes, is_modern_request

from .callback import elicitation_callback, refusal
from .calling import CallingClient, Calls
from .misshapen import Misshapen
from .passing import Received, passing

__all__ = ["connect"]

_TAKES: Final = (
    "expected an address that begins with http:// or https://, StdioServerParameters, a transport, "
    "or a server object of the SDK"
)
_PROGRAM: Final = (
    "a program is started with "
    'StdioServerParameters(command="python", args=["server.py"]), from the package mcp'
)


def connect(
    server: str | StdioServerParameters | Transport | Server[Any] | MCPServer,
    answerer: Answerer,
    *,
    name: str,
    limit: float | None = None,
    unasked: Callable[[NobodyAsked], None] | None = None,
    **options: Any,
) -> Client:
    """The SDK's `Client`, whose questions go to the answerer; use it with `async with`, as any other.

    Elicitation is declared only in the modes the answerer reaches, looked at anew with each request that declares
    anything: nobody there, nothing declared (client/elicitation, "Capabilities").

    The answerer is told which tool is being called, where that is certain: always on a 2026-07-28 connection; on an
    older one, whose questions don't say it, while one call alone is open. For questions of prompts and resources, for
    rounds driven by hand (`client.session`), and outside of all calls it is None.

    Args:
        server: What `Client` takes: an http(s) address, parameters to start a process, a transport, or a server object.
        answerer: Who answers.
        name: The name under which the person knows this server; shown first with every question.
        limit: Seconds after which a question that was put to a person is cancelled as expired.
        unasked: Told of each question that the answerer never sees, with the reason: one that can't be read, or of a
            mode that was not declared.
        options: Anything else `Client` takes.

    Raises:
        TypeError: The server is nothing of that.
        ValueError: It is a text and no http(s) address; or a server object in this process, with an answerer of one
            mode: the SDK's client declares both, and speaks to such an object without messages to correct that in.
    """
    _examine(server)
    calls = Calls()
    callback = elicitation_callback(answerer, server=name, tool=calls.tool, limit=limit, unasked=unasked)
    if isinstance(server, Server | MCPServer):
        modes = answerer.reaches()
        if len(modes) == 1:
            raise ValueError(
                "expected an answerer of both modes or none for a server object in this process, got one that reaches "
                f"{min(modes)} alone: the SDK would declare both, and there are no messages in which to correct it. "
                "Run the server over stdio or HTTP, or hand in a transport; or take the SDK's Client with "
                "elicitation_callback, where both are declared and questions of the other mode are refused"
            )
        return _calling(calls, server, callback if modes else None, options)
    if isinstance(server, str):
        server = streamable_http_client(server)
    elif isinstance(server, StdioServerParameters):
        server = stdio_client(server)
    misshapen = Misshapen()
    spoken = _Spoken(answerer, misshapen, calls)
    transport = passing(
        server, received=spoken.completed, sent=spoken.declared, unsent=calls.unsent, within=calls.within
    )

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        fault = misshapen.fault(params)
        return await callback(context, params) if fault is None else refusal(fault, unasked)

    return _calling(calls, transport, answer, options)


def _calling(
    calls: Calls,
    server: Transport | Server[Any] | MCPServer,
    callback: ElicitationFnT | None,
    options: dict[str, Any],
) -> Client:
    client = CallingClient(server, elicitation_callback=callback, **options)
    client.calls = calls
    return client


def _examine(server: object) -> None:
    """Refuse what can't be connected to, before anything is started.

    Raises:
        TypeError: It is of no kind that the SDK's client takes.
        ValueError: It is a text, and no http(s) address.
    """
    if isinstance(server, str):
        if not _is_address(server):
            raise ValueError(f"{_TAKES}, got a text that is no such address; {_PROGRAM}")
    elif not isinstance(server, StdioServerParameters | Server | MCPServer | AbstractAsyncContextManager):
        raise TypeError(f"{_TAKES}, got {type(server).__name__}; {_PROGRAM}")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


class _Spoken:
    """What is said on one connection, as it should be; whether it is modern shows in our own last request."""

    def __init__(self, answerer: Answerer, misshapen: Misshapen, calls: Calls) -> None:
        self._answerer = answerer
        self._calls = calls
        self._misshapen = misshapen
        self._modern = False
        self._settled = False

    def declared(self, item: SessionMessage) -> SessionMessage:
        """A request that declares exactly the modes that the answerer reaches at this moment."""
        self._calls.sent(item)
        message = item.message
        if not isinstance(message, JSONRPCRequest) or message.params is None:
            return item
        self._modern = is_modern_request(message.params)
        params = declare_modes(message.params, self._answerer.reaches())
        return SessionMessage(message.model_copy(update={"params": params}), item.metadata)

    def completed(self, item: Received) -> Received:
        """A result or question that says all of what it is, also where it left that out.

        The SDK's client refuses what our own lenient reading would understand. And it would answer a request on a
        modern connection, where no server may send one and no client may write an answer (basic/transports, "stdio").
        """
        self._calls.received(item)
        message = None if isinstance(item, Exception) else item.message
        update: dict[str, object]
        if isinstance(message, JSONRPCResponse) and self._modern:
            self._settled = True
            update = {"result": complete_result(message.result, self._embedded)}
        elif isinstance(message, JSONRPCRequest):
            if self._modern and self._settled:
                return PeerError("expected no request from a server of this revision, got one; not answered")
            asked = complete_request({"method": message.method, "params": message.params})
            update = dict(self._misshapen.passed(asked, embedded=False))
        else:
            return item
        assert isinstance(item, SessionMessage)
        return SessionMessage(message.model_copy(update=update), item.metadata)

    def _embedded(self, request: Mapping[str, object]) -> Mapping[str, object]:
        return self._misshapen.passed(complete_request(request), embedded=True)
