"""The clock that counts work."""

import anyio
import pytest

from askfirst.cli.clock import WorkClock

pytestmark = pytest.mark.anyio


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_work_that_takes_too_long_is_cut_off() -> None:
    with WorkClock(0.001) as clock:
        await anyio.sleep_forever()
    assert clock.expired


async def test_work_within_its_time_is_left_alone() -> None:
    with WorkClock(1000) as clock:
        await anyio.lowlevel.checkpoint()
    assert not clock.expired


async def test_no_limit_is_no_limit() -> None:
    time = Time()
    with WorkClock(None, time) as clock:
        time.now += 1e9
        clock.phase(None)
        await anyio.lowlevel.checkpoint()
    assert not clock.expired


async def test_time_in_which_a_question_is_open_does_not_count() -> None:
    time = Time()
    with WorkClock(10, time) as clock:
        with clock.standing_still():
            time.now += 1000
            with clock.standing_still():
                time.now += 1000
            time.now += 1000
        await anyio.lowlevel.checkpoint()
    assert not clock.expired


async def test_time_between_questions_adds_up() -> None:
    time = Time()
    with WorkClock(10, time) as clock:
        for _ in range(3):
            time.now += 4
            with clock.standing_still():
                time.now += 1000
        await anyio.sleep_forever()
    assert clock.expired


async def test_a_phase_has_a_limit_of_its_own_and_the_whole_goes_on() -> None:
    time = Time()
    with WorkClock(10, time) as clock:
        clock.phase(0.001)
        await anyio.sleep_forever()
    assert clock.expired
    with WorkClock(10, time) as clock:
        clock.phase(8)
        time.now += 7
        clock.phase(None)
        time.now += 2
        clock.phase(None)
        await anyio.lowlevel.checkpoint()
        time.now += 2
        clock.phase(None)
        await anyio.sleep_forever()
    assert clock.expired
