"""What every answerer promises, whoever is behind it: a person at a terminal or a page, or a decision taken before."""

from collections.abc import Callable, Iterator

import anyio
import anyio.lowlevel
import pytest

from askfirst.client.chain import Chain
from askfirst.client.inbox import Inbox
from askfirst.client.policy import Policy
from askfirst.client.prepared import Prepared
from askfirst.client.terminal import Terminal
from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.checking import check
from askfirst.core.entry import show_value
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.ports import Answerer
from askfirst.stores.memory import MemoryStore
from askfirst.web.entries import Entries, box, laid_out
from person import Person
from visiting import visiting

pytestmark = pytest.mark.anyio

ORIGIN = Origin("records-admin", claimed="Records", tool="delete")
CHOICES = (Choice("a", "Apple"), Choice("b", "Birne"), Choice("c", "Cassis"))
EVERY_KIND = FormQuestion(
    "Fill in everything",
    Form(
        (
            TextField(name="text", required=True),
            NumberField(name="number", required=True),
            NumberField(name="whole", integer=True, required=True),
            FlagField(name="flag", required=True),
            ChoiceField(name="one", choices=CHOICES, required=True),
            ChoicesField(name="many", choices=CHOICES, required=True),
            TextField(name="mail", format="email", required=True),
            TextField(name="day", format="date", required=True),
            TextField(name="moment", format="date-time", required=True),
            TextField(name="link", format="uri", required=True),
        )
    ),
)
EVERY_VALUE: Content = {
    "text": "Straße 7, l'été",
    "number": -1.5,
    "whole": 12,
    "flag": False,
    "one": "b",
    "many": ["a", "c"],
    "mail": "ada@example.org",
    "day": "2028-02-29",
    "moment": "2026-12-31T18:00:00+01:00",
    "link": "https://example.org/a?b=c",
}
DEFAULTS = FormQuestion(
    "Leave all as it is",
    Form(
        (
            TextField(name="empty", default=""),
            NumberField(name="zero", default=0, integer=True),
            FlagField(name="no", default=False),
            ChoicesField(name="none", choices=CHOICES, default=()),
            TextField(name="untouched"),
            FlagField(name="unchosen"),
        )
    ),
)
DEFAULT_VALUES: Content = {"empty": "", "zero": 0, "no": False, "none": []}
PLAIN_YES_OR_NO = FormQuestion("Delete 4,000 rows?", Form())
VISIT = UrlQuestion("Sign in", "https://example.org/login")


class Party:
    """An answerer together with whoever is behind it, told what to say."""

    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        """The answerer, behind which these answers will be given in their order."""
        raise NotImplementedError

    async def act(self, question: Question, wanted: Answer[Content]) -> None:
        """Say it, where saying takes a person."""

    async def sees(self, question: Question) -> None:
        """Wait until the question is before the person's eyes."""

    async def sees_it_go(self) -> None:
        """Wait until the question is gone, and check that the terminal is as it was."""


class AtATerminal(Party):
    def __init__(self, person: Person) -> None:
        self.person = person

    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        return Terminal(
            plain=self.plain, device=self.person.device, opener=lambda _: True, environ={"TERM": "xterm"}
        )

    plain: bool

    async def sees_it_go(self) -> None:
        await self.person.sees("The question was withdrawn.")
        assert self.person.is_cooked
        assert self.person.echoes


class InLines(AtATerminal):
    plain = True

    async def sees(self, question: Question) -> None:
        await self.person.sees(question.message)

    async def act(self, question: Question, wanted: Answer[Content]) -> None:
        person = self.person
        await self.sees(question)
        if not isinstance(wanted, Accepted):
            await person.sees(": " if isinstance(question, FormQuestion) and question.form.fields else "? ")
            person.types(f"/{wanted.action}\n")
            return
        if isinstance(question, UrlQuestion):
            await person.sees("? ")
            person.types("open\n")
            return
        for number, field in enumerate(question.form.fields, start=1):
            await person.sees(f"[{number}/")
            await person.sees(f"{field.name}: ")
            value = wanted.data.get(field.name)
            person.types(f"{'' if value is None or question is DEFAULTS else self._typed(value)}\n")
        if not question.form.fields:
            await person.sees("? ")
            person.types("accept\n")
        await person.sees("send, ")
        person.types("send\n")

    def _typed(self, value: object) -> str:
        match value:
            case bool():
                return "yes" if value else "no"
            case list():
                return ", ".join(value)
            case _:
                return str(value)


class InAForm(AtATerminal):
    plain = False
    overtaken = False

    async def sees_it_go(self) -> None:
        await super().sees_it_go()
        self.overtaken = True

    async def sees(self, question: Question) -> None:
        await self.person.sees(question.message)
        if self.overtaken:
            await self.person.shows("Ctrl-N go on")
            self.person.types("\x0e")
            await self.person.shows("Esc cancel")
            self.overtaken = False
        else:
            await self.person.sees("Esc cancel")

    async def act(self, question: Question, wanted: Answer[Content]) -> None:
        await self.sees(question)
        match wanted:
            case Declined():
                self.person.types("\x1b[19~")  # F8
            case Cancelled():
                self.person.types("\x1b")
            case Accepted(data):
                if isinstance(question, FormQuestion) and question is not DEFAULTS:
                    self._fill(question.form, data)
                self.person.types("\x1bOQ")  # F2
                if isinstance(question, FormQuestion) and not question.form.fields:
                    await self.person.sees("Send: Accept")
                    self.person.types("\x1bOQ")

    def _fill(self, form: Form, content: Content) -> None:
        for field in form.fields:
            value = content.get(field.name)
            match field:
                case TextField() | NumberField():
                    self.person.types("" if value is None else str(value))
                case FlagField():
                    self.person.types("y" if value is True else "n")
                case ChoiceField() | ChoicesField():
                    for choice in field.choices:
                        chosen = choice.value in value if isinstance(value, list) else choice.value == value
                        self.person.types(f"{' ' if chosen else ''}\x1b[B")
            self.person.types("\t")


class AtADesk(Party):
    """Somebody who reads the desk's pages and posts their forms."""

    def __init__(self) -> None:
        self.desk = Desk(MemoryStore())

    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        return Inbox(self.desk, tell=lambda _: None)

    async def act(self, question: Question, wanted: Answer[Content]) -> None:
        posting = await self._posted(question)
        async with visiting(desk=self.desk) as visitor:
            await visitor.enter(posting)
            if not isinstance(wanted, Accepted):
                await visitor.answer(posting, wanted.action)
                return
            entries: Entries = {}
            if isinstance(question, FormQuestion):
                given = question is not DEFAULTS
                entries = self._filled(question.form, wanted.data) if given else laid_out(question.form)
            page = await visitor.get(f"/q/{posting.token}")
            if "on one page" in page.text:
                page = await visitor.press(page, "all")
            page = await visitor.press(page, "send", **entries)
            if "Check before you send" in page.text:
                await visitor.press(page, "confirm")

    def _filled(self, form: Form, content: Content) -> Entries:
        entries: dict[str, tuple[str, ...]] = {}
        for index, field in enumerate(form.fields):
            value = content[field.name]
            match field:
                case TextField(format="date-time"):
                    entries[f"f{index}t"], entries[f"f{index}z"] = (str(value)[11:19],), (str(value)[19:],)
                    entries[box(index)] = (str(value)[:10],)
                case ChoiceField() | ChoicesField():
                    chosen = value if isinstance(value, list) else [value]
                    codes = [choice.value for choice in field.choices]
                    entries[box(index)] = tuple(str(codes.index(str(one))) for one in chosen)
                case _:
                    entries[box(index)] = (show_value(field, value),)
        return entries

    async def sees(self, question: Question) -> None:
        await self._posted(question)

    async def sees_it_go(self) -> None:
        while await self.desk.open():
            await anyio.lowlevel.checkpoint()

    async def _posted(self, question: Question) -> Posting:
        while True:
            for posting in await self.desk.open():
                if posting.question == question:
                    return posting
            await anyio.lowlevel.checkpoint()


class ByPolicy(Party):
    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        def rule(answer: Answer[Content]) -> dict[str, object]:
            content = {"content": answer.data} if isinstance(answer, Accepted) and answer.data else {}
            return {"action": answer.action, **content}

        return Policy.from_dict({"answer": [rule(answer) for answer in wanted]}, report=lambda _: None)


class InAdvance(Party):
    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        return Prepared(wanted)


class Behind(Party):
    """Another party, behind somebody who is never there."""

    def __init__(self, party: Party) -> None:
        self.party = party

    def answerer(self, *wanted: Answer[Content]) -> Answerer:
        return Chain([(Prepared([]), None), (self.party.answerer(*wanted), None)])

    async def act(self, question: Question, wanted: Answer[Content]) -> None:
        await self.party.act(question, wanted)

    async def sees(self, question: Question) -> None:
        await self.party.sees(question)

    async def sees_it_go(self) -> None:
        await self.party.sees_it_go()


PEOPLE: dict[str, Callable[[Person], Party]] = {
    "lines": InLines,
    "form": InAForm,
    "chain of lines": lambda person: Behind(InLines(person)),
    "desk": lambda _: AtADesk(),
}
DECIDED: dict[str, Callable[[], Party]] = {
    "policy": ByPolicy,
    "prepared": InAdvance,
    "chain of prepared": lambda: Behind(InAdvance()),
}


@pytest.fixture(params=[*PEOPLE, *DECIDED])
def party(request: pytest.FixtureRequest) -> Iterator[Party]:
    if request.param in DECIDED:
        yield DECIDED[request.param]()
        return
    with Person() as person:
        yield PEOPLE[request.param](person)


@pytest.fixture(params=list(PEOPLE))
def someone(request: pytest.FixtureRequest) -> Iterator[Party]:
    """A party that can take its time; who has decided before never does."""
    with Person() as person:
        yield PEOPLE[request.param](person)


async def asked(
    party: Party, question: Question, wanted: Answer[Content], limit: float | None = None
) -> Answer[Content]:
    answerer = party.answerer(wanted)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(party.act, question, wanted)
        answer = await answerer.answer(question, ORIGIN, limit)
    return answer


async def test_it_says_which_modes_it_reaches(party: Party) -> None:
    reached = party.answerer(Declined()).reaches()
    assert isinstance(reached, frozenset)
    assert Mode.FORM in reached


async def test_an_accept_carries_each_value_as_it_was_given(party: Party) -> None:
    answer = await asked(party, EVERY_KIND, Accepted(EVERY_VALUE))
    assert answer == Accepted(EVERY_VALUE)
    assert isinstance(answer, Accepted)
    assert [*map(type, answer.data.values())] == [*map(type, EVERY_VALUE.values())]
    assert check(EVERY_KIND.form, answer.data) == EVERY_VALUE


async def test_defaults_travel_and_what_was_never_answered_is_absent(party: Party) -> None:
    assert await asked(party, DEFAULTS, Accepted(DEFAULT_VALUES)) == Accepted(DEFAULT_VALUES)


async def test_a_form_without_fields_is_accepted_with_nothing_in_it(party: Party) -> None:
    assert await asked(party, PLAIN_YES_OR_NO, Accepted({})) == Accepted({})


@pytest.mark.parametrize("question", [EVERY_KIND, PLAIN_YES_OR_NO], ids=["fields", "no fields"])
@pytest.mark.parametrize("wanted", [Declined(), Cancelled()], ids=["decline", "cancel"])
async def test_no_is_told_apart_from_closing_without_choosing(
    party: Party, question: Question, wanted: Answer[Content]
) -> None:
    assert await asked(party, question, wanted) == wanted


async def test_agreeing_to_a_visit_carries_nothing(party: Party) -> None:
    answerer = party.answerer(Accepted({}))
    if Mode.URL not in answerer.reaches():
        with pytest.raises(NobodyAsked):
            await answerer.answer(VISIT, ORIGIN, None)
    else:
        assert await asked(party, VISIT, Accepted({})) == Accepted({})


async def test_no_value_is_in_the_repr_of_an_answer(party: Party) -> None:
    answer = await asked(party, EVERY_KIND, Accepted(EVERY_VALUE))
    assert "Straße" not in repr(answer)


async def test_a_limit_that_is_far_away_changes_nothing(party: Party) -> None:
    assert await asked(party, PLAIN_YES_OR_NO, Declined(), limit=3600) == Declined()


async def test_time_that_runs_out_is_a_cancel_marked_as_expired(someone: Party) -> None:
    answer = await someone.answerer(Declined()).answer(EVERY_KIND, ORIGIN, 0.3)
    assert answer == Cancelled(expired=True)


async def test_a_question_that_is_withdrawn_is_gone_and_the_next_one_can_be_answered(someone: Party) -> None:
    answerer = someone.answerer(Declined())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(answerer.answer, EVERY_KIND, ORIGIN, None)
        await someone.sees(EVERY_KIND)
        tasks.cancel_scope.cancel()
    with anyio.fail_after(60):
        await someone.sees_it_go()
    assert await asked(someone, PLAIN_YES_OR_NO, Declined()) == Declined()


async def test_questions_that_come_at_once_are_answered_each_for_itself(party: Party) -> None:
    first, second = FormQuestion("First question", Form()), FormQuestion("Second question", Form())
    answerer = party.answerer(Declined(), Declined())
    answers: list[Answer[Content]] = []

    async def ask(question: Question) -> None:
        answers.append(await answerer.answer(question, ORIGIN, None))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, first)
        tasks.start_soon(ask, second)
        await party.act(first, Declined())
        await party.act(second, Declined())
    assert answers == [Declined(), Declined()]
