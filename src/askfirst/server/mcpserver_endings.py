"""What a call without a result of its own ends with, as the official SDK sends it."""

from typing import Annotated, Any, get_args, get_origin

from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_REQUEST,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    TextContent,
)

from askfirst.core.fallback import Ending
from askfirst.core.reach import Reachable
from askfirst.core.revisions import Era, Mode
from askfirst.wire import required_modes

from .mcpserver_peer import Request

__all__ = ["as_error", "as_result"]


def as_error(ending: Ending, facts: Reachable, mode: str = "") -> MCPError:
    """An ending of a prompt or a resource, which have no error results.

    Args:
        ending: The words, and the same as data.
        facts: What the client can do.
        mode: The mode of the question that nobody could be asked, or "".
    """
    data: dict[str, object] = dict(ending.facts)
    if mode and facts.revision.era is Era.MODERN and mode not in facts.modes:
        data |= required_modes(frozenset({Mode(mode)}))
        return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, ending.text, data)
    return MCPError(INVALID_REQUEST, ending.text, data)


async def as_result(
    ending: Ending, context: Context[Any, Any], request: Request, returns: object
) -> CallToolResult:
    """An ending of a tool. It has the facts as structured content, so it must fit what the tool says it gives.

    Args:
        ending: The words, and the same as data.
        context: That of the open request.
        request: Which tool was called.
        returns: What the tool's function is annotated to return.
    """
    data: dict[str, object] = dict(ending.facts)
    is_error = ending.is_error
    if not is_error and await _promises(context, request.name):
        if _bare(returns) is str:
            data["result"] = ending.text  # what the SDK's output schema for text asks for
        else:
            is_error = True  # no result of this tool's own type: its output schema allows nothing else
    return CallToolResult(
        content=[TextContent(type="text", text=ending.text)], structured_content=data, is_error=is_error
    )


async def _promises(context: Context[Any, Any], tool: str) -> bool:
    """Whether this tool has an output schema; one that is not listed may have one."""
    listed = {one.name: one.output_schema for one in await context.mcp_server.list_tools()}
    return listed.get(tool, {}) is not None


def _bare(annotation: object) -> object:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
