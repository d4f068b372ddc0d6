"""A clock that counts work and stands still while a person thinks."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import anyio

__all__ = ["WorkClock"]


class WorkClock:
    """A time limit on a block: `with clock:` cancels the block when the work in it takes too long.

    Work is all time in which no question is open. A phase, such as connecting, may have a limit of its own.
    After the block, `expired` says whether it was cut off.
    """

    def __init__(self, seconds: float | None, now: Callable[[], float] = anyio.current_time) -> None:
        """A clock for `seconds` of work in all, None for as much as it takes; `now` gives growing seconds."""
        self._now = now
        self._whole = math.inf if seconds is None else seconds
        self._phase = math.inf
        self._since = 0.0
        self._questions = 0
        self._scope = anyio.CancelScope()

    def __enter__(self) -> "WorkClock":
        self._scope.__enter__()
        self._go()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> bool:
        return bool(self._scope.__exit__(kind, value, trace))

    @property
    def expired(self) -> bool:
        """Whether the block was cut off because its time was over."""
        return self._scope.cancelled_caught

    def phase(self, seconds: float | None) -> None:
        """A new phase begins, which may take `seconds` of work; None for as much as is left in all."""
        self._stop()
        self._phase = math.inf if seconds is None else seconds
        self._go()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Inside this block a question is open and nothing counts; blocks may overlap."""
        if self._questions == 0:
            self._stop()
        self._questions += 1
        try:
            yield
        finally:
            self._questions -= 1
            if self._questions == 0:
                self._go()

    def lull(self, seconds: float) -> None:
        """For so long from now nothing counts: it was just heard that somebody is asked elsewhere."""
        if self._questions == 0:
            self._stop()
            self._go()
            self._since += seconds
            self._scope.deadline += seconds

    def _go(self) -> None:
        self._since = self._now()
        self._scope.deadline = anyio.current_time() + min(self._whole, self._phase)

    def _stop(self) -> None:
        spent = max(self._now() - self._since, 0.0)  # a lull begins ahead of its time
        self._whole -= spent
        self._phase -= spent
        self._scope.deadline = math.inf
