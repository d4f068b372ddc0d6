"""What was asked, written down without the answers."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest

from askfirst.cli.transcript import Transcribed
from askfirst.core.answers import Accepted, Answer, Content, Declined
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode

pytestmark = pytest.mark.anyio

FORM = FormQuestion("How many?", Form())
ORIGIN = Origin("records")


class Person:
    """Answers as told, or never."""

    def __init__(self, says: Answer[Content] | NobodyAsked | None) -> None:
        self.says = says

    def reaches(self) -> frozenset[Mode]:
        return frozenset({Mode.FORM})

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        if self.says is None:
            await anyio.sleep_forever()
        if isinstance(self.says, NobodyAsked):
            raise self.says
        assert self.says is not None
        return self.says


class Pause:
    """Counts the questions that are open."""

    def __init__(self) -> None:
        self.open = 0

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


async def test_each_question_is_written_down_with_its_action() -> None:
    person = Person(Accepted({"secret": "hush"}))
    transcribed = Transcribed(person, ())
    assert transcribed.reaches() == {Mode.FORM}
    assert await transcribed.answer(FORM, ORIGIN, None) is person.says
    person.says = Declined()
    await transcribed.answer(UrlQuestion("Look", "https://example.com"), ORIGIN, None)
    rows = [{**one.as_json(), "seconds": 0} for one in transcribed.asked]
    assert rows == [
        {"message": "How many?", "mode": "form", "action": "accept", "seconds": 0},
        {"message": "Look", "mode": "url", "action": "decline", "seconds": 0},
    ]
    assert "hush" not in repr(transcribed.asked)


async def test_that_nobody_was_asked_is_no_action() -> None:
    transcribed = Transcribed(Person(NobodyAsked("no terminal")), ())
    with pytest.raises(NobodyAsked):
        await transcribed.answer(FORM, ORIGIN, None)
    (asked,) = transcribed.asked
    assert (asked.action, asked.reason, asked.as_json()["reason"]) == (None, "no terminal", "no terminal")


async def test_everything_stands_still_while_a_question_is_open() -> None:
    pause = Pause()
    transcribed = Transcribed(Person(None), (pause,))
    async with anyio.create_task_group() as group:
        group.start_soon(transcribed.answer, FORM, ORIGIN, None)
        group.start_soon(transcribed.answer, FORM, ORIGIN, None)
        await anyio.wait_all_tasks_blocked()
        assert pause.open == 2
        group.cancel_scope.cancel()
    assert pause.open == 0
    assert [one.reason for one in transcribed.asked] == [
        "the question was taken back before it was answered"
    ] * 2
