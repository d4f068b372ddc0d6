"""The official SDK's server: `@askable` under `@mcp.tool()`, `@mcp.prompt()` and `@mcp.resource("…{template}")`.

The SDK calls a function with its arguments and a `Context`, and takes an `InputRequiredResult` as well as a result.
So `askable` gives it a function that has a context and no `ask`, and drives the real one in whichever way the
connection's era has. Only the SDK's public surface is used.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, TypeVar, overload

from mcp.server.mcpserver import Context

from askfirst.core.errors import AuthorError

from .mcpserver_driver import Driver
from .mcpserver_signature import plan_for
from .settings import Asking

__all__ = ["askable"]

F = TypeVar("F", bound=Callable[..., Awaitable[Any]])

_DEFAULT: Final = Asking()
"""One for all functions that are given none: they share the places of this process, and its desk."""


@overload
def askable(function: F, /) -> F: ...
@overload
def askable(*, asking: Asking = ..., resume: Literal["pause", "replay"] = ...) -> Callable[[F], F]: ...


def askable(
    function: Callable[..., Awaitable[Any]] | None = None,
    /,
    *,
    asking: Asking = _DEFAULT,
    resume: Literal["pause", "replay"] = "pause",
) -> Any:
    """Let an async tool, prompt or resource template ask the person in the middle of its work.

    Stands under the SDK's own decorator. The function has a parameter annotated `Ask`, or parameters marked with
    `Fill`, or both; neither `ask` nor what only a person may give is shown to the caller. On a connection of a
    legacy revision the body waits inside `ask`; on a modern one the call returns with the question and is made again
    (multi round-trip requests): with `resume="pause"` the same body goes on where it was, exactly once; with
    `resume="replay"` nothing is held and the body runs again from the top with the answers already given.

    Raises:
        AuthorError: The function can't be asked from; found when it is defined.
    """
    if resume not in ("pause", "replay"):
        raise AuthorError(f'resume is "pause" or "replay", got {resume!r}')

    def decorate(asker: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        return _shown_to_sdk(Driver(plan_for(asker), asking, resume))

    return decorate if function is None else decorate(function)


def _shown_to_sdk(driver: "Driver") -> Callable[..., Awaitable[Any]]:
    plan = driver.plan

    async def call(*bound: Any, **arguments: Any) -> Any:
        context = arguments.pop(plan.context, None)
        if not isinstance(context, Context):
            raise AuthorError(
                f"{plan.name}: it is called by the SDK, which knows the client to ask; to call it from your own code "
                "too, keep the function that @askable was put on, and give that one the `ask` that you have"
            )
        return await driver.bound_to(bound).call(context, arguments)

    call.__name__ = plan.name
    call.__qualname__ = plan.written.__qualname__
    call.__doc__ = plan.written.__doc__
    call.__module__ = plan.written.__module__
    call.__signature__ = plan.signature  # type: ignore[attr-defined]  # inspect reads it, and no stub has it
    call.__annotations__ = {one.name: one.annotation for one in plan.signature.parameters.values()}
    if plan.signature.return_annotation is not plan.signature.empty:
        call.__annotations__["return"] = plan.signature.return_annotation
    return call
