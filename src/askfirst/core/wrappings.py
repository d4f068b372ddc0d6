"""What stands around a type in an annotation, taken off."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Final, Literal, NewType, NotRequired, Required, Union, get_args, get_origin

__all__ = ["Bare", "is_settled", "unwrap"]


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
        if isinstance(bare.kind, _ANNOTATED):  # the most frequent ones go first, in half the time
            bare.kind, marks = _in_annotated(bare.kind)
            bare.marks = marks + bare.marks
            continue
        if isinstance(bare.kind, _LITERAL):
            bare.origin, bare.inside = Literal, _in_literal(bare.kind)
            bare.optional = bare.optional or None in bare.inside
            return bare
        if type(bare.kind) is GenericAlias:
            bare.origin, bare.inside = _in_generic(bare.kind)
            return bare
        bare.origin, bare.inside = get_origin(bare.kind), get_args(bare.kind)
        if not _peel(bare):
            return bare
    bare.origin, bare.inside = None, ()
    return bare


def is_settled(annotation: object) -> bool:
    """Whether there is no name left in it to look up."""
    if isinstance(annotation, type):
        return True
    if isinstance(annotation, _ANNOTATED):
        return is_settled(_in_annotated(annotation)[0])
    if isinstance(annotation, _LITERAL):
        return True
    inside = get_args(annotation)
    return bool(inside) and all(map(is_settled, inside))


_ANNOTATED: Final = type(Annotated[int, 0])
_LITERAL: Final = type(Literal[0])
_in_literal: Final[Callable[[object], tuple[object, ...]]] = attrgetter("__args__")
_in_generic: Final[Callable[[object], tuple[object, tuple[object, ...]]]] = attrgetter(
    "__origin__", "__args__"
)
_in_annotated: Final[Callable[[object], tuple[object, tuple[object, ...]]]] = attrgetter(
    "__origin__", "__metadata__"
)


def _peel(bare: Bare) -> bool:
    """Take off one wrapping, if there is one."""
    kind, origin, inside = bare.kind, bare.origin, bare.inside
    if origin is Union or origin is UnionType:
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
        return False
    return True
