"""How the questions of a server behave: how long they wait, how many do, and where those go that no client carries."""

import os
from importlib.metadata import entry_points
from typing import Final

import anyio

from askfirst.core.errors import AuthorError

from .desking import OwnPlace, Place
from .paused import WaitingRoom
from .steps import Steps

__all__ = ["Asking"]


class Asking:
    """How the questions of a server behave; give one to `@askable(asking=...)` to change the defaults.

    Use it as an async context manager inside the server's lifespan to have every waiting call ended when the
    server stops, also where the event loop goes on. Then a desk that the environment named is closed too; one that was
    given is closed by whoever made it.

    Args:
        patience: Seconds a question may wait for its answer. The server's `RequestStateSecurity` must seal for at
            least as long (its own default is 600 seconds too).
        max_paused: How many calls may wait for an answer at once in this process.
        desk: Where questions go that the client can't carry. None takes the one that the environment variable
            ASKFIRST_DESK names ("local": our page on this machine), or none.
        hold: Seconds a call waits for a person at the desk before its caller is told to call again; less than the
            client's own limit.
    """

    def __init__(
        self,
        *,
        patience: float = 600.0,
        max_paused: int = 1000,
        desk: Place | None = None,
        hold: float = 50.0,
    ) -> None:
        for name, seconds in (("patience", patience), ("hold", hold)):
            if not seconds > 0:
                raise AuthorError(f"{name} is a number of seconds above 0, got {seconds}")
        if max_paused < 1:
            raise AuthorError(f"max_paused is a whole number from 1, got {max_paused}")
        self.patience: Final = patience
        self.hold: Final = hold
        self.room: Final = WaitingRoom(patience, max_paused)
        self.memory: Final = Steps(max_paused)
        self._desk = desk
        self._own: OwnPlace | None = None

    def place(self) -> Place | None:
        """The desk of this server, if it has one.

        Raises:
            AuthorError: ASKFIRST_DESK names none that is installed.
        """
        if self._desk is None and self._own is None and (name := os.environ.get("ASKFIRST_DESK")):
            self._own = _installed(name)
        return self._desk or self._own

    async def __aenter__(self) -> "Asking":
        return self

    async def __aexit__(self, *_: object) -> None:
        with anyio.CancelScope(shield=True):
            await self.room.close()
            if self._own is not None:
                own, self._own = self._own, None
                await own.close()


def _installed(name: str) -> OwnPlace:
    """The place of that name among those that packages bring (entry points of the group askfirst.places)."""
    found = entry_points(group="askfirst.places")
    if name not in found.names:
        known = ", ".join(sorted(found.names)) or "none"
        raise AuthorError(f"ASKFIRST_DESK is the name of a place to ask at ({known}), got {name!r}")
    place: OwnPlace = found[name].load()()
    return place
