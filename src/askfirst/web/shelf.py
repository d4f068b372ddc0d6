"""The questions on a desk that somebody may see."""

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from askfirst.core.postings import Posting, Status
from askfirst.desk import Desk

from .access import Session
from .visitors import Visitors

__all__ = ["PAGE", "Shelf"]

PAGE: Final = 100
"""How many questions a list holds at most."""


class Shelf:
    """What a desk holds for each of its visitors."""

    def __init__(self, desk: Desk, visitors: Visitors) -> None:
        self._desk = desk
        self._visitors = visitors

    async def find(self, request: Request, session: Session) -> Posting:
        """The question that a request is about.

        Raises:
            HTTPException: There is none, or it is not theirs (404).
        """
        posting = await self._desk.find(request.path_params["token"])
        if posting is None or not self._visitors.may_see(session, posting):
            raise HTTPException(404)
        return posting

    async def open(
        self, session: Session, server: str | None = None, after: str | None = None, limit: int = PAGE
    ) -> list[Posting]:
        """The open questions that are theirs, oldest first."""
        if self._visitors.owns_desk(session):
            return list(await self._desk.open(server, limit, after))
        found: list[Posting] = []
        if (tokens := self._visitors.by_token(session)) is not None:
            known = [one for token in tokens if (one := await self._desk.find(token)) is not None]
            return sorted((one for one in known if one.status is Status.OPEN), key=lambda one: one.posted)
        while len(found) < limit and (some := await self._desk.open(server, PAGE, after)):
            found += (one for one in some if self._visitors.may_see(session, one))
            after = some[-1].token
        return found[:limit]

    async def count(self, session: Session) -> int:
        """How many are open, as far as a list would show them."""
        if self._visitors.owns_desk(session):
            return sum((await self._desk.counts()).values())
        return len(await self.open(session))

    async def closed(self, session: Session) -> list[Posting]:
        """What was answered or closed lately, without what was said."""
        return [one for one in await self._desk.closed() if self._visitors.may_see(session, one)]
