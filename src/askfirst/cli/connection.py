"""A connection to a server for the length of one command: its clock, its log, its questions and its faults."""

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import httpx2
from mcp.client import Client, IncomingMessage, InputRequiredRoundsExceededError
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, CallToolResult, ErrorData, Tool

from askfirst.client.connecting import connect
from askfirst.core.hygiene import plain, shorten
from askfirst.core.revisions import Era, revision
from askfirst.ports import Answerer

from . import interrupts
from .again import Watch, until_done
from .clock import WorkClock
from .failure import Failure, cause
from .options import Reach
from .progress import Progress
from .server_log import ServerLog
from .servers import Launch, Server
from .shapes import Json
from .transcript import Asked, Transcribed
from .transports import Notes, open_transport

__all__ = ["Called", "Connected", "use"]

T = TypeVar("T")

_MOST_PAGES: Final = 1000
_LONGEST_REASON: Final = 500
_RUNS: Final = "does it run the server at its end, as a Python file does with `mcp.run()`?"
_MOST_ROUNDS: Final = 2000
"""Rounds in one call. A server may use rounds without a question to wait, four a second, so it is the work clock
that should end them; this ends a server whose questions are answered by a flag and never stop."""


@dataclass(frozen=True, slots=True)
class Called:
    """What came of one call: a result, or the protocol error that the server answered with; and its log."""

    revision: str
    asked: tuple[Asked, ...]
    result: CallToolResult | None = None
    error: ErrorData | None = None
    log: ServerLog | None = None
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Connected:
    """A server that has said what it is."""

    client: Client
    clock: WorkClock
    progress: Progress
    asked: list[Asked]
    log: ServerLog

    async def tools(self) -> list[Tool]:
        """All tools, over all pages.

        Raises:
            Failure: The server's pages never end, or one of them is not what the protocol allows.
        """
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            try:
                page = await self.client.list_tools(cursor=cursor)
            except ValueError as broken:
                raise Failure(f"the server's list of tools can't be used: {_brief(broken)}") from None
            found += page.tools
            if page.next_cursor is None or page.next_cursor == cursor:
                return found
            cursor = page.next_cursor
        raise Failure(f"the server's list of tools has more than {_MOST_PAGES} pages")

    async def call(self, tool: str, arguments: dict[str, Json]) -> Called:
        """One call, with all its rounds of questions; made again while its questions wait elsewhere.

        Raises:
            Failure: What came back is not what the protocol allows, or the questions never end.
        """
        result, error = None, None
        watch = Watch(self.clock, self.progress)
        call = partial(self.client.call_tool, tool, arguments, progress_callback=watch.noticed)
        try:
            result = await until_done(tool, call, watch.waits)
        except MCPError as refused:
            if refused.code == CONNECTION_CLOSED:
                raise
            error = refused.error
        except InputRequiredRoundsExceededError:
            raise Failure(f"{tool} was still asking after {_MOST_ROUNDS} rounds of questions") from None
        # Both are how the SDK reports a result that breaks the protocol or the tool's own output schema.
        except (RuntimeError, ValueError) as broken:
            raise Failure(f"the result of {tool} can't be used: {_brief(broken)}") from None
        finally:
            self.progress.clear()
        if result is not None and result.result_type != "complete":
            kind = _brief_text(str(result.result_type))
            raise Failure(
                f"the result of {tool} can't be used: {kind!r} is no kind of result that the protocol has"
            )
        return Called(self.client.protocol_version, tuple(self.asked), result, error, self.log, tool)


def use(
    reach: Reach,
    work: Callable[[Connected], Awaitable[T]],
    *,
    answerer: Answerer,
) -> T:
    """Connect, do `work`, and close; the server's process has ended when this returns or raises.

    Args:
        reach: The server, and how long things may take.
        work: What to do with it.
        answerer: Who answers questions; what it can't do is not declared.

    Raises:
        Failure: The server can't be reached, breaks the protocol, or takes too long.
        Interrupted: A signal came.
    """
    _quiet(verbose=reach.verbose)
    log = ServerLog(verbose=reach.verbose)
    notes = Notes()
    try:
        return interrupts.run(lambda: _use(reach, work, answerer, log, notes))
    except (Exception, BaseExceptionGroup) as error:
        told = _told(cause(error), reach.server, notes)
        if told is None:
            raise cause(error) from None
        hint = [_RUNS] if _never_served(cause(error), reach.server, notes, log) else []
        raise Failure("\n".join([told, *hint, *_circumstances(notes, log)])) from None


def _quiet(*, verbose: bool) -> None:
    """The SDK logs what we tell in our own words; its tracebacks would bury them."""
    if verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    else:
        logging.getLogger().addHandler(logging.NullHandler())


async def _use(
    reach: Reach,
    work: Callable[[Connected], Awaitable[T]],
    answerer: Answerer,
    log: ServerLog,
    notes: Notes,
) -> T:
    clock = WorkClock(reach.timeout)
    progress = Progress()
    transcribed = Transcribed(answerer, (clock, progress, log))
    done: list[T] = []
    with clock:
        clock.phase(min(reach.connect_timeout, reach.timeout))
        async with _client(reach, transcribed, log, notes) as client:
            notes.connected = True
            clock.phase(None)
            done.append(await work(Connected(client, clock, progress, transcribed.asked, log)))
    if not done:
        raise _too_slow(reach, connecting=not notes.connected)
    return done[0]


@asynccontextmanager
async def _client(reach: Reach, answerer: Transcribed, log: ServerLog, notes: Notes) -> AsyncIterator[Client]:
    client = connect(
        open_transport(reach.server, log, notes),
        answerer,
        name=reach.server.name,
        unasked=answerer.unasked,
        mode="legacy" if reach.era == "legacy" else "auto",
        input_required_max_rounds=_MOST_ROUNDS,
        message_handler=_count_garbage(notes),
    )
    async with client:
        # The SDK could be told to speak the newest revision without asking. Then a server that can't would fail
        # at whatever is tried first, and one that can would have no name to show with its questions.
        if reach.era == "modern" and revision(client.protocol_version).era is not Era.MODERN:
            raise Failure(f"{reach.server.name} speaks no modern revision, only {client.protocol_version}")
        yield client


def _count_garbage(notes: Notes) -> Callable[[IncomingMessage], Awaitable[None]]:
    async def count(message: IncomingMessage) -> None:
        if isinstance(message, Exception):
            notes.garbage += 1

    return count


def _too_slow(reach: Reach, *, connecting: bool) -> Failure:
    if connecting:
        starting = reach.connect_timeout <= reach.timeout
        limit, flag = (
            (reach.connect_timeout, "--connect-timeout") if starting else (reach.timeout, "--timeout")
        )
        return Failure(f"expected the server to say what it is within {limit:g} s, and it did not ({flag})")
    return Failure(
        f"expected a result within {reach.timeout:g} s of work, and there was none; time in which a question was open "
        "does not count (--timeout)"
    )


def _told(error: BaseException, server: Server, notes: Notes) -> str | None:
    """A fault of the server or the network in a sentence; None for everything else."""
    launched = isinstance(server, Launch)
    match error:
        case Failure():
            return str(error)
        case MCPError(code=code) if code == CONNECTION_CLOSED:
            early = "" if notes.connected else " before it had served anything"
            return f"{server.name}: the connection was closed by the server{early if launched else ''}"
        case MCPError():
            status = f" (HTTP {notes.status})" if notes.status else ""
            if status.startswith(" (HTTP 404"):
                status += "; is the path of the URL right? It is often /mcp"
            return f"{server.name}: the server answered with an error: {error.message} ({error.code}){status}"
        case httpx2.HTTPError() | httpx2.InvalidURL():
            return f"{server.name}: can't be reached: {str(error) or type(error).__name__}"
        case OSError() if launched:
            return f"{server.name}: can't be started: {error.strerror or error}"
        # How the SDK reports an answer to its first request that is not what the protocol allows.
        case ValueError() | RuntimeError() if not notes.connected:
            return f"{server.name}: it does not say what it is as the protocol wants: {_brief(error)}"
        case _:
            return None


def _never_served(error: BaseException, server: Server, notes: Notes, log: ServerLog) -> bool:
    """Whether a started server ended before it served, and does not say itself why."""
    closed = isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
    return closed and isinstance(server, Launch) and not notes.connected and not log.has_traceback


def _brief(error: BaseException) -> str:
    """The beginning of what an error says; it may repeat all of a large result."""
    return _brief_text(str(error))


def _brief_text(text: str) -> str:
    return shorten(plain(text, keep_newlines=False), _LONGEST_REASON)[0]


def _circumstances(notes: Notes, log: ServerLog) -> Iterator[str]:
    if notes.garbage:
        often = "once" if notes.garbage == 1 else f"{notes.garbage} times"
        yield f"on its stdout it wrote what is no message of the protocol ({often})"
    yield from log.last_words()
