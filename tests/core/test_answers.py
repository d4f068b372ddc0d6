"""The three answers."""

import pytest

from askfirst.core.answers import Accepted, Answer, Cancelled, Declined, Reply


@pytest.mark.parametrize("answer", [Accepted({"ok": True}), Declined(), Cancelled(), Cancelled(expired=True)])
def test_no_answer_is_true_or_false(answer: Answer[object]) -> None:
    with pytest.raises(TypeError, match=f"{type(answer).__name__} is neither true nor false: match on"):
        bool(answer)


def test_every_answer_has_its_word_on_the_wire() -> None:
    assert [Accepted(1).action, Declined().action, Cancelled().action] == ["accept", "decline", "cancel"]


def test_what_was_accepted_stays_out_of_the_repr() -> None:
    assert repr(Accepted("tulips")) == "Accepted()"
    assert "tulips" not in repr(Reply("accept", "tulips"))


def test_answers_can_be_matched_and_compared() -> None:
    answer: Answer[int] = Accepted(3)
    match answer:
        case Accepted(data):
            assert data == 3
        case _:
            pytest.fail("an accept must match")
    assert Accepted(3) == Accepted(3) != Accepted(4)
    assert Cancelled(expired=True) != Cancelled()
