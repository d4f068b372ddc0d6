import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core import screening
from askfirst.core.fields import Form, TextField
from askfirst.core.folding import words_of_name, words_of_prose
from askfirst.core.mentions import listed_terms, mentions
from askfirst.core.screening import secrets_in
from askfirst.core.sieve import may_any_mention, may_mention

ROWS = (Path(__file__).parents[1] / "data" / "secrets.jsonl").read_text("utf-8").splitlines()
PHRASES = sorted(
    {
        phrase
        for row in map(json.loads, ROWS)
        for part, phrase in row.items()
        if part in ("name", "title", "description", "message")
    }
)
TERMS = [term.words for term in listed_terms()]
LIKE = str.maketrans("oieast", "013457")


@st.composite
def disguises(draw: st.DrawFn) -> str:
    """A term in one of the many spellings that are read like it, with other text around."""
    words = list(draw(st.sampled_from(TERMS)))
    disguise = draw(
        st.sampled_from(
            [
                str,
                str.upper,
                str.title,
                lambda word: word.translate(LIKE),
                lambda word: word.replace("a", "@").replace("s", "$"),
                " ".join,
                ".".join,
                "\x00".join,
                "\x1b[1m".join,
                lambda word: f"{word}42",
                lambda word: f"{word}s",
            ]
        )
    )
    between = draw(st.sampled_from(["", " ", "_", "-", ".", "\n", " / ", ", "]))
    around = st.text(st.characters(codec="ascii"), max_size=4)
    return draw(around) + between.join(map(disguise, words)) + draw(around)


def is_mentioned(text: str) -> bool:
    return bool(mentions(words_of_name(text)) or mentions(words_of_prose(text)))


def test_every_term_may_be_mentioned() -> None:
    assert [words for words in TERMS if not may_mention(" ".join(words))] == []


@given(disguises() | st.text(st.characters(codec="ascii"), max_size=40))
def test_what_is_mentioned_may_be(text: str) -> None:
    assert may_mention(text) or not is_mentioned(text)


@given(st.lists(st.sampled_from(PHRASES) | disguises() | st.text(max_size=10), min_size=4, max_size=4))
def test_a_question_is_judged_as_if_every_text_were_read(texts: list[str]) -> None:
    message, name, title, description = texts
    form = Form((TextField(name=name, title=title, description=description),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screening, "may_mention", lambda text: True)
        unsieved = secrets_in(message, form)
    assert secrets_in(message, form) == unsieved


def test_every_labelled_phrase_is_judged_as_if_it_were_read() -> None:
    passed_over = [phrase for phrase in PHRASES if not may_mention(phrase)]
    assert [phrase for phrase in passed_over if is_mentioned(phrase)] == []
    assert passed_over


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "How many people will come?",
        "Permanently delete 4,000 rows from users?",
        "user_name",
        "42",
    ],
)
def test_most_texts_need_no_reading(text: str) -> None:
    assert not may_mention(text)


@pytest.mark.parametrize("text", ["año", "a@b", "5 $", "\x1b[1mbold", "pin", "token_count", "opinion"])
def test_a_text_in_doubt_is_read(text: str) -> None:
    assert may_mention(text)


@given(st.lists(st.sampled_from(PHRASES) | disguises() | st.text(max_size=10), max_size=4))
def test_several_texts_may_mention_what_one_of_them_may(texts: list[str]) -> None:
    assert may_any_mention(texts) or not any(map(may_mention, texts))


def test_several_texts_that_need_no_reading_are_passed_over_at_once() -> None:
    assert not may_any_mention(["name", "How many people will come?", "42", "stand"])
    assert may_any_mention(["name", "tan"])
