"""One source, both eras: every kind of question, every answer, over the official SDK's client."""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import anyio
import pytest
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ErrorData

from askfirst import Accepted, Ask, Cancelled, Declined, NobodyAsked, askable, form
from askfirst.core.errors import AuthorError
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio


@form
@dataclass
class Deletion:
    confirm: bool
    reason: str


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


def server_asking(message: str, schema: Any, seen: list[Any]) -> MCPServer:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        """Ask one question."""
        answer = await ask(message, schema)
        seen.append(answer)
        return answer.action

    return mcp


async def test_an_accepted_form_comes_back_as_an_instance_of_its_type(connect: Connect) -> None:
    seen: list[Any] = []
    person = Person({"confirm": True, "reason": "old"})
    async with connect(server_asking("Delete?", Deletion, seen), person) as client:
        result = await client.call_tool("run", {})
    assert (text_of(result), seen) == ("accept", [Accepted(Deletion(True, "old"))])
    assert person.messages == ["Delete?"]


@pytest.mark.parametrize(("word", "answer"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_decline_and_cancel_come_back_as_they_are(connect: Connect, word: str, answer: Any) -> None:
    seen: list[Any] = []
    async with connect(server_asking("Delete?", Deletion, seen), Person(word)) as client:
        result = await client.call_tool("run", {})
    assert (text_of(result), seen) == (word, [answer])


@pytest.mark.parametrize(
    ("schema", "content", "data"),
    [
        (bool, {"value": False}, False),
        (str, {"value": ""}, ""),
        (int, {"value": 3}, 3),
        (Literal["a", "b"], {"value": "b"}, "b"),
        (Size, {"value": "l"}, Size.LARGE),
    ],
)
async def test_one_value_is_asked_for_and_unwrapped(
    connect: Connect, schema: Any, content: Any, data: Any
) -> None:
    seen: list[Any] = []
    async with connect(server_asking("Which?", schema, seen), Person(content)) as client:
        await client.call_tool("run", {})
    assert seen == [Accepted(data)]


async def test_wrong_content_is_asked_again_saying_what_was_wrong(connect: Connect) -> None:
    seen: list[Any] = []
    person = Person({"confirm": "yes"}, {"confirm": True}, {"confirm": True, "reason": "now right"})
    async with connect(server_asking("Delete?", Deletion, seen), person) as client:
        await client.call_tool("run", {})
    assert seen == [Accepted(Deletion(True, "now right"))]
    first, second, third = person.messages
    assert first == "Delete?"
    assert second.startswith("Delete?")
    assert "confirm" in second
    assert "reason" in second
    assert "reason" in third
    assert "confirm" not in third


async def test_wrong_content_three_times_is_an_error_that_names_fields_and_no_values(
    connect: Connect,
) -> None:
    seen: list[Any] = []
    person = Person(*[{"confirm": "s3cret-value", "reason": "r"}] * 3)
    async with connect(server_asking("Delete?", Deletion, seen), person) as client:
        result = await client.call_tool("run", {})
    assert (result.is_error, seen, len(person.asked)) == (True, [], 3)
    assert "confirm" in text_of(result)
    assert "s3cret-value" not in text_of(result)


async def test_an_accept_without_content_is_no_answer_to_required_fields(connect: Connect) -> None:
    seen: list[Any] = []
    person = Person("accept", {"confirm": False, "reason": "x"})
    async with connect(server_asking("Delete?", Deletion, seen), person) as client:
        await client.call_tool("run", {})
    assert seen == [Accepted(Deletion(False, "x"))]
    assert len(person.asked) == 2


async def test_an_error_from_the_client_means_that_nobody_was_asked(connect: Connect, era: str) -> None:
    seen: list[Any] = []
    person = Person(ErrorData(code=-32603, message="no screen"))
    async with connect(server_asking("Delete?", Deletion, seen), person) as client:
        if era == "modern":  # the client itself gives up before it calls again
            with pytest.raises(MCPError, match="no screen"):
                await client.call_tool("run", {})
        else:
            result = await client.call_tool("run", {})
            assert result.is_error
            assert result.structured_content["outcome"] == "nobody_asked"
    assert seen == []


async def test_a_client_that_cannot_ask_gets_an_error_that_says_nobody_was_asked(connect: Connect) -> None:
    seen: list[Any] = []
    async with connect(server_asking("Delete?", Deletion, seen)) as client:
        result = await client.call_tool("run", {})
    assert (result.is_error, seen) == (True, [])
    assert "nobody was asked" in text_of(result)
    assert result.structured_content["outcome"] == "nobody_asked"
    assert result.structured_content["question"] == "Delete?"


async def test_a_body_can_tell_nobody_asked_from_an_answer(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        try:
            await ask("Delete?", Deletion)
        except NobodyAsked as fault:
            return f"kept, because {fault.reason}"
        return "asked"

    async with connect(mcp) as client:
        assert text_of(await client.call_tool("run", {})).startswith("kept, because the client")


async def test_nobody_asked_is_told_as_it_is_from_inside_a_task_group_too(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask, broken: bool) -> str:
        async def breaks() -> None:
            if broken:
                raise RuntimeError("broken")

        async with anyio.create_task_group() as outer, anyio.create_task_group() as group:
            outer.start_soon(breaks)
            group.start_soon(ask, "Delete?", bool)
        return "never"

    async with connect(mcp) as client:
        told = await client.call_tool("run", {"broken": False})
        own = await client.call_tool("run", {"broken": True})
    assert told.structured_content["question"] == "Delete?"
    assert (own.is_error, own.structured_content) == (True, None)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ({"confirm": True}, Accepted(True)),
        ({"confirm": False}, Declined()),
        ("decline", Declined()),
        ("cancel", Cancelled()),
    ],
)
async def test_a_confirmation_is_yes_only_when_the_box_is_ticked(
    connect: Connect, reply: Any, answer: Any
) -> None:
    mcp, seen = MCPServer("asks"), []

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        seen.append(await ask.confirm("Delete 4,000 rows?", detail={"table": "users", "rows": 4000}))
        return "done"

    person = Person(reply)
    async with connect(mcp, person) as client:
        await client.call_tool("run", {})
    assert seen == [answer]
    assert person.messages == ["Delete 4,000 rows?\ntable: users\nrows: 4000"]


async def test_no_argument_of_a_confirmation_looks_like_another(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        answer = await ask.confirm("Delete?", detail={"name": "bob\napproved: yes", "files": 3})
        return answer.action

    person = Person({"confirm": True})
    async with connect(mcp, person) as client:
        await client.call_tool("run", {})
    assert person.messages == ["Delete?\nname: bob\n    approved: yes\nfiles: 3"]


async def test_choosing_gives_back_the_object_that_was_meant(connect: Connect) -> None:
    mcp, seen = MCPServer("asks"), []
    park, ito = object(), object()

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        seen.append(await ask.choose("Which Chris?", {"Chris Park, Sales": park, "Chris Ito, Legal": ito}))
        seen.append(await ask.choose_many("Which ones?", {"a": 1, "b": 2, "c": 3}, at_least=1))
        return "done"

    async with connect(mcp, Person({"choice": "Chris Ito, Legal"}, {"choices": ["c", "a"]})) as client:
        await client.call_tool("run", {})
    assert seen == [Accepted(ito), Accepted([1, 3])]


async def test_a_choice_that_is_declined_chooses_nothing(connect: Connect) -> None:
    mcp, seen = MCPServer("asks"), []

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        seen.append(await ask.choose("Which Chris?", {"Chris Park": 1, "Chris Ito": 2}))
        seen.append(await ask.choose_many("Which ones?", {"a": 1, "b": 2}, at_most=1))
        return "done"

    async with connect(mcp, Person("decline", "cancel")) as client:
        await client.call_tool("run", {})
    assert seen == [Declined(), Cancelled()]


async def test_a_choice_of_nothing_is_the_authors_mistake(connect: Connect) -> None:
    mcp, faults = MCPServer("asks"), []

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> None:
        for choose in (ask.choose, ask.choose_many):
            try:
                await choose("Which?", {})
            except AuthorError as fault:
                faults.append(str(fault))

    person = Person()
    async with connect(mcp, person) as client:
        await client.call_tool("run", {})
    assert faults == ["a choice needs at least one option, got none"] * 2
    assert person.asked == []


async def test_no_questions_together_have_no_answers(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        return str(await ask.together())

    async with connect(mcp, Person()) as client:
        assert text_of(await client.call_tool("run", {})) == "{}"


async def test_several_questions_in_one_round_have_an_answer_each(connect: Connect) -> None:
    mcp, seen = MCPServer("asks"), []

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        seen.append(await ask.together(self=("Your name?", str), keeper=("Your age?", int)))
        return "done"

    person = Person({"value": "Ada"}, "decline")
    async with connect(mcp, person) as client:
        await client.call_tool("run", {})
    ((name, age),) = [(one["self"], one["keeper"]) for one in seen]
    assert {type(name), type(age)} == {Accepted, Declined}
    assert sorted(person.messages) == ["Your age?", "Your name?"]


async def test_a_body_runs_once_and_its_progress_reaches_the_live_request(connect: Connect) -> None:
    mcp, runs, progress = MCPServer("asks"), [], []

    @mcp.tool()
    @askable
    async def run(ask: Ask, ctx: Context) -> str:
        runs.append(1)
        await ctx.report_progress(1, 2)
        answer = await ask("Go on?", bool)
        await ctx.report_progress(2, 2)
        return f"{answer.action} after {len(runs)}"

    async def heard(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with connect(mcp, Person({"value": True})) as client:
        result = await client.call_tool("run", {}, progress_callback=heard)
    assert (text_of(result), progress) == ("accept after 1", [1, 2])


async def test_a_tool_asks_in_several_rounds(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        said = []
        for number in range(4):
            match await ask(f"Number {number}?", int):
                case Accepted(value):
                    said.append(value)
        return str(said)

    async with connect(mcp, Person(*[{"value": n} for n in range(4)])) as client:
        assert text_of(await client.call_tool("run", {})) == "[0, 1, 2, 3]"


async def test_what_a_body_raises_reaches_the_caller_as_before(connect: Connect) -> None:
    mcp = MCPServer("asks")

    @mcp.tool()
    @askable
    async def run(ask: Ask) -> str:
        await ask("Go on?", bool)
        raise RuntimeError("broken")

    async with connect(mcp, Person({"value": True})) as client:
        result = await client.call_tool("run", {})
    assert result.is_error
    assert "broken" not in text_of(result)


async def test_an_askable_tool_shows_neither_ask_nor_context_in_its_schema(connect: Connect) -> None:
    async with connect(server_asking("Delete?", Deletion, [])) as client:
        (tool,) = (await client.list_tools()).tools
    assert tool.input_schema["properties"] == {}
    assert tool.description == "Ask one question."
