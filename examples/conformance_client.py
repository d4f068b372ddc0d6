"""The client side of the official conformance suite's elicitation scenarios: `conformance_client.py URL`.

The suite says in `MCP_CONFORMANCE_PROTOCOL_VERSION` which revision is meant and starts a server at URL. What its
scenarios want of a client is always the same: use all that the server has, and accept its questions with their
defaults.
"""

import os
import sys
from typing import Any, Final

import anyio
from mcp import Client, MCPError
from mcp_types import Tool

from askfirst import Accepted, Answer, NobodyAsked, connect
from askfirst.core.answers import Content
from askfirst.core.checking import check
from askfirst.core.errors import InvalidAnswer
from askfirst.core.fields import FlagField
from askfirst.core.questions import Origin, Question, UrlQuestion
from askfirst.core.revisions import Era, Mode, revision

EXAMPLES: Final[dict[str, object]] = {
    "integer": 5,
    "number": 5,
    "string": "text",
    "boolean": True,
    "array": [],
    "object": {},
}


class Agreeable:
    """An answerer that accepts every form: defaults as they are, and a yes where only a yes or no is missing."""

    def reaches(self) -> frozenset[Mode]:
        """Forms alone: nobody here could visit an address."""
        return frozenset({Mode.FORM})

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        """Accept, where that is possible."""
        if isinstance(question, UrlQuestion):
            raise NobodyAsked("nobody here can visit an address")
        content: Content = {}
        for field in question.form.fields:
            default = field.default
            if default is None and isinstance(field, FlagField):
                default = True
            if default is not None:
                content[field.name] = [*default] if isinstance(default, tuple) else default
        try:
            return Accepted(check(question.form, content))
        except InvalidAnswer:
            raise NobodyAsked("the form needs more than its defaults") from None


def arguments(schema: dict[str, Any]) -> dict[str, object]:
    """Something for every argument that a tool requires."""
    properties = schema.get("properties", {})
    return {name: EXAMPLES.get(properties[name].get("type")) for name in schema.get("required", ())}


async def call(client: Client, tool: Tool) -> None:
    """Call one tool, and say on stderr how that went."""
    try:
        result = await client.call_tool(tool.name, arguments(tool.input_schema))
        outcome = "an error" if result.is_error else "done"
    except MCPError:  # a modern call that asked what nobody could be asked can't be made again
        outcome = "an error"
    print(f"{tool.name}: {outcome}", file=sys.stderr)


async def use_everything(client: Client) -> None:
    """Call every tool, read every resource, get every prompt."""
    for tool in (await client.list_tools()).tools:
        await call(client, tool)
    if client.server_capabilities.resources is not None:
        for resource in (await client.list_resources()).resources:
            await client.read_resource(resource.uri)
    if client.server_capabilities.prompts is not None:
        for prompt in (await client.list_prompts()).prompts:
            await client.get_prompt(prompt.name, {one.name: "text" for one in prompt.arguments or ()})


async def main(url: str) -> None:
    """Connect as new as the suite wants, and use the server."""
    era = revision(os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION")).era
    mode = "legacy" if era is Era.LEGACY else "auto"
    async with connect(url, Agreeable(), name="conformance", mode=mode) as client:
        await use_everything(client)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: conformance_client.py URL")
    anyio.run(main, sys.argv[1])
