from askfirst.core.folding import fold
from askfirst.core.vocabulary import ASKING, HANDLING, MAKING, OTHER_MEANING, TERMS, Kind


def test_every_kind_of_secret_has_terms() -> None:
    assert set(TERMS) == set(Kind)


def test_no_term_is_empty_or_listed_twice() -> None:
    entries = [entry.strip() for listed in TERMS.values() for entry in listed.split(",")]
    assert all(entry.strip("~?=* ") for entry in entries)
    assert [one for one in set(entries) if entries.count(one) > 1] == []


def test_every_term_has_letters_left_when_it_is_folded() -> None:
    for listed in TERMS.values():
        for entry in listed.split(","):
            assert all(fold(piece.strip("~?=*")).isalnum() for piece in entry.split())


def test_a_word_that_asks_is_none_that_turns_the_meaning() -> None:
    assert not set(ASKING.split()) & {*HANDLING.split(), *MAKING.split()}


def test_other_meanings_belong_to_kinds() -> None:
    assert set(OTHER_MEANING) <= set(Kind)
