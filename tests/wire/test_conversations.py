"""Golden conversations: what a client sends and what our server answers, message by message, nothing more.

Each file in `conversations/` is one, named after revision, way and what happens. Prose first; then a line `client`
with the client's capabilities; then messages, `>` from the client and `<` from the server, without `jsonrpc`. Lines
that begin with spaces go on with the line before. How a connection is opened is left out: `initialize` in the
legacy revisions, and in 2026-07-28 the `_meta` that each request and each result carries (see `opened` and
`unstamped`). "$name" stands for a value that is different each time: whatever it is where it stands first, the same
ever after.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bare import CLIENT, Bare, bare
from wire.golden_server import golden_server

pytestmark = pytest.mark.anyio

FILES = sorted((Path(__file__).parent / "conversations").glob("*.txt"))
LEGACY, MODERN = ("2025-06-18", "2025-11-25"), "2026-07-28"
PREFIX = "io.modelcontextprotocol"


@dataclass(frozen=True)
class Conversation:
    """A file, read."""

    revision: str
    capabilities: dict[str, Any]
    messages: list[tuple[str, dict[str, Any]]]


def read_conversation(file: Path) -> Conversation:
    lines: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(" ") and lines:
            lines[-1] += line
        elif line.startswith(("client ", "> ", "< ")):
            lines.append(line)
    client, *messages = (line.split(" ", 1) for line in lines)
    assert client[0] == "client", f"{file.name}: expected the client's capabilities before any message"
    return Conversation(
        file.stem[:10], json.loads(client[1]), [(who, json.loads(text)) for who, text in messages]
    )


class Placeholders:
    """The values that are different each time, by name."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def fill(self, value: Any) -> Any:
        """A client's message with what its placeholders stand for."""
        match value:
            case str() if value.startswith("$"):
                return self.values[value]
            case dict():
                return {key: self.fill(one) for key, one in value.items()}
            case list():
                return [self.fill(one) for one in value]
            case _:
                return value

    def named(self, expected: Any, got: Any) -> Any:
        """A server's message with placeholders in the places where some are expected; learns new ones."""
        match expected, got:
            case str(), _ if expected.startswith("$"):
                known = self.values.setdefault(expected, got)
                return expected if known == got and type(known) is type(got) else got
            case dict(), dict():
                return {key: self.named(expected.get(key), one) for key, one in got.items()}
            case list(), list():
                padded = [*expected, *[None] * len(got)]
                return [self.named(one, other) for one, other in zip(padded, got, strict=False)]
            case _:
                return got


@asynccontextmanager
async def opened(conversation: Conversation) -> AsyncIterator[tuple[Bare, dict[str, Any]]]:
    """A client that is ready for its first message, and what it adds to the parameters of each request."""
    version, capabilities = conversation.revision, conversation.capabilities
    async with bare(golden_server()) as client:
        if version == MODERN:
            meta = {f"{PREFIX}/protocolVersion": version, f"{PREFIX}/clientInfo": CLIENT}
            yield client, {"_meta": {**meta, f"{PREFIX}/clientCapabilities": capabilities}}
        else:
            await client.initialize(version, capabilities)
            yield client, {}


async def held(conversation: Conversation) -> list[tuple[str, dict[str, Any]]]:
    """What was said, up to the first message that is not as it is written."""
    placeholders, said = Placeholders(), []
    async with opened(conversation) as (client, in_requests):
        for who, message in conversation.messages:
            if who == ">":
                await client.send(placeholders.fill(addressed(message, in_requests)))
                said.append((who, message))
                continue
            got = placeholders.named(message, unstamped(await client.receive(), in_requests))
            said.append((who, got))
            if got != message:
                return said
        return [*said, *(("<", extra) for extra in await client.left_over())]


def addressed(message: dict[str, Any], in_requests: dict[str, Any]) -> dict[str, Any]:
    if "method" in message and "id" in message:
        return {**message, "params": {**message["params"], **in_requests}}
    return message


def unstamped(message: dict[str, Any], in_requests: dict[str, Any]) -> dict[str, Any]:
    """Without the server's name, which the SDK puts into each result in the modern revision."""
    if in_requests and "result" in message:
        stamp = message["result"].pop("_meta")
        assert stamp == {f"{PREFIX}/serverInfo": {"name": "golden", "version": "1"}}
    return message


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_the_conversation_goes_as_it_is_written(file: Path) -> None:
    conversation = read_conversation(file)
    assert await held(conversation) == conversation.messages


def test_every_way_is_shown_with_every_answer() -> None:
    ways = [*product(LEGACY, ["push"]), *product([MODERN], ["pause", "replay"])]
    answers = ["accept", "decline", "cancel", "wrong", "wrong-thrice", "unknown-action"]
    shown = {"-".join((*way, answer)) for way, answer in product(ways, answers)}
    nobody = {
        "-".join(pair) for pair in product([*LEGACY, MODERN], ["text-fill", "refuse-body", "refuse-url"])
    }
    assert {file.stem for file in FILES} >= shown | nobody


@pytest.mark.parametrize("name", [f"{LEGACY[0]}-push-accept", f"{MODERN}-pause-accept"])
async def test_a_message_that_is_not_written_or_is_another_is_noticed(name: str) -> None:
    written = read_conversation(FILES[0].with_name(f"{name}.txt"))
    *before, (who, last) = written.messages
    unwritten = replace(written, messages=before)
    assert len(await held(unwritten)) == len(unwritten.messages) + 1
    another = replace(written, messages=[*before, (who, {**last, "id": 7})])
    assert await held(another) != another.messages
