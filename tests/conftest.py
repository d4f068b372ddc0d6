"""What every test shares: one event loop, and a bound on every wait."""

import asyncio
import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Generator, Iterator
from types import FrameType
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no fault of the code. `HYPOTHESIS_PROFILE=thorough` looks longer for what a quick run may miss.
for profile, examples in {"quick": 25, "thorough": 1000}.items():
    settings.register_profile(
        profile,
        settings.get_profile(settings.get_current_profile_name()),
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are processors, for much of a journey is waiting until another process has started."""
    return (os.cpu_count() or 1) + 1


PATIENCE = 60.0
"""Seconds that one phase of one test may take. Nothing here needs a tenth of it: past it, something hangs."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class StillWaiting(BaseException):
    """No `Exception`, so that nothing takes it for a fault to handle, or for an example to shrink."""


def _awaited(coroutine: object) -> Iterator[tuple[FrameType, int]]:
    """The frames of a suspended coroutine, from its outermost to what it waits for."""
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        yield frame, frame.f_lineno
        coroutine = getattr(coroutine, "cr_await", None)


def _give_up(_signal: int, _frame: FrameType | None) -> NoReturn:
    with contextlib.suppress(RuntimeError):  # no loop is running here
        for task in asyncio.all_tasks():
            stack = traceback.StackSummary.extract(_awaited(task.get_coro()))
            print(f"{task.get_name()} waits here:", *stack.format(), sep="\n", file=sys.stderr)
    raise StillWaiting(f"{PATIENCE:g} seconds are over; the traceback shows what was waited for")


def _bounded() -> Generator[None, object, object]:
    """Turns a wait that never ends into a failure with a traceback; again, should clearing up hang too."""
    if not hasattr(signal, "SIGALRM"):
        return (yield)
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    return (yield from _bounded())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    return (yield from _bounded())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    return (yield from _bounded())
