"""Ctrl-C and its like, as a cancellation that lets everything close: no server is left behind."""

import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import anyio

from .failure import Interrupted

__all__ = ["run"]

T = TypeVar("T")

_SIGNALS: Final = (
    (signal.SIGINT, signal.SIGTERM)
    if sys.platform == "win32"
    else (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGHUP,
    )
)


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run `work` in an event loop to its end, or until a signal ends it.

    Raises:
        Interrupted: A signal came; `work` was cancelled and has closed what it opened.
    """
    if sys.platform == "win32":  # no signal receivers there; the loop raises KeyboardInterrupt by itself
        return anyio.run(work)
    return anyio.run(_until_signalled, work)


async def _until_signalled(work: Callable[[], Awaitable[T]]) -> T:
    # The receiver outlives the work, so that a second Ctrl-C can't cut the closing of the first one short: the
    # server would be orphaned. Closing is bounded by the transport, at a few seconds.
    came: list[int] = []
    done: list[T] = []
    with anyio.open_signal_receiver(*_SIGNALS) as signals:
        async with anyio.create_task_group() as group:

            async def watch() -> None:
                async for number in signals:
                    came.append(number)
                    group.cancel_scope.cancel()

            group.start_soon(watch)
            done.append(await work())
            group.cancel_scope.cancel()
    if came:
        raise Interrupted(came[0])
    return done[0]
