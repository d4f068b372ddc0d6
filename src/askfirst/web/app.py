"""The pages as an ASGI application: what is asked for, and by whom. No value that was typed is in an address or log."""

import time
from collections.abc import Callable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from askfirst.core.errors import StoreFault
from askfirst.core.showing import one_line
from askfirst.desk import Desk

from . import pages
from .access import Access
from .entries import entry
from .guard import HEADERS, Allowance, Guard, Limits
from .live import Events, Streams
from .questions import Questions
from .rendering import STATIC, Printer, render
from .shelf import PAGE, Shelf
from .visitors import AGAIN, Identify, Visitors

__all__ = ["create"]


def create(
    desk: Desk,
    *,
    access: Access,
    me: Identify | None = None,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.time,
) -> Starlette:
    """The pages of a desk, to be served at `access`'s base address (mount them where its path says).

    Without `me`, a page is seen by whoever opened one of `access.link()`'s addresses first; with it, everybody sees
    the questions that were put to them, and nobody else's.

    Args:
        desk: Where the questions are.
        access: The address, and who may come in.
        me: Who sends a request.
        limits: How much one client may ask for.
        clock: Seconds since 1970, as the desk counts them.

    Returns:
        The application; its `state.streams` are to be closed when it ends, or live pages keep it waiting.
    """
    bounds = limits or Limits()
    streams = Streams(bounds.streams)
    visitors = Visitors(access, me, bounds)
    shelf = Shelf(desk, visitors)
    site = _Site(desk, visitors, shelf, streams, clock)
    questions = Questions(desk, visitors, shelf, bounds, clock)
    application = Starlette(
        routes=[
            Route("/", site.list_open, methods=["GET"]),
            Route("/closed", site.list_closed, methods=["GET"]),
            Route("/enter", site.enter, methods=["GET"]),
            Route("/events", site.stream, methods=["GET"]),
            Route("/mute", site.mute, methods=["POST"]),
            Route("/q/{token}", questions.show, methods=["GET"]),
            Route("/q/{token}", questions.take, methods=["POST"]),
            Route("/q/{token}/{place}", questions.show, methods=["GET"]),
            Route("/q/{token}/{place}", questions.take, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, access=access, posts=Allowance(bounds.posts))],
        exception_handlers={
            HTTPException: site.refuse,
            StoreFault: site.fail,
            500: site.fail,
        },
    )
    application.state.streams = streams
    return application


class _Site:
    def __init__(
        self,
        desk: Desk,
        visitors: Visitors,
        shelf: Shelf,
        streams: Streams,
        clock: Callable[[], float],
    ) -> None:
        self._desk = desk
        self._visitors = visitors
        self._shelf = shelf
        self._printer = Printer(visitors)
        self._root = visitors.access.root
        self._clock = clock
        self._streams = streams

    async def enter(self, request: Request) -> Response:
        """Come in by a link."""
        return self._visitors.enter(request)

    async def list_open(self, request: Request) -> Response:
        """The open questions, oldest first."""
        session = self._visitors.session(request)
        owner, now = self._visitors.owns_desk(session), self._clock()
        counts = await self._desk.counts() if owner else {}
        wanted = request.query_params.get("server")
        server = next((name for name in counts if pages.server_key(name) == wanted), None)
        postings = await self._shelf.open(session, server, request.query_params.get("after") or None)
        return self._printer.page(
            request,
            "list.html",
            session,
            items=[pages.item(one, now) for one in postings],
            total=sum(counts.values())
            if owner and server is None
            else counts.get(server or "", len(postings)),
            servers=pages.servers(counts, await self._desk.muted()) if owner else (),
            server="" if server is None else one_line(server),
            server_key="" if server is None else wanted,
            after=postings[-1].token if len(postings) == PAGE else "",
        )

    async def list_closed(self, request: Request) -> Response:
        """What was answered or closed lately, without what was said."""
        session = self._visitors.session(request)
        now = self._clock()
        items = [pages.item(one, now) for one in await self._shelf.closed(session)]
        return self._printer.page(request, "closed.html", session, items=items)

    async def mute(self, request: Request) -> Response:
        """Take no further questions of a server, or take them again."""
        session, entries = await self._visitors.posted(request)
        if not self._visitors.owns_desk(session):
            raise HTTPException(403, "Only whose desk it is may do that.")
        change = self._desk.unmute if entry(entries, "do") == "unmute" else self._desk.mute
        for name in {*await self._desk.counts(), *await self._desk.muted()}:
            if pages.server_key(name) == entry(entries, "server"):
                await change(name)
        return RedirectResponse(f"{self._root}/", 303)

    async def stream(self, request: Request) -> Response:
        """Says when something changed, for as long as a page listens."""
        self._visitors.session(request)
        return Events(self._desk, self._streams)

    async def refuse(self, request: Request, fault: Exception) -> Response:
        """The page that says why there is none."""
        assert isinstance(fault, HTTPException)
        if fault.status_code == AGAIN:
            return HTMLResponse(render("again.html", {"root": self._root}), 200)
        detail = {
            404: "There is no such question here, or it is not yours to answer.",
            405: "That can't be done here.",
        }.get(fault.status_code, fault.detail)
        return self._fault(fault.status_code, detail, fault.headers)

    async def fail(self, request: Request, fault: Exception) -> Response:
        """The page for a fault of ours: it says nothing about it, since nothing of an answer may be said."""
        return self._fault(
            503, "The desk can't be reached at this moment. Nothing was sent. Try again in a minute."
        )

    def _fault(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
        page = render("fault.html", {"root": self._root, "detail": detail})
        return HTMLResponse(page, status, {**HEADERS, **(headers or {})})
