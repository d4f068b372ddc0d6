"""What the SDK is shown of a function that asks: its arguments and a `Context`, but no `ask`."""

import inspect
import typing
from collections.abc import Awaitable, Callable
from dataclasses import MISSING, dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve
from pydantic import Field, WithJsonSchema, WrapValidator

from askfirst.core.errors import AuthorError

from .asking import Ask
from .filling import Fill, FillPlan

__all__ = ["Plan", "plan_for"]

_CONTEXT = "askfirst_context"


@dataclass(frozen=True)
class Plan:
    """How to call one function: the names of its `ask` and context parameters, its fills, what the SDK sees."""

    function: Callable[..., Awaitable[Any]]
    name: str
    ask: str | None
    context: str
    wants_context: bool
    fills: FillPlan | None
    signature: inspect.Signature


def plan_for(function: Callable[..., Any]) -> Plan:
    """Read a function's signature once, when it is defined.

    Raises:
        AuthorError: It is not async, its annotations can't be read, or its parameters can't work together.
        InvalidForm: A `Fill` parameter is not one value that a form can ask for.
    """
    name = getattr(function, "__name__", type(function).__name__)
    if not inspect.iscoroutinefunction(function):
        raise AuthorError(f"{name}: a function that asks has to wait, so it must be async def")
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as fault:
        raise AuthorError(f"{name}: its annotations can't be read when it is defined ({fault})") from fault
    parameters = inspect.signature(function).parameters
    _refuse_misplaced(name, parameters, hints)
    asks = [one for one in parameters if hints.get(one) is Ask]
    contexts = [one for one in parameters if _is_context(hints.get(one))]
    if len(asks) > 1 or len(contexts) > 1:
        raise AuthorError(f"{name}: at most one Ask and one Context, got {len(asks)} and {len(contexts)}")
    marked = {one: mark for one in parameters if (mark := _mark(hints.get(one), Fill)) is not None}
    if not asks and not marked:
        raise AuthorError(
            f"{name}: nothing in it asks; add a parameter `ask: Ask`, or mark one: "
            '`day: Annotated[str, Fill("Which day?")]`'
        )
    _refuse_odd(name, parameters, hints)
    fills = None
    if marked:
        given = {one: (hints[one], mark, _default(parameters[one])) for one, mark in marked.items()}
        fills = FillPlan.of(name, given)
    context = contexts[0] if contexts else _CONTEXT
    shown = [_shown(one, hints, fills) for key, one in parameters.items() if key not in (*asks, context)]
    shown.append(inspect.Parameter(context, inspect.Parameter.KEYWORD_ONLY, annotation=Context))
    signature = inspect.Signature(
        [one for one in shown if one is not None],
        return_annotation=hints.get("return", inspect.Signature.empty),
    )
    return Plan(function, name, asks[0] if asks else None, context, bool(contexts), fills, signature)


def _is_context(hint: Any) -> bool:
    return inspect.isclass(typing.get_origin(hint) or hint) and issubclass(
        typing.get_origin(hint) or hint, Context
    )


def _mark(hint: Any, kind: type[Any]) -> Any:
    return next((one for one in _metadata(hint) if isinstance(one, kind)), None)


def _metadata(hint: Any) -> tuple[Any, ...]:
    return hint.__metadata__ if typing.get_origin(hint) is Annotated else ()


def _default(parameter: inspect.Parameter) -> object:
    return MISSING if parameter.default is inspect.Parameter.empty else parameter.default


def _refuse_misplaced(
    name: str, parameters: "typing.Mapping[str, inspect.Parameter]", hints: dict[str, Any]
) -> None:
    for key, one in parameters.items():
        if (
            isinstance(one.default, Fill)
            or isinstance(hints.get(key), Fill)
            or Fill in _metadata(hints.get(key))
        ):
            raise AuthorError(
                f"{name}: parameter {key} has its Fill where nothing reads it; write "
                f'`{key}: Annotated[str, Fill("...")]`, with the question in it and the type you need'
            )


def _refuse_odd(
    name: str, parameters: "typing.Mapping[str, inspect.Parameter]", hints: dict[str, Any]
) -> None:
    for key, one in parameters.items():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
            raise AuthorError(f"{name}: parameter {key} must have a name of its own to be a tool's argument")
        if _mark(hints.get(key), Resolve) is not None:
            raise AuthorError(
                f"{name}: parameter {key} uses Resolve(...), which has the call's one way to ask for itself; "
                "ask in the body, or mark the parameter with Fill(...)"
            )


def _shown(
    parameter: inspect.Parameter, hints: dict[str, Any], fills: FillPlan | None
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
        kind=keyword_only, annotation=annotation, default=Field(default_factory=lambda: None)
    )


def _as_it_is(value: Any, _handler: Callable[[Any], Any]) -> Any:
    return value
