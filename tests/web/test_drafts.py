"""What is kept of what was typed, for whom and for how long."""

from dataclasses import replace

from askfirst.core.errors import Problem
from askfirst.core.fields import Form, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.web.drafts import Drafts, fresh

FORM = Form(
    (TextField(name="a", default="old"), TextField(name="b", format="date-time"), TextField(name="c"))
)
ONE = Posting("token", "4KN7", FormQuestion("?", FORM), "digest", Origin("mine"), 0.0, 600.0)


def test_who_has_not_typed_anything_has_the_defaults() -> None:
    assert fresh(ONE, FORM).entries == {"f0": ("old",)}


def test_a_page_changes_its_own_fields_and_no_others() -> None:
    draft = fresh(ONE, FORM).given(
        {"f1": ("2026-12-31",), "f1t": ("18:00",), "f2": ("mine",), "do": ("next",)}, [1]
    )
    assert draft.entries == {"f0": ("old",), "f1": ("2026-12-31",), "f1t": ("18:00",)}
    assert draft.size == len("old2026-12-3118:00")
    assert draft.given({}, [0, 1]).entries == {}
    assert draft.without([1]).entries == {"f0": ("old",)}


def test_what_is_wrong_stays_until_its_field_is_judged_again() -> None:
    wrong = [Problem(name, "required", "an answer", "none") for name in ("a", "b")]
    draft = fresh(ONE, FORM).judged(FORM, [0], (wrong[0],)).judged(FORM, [1, 2], (wrong[1],))
    assert draft.problems == (wrong[0], wrong[1])
    assert draft.judged(FORM, [0], ()).problems == (wrong[1],)


def test_a_draft_is_kept_for_exactly_its_question() -> None:
    drafts = Drafts()
    assert drafts.of(ONE) is None
    drafts.keep(ONE, fresh(ONE, FORM))
    assert drafts.of(ONE) is not None
    assert drafts.of(replace(ONE, digest="another")) is None
    drafts.drop(ONE)
    drafts.drop(ONE)
    assert drafts.of(ONE) is None


def test_the_oldest_draft_goes_first() -> None:
    drafts = Drafts()
    for number in range(25):
        drafts.keep(replace(ONE, token=str(number)), fresh(ONE, FORM))
    kept = [number for number in range(25) if drafts.of(replace(ONE, token=str(number)))]
    assert kept == list(range(5, 25))


def test_every_change_of_what_was_typed_can_be_told() -> None:
    drafts = Drafts()

    def version(text: str, place: str) -> str:
        drafts.keep(ONE, replace(fresh(ONE, FORM).given({"f2": (text,)}, [2]), place=place))
        found = drafts.of(ONE)
        assert found is not None
        return found.version

    first = version("a", "1")
    assert first == version("a", "2")
    assert len({first, version("b", "2"), version("a", "2")}) == 3


def test_a_repr_shows_nothing_of_it() -> None:
    assert "tulips" not in repr(fresh(ONE, FORM).given({"f2": ("tulips",)}, [2]))
