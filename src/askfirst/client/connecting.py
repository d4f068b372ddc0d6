"""The official SDK's client, declaring what its answerer can really do."""

from collections.abc import Callable, Mapping
from typing import Any

from mcp.client import Client, Transport
from mcp.client.session import ClientRequestContext
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
from .misshapen import Misshapen
from .passing import Received, passing

__all__ = ["connect"]


def connect(
    server: str | StdioServerParameters | Transport | Server[Any] | MCPServer,
    answerer: Answerer,
    *,
    name: str,
    tool: str | None = None,
    limit: float | None = None,
    unasked: Callable[[NobodyAsked], None] | None = None,
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
        unasked: Told of each question that the answerer never sees, with the reason: one that can't be read, or of a
            mode that was not declared.
        options: Anything else `Client` takes.

    Raises:
        ValueError: A server object in this process, and an answerer that reaches one mode alone. The SDK speaks to
            such an object without messages, so what it declares (both modes) can't be corrected; a transport can.
    """
    callback = elicitation_callback(answerer, server=name, tool=tool, limit=limit, unasked=unasked)
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
    misshapen = Misshapen()
    spoken = _Spoken(answerer, misshapen)
    transport = passing(server, received=spoken.completed, sent=spoken.declared)

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        fault = misshapen.fault(params)
        return await callback(context, params) if fault is None else refusal(fault, unasked)

    return Client(transport, elicitation_callback=answer, **options)


class _Spoken:
    """What is said on one connection, as it should be; whether it is modern shows in our own last request."""

    def __init__(self, answerer: Answerer, misshapen: Misshapen) -> None:
        self._answerer = answerer
        self._misshapen = misshapen
        self._modern = False
        self._settled = False

    def declared(self, item: SessionMessage) -> SessionMessage:
        """A request that declares exactly the modes that the answerer reaches at this moment."""
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
