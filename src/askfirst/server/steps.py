"""Steps that must happen once, by name: `Ask.once`, in one process."""

from collections.abc import Awaitable, Callable, Hashable
from math import inf

import anyio

from askfirst.core.journal import JsonValue

__all__ = ["Steps"]


class Steps:
    """Results of steps: the second caller gets the first one's, also while that one still runs.

    Across processes only the sealed journal remembers; a step that can't be repeated at all needs an idempotency
    key at its own end.

    Args:
        most: How many results to keep; the oldest are forgotten first.
    """

    __slots__ = ("_locks", "_most", "_results")

    def __init__(self, most: float = inf) -> None:
        self._most = most
        self._results: dict[Hashable, JsonValue] = {}
        self._locks: dict[Hashable, anyio.Lock] = {}

    async def run(self, key: Hashable, step: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """The remembered result, or that of running the step now; two at once wait for each other."""
        lock = self._locks.setdefault(key, anyio.Lock())
        async with lock:
            if key in self._results:
                return self._results[key]
            try:
                result = self._results[key] = await step()
            except BaseException:  # a step that failed did not happen, so nothing of it is kept
                if not lock.statistics().tasks_waiting:
                    self._locks.pop(key, None)
                raise
        while len(self._results) > self._most:
            oldest = next(iter(self._results))
            del self._results[oldest]
            self._locks.pop(oldest, None)
        return result
