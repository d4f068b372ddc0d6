"""What every test shares: one event loop, and a bound on every wait."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Generator
from types import FrameType
from typing import NoReturn

import pytest

PATIENCE = 120.0
"""Seconds that one phase of one test may take. Nothing here needs a tenth of it: past it, something hangs."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class StillWaiting(BaseException):
    """No `Exception`, so that nothing takes it for a fault to handle, or for an example to shrink."""


def _give_up(_signal: int, _frame: FrameType | None) -> NoReturn:
    with contextlib.suppress(RuntimeError):  # no loop is running here
        for task in asyncio.all_tasks():
            task.print_stack(file=sys.stderr)
    raise StillWaiting(f"{PATIENCE:g} seconds are over; the traceback shows what was waited for")


def _bounded() -> Generator[None, object, object]:
    """Turns a wait that never ends into a failure with a traceback; again and again, should the failure hang too."""
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
