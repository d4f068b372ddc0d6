"""A client with a scripted person, in memory, in both eras: what every test of the server side stands on."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp_types import ElicitRequestParams, ElicitResult, ErrorData

ERAS = {"legacy": "legacy", "modern": "auto"}


class Person:
    """Answers from a script, in order; remembers what was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[ElicitRequestParams] = []

    async def __call__(self, context: object, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        self.asked.append(params)
        answer = self.answers.pop(0)
        if callable(answer):
            answer = await answer()
        if isinstance(answer, ErrorData):
            return answer
        if isinstance(answer, dict):
            return ElicitResult(action="accept", content=answer)
        return ElicitResult(action=answer)

    @property
    def messages(self) -> list[str]:
        return [one.message for one in self.asked]


Connect = Callable[..., Any]


@pytest.fixture(params=list(ERAS))
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connect(era: str) -> Connect:
    """Connects the official client to a server in one of the eras; without a person it can't ask."""

    @asynccontextmanager
    async def connected(server: MCPServer, person: Person | None = None) -> AsyncIterator[Client]:
        async with Client(server, mode=ERAS[era], elicitation_callback=person) as client:
            yield client

    return connected


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content)
