"""THE table of protocol revisions: the only file that spells a revision's date.

Nobody compares dates. A connection asks `revision(name)` once and carries the row it gets.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

__all__ = ["NEWEST_DIALECT", "OLDEST", "REVISIONS", "Dialect", "Era", "Mode", "Revision", "revision"]


class Era(StrEnum):
    """How a server asks: by a request of its own, or by returning with the question."""

    LEGACY = "legacy"
    MODERN = "modern"


class Mode(StrEnum):
    """The specification's two kinds of question."""

    FORM = "form"
    URL = "url"


class Dialect(StrEnum):
    """What a form may hold on the wire, named after the revision that defines it."""

    D2025_06_18 = "2025-06-18"
    D2025_11_25 = "2025-11-25"
    D2026_07_28 = "2026-07-28"


NEWEST_DIALECT: Final = Dialect.D2026_07_28


@dataclass(frozen=True, slots=True)
class Revision:
    """One row: what a peer that negotiated this revision can do.

    `modes` are the modes the revision has at all; a client still declares which of them it can do.
    `elicitation_ids`: url questions carry an `elicitationId` and get a completion notice.
    """

    name: str
    era: Era
    dialect: Dialect
    modes: frozenset[Mode]
    elicitation_ids: bool


_BOTH = frozenset({Mode.FORM, Mode.URL})

OLDEST: Final = Revision("2025-06-18", Era.LEGACY, Dialect.D2025_06_18, frozenset({Mode.FORM}), False)

REVISIONS: Final[Mapping[str, Revision]] = MappingProxyType(
    {
        row.name: row
        for row in (
            OLDEST,
            Revision("2025-11-25", Era.LEGACY, Dialect.D2025_11_25, _BOTH, True),
            Revision("2026-07-28", Era.MODERN, Dialect.D2026_07_28, _BOTH, False),
        )
    }
)


def revision(name: str | None) -> Revision:
    """The row for a negotiated revision; an unknown one gets the oldest behaviour.

    Args:
        name: The protocol version as negotiated, or None where there was no negotiation.
    """
    return REVISIONS.get(name or "", OLDEST)
