"""Questions that the client carries, in the ledger of the server's desk: asked, and what came of them."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import anyio

from askfirst.core.answers import Reply
from askfirst.core.errors import StoreFault
from askfirst.core.ledger import Asked
from askfirst.core.questions import digest
from askfirst.core.reach import Route

from .desking import DeskSide
from .posing import Expired, Posed

__all__ = ["heard", "noted_down", "recorded"]


async def recorded(
    side: DeskSide | None,
    route: Route,
    asked: Mapping[str, Posed[Any]],
    carry: Callable[[], Awaitable[Mapping[str, Reply | Expired]]],
) -> Mapping[str, Reply | Expired]:
    """What `carry` brings; the ledger has each question before it is put, and its outcome before that counts.

    Args:
        side: The call's side of the desk; without one there is no ledger.
        route: Which way the questions take.
        asked: The questions.
        carry: Puts them, and brings a reply to each that got one.

    Raises:
        StoreFault: The ledger can't be written: nothing is asked then, or no answer counts.
    """
    if side is None:
        return await carry()
    ledger = side.desk.ledger
    lines = {
        key: side.carried(route, secrets.token_urlsafe(18), digest(posed.question))
        for key, posed in asked.items()
    }
    for line in lines.values():
        await ledger.note(line, "posted")
    replies: Mapping[str, Reply | Expired] = {}
    try:
        replies = await carry()
    finally:
        with anyio.CancelScope(shield=True), suppress(StoreFault):  # whatever ended this is told instead
            for key in lines.keys() - replies.keys():
                await ledger.note(lines[key], "withdrawn", "withdrawn")
    for key, reply in replies.items():
        event, outcome = ("expired", "expired") if isinstance(reply, Expired) else ("answered", reply.action)
        await ledger.note(lines[key], event, outcome)
    return replies


async def noted_down(side: DeskSide | None, call: str, mark: str) -> None:
    """A call in replay is about to return with the question of that digest.

    Raises:
        StoreFault: The ledger can't be written: the question is not asked.
    """
    if side is not None:
        await side.desk.ledger.note(_replayed(side, call, mark), "posted")


async def heard(side: DeskSide, call: str, digests: Mapping[str, str], replies: Mapping[str, Reply]) -> None:
    """A call in replay has come back with replies to the questions of these digests.

    Raises:
        StoreFault: The ledger can't be written: no answer counts.
    """
    for key, mark in digests.items():
        if key in replies:
            await side.desk.ledger.note(_replayed(side, call, mark), "answered", replies[key].action)


def _replayed(side: DeskSide, call: str, mark: str) -> Asked:
    return side.carried(Route.INPUT_REQUIRED, f"{call} {mark}", mark)
