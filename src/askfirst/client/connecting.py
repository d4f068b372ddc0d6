"""The official SDK's client, declaring what its answerer can really do."""

from types import TracebackType
from typing import Any, Self, TypeAlias

from mcp.client import Client, Transport
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse

from askfirst.ports import Answerer
from askfirst.wire import complete_result, declare_modes, is_modern_request

from .callback import elicitation_callback

__all__ = ["connect", "declaring"]

_Reading: TypeAlias = Any
_Writing: TypeAlias = Any
"""The SDK keeps the names of its stream protocols to itself; only `Transport`, which yields both, is public."""


class _Spoken:
    """What both directions of a connection know: whether the last request of ours was a modern one."""

    modern = False


def connect(
    server: str | StdioServerParameters | Transport | Server[Any] | MCPServer,
    answerer: Answerer,
    *,
    name: str,
    tool: str | None = None,
    limit: float | None = None,
    **options: Any,
) -> Client:
    """The SDK's `Client`, whose questions go to the answerer; use it with `async with`, as any other.

    Elicitation is declared only in the modes the answerer reaches, looked at anew with each request that declares
    anything: nobody there, nothing declared (client/elicitation, "Capabilities").

    Args:
        server: What `Client` takes: a URL, parameters to start a process, a transport, or a server object.
        answerer: Who answers.
        name: The name under which the person knows this server; shown first with every question.
        tool: What is being called, where the host knows it.
        limit: Seconds after which a question that was put to a person is cancelled as expired.
        options: Anything else `Client` takes.

    Raises:
        ValueError: A server object in this process, and an answerer that reaches one mode alone. The SDK speaks to
            such an object without messages, so what it declares (both modes) can't be corrected; a transport can.
    """
    callback = elicitation_callback(answerer, server=name, tool=tool, limit=limit)
    if isinstance(server, Server | MCPServer):
        modes = answerer.reaches()
        if len(modes) == 1:
            raise ValueError(
                f"expected an answerer of both modes or none for a server object in this process, got one that "
                f"reaches {min(modes)} alone; run the server over stdio or HTTP, or hand in a transport"
            )
        return Client(server, elicitation_callback=callback if modes else None, **options)
    if isinstance(server, str):
        server = streamable_http_client(server)
    elif isinstance(server, StdioServerParameters):
        server = stdio_client(server)
    return Client(declaring(server, answerer), elicitation_callback=callback, **options)


def declaring(transport: Transport, answerer: Answerer) -> Transport:
    """The transport, on which each request declares exactly the modes that the answerer reaches at that moment.

    On a modern connection a result that does not say what it is is complete, as the revision has it: the SDK's
    client would refuse it.
    """
    return _DeclaringTransport(transport, answerer)


class _DeclaringTransport:
    def __init__(self, transport: Transport, answerer: Answerer) -> None:
        self._transport = transport
        self._answerer = answerer

    async def __aenter__(self) -> tuple[_Reading, _Writing]:
        reading, writing = await self._transport.__aenter__()
        spoken = _Spoken()
        return _CompletingStream(reading, spoken), _DeclaringStream(writing, spoken, self._answerer)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._transport.__aexit__(kind, error, trace)


class _Stream:
    """One of the two streams. A message that was given is not changed: it may be the caller's own."""

    def __init__(self, stream: Any, spoken: _Spoken) -> None:
        self._stream = stream
        self._spoken = spoken

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        closed: bool | None = await self._stream.__aexit__(kind, error, trace)
        return closed


class _DeclaringStream(_Stream):
    """The stream to the server."""

    def __init__(self, stream: _Writing, spoken: _Spoken, answerer: Answerer) -> None:
        super().__init__(stream, spoken)
        self._answerer = answerer

    async def send(self, item: SessionMessage, /) -> None:
        message = item.message
        if isinstance(message, JSONRPCRequest) and message.params is not None:
            self._spoken.modern = is_modern_request(message.params)
            params = declare_modes(message.params, self._answerer.reaches())
            item = SessionMessage(message.model_copy(update={"params": params}), item.metadata)
        await self._stream.send(item)


class _CompletingStream(_Stream):
    """The stream from the server; it may also carry faults of the transport."""

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._completed(await self._stream.__anext__())

    def _completed(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        if not self._spoken.modern or isinstance(item, Exception):
            return item
        message = item.message
        if not isinstance(message, JSONRPCResponse):
            return item
        completed = message.model_copy(update={"result": complete_result(message.result)})
        return SessionMessage(completed, item.metadata)
