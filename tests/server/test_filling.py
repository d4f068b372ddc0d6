"""`Fill` parameters: given by the caller, asked of the person, or named to the caller."""

from typing import Annotated, Any, Literal

import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from askfirst import Ask, Fill, askable
from server.conftest import Connect, Person, text_of

pytestmark = pytest.mark.anyio

Colour = Literal["red", "green"]
Environment = Annotated[Literal["staging", "production"], Fill("Which environment?")]


def deployer(**annotations: Any) -> tuple[MCPServer, list[dict[str, Any]]]:
    mcp, runs = MCPServer("deployer"), []

    @mcp.tool()
    @askable
    async def deploy(
        service: str,
        environment: Environment,
        replicas: Annotated[int, Fill("How many replicas?")] = 2,
    ) -> str:
        """Deploy a service."""
        runs.append({"service": service, "environment": environment, "replicas": replicas})
        return "deployed"

    return mcp, runs


async def test_given_arguments_are_used_and_nobody_is_asked(connect: Connect) -> None:
    mcp, runs = deployer()
    async with connect(mcp) as client:
        await client.call_tool("deploy", {"service": "shop", "environment": "staging", "replicas": 3})
    assert runs == [{"service": "shop", "environment": "staging", "replicas": 3}]


async def test_all_that_is_missing_is_asked_in_one_form(connect: Connect) -> None:
    mcp, runs = deployer()
    person = Person({"environment": "production", "replicas": 1})
    async with connect(mcp, person) as client:
        await client.call_tool("deploy", {"service": "shop"})
    assert runs == [{"service": "shop", "environment": "production", "replicas": 1}]
    assert person.messages == ["Which environment? How many replicas?"]


async def test_only_what_is_missing_is_asked(connect: Connect) -> None:
    mcp, runs = deployer()
    person = Person({"environment": "production"})
    async with connect(mcp, person) as client:
        await client.call_tool("deploy", {"service": "shop", "environment": None, "replicas": 7})
    assert runs == [{"service": "shop", "environment": "production", "replicas": 7}]
    assert person.messages == ["Which environment?"]


async def test_what_the_caller_gave_is_checked_by_the_same_rules(connect: Connect) -> None:
    mcp, runs = deployer()
    person = Person()
    async with connect(mcp, person) as client:
        result = await client.call_tool(
            "deploy", {"service": "shop", "environment": "prod-eu", "replicas": True}
        )
    assert result.is_error
    assert runs == []
    assert person.asked == []
    assert "environment" in text_of(result)
    assert "replicas" in text_of(result)
    assert "prod-eu" not in text_of(result)


@pytest.mark.parametrize(("word", "outcome"), [("decline", "declined"), ("cancel", "cancelled")])
async def test_a_decline_or_cancel_ends_the_call_with_nothing_done(
    connect: Connect, word: str, outcome: str
) -> None:
    mcp, runs = deployer()
    async with connect(mcp, Person(word)) as client:
        result = await client.call_tool("deploy", {"service": "shop"})
    assert runs == []
    assert result.is_error
    assert "Nothing was done" in text_of(result)
    assert result.structured_content["outcome"] == outcome


async def test_a_client_that_cannot_ask_is_told_which_arguments_to_bring(connect: Connect) -> None:
    mcp, runs = deployer()
    async with connect(mcp) as client:
        result = await client.call_tool("deploy", {"service": "shop"})
    assert runs == []
    assert not result.is_error
    assert "Which environment?" in text_of(result)
    assert "staging" in text_of(result)
    missing = {one["argument"]: one for one in result.structured_content["missing"]}
    assert missing["environment"]["allowed"] == ["staging", "production"]
    assert missing["replicas"]["question"] == "How many replicas?"


async def test_the_input_schema_offers_the_argument_without_demanding_it(connect: Connect) -> None:
    mcp, _ = deployer()
    async with connect(mcp) as client:
        (tool,) = (await client.list_tools()).tools
    assert tool.input_schema["required"] == ["service"]
    assert tool.input_schema["properties"]["environment"]["enum"] == ["staging", "production"]
    assert tool.input_schema["properties"]["replicas"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
    for name in ("environment", "replicas"):
        assert "default" not in tool.input_schema["properties"][name]


async def test_what_needs_no_answer_is_left_out_with_null_where_nobody_can_be_asked(connect: Connect) -> None:
    mcp, runs = deployer()
    async with connect(mcp) as client:
        named = await client.call_tool("deploy", {"service": "shop", "environment": "staging"})
        assert named.structured_content["missing"] == [
            {
                "argument": "replicas",
                "question": "How many replicas?",
                "expected": "a whole number",
                "optional": True,
            }
        ]
        again = await client.call_tool("deploy", {"service": "shop", "environment": None, "replicas": None})
        assert [one["argument"] for one in again.structured_content["missing"]] == ["environment"]
        arguments = {"service": "shop", "environment": "staging", "replicas": None}
        assert text_of(await client.call_tool("deploy", arguments)) == "deployed"
    assert runs == [{"service": "shop", "environment": "staging", "replicas": 2}]


async def test_null_is_no_answer_where_a_person_can_be_asked(connect: Connect) -> None:
    mcp, runs = deployer()
    person = Person({"replicas": 5})
    async with connect(mcp, person) as client:
        await client.call_tool("deploy", {"service": "shop", "environment": "staging", "replicas": None})
    assert [run["replicas"] for run in runs] == [5]


async def test_what_needs_no_answer_is_left_out_of_a_prompt_with_an_empty_text(connect: Connect) -> None:
    mcp = MCPServer("prompts")

    @mcp.prompt()
    @askable
    async def letter(to: Annotated[str | None, Fill("To whom?")] = None) -> str:
        return f"to {to}"

    async with connect(mcp) as client:
        with pytest.raises(MCPError, match="an empty text if the user has no answer to it"):
            await client.get_prompt("letter", {})
        letter_to_nobody = await client.get_prompt("letter", {"to": ""})
    assert letter_to_nobody.messages[0].content.text == "to None"


def guarded() -> tuple[MCPServer, list[Any]]:
    mcp, runs = MCPServer("guarded"), []

    @mcp.tool()
    @askable
    async def wipe(disk: str, sure: Annotated[bool, Fill("Really wipe it?", person_only=True)]) -> str:
        runs.append((disk, sure))
        return "wiped" if sure else "kept"

    return mcp, runs


async def test_what_only_a_person_may_give_is_no_argument_and_is_ignored_as_one(connect: Connect) -> None:
    mcp, runs = guarded()
    async with connect(mcp, Person({"sure": False})) as client:
        (tool,) = (await client.list_tools()).tools
        assert list(tool.input_schema["properties"]) == ["disk"]
        result = await client.call_tool("wipe", {"disk": "sda", "sure": True})
    assert (text_of(result), runs) == ("kept", [("sda", False)])


async def test_what_only_a_person_may_give_is_never_asked_of_the_model(connect: Connect) -> None:
    mcp, runs = guarded()
    async with connect(mcp) as client:
        result = await client.call_tool("wipe", {"disk": "sda", "sure": True})
    assert result.is_error
    assert runs == []
    assert result.structured_content["outcome"] == "nobody_asked"


async def test_a_tool_with_a_structured_result_says_what_is_missing_as_an_error(connect: Connect) -> None:
    mcp = MCPServer("structured")

    @mcp.tool()
    @askable
    async def size(of: Annotated[str, Fill("Of what?")]) -> dict[str, int]:
        return {of: 1}

    async with connect(mcp, Person({"of": "x"})) as client:
        assert (await client.call_tool("size", {})).structured_content == {"x": 1}
    async with connect(mcp) as client:
        result = await client.call_tool("size", {})
    assert result.is_error
    assert result.structured_content["outcome"] == "arguments_missing"


@pytest.mark.parametrize("returns", [CallToolResult, list[TextContent], Any])
async def test_a_tool_that_promises_no_structure_says_what_is_missing_in_an_ordinary_result(
    connect: Connect, returns: Any
) -> None:
    mcp = MCPServer("plain")

    async def size(of: Annotated[str, Fill("Of what?")]) -> Any:
        raise AssertionError

    size.__annotations__["return"] = returns
    mcp.add_tool(askable(size))
    async with connect(mcp) as client:
        result = await client.call_tool("size", {})
    assert not result.is_error
    assert result.structured_content["outcome"] == "arguments_missing"


async def test_a_tool_whose_structure_is_switched_off_says_what_is_missing_in_an_ordinary_result(
    connect: Connect,
) -> None:
    mcp = MCPServer("plain")

    @mcp.tool(structured_output=False)
    @askable
    async def size(of: Annotated[str, Fill("Of what?")]) -> dict[str, int]:
        raise AssertionError

    async with connect(mcp) as client:
        assert not (await client.call_tool("size", {})).is_error


async def test_the_words_of_a_text_type_may_stand_around_it(connect: Connect) -> None:
    mcp = MCPServer("annotated")

    @mcp.tool()
    @askable
    async def size(of: Annotated[str, Fill("Of what?")]) -> Annotated[str, Field(description="In words")]:
        raise AssertionError

    async with connect(mcp) as client:
        result = await client.call_tool("size", {})
    assert not result.is_error
    assert result.structured_content["result"] == text_of(result)


async def test_a_tool_is_called_what_the_client_calls_it(connect: Connect) -> None:
    mcp = MCPServer("renamed")

    @mcp.tool(name="shop-size")
    @askable
    async def size(of: Annotated[int, Fill("Of what?")]) -> str:
        raise AssertionError

    async with connect(mcp) as client:
        missing = await client.call_tool("shop-size", {})
        wrong = await client.call_tool("shop-size", {"of": "much"})
    assert missing.structured_content["tool"] == "shop-size"
    assert "call shop-size again" in text_of(missing)
    assert "shop-size can't use these arguments" in text_of(wrong)


async def test_a_prompt_asks_in_both_eras_and_reads_its_text_arguments(connect: Connect) -> None:
    mcp = MCPServer("prompts")

    @mcp.prompt()
    @askable
    async def letter(pages: Annotated[int, Fill("How many pages?")], ask: Ask) -> str:
        answer = await ask("To whom?", str)
        return f"{pages} pages, {answer.action}"

    async with connect(mcp, Person({"pages": 3}, {"value": "Ada"}, {"value": "Bo"})) as client:
        asked = await client.get_prompt("letter", {})
        given = await client.get_prompt("letter", {"pages": "2"})
    texts = [one.messages[0].content.text for one in (asked, given)]
    assert texts == ["3 pages, accept", "2 pages, accept"]


async def test_a_resource_template_asks_in_both_eras(connect: Connect) -> None:
    mcp = MCPServer("resources")

    @mcp.resource("notes://{name}")
    @askable
    async def note(name: str, ask: Ask) -> str:
        return f"{name} {(await ask('Show it?', bool)).action}"

    async with connect(mcp, Person({"value": True})) as client:
        result = await client.read_resource("notes://today")
    assert result.contents[0].text == "today accept"


async def test_a_prompt_that_nobody_can_answer_is_an_error_with_the_facts(connect: Connect, era: str) -> None:
    mcp = MCPServer("prompts")

    @mcp.prompt()
    @askable
    async def letter(ask: Ask) -> str:
        return (await ask("To whom?", str)).action

    async with connect(mcp) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("letter", {})
    assert caught.value.data["outcome"] == "nobody_asked"
    assert ("requiredCapabilities" in caught.value.data) is (era == "modern")


def printer() -> tuple[MCPServer, list[int]]:
    mcp, runs = MCPServer("prompts"), []

    @mcp.prompt()
    @askable
    async def print_out(pages: Annotated[int, Fill("How many pages?")]) -> str:
        runs.append(pages)
        return f"{pages} pages"

    return mcp, runs


async def test_text_that_is_no_answer_to_a_prompts_question_is_an_error_without_the_text(
    connect: Connect,
) -> None:
    mcp, runs = printer()
    person = Person()
    async with connect(mcp, person) as client:
        with pytest.raises(MCPError, match="pages: expected a whole number") as caught:
            await client.get_prompt("print_out", {"pages": "seven-ish"})
    assert (runs, person.asked) == ([], [])
    assert "seven-ish" not in str(caught.value)


async def test_an_empty_text_is_no_argument(connect: Connect) -> None:
    mcp, runs = printer()
    async with connect(mcp, Person({"pages": 4})) as client:
        await client.get_prompt("print_out", {"pages": ""})
    assert runs == [4]


async def test_each_call_has_a_default_list_of_its_own(connect: Connect) -> None:
    mcp, runs = MCPServer("lists"), []
    usual: list[Colour] = ["red"]

    @mcp.tool()
    @askable
    async def paint(colours: Annotated[list[Colour], Fill("Which colours?")] = usual) -> str:
        runs.append(list(colours))
        colours.append("green")
        return "painted"

    person = Person({}, {})
    async with connect(mcp, person) as client:
        await client.call_tool("paint", {})
        await client.call_tool("paint", {})
    assert runs == [["red"], ["red"]]
