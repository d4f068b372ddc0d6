"""A call whose questions wait on its server's desk: made again until it has a result of its own."""

from collections.abc import Awaitable, Callable
from typing import Final

import anyio
import click
from mcp_types import CallToolResult

from askfirst.core.fallback import Waiting, is_waiting_notice, read_waiting, waiting_notice

from .clock import WorkClock
from .progress import Progress

__all__ = ["Watch", "until_done"]

_PAUSE: Final = 1.0
"""Seconds between two calls: a server that says at once that it waits is not called as fast as it can answer."""

_MOST_CALLS: Final = 2000
"""It is the server that ends the waiting, when the question expires; this ends a server that never does."""

_LULL: Final = 25.0
"""Seconds after it was heard that a question waits in which no work is counted: two notices and a half."""


class Watch:
    """What is heard of questions that wait elsewhere: told to the person, and no work time passes meanwhile."""

    def __init__(self, clock: WorkClock, progress: Progress) -> None:
        """For one call; `clock` counts its work and `progress` tells."""
        self._clock = clock
        self._progress = progress
        self._told = False

    async def noticed(self, progress: float, total: float | None, message: str | None) -> None:
        """A progress notice of the server's."""
        if is_waiting_notice(message):
            self._clock.lull(_LULL)
        await self._progress.show(progress, total, message)

    def waits(self, questions: tuple[Waiting, ...]) -> None:
        """The call ended, and goes on when it is made again."""
        self._clock.lull(_LULL)
        self._progress.tell(waiting_notice(questions))
        if not self._told:
            self._told = True
            note = "askfirst: the call is made again until there is an answer; Ctrl-C gives up"
            click.echo(note, err=True)


async def until_done(
    tool: str,
    call: Callable[[], Awaitable[CallToolResult]],
    waits: Callable[[tuple[Waiting, ...]], None] = lambda _: None,
    *,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> CallToolResult:
    """The result of a call that is not that it waits; that too, when it has said nothing else for very long.

    Args:
        tool: The name of the tool.
        call: Makes the call, always with the same arguments.
        waits: Is told each time what the call waits for.
        sleep: Lets seconds pass.
    """
    for _ in range(_MOST_CALLS - 1):
        result = await call()
        if not (questions := read_waiting(result.structured_content, tool)):
            return result
        waits(questions)
        await sleep(_PAUSE)
    return await call()
