"""What was answered in one call: kept, sealed as JSON, and given out again."""

import json
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from askfirst.core.answers import Action
from askfirst.core.journal import Entry, Journal, JsonValue, Replay

WITHOUT_NAN = strategies.json_values.filter(lambda value: "NaN" not in json.dumps(value))
"""A value that equals itself."""

DIGESTS = st.sampled_from(["name?", "age?", "sure?"])
ACTIONS: st.SearchStrategy[Action] = st.sampled_from(["accept", "decline", "cancel"])
ENTRIES = st.builds(Entry, DIGESTS, ACTIONS, WITHOUT_NAN)
STEPS = st.tuples(st.sampled_from(["charge", "mail", ""]), WITHOUT_NAN)
JOURNALS = st.builds(
    Journal, st.lists(ENTRIES, max_size=5).map(tuple), st.lists(STEPS, max_size=3).map(tuple)
)


def yes(digest: str, content: JsonValue = None) -> Entry:
    return Entry(digest, "accept", content)


# --- as JSON


@given(JOURNALS)
def test_a_journal_survives_being_sent_as_text(journal: Journal) -> None:
    assert Journal.from_json(json.loads(json.dumps(journal.to_json()))) == journal


@given(
    strategies.json_values
    | st.fixed_dictionaries(
        {
            "entries": st.lists(st.lists(strategies.json_values | DIGESTS | ACTIONS, max_size=4), max_size=2),
            "steps": st.lists(st.lists(strategies.json_values, max_size=3), max_size=2),
        }
    )
)
def test_any_json_is_a_journal_or_a_value_error(data: JsonValue) -> None:
    try:
        journal = Journal.from_json(data)
    except ValueError:
        return
    assert isinstance(data, dict)
    assert json.dumps(journal.to_json()) == json.dumps({key: data[key] for key in ("entries", "steps")})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (None, "a journal with entries and steps"),
        ([], "a journal with entries and steps"),
        ({"entries": []}, "a journal with entries and steps"),
        ({"entries": "abc", "steps": []}, "a journal with entries and steps"),
        ({"entries": [["name?", "accept"]], "steps": []}, "digest, action and content"),
        ({"entries": [["name?", "approve", None]], "steps": []}, "digest, action and content"),
        ({"entries": [[7, "accept", None]], "steps": []}, "digest, action and content"),
        ({"entries": [["name?", ["accept"], None]], "steps": []}, "digest, action and content"),
        ({"entries": ["abc"], "steps": []}, "digest, action and content"),
        ({"entries": [], "steps": [["charge"]]}, "key and result"),
        ({"entries": [], "steps": [[None, 1]]}, "key and result"),
    ],
)
def test_what_is_no_journal_is_refused_with_what_was_expected(data: JsonValue, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Journal.from_json(data)


# --- replay


def test_a_question_that_was_not_answered_has_to_be_asked() -> None:
    assert Replay(Journal()).take("name?") is None


def test_an_answer_is_given_to_the_very_question_it_belongs_to() -> None:
    replay = Replay(Journal((yes("name?", {"value": "Ada"}),)))
    assert replay.take("age?") is None
    assert replay.take("name?") == yes("name?", {"value": "Ada"})


def test_an_answer_is_given_once() -> None:
    replay = Replay(Journal((yes("sure?"),)))
    assert [replay.take("sure?"), replay.take("sure?")] == [yes("sure?"), None]


def test_the_same_question_gets_its_answers_in_the_order_they_were_given() -> None:
    first, other, second = yes("sure?"), yes("name?"), Entry("sure?", "decline")
    replay = Replay(Journal((first, other, second)))
    assert [replay.take("sure?"), replay.take("sure?"), replay.take("name?")] == [first, second, other]


def test_a_step_that_gave_nothing_has_happened_all_the_same() -> None:
    replay = Replay(Journal(steps=(("charge", 1), ("mail", None))))
    assert [replay.step("mail"), replay.step("charge"), replay.step("post")] == [(None,), (1,), None]


def test_a_step_of_this_run_is_recorded_for_the_next() -> None:
    replay = Replay(Journal((yes("sure?"),)))
    replay.record_step("charge", "receipt 1")
    assert Replay(replay.journal).step("charge") == ("receipt 1",)
    assert replay.journal.entries == (yes("sure?"),)


def test_a_run_leaves_the_journal_it_was_given_as_it_was() -> None:
    journal = Journal((yes("sure?"),))
    replay = Replay(journal)
    replay.take("sure?")
    replay.record_step("charge", 1)
    assert journal == Journal((yes("sure?"),))


@given(st.lists(ENTRIES, max_size=6), st.integers(0, 6), st.lists(STEPS, max_size=2))
def test_whatever_was_recorded_before_a_restart_the_same_body_hears_the_same(
    rounds: list[Entry], known: int, steps: list[tuple[str, JsonValue]]
) -> None:
    """A body that asks these questions in turn, interrupted in each round or only after some of them."""
    journal = Journal(tuple(islice(rounds, known)))
    for key, result in steps:
        journal = journal.with_step(key, result)
    while True:
        replay = Replay(Journal.from_json(journal.to_json()))
        heard = [replay.take(one.digest) for one in rounds]
        if None not in heard:
            break
        unanswered = heard.index(None)
        assert heard[:unanswered] == rounds[:unanswered]
        assert journal.entries == tuple(rounds[:unanswered])
        journal = journal.with_entry(rounds[unanswered])
    assert heard == rounds
    assert journal == Journal(tuple(rounds), tuple(steps))


# --- what is shown


@given(
    st.builds(Entry, DIGESTS, ACTIONS, st.just({"value": "tulips"})),
    st.tuples(st.just("step"), st.just("roses")),
)
def test_neither_an_answer_nor_a_result_is_in_any_repr(entry: Entry, step: tuple[str, JsonValue]) -> None:
    journal = Journal((entry,), (step,))
    shown = repr([entry, journal, Replay(journal), Replay(journal).take(entry.digest)])
    assert "tulips" not in shown
    assert "roses" not in shown


def test_what_is_refused_is_not_repeated() -> None:
    for data in ({"entries": ["tulips"], "steps": []}, {"entries": [], "steps": ["tulips"]}, "tulips"):
        with pytest.raises(ValueError, match="something else") as caught:
            Journal.from_json(data)  # type: ignore[arg-type]
        assert "tulips" not in str(caught.value)
