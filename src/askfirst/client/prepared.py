"""Answers given in advance, used up in order: what `--answer`, `--decline` and `--cancel` mean."""

from collections.abc import Iterable
from typing import assert_never

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.checking import check
from askfirst.core.errors import InvalidAnswer, NobodyAsked, Problem
from askfirst.core.fields import Form
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode

from .presenting import quoted, unfit

__all__ = ["Prepared", "only_what_is_asked"]


class Prepared:
    """An answerer that has its answers already; each is given once, to the question that comes next."""

    def __init__(self, answers: Iterable[Answer[Content]]) -> None:
        """Answers in the order of the questions they are for."""
        self._left = list(answers)
        self._given = 0
        self._reaches = frozenset(Mode) if self._left else frozenset[Mode]()

    def reaches(self) -> frozenset[Mode]:
        """Both modes, where there were answers at all: whoever wrote them down has decided beforehand.

        It stays so after the last one: the request that carries an answer back must not say that nobody could
        have given it.
        """
        return self._reaches

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """The next answer; see `Answerer.answer`. It never waits, so `limit` does not matter.

        Raises:
            NobodyAsked: They are used up, or the next one does not fit this question (it is used up too).
        """
        if not self._left:
            raise NobodyAsked(
                f"the question {quoted(question)} came after all {self._given} prepared answers were used"
            )
        self._given += 1
        answer = self._left.pop(0)
        match answer:
            case Accepted(data):
                return Accepted(_fitting(f"prepared answer {self._given}", data, question))
            case Declined() | Cancelled():
                return answer
            case _:
                assert_never(answer)


def _fitting(place: str, content: Content, question: Question) -> Content:
    match question:
        case FormQuestion(form=form):
            try:
                only_what_is_asked(form, content)
                return check(form, content)
            except InvalidAnswer as invalid:
                wrong = "; ".join(unfit(invalid.problems, form))
                reason = f"{place} does not fit the question {quoted(question)}: {wrong}"
                raise NobodyAsked(reason) from None
        case UrlQuestion():
            if content:
                raise NobodyAsked(f"{place} has content, but this question is an address to visit")
            return {}
        case _:
            assert_never(question)


def only_what_is_asked(form: Form, content: Content) -> None:
    """Refuse more than the form asks for: a misspelt field would be left out in silence, a default in its place.

    Raises:
        InvalidAnswer: There is more, with each name as a problem.
    """
    names = [one.name for one in form.fields]
    asked = (
        f"one of the fields asked for ({', '.join(names)})" if names else "no field, for none is asked for"
    )
    strangers = [Problem(name, "unknown", asked, "another name") for name in content if name not in names]
    if strangers:
        raise InvalidAnswer("this content has fields that were not asked for", strangers)
