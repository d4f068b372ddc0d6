"""A Python type -> a form, once for each type; and an accepted form's content -> an instance of the type.

The type is a dataclass, a pydantic model, a TypedDict, one value (`bool`, `str`, `int`, `float`, `date`, `datetime`, a
`Literal` or `Enum` of text, a list of those two, `Annotated` or optional or not), or a `Form` that is ready. What is
not flat and primitive is refused with everything that is wrong with it, and so is what asks for a secret
(client/elicitation, "Requested Schema" and "Security Considerations"). A docstring is no message: it is not shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, get_args, get_origin, overload

from .annotations import Part, read_annotation
from .answers import Content
from .building import builder
from .definitions import is_model, is_record, is_typed_dict, read_definition
from .dialects import Converted, convert
from .errors import InvalidForm, Problem, SecretInForm
from .fields import Form
from .marks import NoField
from .refusals import NOT_IN_A_FORM
from .revisions import Dialect
from .schema import write_schema
from .screening import secrets_in

__all__ = ["Shape", "form", "shape_of"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_Class = TypeVar("_Class", bound=type)
_Key = TypeVar("_Key")

_KEPT: Final = 1024


@dataclass(frozen=True, slots=True)
class Shape(Generic[T_co]):
    """A type, worked out: the form it asks with, and how content becomes an instance.

    `build` takes values that `core.checking.check` has passed for this form, and may keep them. It raises
    InvalidAnswer where the type's own check (`__post_init__`, a validator) refuses them, without their values.
    `converted` gives the form as a dialect can carry it, and the way back; `schema` is how that is written: the
    same dict each time, which must not be changed.
    """

    form: Form
    build: Callable[[Content], T_co]
    converted: Callable[[Dialect], Converted]
    schema: Callable[[Dialect], dict[str, object]]


class _Conversions(dict[Dialect, Converted]):
    """A form in each dialect, converted when it is first wanted."""

    def __init__(self, ready: Form) -> None:
        self._form = ready

    def __missing__(self, dialect: Dialect) -> Converted:
        made = self[dialect] = convert(self._form, dialect)
        return made


class _Written(dict[Dialect, dict[str, object]]):
    """A form's schemas, each written when it is first wanted. Its `__getitem__` is the fastest look-up there is."""

    def __init__(self, conversions: _Conversions) -> None:
        self._conversions = conversions

    def __missing__(self, dialect: Dialect) -> dict[str, object]:
        written = self[dialect] = write_schema(self._conversions[dialect].form, dialect)
        return written


def _shape(ready: Form, build: Callable[[Content], T]) -> Shape[T]:
    conversions = _Conversions(ready)
    return Shape(ready, build, conversions.__getitem__, _Written(conversions).__getitem__)


def form(kind: _Class) -> _Class:
    """Find out, where a type is defined, whether it can be a form. The class decorator gives it back unchanged.

    Args:
        kind: A dataclass (`@form` stands above `@dataclass`), a pydantic model or a TypedDict.

    Raises:
        InvalidForm: Something in it is not flat or not primitive; every such field is named, with its cure.
        SecretInForm: It asks for a secret, which only url mode may.
    """
    if not (is_record(kind) or is_model(kind) or is_typed_dict(kind)):
        expected = "a dataclass (@form stands above @dataclass), a pydantic model or a TypedDict"
        raise InvalidForm(_headline(kind.__name__), [Problem("", "type", expected, "another class")])
    shape_of(kind)
    return kind


@overload
def shape_of(schema: Form) -> Shape[Content]: ...
@overload
def shape_of(schema: type[T]) -> Shape[T]: ...
@overload
def shape_of(schema: object) -> Shape[object]: ...
def shape_of(schema: object) -> Shape[object]:
    """The shape of a type, derived when it is first met.

    A form that asks for one value has one field, named "value", and `build` gives that value alone.

    Raises:
        InvalidForm: As for `form`.
        SecretInForm: As for `form`.
    """
    if isinstance(schema, type):
        return _of_classes[schema]
    if isinstance(schema, Form):
        return _shape_of_form(schema)
    return _shape_of_annotation(schema)


class _OfClasses(dict[type, Shape[object]]):
    """Shapes by class: a look-up that finds one costs no call."""

    def __missing__(self, kind: type) -> Shape[object]:
        return _keep(self, kind, _derive(kind))


_of_classes: Final = _OfClasses()
_of_annotations: Final[dict[object, Shape[object]]] = {}


def _keep(shapes: dict[_Key, Shape[object]], key: _Key, shape: Shape[object]) -> Shape[object]:
    # Classes made in a function that is called again and again must not pile up.
    if len(shapes) >= _KEPT:
        shapes.clear()
    shapes[key] = shape
    return shape


def _shape_of_annotation(schema: object) -> Shape[object]:
    key = _spelling(schema)
    try:
        known = _of_annotations.get(key)
    except TypeError:  # a mark that has no hash
        return _derive(schema)
    return known or _keep(_of_annotations, key, _derive(schema))


def _spelling(annotation: object) -> object:
    """What tells annotations apart here: two Literals are equal to `typing` whatever the order of their choices."""
    origin = get_origin(annotation)
    return annotation if origin is None else (origin, *map(_spelling, get_args(annotation)))


def _shape_of_form(ready: Form) -> Shape[Content]:
    _refuse("this form", (), ready)
    return _shape(ready, lambda values: values)


def _derive(schema: object) -> Shape[object]:
    definition = read_definition(schema)
    problems = list(definition.problems)
    parts: list[Part] = []
    for asked in definition.asked:
        try:
            parts.append(read_annotation(asked))
        except NoField as error:
            problems.append(Problem(asked.name, error.what, error.expected, error.got))
    fields = tuple([part.field for part in parts])
    try:
        ready = Form(fields)
    except InvalidForm as error:
        problems.extend(error.problems)
        wrong = {problem.field for problem in error.problems}
        ready = Form(tuple(one for one in fields if one.name not in wrong))
    _refuse(definition.name, problems, ready)
    build = builder(definition.make, definition.name, parts, converts=definition.converts)
    return _shape(ready, build)


def _refuse(name: str, problems: Sequence[Problem], ready: Form) -> None:
    """Raise what is wrong with a form, if anything is."""
    secrets = secrets_in("", ready)
    if not (secrets or problems):
        return
    found = [*problems, *(Problem(one.field, "secret", NOT_IN_A_FORM, one.what) for one in secrets)]
    if any(problem.what == "secret" for problem in found):
        raise SecretInForm(f"{name} asks for a secret, which a form must not", found)
    raise InvalidForm(_headline(name), found)


def _headline(name: str) -> str:
    return f"{name} can't be a form, which is flat and holds primitive values alone"
