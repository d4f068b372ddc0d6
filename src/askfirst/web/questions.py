"""One question: its pages, and what is done with what they post.

    /q/TOKEN           its form; once it is over, what became of it. A form with many fields leads on to
    /q/TOKEN/3         the page of one field, here of the third
    /q/TOKEN/all       all fields at once, for whoever wants that
    /q/TOKEN/review    what was typed, to be checked before it is sent

What a form posts is kept as a draft, and every post is answered with a redirect to the page that comes next, or with a
page that says why nothing was sent.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from askfirst.abandoned import is_abandoned
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked, NotOnDesk
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import UrlQuestion
from askfirst.desk import Desk, Settled
from askfirst.visits import finish, waits

from . import pages
from .access import Session
from .drafts import Draft, Drafts, fresh
from .entries import Entries, box, entry, read
from .guard import Limits, too_large
from .rendering import Printer
from .shelf import Shelf
from .visitors import Visitors

__all__ = ["Questions"]

_ALL: Final = "all"
_REVIEW: Final = "review"


class Questions:
    """The pages of a desk's questions."""

    def __init__(
        self, desk: Desk, visitors: Visitors, shelf: Shelf, limits: Limits, clock: Callable[[], float]
    ) -> None:
        self._desk = desk
        self._visitors = visitors
        self._shelf = shelf
        self._limits = limits
        self._clock = clock
        self._printer = Printer(visitors)
        self._drafts = Drafts()

    async def show(self, request: Request) -> Response:
        """One question: its form while it is open, what became of it afterwards."""
        session = self._visitors.session(request)
        posting = await self._shelf.find(request, session)
        place = _place(request, posting)
        draft = self._drafts.of(session, posting)
        if posting.status is not Status.OPEN:
            return self._go(request, posting) if place else await self._settled(request, session, posting)
        if not place and pages.is_stepped(posting):
            return self._go(request, posting, draft.place if draft else "1")
        if place == _REVIEW:
            return await self._review(request, session, posting)
        return await self._ask(request, session, posting, place)

    async def take(self, request: Request) -> Response:
        """An answer, or one of the steps towards it."""
        session, entries = await self._visitors.posted(request)
        posting = await self._shelf.find(request, session)
        place = _place(request, posting)
        wish, question = entry(entries, "do"), posting.question
        if wish == "finished":
            return await self._finish(request, session, posting)
        if wish == "decline":
            return await self._send(request, session, posting, entries, Declined())
        if wish == "cancel":
            return await self._send(request, session, posting, entries, Cancelled())
        if wish not in _wishes(place):
            raise HTTPException(
                400, "That is none of the things that can be done with a question. Nothing was sent."
            )
        if not isinstance(question, UrlQuestion):
            return await self._fill(request, session, posting, question.form, entries)
        if pages.destination(question.url).refusal:
            raise HTTPException(409, "Nobody can agree to visit an address that has two readings.")
        return await self._send(request, session, posting, entries, Accepted({}))

    # What they see

    async def _ask(
        self, request: Request, session: Session, posting: Posting, place: str, note: str = ""
    ) -> Response:
        draft, question = self._drafts.of(session, posting), posting.question
        step = None
        if place.isdecimal() and not isinstance(question, UrlQuestion):
            number, total = int(place), len(question.form.fields)
            step = pages.Step(number, total, number > 1 or (draft is not None and draft.reviewed))
        view = pages.question_view(
            posting,
            self._clock(),
            entries=draft.entries if draft else None,
            problems=draft.problems if draft else (),
            step=step,
        )
        more = max(await self._shelf.count(session) - 1, 0)
        return self._printer.page(
            request,
            "question.html",
            session,
            409 if note else 200,
            view=view,
            token=posting.token,
            place=place,
            note=note,
            more=more,
            abandoned=await is_abandoned(self._desk, posting),
        )

    async def _review(self, request: Request, session: Session, posting: Posting, note: str = "") -> Response:
        draft, question = self._drafts.of(session, posting), posting.question
        if draft is None or isinstance(question, UrlQuestion):
            return self._go(request, posting)
        filled = read(question.form, draft.entries)
        if filled.problems:
            self._drafts.keep(session, posting, replace(draft, problems=filled.problems))
            return self._go(request, posting, _page_of(posting, question.form, filled.problems[0].field))
        return self._printer.page(
            request,
            "review.html",
            session,
            409 if note else 200,
            view=pages.question_view(posting, self._clock()),
            rows=pages.sent(posting, filled.content),
            no=pages.says_no(posting, filled.content),
            stepped=pages.is_stepped(posting),
            version=draft.version,
            token=posting.token,
            note=note,
            abandoned=await is_abandoned(self._desk, posting),
        )

    async def _settled(
        self,
        request: Request,
        session: Session,
        posting: Posting,
        note: str = "",
        unsent: Content | None = None,
    ) -> Response:
        content = session.sent.get(posting.token)
        if content is None and isinstance(posting.answer, Accepted):
            content = posting.answer.data
        accepted, question = isinstance(posting.answer, Accepted), posting.question
        url = question.url if isinstance(question, UrlQuestion) and accepted else None
        draft = self._drafts.of(session, posting)
        if unsent is None and draft is not None and not isinstance(question, UrlQuestion):
            unsent = read(question.form, draft.entries).content
        return self._printer.page(
            request,
            "settled.html",
            session,
            409 if note else 200,
            asker=pages.asker(posting),
            outcome=pages.outcome(posting),
            message=pages.passage(question.message),
            rows=pages.sent(posting, content) if accepted and content else (),
            no=accepted and pages.says_no(posting, content or {}),
            destination=None if url is None else pages.destination(url),
            can_finish=url is not None and await waits(self._desk, posting),
            finished=posting.token in session.finished,
            heard=session.finished.get(posting.token, False),
            unsent=pages.sent(posting, unsent) if unsent else (),
            note=note,
            token=posting.token,
            ok=posting.status is Status.ANSWERED and not note,
            following=next(iter(await self._shelf.open(session, limit=1)), None),
        )

    # What they do

    async def _fill(
        self, request: Request, session: Session, posting: Posting, form: Form, entries: Entries
    ) -> Response:
        place, wish = _place(request, posting), entry(entries, "do")
        shown = _shown(form, place)
        masked = [index for index in shown if form.fields[index].name in pages.masked(posting)]
        unchecked = wish in {"back", "all"}
        # An empty box of what is not shown again is no change of it, where somebody only leaves the page.
        kept = [index for index in masked if unchecked and not entry(entries, box(index))]
        draft = self._drafts.of(session, posting)
        typed = (draft or fresh(posting, form)).given(
            entries, [index for index in shown if index not in kept]
        )
        if entry(entries, "digest") != posting.digest:
            return await self._send(request, session, posting, entries, Accepted({}))
        if posting.status is not Status.OPEN:
            content = read(form, typed.entries).content if draft or wish != "confirm" else {}
            return await self._send(request, session, posting, entries, Accepted(content))
        if typed.size > self._limits.body:
            raise too_large(self._limits)
        if wish == "confirm":
            return await self._confirm(request, session, posting, form, entries)
        if unchecked:
            return self._lead(
                request, session, posting, typed, _ALL if wish == "all" else _before(typed, place)
            )
        filled = read(form, typed.entries, shown)
        typed = typed.judged(form, shown, filled.problems)
        if filled.problems:
            return self._lead(request, session, posting, typed.without(masked), place)
        if wish == "next":
            return self._lead(request, session, posting, typed, _after(typed, place, form))
        if pages.needs_review(posting):
            return self._lead(request, session, posting, typed, _REVIEW)
        return await self._send(request, session, posting, entries, Accepted(filled.content))

    async def _confirm(
        self, request: Request, session: Session, posting: Posting, form: Form, entries: Entries
    ) -> Response:
        draft = self._drafts.of(session, posting)
        if draft is None or entry(entries, "version") != draft.version:
            note = "What you typed was changed after this page was shown. Check it once more, then send it."
            return await self._review(request, session, posting, note)
        filled = read(form, draft.entries)
        if filled.problems:
            return await self._review(request, session, posting)
        return await self._send(request, session, posting, entries, Accepted(filled.content))

    async def _send(
        self,
        request: Request,
        session: Session,
        posting: Posting,
        entries: Entries,
        answer: Answer[Content],
    ) -> Response:
        settled = await self._desk.answer(posting.token, entry(entries, "digest"), answer, by=session.who)
        if not settled.accepted:
            return await self._not_taken(request, session, settled, answer)
        self._drafts.drop(session, posting)
        if isinstance(answer, Accepted) and not posting.secret:
            session.keep(posting.token, answer.data)
        return self._go(request, posting)

    async def _not_taken(
        self, request: Request, session: Session, settled: Settled, answer: Answer[Content]
    ) -> Response:
        posting = settled.posting
        match settled.why:
            case "does not fit":
                raise HTTPException(409, "The answer does not fit what is asked. Nothing was sent.")
            case "another question":
                note = "This is not the question that you answered. Nothing was sent. Read this one, then answer it."
                return await self._ask(request, session, posting, _first(posting), note)
            case "another person":
                raise HTTPException(403, "This question was put to somebody else. Nothing was sent.")
            case _:
                content = answer.data if isinstance(answer, Accepted) else {}
                known = session.sent.get(posting.token)
                note = (
                    "It was answered before. What you sent the second time was not passed on."
                    if settled.why == "already answered"
                    else "Your answer came too late and was not sent."
                )
                unsent = {} if content == known else content
                return await self._settled(request, session, posting, note, unsent)

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
        session.finish(posting.token, heard)
        return self._go(request, posting)

    # Where they go

    def _lead(
        self, request: Request, session: Session, posting: Posting, draft: Draft, place: str
    ) -> Response:
        """Keep a draft, and go on to one of the question's pages."""
        reviewed = draft.reviewed or place == _REVIEW
        self._drafts.keep(session, posting, replace(draft, place=place, reviewed=reviewed))
        return self._go(request, posting, place)

    def _go(self, request: Request, posting: Posting, place: str = "") -> Response:
        root = self._visitors.access.root
        response = RedirectResponse(f"{root}/q/{posting.token}{place and f'/{place}'}", 303)
        self._visitors.keep(request, response)
        return response


def _place(request: Request, posting: Posting) -> str:
    """Which of a question's pages a request is for.

    Raises:
        HTTPException: It has no such page (404).
    """
    place: str = request.path_params.get("place", "")
    question, known = posting.question, {""}
    if pages.needs_review(posting):
        known = {"", _REVIEW}
    if not isinstance(question, UrlQuestion) and pages.is_stepped(posting):
        known = {"", _ALL, _REVIEW, *(str(number + 1) for number in range(len(question.form.fields)))}
    if place not in known:
        raise HTTPException(404)
    return _ALL if _ALL in known and not place and request.method == "POST" else place


def _wishes(place: str) -> frozenset[str]:
    """What the page at a place may post, besides a no."""
    if place == _REVIEW:
        return frozenset({"confirm"})
    return frozenset({"next", "back", "all"} if place.isdecimal() else {"send"})


def _shown(form: Form, place: str) -> range:
    """The places of the fields that a page has boxes for."""
    if place == _REVIEW:
        return range(0)
    return range(int(place) - 1, int(place)) if place.isdecimal() else range(len(form.fields))


def _first(posting: Posting) -> str:
    return "1" if pages.is_stepped(posting) else ""


def _before(draft: Draft, place: str) -> str:
    return _REVIEW if draft.reviewed else str(max(int(place) - 1, 1))


def _after(draft: Draft, place: str, form: Form) -> str:
    return _REVIEW if draft.reviewed or int(place) == len(form.fields) else str(int(place) + 1)


def _page_of(posting: Posting, form: Form, name: str) -> str:
    """The page that has the field of that name."""
    if not pages.is_stepped(posting):
        return ""
    return str(next(index for index, one in enumerate(form.fields, 1) if one.name == name))
