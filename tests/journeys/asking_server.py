"""A server of ours for clients by other hands: `python asking_server.py stdio`, or `http` (prints its address)."""

import asyncio
import dataclasses
import json
import socket
import sys
from dataclasses import dataclass
from typing import Annotated, Literal

import uvicorn
from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Answer, Ask, Fill, askable, form

mcp = MCPServer("asking")
bodies: dict[str, int] = {}
"""How often the body of a call has started, by the label the call was given."""


@form
@dataclass
class Deployment:
    environment: Literal["staging", "production"]
    notify: bool = False


def told(answer: Answer[object]) -> dict[str, object]:
    """An answer as plain data, so that the test sees what the body saw."""
    if not isinstance(answer, Accepted):
        return {"action": answer.action}
    data = answer.data
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {"action": answer.action, "data": dataclasses.asdict(data)}
    return {"action": answer.action, "data": data}


async def deployment(label: str, ask: Ask) -> str:
    bodies[label] = bodies.get(label, 0) + 1
    answers: list[Answer[object]] = [await ask("Where to deploy?", Deployment)]
    if isinstance(answers[0], Accepted) and answers[0].data.environment == "production":
        answers.append(await ask("Why production?", str))
    return json.dumps({"answers": [told(one) for one in answers], "bodies": bodies[label]})


@mcp.tool()
@askable
async def deploy(label: str, ask: Ask) -> str:
    """Asks where, and for production also why."""
    return await deployment(label, ask)


@mcp.tool()
@askable(resume="replay")
async def deploy_replayed(label: str, ask: Ask) -> str:
    """The same, with nothing held between the rounds."""
    return await deployment(label, ask)


@mcp.tool()
@askable
async def authorize(ask: Ask) -> str:
    """Sends the person to a page."""
    return json.dumps(told(await ask.visit("Sign in, then come back", "https://example.com/sign-in")))


@mcp.tool()
@askable
async def release(
    environment: Annotated[Literal["staging", "production"], Fill("Which environment?")],
) -> str:
    """Has an argument that the caller may leave out."""
    return environment


async def serve_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        server = uvicorn.Server(uvicorn.Config(mcp.streamable_http_app(), log_level="warning"))
        await server.serve([listener])


if __name__ == "__main__":
    if sys.argv[1] == "http":
        asyncio.run(serve_http())
    else:
        mcp.run("stdio")
