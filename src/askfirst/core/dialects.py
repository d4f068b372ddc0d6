"""What each revision's forms can carry, as data; and how a form goes through one that carries less, and back.

How a form is made smaller for a dialect:

1. A choice of several, where there is none, becomes a flag for each choice, in the order of the choices and in the
   place of the field. Flags are never required: many clients take a required flag for one that must be ticked.
2. A default that the dialect has no place for goes, so that the form is what its reader will show.
3. Titles of choices stay: `core.schema` writes them in the shape that the dialect has.

And how the content of such a form comes back:

4. Flags of one group become the list of the choices ticked. If any of them was answered, the others count as not
   ticked; if none was, the whole field is absent, and a required one is missing.
5. Counts can't be said with flags, save in the description. The original form's own check enforces them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import is_
from types import MappingProxyType
from typing import Final

from .answers import Content
from .fields import ChoicesField, Field, FlagField, Form
from .revisions import Dialect

__all__ = ["ABILITIES", "Abilities", "Converted", "convert"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a revision's official schema lists for a form.

    `titled`: choices with titles as `oneOf`; without it, as `enumNames`. `many`: choices of several. `defaults`:
    of every kind of field; without it, of flags alone. `declares`: `$schema` at the root.
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


@dataclass(frozen=True, slots=True)
class Converted:
    """A form as a dialect can carry it. `groups`: for each field that became flags, its flags and their values."""

    form: Form
    groups: Mapping[str, Mapping[str, str]]

    def restore(self, content: Content) -> Content:
        """Content of the original form, from content that passed `core.checking.check` with `form`.

        It must still pass a check with the original form, which knows more rules. Fields that `form` does not
        have are left out.
        """
        restored: Content = {}
        flags = {flag for group in self.groups.values() for flag in group}
        for one in self.form.fields:
            if one.name in content and one.name not in flags:
                restored[one.name] = content[one.name]
        for name, group in self.groups.items():
            if not group.keys().isdisjoint(content):
                restored[name] = [value for flag, value in group.items() if content.get(flag) is True]
        return restored


def convert(form: Form, dialect: Dialect) -> Converted:
    """The form in what the dialect can carry, and the way back; a form that fits as it is comes back itself.

    Every form can be carried by every dialect of today, so nothing is refused here.
    """
    abilities = ABILITIES[dialect]
    if abilities.many and abilities.defaults:
        return Converted(form, {})
    taken = {one.name for one in form.fields}
    fields: list[Field] = []
    groups: dict[str, Mapping[str, str]] = {}
    for one in form.fields:
        if isinstance(one, ChoicesField) and not abilities.many:
            flags = _flags(one, taken)
            fields.extend(flags)
            groups[one.name] = {
                flag.name: choice.value for flag, choice in zip(flags, one.choices, strict=True)
            }
        elif one.default is not None and not (abilities.defaults or isinstance(one, FlagField)):
            fields.append(one._replace(default=None))
        else:
            fields.append(one)
    if not groups and all(map(is_, fields, form.fields)):
        return Converted(form, groups)
    return Converted(replace(form, fields=tuple(fields)), groups)


def _flags(several: ChoicesField, taken: set[str]) -> list[FlagField]:
    description = _description(several)
    labels = Counter(choice.label for choice in several.choices)
    flags: list[FlagField] = []
    for number, choice in enumerate(several.choices, start=1):
        label = choice.label if labels[choice.label] == 1 else f"{choice.label} ({choice.value})"
        default = None if several.default is None else choice.value in several.default
        name = _free_name(f"{several.name}_{number}", taken)
        flags.append(FlagField(name=name, title=label, description=description, default=default))
    return flags


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _description(several: ChoicesField) -> str:
    """Which question a flag belongs to, for it may be shown without its siblings."""
    low, high = several.min_items or 0, several.max_items
    group = several.name if several.title is None else several.title
    if high is not None and high < len(several.choices):
        group += f" (choose {low} to {high})" if low < high else f" (choose {high})"
    elif low > 0:
        group += f" (choose at least {low})"
    return group if several.description is None else f"{group}: {several.description}"
