"""Live updates: a stream of server-sent events that says only that something changed."""

from typing import Final

import anyio
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from askfirst.desk import Desk

__all__ = ["Events", "Streams"]

_HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment is sent, so that a connection that is gone is noticed."""

_REST: Final = 0.1
"""Seconds between two events: many changes at once are one to a page that looks again."""


class Streams:
    """How many streams are open, and how many may be; all of them end at once when they are closed."""

    def __init__(self, most: int) -> None:
        self.most: Final = most
        self.open = 0
        self._closed = anyio.Event()

    def close(self) -> None:
        """End every stream, now and later."""
        self._closed.set()

    async def wait_closed(self) -> None:
        """Wait for `close`."""
        await self._closed.wait()


class Events(Response):
    """The stream; each event has the name "change" and nothing in it. It ends when its reader leaves."""

    media_type = "text/event-stream"

    def __init__(self, desk: Desk, streams: Streams) -> None:
        """A stream of a desk's changes.

        Raises:
            HTTPException: Too many are open (429).
        """
        if streams.open >= streams.most:
            raise HTTPException(429, "Too many pages listen at once. Close some of them.")
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]  # how much there will be is not known
        self._desk = desk
        self._streams = streams
        self._changed = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write until the reader leaves."""
        self._streams.open += 1
        try:
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch)
                tasks.start_soon(self._write, send)
                tasks.start_soon(self._leave, receive, tasks.cancel_scope)
                await self._streams.wait_closed()
                tasks.cancel_scope.cancel()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._streams.open -= 1

    async def _leave(self, receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _watch(self) -> None:
        async for _ in self._desk.changes():
            self._changed.set()

    async def _write(self, send: Send) -> None:
        text = "retry: 2000\n\n"
        while True:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
            await anyio.sleep(_REST)
            text = ": nothing new\n\n"
            with anyio.move_on_after(_HEARTBEAT):
                await self._changed.wait()
                self._changed = anyio.Event()
                text = "event: change\ndata:\n\n"
