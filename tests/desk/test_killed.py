"""kill -9 at any moment, in several processes at once: what was acknowledged is there, nothing twice, nothing half."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from askfirst.core.answers import Accepted
from askfirst.core.ledger import Head
from askfirst.core.postings import Posting, Status
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore

pytestmark = pytest.mark.anyio

WORKER = Path(__file__).with_name("worker.py")
ROUNDS = 6
LINES = (1, 40, 7, 23, 2, 60)
"""After so many acknowledgements the processes of a round are killed, wherever they are by then."""


def worked_until_killed(file: Path, round_: int) -> list[str]:
    """What two processes said before both were killed; half a line counts for nothing."""
    workers = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(file), f"w{round_}{name}"], stdout=subprocess.PIPE, text=True
        )
        for name in "ab"
    ]
    first = workers[round_ % 2]
    assert first.stdout is not None
    said = [first.stdout.readline() for _ in range(LINES[round_])]
    for worker in workers:
        worker.kill()
    for worker in workers:
        rest, _ = worker.communicate()
        said += rest.splitlines(keepends=True)
    return [line for line in said if line.endswith("\n")]


async def test_what_was_acknowledged_outlives_a_kill_and_nothing_is_doubled(tmp_path: Path) -> None:
    file = tmp_path / "desk.sqlite3"
    said = [line.split() for round_ in range(ROUNDS) for line in worked_until_killed(file, round_)]
    store = SqliteStore(file)
    desk = Desk(store, most_open=10_000)
    by_token = {
        posting.token: posting for posting in (*await desk.open(limit=10_000), *await desk.closed(10_000))
    }
    assert len(said) >= sum(LINES)
    for what, token, number in said:
        posting = by_token[token]
        assert posting.call.endswith(f" {number}")
        if what == "answered":
            assert posting.status is Status.ANSWERED
            assert await desk.wait(token) == Accepted({"number": int(number)})
    calls = [posting.call for posting in by_token.values()]
    assert len(calls) == len(set(calls))
    assert gaps(by_token.values()) == []
    head = await desk.ledger.verify()
    assert isinstance(head, Head)
    answered = [one for one in by_token.values() if one.status is Status.ANSWERED]
    assert head.number == len(by_token) + len(answered)
    assert await integrity(store) == "ok"
    await store.close()


def gaps(postings: object) -> list[str]:
    """Each process numbers its questions without a gap: none may be missing before one that is there."""
    assert hasattr(postings, "__iter__")
    numbers: dict[str, list[int]] = {}
    for one in postings:
        assert isinstance(one, Posting)
        name, _, number = one.call.partition(" ")
        numbers.setdefault(name, []).append(int(number))
    return [
        f"{name}: {low} then {high}"
        for name, all_of in numbers.items()
        for low, high in pairwise([-1, *sorted(all_of)])
        if high != low + 1
    ]


async def integrity(store: SqliteStore) -> str:
    import sqlite3

    with sqlite3.connect(store.path) as db:
        ((verdict,),) = db.execute("PRAGMA integrity_check")
    db.close()
    return str(verdict)
