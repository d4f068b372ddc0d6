"""The desk of a server on one's own machine: a store in a file, and pages that come up when there is a question.

Several servers may share the file. Each then has pages of its own, which show the open questions of all.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from askfirst.client.browser import Opener, open_in_browser, opened
from askfirst.core.errors import NobodyAsked
from askfirst.core.postings import Posting
from askfirst.desk import Desk
from askfirst.ports import Store
from askfirst.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from askfirst.web.serving import Served

__all__ = ["LocalDesk", "local_desk"]


def local_desk(
    *, store: str | os.PathLike[str] | None = None, open_browser: bool | None = None, tell: bool = True
) -> "LocalDesk":
    """A desk on this machine, for `Asking(desk=...)`; what `ASKFIRST_DESK=local` gives a server.

    Whoever opens the address of a question first can answer it. The address is written to stderr and put into the
    result of the call, where a model reads it too: where one has a way to open addresses, such as a shell, let a
    browser open them instead. It is served until the event loop ends, or `close` is called.

    Args:
        store: The file in which questions are kept. None takes the one that ASKFIRST_STORE names, or one in the
            user's data directory.
        open_browser: Open each address in the person's browser, and tell it to nobody then. None takes
            ASKFIRST_OPEN: 1 for yes.
        tell: Whether an address that no browser was opened at is put into the result; it is written to stderr
            either way.
    """
    file = store or os.environ.get("ASKFIRST_STORE") or None
    if open_browser is None:
        open_browser = os.environ.get("ASKFIRST_OPEN", "").lower() in {"1", "true", "yes", "on"}
    rows = SqliteStore(None if file is None else Path(file))
    return LocalDesk(Desk(rows), opener=open_in_browser if open_browser else None, tell=tell, store=rows)


class LocalDesk:
    """A desk, and pages for it on this machine; see `local_desk`.

    Args:
        desk: Where questions are laid.
        opener: Opens an address for the person; None where that is not wanted.
        tell: Whether addresses are given to whoever asks for them.
        say: Tells the operator something, a line at a time; on stderr where None.
        store: Closed together with this; None where somebody else closes the desk's.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        opener: Opener | None = None,
        tell: bool = True,
        say: Callable[[str], None] | None = None,
        store: Store | None = None,
    ) -> None:
        self.desk: Final = desk
        self._opener = opener
        self._tell = tell
        self._say = say or _to_stderr
        self._store = store
        self._starting = anyio.Lock()
        self._pages: Served | None = None

    async def address(self, posting: Posting) -> str:
        """Where a person answers this question, good for one browser; "" where that is not to be told.

        Raises:
            NobodyAsked: The pages can't be served here.
        """
        try:
            pages = await self.pages()
        except OSError as error:
            raise NobodyAsked(
                f"the page for the question can't be served: {error.strerror or error}"
            ) from None
        link = pages.link(posting, lasts=max(posting.expires - time.time(), 0.0))
        if self._opener is not None and await opened(self._opener, link):
            self._say(f"askfirst: a question waits ({posting.code}) in your browser")
            return ""
        self._say(f"askfirst: a question waits ({posting.code}) at {link}")
        return link if self._tell else ""

    async def pages(self) -> "Served":
        """The pages, which are served from now on.

        Raises:
            OSError: They can't be.
        """
        from askfirst.web.serving import start

        async with self._starting:
            if self._pages is None or self._pages.ended:
                self._pages = await start(self.desk)
            return self._pages

    async def close(self, linger: float = 0.0) -> None:
        """Serve the pages no longer. A browser that has just posted an answer gets `linger` seconds to show it.

        The next question brings them up again, at another address.
        """
        if self._pages is not None and not self._pages.ended:
            await anyio.sleep(linger)
            await self._pages.stop()
        self._pages = None
        if self._store is not None:
            await self._store.close()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - stdout is the protocol's
