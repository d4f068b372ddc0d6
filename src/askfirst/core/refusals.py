"""What can't be a field, and what to write instead."""

import dataclasses
from collections.abc import Collection, Mapping
from enum import Enum
from types import UnionType
from typing import Any, Final, ForwardRef, Literal, NoReturn, TypeVar, Union, get_args, get_origin

from .marks import NoField

__all__ = ["NOT_IN_A_FORM", "name_of", "refuse"]

NOT_IN_A_FORM: Final = (
    "url mode (ask.secret, at a server with a desk, or ask.visit), where a secret goes to you alone"
)
"""The cure for a secret (client/elicitation, "Security Considerations")."""

_ALL: Final = (
    "one of str, int, float, bool, date, datetime, a Literal of text, an Enum of text, or a list of those two"
)
_SECRET: Final = frozenset({"Secret", "SecretBytes", "SecretStr"})
_BY_NAME: Final = {
    "Decimal": "float, or str with a pattern",
    "bytes": "str, or a url to visit where a file can be given",
    "bytearray": "str, or a url to visit where a file can be given",
    "Path": "str",
    "UUID": "str",
    "time": "str, or datetime",
    "timedelta": "int or float, with the unit in its description",
    "complex": "two fields of float",
    "NaiveDatetime": "datetime: a date-time always has a zone",
    "NoneType": "no field at all: a form without fields is a plain yes or no",
}


def name_of(kind: object) -> str:
    """A type as its author wrote it, as nearly as can be told."""
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("typing.", "")


def refuse(kind: object) -> NoReturn:
    """Say why this can't be a field, and what could.

    Raises:
        NoField: Always.
    """
    if isinstance(kind, type) and kind.__name__ in _SECRET:
        raise NoField("secret", NOT_IN_A_FORM, name_of(kind))
    what, cure = _cure(kind)
    raise NoField("annotation", cure, what)


def _cure(kind: object) -> tuple[str, str]:
    name = name_of(kind)
    if kind is Any or kind is object:
        return name, f"a type that says what to ask for: {_ALL}"
    if isinstance(kind, str | ForwardRef):
        return f"the name {name}, which means nothing there", "an annotation that can be resolved"
    if isinstance(kind, TypeVar):
        return f"the type variable {name}", f"a type of its own: {_ALL}"
    if get_origin(kind) in (Union, UnionType):
        return (
            f"the union {name}",
            "one type, or one Literal with all the choices, or two fields that may be left out",
        )
    if get_origin(kind) is Literal:
        return (
            f"{name}, whose values are not all text",
            "a Literal of text, turned into what you need afterwards",
        )
    return _cure_of_class(kind, get_origin(kind) or kind, name)


def _cure_of_class(kind: object, origin: object, name: str) -> tuple[str, str]:
    if not isinstance(origin, type):
        return name, _ALL
    if issubclass(origin, Enum):
        return (
            f"{name}, whose values are not all text",
            "an Enum of text, with a label where that is not what to show",
        )
    if _is_model(origin):
        cure = f"one primitive value: ask for the fields of {origin.__name__} one by one, or in a second question"
        return f"{name}, a model inside a form", cure
    if issubclass(origin, Mapping):
        return name, "a field of its own for each key"
    for base in origin.__mro__:
        if base.__name__ in _BY_NAME:
            return name, _BY_NAME[base.__name__]
    if issubclass(origin, Collection) and not issubclass(origin, str):
        inner = f" of {name_of(get_args(kind)[0])}" if origin is list and get_args(kind) else ""
        return (
            f"a free list{inner}" if origin is list else name,
            "list[Literal[...]], a list of an Enum, or one str",
        )
    return name, _ALL


def _is_model(kind: type) -> bool:
    return (
        dataclasses.is_dataclass(kind)
        or hasattr(kind, "__pydantic_fields__")  # a model of pydantic
        or hasattr(kind, "__total__")  # a TypedDict
        or hasattr(kind, "_fields")  # a NamedTuple
    )
