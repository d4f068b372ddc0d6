"""What a store keeps: flat rows of text and numbers, which it need not understand."""

import json
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from .answers import Accepted, Action, Answer, Cancelled, Content, Declined
from .packing import pack, unpack
from .postings import Posting, Status
from .questions import Origin

__all__ = ["Closing", "News", "Refusal", "Row", "posting_of", "row_of"]

Refusal: TypeAlias = Literal["flooded", "muted", "taken"]
"""Why a row was not added: the server has too many open, the person muted it, or its token or code is in use."""


@dataclass(frozen=True, slots=True)
class Row:
    """One posting. `body` is JSON: what is asked, by whom, of whom. `content` is JSON too, or sealed if secret.

    `taken`: the asker has used the answer, and the content was erased.
    """

    token: str = field(repr=False)
    code: str
    server: str
    call: str
    posted: float
    expires: float
    body: str = field(repr=False)
    status: Status = Status.OPEN
    closed: float | None = None
    action: Action | None = None
    content: str | None = field(default=None, repr=False)
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Closing:
    """How an open row is closed, and when."""

    status: Status
    at: float
    action: Action | None = None
    content: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class News:
    """What changed: the number of the latest change, and the tokens of the rows that were added or closed."""

    number: int
    tokens: frozenset[str] = field(repr=False)


def row_of(posting: Posting) -> Row:
    """An open posting as a row."""
    origin = posting.origin
    body = {
        "question": pack(posting.question),
        "digest": posting.digest,
        "origin": [origin.server, origin.claimed, origin.tool, origin.revision],
        "arguments": posting.arguments,
        "asked_of": posting.asked_of,
        "secret": posting.secret,
    }
    return Row(
        token=posting.token,
        code=posting.code,
        server=origin.server,
        call=posting.call,
        posted=posting.posted,
        expires=posting.expires,
        body=json.dumps(body, separators=(",", ":")),
    )


def posting_of(row: Row, now: float) -> Posting:
    """A row as the posting it is at `now`: past its limit an open one has expired, whether that is noted or not.

    What was accepted is left out: the answer is `Accepted({})`.

    Raises:
        ValueError: The row's body was not written by `row_of`.
    """
    status, closed = row.status, row.closed
    if status is Status.OPEN and row.expires <= now:
        status, closed = Status.EXPIRED, row.expires
    match json.loads(row.body):
        case {
            "question": question,
            "digest": str(digest),
            "origin": [str(server), claimed, tool, revision],
            "arguments": [*arguments],
            "asked_of": asked_of,
            "secret": bool(secret),
        }:
            return Posting(
                token=row.token,
                code=row.code,
                question=unpack(question),
                digest=digest,
                origin=Origin(server, claimed, tool, revision),
                posted=row.posted,
                expires=row.expires,
                arguments=tuple((name, value) for name, value in arguments),
                asked_of=asked_of,
                call=row.call,
                secret=secret,
                status=status,
                closed=closed,
                answer=_answer(row.action, status),
            )
        case _:
            raise ValueError("expected the body of a posting, got something else")


def _answer(action: Action | None, status: Status) -> Answer[Content] | None:
    if status is Status.EXPIRED:
        return Cancelled(expired=True)
    match action:
        case "accept":
            return Accepted({})
        case "decline":
            return Declined()
        case "cancel":
            return Cancelled()
        case None:
            return None
        case _:
            assert_never(action)
