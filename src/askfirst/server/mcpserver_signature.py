"""What the SDK is shown of a function that asks: its arguments and a `Context`, but no `ask`."""

import inspect
import typing
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import MISSING, dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve
from pydantic import Field, WithJsonSchema, WrapValidator

from askfirst.core.errors import AuthorError
from askfirst.core.wrappings import unwrap

from .asking import Ask
from .filling import ABSENT, Fill, FillPlan

__all__ = ["Plan", "plan_for"]

T = TypeVar("T")

_CONTEXT = "askfirst_context"


@dataclass(frozen=True)
class Plan:
    """How to call one function: the names of its `ask` and context parameters, its fills, what the SDK sees.

    `written` is the `def` that it comes from.
    """

    function: Callable[..., Awaitable[Any]]
    written: Callable[..., Any]
    name: str
    ask: str | None
    context: str
    wants_context: bool
    fills: FillPlan | None
    signature: inspect.Signature

    @property
    def entry(self) -> str:
        """Where the function stands, the same in each process."""
        return f"{self.written.__module__}.{self.written.__qualname__}"


def plan_for(function: Callable[..., Any]) -> Plan:
    """Read a function's signature once, when it is defined.

    Raises:
        AuthorError: It is not async, its annotations can't be read, or its parameters can't work together.
        InvalidForm: A `Fill` parameter is not one value that a form can ask for.
    """
    if isinstance(function, classmethod | staticmethod):
        kind = type(function).__name__
        raise AuthorError(
            f"{function.__name__}: @{kind} stands above @askable, and @askable right on the function"
        )
    name, written = _as_written(function)
    if not inspect.iscoroutinefunction(written):
        raise AuthorError(f"{name}: a function that asks has to wait, so it must be async def")
    try:
        hints = typing.get_type_hints(written, include_extras=True)
    except (NameError, TypeError) as fault:
        raise AuthorError(f"{name}: its annotations can't be read when it is defined ({fault})") from fault
    bound = inspect.signature(function).parameters
    itself = next((one for one in bound if one in ("self", "cls") and one not in hints), None)
    parameters = {key: one for key, one in bound.items() if key != itself}
    _refuse_misplaced(name, parameters, hints)
    asks = [one for one in parameters if unwrap(hints.get(one)).kind is Ask]
    contexts = [one for one in parameters if _is_context(hints.get(one))]
    if len(asks) > 1 or len(contexts) > 1:
        raise AuthorError(f"{name}: at most one Ask and one Context, got {len(asks)} and {len(contexts)}")
    fills = _fills(name, parameters, hints)
    if not asks and fills is None:
        raise AuthorError(
            f"{name}: nothing in it asks; add a parameter `ask: Ask`, or mark one: "
            '`day: Annotated[str, Fill("Which day?")]`'
        )
    _refuse_odd(name, parameters, hints)
    context = contexts[0] if contexts else _unused(_CONTEXT, parameters)
    shown = [_shown(one, hints, fills) for key, one in parameters.items() if key not in (*asks, context)]
    shown.append(inspect.Parameter(context, inspect.Parameter.KEYWORD_ONLY, annotation=Context))
    if itself is not None:
        shown.insert(0, bound[itself])
    signature = inspect.Signature(
        [one for one in shown if one is not None],
        return_annotation=hints.get("return", inspect.Signature.empty),
    )
    ask = asks[0] if asks else None
    return Plan(function, written, name, ask, context, bool(contexts), fills, signature)


def _as_written(function: Callable[..., Any]) -> tuple[str, Callable[..., Any]]:
    """The name and the `def` of a function, of a part of one, or of an object that is called like one."""
    while isinstance(function, partial):
        function = function.func
    if inspect.isroutine(function):
        return function.__name__, function
    return type(function).__name__, getattr(function, "__call__", function)  # noqa: B004  it is what to read


def _unused(name: str, names: Container[str]) -> str:
    while name in names:
        name += "_"
    return name


def _is_context(hint: Any) -> bool:
    kind = unwrap(hint).kind
    return isinstance(kind, type) and issubclass(kind, Context)


def _fills(
    name: str, parameters: Mapping[str, inspect.Parameter], hints: Mapping[str, Any]
) -> FillPlan | None:
    given = {
        key: (hints[key], mark, _default(one))
        for key, one in parameters.items()
        if (mark := _mark(hints.get(key), Fill)) is not None
    }
    return FillPlan.of(name, given) if given else None


def _mark(hint: Any, kind: type[T]) -> T | None:
    return next((one for one in unwrap(hint).marks if isinstance(one, kind)), None)


def _is_lost(hint: Any) -> bool:
    """Whether there is a `Fill` in this annotation where nothing reads it."""
    marks = unwrap(hint).marks
    return isinstance(hint, Fill) or Fill in marks or any(map(_has_fill, unwrap(hint).inside))


def _has_fill(hint: Any) -> bool:
    return _mark(hint, Fill) is not None or _is_lost(hint)


def _default(parameter: inspect.Parameter) -> object:
    return MISSING if parameter.default is inspect.Parameter.empty else parameter.default


def _refuse_misplaced(
    name: str, parameters: Mapping[str, inspect.Parameter], hints: Mapping[str, Any]
) -> None:
    for key, one in parameters.items():
        if isinstance(one.default, Fill) or _is_lost(hints.get(key)):
            raise AuthorError(
                f"{name}: parameter {key} has its Fill where nothing reads it; write "
                f'`{key}: Annotated[str, Fill("...")]`, with the question in it and the type you need'
            )


def _refuse_odd(name: str, parameters: Mapping[str, inspect.Parameter], hints: Mapping[str, Any]) -> None:
    for key, one in parameters.items():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
            raise AuthorError(f"{name}: parameter {key} must have a name of its own to be a tool's argument")
        if _mark(hints.get(key), Resolve) is not None:
            raise AuthorError(
                f"{name}: parameter {key} uses Resolve(...), which has the call's one way to ask for itself; "
                "ask in the body, or mark the parameter with Fill(...)"
            )


def _shown(
    parameter: inspect.Parameter, hints: Mapping[str, Any], fills: FillPlan | None
) -> inspect.Parameter | None:
    """One parameter as the SDK sees it; None where the caller can't give it."""
    name = parameter.name
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    if fills is None or name not in fills.marks:
        return parameter.replace(kind=keyword_only, annotation=hints.get(name, parameter.annotation))
    if fills.marks[name].person_only:
        return None
    # The schema says what is right; what comes is checked by our own rules, like an answer. `str` keeps the SDK
    # from reading text as JSON.
    annotation = Annotated[str, WithJsonSchema(fills.argument_schema(name)), WrapValidator(_as_it_is)]
    # A default that is made and not written: null would not fit the type that the schema says.
    return parameter.replace(
        kind=keyword_only, annotation=annotation, default=Field(default_factory=lambda: ABSENT)
    )


def _as_it_is(value: Any, _handler: Callable[[Any], Any]) -> Any:
    return value
