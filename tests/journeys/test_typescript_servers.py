"""The official client with an answerer of ours, against servers written in TypeScript."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from mcp import Client, MCPError
from mcp.types import CallToolResult

from askfirst import Accepted, Answer, Cancelled, Declined, NobodyAsked, connect
from askfirst.core.answers import Content
from askfirst.core.checking import check
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.core.revisions import Mode
from journeys.peers import everything, needs_node, node, over_http, over_stdio

pytestmark = [pytest.mark.anyio, needs_node]

TS1, TS2 = "ts1-server.mjs", "ts2-server.mjs"
Era = Literal["legacy", "auto"]


@dataclass
class Scripted:
    """A person who answers each question in turn with what was written down, and remembers what was asked."""

    answers: list[Answer[Content] | NobodyAsked]
    modes: frozenset[Mode] = frozenset(Mode)
    asked: list[tuple[Question, Origin]] = field(default_factory=list)

    def reaches(self) -> frozenset[Mode]:
        return self.modes

    async def answer(self, question: Question, origin: Origin, limit: float | None) -> Answer[Content]:
        self.asked.append((question, origin))
        said = self.answers[len(self.asked) - 1]
        if isinstance(said, NobodyAsked):
            raise said
        if isinstance(said, Accepted) and isinstance(question, FormQuestion):
            return Accepted(check(question.form, said.data))
        return said


@pytest.fixture(scope="module")
def addresses() -> Iterator[Mapping[str, str]]:
    with over_http(node(TS1)) as first, over_http(node(TS2)) as second:
        yield {TS1: first, TS2: second}


@dataclass(frozen=True)
class Route:
    """One way to one server."""

    script: str
    by: str
    era: Era
    address: str

    @property
    def rounds(self) -> int:
        """How many questions its `deploy` asks of somebody who accepts."""
        return 1 if self.script == TS1 else 2

    @asynccontextmanager
    async def to(self, person: Scripted) -> AsyncIterator[Client]:
        target = self.address if self.by == "http" else over_stdio(node(self.script))
        async with connect(target, person, name="my server", mode=self.era) as client:
            yield client


@pytest.fixture
def route(request: pytest.FixtureRequest, addresses: Mapping[str, str]) -> Route:
    script, by, era = request.param
    return Route(script, by, era, addresses[script])


ROUTES = pytest.mark.parametrize(
    "route",
    [
        (TS1, "stdio", "legacy"),
        (TS1, "stdio", "auto"),
        (TS1, "http", "auto"),
        (TS2, "stdio", "legacy"),
        (TS2, "stdio", "auto"),
        (TS2, "http", "auto"),
    ],
    indirect=True,
    ids="-".join,
)


def text(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def answers(result: CallToolResult) -> list[dict[str, Any]]:
    """The answers as they came to the server."""
    assert not result.is_error, text(result)
    told = json.loads(text(result))
    return told if isinstance(told, list) else [told]


@ROUTES
async def test_each_server_speaks_the_newest_revision_it_can(route: Route) -> None:
    async with route.to(Scripted([])) as client:
        modern = route.script == TS2 and route.era == "auto"
        assert client.protocol_version == ("2026-07-28" if modern else "2025-11-25")


@ROUTES
async def test_what_a_person_accepts_arrives(route: Route) -> None:
    person = Scripted(
        [Accepted({"environment": "production", "notify": True}), Accepted({"reason": "because"})]
    )
    async with route.to(person) as client:
        came = answers(await client.call_tool("deploy", {}))
    expected = [
        {"action": "accept", "content": {"environment": "production", "notify": True}},
        {"action": "accept", "content": {"reason": "because"}},
    ]
    assert came == expected[: route.rounds]
    assert len(person.asked) == route.rounds


@ROUTES
async def test_a_person_sees_who_asks_and_what(route: Route) -> None:
    person = Scripted([Declined()])
    async with route.to(person) as client:
        revision = client.protocol_version
        await client.call_tool("deploy", {})
    ((question, origin),) = person.asked
    claimed = "typescript-1" if route.script == TS1 else "typescript-2"
    assert origin == Origin("my server", claimed=claimed, tool="deploy", revision=revision)
    assert isinstance(question, FormQuestion)
    assert question.message == "Where to deploy?"
    assert [one.title for one in question.form.fields] == ["Environment", "Tell the team"]


@ROUTES
@pytest.mark.parametrize("said", [Declined(), Cancelled()], ids=repr)
async def test_a_refusal_and_a_dismissal_arrive_as_what_they_are(
    route: Route, said: Declined | Cancelled
) -> None:
    async with route.to(Scripted([said])) as client:
        assert answers(await client.call_tool("deploy", {})) == [{"action": said.action}]


@ROUTES
async def test_that_nobody_was_asked_is_an_error_and_no_answer(route: Route) -> None:
    """A legacy server is told by an error; in the modern era the call ends on the client's own side."""
    async with route.to(Scripted([NobodyAsked("the screen is gone")])) as client:
        try:
            result = await client.call_tool("deploy", {})
        except MCPError as error:
            said = str(error)
        else:
            assert result.is_error
            said = text(result)
    assert "the screen is gone" in said


@ROUTES
async def test_an_address_is_shown_and_consent_arrives_without_content(route: Route) -> None:
    person = Scripted([Accepted({})])
    async with route.to(person) as client:
        modern = client.protocol_version == "2026-07-28"
        assert answers(await client.call_tool("authorize", {})) == [{"action": "accept"}]
    ((question, _),) = person.asked
    assert isinstance(question, UrlQuestion)
    assert question.url == "https://example.com/sign-in"
    assert (question.elicitation_id is None) is modern


@ROUTES
@pytest.mark.parametrize("modes", [frozenset(), frozenset({Mode.URL})], ids=["nobody", "url only"])
async def test_a_mode_that_reaches_nobody_is_not_declared(route: Route, modes: frozenset[Mode]) -> None:
    person = Scripted([], modes)
    async with route.to(person) as client:
        if route.script == TS2 and route.era == "auto":
            with pytest.raises(MCPError) as caught:
                await client.call_tool("deploy", {})
            assert caught.value.code == -32021  # a missing capability
        else:
            assert (await client.call_tool("deploy", {})).is_error
    assert person.asked == []


async def test_a_server_without_a_way_back_says_so(addresses: Mapping[str, str]) -> None:
    """The 2.x SDK serves legacy clients over HTTP without a session: nothing can be pushed there."""
    person = Scripted([])
    async with connect(addresses[TS2], person, name="my server", mode="legacy") as client:
        result = await client.call_tool("deploy", {})
    assert result.is_error
    assert person.asked == []


EVERY_FIELD: Content = {
    "name": "Ada",
    "check": False,
    "firstLine": "It was a bright cold day in April.",
    "email": "ada@example.com",
    "homepage": "https://example.com/~ada",
    "birthdate": "1815-12-10",
    "integer": 7,
    "number": 2.5,
    "untitledSingleSelectEnum": "Phoebe",
    "untitledMultipleSelectEnum": ["Piano", "Drums"],
    "titledSingleSelectEnum": "hero-2",
    "titledMultipleSelectEnum": ["fish-1", "fish-3"],
    "legacyTitledEnum": "pet-5",
}


@asynccontextmanager
async def the_example_server(person: Scripted) -> AsyncIterator[Client]:
    async with connect(over_stdio(everything()), person, name="everything") as client:
        yield client


async def test_every_kind_of_field_of_the_example_server_can_be_answered() -> None:
    person = Scripted([Accepted(EVERY_FIELD)])
    async with the_example_server(person) as client:
        result = await client.call_tool("trigger-elicitation-request", {})
    assert json.loads(text(result).partition("Raw result: ")[2]) == {
        "action": "accept",
        "content": EVERY_FIELD,
    }
    ((question, _),) = person.asked
    assert isinstance(question, FormQuestion)
    assert [one.name for one in question.form.fields] == list(EVERY_FIELD)
    assert [choice.label for choice in question.form["legacyTitledEnum"].choices][:2] == ["Cats", "Dogs"]


@pytest.mark.parametrize("said", [Declined(), Cancelled()], ids=repr)
async def test_the_example_server_hears_a_refusal_and_a_dismissal(said: Declined | Cancelled) -> None:
    async with the_example_server(Scripted([said])) as client:
        result = await client.call_tool("trigger-elicitation-request", {})
    assert json.loads(text(result).partition("Raw result: ")[2]) == {"action": said.action}


@pytest.mark.parametrize("said", [Accepted({}), Declined(), Cancelled()], ids=repr)
async def test_the_example_server_asks_to_visit_an_address(said: Answer[Content]) -> None:
    person = Scripted([said])
    async with the_example_server(person) as client:
        url = "https://example.com/visit"
        result = await client.call_tool("trigger-url-elicitation", {"url": url, "elicitationId": "visit-1"})
    assert json.loads(text(result).partition("Raw result: ")[2]) == {"action": said.action}
    ((question, _),) = person.asked
    assert question == UrlQuestion("Please open the link to complete this action.", url, "visit-1")


async def test_the_example_server_can_demand_a_visit_by_an_error_and_then_asks() -> None:
    arguments = {"url": "https://example.com/visit", "elicitationId": "visit-2", "errorPath": True}
    person = Scripted([Accepted({})])
    async with the_example_server(person) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("trigger-url-elicitation", arguments)
        assert caught.value.code == -32042
        assert person.asked == []
        await client.call_tool("trigger-url-elicitation", arguments)
    assert len(person.asked) == 1


async def test_the_example_server_offers_no_question_to_a_client_that_cannot_ask() -> None:
    async with the_example_server(Scripted([], frozenset())) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    assert offered
    assert not [name for name in offered if "elicitation" in name]


async def test_no_tool_of_the_example_server_that_asks_is_left_out() -> None:
    """One more asks through tasks, and is offered only to clients that run tasks, which the SDK's does not."""
    async with the_example_server(Scripted([])) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    asking = {name for name in offered if "elicitation" in name}
    assert asking == {"trigger-elicitation-request", "trigger-url-elicitation"}
