"""How long a desk keeps what is over, and what it does with a row that something damaged."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from askfirst.core.answers import Accepted
from askfirst.core.errors import NotOnDesk, StoreFault
from askfirst.core.fields import Form, TextField
from askfirst.core.ledger import Entry, Head
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, Origin
from askfirst.core.rows import Refusal, Row
from askfirst.desk import Desk
from askfirst.ports import Store
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore

pytestmark = pytest.mark.anyio

DAY = 86400.0
WHO = FormQuestion("Who?", Form((TextField(name="who"),)))
WORD = "hunter2-quite-unlikely"


async def post(desk: Desk, **more: Any) -> Posting:
    return await desk.post(WHO, Origin("records"), **{"limit": 60.0, **more})


async def answered(desk: Desk, **more: Any) -> Posting:
    posting = await post(desk, **more)
    assert (await desk.answer(posting.token, posting.digest, Accepted({"who": WORD}))).accepted
    return posting


# --- keeping


async def test_what_is_over_is_kept_for_thirty_days_and_then_erased(desk: Desk, clock: Any) -> None:
    old = await answered(desk, call="c1")
    clock.now += DAY
    new = await answered(desk)
    clock.now += 29 * DAY - 1
    assert {one.token for one in await desk.closed()} == {old.token, new.token}
    clock.now += 3600 + 1
    assert [one.token for one in await desk.closed()] == [new.token]
    assert await desk.find(old.token) is None
    assert await desk.of_call("c1") == ()
    assert isinstance(await desk.ledger.verify(), Head)
    assert [json.loads(line)["event"] async for line in desk.ledger.lines()] == ["posted", "answered"] * 2


async def test_an_answer_that_nobody_takes_is_erased_from_the_file_in_the_end(
    tmp_path: Path, clock: Any
) -> None:
    store = SqliteStore(tmp_path / "desk.sqlite3")
    desk = Desk(store, clock=clock, retention=DAY)
    posting = await answered(desk)
    clock.now += DAY + 1
    await Desk(store, clock=clock, retention=DAY).counts()  # whoever uses the desk next
    with pytest.raises(NotOnDesk):
        await desk.wait(posting.token)
    await store.close()
    assert WORD.encode() not in (tmp_path / "desk.sqlite3").read_bytes()


async def test_an_open_question_is_kept_however_old(desk: Desk, clock: Any) -> None:
    posting = await post(desk, limit=90 * DAY)
    clock.now += 60 * DAY
    assert [one.token for one in await desk.open()] == [posting.token]


async def test_a_clock_that_is_set_back_does_not_keep_things_for_longer(desk: Desk, clock: Any) -> None:
    clock.now += 400 * DAY
    await desk.counts()
    clock.now -= 400 * DAY
    posting = await answered(desk)
    clock.now += 31 * DAY
    assert await desk.find(posting.token) is not None
    assert await desk.closed() == ()


async def test_much_that_is_old_is_erased_a_part_at_a_time(clock: Any) -> None:
    class Counting(MemoryStore):
        erased: tuple[int, ...] = ()

        async def prune(self, before: float, limit: int) -> int:
            self.erased += (number := await super().prune(before, limit),)
            return number

    store = Counting()
    desk = Desk(store, clock=clock)
    for _ in range(250):
        await answered(desk)
    clock.now += 31 * DAY
    store.erased = ()
    for _ in range(10):
        await desk.counts()
    assert store.erased == (100, 100, 50)


async def test_the_result_of_a_step_is_kept_for_as_long_as_its_call_can_go_on(desk: Desk, clock: Any) -> None:
    await desk.steps.keep("c1", "charge", ["receipt", 7])
    await desk.steps.keep("c2", "charge", None)
    posting = await post(desk, call="c1", limit=90 * DAY)
    clock.now += 89 * DAY
    await desk.answer(posting.token, posting.digest, Accepted({"who": WORD}))
    clock.now += 29 * DAY
    await desk.counts()
    assert await desk.steps.find("c1", "charge") == (["receipt", 7],)
    assert await desk.steps.find("c2", "charge") is None
    clock.now += 2 * DAY
    await desk.counts()
    assert await desk.steps.find("c1", "charge") is None


# --- damaged rows


BODIES = ["", "[", "{}", "[" * 100_000, "null"]


class Damaged(MemoryStore):
    """Rows whose body became something else after they were added."""

    body = ""

    async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
        return await super().add(replace(row, body=self.body) if self.body else row, entry, most_open)


@pytest.fixture(params=[*BODIES[1:], "field", "arguments", "origin", "asked_of"])
async def beside(request: pytest.FixtureRequest, clock: Any) -> tuple[Desk, str, Posting]:
    """A desk, the token of a damaged open row on it, and a question that came after that."""
    store = Damaged()
    desk = Desk(store, clock=clock)
    whole = await store.row((await post(desk)).token)
    assert whole is not None
    body = json.loads(whole.body)
    parts: dict[str, Callable[[], object]] = {
        "field": lambda: body["question"]["fields"][0].update(min_length="x"),
        "arguments": lambda: body.update(arguments=[3]),
        "origin": lambda: body.update(origin=["records", 3, None, None]),
        "asked_of": lambda: body.update(asked_of=3),
    }
    if request.param in parts:
        parts[request.param]()
        store.body = json.dumps(body)
    else:
        store.body = request.param
    token = (await post(desk, limit=30, call="c1")).token
    store.body = ""
    await desk.withdraw(whole.token)
    return desk, token, await post(desk)


async def test_a_damaged_row_takes_no_list_down(beside: tuple[Desk, str, Posting], clock: Any) -> None:
    desk, token, other = beside
    assert [one.token for one in await desk.open()] == [other.token]
    assert await desk.of_call("c1") == ()
    clock.now += 30
    assert token not in [one.token for one in await desk.closed()]
    assert await desk.counts() == {"records": 1}
    last = [json.loads(line) async for line in desk.ledger.lines()][-1]
    assert (last["event"], last["server"], last["own_name"]) == ("expired", "records", True)


async def test_a_damaged_row_can_be_withdrawn_and_never_answered(beside: tuple[Desk, str, Posting]) -> None:
    desk, token, _ = beside
    for use in (desk.find(token), desk.answer(token, "", Accepted({}))):
        with pytest.raises(StoreFault, match="damaged"):
            await use
    await desk.withdraw(token)
    with anyio.fail_after(60), pytest.raises(StoreFault, match="damaged"):
        await desk.wait(token)


@pytest.mark.parametrize("content", ["", "[", "3", "[]", "[" * 100_000])
async def test_a_damaged_answer_is_none(clock: Any, content: str) -> None:
    class Overwritten(MemoryStore):
        async def row(self, token: str) -> Row | None:
            row = await super().row(token)
            return row and (row if row.status is Status.OPEN else replace(row, content=content))

    desk = Desk(Overwritten(), clock=clock)
    posting = await answered(desk)
    with pytest.raises(StoreFault, match="damaged"):
        await desk.wait(posting.token)


@pytest.mark.parametrize("result", ["", "[", "[" * 100_000])
async def test_whether_a_damaged_step_happened_is_not_guessed(store: Store, clock: Any, result: str) -> None:
    await store.keep_step("c1", "charge", result, 1.0)
    with pytest.raises(StoreFault, match="can't be told"):
        await Desk(store, clock=clock).steps.find("c1", "charge")


@pytest.mark.parametrize("content", ["", "@", "AAAA", "A" * 60, "é"])
async def test_a_damaged_secret_is_none(store: Store, clock: Any, content: str) -> None:
    from askfirst.sealing import unseal

    with pytest.raises(StoreFault, match="can't be opened"):
        unseal(await store.key(), content, "token")
