"""A transport of the official SDK's, each of whose messages is seen on its way, and may be another one after it."""

from collections.abc import Callable
from contextvars import Context
from types import TracebackType
from typing import Any, Self, TypeAlias

from mcp.client import Transport
from mcp.shared.message import SessionMessage

__all__ = ["Received", "passing"]

Received: TypeAlias = SessionMessage | Exception
"""What comes from a server: a message, or a fault of the transport."""

_Stream: TypeAlias = Any
"""The SDK keeps the names of its stream protocols to itself; only `Transport`, which yields both, is public."""


def _nothing(_: SessionMessage) -> None:
    """Nobody wants to know."""


def _same(context: Context | None) -> Context | None:
    return context


_Receiving: TypeAlias = tuple[Callable[[Received], Received], Callable[[Context | None], Context | None]]
_Sending: TypeAlias = tuple[Callable[[SessionMessage], SessionMessage], Callable[[SessionMessage], None]]


def passing(
    transport: Transport,
    *,
    received: Callable[[Received], Received],
    sent: Callable[[SessionMessage], SessionMessage],
    unsent: Callable[[SessionMessage], None] = _nothing,
    within: Callable[[Context | None], Context | None] = _same,
) -> Transport:
    """The transport, with two functions that give what goes on in the place of what came.

    Neither may change the message it is given: that may be the caller's own.

    Args:
        transport: The transport.
        received: From the server.
        sent: To the server.
        unsent: Told of a message to the server whose way ended early: cancelled, or for a fault of the transport.
        within: Gives the context in which the last message from the server is acted on; None is that of whoever reads.
    """
    return _Passing(transport, (received, within), (sent, unsent))


class _Passing:
    def __init__(self, transport: Transport, receiving: _Receiving, sending: _Sending) -> None:
        self._transport = transport
        self._receiving = receiving
        self._sending = sending

    async def __aenter__(self) -> tuple[_Stream, _Stream]:
        reading, writing = await self._transport.__aenter__()
        return _Reading(reading, self._receiving), _Writing(writing, self._sending)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._transport.__aexit__(kind, error, trace)


class _Closing:
    """What both streams have in common."""

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream

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


class _Writing(_Closing):
    def __init__(self, stream: _Stream, sending: _Sending) -> None:
        super().__init__(stream)
        self._sent, self._unsent = sending

    async def send(self, item: SessionMessage, /) -> None:
        gone = False
        try:
            await self._stream.send(self._sent(item))
            gone = True
        finally:
            if not gone:
                self._unsent(item)


class _Reading(_Closing):
    def __init__(self, stream: _Stream, receiving: _Receiving) -> None:
        super().__init__(stream)
        self._received, self._within = receiving

    @property
    def last_context(self) -> Context | None:
        """Of whom the last message is, where that is known."""
        return self._within(getattr(self._stream, "last_context", None))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Received:
        return self._received(await self._stream.__anext__())
