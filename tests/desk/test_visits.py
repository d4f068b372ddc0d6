"""Who hears of the end of a visit, and who does not: the desk's side of "I have finished"."""

from typing import Any

import pytest

from askfirst.core.answers import Accepted, Declined
from askfirst.core.errors import Muted, NotOnDesk
from askfirst.core.fields import Form
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion
from askfirst.desk import Desk
from askfirst.visits import finish, follow_up, waits

pytestmark = pytest.mark.anyio

VISIT = UrlQuestion("Sign in.", "https://accounts.example.org/login", awaited=True)
ASKED = Origin("bank")


async def agreed(desk: Desk, visit: UrlQuestion = VISIT, **more: Any) -> Posting:
    posting = await desk.post(visit, ASKED, limit=60, **{"call": "c1", **more})
    assert (await desk.answer(posting.token, posting.digest, Accepted({}))).accepted
    found = await desk.find(posting.token)
    assert found is not None
    return found


async def is_deaf(desk: Desk, posting: Posting) -> bool:
    heard = await waits(desk, posting)
    if heard:
        return False
    with pytest.raises(NotOnDesk):
        await finish(desk, posting)
    return True


async def test_who_asks_for_it_now_is_told_at_once(desk: Desk) -> None:
    posting = await agreed(desk, UrlQuestion(VISIT.message, VISIT.url))
    asked = await desk.post(follow_up(VISIT), ASKED, limit=60, call="c1")
    assert await finish(desk, posting)
    assert await desk.wait(asked.token) == Accepted({})
    assert await is_deaf(desk, posting)


async def test_who_asks_for_it_later_finds_it_answered(desk: Desk) -> None:
    posting = await agreed(desk)
    assert await waits(desk, posting)
    assert not await finish(desk, posting)
    _, noted = await desk.of_call("c1")
    assert (noted.question, noted.answer) == (follow_up(VISIT), Accepted({}))
    assert await is_deaf(desk, posting)


async def test_nobody_hears_of_a_visit_whose_asker_does_not_wait_or_is_over(desk: Desk) -> None:
    assert await is_deaf(desk, await agreed(desk, UrlQuestion(VISIT.message, VISIT.url)))
    assert await is_deaf(desk, await agreed(desk, call=""))
    used = await agreed(desk, call="c2")
    await desk.take(used.token)
    assert await is_deaf(desk, used)
    declined = await desk.post(VISIT, ASKED, limit=60, call="c3")
    await desk.answer(declined.token, declined.digest, Declined())
    assert await is_deaf(desk, declined)
    form = await desk.post(FormQuestion("Well?", Form()), ASKED, limit=60, call="c3")
    assert await is_deaf(desk, form)


async def test_a_call_that_is_held_hears_of_it_only_while_it_asks(desk: Desk) -> None:
    assert await is_deaf(desk, await agreed(desk, held=True))


async def test_a_call_that_knows_of_the_end_by_itself_is_not_told(desk: Desk) -> None:
    posting = await agreed(desk)
    asked = await desk.post(follow_up(VISIT), ASKED, limit=60, call="c1")
    await desk.withdraw(asked.token)
    assert await is_deaf(desk, posting)


async def test_an_end_that_nobody_told_in_time_can_still_be_told(desk: Desk, clock: Any) -> None:
    posting = await agreed(desk)
    await desk.post(follow_up(VISIT), ASKED, limit=60, call="c1")
    clock.now += 60
    assert not await finish(desk, posting)
    assert await is_deaf(desk, posting)


async def test_what_a_muted_server_would_be_told_can_not_be_noted(desk: Desk) -> None:
    posting = await agreed(desk)
    await desk.mute("bank")
    with pytest.raises(Muted):
        await finish(desk, posting)
    assert await waits(desk, posting)
