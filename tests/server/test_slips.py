"""What an author forgets is found and named, and never ends as an answer that nobody gave."""

import asyncio
import copy
import inspect
import re
from collections.abc import Iterable
from typing import Annotated, Any

import pytest
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Fill, askable
from askfirst.core.errors import AuthorError
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio


async def fails_unasked(connect: Connect, mcp: MCPServer, words: str) -> None:
    """The tool `run` fails with these words (a pattern), and nobody was asked anything."""
    person = Person()
    async with connect(mcp, person) as client:
        result = await client.call_tool("run", {})
    assert result.is_error
    assert re.search(words, text_of(result))
    assert person.asked == []


async def without_await(ask: Ask) -> str:
    answer = ask.confirm("Delete it?")
    return "deleted" if isinstance(answer, Accepted) else "the user said no"


async def without_await_in_an_if(ask: Ask) -> str:
    return "deleted" if ask.confirm("Delete it?") else "the user said no"


async def without_await_for_one_of_two(ask: Ask) -> str:
    ask("Which one?", str)
    return (await ask.confirm("Delete it?")).action


async def with_an_answer_in_an_if(ask: Ask) -> str:
    return "deleted" if await ask.confirm("Delete it?") else "the user said no"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (without_await, "nobody was asked one of its questions"),
        (without_await_in_an_if, "tested for truth before anybody was asked: write `await` before it"),
        (without_await_for_one_of_two, "write `await` before each question"),
        (with_an_answer_in_an_if, "Accepted is neither true nor false: match on the answer"),
    ],
)
async def test_a_forgotten_await_or_match_is_an_error_that_names_the_cure(
    connect: Connect, function: Any, words: str
) -> None:
    mcp = MCPServer("slips")
    mcp.tool()(askable(function))
    async with connect(mcp, Person({"confirm": True})) as client:
        result = await client.call_tool(function.__name__, {})
    assert result.is_error
    assert words in text_of(result)


async def test_a_question_may_be_a_task_of_its_own(connect: Connect) -> None:
    mcp = MCPServer("tasks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        dropped = asyncio.create_task(ask.confirm("Never shown?"))
        dropped.cancel()
        ask.confirm("Dropped?").close()
        first, second = await asyncio.gather(dropped, ask.confirm("Delete it?"), return_exceptions=True)
        return f"{type(first).__name__}, {second}"

    person = Person({"confirm": True})
    async with connect(mcp, person) as client:
        result = await client.call_tool("run", {})
    assert text_of(result) == "CancelledError, Accepted()"
    assert person.messages == ["Delete it?"]


TOO_EARLY = "was used before anybody was asked: write `await` before the question"


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda asked: asked.data, "`data` of a question was used before .*as in `.await ask.+data`"),
        (lambda asked: asked.action, "`action` of a question was used before"),
        (lambda asked: asked.items(), "`items` of a question was used before"),
        (lambda asked: asked == Accepted(True), f"a question {TOO_EARLY}"),
        (lambda asked: asked != Accepted(True), f"a question {TOO_EARLY}"),
        (lambda asked: asked in ["yes"], f"a question {TOO_EARLY}"),
        (lambda asked: asked < 3, f"a question {TOO_EARLY}"),
        (lambda asked: asked >= 3, f"a question {TOO_EARLY}"),
        (lambda asked: asked["name"], f"a question {TOO_EARLY}"),
        (lambda asked: "name" in asked, f"a question {TOO_EARLY}"),
        (list, f"a question {TOO_EARLY}"),
        (len, f"a question {TOO_EARLY}"),
        (lambda asked: asked(), f"a question {TOO_EARLY}"),
        (lambda asked: "Hello " + asked, f"a question {TOO_EARLY}"),
        (lambda asked: asked + 1, f"a question {TOO_EARLY}"),
        (int, f"a question {TOO_EARLY}"),
    ],
)
async def test_a_question_that_is_used_like_its_answer_names_the_forgotten_await(
    connect: Connect, use: Any, words: str
) -> None:
    mcp = MCPServer("slips")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        return str(use(ask("How many?", int)))

    await fails_unasked(connect, mcp, words)


async def test_a_question_can_be_looked_at_and_waited_for_in_every_way_that_a_coroutine_can(
    connect: Connect,
) -> None:
    mcp = MCPServer("tasks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        question = ask.confirm("Delete it?")
        assert inspect.isawaitable(question)
        assert asyncio.iscoroutine(question)
        assert not isinstance(question, Iterable)
        assert not hasattr(question, "cr_frame")
        assert not hasattr(question, "data")
        assert repr(copy.copy(question)).startswith("<")
        assert inspect.getmembers(question)
        assert len({question, question}) == 1
        assert question in [question]
        task = asyncio.ensure_future(question)
        assert task.get_stack() == []
        (answer,) = await asyncio.gather(asyncio.wait_for(task, None))
        return str(answer)

    async with connect(mcp, Person({"confirm": True})) as client:
        result = await client.call_tool("run", {})
    assert text_of(result) == "Accepted()"


async def started() -> int:
    return 1


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        (lambda ask: ask(None, int), "the message of a question is text, got NoneType"),
        (lambda ask: ask.confirm(3), "the message of a question is text, got int"),
        (lambda ask: ask.visit(3, "https://pay.example/1"), "the message of a question is text, got int"),
        (lambda ask: ask.choose("Which?", ["red", "green"]), "mapped to what is meant"),
        (lambda ask: ask.choose_many("Which?", {1: "red"}), "mapped to what is meant"),
        (lambda ask: ask.together(name="Who?"), r"ask.together takes name=\(message, schema\), got str"),
        (lambda ask: ask.together(name=("Who?", str, 3)), r"takes name=\(message, schema\), got tuple"),
        (lambda ask: ask.once(3, started), "ask.once takes a text to name its step, got int"),
        (lambda ask: ask.once("step", "started"), r"ask.once\('step', ...\) takes a function .*got str"),
        (lambda ask: ask.once("step", lambda: {1: 2}), "'step', .*can't be kept .*got dict"),
        (lambda ask: ask.once("step", lambda: (1, 2)), "'step', .*can't be kept .*got tuple"),
        (lambda ask: ask.once("step", lambda: float("nan")), "'step', .*can't be kept .*got float"),
        (lambda ask: ask.once("step", object), "'step', .*can't be kept .*got object"),
    ],
)
@pytest.mark.parametrize("resume", ["pause", "replay"])
async def test_what_types_would_have_told_is_told_before_anybody_is_asked(
    connect: Connect, slip: Any, words: str, resume: Any
) -> None:
    mcp = MCPServer("slips")

    @mcp.tool()
    @askable(resume=resume)
    async def run(ask: Ask) -> str:
        await slip(ask)
        return "went on"

    await fails_unasked(connect, mcp, words)


def test_a_tool_without_askable_is_told_to_put_it_there() -> None:
    with pytest.raises(AuthorError, match=r"put @askable between the SDK's decorator and the function"):
        MCPServer("slips").tool()(without_await)


async def with_a_fill(day: Annotated[str, Fill("Which day?")]) -> str:
    return day


async def with_a_fill_that_is_optional(day: Annotated[str | None, Fill("Which?")] = None) -> str:
    return str(day)


async def with_a_fill_inside(day: list[Annotated[str, Fill("Which day?")]]) -> str:
    return str(day)


async def with_a_fill_class(day: Annotated[str, Fill]) -> str:
    return day


async def with_fill_as_type(day: Fill("Which day?")) -> str:
    return str(day)  # type: ignore[valid-type]


def registering(kind: str) -> Any:
    mcp = MCPServer("slips")
    return {"tool": mcp.tool(), "prompt": mcp.prompt(), "resource": mcp.resource("days://{day}")}[kind]


@pytest.mark.parametrize("kind", ["tool", "prompt", "resource"])
@pytest.mark.parametrize(
    "function",
    [with_a_fill, with_a_fill_that_is_optional, with_a_fill_inside, with_a_fill_class, with_fill_as_type],
)
def test_a_fill_without_askable_is_told_to_put_it_there(kind: str, function: Any) -> None:
    with pytest.raises(
        AuthorError, match=r"Fill.*without @askable: put @askable between the SDK's decorator"
    ):
        registering(kind)(function)


@pytest.mark.parametrize("kind", ["tool", "prompt", "resource"])
@pytest.mark.parametrize("function", [with_a_fill, with_a_fill_that_is_optional])
def test_a_fill_under_askable_is_registered_as_whatever_the_sdk_has(kind: str, function: Any) -> None:
    registering(kind)(askable(function))


def test_askable_above_the_sdks_decorator_is_told_where_it_belongs() -> None:
    with pytest.raises(AuthorError, match="put @askable between"):

        @askable
        @MCPServer("slips").tool()
        async def deploy(service: str, ask: Ask) -> str:
            return service


async def with_a_fill_as_default(ask: Ask, day: str = Fill("Which day?")) -> None: ...  # type: ignore[assignment]
async def with_a_fill_as_type(ask: Ask, day: Fill("Which day?")) -> None: ...  # type: ignore[valid-type]
async def with_a_fill_without_a_question(ask: Ask, day: Annotated[str, Fill]) -> None: ...


@pytest.mark.parametrize(
    "function", [with_a_fill_as_default, with_a_fill_as_type, with_a_fill_without_a_question]
)
def test_a_fill_that_nothing_reads_is_told_where_it_belongs(function: Any) -> None:
    with pytest.raises(AuthorError, match=r'write `day: Annotated\[str, Fill\("..."\)\]`'):
        askable(function)
