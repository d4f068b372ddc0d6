"""The desk of a server on HTTP: its pages are a part of the server's own application."""

import time
from typing import Final

from starlette.applications import Starlette

from askfirst.core.errors import NobodyAsked
from askfirst.core.postings import Posting
from askfirst.desk import Desk
from askfirst.ports import Store
from askfirst.stores.memory import MemoryStore
from askfirst.web.access import Access
from askfirst.web.app import create
from askfirst.web.visitors import Identify

__all__ = ["MountedDesk", "mounted_desk"]


def mounted_desk(
    base_url: str, *, store: Store | None = None, identify: Identify | None = None
) -> "MountedDesk":
    """A desk whose pages are mounted into the application that serves the tools; for `Asking(desk=...)`.

    With `identify`, a question is seen and answered by the person it was put to and by nobody else. Without it, by
    whoever opens its address first: the address works once.

    Args:
        base_url: The public address under which `MountedDesk.app` is mounted, such as https://example.org/questions.
        store: Where questions are kept; in this process's memory where None.
        identify: Who sends a request to the pages, by the sign-in of your application; None for nobody. They have to
            be named as access tokens name them: the token's subject, after the issuer and a space where the token
            verifier gives an `iss` claim.

    Raises:
        ValueError: The base address is none.
    """
    return MountedDesk(Desk(store or MemoryStore()), Access(base_url), identify)


class MountedDesk:
    """A desk, and pages to mount; see `mounted_desk`."""

    def __init__(self, desk: Desk, access: Access, identify: Identify | None) -> None:
        self.desk: Final = desk
        self.app: Final[Starlette] = create(desk, access=access, me=identify)
        """Mount it where the path of the base address says."""
        self._access = access
        self._identifies = identify is not None

    async def address(self, posting: Posting) -> str:
        """Where the person that the question was put to answers it.

        Raises:
            NobodyAsked: It can't be made sure that this person and nobody else answers.
        """
        if self._identifies and posting.asked_of is None:
            raise NobodyAsked(
                "the desk asks the person who called, and this server's callers are not known",
                cure="a call with an access token, which says who calls",
            )
        if self._identifies:
            return f"{self._access.origin}{self._access.root}/q/{posting.token}"
        if posting.asked_of is not None:
            raise NobodyAsked(
                "the caller is known, and who opens the desk's page is not",
                cure="`identify` for the server's mounted_desk, which says who opens a page",
            )
        return self._access.link(posting, lasts=max(posting.expires - time.time(), 0.0))
