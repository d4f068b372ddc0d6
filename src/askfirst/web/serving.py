"""The pages on this machine: a server in the background of the running event loop, at an address nobody can guess."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from uvicorn.protocols.http.h11_impl import H11Protocol

from askfirst.core.postings import Posting
from askfirst.desk import Desk

from .access import Access
from .app import create
from .guard import Limits
from .live import Streams

__all__ = ["Served", "start"]

_MOST_CONNECTIONS: Final = 128


class Served:
    """Pages that are being served. They end with `stop`, or with the event loop."""

    def __init__(
        self, access: Access, streams: Streams, server: "_Server", task: "asyncio.Task[None]"
    ) -> None:
        self._access = access
        self._streams = streams
        self._server = server
        self._task = task

    @property
    def ended(self) -> bool:
        """Whether nobody is served any more: stopped, or their event loop is over."""
        return self._task.done() or self._task.get_loop() is not asyncio.get_running_loop()

    def link(self, posting: Posting | None = None, *, lasts: float = 3600.0) -> str:
        """An address that works once, for so many seconds: of one question, or of the list of all."""
        return self._access.link(posting, lasts=lasts)

    async def stop(self) -> None:
        """Take no more requests, end the streams, and wait for what is under way, a second at most."""
        self._streams.close()
        self._server.should_exit = True
        await self._task


async def start(
    desk: Desk,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    limits: Limits | None = None,
) -> Served:
    """Serve a desk's pages on this machine alone.

    Args:
        desk: Where the questions are.
        host: A loopback address.
        port: Where to listen; 0 for any free one.
        limits: See `app.create`.

    Raises:
        ValueError: The host is not this machine's own. For others to come in, mount `app.create`'s pages into an
            application that is reached by https and knows who sends a request.
        OSError: The port is taken.
    """
    if not ip_address(host).is_loopback:
        raise ValueError(
            "expected a loopback address such as 127.0.0.1, got another; see app.create for public ones"
        )
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    name = f"[{host}]" if ":" in host else host
    # Cookies know no ports: under a path of its own, ours is not sent to whatever else runs on this host.
    access = Access(f"http://{name}:{listener.getsockname()[1]}/{secrets.token_urlsafe(9)}")
    bounds = limits or Limits()
    pages = create(desk, access=access, limits=bounds)
    config = uvicorn.Config(
        Starlette(routes=[Mount(access.root, pages)]),
        http=_protocol(bounds.body_time),
        ws="none",
        lifespan="off",
        log_config=None,  # how this process logs is not ours to change
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    task = asyncio.create_task(_serve(server, listener), name="askfirst desk pages")
    ready = asyncio.create_task(server.ready.wait())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        ready.cancel()
        await task
    return Served(access, pages.state.streams, server, task)


async def _serve(server: "_Server", listener: socket.socket) -> None:
    try:
        await server.serve(sockets=[listener])
    finally:  # also where the event loop ends: nobody shall knock at a door behind which there is no one
        for one in server.servers:
            one.close()
        listener.close()


class _Server(uvicorn.Server):
    """A server that is a guest in somebody's event loop: signals are theirs."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready: Final = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, and say that requests are taken from now on."""
        await super().startup(sockets=sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the event loop."""
        yield


def _protocol(patience: float) -> type[H11Protocol]:
    """HTTP that hangs up on who takes too long to say what they want: uvicorn waits for a request's head for ever."""

    class Impatient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        # uvicorn narrows what asyncio declares, and so do we.
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.access_log = False  # an address may have a key in it
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._rest()

        def _watch(self) -> None:
            if self.conn.their_state is not h11.IDLE:
                self._rest()
            elif self._timer is None:
                self._timer = self.loop.call_later(patience, self.transport.close)

        def _rest(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return Impatient
