"""A posting as the row that a store keeps, and back."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.answers import Accepted, Cancelled, Declined
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, Origin, digest
from askfirst.core.rows import Closing, News, Row, posting_of, row_of

MAYBE = st.none() | strategies.texts
QUESTION = FormQuestion("Sure?", Form())
POSTING = Posting("token", "K7QM", QUESTION, digest(QUESTION), Origin("records"), posted=10.0, expires=20.0)
WORD = "hunter2-quite-unlikely"


@given(
    st.builds(FormQuestion, strategies.texts, strategies.forms()),
    st.builds(Origin, strategies.texts, MAYBE, MAYBE, MAYBE, st.booleans()),
    st.lists(st.tuples(strategies.texts, strategies.texts), max_size=3).map(tuple),
    MAYBE,
    st.booleans(),
    st.booleans(),
)
def test_an_open_posting_comes_back_as_it_was(
    question: FormQuestion, origin: Origin, arguments: Any, asked_of: str | None, secret: bool, held: bool
) -> None:
    posting = replace(
        POSTING,
        question=question,
        origin=origin,
        arguments=arguments,
        asked_of=asked_of,
        secret=secret,
        held=held,
    )
    assert posting_of(row_of(posting), 15.0) == posting


def closed(status: Status, **more: Any) -> Row:
    return replace(row_of(POSTING), status=status, closed=15.0, **more)


def test_an_open_row_past_its_limit_has_expired() -> None:
    assert posting_of(row_of(POSTING), 19.9).status is Status.OPEN
    late = posting_of(row_of(POSTING), 20.0)
    assert (late.status, late.closed, late.answer) == (Status.EXPIRED, 20.0, Cancelled(expired=True))


def test_a_closed_row_stays_what_it_became() -> None:
    late = posting_of(closed(Status.ANSWERED, action="decline"), 99.0)
    assert (late.status, late.closed, late.answer) == (Status.ANSWERED, 15.0, Declined())
    assert posting_of(closed(Status.ANSWERED, action="cancel"), 99.0).answer == Cancelled()
    assert posting_of(closed(Status.EXPIRED), 99.0).answer == Cancelled(expired=True)
    assert posting_of(closed(Status.WITHDRAWN), 99.0).answer is None


def test_content_is_left_out() -> None:
    row = closed(Status.ANSWERED, action="accept", content='{"a": 1}')
    assert posting_of(row, 99.0).answer == Accepted({})


def test_nobody_vouches_for_the_name_in_a_row_of_old() -> None:
    row = row_of(POSTING)
    old = row.body.replace('["records",null,null,null,false]', '["records",null,null,null]')
    assert old != row.body
    assert posting_of(replace(row, body=old), 15.0).origin == Origin("records", own_name=True)


@pytest.mark.parametrize(
    ("part", "instead"),
    [
        ('["records",null,null,null,false]', '["records",null,null,null,1]'),
        ('["records",null,null,null,false]', '["records",null,null,3]'),
        ('["records",null,null,null,false]', "[]"),
        ('"arguments":[]', '"arguments":[3]'),
        ('"arguments":[]', '"arguments":[["a"]]'),
        ('"arguments":[]', '"arguments":[["a",3]]'),
        ('"asked_of":null', '"asked_of":3'),
        ('"digest":"', '"digest":["'),
        ('"secret":false', '"secret":null'),
        ("{", "[" * 100_000),
    ],
)
def test_a_damaged_body_is_a_value_error(part: str, instead: str) -> None:
    body = row_of(POSTING).body
    assert part in body
    with pytest.raises(ValueError, match=r"expected|delimiter"):
        posting_of(replace(row_of(POSTING), body=body.replace(part, instead)), 15.0)


@pytest.mark.parametrize("body", ["{}", "[]", "null", '{"question": 3}'])
def test_a_body_of_another_kind_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match="body of a posting"):
        posting_of(replace(row_of(POSTING), body=body), 15.0)


def test_no_repr_prints_a_token_or_a_content() -> None:
    row = replace(row_of(replace(POSTING, token=WORD, arguments=(("a", WORD),))), content=WORD)
    printed = repr((row, Closing(Status.ANSWERED, 1.0, "accept", WORD), News(1, frozenset({WORD}))))
    assert WORD not in printed
