"""What can't work is found when it is defined, with the cure in the text."""

import functools
from typing import Annotated, Any, NewType

import pytest
from mcp.server.mcpserver import Context, MCPServer, Resolve

from askfirst import Ask, Asking, Fill, askable
from askfirst.core.errors import AuthorError
from server.conftest import Connect, Person, text_of


async def looked_up() -> str:
    return "looked up"


Day = Annotated[str, Fill("Which day?")]


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


class Desk:
    """Has its tools as methods."""

    def __init__(self, name: str) -> None:
        self.name = name

    @askable
    async def decorated(self, room: int, ask: Ask) -> str:
        """Say where."""
        return f"{self.name} {room} {(await ask('Sure?', bool)).action}"

    @classmethod
    @askable
    async def of_the_class(cls, room: int, ask: Ask) -> str:
        return f"{cls.__name__} {room} {(await ask('Sure?', bool)).action}"

    async def undecorated(self, room: int, ask: Ask) -> str:
        return f"{self.name} {room} {(await ask('Sure?', bool)).action}"

    async def __call__(self, room: int, ask: Ask) -> str:
        return f"{self.name} {room} {(await ask('Sure?', bool)).action}"


def logged(function: Any) -> Any:
    @functools.wraps(function)
    async def run(*given: Any, **named: Any) -> Any:
        return f"logged {await function(*given, **named)}"

    return run


@askable
@logged
async def decorated_below(room: int, ask: Ask) -> str:
    return f"{room} {(await ask('Sure?', bool)).action}"


@askable
async def with_words_around(
    room: int, ask: Annotated[Ask, "asks"], ctx: Annotated[Context[Any, Any], "knows"]
) -> str:
    return f"{room} {(await ask('Sure?', bool)).action} {ctx.request_context.method}"


@askable
async def with_optional_ones(room: int, ask: Ask | None = None, ctx: Context[Any, Any] | None = None) -> str:
    assert ask is not None
    assert ctx is not None
    return f"{room} {(await ask('Sure?', bool)).action} {ctx.request_context.method}"


@askable
async def with_a_name_of_ours(askfirst_context: str = "mine", *, room: int, ask: Ask) -> str:
    return f"{askfirst_context} {room} {(await ask('Sure?', bool)).action}"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("function", "outcome"),
    [
        (Desk("front").decorated, "front 4 accept"),
        (Desk.of_the_class, "Desk 4 accept"),
        (askable(Desk("front").undecorated), "front 4 accept"),
        (askable(Desk("front")), "front 4 accept"),
        (askable(functools.partial(Desk.undecorated, Desk("back"))), "back 4 accept"),
        (decorated_below, "logged 4 accept"),
        (with_words_around, "4 accept tools/call"),
        (with_optional_ones, "4 accept tools/call"),
        (with_a_name_of_ours, "mine 4 accept"),
    ],
)
async def test_whatever_the_sdk_can_call_can_ask(connect: Connect, function: Any, outcome: str) -> None:
    mcp = MCPServer("shapes")
    mcp.add_tool(function, name="tool")
    (tool,) = await mcp.list_tools()
    assert tool.input_schema["properties"].keys() - {"askfirst_context"} == {"room"}
    async with connect(mcp, Person({"value": True})) as client:
        assert text_of(await client.call_tool("tool", {"room": 4})) == outcome


@pytest.mark.anyio
@pytest.mark.parametrize("annotation", [Day | None, NewType("Day", Day)])
async def test_a_fill_is_found_inside_what_stands_around_it(connect: Connect, annotation: Any) -> None:
    mcp = MCPServer("fills")

    async def book(day: Any) -> str:
        return f"booked for {day}"

    book.__annotations__["day"] = annotation
    mcp.add_tool(askable(book))
    async with connect(mcp, Person({"day": "Friday"})) as client:
        assert text_of(await client.call_tool("book", {})) == "booked for Friday"


@pytest.mark.parametrize("annotation", [list[Day], Day | int, dict[str, list[Day]]])
def test_a_fill_that_is_a_part_of_something_is_told_where_it_belongs(annotation: Any) -> None:
    async def book(day: Any, ask: Ask) -> None: ...

    book.__annotations__["day"] = annotation
    with pytest.raises(AuthorError, match="day has its Fill where nothing reads it"):
        askable(book)


@pytest.mark.parametrize("kind", [classmethod, staticmethod])
def test_the_kind_of_a_method_stands_above(kind: Any) -> None:
    with pytest.raises(AuthorError, match=f"without_a_question: @{kind.__name__} stands above @askable"):
        askable(kind(without_a_question))


@pytest.mark.anyio
async def test_who_calls_a_tool_by_hand_is_told_what_to_call() -> None:
    with pytest.raises(AuthorError, match=r"decorated_below: it is called by the SDK.*keep the function"):
        await decorated_below(room=4, ask=None)


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
