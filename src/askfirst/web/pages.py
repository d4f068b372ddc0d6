"""What each page says: a posting turned into the values that its template shows. Pure functions.

Every text of a server goes through `core.hygiene` here and is escaped by the template. Who asks comes first, by the
name the person configured; what a server says stands apart from our own words.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

from askfirst.core.addresses import examine_url
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import InvalidUrl, Problem
from askfirst.core.fields import FlagField
from askfirst.core.hygiene import plain, shorten
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, UrlQuestion
from askfirst.core.reach import Route
from askfirst.core.revisions import revision
from askfirst.core.showing import cautions, hidden_fields, host, is_confirmation, one_line

from .entries import Entries, laid_out
from .widgets import Mistake, Row, Widget, mistakes, rows, widgets

__all__ = [
    "Asker",
    "Destination",
    "Item",
    "Outcome",
    "Passage",
    "QuestionView",
    "Server",
    "Step",
    "ago",
    "asker",
    "destination",
    "is_stepped",
    "item",
    "masked",
    "needs_review",
    "outcome",
    "passage",
    "question_view",
    "says_no",
    "sent",
    "server_key",
    "servers",
    "waits",
]

_LONG: Final = 1500
"""Characters of a message or an argument that are shown before "Show the rest"."""

_EXCERPT: Final = 160
_MOST_ON_A_PAGE: Final = 5
"""A form with more fields has a page for each, unless the person wants all of them at once."""

_WARN_BEFORE: Final = 120.0
"""Seconds before the end from which a page warns that time runs out."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a server: its beginning, and the rest that is shown on demand."""

    text: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks. `server` is what the person configured, or with `own_name` what the server calls itself.

    `claimed` is its own word for itself beside the configured name.
    """

    server: str
    own_name: bool
    claimed: str
    tool: str
    arguments: tuple[tuple[str, Passage], ...]
    protocol: str
    route: str
    code: str


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a url question leads: the address with its host set apart, or why it can't be visited."""

    host: str = ""
    before: str = ""
    ascii_host: str = ""
    after: str = ""
    url: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Which page of those of a form with a page for each field; `back` says whether there is one before it."""

    number: int
    total: int
    back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A question that can be answered now; with `step`, one field of it."""

    asker: Asker
    message: Passage
    cautions: tuple[str, ...]
    widgets: tuple[Widget, ...]
    mistakes: tuple[Mistake, ...]
    destination: Destination | None
    secret: bool
    plain_yes: bool
    reviewed: bool
    digest: str
    waits: str
    hurry: bool
    step: Step | None


@dataclass(frozen=True, slots=True)
class Item:
    """A question in a list. `outcome` is "" while it is open."""

    token: str = field(repr=False)
    asker: Asker
    excerpt: str
    waits: str
    hurry: bool
    asked: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Server:
    """One server's line below the list. `key` stands for its name in addresses and forms, `name` is for reading."""

    key: str
    name: str
    open: int
    muted: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question: a headline, and a sentence that says what follows from it."""

    headline: str
    detail: str


def asker(posting: Posting) -> Asker:
    """Who asks, in which call, over which revision and by which way."""
    origin = posting.origin
    known = revision(origin.revision)
    return Asker(
        server=one_line(origin.server),
        own_name=origin.own_name,
        claimed=one_line(origin.claimed or ""),
        tool=one_line(origin.tool or ""),
        arguments=tuple((one_line(name), passage(value)) for name, value in posting.arguments),
        protocol=f"{one_line(origin.revision)} ({known.era})" if origin.revision else "",
        route=f"this page ({Route.DESK})",
        code=one_line(posting.code),
    )


def question_view(
    posting: Posting,
    now: float,
    *,
    entries: Entries | None = None,
    problems: tuple[Problem, ...] = (),
    step: Step | None = None,
) -> QuestionView:
    """The page of an open question, with what was typed and what is wrong with it.

    Its heading is ours and says who asks: a label of the server as the headline could pass for a word of ours.

    Args:
        posting: The question.
        now: Seconds since 1970.
        entries: What was typed so far; None for the defaults.
        problems: What is wrong with that.
        step: Which of its fields it shows; None for all.
    """
    question = posting.question
    drawn: tuple[Widget, ...] = ()
    where: Destination | None = None
    warned: tuple[str, ...] = ()
    match question:
        case FormQuestion(form=form):
            held = laid_out(form) if entries is None else entries
            drawn = widgets(form, held, problems, masked(posting), None if step is None else step.number - 1)
            warned = () if posting.secret else cautions(question)
        case UrlQuestion(url=url):
            where = destination(url)
            warned = () if where.refusal else cautions(question)
        case _:
            assert_never(question)
    left = posting.expires - now
    return QuestionView(
        asker=asker(posting),
        message=passage(question.message),
        cautions=warned,
        widgets=drawn,
        mistakes=mistakes(drawn, problems),
        destination=where,
        secret=posting.secret,
        plain_yes=isinstance(question, FormQuestion) and not question.form.fields,
        reviewed=needs_review(posting),
        digest=posting.digest,
        waits=waits(left),
        hurry=left < _WARN_BEFORE,
        step=step,
    )


def is_stepped(posting: Posting) -> bool:
    """Whether a form has so many fields that each gets a page of its own."""
    question = posting.question
    return isinstance(question, FormQuestion) and len(question.form.fields) > _MOST_ON_A_PAGE


def needs_review(posting: Posting) -> bool:
    """Whether an accept is shown once more before it is sent: a plain yes or no is too quickly given."""
    question = posting.question
    return isinstance(question, FormQuestion) and is_confirmation(question.form)


def masked(posting: Posting) -> frozenset[str]:
    """The names of the fields whose values no bystander may read, neither while typed nor afterwards."""
    question = posting.question
    if posting.secret and isinstance(question, FormQuestion):
        return frozenset(one.name for one in question.form.fields)
    return hidden_fields(question)


def sent(posting: Posting, content: Content) -> tuple[Row, ...]:
    """What an accept sends or has sent, field by field; of a secret nothing."""
    question = posting.question
    if posting.secret or isinstance(question, UrlQuestion):
        return ()
    return rows(question.form, content, masked(posting))


def says_no(posting: Posting, content: Content) -> bool:
    """Whether an accept carries the answer "no": its only field is a flag, and that is false."""
    question = posting.question
    if isinstance(question, UrlQuestion) or not is_confirmation(question.form):
        return False
    return any(isinstance(one, FlagField) and content.get(one.name) is False for one in question.form.fields)


def item(posting: Posting, now: float) -> Item:
    """A question as a line in a list, open or not."""
    left = posting.expires - now
    still = posting.status is Status.OPEN and left > 0
    excerpt, more = shorten(one_line(posting.question.message), _EXCERPT)
    return Item(
        token=posting.token,
        asker=asker(posting),
        excerpt=f"{excerpt}…" if more else excerpt,
        waits=waits(left) if still else "",
        hurry=still and left < _WARN_BEFORE,
        asked=ago(now - (posting.posted if still or posting.closed is None else posting.closed)),
        outcome="" if still else outcome(posting).headline,
    )


def servers(counts: Mapping[str, int], muted: Collection[str]) -> tuple[Server, ...]:
    """The servers that have open questions or are muted, by name."""
    return tuple(
        Server(server_key(name), one_line(name), counts.get(name, 0), name in muted)
        for name in sorted({*counts, *muted})
    )


def server_key(name: str) -> str:
    """What stands for a server's name where any text of it would have to survive a page: a hash."""
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:32]


def outcome(posting: Posting) -> Outcome:
    """What became of a posting that can't be answered any more."""
    server = one_line(posting.origin.server)
    match posting.status:
        case Status.OPEN | Status.EXPIRED:  # an open one whose time is over is as good as expired
            return Outcome(
                "Time ran out",
                f"{server} waited as long as it could. It was told that nobody chose anything.",
            )
        case Status.WITHDRAWN:
            return Outcome(
                "The asker has gone",
                f"{server} does not wait for this answer any more: its call was cancelled or its client left.",
            )
        case Status.ANSWERED:
            return _answered(posting, server)
        case _:
            assert_never(posting.status)


def _answered(posting: Posting, server: str) -> Outcome:
    answer: Answer[Content] | None = posting.answer
    match answer:
        case None:
            return Outcome("Answered", f"{server} has received the answer; no copy of it is kept here.")
        case Accepted():
            if isinstance(posting.question, UrlQuestion):
                return Outcome(
                    "You agreed to the visit", f"{server} knows that you agreed, and no more than that."
                )
            if posting.secret:
                return Outcome(
                    "Secret sent", f"It went to {server} alone. It is not shown again, here or anywhere."
                )
            return Outcome("Answer sent", f"It went to {server}.")
        case Declined():
            return Outcome("You declined", f"{server} was told that you said no.")
        case Cancelled(expired=True):
            return Outcome("Time ran out", f"{server} was told that nobody chose anything.")
        case Cancelled():
            return Outcome("Closed for now", f"{server} was told that you chose neither yes nor no.")
        case _:
            assert_never(answer)


def waits(seconds: float) -> str:
    """How long the asker still waits, in words."""
    if seconds < 60:
        return "less than a minute left"
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // size)
        if count >= (2 if unit != "minute" else 1):  # 90 minutes say more than "one hour"
            return f"about {count} {unit}{'' if count == 1 else 's'} left"
    return ""


def ago(seconds: float) -> str:
    """How long ago something was, in words."""
    if seconds < 60:
        return "just now"
    for unit, size in (("day", 86400), ("hour", 3600)):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    count = int(seconds // 60)
    return f"{count} minute{'' if count == 1 else 's'} ago"


def passage(text: str) -> Passage:
    """A text of a server, made showable, its beginning apart from its rest."""
    whole = plain(text).strip("\n")
    beginning, left = shorten(whole, _LONG)
    return Passage(beginning, whole[len(beginning) :] if left else "")


def destination(url: str) -> Destination:
    """An address with its host set apart."""
    try:
        address = examine_url(url)
    except InvalidUrl as refusal:
        return Destination(refusal=str(refusal))
    return Destination(host(url), address.before, address.ascii_host, address.after, address.shown)
