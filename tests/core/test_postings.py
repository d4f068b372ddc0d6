"""A posting prints nothing that is private."""

from dataclasses import replace

from askfirst.core.answers import Accepted
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Scope, Status, shown_arguments
from askfirst.core.questions import FormQuestion, Origin

POSTING = Posting(
    "t0ken", "K7QM", FormQuestion("Sure?", Form()), "d", Origin("records"), posted=1.0, expires=2.0
)


def test_a_posting_is_open_until_something_happened_to_it() -> None:
    assert (POSTING.status, POSTING.closed, POSTING.answer) == (Status.OPEN, None, None)


def test_neither_token_nor_arguments_nor_answer_are_printed() -> None:
    told = replace(POSTING, arguments=(("to", "ann@example.org"),), answer=Accepted({"a": "s3cret"}))
    assert not any(word in repr(told) for word in ("t0ken", "ann@example.org", "s3cret"))
    assert "K7QM" in repr(told)


def test_an_unknown_user_is_nobody_in_particular() -> None:
    assert Scope("records") == ("records", "")


def test_arguments_are_shown_as_text_and_no_longer_than_a_person_reads() -> None:
    given = {"table": "users", "days": 90, "deep": {"a": [True, None]}, "odd": {1j}, "long": "x" * 201}
    assert shown_arguments(given) == (
        *(("table", "users"), ("days", "90"), ("deep", '{"a": [true, null]}'), ("odd", '"{1j}"')),
        ("long", f"{'x' * 200}…"),
    )
