"""Questions laid on a desk by a host: told, waited for, taken back. What it shares with others is in the contract."""

import anyio
import pytest

from askfirst.abandoned import is_abandoned
from askfirst.client.inbox import Inbox
from askfirst.core.answers import Accepted, Cancelled
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form, TextField
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore

pytestmark = pytest.mark.anyio

QUESTION = FormQuestion("Name?", Form((TextField(name="name"),)))
ORIGIN = Origin("mine")


async def test_the_person_is_told_where_the_question_is_and_its_content_is_erased_once_used() -> None:
    desk = Desk(MemoryStore())
    told: list[Posting] = []

    async with anyio.create_task_group() as tasks:

        def tell(posting: Posting) -> None:
            told.append(posting)
            tasks.start_soon(desk.answer, posting.token, posting.digest, Accepted({"name": "Ada"}))

        answer = await Inbox(desk, tell=tell).answer(QUESTION, ORIGIN, None)
    assert answer == Accepted({"name": "Ada"})
    found = await desk.find(told[0].token)
    assert found is not None
    assert found.answer == Accepted({})


async def test_nobody_is_reached_while_nobody_sees_the_desk() -> None:
    assert Inbox(Desk(MemoryStore()), tell=lambda _: None, attended=lambda: False).reaches() == frozenset()


async def test_its_own_patience_ends_before_the_askers() -> None:
    inbox = Inbox(Desk(MemoryStore()), tell=lambda _: None, patience=0.05)
    assert await inbox.answer(QUESTION, ORIGIN, 3600) == Cancelled(expired=True)


async def test_a_server_that_the_person_muted_is_told_that_nobody_was_asked() -> None:
    desk = Desk(MemoryStore())
    await desk.mute("mine")
    with pytest.raises(NobodyAsked, match="muted"):
        await Inbox(desk, tell=lambda _: None).answer(QUESTION, ORIGIN, None)


async def test_a_question_that_nobody_could_be_told_of_does_not_stay() -> None:
    desk = Desk(MemoryStore())

    def tell(_: Posting) -> None:
        raise OSError("no terminal")

    with pytest.raises(OSError, match="no terminal"):
        await Inbox(desk, tell=tell).answer(QUESTION, ORIGIN, None)
    assert [one.status for one in await desk.closed()] == [Status.WITHDRAWN]


async def test_what_the_call_is_made_with_is_shown_with_its_question() -> None:
    desk, told, call = Desk(MemoryStore()), list[Posting](), {"table": "users"}

    async with anyio.create_task_group() as tasks:

        def tell(posting: Posting) -> None:
            told.append(posting)
            tasks.start_soon(desk.answer, posting.token, posting.digest, Accepted({}))

        inbox = Inbox(desk, tell=tell, arguments=lambda: call)
        await inbox.answer(QUESTION, ORIGIN, None)
        call = {"days": 90}
        await inbox.answer(QUESTION, ORIGIN, None)
    assert [one.arguments for one in told] == [(("table", "users"),), (("days", "90"),)]


async def test_an_answer_whose_asker_is_cancelled_before_it_is_used_is_erased() -> None:
    class Slow(MemoryStore):
        takes = 0

        async def take(self, token: str) -> None:
            self.takes += 1
            if self.takes == 1:
                asking.cancel()
                await anyio.sleep_forever()
            await super().take(token)

    store = Slow()
    desk = Desk(store)
    told: list[Posting] = []
    async with anyio.create_task_group() as tasks:

        def tell(posting: Posting) -> None:
            told.append(posting)
            tasks.start_soon(desk.answer, posting.token, posting.digest, Accepted({"name": "Ada"}))

        with anyio.CancelScope() as asking:
            await Inbox(desk, tell=tell).answer(QUESTION, ORIGIN, None)
    row = await store.row(told[0].token)
    assert row is not None
    assert (row.status, row.content) == (Status.ANSWERED, None)


async def test_a_question_whose_host_is_gone_is_known_to_be_abandoned() -> None:
    store = MemoryStore()
    desk, other = Desk(store), Desk(store)
    seen: list[bool] = []

    async def look(posting: Posting) -> None:
        seen.append(await is_abandoned(other, posting))
        await desk.release(posting.token, desk._own)  # as when its process ends
        seen.append(await is_abandoned(other, posting))
        await desk.withdraw(posting.token)

    async with anyio.create_task_group() as tasks:
        with pytest.raises(NobodyAsked, match="withdrawn"):
            await Inbox(desk, tell=lambda posting: tasks.start_soon(look, posting)).answer(
                QUESTION, ORIGIN, None
            )
    assert seen == [False, True]
