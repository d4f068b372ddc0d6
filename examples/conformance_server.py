"""The server side of the official conformance suite's elicitation scenarios: `conformance_server.py PORT`.

It serves http://127.0.0.1:PORT/mcp in every revision. The names of tools and fields are the suite's. Sampling and
roots are not askfirst's subject: those tools use the SDK's own resolvers.
"""

import sys
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import anyio
from mcp import CreateMessageResult, SamplingMessage
from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve, Sample
from mcp_types import ListRootsResult, TextContent
from pydantic import BaseModel

from askfirst import Ask, askable, form
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, Form

mcp = MCPServer("askfirst-conformance")


@form
@dataclass
class Account:
    username: str
    email: str


@form
@dataclass
class Defaults:
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


@form
@dataclass
class Named:
    name: str


@form
@dataclass
class Coloured:
    color: str


@form
@dataclass
class Ticked:
    ok: bool


@form
@dataclass
class About:
    context: str


PLAIN = tuple(Choice(f"option{number}") for number in (1, 2, 3))
TITLED = tuple(
    Choice(f"value{number}", f"{word} Option") for number, word in enumerate(("First", "Second", "Third"), 1)
)
OLD = tuple(
    Choice(f"opt{number}", f"Option {word}") for number, word in enumerate(("One", "Two", "Three"), 1)
)
FIVE_SHAPES = Form(
    (
        ChoiceField(name="untitledSingle", choices=PLAIN),
        ChoiceField(name="titledSingle", choices=TITLED),
        ChoiceField(name="legacyEnum", choices=OLD, legacy_titles=True),
        ChoicesField(name="untitledMulti", choices=PLAIN),
        ChoicesField(name="titledMulti", choices=TITLED),
    )
)


@mcp.tool()
@askable
async def test_elicitation(message: str, ask: Ask) -> str:
    """Ask for a user name and an address."""
    return f"User answered: {(await ask(message, Account)).action}"


@mcp.tool()
@askable
async def test_elicitation_sep1034_defaults(ask: Ask) -> str:
    """Ask with a default of every kind."""
    return f"Elicitation completed: {(await ask('Check the defaults.', Defaults)).action}"


@mcp.tool()
@askable
async def test_elicitation_sep1330_enums(ask: Ask) -> str:
    """Ask with a choice of every shape."""
    answer = await ask("Choose.", FIVE_SHAPES)
    return f"Elicitation completed: {answer.action}"


@mcp.tool()
@askable
async def test_input_required_result_elicitation(ask: Ask) -> str:
    """One question under the key that the suite expects."""
    answers = await ask.together(user_name=("What is your name?", Named))
    return f"Hello: {answers['user_name'].action}"


@mcp.tool()
@askable
async def test_input_required_result_request_state(ask: Ask) -> str:
    """A question whose state is sealed."""
    answers = await ask.together(confirm=("Please confirm", Ticked))
    return f"state-ok: {answers['confirm'].action}"


@mcp.tool()
@askable(resume="replay")
async def test_input_required_result_tampered_state(ask: Ask) -> str:
    """A question whose state carries a journal, which nobody may change."""
    return f"state-ok: {(await ask('Please confirm', Ticked)).action}"


@mcp.tool()
@askable
async def test_input_required_result_multi_round(ask: Ask) -> str:
    """Two questions, one after the other."""
    name = await ask("Step 1: What is your name?", Named)
    color = await ask("Step 2: What is your favorite color?", Coloured)
    return f"Done: {name.action}, {color.action}"


@mcp.prompt()
@askable
async def test_input_required_result_prompt(ask: Ask) -> str:
    """A prompt that asks first."""
    return f"Context: {(await ask('What context should the prompt use?', About)).action}"


@mcp.tool()
@askable
async def test_streaming_elicitation(ask: Ask, ctx: Context[Any, Any]) -> str:
    """Progress, then a question: nothing but notifications may be on a modern stream."""
    await ctx.report_progress(1, 2, "asking")
    return f"Streamed: {(await ask('Go on?', Ticked)).action}"


@mcp.tool()
async def test_tool_with_progress(ctx: Context[Any, Any]) -> str:
    """Three steps of progress."""
    for step in (0, 50, 100):
        await ctx.report_progress(step, 100)
    return "Done"


@mcp.tool()
async def test_logging_tool() -> str:
    """Logs nothing, since nobody asked for a level."""
    return "Quiet"


def _sample(prompt: str) -> Sample:
    return Sample(
        [SamplingMessage(role="user", content=TextContent(type="text", text=prompt))], max_tokens=100
    )


def ask_model(prompt: str) -> Sample:
    """Ask the client's model."""
    return _sample(prompt)


def ask_capital() -> Sample:
    """Ask the client's model a fixed question."""
    return _sample("What is the capital of France?")


def ask_roots() -> ListRoots:
    """Ask for the client's roots."""
    return ListRoots()


class NameModel(BaseModel):
    name: str


def ask_name() -> Elicit[NameModel]:
    """Ask for a name the SDK's own way."""
    return Elicit("What is your name?", NameModel)


@mcp.tool()
async def test_sampling(prompt: str, said: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    """What the client's model said."""
    return f"LLM response: {said.content}"


@mcp.tool()
async def test_input_required_result_sampling(
    said: Annotated[CreateMessageResult, Resolve(ask_capital)],
) -> str:
    """What the client's model said."""
    return f"LLM response: {said.content}"


@mcp.tool()
async def test_missing_capability(said: Annotated[CreateMessageResult, Resolve(ask_capital)]) -> str:
    """Can't be served without sampling."""
    return f"LLM response: {said.content}"


@mcp.tool()
async def test_input_required_result_capabilities(
    said: Annotated[CreateMessageResult, Resolve(ask_capital)],
) -> str:
    """Asks only in the way the client declares."""
    return f"LLM response: {said.content}"


@mcp.tool()
async def test_input_required_result_list_roots(roots: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    """How many roots the client has."""
    return f"{len(roots.roots)} roots"


@mcp.tool()
async def test_input_required_result_multiple_inputs(
    name: Annotated[NameModel, Resolve(ask_name)],
    said: Annotated[CreateMessageResult, Resolve(ask_capital)],
    roots: Annotated[ListRootsResult, Resolve(ask_roots)],
) -> str:
    """All three kinds of input in one round."""
    return f"{name.name}, {said.content}, {len(roots.roots)} roots"


def main() -> None:
    """Serve until interrupted."""
    try:
        port = int(sys.argv[1])
    except (IndexError, ValueError):
        sys.exit("usage: conformance_server.py PORT")
    anyio.run(lambda: mcp.run_streamable_http_async(host="127.0.0.1", port=port))


if __name__ == "__main__":
    main()
