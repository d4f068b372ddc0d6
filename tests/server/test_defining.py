"""What can't work is found when it is defined, with the cure in the text."""

from typing import Annotated, Any

import pytest
from mcp.server.mcpserver import Context, MCPServer, Resolve

from askfirst import Ask, Asking, Fill, askable
from askfirst.core.errors import AuthorError


async def looked_up() -> str:
    return "looked up"


async def without_a_question(table: str) -> None: ...
def without_waiting(ask: Ask) -> None: ...
async def with_two_asks(ask: Ask, again: Ask) -> None: ...
async def with_two_contexts(ask: Ask, one: Context, two: Context[Any, Any]) -> None: ...
async def with_any_arguments(ask: Ask, *names: str) -> None: ...
async def with_any_names(ask: Ask, **names: str) -> None: ...
async def with_a_nameless_argument(table: str, /, ask: Ask) -> None: ...
async def with_a_resolver(ask: Ask, where: Annotated[str, Resolve(looked_up)]) -> None: ...
async def with_a_name_from_nowhere(ask: Ask, table: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821
async def with_a_form_in_a_form(nested: Annotated[dict[str, str], Fill("Which?")]) -> None: ...


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (without_a_question, "nothing in it asks; add a parameter `ask: Ask`, or mark one: .*Fill"),
        (without_waiting, "it must be async def"),
        (with_two_asks, "at most one Ask and one Context, got 2 and 0"),
        (with_two_contexts, "at most one Ask and one Context, got 1 and 2"),
        (with_any_arguments, "parameter names must have a name of its own"),
        (with_any_names, "parameter names must have a name of its own"),
        (with_a_nameless_argument, "parameter table must have a name of its own"),
        (with_a_resolver, r"parameter where uses Resolve\(...\).*ask in the body, or mark"),
        (with_a_name_from_nowhere, "annotations can't be read when it is defined.*Nowhere"),
        (with_a_form_in_a_form, "nested"),
    ],
)
def test_a_function_that_can_not_ask_is_refused_by_name(function: Any, words: str) -> None:
    with pytest.raises(AuthorError, match=words) as caught:
        askable(function)
    assert function.__name__ in str(caught.value)


def test_there_are_two_ways_to_resume() -> None:
    with pytest.raises(AuthorError, match='resume is "pause" or "replay"'):
        askable(resume="again")  # type: ignore[call-overload]


@pytest.mark.parametrize("patience", [0, -1.0, float("nan")])
def test_patience_is_above_zero(patience: float) -> None:
    with pytest.raises(AuthorError, match="patience is a number of seconds above 0"):
        Asking(patience=patience)


def test_at_least_one_call_may_wait() -> None:
    with pytest.raises(AuthorError, match="max_paused is a whole number from 1"):
        Asking(max_paused=0)


async def unannotated(ask: Ask):  # type: ignore[no-untyped-def]
    """Says what it does."""


def test_what_the_sdk_is_shown_keeps_name_and_words() -> None:
    shown = askable(unannotated)
    assert (shown.__name__, shown.__qualname__, shown.__module__) == ("unannotated", "unannotated", __name__)
    assert shown.__doc__ == "Says what it does."
    assert list(shown.__annotations__) == ["askfirst_context"]


@pytest.mark.anyio
async def test_a_function_without_a_return_type_is_a_tool_all_the_same() -> None:
    mcp = MCPServer("untyped")
    mcp.tool()(askable(unannotated))
    (tool,) = await mcp.list_tools()
    assert (tool.name, tool.output_schema) == ("unannotated", None)
