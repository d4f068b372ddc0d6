"""The table of revisions."""

import pytest

from askfirst.core.revisions import NEWEST_DIALECT, OLDEST, REVISIONS, Dialect, Era, Mode, revision


def test_every_dialect_has_a_revision_of_its_own_name() -> None:
    assert {row.dialect: name for name, row in REVISIONS.items()} == {one: one.value for one in Dialect}


@pytest.mark.parametrize(
    ("name", "era", "modes", "ids"),
    [
        ("2025-06-18", Era.LEGACY, {Mode.FORM}, False),
        ("2025-11-25", Era.LEGACY, {Mode.FORM, Mode.URL}, True),
        ("2026-07-28", Era.MODERN, {Mode.FORM, Mode.URL}, False),
    ],
)
def test_a_revision_says_what_its_peers_can_do(name: str, era: Era, modes: set[Mode], ids: bool) -> None:
    row = revision(name)
    assert (row.name, row.era, row.modes, row.elicitation_ids) == (name, era, modes, ids)


@pytest.mark.parametrize("name", ["2024-11-05", "2031-01-01", "", None, "DRAFT"])
def test_an_unknown_revision_behaves_as_the_oldest(name: str | None) -> None:
    assert revision(name) is OLDEST


def test_the_newest_dialect_is_the_last_of_the_table() -> None:
    assert max(row.dialect for row in REVISIONS.values()) is NEWEST_DIALECT
