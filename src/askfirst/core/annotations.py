"""One annotation -> one field, and the way back from a checked value to what the annotation promises."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import gt, lt
from typing import NamedTuple

from .fields import Field, Label, NumberField
from .kinds import Convert, read_kind
from .marks import NOTHING, Marks, read_marks
from .wrappings import unwrap

__all__ = ["Asked", "Part", "Rule", "read_annotation"]


class Asked(NamedTuple):
    """One thing that a type asks for, whatever kind of type it is.

    `marks` stand beside the annotation; `default` is what the type itself puts in, or NOTHING; `omissible`: the
    type needs no value; `enforced`: the type checks and converts by itself when it is built.
    """

    name: str
    annotation: object
    marks: tuple[object, ...] = ()
    default: object = NOTHING
    omissible: bool = False
    enforced: bool = False
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A limit that no form can carry, for when the answer is there: `expected` says it in words."""

    what: str
    expected: str
    test: Callable[..., bool]


class Part(NamedTuple):
    """A field, and how its value becomes what the annotation promises.

    `blank` is what stands for an answer left out, or NOTHING where the type has its own default.
    """

    field: Field
    convert: Convert | None
    rules: tuple[Rule, ...]
    blank: object


def read_annotation(asked: Asked) -> Part:
    """The field that an annotation asks for.

    Raises:
        NoField: It is not flat and primitive, or something about it can't be kept.
    """
    name, annotation, beside, default, omissible, enforced, title, description = asked
    bare = unwrap(annotation)
    marks = read_marks(bare.marks + beside, enforced=enforced)
    blank = NOTHING
    if default is NOTHING and not enforced and marks.default is not NOTHING:
        default = blank = marks.default
    if bare.required is not None:
        omissible = not bare.required
    if default is NOTHING and bare.optional and not omissible:
        blank = None
    label: Label = (
        name,
        marks.title if title is None else title,
        marks.description if description is None else description,
        default is NOTHING and not bare.optional and not omissible,
    )
    field, convert = read_kind(bare, label, marks, NOTHING if default is None else default)
    rules: tuple[Rule, ...] = ()
    if marks.bounds and isinstance(field, NumberField) and not enforced:
        rules = tuple(_rules(field, marks))
    return Part(field, convert, rules, blank)


def _rules(number: NumberField, marks: Marks) -> Iterator[Rule]:
    """The limits that the field itself does not hold."""
    if not number.integer:
        for bound in marks.all("gt"):
            yield Rule("exclusiveMinimum", f"more than {bound}", partial(lt, bound))
        for bound in marks.all("lt"):
            yield Rule("exclusiveMaximum", f"less than {bound}", partial(gt, bound))
    for step in marks.all("multiple_of"):
        yield Rule("multipleOf", f"a multiple of {step}", lambda value, step=step: value % step == 0)
