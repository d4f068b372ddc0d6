"""The desk under load: 10,000 open questions in one SQLite file, and another process that answers 200 a second.

Prints what a page of the list costs, how the memory of this process grows, and what became of the answers. The bounds
to reach: 200 ms for a page, memory flat, every answer heard once, and within 100 ms.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import anyio

from askfirst.core.answers import Accepted
from askfirst.core.fields import Form, NumberField
from askfirst.core.ledger import Head
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore

OPEN = 10_000
SERVERS = 500
ANSWERS = 2_000
A_SECOND = 200
QUESTION = FormQuestion(
    "How many rows may go?", Form((NumberField(name="rows", integer=True, required=True),))
)


def resident() -> float:
    """MiB of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def fill(desk: Desk) -> list[Posting]:
    begun = time.perf_counter()
    postings = [
        await desk.post(QUESTION, Origin(f"server {number % SERVERS}", tool="delete"), limit=86_400)
        for number in range(OPEN)
    ]
    print(f"{OPEN} posted, {OPEN / (time.perf_counter() - begun):.0f} a second")
    return postings


async def list_pages(desk: Desk) -> None:
    took: list[float] = []
    token, before = None, resident()
    for _ in range(OPEN // 100):
        begun = time.perf_counter()
        page = await desk.open(limit=100, after=token)
        counts = await desk.counts()
        took.append(1000 * (time.perf_counter() - begun))
        assert len(page) == 100
        assert sum(counts.values()) == OPEN
        token = page[-1].token
    print(f"a page of 100 with counts: {median(took):.1f} ms, at most {max(took):.1f} ms")
    print(f"memory before and after all pages: {before:.1f} and {resident():.1f} MiB")


async def hear_answers(desk: Desk, file: Path, postings: list[Posting]) -> None:
    heard: dict[str, list[tuple[float, object]]] = {one.token: [] for one in postings}

    async def wait(token: str) -> None:
        answer = await desk.wait(token)
        assert isinstance(answer, Accepted)
        heard[token].append((time.time(), answer.data["rows"]))

    before = resident()
    given: dict[str, tuple[float, object]] = {}
    async with anyio.create_task_group() as tasks:
        for one in postings:
            tasks.start_soon(wait, one.token)
        await anyio.sleep(2)
        print(f"{len(postings)} waiting: {1024 * (resident() - before) / len(postings):.1f} KiB each")
        command = [sys.executable, __file__, str(file)]
        lines = json.dumps([[one.token, one.digest] for one in postings]).encode()
        done = await anyio.run_process(command, input=lines, stderr=None)
        given = json.loads(done.stdout)
    lost = [token for token, (_, rows) in given.items() if [one for _, one in heard[token]] != [rows]]
    late = sorted(1000 * (heard[token][0][0] - at) for token, (at, _) in given.items())
    spent = max(at for at, _ in given.values()) - min(at for at, _ in given.values())
    print(
        f"{len(given)} answers in {spent:.1f} s, {len(given) / spent:.0f} a second; lost or doubled: {len(lost)}"
    )
    print(
        f"heard after {median(late):.0f} ms, 99 %: {quantiles(late, n=100)[98]:.0f} ms, last {late[-1]:.0f} ms"
    )


async def answer_all(file: str) -> None:
    """The other process: answers what it reads, at an even pace; prints when each was accepted, and with what."""
    store = SqliteStore(Path(file))
    desk = Desk(store)
    given: dict[str, tuple[float, int]] = {}
    begun = time.perf_counter()
    for number, (token, digest) in enumerate(json.load(sys.stdin)):
        await anyio.sleep(max(0, begun + number / A_SECOND - time.perf_counter()))
        settled = await desk.answer(token, digest, Accepted({"rows": number}))
        assert settled.accepted
        given[token] = (time.time(), number)
    await store.close()
    print(json.dumps(given))


async def measure() -> None:
    with tempfile.TemporaryDirectory() as room:
        file = Path(room) / "desk.sqlite3"
        store = SqliteStore(file)
        desk = Desk(store)
        postings = await fill(desk)
        await list_pages(desk)
        await hear_answers(desk, file, postings[::5][:ANSWERS])
        begun = time.perf_counter()
        head = await desk.ledger.verify()
        assert isinstance(head, Head)
        print(f"a ledger of {head.number} lines is verified in {time.perf_counter() - begun:.2f} s")
        await store.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        anyio.run(answer_all, sys.argv[1])
    else:
        anyio.run(measure)
