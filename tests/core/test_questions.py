"""Questions and their fingerprints."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.fields import Choice, ChoiceField, Deviation, FlagField, Form
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion, digest
from askfirst.core.revisions import Mode

SURE = FormQuestion("Sure?", Form((FlagField(name="sure"),)))
VISIT = UrlQuestion("Sign in", "https://example.com/", "id-1")


def test_a_question_knows_its_mode() -> None:
    assert (SURE.mode, VISIT.mode) == (Mode.FORM, Mode.URL)


def test_nothing_is_known_of_an_asker_but_its_configured_name() -> None:
    assert Origin("records") == Origin("records", claimed=None, tool=None, revision=None)


@pytest.mark.parametrize("question", [SURE, VISIT, FormQuestion("\ud800", Form())])
def test_a_digest_is_32_hex_digits(question: Question) -> None:
    assert re.fullmatch("[0-9a-f]{32}", digest(question))


@pytest.mark.parametrize(
    "other",
    [
        replace(SURE, message="Sure? "),
        replace(SURE, form=Form((FlagField(name="sure", required=True),))),
        replace(SURE, form=Form((FlagField(name="sure", title="Sure"),))),
        replace(SURE, form=Form((FlagField(name="sure", default=False),))),
        replace(SURE, form=Form()),
        UrlQuestion("Sure?", "https://example.com/"),
        UrlQuestion("Sure?", ""),
    ],
)
def test_what_is_asked_otherwise_has_another_digest(other: Question) -> None:
    assert digest(other) != digest(SURE)


def test_what_is_no_question_has_no_digest() -> None:
    with pytest.raises(AssertionError):
        digest("Sure?")  # type: ignore[arg-type]


def test_the_order_of_choices_is_part_of_what_is_asked() -> None:
    up, down = Choice("up"), Choice("down")
    one = Form((ChoiceField(name="way", choices=(up, down)),))
    other = Form((ChoiceField(name="way", choices=(down, up)),))
    assert digest(FormQuestion("", one)) != digest(FormQuestion("", other))


def test_how_a_question_came_is_no_part_of_what_is_asked() -> None:
    noted = replace(SURE, form=replace(SURE.form, deviations=(Deviation("", "title", "left out"),)))
    assert digest(noted) == digest(SURE)
    assert digest(replace(VISIT, elicitation_id=None)) == digest(VISIT)


@given(strategies.texts, strategies.forms(), strategies.texts, strategies.forms())
def test_only_equal_questions_share_a_digest(message: str, form: Form, words: str, shape: Form) -> None:
    one, other = FormQuestion(message, form), FormQuestion(words, shape)
    assert digest(one) == digest(FormQuestion(message, form))
    same = message == words and sorted(map(repr, form.fields)) == sorted(map(repr, shape.fields))
    assert (digest(one) == digest(other)) == same


@given(st.permutations(SURE.form.fields))
def test_the_order_of_fields_is_no_part_of_what_is_asked(fields: list[FlagField]) -> None:
    assert digest(FormQuestion("Sure?", Form(tuple(fields)))) == digest(SURE)
