"""The table of routes, row by row, and what must hold in all of it."""

import re
from itertools import product

import pytest

from askfirst.core.reach import Reachable, Route, reach, why_not
from askfirst.core.revisions import REVISIONS, Era, Mode, revision

# Whether the client itself carries a form, and a url question, to its user: "push", "return" (the call returns with
# the question), or "no".
CARRIED = """
revision    declared  way-back  form    url
2025-06-18  none      yes       no      no
2025-06-18  form      yes       push    no
2025-06-18  url       yes       no      no
2025-06-18  form+url  yes       push    no
2025-06-18  none      no        no      no
2025-06-18  form      no        no      no
2025-06-18  url       no        no      no
2025-06-18  form+url  no        no      no
2025-11-25  none      yes       no      no
2025-11-25  form      yes       push    no
2025-11-25  url       yes       no      push
2025-11-25  form+url  yes       push    push
2025-11-25  none      no        no      no
2025-11-25  form      no        no      no
2025-11-25  url       no        no      no
2025-11-25  form+url  no        no      no
2026-07-28  none      yes       no      no
2026-07-28  form      yes       return  no
2026-07-28  url       yes       no      return
2026-07-28  form+url  yes       return  return
2026-07-28  none      no        no      no
2026-07-28  form      no        return  no
2026-07-28  url       no        no      return
2026-07-28  form+url  no        return  return
"""

# Where the client does not carry it: who may answer, and whether a desk is at hand.
OTHERWISE = {
    ("anybody", "desk"): Route.DESK,
    ("person only", "desk"): Route.DESK,
    ("anybody", "no desk"): Route.TEXT,
    ("person only", "no desk"): Route.REFUSE,
}

ROWS = [line.split() for line in CARRIED.strip().splitlines()[1:]]


def facts_of(name: str, declared: str, way_back: str, desk: bool = False) -> Reachable:
    modes = frozenset(Mode(word) for word in declared.split("+") if word != "none")
    return Reachable(revision(name), modes, return_path=way_back == "yes", desk=desk)


def test_the_table_has_a_row_for_all_there_is() -> None:
    keys = [tuple(row[:3]) for row in ROWS]
    assert sorted(keys) == sorted(product(REVISIONS, ["none", "form", "url", "form+url"], ["yes", "no"]))


@pytest.mark.parametrize(("answerable", "at_hand"), list(OTHERWISE))
@pytest.mark.parametrize(("name", "declared", "way_back", "form", "url"), ROWS)
def test_every_question_takes_the_route_of_the_table(
    name: str, declared: str, way_back: str, form: str, url: str, answerable: str, at_hand: str
) -> None:
    facts = facts_of(name, declared, way_back, desk=at_hand == "desk")
    ways = {"push": Route.PUSH, "return": Route.INPUT_REQUIRED, "no": OTHERWISE[answerable, at_hand]}
    for mode, way in ((Mode.FORM, form), (Mode.URL, url)):
        assert reach(facts, mode, by_argument=answerable == "anybody") is ways[way]


EVERYTHING = [
    (Reachable(row, frozenset(modes), back, desk), mode, by_argument)
    for row, modes, back, desk, mode, by_argument in product(
        REVISIONS.values(),
        [(), ("form",), ("url",), ("form", "url")],
        *[(False, True)] * 2,
        Mode,
        (False, True),
    )
]


def test_a_model_never_answers_for_the_person() -> None:
    assert {
        by_argument
        for facts, mode, by_argument in EVERYTHING
        if reach(facts, mode, by_argument=by_argument) is Route.TEXT
    } == {True}
    assert Route.TEXT not in {reach(facts, mode) for facts, mode, _ in EVERYTHING}


def test_a_push_needs_a_legacy_client_that_declared_the_mode_and_a_way_back() -> None:
    pushed = [(facts, mode) for facts, mode, _ in EVERYTHING if reach(facts, mode) is Route.PUSH]
    assert {facts.revision.era for facts, _ in pushed} == {Era.LEGACY}
    assert all(mode in facts.modes and mode in facts.revision.modes for facts, mode in pushed)
    assert all(facts.return_path for facts, _ in pushed)


def test_a_call_returns_with_its_question_to_modern_clients_alone() -> None:
    returned = [(facts, mode) for facts, mode, _ in EVERYTHING if reach(facts, mode) is Route.INPUT_REQUIRED]
    assert {facts.revision.era for facts, _ in returned} == {Era.MODERN}
    assert all(mode in facts.modes for facts, mode in returned)


def test_an_undeclared_mode_is_never_put_to_the_client() -> None:
    routes = {
        reach(facts, mode, by_argument=by_argument)
        for facts, mode, by_argument in EVERYTHING
        if mode not in facts.modes
    }
    assert routes == {Route.DESK, Route.TEXT, Route.REFUSE}


def test_nothing_is_at_hand_unless_said_and_nobody_but_a_person_may_answer_unless_said() -> None:
    assert reach(Reachable(revision(None), frozenset(), return_path=True), Mode.FORM) is Route.REFUSE


@pytest.mark.parametrize(
    ("facts", "mode", "words", "cure"),
    [
        (
            facts_of("2025-06-18", "form+url", "yes"),
            Mode.URL,
            "2025-06-18, which has no url",
            "newer revision",
        ),
        (facts_of("2025-06-18", "none", "no"), Mode.URL, "2025-06-18, which has no url", "newer revision"),
        (facts_of("2025-11-25", "form", "yes"), Mode.URL, "not declare .* for url questions", "declares"),
        (facts_of("2026-07-28", "none", "yes"), Mode.FORM, "not declare .* for form questions", "declares"),
        (facts_of("2026-07-28", "none", "no"), Mode.FORM, "not declare .* for form questions", "declares"),
        (facts_of("2025-11-25", "form", "no"), Mode.FORM, "no way back", "keeps a session"),
        (facts_of("2025-11-25", "none", "no"), Mode.FORM, "no way back", "keeps a session"),
    ],
)
def test_the_reason_names_what_is_missing_and_what_would_help(
    facts: Reachable, mode: Mode, words: str, cure: str
) -> None:
    told = why_not(facts, mode)
    assert re.search(words, told.reason)
    assert cure in told.cure
    assert "a desk of its own (a local one gets it by ASKFIRST_DESK=local in its environment)" in told.cure
