"""Whatever happens at once, and in whichever order: each posting has one outcome, and the ledger knows it."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked, NotOnDesk
from askfirst.core.fields import Form, NumberField
from askfirst.core.ledger import Head
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.ports import Store
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore

QUESTION = FormQuestion("Which?", Form((NumberField(name="number", integer=True),)))
POSTINGS = 3

STEPS = st.tuples(
    st.sampled_from(["accept", "decline", "cancel", "withdraw", "pass time", "take", "look", "wait"]),
    st.integers(0, POSTINGS - 1),
)
TASKS = st.lists(st.lists(STEPS, max_size=4), min_size=1, max_size=5)


class Crowd:
    """Several tasks that do what they like with the same postings, through desks of their own."""

    def __init__(self, desks: list[Desk], postings: list[Posting]) -> None:
        self.now = 0.0
        self.desks = desks
        self.postings = postings
        self.accepted: Counter[str] = Counter()
        self.heard: dict[str, list[Answer[Content]]] = {}

    async def run(self, number: int, steps: list[tuple[str, int]]) -> None:
        desk = self.desks[number % len(self.desks)]
        for step, which in steps:
            await self._step(desk, step, self.postings[which], number)

    async def _step(self, desk: Desk, step: str, posting: Posting, number: int) -> None:
        match step:
            case "withdraw":
                await desk.withdraw(posting.token)
            case "pass time":
                self.now += 4
            case "take":
                await desk.take(posting.token)
            case "look":
                await desk.open()
            case "wait":
                try:
                    with anyio.move_on_after(0.001):
                        self.heard.setdefault(posting.token, []).append(await desk.wait(posting.token))
                except (NobodyAsked, NotOnDesk):
                    pass
            case _:
                answers: dict[str, Answer[Content]] = {
                    "accept": Accepted({"number": number}),
                    "decline": Declined(),
                    "cancel": Cancelled(),
                }
                settled = await desk.answer(posting.token, posting.digest, answers[step])
                self.accepted[posting.token] += settled.accepted
                assert settled.accepted == (settled.why == "")


async def outcomes(stores: list[Store], tasks: list[list[tuple[str, int]]]) -> None:
    crowd = Crowd([], [])
    crowd.desks = [Desk(store, clock=lambda: crowd.now) for store in stores]
    crowd.postings = [
        await crowd.desks[0].post(QUESTION, Origin("records"), limit=10) for _ in range(POSTINGS)
    ]
    async with anyio.create_task_group() as group:
        for number, steps in enumerate(tasks):
            group.start_soon(crowd.run, number, steps)
    crowd.now = 99.0
    desk = crowd.desks[-1]
    assert await desk.open() == ()
    closed = {posting.token: posting for posting in await desk.closed()}
    head = await desk.ledger.verify()
    assert isinstance(head, Head)
    assert head.number == 2 * POSTINGS
    events: dict[str, list[dict[str, Any]]] = {}
    async for line in desk.ledger.lines():
        events.setdefault(json.loads(line)["code"], []).append(json.loads(line))
    for posting in crowd.postings:
        now = closed[posting.token]
        first, second = events[posting.code]
        assert (first["event"], second["event"]) == ("posted", now.status.value)
        assert crowd.accepted[posting.token] == (now.status is Status.ANSWERED)
        for answer in crowd.heard.get(posting.token, []):
            expired = answer == Cancelled(expired=True)
            assert second["outcome"] == ("expired" if expired else answer.action)


@given(TASKS)
def test_each_posting_has_one_outcome_in_memory(tasks: list[list[tuple[str, int]]]) -> None:
    anyio.run(outcomes, [MemoryStore()], tasks)


@settings(max_examples=25)
@given(TASKS)
def test_each_posting_has_one_outcome_in_a_file_that_two_share(tasks: list[list[tuple[str, int]]]) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as room:
            stores: list[Store] = [SqliteStore(Path(room) / "desk.sqlite3") for _ in range(2)]
            try:
                await outcomes(stores, tasks)
            finally:
                for store in stores:
                    await store.close()

    anyio.run(run)


@pytest.mark.anyio
async def test_of_two_hundred_answers_at_once_one_is_accepted() -> None:
    desk = Desk(MemoryStore())
    posting = await desk.post(QUESTION, Origin("records"), limit=60)
    accepted: list[int] = []

    async def answer(number: int) -> None:
        settled = await desk.answer(posting.token, posting.digest, Accepted({"number": number}))
        if settled.accepted:
            accepted.append(number)

    async with anyio.create_task_group() as group:
        for number in range(200):
            group.start_soon(answer, number)
    (winner,) = accepted
    assert await desk.wait(posting.token) == Accepted({"number": winner})
