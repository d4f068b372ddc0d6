"""One contract for every store: it keeps rows, closes each once, and wakes whoever waits for a change."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import anyio
import pytest

from askfirst.core.ledger import START, Entry, Head, verify
from askfirst.core.postings import Scope, Status
from askfirst.core.rows import Closing, Row
from askfirst.ports import Store
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore

pytestmark = pytest.mark.anyio

ENTRY = Entry(at=1.0, event="posted", server="records")
ANSWERED = Closing(Status.ANSWERED, 5.0, "accept", '{"a": 1}')
WITHDRAWN = Closing(Status.WITHDRAWN, 5.0)

Opener: TypeAlias = Callable[[], Awaitable[Store]]
"""Gives one more store on the same rows, as another process has it."""


@pytest.fixture(params=["memory", "sqlite"])
async def opener(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opener]:
    async with AsyncExitStack() as stack:
        alone = MemoryStore()

        async def another() -> Store:
            if request.param == "memory":
                return alone
            store = SqliteStore(tmp_path / "room" / "desk.sqlite3")
            stack.push_async_callback(store.close)
            return store

        yield another


@pytest.fixture
async def store(opener: Opener) -> Store:
    return await opener()


def row(name: str, server: str = "records", *, expires: float = 100.0, call: str = "") -> Row:
    return Row(name, f"code {name}", server, call, 1.0, expires, f'{{"body": "{name}"}}')


async def fill(store: Store, *rows: Row) -> None:
    for one in rows:
        assert await store.add(one, ENTRY, 1000) is None


def names(rows: tuple[Row, ...]) -> list[str]:
    return [one.token for one in rows]


# --- adding and finding


async def test_a_row_comes_back_as_it_was_added(store: Store) -> None:
    odd = Row("tökén 'x\" -- %", "K7QM", "sérver\n", "call", 1.25, 2.5e9, '{"body": "\\u0000 \\ud800"}')
    await fill(store, odd)
    assert await store.row(odd.token) == odd


async def test_an_unknown_token_finds_nothing(store: Store) -> None:
    assert await store.row("nobody") is None
    assert not await store.close_row("nobody", WITHDRAWN, ENTRY)
    await store.take("nobody")
    assert await store.head() == START


async def test_a_limit_may_be_endless(store: Store) -> None:
    await fill(store, row("a", expires=float("inf")))
    assert names(await store.open_rows(1e300, None, None, 9)) == ["a"]


async def test_a_token_or_a_code_in_use_is_refused(store: Store) -> None:
    await fill(store, row("a"))
    assert await store.add(replace(row("b"), code="code a"), ENTRY, 9) == "taken"
    assert await store.add(replace(row("a"), code="another"), ENTRY, 9) == "taken"
    assert (await store.head()).number == 1


async def test_the_code_of_a_closed_row_is_free_again(store: Store) -> None:
    await fill(store, row("a"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert await store.add(replace(row("b"), code="code a"), ENTRY, 9) is None
    assert await store.add(replace(row("a"), code="another"), ENTRY, 9) == "taken"


async def test_one_server_has_at_most_so_many_open(store: Store) -> None:
    await fill(store, row("a"), row("b"), row("other", "mail"))
    assert await store.add(row("c"), ENTRY, 2) == "flooded"
    assert await store.row("c") is None
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert await store.add(row("c"), ENTRY, 2) is None


async def test_what_has_expired_floods_nobody(store: Store) -> None:
    await fill(store, row("a", expires=10), row("b", expires=20))
    assert await store.add(replace(row("c"), posted=10.0), ENTRY, 1) == "flooded"
    assert await store.add(replace(row("c"), posted=10.0), ENTRY, 2) is None


async def test_the_limit_holds_when_many_add_at_once(opener: Opener) -> None:
    stores = [await opener() for _ in range(4)]
    refusals: list[object] = []

    async def add(number: int) -> None:
        refusals.append(await stores[number % 4].add(row(f"{number}"), ENTRY, 5))

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(add, number)
    assert (refusals.count(None), refusals.count("flooded")) == (5, 15)


# --- closing


@pytest.mark.parametrize("closing", [ANSWERED, WITHDRAWN, Closing(Status.EXPIRED, 100.0)])
async def test_a_row_is_closed_once(store: Store, closing: Closing) -> None:
    await fill(store, row("a"))
    assert await store.close_row("a", closing, ENTRY)
    assert not await store.close_row("a", ANSWERED, ENTRY)
    closed = await store.row("a")
    assert closed == replace(
        row("a"), status=closing.status, closed=closing.at, action=closing.action, content=closing.content
    )
    assert (await store.head()).number == 2


async def test_of_many_who_close_a_row_one_does(opener: Opener) -> None:
    stores = [await opener() for _ in range(4)]
    await fill(stores[0], row("a"))
    done: dict[int, bool] = {}

    async def close(number: int) -> None:
        closing = replace(ANSWERED, content=f"{number}")
        done[number] = await stores[number % 4].close_row("a", closing, ENTRY)

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(close, number)
    (winner,) = [number for number, closed in done.items() if closed]
    closed = await stores[0].row("a")
    assert closed is not None
    assert closed.content == f"{winner}"


async def test_what_is_taken_has_no_content_left(store: Store) -> None:
    await fill(store, row("a"))
    await store.close_row("a", ANSWERED, ENTRY)
    await store.take("a")
    await store.take("a")
    taken = await store.row("a")
    assert taken is not None
    assert (taken.content, taken.action, taken.taken) == (None, "accept", True)


async def test_an_open_row_is_not_taken(store: Store) -> None:
    await fill(store, row("a"))
    await store.take("a")
    assert await store.row("a") == row("a")


async def test_what_was_closed_before_a_moment_is_erased_whole_and_its_ledger_stays(store: Store) -> None:
    await fill(store, *(row(name, call="x") for name in "abcdef"))
    for name, at in (("b", 9.0), ("a", 3.0), ("c", 4.0), ("d", 5.0), ("e", 4.5)):
        await store.close_row(name, replace(ANSWERED, at=at), ENTRY)
    head = await store.head()
    assert await store.prune(5.0, 2) == 2
    assert await store.prune(5.0, 9) == 1
    assert await store.prune(5.0, 9) == 0
    assert [await store.row(name) for name in "ace"] == [None] * 3
    assert names(await store.closed_rows(9)) == ["d", "b"]
    assert names(await store.rows_of_call("x")) == ["b", "d", "f"]
    assert names(await store.open_rows(1, None, None, 9)) == ["f"]
    assert await store.head() == head
    assert verify(await store.ledger(0, 99)) == head


async def test_a_row_is_added_last_after_others_were_erased(store: Store) -> None:
    await fill(store, row("a"), row("b"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert await store.prune(99.0, 9) == 1
    await fill(store, row("c"), row("a"))
    assert names(await store.open_rows(1, None, None, 9)) == ["b", "c", "a"]
    assert (await store.news(3)).tokens == {"c", "a"}


# --- lists


async def test_open_rows_come_in_the_order_they_were_added(store: Store) -> None:
    await fill(store, row("c"), row("a"), row("b", "mail"), row("d"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert names(await store.open_rows(1, None, None, 9)) == ["c", "b", "d"]
    assert names(await store.open_rows(1, None, None, 2)) == ["c", "b"]
    assert names(await store.open_rows(1, "records", None, 9)) == ["c", "d"]


async def test_open_rows_go_on_after_a_row_that_may_be_closed_by_now(store: Store) -> None:
    await fill(store, row("c"), row("a"), row("b", "mail"), row("d"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert names(await store.open_rows(1, None, "c", 9)) == ["b", "d"]
    assert names(await store.open_rows(1, "records", "a", 9)) == ["d"]
    assert names(await store.open_rows(1, None, "d", 9)) == []
    assert names(await store.open_rows(1, None, "nobody", 1)) == ["c"]


async def test_a_row_is_overdue_from_its_limit_on(store: Store) -> None:
    await fill(store, row("a", expires=10), row("b", expires=20))
    assert names(await store.open_rows(10, None, None, 9)) == ["b"]
    assert names(await store.overdue_rows(10, 9)) == ["a"]
    assert sorted(names(await store.overdue_rows(20, 9))) == ["a", "b"]
    assert len(await store.overdue_rows(20, 1)) == 1
    await store.close_row("a", Closing(Status.EXPIRED, 10.0), ENTRY)
    assert names(await store.overdue_rows(10, 9)) == []


async def test_closed_rows_come_the_last_one_closed_first(store: Store) -> None:
    await fill(store, row("a"), row("b"), row("c"), row("d"))
    for name in ("b", "a", "c"):
        await store.close_row(name, WITHDRAWN, ENTRY)
    await store.take("b")
    assert names(await store.closed_rows(9)) == ["c", "a", "b"]
    assert names(await store.closed_rows(1)) == ["c"]


async def test_rows_of_a_call_are_found_until_they_are_taken(store: Store) -> None:
    await fill(store, row("a", call="x"), row("b", call="y"), row("c", call="x"), row("d", call="x"))
    await store.close_row("a", ANSWERED, ENTRY)
    await store.close_row("d", ANSWERED, ENTRY)
    assert names(await store.rows_of_call("x")) == ["a", "c", "d"]
    await store.take("a")
    assert names(await store.rows_of_call("x")) == ["c", "d"]


async def test_open_rows_are_counted_by_server(store: Store) -> None:
    await fill(store, row("a"), row("b"), row("c", "mail"), row("d", "old", expires=2))
    await store.close_row("a", WITHDRAWN, ENTRY)
    assert await store.counts(2) == {"records": 1, "mail": 1}


# --- waking


async def test_news_tell_what_changed_since(store: Store) -> None:
    await fill(store, row("a"), row("b"), row("c"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    news = await store.news(1)
    assert (news.number, news.tokens) == (4, {"a", "b", "c"})
    news = await store.news(3)
    assert (news.number, news.tokens) == (4, {"a"})


async def test_news_of_another_process_come_within_100_ms(opener: Opener) -> None:
    here, there = await opener(), await opener()
    await fill(there, row("other"))
    took: list[float] = []
    for name in ("a", "b", "c", "d", "e"):
        await fill(there, row(name))
        head = await here.head()
        heard: list[float] = []

        async def listen(since: int, name: str, heard: list[float]) -> None:
            news = await here.news(since)
            heard.append(time.perf_counter())
            assert news.tokens == {name}

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen, head.number, name, heard)
            await anyio.wait_all_tasks_blocked()
            assert await there.close_row(name, ANSWERED, ENTRY)
            given = time.perf_counter()
        took.append(heard[0] - given)
    assert min(took) < 0.1  # the others may have met a machine that is busy with something else


async def test_listening_can_be_given_up(store: Store) -> None:
    with anyio.move_on_after(0.05) as scope:
        await store.news(0)
    assert scope.cancelled_caught
    await fill(store, row("a"))
    assert (await store.news(0)).tokens == {"a"}


# --- the ledger


async def test_each_change_is_one_line_and_they_form_a_chain(store: Store) -> None:
    await fill(store, row("a"), row("b"))
    await store.close_row("a", WITHDRAWN, ENTRY)
    await store.append(ENTRY)
    await store.mute("mail", ENTRY)
    await store.unmute("mail", ENTRY)
    await store.take("a")
    lines = await store.ledger(0, 99)
    assert len(lines) == 6
    assert verify(lines) == await store.head()
    assert await store.ledger(4, 1) == lines[4:5]


async def test_the_chain_holds_when_many_write_at_once(opener: Opener) -> None:
    stores = [await opener() for _ in range(3)]
    async with anyio.create_task_group() as tasks:
        for number in range(30):
            tasks.start_soon(fill, stores[number % 3], row(f"{number}"))
    head = verify(await stores[0].ledger(0, 99))
    assert isinstance(head, Head)
    assert head == await stores[1].head()
    assert head.number == 30


# --- muting, remembering, the key


async def test_rows_of_a_muted_server_are_refused_until_it_is_unmuted(store: Store) -> None:
    await store.mute("records", ENTRY)
    await store.mute("records", ENTRY)
    assert await store.muted() == {"records"}
    assert await store.add(row("a"), ENTRY, 9) == "muted"
    await fill(store, row("b", "mail"))
    await store.unmute("records", ENTRY)
    assert await store.muted() == frozenset()
    await fill(store, row("a"))


async def test_what_is_remembered_belongs_to_a_scope_and_a_key(store: Store) -> None:
    ours, theirs = Scope("records", "ann"), Scope("records", "bob")
    await store.remember(ours, "workspace", "1")
    await store.remember(ours, "workspace", "2")
    await store.remember(theirs, "workspace", "3")
    await store.remember(Scope("mail"), "sender", "4")
    assert await store.recall(ours, "workspace") == "2"
    assert await store.recall(Scope("recordsann"), "workspace") is None
    assert await store.remembered() == (
        (Scope("mail"), "sender"),
        (ours, "workspace"),
        (theirs, "workspace"),
    )
    assert await store.forget(ours, "workspace")
    assert not await store.forget(ours, "workspace")
    assert await store.recall(ours, "workspace") is None
    assert await store.recall(theirs, "workspace") == "3"


async def test_results_of_steps_are_kept_by_call_until_it_is_over(opener: Opener) -> None:
    here, there = await opener(), await opener()
    await here.keep_step("call", "charge", "1", 5.0)
    await here.keep_step("call", "charge", "2", 6.0)
    await here.keep_step("call", "mail", "3", 6.0)
    await here.keep_step("other", "charge", "4", 6.0)
    assert [await there.step("call", key) for key in ("charge", "mail", "none")] == ["2", "3", None]
    await there.forget_steps("call")
    assert [await here.step("call", key) for key in ("charge", "mail")] == [None, None]
    assert await here.step("other", "charge") == "4"
    assert await here.remembered() == ()
    assert (await here.head()).number == 0


async def test_results_of_steps_are_erased_when_nothing_else_is_left_of_their_call(store: Store) -> None:
    await fill(store, row("a", call="open"), row("b", call="answered"), row("c", call="used"))
    await store.close_row("b", ANSWERED, ENTRY)
    await store.close_row("c", ANSWERED, ENTRY)
    await store.take("c")
    for call in ("open", "answered", "used", "without"):
        await store.keep_step(call, "charge", "1", 2.0)
    await store.keep_step("new", "charge", "1", 4.0)
    assert await store.prune(4.0, 1) == 1
    assert await store.prune(4.0, 1) == 1
    assert await store.prune(4.0, 1) == 0
    left = [
        call for call in ("open", "answered", "used", "without", "new") if await store.step(call, "charge")
    ]
    assert left == ["open", "answered", "new"]
    assert await store.prune(9.0, 9) == 4  # two rows, and the steps of "answered" and "new"
    assert await store.step("open", "charge") == "1"


async def test_a_name_is_one_owners_until_they_let_go_of_it(opener: Opener) -> None:
    here, there = await opener(), await opener()
    assert await here.claim("call", "a")
    assert not await there.claim("call", "b")
    assert await there.claim("other", "b")
    assert await here.claim("call", "a")
    await here.release("call", "b")
    await there.release("call", "b")
    assert not await there.claim("call", "b")
    await here.release("call", "a")
    await here.release("call", "a")
    assert await there.claim("call", "b")
    assert not await here.claim("call", "a")
    assert (await here.head()).number == 0


async def test_of_many_who_want_a_name_one_has_it(opener: Opener) -> None:
    stores = [await opener() for _ in range(4)]
    given: list[bool] = []

    async def want(number: int) -> None:
        given.append(await stores[number % 4].claim("call", f"{number}"))

    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(want, number)
    assert given.count(True) == 1


async def test_all_who_share_the_rows_have_the_same_key(opener: Opener) -> None:
    keys: set[bytes] = set()

    async def ask(store: Store) -> None:
        keys.add(await store.key())

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(ask, await opener())
    ((length),) = {len(key) for key in keys}
    assert (len(keys), length) == (1, 32)


async def test_rows_stay_when_a_store_is_closed(opener: Opener) -> None:
    first, second = await opener(), await opener()
    await fill(first, row("a"))
    await first.close()
    assert names(await second.open_rows(1, None, None, 9)) == ["a"]
