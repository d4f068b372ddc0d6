"""The pages as an ASGI application: what is asked for, by whom, and what is done with what they post.

Every post is answered with a redirect, or with a page that says why nothing was sent. No value that was typed is in an
address or a log.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked, NotOnDesk, StoreFault
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import UrlQuestion
from askfirst.core.showing import one_line
from askfirst.desk import Desk, Settled
from askfirst.visits import finish, waits

from . import pages
from .access import Access, Session
from .entries import Entries, Filled, box, entry, read
from .guard import HEADERS, Allowance, Guard, Limits
from .live import Events, Streams
from .rendering import STATIC, render
from .visitors import AGAIN, Identify, Visitors

__all__ = ["create"]

_LIST: Final = 100


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
    site = _Site(desk, Visitors(access, me, bounds), streams, clock)
    application = Starlette(
        routes=[
            Route("/", site.list_open, methods=["GET"]),
            Route("/closed", site.list_closed, methods=["GET"]),
            Route("/enter", site.enter, methods=["GET"]),
            Route("/events", site.stream, methods=["GET"]),
            Route("/mute", site.mute, methods=["POST"]),
            Route("/q/{token}", site.show, methods=["GET"]),
            Route("/q/{token}", site.take, methods=["POST"]),
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
        streams: Streams,
        clock: Callable[[], float],
    ) -> None:
        self._desk = desk
        self._visitors = visitors
        self._root = visitors.access.root
        self._clock = clock
        self._streams = streams

    async def enter(self, request: Request) -> Response:
        """Come in by a link."""
        return self._visitors.enter(request)

    # What they see

    async def list_open(self, request: Request) -> Response:
        """The open questions, oldest first."""
        session = self._visitors.session(request)
        owner, now = self._visitors.owns_desk(session), self._clock()
        counts = await self._desk.counts() if owner else {}
        wanted = request.query_params.get("server")
        server = next((name for name in counts if pages.server_key(name) == wanted), None)
        postings = await self._open(session, server, request.query_params.get("after") or None)
        return self._page(
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
            after=postings[-1].token if len(postings) == _LIST else "",
        )

    async def _open(
        self, session: Session, server: str | None = None, after: str | None = None, limit: int = _LIST
    ) -> list[Posting]:
        """The open questions that are theirs, oldest first."""
        if self._visitors.owns_desk(session):
            return list(await self._desk.open(server, limit, after))
        found: list[Posting] = []
        if (tokens := self._visitors.by_token(session)) is not None:
            known = [one for token in tokens if (one := await self._desk.find(token)) is not None]
            return sorted((one for one in known if one.status is Status.OPEN), key=lambda one: one.posted)
        while len(found) < limit and (some := await self._desk.open(server, _LIST, after)):
            found += (one for one in some if self._visitors.may_see(session, one))
            after = some[-1].token
        return found[:limit]

    async def _count(self, session: Session) -> int:
        if self._visitors.owns_desk(session):
            return sum((await self._desk.counts()).values())
        return len(await self._open(session))

    async def list_closed(self, request: Request) -> Response:
        """What was answered or closed lately, without what was said."""
        session = self._visitors.session(request)
        now = self._clock()
        items = [
            pages.item(one, now) for one in await self._desk.closed() if self._visitors.may_see(session, one)
        ]
        return self._page(request, "closed.html", session, items=items)

    async def show(self, request: Request) -> Response:
        """One question: its form while it is open, what became of it afterwards."""
        session = self._visitors.session(request)
        posting = await self._find(request, session)
        if posting.status is not Status.OPEN:
            return await self._settled(request, session, posting)
        return await self._ask(request, session, posting)

    async def _find(self, request: Request, session: Session) -> Posting:
        posting = await self._desk.find(request.path_params["token"])
        if posting is None or not self._visitors.may_see(session, posting):
            raise HTTPException(404)
        return posting

    async def _ask(
        self,
        request: Request,
        session: Session,
        posting: Posting,
        *,
        entries: Entries | None = None,
        settled: Settled | None = None,
        filled: Filled | None = None,
        note: str = "",
    ) -> Response:
        problems = settled.problems if settled else filled.problems if filled else ()
        view = pages.question_view(posting, self._clock(), entries=entries, problems=problems)
        status = 422 if problems else 409 if note else 200
        more = max(await self._count(session) - 1, 0)
        return self._page(
            request, "question.html", session, status, view=view, token=posting.token, note=note, more=more
        )

    async def _settled(
        self,
        request: Request,
        session: Session,
        posting: Posting,
        *,
        note: str = "",
        unsent: Content | None = None,
    ) -> Response:
        content = session.sent.get(posting.token)
        if content is None and isinstance(posting.answer, Accepted):
            content = posting.answer.data
        accepted = isinstance(posting.answer, Accepted)
        url = posting.question.url if isinstance(posting.question, UrlQuestion) and accepted else None
        return self._page(
            request,
            "settled.html",
            session,
            409 if note else 200,
            asker=pages.asker(posting),
            outcome=pages.outcome(posting),
            message=pages.passage(posting.question.message),
            rows=pages.sent(posting, content) if accepted and content else (),
            no=accepted and pages.says_no(posting, content or {}),
            destination=None if url is None else pages.destination(url),
            can_finish=url is not None and await waits(self._desk, posting),
            unsent=() if unsent is None else pages.sent(posting, unsent),
            note=note,
            token=posting.token,
            ok=posting.status is Status.ANSWERED and not note,
            following=next(iter(await self._open(session, limit=1)), None),
        )

    # What they do

    async def take(self, request: Request) -> Response:
        """An answer, or one of the steps towards it."""
        session, entries = await self._visitors.posted(request)
        posting = await self._find(request, session)
        wish = entry(entries, "do")
        if wish == "finished":
            return await self._finish(request, session, posting)
        if wish == "edit" and posting.status is Status.OPEN:
            return await self._ask(request, session, posting, entries=entries)
        if wish == "decline":
            return await self._send(request, session, posting, entries, Declined())
        if wish == "cancel":
            return await self._send(request, session, posting, entries, Cancelled())
        if wish not in {"send", "confirm"}:
            raise HTTPException(
                400, "That is none of the things that can be done with a question. Nothing was sent."
            )
        return await self._accept(request, session, posting, entries)

    async def _accept(
        self, request: Request, session: Session, posting: Posting, entries: Entries
    ) -> Response:
        if isinstance(posting.question, UrlQuestion):
            if pages.destination(posting.question.url).refusal:
                raise HTTPException(409, "Nobody can agree to visit an address that has two readings.")
            return await self._send(request, session, posting, entries, Accepted({}))
        filled = read(posting.question.form, entries)
        if posting.status is Status.OPEN and posting.digest == entry(entries, "digest"):
            if filled.problems:
                return await self._ask(request, session, posting, entries=entries, filled=filled)
            if pages.needs_review(posting) and entry(entries, "do") != "confirm":
                return self._review(request, session, posting, entries, filled)
        return await self._send(request, session, posting, entries, Accepted(filled.content))

    def _review(
        self, request: Request, session: Session, posting: Posting, entries: Entries, filled: Filled
    ) -> Response:
        return self._page(
            request,
            "review.html",
            session,
            asker=pages.asker(posting),
            message=pages.passage(posting.question.message),
            rows=pages.sent(posting, filled.content),
            no=pages.says_no(posting, filled.content),
            kept=[(box(0), value) for value in entries.get(box(0), ())],
            digest=posting.digest,
            token=posting.token,
        )

    async def _send(
        self,
        request: Request,
        session: Session,
        posting: Posting,
        entries: Entries,
        answer: Answer[Content],
    ) -> Response:
        settled = await self._desk.answer(posting.token, entry(entries, "digest"), answer, by=session.who)
        if settled.accepted:
            if isinstance(answer, Accepted) and not posting.secret:
                session.keep(posting.token, answer.data)
            return RedirectResponse(f"{self._root}/q/{posting.token}", 303)
        return await self._not_taken(request, session, settled, entries, answer)

    async def _not_taken(
        self, request: Request, session: Session, settled: Settled, entries: Entries, answer: Answer[Content]
    ) -> Response:
        posting = settled.posting
        match settled.why:
            case "does not fit":
                return await self._ask(request, session, posting, entries=entries, settled=settled)
            case "another question":
                note = "This is not the question that you answered. Nothing was sent. Read this one, then answer it."
                return await self._ask(request, session, posting, note=note)
            case "another person":
                raise HTTPException(403, "This question was put to somebody else. Nothing was sent.")
            case _:
                content = answer.data if isinstance(answer, Accepted) else None
                known = session.sent.get(posting.token)
                note = (
                    "It was answered before. What you sent the second time was not passed on."
                    if settled.why == "already answered"
                    else "Your answer came too late and was not sent."
                )
                unsent = None if content == known else content
                return await self._settled(request, session, posting, note=note, unsent=unsent)

    async def _finish(self, request: Request, session: Session, posting: Posting) -> Response:
        agreed = isinstance(posting.question, UrlQuestion) and isinstance(posting.answer, Accepted)
        if not agreed:
            raise HTTPException(409, "There is nothing here that waits to be finished.")
        try:
            heard = await finish(self._desk, posting)
        except NotOnDesk:
            raise HTTPException(409, "Nobody waits for this any more; there is nothing to be told.") from None
        except NobodyAsked:
            raise HTTPException(
                409, "This can't be noted now: the server is muted, or has too many open questions."
            ) from None
        return self._page(request, "finished.html", session, asker=pages.asker(posting), heard=heard)

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

    # Pages

    def _page(
        self, request: Request, name: str, session: Session, status: int = 200, /, **values: object
    ) -> Response:
        common = {
            "root": self._root,
            "csrf": session.csrf,
            "lists": self._visitors.has_list(session),
        }
        response = HTMLResponse(render(name, common | values), status)
        self._visitors.keep(request, response)
        return response

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
