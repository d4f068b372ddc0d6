"""Two ways of doing one thing, measured side by side: in turns, the least time of several turns for each."""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat

__all__ = ["least", "report_cheaper", "report_share", "spent", "verdict"]

TURNS = 7
TURN = 0.05
"""Seconds of processor time a turn lasts at least."""


@contextmanager
def no_collection() -> Iterator[None]:
    """Keeps garbage collection out of what is measured: when it comes depends on what else is in memory."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def spent(calls: Iterable[Callable[[], object]]) -> float:
    """Seconds of processor time that these calls need."""
    with no_collection():
        start = time.process_time()
        for call in calls:
            call()
        return time.process_time() - start


def least(*calls: Callable[[], object], turns: int = TURNS) -> list[float]:
    """Seconds of processor time that each call needs, the least of several turns."""
    counts = []
    for call in calls:
        times = 1
        while spent(repeat(call, times)) < TURN:
            times *= 2
        counts.append(times)
    found = [float("inf")] * len(calls)
    for _ in range(turns):
        for at, (call, times) in enumerate(zip(calls, counts, strict=True)):
            found[at] = min(found[at], spent(repeat(call, times)) / times)
    return found


def verdict(value: float, limit: float | None, *, at_least: bool = False) -> str:
    """What to print behind a figure: its limit, and whether that is kept."""
    if limit is None:
        return ""
    kept = value >= limit if at_least else value <= limit
    return f" ({'at least' if at_least else 'at most'} {limit:g}: {'ok' if kept else 'MISSED'})"


def report_cheaper(what: str, ours: float, theirs: float, limit: float | None = None) -> None:
    """Print how many times cheaper ours is, which must be at least the limit."""
    times = theirs / ours
    print(f"{what}: {times:.1f} times cheaper{verdict(times, limit, at_least=True)}")


def report_share(what: str, ours: float, theirs: float, limit: float | None = None) -> None:
    """Print which part of theirs ours is, which must be at most the limit."""
    share = ours / theirs
    print(f"{what}: ratio {share:.3f}{verdict(share, limit)}")
