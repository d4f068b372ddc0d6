"""A chain: the next one is asked when one can't, and never to overrule what a person said."""

import anyio
import pytest

from askfirst.client.chain import Chain
from askfirst.client.prepared import Prepared
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode

pytestmark = pytest.mark.anyio

ORIGIN = Origin("mine")
ASKED = FormQuestion("Delete?", Form())


class Silent:
    """Shows the question to somebody who does nothing; closes it at its limit, or never by itself."""

    def __init__(self, *, obeys: bool = True, modes: frozenset[Mode] = frozenset(Mode)) -> None:
        self.obeys = obeys
        self.modes = modes
        self.limits: list[float | None] = []

    def reaches(self) -> frozenset[Mode]:
        return self.modes

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        self.limits.append(limit)
        with anyio.move_on_after(limit if self.obeys else None):
            await anyio.sleep_forever()
        return Cancelled(expired=True)


def saying(answer: Answer[Content]) -> Prepared:
    return Prepared([answer])


@pytest.mark.parametrize("said", [Accepted({}), Declined(), Cancelled()])
async def test_what_a_person_said_ends_the_chain(said: Answer[Content]) -> None:
    never = Silent()
    assert await Chain([(saying(said), None), (never, None)]).answer(ASKED, ORIGIN, None) == said
    assert never.limits == []


async def test_the_next_one_is_asked_when_one_reaches_nobody() -> None:
    chain = Chain([(Prepared([]), None), (saying(Declined()), None)])
    assert await chain.answer(ASKED, ORIGIN, None) == Declined()


async def test_the_next_one_is_asked_when_a_deadline_passes() -> None:
    chain = Chain([(Silent(), 0.01), (saying(Accepted({})), None)])
    assert await chain.answer(ASKED, ORIGIN, None) == Accepted({})


async def test_one_that_ignores_its_deadline_is_stopped() -> None:
    chain = Chain([(Silent(obeys=False), 0.01), (saying(Declined()), None)])
    with anyio.fail_after(60):
        assert await chain.answer(ASKED, ORIGIN, None) == Declined()


async def test_a_mode_one_cannot_do_goes_to_the_next() -> None:
    visit = UrlQuestion("Sign in", "https://example.org")
    form_only = Silent(modes=frozenset({Mode.FORM}))
    assert await Chain([(form_only, None), (saying(Accepted({})), None)]).answer(
        visit, ORIGIN, None
    ) == Accepted({})
    assert form_only.limits == []


async def test_when_all_deadlines_pass_the_question_has_expired() -> None:
    chain = Chain([(Silent(), 0.01), (Prepared([]), None)])
    assert await chain.answer(ASKED, ORIGIN, None) == Cancelled(expired=True)


async def test_the_asker_s_limit_ends_it_even_before_the_others_were_asked() -> None:
    never = Silent()
    chain = Chain([(Silent(), 60), (never, None)])
    assert await chain.answer(ASKED, ORIGIN, 0.01) == Cancelled(expired=True)
    assert never.limits == []


async def test_each_is_told_the_time_that_is_left_to_it() -> None:
    first, second = Silent(), Silent()
    await Chain([(first, 0.01), (second, 0.02)]).answer(ASKED, ORIGIN, 3600)
    assert (first.limits, second.limits) == ([0.01], [0.02])


async def test_when_nobody_can_be_asked_each_reason_is_told() -> None:
    chain = Chain([(Prepared([]), None), (Silent(modes=frozenset({Mode.URL})), None)])
    with pytest.raises(
        NobodyAsked, match=r"Prepared: reaches nobody for a form question; Silent: reaches nobody"
    ):
        await chain.answer(ASKED, ORIGIN, None)


async def test_the_reason_of_one_that_tried_is_told() -> None:
    used = Prepared([Declined()])
    await used.answer(ASKED, ORIGIN, None)
    with pytest.raises(NobodyAsked, match="Prepared: the question 'Delete\\?' came after all 1 prepared"):
        await Chain([(used, None)]).answer(ASKED, ORIGIN, None)


def test_it_reaches_what_any_of_them_reaches() -> None:
    form, url = Silent(modes=frozenset({Mode.FORM})), Silent(modes=frozenset({Mode.URL}))
    assert Chain([(form, None), (url, None)]).reaches() == frozenset(Mode)
    assert Chain([(Prepared([]), None)]).reaches() == frozenset()


def test_a_chain_of_nobody_and_a_deadline_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one answerer"):
        Chain([])
    for seconds in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="answerer 1: expected a deadline above 0"):
            Chain([(Silent(), seconds)])
