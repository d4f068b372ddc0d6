"""What is kept of what was typed, for whom and for how long."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.errors import Problem
from askfirst.core.fields import Form, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.web.access import Session
from askfirst.web.drafts import Draft, Drafts, fresh
from askfirst.web.entries import NONE, Entries, read
from strategies import forms

FORM = Form(
    (TextField(name="a", default="old"), TextField(name="b", format="date-time"), TextField(name="c"))
)
ONE = Posting("token", "4KN7", FormQuestion("?", FORM), "digest", Origin("mine"), 0.0, 600.0)

HERE = Session("csrf", None, None, 0.0)


def test_who_has_not_typed_anything_has_the_defaults() -> None:
    assert fresh(ONE, FORM).entries == {"f0": ("old",)}


def test_a_page_changes_its_own_fields_and_no_others() -> None:
    draft = fresh(ONE, FORM).given(
        {"f1": ("2026-12-31",), "f1t": ("18:00",), "f2": ("mine",), "do": ("next",)}, [1]
    )
    assert draft.entries == {"f0": ("old",), "f1": ("2026-12-31",), "f1t": ("18:00",)}
    assert draft.size == len("old 2026-12-31 18:00 ")
    assert draft.given({}, [0, 1]).entries == {}
    assert draft.without([1]).entries == {"f0": ("old",)}


@given(
    forms(),
    st.dictionaries(
        st.sampled_from([f"f{n}{part}" for n in range(6) for part in ("", "t", "z")]),
        st.lists(st.text(max_size=8) | st.sampled_from(["0", "1", "yes", NONE]), max_size=3).map(tuple),
    ),
)
def test_a_form_says_the_same_page_by_page_and_at_once(form: Form, entries: Entries) -> None:
    posting = replace(ONE, question=FormQuestion("?", form))
    draft = fresh(posting, form)
    for index in range(len(form.fields)):
        draft = draft.given(entries, [index])
        draft = draft.judged(form, [index], read(form, draft.entries, [index]).problems)
    at_once = read(form, entries)
    assert (read(form, draft.entries).content, draft.problems) == (at_once.content, at_once.problems)


def test_what_is_wrong_stays_until_its_field_is_judged_again() -> None:
    wrong = [Problem(name, "required", "an answer", "none") for name in ("a", "b")]
    draft = fresh(ONE, FORM).judged(FORM, [0], (wrong[0],)).judged(FORM, [1, 2], (wrong[1],))
    assert draft.problems == (wrong[0], wrong[1])
    assert draft.judged(FORM, [0], ()).problems == (wrong[1],)


def test_a_draft_is_kept_for_exactly_its_question() -> None:
    drafts = Drafts()
    assert drafts.of(HERE, ONE) is None
    drafts.keep(HERE, ONE, fresh(ONE, FORM))
    assert drafts.of(HERE, ONE) is not None
    assert drafts.of(HERE, replace(ONE, digest="another")) is None
    drafts.drop(HERE, ONE)
    drafts.drop(HERE, ONE)
    assert drafts.of(HERE, ONE) is None


def test_a_draft_is_of_its_session_alone() -> None:
    drafts = Drafts()
    drafts.keep(HERE, ONE, fresh(ONE, FORM))
    assert drafts.of(Session("another", None, None, 0.0), ONE) is None


def typed(text: str) -> Draft:
    return replace(fresh(ONE, FORM), entries={"f2": (text,)})


def test_where_drafts_become_too_much_the_oldest_go_first() -> None:
    drafts = Drafts(most=4 * typed("x" * 9).weight)

    def keep(number: int, text: str) -> None:
        drafts.keep(HERE, replace(ONE, token=str(number)), typed(text))

    def kept() -> list[int]:
        return [number for number in range(25) if drafts.of(HERE, replace(ONE, token=str(number)))]

    for number in range(25):
        keep(number, "x" * 9)
    assert kept() == [21, 22, 23, 24]
    for _ in range(3):
        keep(21, "y" * 9)  # in place of its own
    assert kept() == [21, 22, 23, 24]
    drafts.drop(HERE, replace(ONE, token="22"))
    keep(1, "z" * 9)
    assert kept() == [1, 21, 23, 24]
    keep(2, "z" * (9 + 2 * typed("z" * 9).weight))
    assert kept() == [1, 2]
    keep(3, "z" * (9 + 4 * typed("z" * 9).weight))
    assert kept() == []


def test_who_has_too_many_drafts_loses_their_own_and_nobody_elses() -> None:
    drafts = Drafts(most_of_one=2 * typed("x" * 9).weight)
    ada, bobs = Session("ada", None, "ada", 0.0), [Session(str(n), None, "bob", 0.0) for n in range(5)]
    drafts.keep(ada, ONE, typed("x" * 9))
    for bob in bobs:
        drafts.keep(bob, ONE, typed("x" * 9))
    assert [drafts.of(one, ONE) is not None for one in (ada, *bobs)] == [
        True,
        False,
        False,
        False,
        True,
        True,
    ]
    drafts.keep(ada, ONE, typed("x" * 9 * 1000))
    assert drafts.of(ada, ONE) is None
    assert drafts.of(bobs[-1], ONE) is not None


def test_a_draft_of_many_short_texts_takes_as_much_as_it_does() -> None:
    long, many = [
        replace(typed(""), entries={"f2": texts}) for texts in (("\u0100" * 1000,), ("\u0100",) * 500)
    ]
    assert long.size == many.size + 1
    assert many.weight > 10 * long.weight


def test_a_draft_that_nobody_changes_is_forgotten_the_same_day() -> None:
    now = 0.0
    drafts = Drafts(clock=lambda: now)
    other = replace(ONE, token="other")
    drafts.keep(HERE, ONE, fresh(ONE, FORM))
    now = 11 * 3600.0
    drafts.keep(HERE, other, fresh(ONE, FORM))
    assert drafts.of(HERE, ONE) is not None
    now = 13 * 3600.0
    assert drafts.of(HERE, ONE) is None
    assert drafts.of(HERE, other) is not None


def test_every_change_of_what_was_typed_can_be_told() -> None:
    drafts = Drafts()

    def version(text: str, place: str) -> str:
        drafts.keep(HERE, ONE, replace(fresh(ONE, FORM).given({"f2": (text,)}, [2]), place=place))
        found = drafts.of(HERE, ONE)
        assert found is not None
        return found.version

    first = version("a", "1")
    assert first == version("a", "2")
    assert len({first, version("b", "2"), version("a", "2")}) == 3


def test_a_repr_shows_nothing_of_it() -> None:
    assert "tulips" not in repr(fresh(ONE, FORM).given({"f2": ("tulips",)}, [2]))
