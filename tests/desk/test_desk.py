"""A question's life on the desk: laid out, answered once or withdrawn or expired, waited for, taken."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest

from askfirst.abandoned import clear, is_abandoned
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import Flooded, Muted, NobodyAsked, NotOnDesk, StoreFault
from askfirst.core.fields import Form, NumberField, TextField
from askfirst.core.ledger import Asked, Broken, Entry, Head
from askfirst.core.postings import Posting, Scope, Status
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion, digest
from askfirst.core.rows import Closing, Refusal, Row
from askfirst.desk import Desk, Settled
from askfirst.ports import Store
from askfirst.sealing import seal, unseal
from askfirst.stores.memory import MemoryStore
from askfirst.tokens import new_code, new_token

pytestmark = pytest.mark.anyio

QUESTION = FormQuestion(
    "How many rows?",
    Form((NumberField(name="rows", integer=True, required=True), TextField(name="why", pattern="^[a-z]+$"))),
)
RECORDS = Origin("records", "Records 2.0", "delete_rows")
FITTING: Accepted[Content] = Accepted({"rows": 3, "why": "stale"})
WORD = "hunter2-quite-unlikely"


async def post(desk: Desk, **more: Any) -> Posting:
    given: dict[str, Any] = {"question": QUESTION, "origin": RECORDS, "limit": 60.0, **more}
    return await desk.post(given.pop("question"), given.pop("origin"), **given)


async def waiting(desk: Desk, token: str, into: list[Answer[Content]]) -> None:
    into.append(await desk.wait(token))


async def lines(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in desk.ledger.lines()]


# --- posting


async def test_what_is_posted_is_found_as_it_was_asked(desk: Desk) -> None:
    posted = await post(desk, call="c1", asked_of="ann", arguments=[("table", "users")])
    assert await desk.find(posted.token) == posted
    assert (posted.posted, posted.expires, posted.status) == (1000, 1060, Status.OPEN)
    assert (posted.question, posted.origin, posted.digest) == (QUESTION, RECORDS, digest(QUESTION))
    assert (posted.call, posted.asked_of, posted.arguments) == ("c1", "ann", (("table", "users"),))


async def test_a_token_or_code_that_is_in_use_is_drawn_again(store: Store, clock: Any) -> None:
    tokens, codes = iter(["t1", "t1", "t2", "t3"]), iter(["AAAA", "BBBB", "AAAA", "CCCC"])
    desk = Desk(store, clock=clock, token=lambda: next(tokens), code=lambda: next(codes))
    assert [(one.token, one.code) for one in (await post(desk), await post(desk))] == [
        ("t1", "AAAA"),
        ("t3", "CCCC"),
    ]


async def test_a_desk_that_draws_only_codes_in_use_says_so(store: Store, clock: Any) -> None:
    desk = Desk(store, clock=clock, code=lambda: "AAAA")
    first = await post(desk)
    with anyio.fail_after(60), pytest.raises(NobodyAsked, match="no code for this question") as refused:
        await post(desk)
    assert (refused.value.message, refused.value.mode) == ("How many rows?", "form")
    assert await desk.open() == (first,)


def test_codes_are_short_and_tokens_long_and_neither_repeats() -> None:
    assert {len(new_code()) for _ in range(50)} == {4}
    assert not set("".join(new_code() for _ in range(200))) & set("01OIAEU")
    assert len({new_token() for _ in range(50)}) == 50
    assert len(new_token()) >= 43


async def test_a_server_that_floods_is_refused_and_told_why(desk: Desk) -> None:
    for _ in range(20):
        await post(desk)
    with pytest.raises(Flooded, match="records already has 20 open questions") as refused:
        await post(desk)
    assert (refused.value.message, refused.value.mode) == ("How many rows?", "form")
    await post(desk, origin=Origin("mail"))
    assert await desk.counts() == {"records": 20, "mail": 1}


async def test_a_muted_server_is_refused_and_what_is_open_stays(desk: Desk) -> None:
    open_one = await post(desk)
    await desk.mute("records")
    assert await desk.muted() == {"records"}
    with pytest.raises(Muted, match="muted records"):
        await post(desk)
    assert await desk.open() == (open_one,)
    await desk.unmute("records")
    await post(desk)


async def test_a_post_that_is_cancelled_leaves_no_open_question(clock: Any) -> None:
    class Slow(MemoryStore):
        async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
            refusal = await super().add(row, entry, most_open)
            group.cancel_scope.cancel()
            await anyio.lowlevel.checkpoint()
            return refusal

    desk = Desk(Slow(), clock=clock)
    async with anyio.create_task_group() as group:
        await post(desk)
    assert await desk.open() == ()
    assert [one.status for one in await desk.closed()] == [Status.WITHDRAWN]


# --- answering


@pytest.mark.parametrize("answer", [FITTING, Declined(), Cancelled()])
async def test_an_answer_reaches_all_who_wait_for_it(desk: Desk, answer: Answer[Content]) -> None:
    posted = await post(desk)
    got: list[Answer[Content]] = []
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(waiting, desk, posted.token, got)
        await anyio.wait_all_tasks_blocked()
        settled = await desk.answer(posted.token, posted.digest, answer)
    assert (settled.accepted, settled.why, settled.posting.status) == (True, "", Status.ANSWERED)
    assert got == [answer] * 3
    assert await desk.wait(posted.token) == answer


async def test_a_second_answer_is_told_so_and_changes_nothing(desk: Desk) -> None:
    posted = await post(desk)
    await desk.answer(posted.token, posted.digest, Declined())
    settled = await desk.answer(posted.token, posted.digest, FITTING)
    assert (settled.accepted, settled.why) == (False, "already answered")
    assert await desk.wait(posted.token) == Declined()


async def test_an_answer_after_the_limit_is_told_so(desk: Desk, clock: Any) -> None:
    posted = await post(desk)
    clock.now += 60
    settled = await desk.answer(posted.token, posted.digest, FITTING)
    assert (settled.accepted, settled.why, settled.posting.closed) == (False, "expired", 1060)
    assert await desk.wait(posted.token) == Cancelled(expired=True)


async def test_an_answer_at_the_last_moment_counts(desk: Desk, clock: Any) -> None:
    posted = await post(desk)
    clock.now += 59.999
    assert (await desk.answer(posted.token, posted.digest, FITTING)).accepted


async def test_the_limit_is_judged_when_the_answer_is_kept(store: Store) -> None:
    times = iter([0.0, 0.0, 59.0, 59.0, 60.0, 60.0, 60.0, 60.0])
    desk = Desk(store, clock=lambda: next(times))
    posted = await post(desk)
    assert (await desk.answer(posted.token, posted.digest, FITTING)).why == "expired"


async def test_an_answer_to_another_question_is_refused(desk: Desk) -> None:
    posted, other = await post(desk), await post(desk, question=FormQuestion("Sure?", Form()))
    settled = await desk.answer(posted.token, other.digest, Accepted({}))
    assert (settled.accepted, settled.why) == (False, "another question")
    assert await desk.find(posted.token) == posted


@pytest.mark.parametrize("by", [None, "bob"])
async def test_an_answer_of_another_person_is_refused(desk: Desk, by: str | None) -> None:
    posted = await post(desk, asked_of="ann")
    assert (await desk.answer(posted.token, posted.digest, FITTING, by=by)).why == "another person"
    assert (await desk.answer(posted.token, posted.digest, FITTING, by="ann")).accepted
    assert (await desk.answer(posted.token, posted.digest, FITTING, by=by)).why == "another person"


async def test_content_that_does_not_fit_is_refused_with_what_is_wrong(desk: Desk) -> None:
    posted = await post(desk)
    settled = await desk.answer(posted.token, posted.digest, Accepted({"rows": 2.5, "why": WORD}))
    assert (settled.accepted, settled.why) == (False, "does not fit")
    assert [(one.field, one.what) for one in settled.problems] == [("rows", "type"), ("why", "pattern")]
    assert WORD not in repr(settled)
    assert (await desk.answer(posted.token, posted.digest, FITTING)).accepted


async def test_content_is_kept_as_the_form_has_it(desk: Desk) -> None:
    posted = await post(desk)
    await desk.answer(posted.token, posted.digest, Accepted({"rows": 3.0, "extra": "no"}))
    answer = await desk.wait(posted.token)
    assert isinstance(answer, Accepted)
    assert json.dumps(answer.data) == '{"rows": 3}'


async def test_an_accepted_visit_has_no_content(desk: Desk) -> None:
    posted = await post(desk, question=UrlQuestion("Sign in", "https://example.org", "e1"))
    await desk.answer(posted.token, posted.digest, Accepted({"rows": 3}))
    assert await desk.wait(posted.token) == Accepted({})


async def test_nobody_can_say_that_a_question_expired(desk: Desk) -> None:
    posted = await post(desk)
    await desk.answer(posted.token, posted.digest, Cancelled(expired=True))
    assert await desk.wait(posted.token) == Cancelled()


async def test_what_is_not_on_the_desk_can_be_neither_answered_nor_waited_for(desk: Desk) -> None:
    with pytest.raises(NotOnDesk):
        await desk.answer("nothing", "", FITTING)
    with pytest.raises(NotOnDesk):
        await desk.wait("nothing")
    assert await desk.find("nothing") is None
    await desk.withdraw("nothing")
    await desk.take("nothing")


# --- withdrawing, expiring


async def test_a_withdrawn_question_ends_all_waiting(desk: Desk) -> None:
    posted = await post(desk)
    async with anyio.create_task_group() as tasks:

        async def wait() -> None:
            with pytest.raises(NobodyAsked, match="withdrawn") as ended:
                await desk.wait(posted.token)
            assert (ended.value.message, ended.value.mode) == ("How many rows?", "form")

        tasks.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        await desk.withdraw(posted.token)
    assert (await desk.answer(posted.token, posted.digest, FITTING)).why == "withdrawn"
    assert await desk.open() == ()


async def test_an_asker_who_is_gone_before_it_used_an_answer_leaves_none(desk: Desk, store: Store) -> None:
    posted = await post(desk, call="c1")
    await desk.answer(posted.token, posted.digest, FITTING)
    await desk.withdraw(posted.token)
    with pytest.raises(NotOnDesk, match="used already"):
        await desk.wait(posted.token)
    row = await store.row(posted.token)
    assert row is not None
    assert (row.status, row.content) == (Status.ANSWERED, None)
    assert await desk.of_call("c1") == ()


async def test_an_answer_that_comes_as_the_asker_goes_is_erased(clock: Any) -> None:
    class Answered(MemoryStore):
        async def close_row(self, token: str, closing: Closing, entry: Entry) -> bool:
            if closing.status is Status.WITHDRAWN:
                await super().close_row(token, Closing(Status.ANSWERED, 1.0, "accept", "{}"), entry)
            return await super().close_row(token, closing, entry)

    desk = Desk(Answered(), clock=clock)
    posted = await post(desk, call="c1")
    await desk.withdraw(posted.token)
    assert await desk.of_call("c1") == ()


async def test_where_a_question_may_have_been_kept_after_all_it_does_not_stay(clock: Any) -> None:
    class Faulty(MemoryStore):
        async def add(self, row: Row, entry: Entry, most_open: int) -> Refusal | None:
            await super().add(row, entry, most_open)
            raise StoreFault("the disk is full")

    desk = Desk(Faulty(), clock=clock)
    with pytest.raises(StoreFault, match="full"):
        await post(desk)
    assert await desk.open() == ()


# --- what a process leaves behind


async def test_what_a_process_held_that_is_gone_is_taken_off_the_desk_once(store: Store, clock: Any) -> None:
    gone, desk = Desk(store, clock=clock), Desk(store, clock=clock)
    answered, waiting = [await post(gone, call="c1", held=True) for _ in range(2)]
    await desk.answer(answered.token, answered.digest, FITTING)
    assert await clear(desk, "c1") == ()
    assert not await is_abandoned(desk, waiting)
    await gone_with_its_process(gone, answered, waiting)
    assert [await is_abandoned(desk, one) for one in (waiting, waiting, replace(waiting, held=False))] == [
        True,
        True,
        False,
    ]
    left = await clear(desk, "c1")
    assert [(one.token, one.status) for one in left] == [
        (answered.token, Status.ANSWERED),
        (waiting.token, Status.OPEN),
    ]
    assert await clear(desk, "c1") == ()
    assert await desk.open() == ()


async def gone_with_its_process(desk: Desk, *postings: Posting) -> None:
    for posting in postings:
        await desk.release(posting.token, desk._own)


async def test_what_a_process_that_lives_has_just_used_is_not_left_behind(clock: Any) -> None:
    class Watched(MemoryStore):
        async def rows_of_call(self, call: str) -> tuple[Row, ...]:
            rows = await super().rows_of_call(call)
            for row in rows:
                await living.take(row.token)
            return rows

    store = Watched()
    living, desk = Desk(store, clock=clock), Desk(store, clock=clock)
    posted = await post(living, call="c1", held=True)
    await living.answer(posted.token, posted.digest, FITTING)
    assert await clear(desk, "c1") == ()


async def test_a_question_that_ends_is_held_by_nobody(store: Store, clock: Any) -> None:
    desk = Desk(store, clock=clock)
    for end in (desk.take, desk.withdraw):
        posted = await post(desk, held=True)
        assert not await desk.claim(posted.token, "another")
        await end(posted.token)
        assert await desk.claim(posted.token, "another")
    drawn = iter(["here", "here", "there"])
    few = Desk(store, clock=clock, token=lambda: next(drawn))
    await store.claim("here", "another")
    assert (await post(few, held=True)).token == "there"
    await store.mute("records", Entry(at=1.0, event="muted", server="records"))
    with pytest.raises(Muted):
        await post(Desk(store, clock=clock, token=lambda: "mine"), held=True)
    assert await store.claim("mine", "another")


async def test_waiting_ends_when_the_time_is_over(desk: Desk, clock: Any) -> None:
    posted, got = await post(desk), list[Answer[Content]]()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(waiting, desk, posted.token, got)
        await anyio.wait_all_tasks_blocked()
        clock.now += 60  # the clock jumps; whoever waits looks at it again by themselves
    assert got == [Cancelled(expired=True)]


async def test_waiting_that_is_cancelled_withdraws_nothing(desk: Desk) -> None:
    posted = await post(desk)
    with anyio.move_on_after(0.01):
        await desk.wait(posted.token)
    assert await desk.find(posted.token) == posted


@pytest.mark.parametrize("looks", [Desk.open, Desk.counts, Desk.closed])
async def test_looking_at_the_desk_closes_what_is_overdue(
    desk: Desk, clock: Any, looks: Callable[[Desk], Any]
) -> None:
    posted = await post(desk)
    clock.now += 60
    await looks(desk)
    assert [line["event"] for line in await lines(desk)] == ["posted", "expired"]
    found = await desk.find(posted.token)
    assert found is not None
    assert (found.status, found.closed) == (Status.EXPIRED, 1060)


async def test_one_who_stops_waiting_hands_the_listening_over(desk: Desk) -> None:
    first, second = await post(desk), await post(desk)
    got: list[Answer[Content]] = []
    async with anyio.create_task_group() as tasks:
        for one in (first, second, second):
            tasks.start_soon(waiting, desk, one.token, got)
            await anyio.wait_all_tasks_blocked()
        await desk.answer(first.token, first.digest, Declined())
        await anyio.wait_all_tasks_blocked()
        await desk.answer(second.token, second.digest, Cancelled())
    assert got == [Declined(), Cancelled(), Cancelled()]


# --- taking, and what is told to whom


async def test_what_is_taken_is_erased_and_not_given_again(desk: Desk) -> None:
    posted = await post(desk, call="c1")
    await desk.answer(posted.token, posted.digest, FITTING)
    (of_call,) = await desk.of_call("c1")
    assert (of_call.token, of_call.answer) == (posted.token, Accepted({}))
    assert await desk.wait(posted.token) == FITTING
    await desk.take(posted.token)
    assert await desk.of_call("c1") == ()
    with pytest.raises(NotOnDesk, match="used already"):
        await desk.wait(posted.token)
    found = await desk.find(posted.token)
    assert found is not None
    assert found.answer == Accepted({})


async def test_a_call_finds_its_questions_in_every_state(desk: Desk, clock: Any) -> None:
    a, b, c, d = [await post(desk, call="c1", limit=limit) for limit in (60, 60, 60, 10)]
    await desk.answer(a.token, a.digest, Declined())
    await desk.withdraw(b.token)
    clock.now += 10
    found = await desk.of_call("c1")
    assert [one.token for one in found] == [a.token, b.token, c.token, d.token]
    assert [one.answer for one in found] == [Declined(), None, None, Cancelled(expired=True)]


async def test_lists_hold_no_content(desk: Desk) -> None:
    posted, other = await post(desk), await post(desk)
    settled = await desk.answer(posted.token, posted.digest, FITTING)
    await desk.withdraw(other.token)
    assert [one.token for one in await desk.closed()] == [other.token, posted.token]
    assert [one.answer for one in await desk.closed()] == [None, Accepted({})]
    assert settled.posting.answer == Accepted({})


async def test_open_questions_are_listed_oldest_first_in_pages(desk: Desk) -> None:
    all_of_them = [await post(desk, origin=Origin(f"s{number % 2}")) for number in range(5)]
    assert await desk.open() == tuple(all_of_them)
    assert await desk.open(limit=2, after=all_of_them[1].token) == tuple(all_of_them[2:4])
    assert await desk.open("s1") == tuple(all_of_them[1::2])


async def test_changes_are_told_as_they_happen(clock: Any) -> None:
    desk = Desk(MemoryStore(), clock=clock)
    posted, other = await post(desk), await post(desk)
    changes = desk.changes()

    async def after(step: Callable[[], Any]) -> dict[str, int]:
        """How many are open when the change that this makes is told."""
        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:

                async def act() -> None:
                    await anyio.wait_all_tasks_blocked()
                    done = step()
                    if done is not None:
                        await done

                tasks.start_soon(act)
                await anext(changes)
        return await desk.counts()

    assert await after(lambda: desk.answer(posted.token, posted.digest, FITTING)) == {"records": 1}
    assert await after(lambda: desk.mute("mail")) == {"records": 1}
    # Nobody does anything: time passes.
    assert await after(lambda: setattr(clock, "now", other.expires)) == {}
    await changes.aclose()


# --- secrets


async def test_a_secret_goes_to_who_waits_and_to_nobody_else(desk: Desk) -> None:
    question = FormQuestion("The key?", Form((TextField(name="key"),)))
    posted = await post(desk, question=question, secret=True, call="c1")
    settled = await desk.answer(posted.token, posted.digest, Accepted({"key": WORD}))
    found = await desk.find(posted.token)
    assert found is not None
    assert found.answer == Accepted({})
    assert settled.posting.answer == Accepted({})
    assert await desk.wait(posted.token) == Accepted({"key": WORD})
    assert [one.answer for one in await desk.of_call("c1")] == [Accepted({})]
    assert WORD not in repr((settled, found, await desk.of_call("c1"), await desk.wait(posted.token)))
    assert WORD not in "".join([line async for line in desk.ledger.lines()])


async def test_a_secret_is_kept_sealed(desk: Desk, store: Store) -> None:
    posted = await post(desk, question=FormQuestion("?", Form((TextField(name="key"),))), secret=True)
    await desk.answer(posted.token, posted.digest, Accepted({"key": WORD}))
    kept = await store.row(posted.token)
    assert kept is not None
    assert kept.content is not None
    assert WORD not in kept.content
    assert "key" not in kept.content


def test_a_seal_opens_with_its_own_key_and_token_alone() -> None:
    key = bytes(32)
    sealed = seal(key, WORD, "token")
    assert unseal(key, sealed, "token") == WORD
    assert sealed != seal(key, WORD, "token")
    for other_key, other_token in ((b"1" * 32, "token"), (key, "tokem")):
        with pytest.raises(StoreFault, match="can't be opened") as fault:
            unseal(other_key, sealed, other_token)
        assert WORD not in str(fault.value)


# --- remembering


async def test_an_answer_is_remembered_by_scope_and_key_until_it_is_forgotten(desk: Desk) -> None:
    scope = Scope("records", "ann")
    assert await desk.recall(scope, "workspace") is None
    await desk.remember(scope, "workspace", {"name": "reports", "public": False})
    assert await desk.recall(scope, "workspace") == {"name": "reports", "public": False}
    assert await desk.remembered() == ((scope, "workspace"),)
    assert await desk.forget(scope, "workspace")
    assert not await desk.forget(scope, "workspace")


# --- the ledger


async def test_the_ledger_tells_who_asked_and_what_came_of_it_and_no_value(desk: Desk, clock: Any) -> None:
    posted = await post(desk, arguments=[("table", WORD)], asked_of="ann")
    clock.now += 5
    await desk.answer(posted.token, posted.digest, Accepted({"rows": 3, "why": "unlikely"}), by="ann")
    asked, answered = await lines(desk)
    for line in (asked, answered):
        assert (line["server"], line["tool"], line["route"]) == ("records", "delete_rows", "desk")
        assert (line["shown"], line["code"]) == (posted.digest, posted.code)
        assert len(line["arguments"]) == len(line["question"]) == 32
    assert asked["question"] == answered["question"]
    assert (asked["event"], asked["at"], asked["outcome"]) == ("posted", 1000, "")
    assert (answered["event"], answered["at"], answered["outcome"]) == ("answered", 1005, "accept")
    assert answered["by"] == "ann"
    whole = json.dumps([asked, answered])
    assert not any(word in whole for word in (WORD, "unlikely", posted.token))


async def test_the_ledger_of_the_desk_is_verified(desk: Desk) -> None:
    for _ in range(3):
        await desk.withdraw((await post(desk)).token)
    carried = Asked(Origin("mail", tool="send"), (), "ada", "push", "token", "digest")
    await desk.ledger.note(carried, "answered", "accept")
    head = await desk.ledger.verify()
    assert isinstance(head, Head)
    assert head.number == 7
    await desk.withdraw((await post(desk)).token)
    later = await desk.ledger.verify(head.hash)
    assert later == await desk.ledger.verify()
    assert isinstance(await desk.ledger.verify("0" * 63 + "1"), Broken)


async def test_what_is_added_while_it_is_verified_is_left_for_the_next_time(clock: Any) -> None:
    class Busy(MemoryStore):
        async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
            await self.append(Entry(at=1.0, event="posted", server="mail"))
            return await super().ledger(after, limit)

    desk = Desk(Busy(), clock=clock)
    await post(desk)
    head = await desk.ledger.verify()
    assert isinstance(head, Head)
    assert head.number == 1


async def test_lines_that_are_missing_at_the_end_show(clock: Any) -> None:
    class Short(MemoryStore):
        async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
            return (await super().ledger(0, 99))[:-1][after:]

    desk = Desk(Short(), clock=clock)
    await post(desk)
    await post(desk)
    assert await desk.ledger.verify() == Broken(2, "the end is not what was noted: lines are missing")


async def test_a_line_that_is_missing_in_between_shows(clock: Any) -> None:
    class Holed(MemoryStore):
        async def ledger(self, after: int, limit: int) -> tuple[str, ...]:
            whole = await super().ledger(0, 99)
            return (whole[:1] + whole[2:])[after:]

    desk = Desk(Holed(), clock=clock)
    for _ in range(3):
        await post(desk)
    broken = await desk.ledger.verify()
    assert isinstance(broken, Broken)
    assert broken.number == 2


def test_a_settled_answer_prints_no_content() -> None:
    posting = Posting(
        "t", "AAAA", QUESTION, "d", RECORDS, 1.0, 2.0, (("table", WORD),), answer=Accepted({"why": WORD})
    )
    assert WORD not in repr(Settled(True, posting))
    assert "'t'" not in repr(posting)
