"""What a type asks for: the fields of a dataclass, a pydantic model, a TypedDict, or one value.

Pydantic is known by what its classes carry (`__pydantic_fields__`), so that nothing here imports it.

A default is shown and may be kept, so its field is not required. A `default_factory` is called once, when the form
is derived, for a list of choices alone: any other fresh value would be a stale one by the time it is shown. Such a
field may be left out too, and then the type makes its value when the answer is built.
"""

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import get_annotations
from operator import itemgetter
from types import SimpleNamespace
from typing import Protocol, TypeGuard, get_type_hints

from .annotations import Asked
from .errors import Problem
from .marks import NOTHING
from .refusals import name_of
from .wrappings import is_settled, unwrap

__all__ = ["VALUE", "Definition", "is_model", "is_record", "is_typed_dict", "read_definition"]

VALUE = "value"
"""The name of the only field of a form that asks for one value."""


@dataclass(slots=True)
class Definition:
    """What a type asks for.

    `make` makes an instance from values by name. `problems` are those that no single annotation has. `converts`: the
    values are converted before the instance is made; a pydantic model does that by itself, unless it is strict and
    takes no text for an Enum or a date.
    """

    name: str
    make: Callable[[Mapping[str, object]], object]
    asked: list[Asked] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    converts: bool = True


class _PydanticField(Protocol):
    annotation: object
    metadata: list[object]
    title: str | None
    description: str | None
    default: object
    default_factory: Callable[[], object] | None
    alias: str | None
    validation_alias: object


def is_model(schema: object) -> TypeGuard[type]:
    """Whether this is a pydantic model or a pydantic dataclass, which checks and converts by itself."""
    return isinstance(schema, type) and hasattr(schema, "__pydantic_fields__")


def is_record(schema: object) -> TypeGuard[type]:
    """Whether this is a dataclass of the standard library."""
    return isinstance(schema, type) and dataclasses.is_dataclass(schema) and not is_model(schema)


def is_typed_dict(schema: object) -> TypeGuard[type]:
    """Whether this is a TypedDict, of typing or of typing_extensions."""
    return isinstance(schema, type) and issubclass(schema, dict) and hasattr(schema, "__required_keys__")


def read_definition(schema: object) -> Definition:
    """What this type asks for, in the order in which it was written."""
    if is_model(schema):
        return _model(schema)
    if isinstance(schema, type) and dataclasses.is_dataclass(schema):
        return _record(schema)
    if is_typed_dict(schema):
        return _typed_dict(schema)
    return Definition(name_of(schema), itemgetter(VALUE), [Asked(VALUE, schema)])


def _record(kind: type) -> Definition:
    definition = Definition(kind.__name__, lambda given: kind(**given))
    fields = dataclasses.fields(kind)
    settled = _settled_hints(kind, fields)
    hints = _hints(kind, definition) if settled is None else settled
    if settled is None:
        definition.problems.extend(_fields_of_no_dataclass(kind, hints))
    for one in fields:
        if one.init and one.name in hints:
            hint, words = hints[one.name], one.metadata
            title, description = (
                (_word(words, "title"), _word(words, "description")) if words else (None, None)
            )
            default = _default_of(one, hint, definition)
            definition.asked.append(Asked(one.name, hint, (), default, False, False, title, description))
    if settled is None:
        definition.problems.extend(_init_vars(kind, hints))
    return definition


def _settled_hints(kind: type, fields: tuple[dataclasses.Field[object], ...]) -> dict[str, object] | None:
    """The annotations of a dataclass that is based on no other class, if nothing is left to look up in them, nor
    anything among them that is no field: `dataclasses` has read them already.
    """
    known: Mapping[str, object] = kind.__dict__.get("__dataclass_fields__", {})
    if kind.__bases__ == (object,) and len(known) == len(fields):
        hints: dict[str, object] = {one.name: one.type for one in fields}
        if all(map(is_settled, hints.values())):
            return hints
    return None


def _word(metadata: Mapping[object, object], name: str) -> str | None:
    word = metadata.get(name)
    return word if isinstance(word, str) else None


def _default_of(one: dataclasses.Field[object], hint: object, definition: Definition) -> object:
    default = one.default
    if default is dataclasses.MISSING:
        if one.default_factory is dataclasses.MISSING:
            return NOTHING
        return one.default_factory() if _is_list(hint) else None
    if type(default).__name__ == "FieldInfo":
        problem = "Annotated[..., Field(...)], since a dataclass takes Field(...) for the value itself"
        definition.problems.append(Problem(one.name, "default", problem, "Field(...) as the default"))
        return None
    return default


def _is_list(hint: object) -> bool:
    return unwrap(hint).origin is list


def _fields_of_no_dataclass(kind: type, hints: Mapping[str, object]) -> Iterator[Problem]:
    known: Mapping[str, object] = getattr(kind, "__dataclass_fields__", {})
    if "__dataclass_fields__" not in kind.__dict__ and hints.keys() - known.keys():
        expected = "@dataclass right above the class, below @form"
        yield Problem("", "annotation", expected, "fields of no dataclass")


def _init_vars(kind: type, hints: Mapping[str, object]) -> Iterator[Problem]:
    for name, hint in hints.items():
        if isinstance(hint, dataclasses.InitVar) and not hasattr(kind, name):
            yield Problem(
                name, "annotation", "a field, or an InitVar with a default", "an InitVar without one"
            )


def _typed_dict(kind: type) -> Definition:
    definition = Definition(kind.__name__, lambda given: given)
    hints = _hints(kind, definition)
    required: frozenset[str] = getattr(kind, "__required_keys__", frozenset())
    definition.asked = [Asked(name, hint, omissible=name not in required) for name, hint in hints.items()]
    return definition


def _hints(kind: type, definition: Definition) -> dict[str, object]:
    """The annotations that mean something, also those that are text (`from __future__ import annotations`)."""
    try:
        hints = {
            name: hint for base in reversed(kind.__mro__) for name, hint in get_annotations(base).items()
        }
        if hints and all(map(is_settled, hints.values())):  # which is found out in a fraction of the time
            return hints
        return get_type_hints(kind, include_extras=True)
    except _UNRESOLVABLE as error:
        hints = {}
        problems = list(_one_by_one(kind, hints))
        definition.problems.extend(problems or [_unresolvable("", error)])
        return hints


_UNRESOLVABLE = (NameError, AttributeError, SyntaxError, TypeError)


def _one_by_one(kind: type, hints: dict[str, object]) -> Iterator[Problem]:
    for base in reversed(kind.__mro__):
        scope = getattr(sys.modules.get(base.__module__), "__dict__", {})
        for name, annotation in base.__dict__.get("__annotations__", {}).items():  # noqa: RUF063  it would evaluate
            probe = SimpleNamespace(__annotations__={name: annotation})
            try:
                hints |= get_type_hints(probe, scope, dict(vars(base)), include_extras=True)
            except _UNRESOLVABLE as error:
                yield _unresolvable(name, error)


def _unresolvable(name: str, error: Exception) -> Problem:
    expected = "an annotation whose names are known at the top of its module (move the class, or what it names, there)"
    unknown = getattr(error, "name", None)
    return Problem(
        name, "annotation", expected, f"the unknown name {unknown}" if unknown else "one that fails"
    )


def _model(kind: type) -> Definition:
    validate: Callable[[Mapping[str, object]], object] | None = getattr(kind, "model_validate", None)
    definition = Definition(kind.__name__, validate or (lambda given: kind(**given)))
    config: Mapping[str, object] | None = getattr(kind, "model_config", None)
    if config is None:
        config = getattr(kind, "__pydantic_config__", None) or {}
    definition.converts = bool(config.get("strict"))
    if not getattr(kind, "__pydantic_complete__", True):
        rebuild: Callable[..., object] | None = getattr(kind, "model_rebuild", None)
        if rebuild is not None:
            rebuild(raise_errors=False)
    if getattr(kind, "__pydantic_root_model__", False):
        definition.problems.append(Problem("", "annotation", "the type inside it", "a root model"))
        return definition
    fields: dict[str, _PydanticField] = getattr(kind, "__pydantic_fields__", {})
    by_alias = config.get("validate_by_alias", True)
    for name, info in fields.items():
        if getattr(info, "init", None) is False:
            continue
        alias = info.validation_alias if by_alias else None
        if alias is None:
            alias = name
        elif not isinstance(alias, str):
            definition.problems.append(Problem(name, "alias", "an alias of one name", type(alias).__name__))
            continue
        marks = tuple(info.metadata)
        if marks and not definition.converts:
            definition.converts = any(getattr(mark, "strict", None) for mark in marks)
        default = _model_default(info)
        definition.asked.append(
            Asked(alias, info.annotation, marks, default, False, True, info.title, info.description)
        )
    return definition


def _model_default(info: _PydanticField) -> object:
    factory, default = info.default_factory, info.default
    if factory is not None:
        takes_data = getattr(info, "default_factory_takes_validated_data", False)
        return factory() if _is_list(info.annotation) and not takes_data else None
    return NOTHING if type(default).__name__ == "PydanticUndefinedType" else default
