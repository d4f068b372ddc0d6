"""The two ways to a server, without the limits that would cut a thinking person short."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, assert_never

import httpx2
from mcp.client import Transport
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from .failure import Failure
from .server_log import ServerLog
from .servers import Launch, Remote, Server

__all__ = ["Notes", "open_transport"]

_NETWORK_SECONDS: Final = 30.0
_LARGEST_EVENT: Final = 256 * 1024 * 1024
"""Bytes of one message over HTTP. The SDK's own bound of 1 MiB is less than many a tool's result."""


@dataclass(slots=True)
class Notes:
    """What came on the way that the protocol's errors do not tell.

    `status` is the last HTTP status that was an error; `garbage` counts what was no message of the protocol;
    `connected` says that the server has told what it is.
    """

    status: str | None = None
    garbage: int = 0
    connected: bool = False


def open_transport(server: Server, log: ServerLog, notes: Notes) -> Transport:
    """A transport to the server; a started one writes its stderr to `log`."""
    match server:
        case Launch():
            return _to_process(server, log)
        case Remote():
            return _to_address(server, notes)
        case _:
            assert_never(server)


@asynccontextmanager
async def _to_process(server: Launch, log: ServerLog) -> AsyncIterator[Any]:
    parameters = StdioServerParameters(
        command=server.command,
        args=list(server.args),
        env=dict(server.env),
        cwd=server.cwd,
        encoding_error_handler="replace",  # the SDK's reader dies of a byte that is no UTF-8, and nobody is told
    )
    with log.pipe() as errlog:
        async with stdio_client(parameters, errlog) as streams:
            yield streams


@asynccontextmanager
async def _to_address(server: Remote, notes: Notes) -> AsyncIterator[Any]:
    async def note(response: httpx2.Response) -> None:
        if response.is_error:
            notes.status = f"{response.status_code} {response.reason_phrase}".strip()

    # No limit on reading: the answer to a call stays away for as long as a person thinks, and the work has its
    # own clock. The SDK's default would end the call after five minutes.
    timeout = httpx2.Timeout(_NETWORK_SECONDS, read=None)
    try:
        http = httpx2.AsyncClient(headers=server.headers, timeout=timeout, event_hooks={"response": [note]})
    # Certificates that are not there, a proxy of an unknown kind, a header that is no header.
    except (OSError, ValueError, ImportError) as error:
        raise Failure(f"{server.name}: no connection can be made from here: {error}") from None
    async with (
        http as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=_LARGEST_EVENT) as streams,
    ):
        yield streams
