"""A question as a store keeps it: nothing is lost on the way."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, Deviation, FlagField, Form, TextField
from askfirst.core.packing import pack, unpack
from askfirst.core.questions import FormQuestion, Question, UrlQuestion

QUESTIONS: st.SearchStrategy[Question] = st.one_of(
    st.builds(FormQuestion, strategies.texts, strategies.forms()),
    st.builds(UrlQuestion, strategies.texts, strategies.texts, st.none() | strategies.texts, st.booleans()),
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
        {"message": "?", "fields": [{"kind": ["text"], "name": "a"}], "closed": False},
    ],
)
def test_what_is_no_packed_question_is_refused(packed: Any) -> None:
    with pytest.raises(ValueError, match="as a store keeps it"):
        unpack(packed)


FIELDS: list[dict[str, Any]] = [
    {"kind": "text"},
    {"kind": "text", "name": 3},
    {"kind": "text", "name": "a", "size": 3},
    {"kind": "text", "name": "a", "title": ["A"]},
    {"kind": "text", "name": "a", "required": 1},
    {"kind": "text", "name": "a", "min_length": "3"},
    {"kind": "text", "name": "a", "max_length": True},
    {"kind": "text", "name": "a", "default": 3},
    {"kind": "number", "name": "a", "minimum": "0"},
    {"kind": "number", "name": "a", "default": True},
    {"kind": "flag", "name": "a", "default": "yes"},
    {"kind": "flag", "name": "a", "choices": []},
    {"kind": "choice", "name": "a"},
    {"kind": "choice", "name": "a", "choices": "xy"},
    {"kind": "choice", "name": "a", "choices": ["xy"]},
    {"kind": "choice", "name": "a", "choices": [["x"]]},
    {"kind": "choice", "name": "a", "choices": [["x", 3]]},
    {"kind": "choice", "name": "a", "choices": [[["x"], None]]},
    {"kind": "choice", "name": "a", "choices": [["x", None]], "default": ["x"]},
    {"kind": "choices", "name": "a", "choices": [["x", None]], "default": [["x"]]},
    {"kind": "choices", "name": "a", "choices": [["x", None]], "default": "x"},
]


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_with_parts_of_another_kind_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="as a store keeps it"):
        unpack({"message": "?", "fields": [field], "closed": False})


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PARTS = st.sampled_from(["kind", "name", "title", "choices", "default", "minimum", "max_length", "min_items"])
KINDS = st.sampled_from(["text", "number", "flag", "choice", "choices"])


@given(QUESTIONS, st.lists(st.tuples(PARTS, JSON | KINDS), min_size=1, max_size=4))
def test_whatever_a_row_was_damaged_to_only_a_value_error_comes_of_it(
    question: Question, damage: list[tuple[str, Any]]
) -> None:
    packed: Any = pack(question)
    for field in packed.get("fields", [packed]):
        field |= dict(damage)
    with suppress(ValueError):
        unpack(packed)


def test_a_form_that_contradicts_itself_is_refused_here_too() -> None:
    field = {"kind": "flag", "name": "a"}
    with pytest.raises(ValueError, match="a name of its own"):
        unpack({"message": "?", "fields": [field, field], "closed": False})
