"""Answers given in advance: in order, once each, and only where they fit."""

import pytest

from askfirst.client.prepared import Prepared
from askfirst.core.answers import Accepted, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form, NumberField
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion
from askfirst.core.revisions import Mode

pytestmark = pytest.mark.anyio

ORIGIN = Origin("mine")
HOW_MANY = FormQuestion("How many?", Form((NumberField(name="count", integer=True, required=True),)))
VISIT = UrlQuestion("Sign in", "https://example.org")


async def test_they_are_given_in_their_order_and_only_once() -> None:
    prepared = Prepared([Accepted({"count": 1}), Declined()])
    assert await prepared.answer(HOW_MANY, ORIGIN, None) == Accepted({"count": 1})
    assert await prepared.answer(HOW_MANY, ORIGIN, None) == Declined()
    with pytest.raises(NobodyAsked, match="'How many\\?' came after all 2 prepared answers"):
        await prepared.answer(HOW_MANY, ORIGIN, None)


async def test_one_that_does_not_fit_is_no_answer_and_its_value_is_not_told() -> None:
    with pytest.raises(
        NobodyAsked, match="prepared answer 1 does not fit the question 'How many\\?': count: expected"
    ) as nobody:
        await Prepared([Accepted({"count": "hunter2"})]).answer(HOW_MANY, ORIGIN, None)
    assert "hunter2" not in str(nobody.value)


async def test_a_field_that_was_not_asked_for_is_not_left_out_in_silence() -> None:
    with pytest.raises(NobodyAsked, match=r"cuont: expected one of the fields asked for \(count\)"):
        await Prepared([Accepted({"count": 1, "cuont": 2})]).answer(HOW_MANY, ORIGIN, None)
    with pytest.raises(NobodyAsked, match="count: expected no field, for none is asked for"):
        await Prepared([Accepted({"count": 1})]).answer(FormQuestion("Sure?", Form(())), ORIGIN, None)


async def test_content_is_no_consent_to_a_visit() -> None:
    with pytest.raises(NobodyAsked, match="address to visit"):
        await Prepared([Accepted({"count": 1})]).answer(VISIT, ORIGIN, None)


async def test_the_abilities_stay_while_the_last_answer_travels() -> None:
    prepared = Prepared([Declined()])
    await prepared.answer(HOW_MANY, ORIGIN, None)
    assert prepared.reaches() == frozenset(Mode)


def test_without_answers_nobody_is_reached() -> None:
    assert Prepared([]).reaches() == frozenset()
