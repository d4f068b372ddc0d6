"""One question at a time on one terminal, and the others counted."""

import gc
from weakref import ref

import anyio
import pytest

from askfirst.client.turns import Situation, Turns

pytestmark = pytest.mark.anyio


async def test_only_one_has_its_turn_and_the_others_are_counted() -> None:
    turns = Turns()
    waiting: list[int] = []

    async def take() -> None:
        async with turns.turn():
            await anyio.wait_all_tasks_blocked()
            waiting.append(turns.waiting)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(take)
    assert waiting == [2, 1, 0]


async def test_one_who_gives_up_waiting_is_counted_no_more() -> None:
    turns = Turns()

    async def take() -> None:
        async with turns.turn():
            pytest.fail("two had their turn")

    async with turns.turn(), anyio.create_task_group() as tasks:
        tasks.start_soon(take)
        await anyio.wait_all_tasks_blocked()
        assert turns.waiting == 1
        tasks.cancel_scope.cancel()
    assert turns.waiting == 0
    async with turns.turn():
        pass


def test_the_same_device_has_one_queue_as_long_as_anybody_uses_it() -> None:
    first = Turns.at("/dev/one")
    assert Turns.at("/dev/one") is first
    assert Turns.at("/dev/two") is not first
    first.waiting = 7
    del first
    gc.collect()
    assert Turns.at("/dev/one").waiting == 0


@pytest.mark.parametrize(
    ("end", "waiting", "status"),
    [
        (None, 0, ""),
        (130.0, 0, "30 s left"),
        (None, 1, "1 more question waits"),
        (130.0, 2, "30 s left, 2 more questions wait"),
    ],
)
def test_the_status_is_the_time_left_and_who_waits(end: float | None, waiting: int, status: str) -> None:
    turns = Turns()
    turns.waiting = waiting
    assert Situation(ref(turns), end).status(100.0) == status


def test_a_question_that_goes_away_unanswered_says_why() -> None:
    assert Situation(ref(Turns()), 5.0).closed(5.0) == "Time is up: the question was closed."
    for end in (6.0, None):
        assert Situation(ref(Turns()), end).closed(5.0) == "The question was withdrawn."


def test_a_form_that_was_left_does_not_keep_its_queue() -> None:
    turns = Turns()
    situation = Situation(ref(turns), None)
    turns.waiting = 1
    assert situation.status(0.0) != ""
    del turns
    assert situation.status(0.0) == ""
