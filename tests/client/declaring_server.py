"""A server on the official SDK that says which elicitation modes its client declared, and asks. Run: stdio or PORT."""

import json
import sys

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

mcp = MCPServer("declared-server", log_level="ERROR")


class Name(BaseModel):
    name: str


@mcp.tool()
async def declared(ctx: Context) -> str:
    """The declared modes as JSON: null for no capability."""
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return json.dumps(None if elicitation is None else sorted(elicitation.model_dump(exclude_none=True)))


@mcp.tool()
async def greet(ctx: Context) -> str:
    """Asks for a name (legacy connections)."""
    result: ElicitationResult[Name] = await ctx.elicit("Who are you?", Name)
    return result.data.name if result.action == "accept" else result.action


@mcp.tool()
async def sign_in(ctx: Context) -> str:
    """Asks for a visit (legacy connections)."""
    result = await ctx.elicit_url("Sign in", "https://example.org/login", "1")
    return result.action


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        mcp.run()
    else:
        mcp.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
