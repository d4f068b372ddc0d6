"""The chain of lines: whatever was done to it shows."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.ledger import START, Broken, Entry, Head, fingerprint, follow, link, verify

TEXTS = st.text(max_size=5)
ENTRIES = st.builds(
    Entry,
    at=st.floats(0, 4e9),
    event=st.sampled_from(["posted", "answered"]),
    server=TEXTS,
    tool=TEXTS,
    by=TEXTS,
)


def chain(entries: list[Entry]) -> tuple[list[str], Head]:
    lines, head = [], START
    for entry in entries:
        line, head = link(head, entry)
        lines.append(line)
    return lines, head


def some(count: int) -> tuple[list[str], Head]:
    return chain([Entry(at=float(number), event="posted", server="records") for number in range(count)])


@given(st.lists(ENTRIES, max_size=6))
def test_a_chain_as_it_was_written_is_whole(entries: list[Entry]) -> None:
    lines, head = chain(entries)
    assert verify(lines) == head
    assert verify(lines, head.hash) == head
    assert verify(lines, START.hash) == head
    assert head.number == len(entries)


@given(st.lists(ENTRIES, min_size=1, max_size=6), st.data())
def test_whatever_is_done_to_a_line_shows(entries: list[Entry], data: st.DataObject) -> None:
    lines, head = chain(entries)
    place = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["change", "remove", "repeat", "move", "cut"])):
        case "change":
            name = data.draw(st.sampled_from(sorted(json.loads(lines[place]))))
            lines[place] = json.dumps({**json.loads(lines[place]), name: "another"})
        case "remove":
            del lines[place]
        case "repeat":
            lines.insert(place, lines[place])
        case "move":
            lines = [*lines[place + 1 :], *lines[: place + 1], *lines[:1]]
        case "cut":
            lines = lines[:place]
    assert isinstance(verify(lines, head.hash), Broken)


def test_a_line_removed_in_between_shows_without_a_head() -> None:
    lines, _ = some(3)
    broken = verify([lines[0], lines[2]])
    assert broken == Broken(
        2, "does not follow the line before it: one was removed, inserted, moved or changed"
    )
    assert str(broken).startswith("line 2: does not follow")


NEVER = "the head that was noted is that of no line: lines are missing at the end, or all were written anew"


def test_lines_cut_off_at_the_end_show_against_a_head_that_was_noted() -> None:
    lines, head = some(3)
    assert isinstance(verify(lines[:2]), Head)
    assert verify(lines[:2], head.hash) == Broken(3, NEVER)
    assert verify([], head.hash) == Broken(1, NEVER)


def test_a_head_that_was_noted_is_met_when_the_ledger_has_grown() -> None:
    lines, _ = some(3)
    for count in range(4):
        noted = verify(lines[:count])
        assert isinstance(noted, Head)
        assert verify(lines, noted.hash) == verify(lines)


def test_a_ledger_that_was_written_anew_shows_against_a_head_that_was_noted() -> None:
    _, head = some(3)
    others, _ = chain([Entry(at=float(number), event="posted", server="mail") for number in range(4)])
    assert verify(others, head.hash) == Broken(5, NEVER)


def test_a_changed_line_shows_at_its_place() -> None:
    lines, _ = some(3)
    lines[1] = lines[1].replace("records", "another")
    assert verify(lines) == Broken(2, "was changed: its hash is another one")


def test_a_changed_line_with_a_new_hash_shows_at_the_next() -> None:
    lines, _ = some(3)
    first = follow(START, lines[0])
    assert isinstance(first, Head)
    lines[1], _ = link(first, Entry(at=1.0, event="posted", server="another"))
    broken = verify(lines)
    assert isinstance(broken, Broken)
    assert broken.number == 3


def test_a_ledger_from_before_its_lines_said_whose_word_a_name_is_stays_whole() -> None:
    unsigned = {"number": 1, "previous": START.hash, "at": 1.0, "event": "posted", "server": "records"}
    text = json.dumps(unsigned, sort_keys=True, separators=(",", ":"))
    signed = {**unsigned, "hash": hashlib.sha256(text.encode()).hexdigest()}
    assert isinstance(verify([json.dumps(signed, sort_keys=True, separators=(",", ":"))]), Head)


def test_a_line_written_in_another_way_counts_as_changed() -> None:
    lines, _ = some(1)
    assert verify([lines[0].replace(":", ": ")]) == Broken(1, "was changed: its hash is another one")


@pytest.mark.parametrize("line", ["", "no JSON", "[]", "3", "{}", "[" * 100_000])
def test_what_is_no_line_is_said_to_be_none(line: str) -> None:
    broken = follow(START, line)
    assert isinstance(broken, Broken)
    assert broken.why.startswith("expected")


@pytest.mark.parametrize("value", [None, 3, "a", {"b": 1, "a": [True]}, [["table", "users"]]])
def test_a_fingerprint_is_the_same_for_the_same_value(value: Any) -> None:
    assert fingerprint(value) == fingerprint(json.loads(json.dumps(value)))
    assert len(fingerprint(value)) == 32
    assert fingerprint(value) != fingerprint([value])
