"""What stands around a type in an annotation, taken off."""

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, NewType, NotRequired, Required, Union, get_args, get_origin

__all__ = ["Bare", "unwrap"]


@dataclass(slots=True)
class Bare:
    """A type without what was around it in its annotation.

    `origin` and `inside` are what `typing` says of the kind. `marks` is the metadata of `Annotated`, innermost first;
    `optional`: None was allowed; `required`: what a TypedDict says of this key alone.
    """

    kind: object
    origin: object = None
    inside: tuple[object, ...] = ()
    marks: tuple[object, ...] = ()
    optional: bool = False
    required: bool | None = None


def unwrap(annotation: object) -> Bare:
    """Take off `Annotated`, `Optional`, `Required`, `NotRequired`, `Final`, new types and names of types."""
    bare = Bare(annotation)
    while not isinstance(bare.kind, type):
        bare.origin, bare.inside = get_origin(bare.kind), get_args(bare.kind)
        if not _peel(bare):
            return bare
    bare.origin, bare.inside = None, ()
    return bare


def _peel(bare: Bare) -> bool:
    """Take off one wrapping, if there is one."""
    kind, origin, inside = bare.kind, bare.origin, bare.inside
    if origin is Annotated:
        bare.kind, bare.marks = inside[0], inside[1:] + bare.marks
    elif origin is Union or origin is UnionType:
        kinds = [one for one in inside if one is not NoneType]
        if len(kinds) != 1:
            return False
        bare.kind, bare.optional = kinds[0], True
    elif origin is Required or origin is NotRequired:
        bare.kind, bare.required = inside[0], origin is Required
    elif origin is Final:
        bare.kind = inside[0]
    elif isinstance(kind, NewType):
        bare.kind = kind.__supertype__
    elif type(kind).__name__ == "TypeAliasType":  # `type X = ...`, of typing or typing_extensions
        bare.kind = getattr(kind, "__value__", None)
    else:
        if origin is Literal and None in inside:
            bare.optional = True
        return False
    return True
