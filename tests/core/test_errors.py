"""The tree of errors, and what they say."""

import pytest

from askfirst.core import errors
from askfirst.core.errors import (
    AskfirstError,
    AuthorError,
    CannotCarry,
    Flooded,
    InvalidAnswer,
    InvalidForm,
    Muted,
    NobodyAsked,
    NotAwaited,
    PeerError,
    Problem,
    SecretInForm,
    TooManyPaused,
    UnreadableAnswer,
    UnreadableQuestion,
    UnreadableSchema,
)

PROBLEMS = (
    Problem("age", "type", "a whole number", "text of 3 characters"),
    Problem("", "required", "b", "none"),
)


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "Problem"])
def test_every_error_has_one_root(name: str) -> None:
    assert issubclass(getattr(errors, name), AskfirstError)


def test_errors_are_split_by_whose_fault_they_are() -> None:
    authors = {name for name in errors.__all__ if _is_a(name, AuthorError)}
    peers = {name for name in errors.__all__ if _is_a(name, PeerError)}
    assert not authors & peers
    assert set(errors.__all__) - authors - peers == {
        "AskfirstError",
        "Flooded",
        "Muted",
        "NobodyAsked",
        "NotOnDesk",
        "Problem",
        "StoreFault",
        "TooManyPaused",
    }


def _is_a(name: str, kind: type) -> bool:
    return issubclass(getattr(errors, name), kind)


def test_every_error_of_the_tree_is_drawn_in_it() -> None:
    drawing = errors.__doc__ or ""
    assert [name for name in errors.__all__ if name not in drawing] == ["Problem"]


@pytest.mark.parametrize("kind", [InvalidForm, SecretInForm, CannotCarry, UnreadableSchema, InvalidAnswer])
def test_an_error_with_problems_names_all_of_them(
    kind: type[InvalidForm | CannotCarry | UnreadableSchema | InvalidAnswer],
) -> None:
    error = kind("this does not do", iter(PROBLEMS))  # type: ignore[arg-type]
    assert error.problems == PROBLEMS
    assert str(error).splitlines() == [
        "this does not do",
        "  - age: expected a whole number, got text of 3 characters",
        "  - expected b, got none",
    ]


def test_a_schema_or_a_content_that_can_not_be_read_is_part_of_what_carries_it() -> None:
    assert issubclass(UnreadableSchema, UnreadableQuestion)
    assert issubclass(InvalidAnswer, UnreadableAnswer)


def test_a_question_used_too_early_is_what_python_raises_for_what_is_no_attribute_or_of_no_use_there() -> (
    None
):
    assert issubclass(NotAwaited, AttributeError)
    assert issubclass(NotAwaited, TypeError)
    assert not hasattr(_Question(), "data")


class _Question:
    def __getattr__(self, name: str) -> None:
        raise NotAwaited(name)


def test_that_nobody_was_asked_has_a_reason_and_the_question() -> None:
    error = NobodyAsked("the terminal is gone", message="Sure?", mode="form")
    assert (error.reason, error.message, error.mode) == ("the terminal is gone", "Sure?", "form")
    assert str(error) == "nobody was asked: the terminal is gone"
    assert (NobodyAsked("x").cure, NobodyAsked("x").message, NobodyAsked("x").mode) == ("", "", "")


def test_that_nobody_was_asked_may_say_what_would_help() -> None:
    error = NobodyAsked("the terminal is gone", cure="a terminal")
    assert error.cure == "a terminal"
    assert str(error) == "nobody was asked: the terminal is gone; what would help: a terminal"


def test_too_many_waiting_calls_say_what_the_limit_is_and_what_to_do() -> None:
    error = TooManyPaused(10, message="Sure?", mode="url")
    assert error.limit == 10
    assert "10 calls" in str(error)
    assert "max_paused" in str(error)
    assert "call again" in str(error)
    assert (error.message, error.mode) == ("Sure?", "url")


def test_a_server_that_floods_is_told_the_limit_and_what_to_do() -> None:
    error = Flooded("records", 20, message="Sure?", mode="form")
    assert (error.server, error.limit, error.message, error.mode) == ("records", 20, "Sure?", "form")
    for words in (
        "records",
        "20 open questions",
        "most_open",
        "answers some of them",
        "`askfirst desk`",
        "call again",
    ):
        assert words in str(error)


def test_a_muted_server_is_told_who_muted_it() -> None:
    error = Muted("records", message="Sure?", mode="url")
    assert (error.server, error.message, error.mode) == ("records", "Sure?", "url")
    assert str(error) == (
        "nobody was asked: the person has muted records; what would help: that the user lets it ask again, on the "
        "desk's page or with `askfirst desk unmute records`"
    )
    assert "unmute 'my records'`" in Muted("my records").cure
