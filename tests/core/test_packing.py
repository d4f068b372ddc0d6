"""A question as a store keeps it: nothing is lost on the way."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.errors import InvalidForm
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, Deviation, FlagField, Form, TextField
from askfirst.core.packing import pack, unpack
from askfirst.core.questions import FormQuestion, Question, UrlQuestion

QUESTIONS: st.SearchStrategy[Question] = st.one_of(
    st.builds(FormQuestion, strategies.texts, strategies.forms()),
    st.builds(UrlQuestion, strategies.texts, strategies.texts, st.none() | strategies.texts),
)


def stored(question: Question) -> Question:
    return unpack(json.loads(json.dumps(pack(question))))


@given(QUESTIONS)
def test_a_question_comes_back_as_it_was(question: Question) -> None:
    assert stored(question) == question


def test_what_no_revision_can_carry_is_kept_too() -> None:
    form = Form(
        (
            TextField(name="a", pattern="^[a-z]+$", format="uuid"),
            ChoiceField(name="b", choices=(Choice("x"), Choice("y", "Why")), legacy_titles=True),
            TextField(name="\ud800"),
        ),
        closed=True,
    )
    assert stored(FormQuestion("?", form)) == FormQuestion("?", form)


def test_how_a_form_was_read_is_not_kept() -> None:
    form = Form((FlagField(name="a"),), deviations=(Deviation("a", "type", "missing"),))
    kept = stored(FormQuestion("?", form))
    assert isinstance(kept, FormQuestion)
    assert kept.form.deviations == ()


def test_a_default_keeps_its_kind() -> None:
    several = ChoicesField(name="c", choices=(Choice("x"), Choice("y")), default=("y",))
    form = Form((TextField(name="a", default=""), FlagField(name="b", default=False), several))
    assert stored(FormQuestion("?", form)) == FormQuestion("?", form)


@pytest.mark.parametrize(
    "packed",
    [
        None,
        {},
        {"message": "?"},
        {"message": 3, "url": "u", "id": None},
        {"message": "?", "fields": [3], "closed": False},
        {"message": "?", "fields": [{"kind": "file", "name": "a"}], "closed": False},
    ],
)
def test_what_is_no_packed_question_is_refused(packed: Any) -> None:
    with pytest.raises(ValueError, match="as a store keeps it"):
        unpack(packed)


def test_a_form_that_contradicts_itself_is_refused_here_too() -> None:
    field = {"kind": "flag", "name": "a"}
    with pytest.raises(InvalidForm):
        unpack({"message": "?", "fields": [field, field], "closed": False})
