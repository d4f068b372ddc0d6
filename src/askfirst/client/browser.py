"""Opening an address that a person agreed to visit. Nothing in here fetches anything."""

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Final

import anyio.to_thread

__all__ = ["Opener", "open_in_browser", "opened"]

Opener = Callable[[str], bool]
"""Opens an address for a person, and says whether that worked."""

_PATIENCE: Final = 0.5
"""Seconds to wait for the news that it did not work: the answer itself must not wait for a browser."""


def open_in_browser(url: str) -> bool:
    """Open the address in the person's browser: `BROWSER`, or the one of the desktop.

    Where there is neither, a browser for text would take the terminal away from the question: none is started.
    """
    desktop = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return (desktop or bool(os.environ.get("BROWSER"))) and webbrowser.open(url)


async def opened(opener: Opener, url: str) -> bool:
    """Open the address, and say within half a second that it failed; a browser that takes longer has not failed."""
    failed = threading.Event()
    done = threading.Event()

    def work() -> None:
        try:
            if not opener(url):
                failed.set()
        except OSError:
            failed.set()
        finally:
            done.set()

    # A thread of its own that nothing waits for: some browsers keep their opener until they are closed.
    threading.Thread(target=work, name="askfirst-browser", daemon=True).start()
    await anyio.to_thread.run_sync(done.wait, _PATIENCE)
    return not failed.is_set()
