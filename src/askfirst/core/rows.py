"""What a store keeps: flat rows of text and numbers, which it need not understand."""

import json
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from .answers import Accepted, Action, Answer, Cancelled, Content, Declined
from .journal import JsonValue
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
    """What changed: the number of the latest change, and the tokens of the rows that were added or closed.

    None for the tokens: the rows are others now, since their file was replaced.
    """

    number: int
    tokens: frozenset[str] | None = field(repr=False)


def row_of(posting: Posting) -> Row:
    """An open posting as a row."""
    origin = posting.origin
    body = {
        "question": pack(posting.question),
        "digest": posting.digest,
        "origin": [origin.server, origin.claimed, origin.tool, origin.revision, origin.own_name],
        "arguments": posting.arguments,
        "asked_of": posting.asked_of,
        "secret": posting.secret,
        "held": posting.held,
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
    match _json(row.body):
        case {
            "question": question,
            "digest": str(digest),
            "origin": [*origin],
            "arguments": [*arguments],
            "asked_of": str() | None as asked_of,
            "secret": bool(secret),
            **more,
        }:
            return Posting(
                token=row.token,
                code=row.code,
                question=unpack(question),
                digest=digest,
                origin=_origin(origin),
                posted=row.posted,
                expires=row.expires,
                arguments=tuple(map(_argument, arguments)),
                asked_of=asked_of,
                call=row.call,
                secret=secret,
                held=more.get("held") is True,
                status=status,
                closed=closed,
                answer=_answer(row.action, status),
            )
        case _:
            raise ValueError("expected the body of a posting, got something else")


def _json(text: str) -> JsonValue:
    try:
        read: JsonValue = json.loads(text)
    except RecursionError:
        raise ValueError("expected the body of a posting, got JSON without end") from None
    return read


def _origin(kept: list[JsonValue]) -> Origin:
    match kept:
        case [
            str(server),
            str() | None as claimed,
            str() | None as tool,
            str() | None as revision,
            *own,
        ] if len(own) < 2 and all(isinstance(one, bool) for one in own):
            # Rows of old do not say whose word the name is: then nobody vouches for it.
            return Origin(server, claimed, tool, revision, own_name=own != [False])
        case _:
            raise ValueError("expected who asks, got something else")


def _argument(kept: JsonValue) -> tuple[str, str]:
    match kept:
        case [str(name), str(value)]:
            return name, value
        case _:
            raise ValueError("expected an argument as name and value, got something else")


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
