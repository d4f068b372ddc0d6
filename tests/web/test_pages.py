"""What the pages say, as values: who asks, how long they wait, what became of it; and which control each field gets."""

from dataclasses import replace

import pytest

from askfirst.core.answers import Accepted, Answer, Cancelled, Content, Declined
from askfirst.core.errors import Problem
from askfirst.core.fields import (
    Choice,
    ChoiceField,
    ChoicesField,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion, digest
from askfirst.web import pages
from askfirst.web.entries import laid_out
from askfirst.web.widgets import Option, Widget, mistakes, rows, widgets

NINE = tuple(Choice(str(number)) for number in range(9))
NAME = Form((TextField(name="name", required=True),))


def posting(question: Question, **more: object) -> Posting:
    plain = Posting("token", "4KN7", question, digest(question), Origin("mine", "Mine"), 0.0, 600.0)
    return replace(plain, **more)  # type: ignore[arg-type]


def widget(field: Field, *values: str) -> Widget:
    form = Form((field,))
    (drawn,) = widgets(form, {"f0": values} if values else laid_out(form))
    return drawn


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        (TextField(name="x"), "area"),
        (TextField(name="x", max_length=101), "area"),
        (TextField(name="x", max_length=100), "line"),
        (TextField(name="x", max_length=100, default="a\nb"), "area"),
        (TextField(name="x", pattern="^a"), "line"),
        (TextField(name="x", format="email"), "line"),
        (TextField(name="x", format="date"), "date"),
        (TextField(name="x", format="date-time"), "moment"),
        (NumberField(name="x"), "line"),
        (FlagField(name="x"), "radios"),
        (ChoiceField(name="x", choices=NINE[:8]), "radios"),
        (ChoiceField(name="x", choices=NINE), "select"),
        (ChoicesField(name="x", choices=NINE), "boxes"),
    ],
)
def test_each_kind_of_field_has_its_control(field: Field, kind: str) -> None:
    assert widget(field).kind == kind


@pytest.mark.parametrize(
    ("field", "keyboard"),
    [
        (NumberField(name="x", integer=True), "text"),
        (NumberField(name="x", integer=True, minimum=0), "numeric"),
        (NumberField(name="x", minimum=0), "decimal"),
        (TextField(name="x", format="email"), "email"),
        (TextField(name="x", format="uri"), "url"),
        (TextField(name="x", format="postcode"), "text"),
        (FlagField(name="x"), "text"),
    ],
)
def test_a_telephone_shows_the_keys_that_are_needed(field: Field, keyboard: str) -> None:
    assert widget(field).keyboard == keyboard


def test_yes_or_no_has_nothing_chosen_unless_there_is_a_default() -> None:
    yes, no = Option("yes", "Yes", "", False), Option("no", "No", "", False)
    assert widget(FlagField(name="x", required=True)).options == (yes, no)
    assert widget(FlagField(name="x", required=True, default=False)).options == (
        yes,
        replace(no, chosen=True),
    )


def test_a_radio_that_may_be_left_out_can_be_taken_back() -> None:
    assert widget(FlagField(name="x")).options[-1] == Option("", "No answer", "", False)
    assert widget(ChoiceField(name="x", choices=NINE), "").options[-1].chosen


def test_a_choice_shows_its_label_and_the_code_that_is_sent() -> None:
    field = ChoiceField(
        name="x", choices=(Choice("a", "Apple"), Choice("b"), Choice("")), default="b", required=True
    )
    assert widget(field).options == (
        Option("0", "Apple", "a", False),
        Option("1", "b", "", True),
        Option("2", '"" (empty)', "", False),
    )


def test_none_of_these_is_offered_where_it_may_be_sent() -> None:
    assert widget(ChoicesField(name="x", choices=NINE)).none == Option("none", "None of these", "", False)
    assert widget(ChoicesField(name="x", choices=NINE, default=())).none == Option(
        "none", "None of these", "", True
    )
    assert widget(ChoicesField(name="x", choices=NINE, min_items=1)).none is None
    assert widget(FlagField(name="x")).none is None


@pytest.mark.parametrize(
    ("field", "fits"),
    [
        (TextField(name="x"), ""),
        (TextField(name="x", default=""), 'Two double quotes ("") stand for an empty text.'),
        (TextField(name="x", min_length=2, max_length=4), "2 to 4 characters."),
        (TextField(name="x", format="date"), ""),
        (NumberField(name="x", integer=True, minimum=1, maximum=9), "A whole number from 1 to 9."),
        (ChoicesField(name="x", choices=NINE), "Choose any number of them."),
        (ChoicesField(name="x", choices=NINE, min_items=1, max_items=2), "Choose 1 to 2."),
        (FlagField(name="x"), ""),
    ],
)
def test_what_fits_is_said_where_the_control_does_not_say_it(field: Field, fits: str) -> None:
    assert widget(field).fits == fits


def test_a_mistake_stands_at_its_field_and_above_the_form() -> None:
    form = Form((TextField(name="a", title="Reason", required=True), FlagField(name="b", required=True)))
    problems = (
        Problem("", "additionalProperties", "no other fields than the form's", "1 more"),
        Problem("a", "required", "an answer", "none"),
        Problem("b", "required", "an answer", "none"),
        Problem("b", "type", "yes or no", "other text"),
    )
    drawn = widgets(form, {}, problems)
    assert [one.mistake for one in drawn] == ["Write something.", "Answer yes or no."]
    assert [(one.target, one.text) for one in mistakes(drawn, problems)] == [
        ("", "Leave out what was not asked for."),
        ("f0", "Write something."),
        ("f1-0", "Answer yes or no."),
    ]
    assert drawn[0].described_by == "f0-mistake"


def test_what_is_masked_is_not_in_a_row() -> None:
    assert [row.text for row in rows(NAME, {"name": "hunter2"}, frozenset({"name"}))] == [
        "(7 characters, hidden)"
    ]


def test_rows_read_as_a_person_chose() -> None:
    form = Form(
        (
            TextField(name="t"),
            ChoiceField(name="c", choices=(Choice("a", "Apple"),)),
            ChoicesField(name="m", choices=(Choice("a", "Apple"), Choice("b", "Birne"))),
            ChoicesField(name="n", choices=NINE),
            FlagField(name="f"),
            TextField(name="e"),
            TextField(name="u"),
        )
    )
    content: Content = {"t": "a\nb\x1b[2J", "c": "a", "m": ["b", "a"], "n": [], "f": False, "e": ""}
    assert [row.text for row in rows(form, content)] == [
        *("a\nb", "Apple", "Apple\nBirne", "(none chosen)", "no", '"" (empty text)'),
        "(unanswered: nothing is sent)",
    ]


def test_the_configured_name_stands_apart_from_the_claimed_one() -> None:
    shown = pages.asker(posting(FormQuestion("?", NAME), arguments=(("a\n", "1\x1b[2J"),)))
    assert (shown.server, shown.claimed, shown.tool, shown.protocol) == ("mine", "Mine", "", "")
    assert shown.arguments == (("a", pages.Passage("1")),)
    assert shown.code == "4KN7"


def test_a_long_message_is_shown_whole_on_demand() -> None:
    passage = pages.passage("word " * 1000)
    assert len(passage.text) <= 1500
    assert passage.text + passage.rest == "word " * 1000


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "less than a minute left"),
        (59, "less than a minute left"),
        (60, "about 1 minute left"),
        (840, "about 14 minutes left"),
        (5400, "about 90 minutes left"),
        (7200, "about 2 hours left"),
        (100_000, "about 27 hours left"),
        (200_000, "about 2 days left"),
    ],
)
def test_time_that_is_left_in_words(seconds: float, words: str) -> None:
    assert pages.waits(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (90_000, "1 day ago"),
    ],
)
def test_time_that_is_past_in_words(seconds: float, words: str) -> None:
    assert pages.ago(seconds) == words


def test_the_end_is_warned_of_two_minutes_before() -> None:
    one = posting(FormQuestion("?", NAME))
    assert [pages.question_view(one, now).hurry for now in (479.0, 481.0)] == [False, True]


@pytest.mark.parametrize(
    ("answer", "secret", "headline"),
    [
        (None, False, "Answered"),
        (Accepted({}), False, "Answer sent"),
        (Accepted({}), True, "Secret sent"),
        (Declined(), False, "You declined"),
        (Cancelled(), False, "Closed for now"),
        (Cancelled(expired=True), False, "Time ran out"),
    ],
)
def test_what_became_of_a_question(answer: Answer[Content] | None, secret: bool, headline: str) -> None:
    done = posting(FormQuestion("?", NAME), status=Status.ANSWERED, answer=answer, secret=secret)
    assert pages.outcome(done).headline == headline
    assert pages.item(done, 0.0).outcome == headline


def test_what_became_of_a_question_that_nobody_answered() -> None:
    one = posting(FormQuestion("?", NAME))
    assert pages.outcome(replace(one, status=Status.WITHDRAWN)).headline == "The asker has gone"
    assert pages.outcome(replace(one, status=Status.EXPIRED)).headline == "Time ran out"
    visit = posting(UrlQuestion("?", "https://a.example"), status=Status.ANSWERED, answer=Accepted({}))
    assert pages.outcome(visit).headline == "You agreed to the visit"


def test_an_answer_of_no_is_only_a_single_flag_that_is_false() -> None:
    flag = posting(FormQuestion("?", Form((FlagField(name="x"),))))
    assert pages.says_no(flag, {"x": False})
    assert not pages.says_no(flag, {"x": True})
    assert not pages.says_no(flag, {})
    assert not pages.says_no(posting(FormQuestion("?", Form())), {})
    assert not pages.says_no(posting(FormQuestion("?", NAME)), {"name": "no"})
    assert not pages.says_no(posting(UrlQuestion("?", "https://a.example")), {})


def test_nothing_of_a_secret_or_a_visit_is_read_back() -> None:
    assert pages.sent(posting(FormQuestion("?", NAME), secret=True), {"name": "x"}) == ()
    assert pages.sent(posting(UrlQuestion("?", "https://a.example")), {}) == ()


def test_a_long_message_is_shortened_in_a_list() -> None:
    item = pages.item(posting(FormQuestion("word " * 100, NAME)), 0.0)
    assert item.excerpt.endswith("…")
    assert len(item.excerpt) <= 161


def test_an_address_with_two_readings_has_no_destination() -> None:
    where = pages.destination("https://a.example\\@b.example/")
    assert where.url == ""
    assert "backslash" in where.refusal
    view = pages.question_view(posting(UrlQuestion("?", "https://a.example\\@b.example/")), 0.0)
    assert view.cautions == ()


def test_servers_are_listed_by_name_with_those_that_are_muted() -> None:
    listed = pages.servers({"b": 2, "a\x1b[2J": 1}, {"c", "b"})
    assert [(one.name, one.open, one.muted) for one in listed] == [
        ("a", 1, False),
        ("b", 2, True),
        ("c", 0, True),
    ]


class Counted(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__
    count = 0

    def __eq__(self, other: object) -> bool:
        Counted.count += 1
        return str.__eq__(self, other)


def test_what_is_ticked_is_looked_up_and_not_searched_for() -> None:
    form = Form((ChoicesField(name="x", choices=tuple(Choice(str(number)) for number in range(300))),))
    ticked = tuple(Counted(number % 300) for number in range(3000))
    Counted.count = 0
    (drawn,) = widgets(form, {"f0": ticked})
    rows(form, {"x": [*ticked[:300]]})
    assert all(option.chosen for option in drawn.options)
    assert Counted.count < 10_000  # one after the other it would be almost a hundred thousand


def test_some_choices_and_none_of_them_are_told_apart() -> None:
    form = Form((ChoicesField(name="x", choices=NINE),))
    problem = Problem("x", "none", 'either "none of these" or some of the choices', "both")
    assert widgets(form, {}, (problem,))[0].mistake == 'Choose either "none of these" or some of the choices.'


def test_what_was_entered_stays_out_of_the_repr() -> None:
    assert "tulips" not in repr(widget(TextField(name="x"), "tulips"))
    choice = ChoiceField(name="x", choices=NINE[:2])
    assert repr(widget(choice, "0")) == repr(widget(choice, "1"))
