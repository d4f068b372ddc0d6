"""What each revision's forms can carry, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .revisions import Dialect

__all__ = ["ABILITIES", "Abilities"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a revision's official schema lists for a form.

    `titled`: choices with titles as `oneOf`; without it, as `enumNames`. `many`: multi-select. `defaults`: of
    every kind of field; without it, of flags alone. `declares`: `$schema` at the root.
    """

    titled: bool
    many: bool
    defaults: bool
    declares: bool


_FIRST: Final = Abilities(titled=False, many=False, defaults=False, declares=False)
_FULL: Final = Abilities(titled=True, many=True, defaults=True, declares=True)

ABILITIES: Final[Mapping[Dialect, Abilities]] = MappingProxyType(
    {Dialect.D2025_06_18: _FIRST, Dialect.D2025_11_25: _FULL, Dialect.D2026_07_28: _FULL}
)
