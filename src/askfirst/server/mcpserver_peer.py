"""The official SDK's side of one call: the client at its other end, and a `Context` that survives a pause."""

from collections.abc import Callable, Iterable, Mapping
from math import inf, nextafter
from typing import Any, Final, Literal, NamedTuple, cast

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import ClientCapabilities, ElicitRequest, ElicitResult
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, PrivateAttr, RootModel, TypeAdapter

from askfirst.core.answers import Reply
from askfirst.core.errors import NobodyAsked
from askfirst.core.hygiene import plain, shorten
from askfirst.core.reach import Reachable
from askfirst.core.revisions import Mode, revision
from askfirst.wire import read_modes, read_reply

__all__ = ["LiveContext", "Request", "SdkPeer", "as_json", "reply_of", "request_of"]

_LONGEST_ERROR: Final = 200
_ARGUMENTS: Final = TypeAdapter(dict[str, Any], config=ConfigDict(ser_json_bytes="base64"))
_LITTLE: Final = 0.001
"""How far a call gets by waiting: less than any step of its body's own."""


class Request(NamedTuple):
    """What the client wants: `method`, the `name` of the tool or prompt as the client knows it, and its `arguments` as
    the client wrote them."""

    method: str
    name: str
    arguments: Mapping[str, object]

    @property
    def is_plain(self) -> bool:
        """Whether its arguments are all text, and its failure is a protocol error: prompts and resources."""
        return self.method in ("prompts/get", "resources/read")


def request_of(context: Context[Any, Any], function: str) -> Request:
    """The request that is open, served by a function of that name; the name is all that a resource has."""
    if context.protocol_version is None:  # called from inside the process
        return Request("", function, {})
    request = context.request_context
    params = request.params or {}
    name, arguments = params.get("name"), params.get("arguments")
    return Request(
        request.method,
        name if isinstance(name, str) else function,
        arguments if isinstance(arguments, Mapping) else {},
    )


def as_json(arguments: Mapping[str, object]) -> dict[str, object]:
    """A function's arguments as JSON has them, whole, but for what a type of pydantic's keeps to itself."""
    written: dict[str, object] = _ARGUMENTS.dump_python(dict(arguments), mode="json", fallback=str)
    return written


class _RawElicit(BaseModel):
    """`elicitation/create` with the parameters as they are: the SDK's own class adds `mode` in every revision.

    What comes back is as it is, too. By the name in `method` the SDK would look up what to check it with, and refuse
    a decline whose content is odd; that it was a decline could not be told any more.
    """

    asked: Literal["elicitation/create"] = Field(default="elicitation/create", serialization_alias="method")
    params: dict[str, Any]

    @property
    def method(self) -> str:
        return "elicitation/create, unchecked"


class _RawReply(RootModel[Any]):
    """Whatever the client answered."""


def _modes(capabilities: ClientCapabilities | None) -> frozenset[Mode]:
    """The declared modes; the SDK reads a capability that is no object as absent, and so do we."""
    return read_modes(
        None if capabilities is None else capabilities.model_dump(include={"elicitation"}, exclude_unset=True)
    )


def reply_of(result: object) -> Reply | None:
    """The reply in a result the SDK has already parsed, or None when it answers something else than a question."""
    if not isinstance(result, ElicitResult):
        return None
    return read_reply(result.model_dump(include={"action", "content"}))


class SdkPeer:
    """The client whose request is being served, seen through the SDK's `Context` of that request."""

    __slots__ = ("_context", "_facts", "_reported", "_total")

    def __init__(self, context: Context[Any, Any], *, desk: bool = False) -> None:
        self._context: Context[Any, Any] | None = context
        self._reported = -inf
        self._total: float | None = None
        version = context.protocol_version
        if version is None:  # called from inside the process: nobody is at the other end
            self._facts = Reachable(revision(None), frozenset(), return_path=False, desk=desk)
        else:
            session = context.session
            modes = _modes(session.client_capabilities)
            self._facts = Reachable(revision(version), modes, session.can_send_request, desk)

    @property
    def context(self) -> Context[Any, Any]:
        """The open request's context.

        Raises:
            RuntimeError: The call is paused, so no request is open; only a task that a body left running can see this.
        """
        if self._context is None:
            raise RuntimeError(
                "this call waits for an answer and no request is open; its context is back after that"
            )
        return self._context

    def rest(self) -> None:
        """Let go of the request; see `ports.Peer`."""
        self._context = None

    def facts(self) -> Reachable:
        """What this request says of its client."""
        return self._facts

    async def push(self, params: dict[str, object]) -> Reply:
        """Send the question on this request's own stream; see `ports.Peer`."""
        request = cast(ElicitRequest, _RawElicit(params=params))
        metadata = ServerMessageMetadata(related_request_id=self.context.request_id)
        try:
            result = await self.context.session.send_request(request, _RawReply, metadata=metadata)
        except NoBackChannelError:
            raise NobodyAsked(
                "this connection has no way back for a question to the client",
                cure="to ask while the call is open",
            ) from None
        except MCPError as fault:
            said = shorten(plain(fault.message, keep_newlines=False), _LONGEST_ERROR)[0]
            raise NobodyAsked(
                f"the client answered the question with error {fault.code}: {said}",
                cure="a client that can show the question; the log of this one says why it did not",
            ) from None
        return read_reply(result.root)

    async def completed(self, elicitation_id: str) -> None:
        """Send the completion notice; see `ports.Peer`. While the call is paused there is nowhere to send it."""
        if self._context is not None:
            await self._context.session.send_elicit_complete(elicitation_id, self._context.request_id)

    async def progress(self, message: str) -> None:
        """Report on the open request that it goes on, a little further than reported before; see `ports.Peer`."""
        reported = max(self._reported, 0.0)
        await self.report(max(reported + _LITTLE, nextafter(reported, inf)), self._total, message)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Report progress on the open request; while the call is paused there is nobody to hear it.

        What is no further than reported before is left out (basic/utilities/progress): a body that runs again in
        one request repeats itself.
        """
        if self._context is not None and progress > self._reported:
            self._reported, self._total = progress, total
            await self._context.report_progress(progress, total, message)


class LiveContext(Context[Any, Any]):
    """The `Context` a tool holds across a pause: everything goes to the request that is open now."""

    _peer: Callable[[], SdkPeer] = PrivateAttr()

    def __init__(self, peer: Callable[[], SdkPeer]) -> None:
        super().__init__(mcp_server=peer().context.mcp_server)
        self._peer = peer

    def _live(self) -> Context[Any, Any]:
        return self._peer().context

    @property
    def request_context(self) -> ServerRequestContext[Any, Any]:
        """The request that is open now."""
        return self._live().request_context

    @property
    def protocol_version(self) -> str | None:
        """The revision of the request that is open now."""
        return self._live().protocol_version

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """As the SDK's, on the request that is open now; while the call is paused there is nobody to hear it."""
        await self._peer().report(progress, total, message)

    async def read_resource(self, uri: str | AnyUrl) -> Iterable[ReadResourceContents]:
        """As the SDK's, within the request that is open now."""
        return await self._live().read_resource(uri)

    async def notify_tools_changed(self) -> None:
        """As the SDK's."""
        await self._live().notify_tools_changed()

    async def notify_prompts_changed(self) -> None:
        """As the SDK's."""
        await self._live().notify_prompts_changed()

    async def notify_resources_changed(self) -> None:
        """As the SDK's."""
        await self._live().notify_resources_changed()

    async def notify_resource_updated(self, uri: str | AnyUrl) -> None:
        """As the SDK's."""
        await self._live().notify_resource_updated(uri)

    async def close_sse_stream(self) -> None:
        """As the SDK's, for the request that is open now."""
        await self._live().close_sse_stream()

    async def close_standalone_sse_stream(self) -> None:
        """As the SDK's, for the request that is open now."""
        await self._live().close_standalone_sse_stream()
