"""A question in a shape that the SDK refuses unread: its asker is told why, and so is whoever runs the client."""

from collections.abc import Mapping
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from askfirst.client.connecting import connect
from askfirst.client.prepared import Prepared
from askfirst.core.answers import Accepted
from askfirst.core.errors import NobodyAsked
from client.raw_server import RawServer, text

pytestmark = pytest.mark.anyio

FORM = {"type": "object", "properties": {"name": {"type": "string"}}}
VISIT = {"mode": "url", "message": "Sign in", "url": "https://example.org/"}
BROKEN: list[tuple[Any, str, tuple[str, str]]] = [
    (None, "expected a message that says why", ("", "form")),
    ({"requestedSchema": FORM}, "expected a message that says why", ("", "form")),
    ({"message": 7, "requestedSchema": FORM}, "expected a message that says why", ("", "form")),
    ({"message": "Who?", "mode": "hologram"}, "expected mode form or url", ("Who?", "")),
    ({"message": "Who?", "mode": ["form"]}, "expected mode form or url", ("Who?", "")),
    ({"message": "Who?", "requestedSchema": "x"}, "can't be shown as a form", ("Who?", "form")),
    ({"message": "Who?", "requestedSchema": {"type": "array"}}, "can't be shown as a form", ("Who?", "form")),
    ({"message": "Sign in", "mode": "url"}, "expected an address", ("Sign in", "url")),
    ({**VISIT, "url": 7}, "expected an address", ("Sign in", "url")),
    ({**VISIT, "elicitationId": 7}, "elicitationId wrong or missing", ("Sign in", "url")),
]


def asking(params: Mapping[str, Any] | None, *, modern: bool) -> RawServer:
    """A server whose tool asks this, and gives what was answered."""
    question = {"method": "elicitation/create", **({} if params is None else {"params": params})}

    def called(number: object, given: Mapping[str, Any]) -> list[dict[str, Any]]:
        if not modern:
            return [{"id": number, **question}]
        if "inputResponses" in given:
            return [{"id": number, "result": text(str(given["inputResponses"]["q"]))}]
        return [{"id": number, "result": {"resultType": "input_required", "inputRequests": {"q": question}}}]

    return RawServer(modern=modern, called=called)


@pytest.mark.parametrize(("params", "reason", "about"), BROKEN)
async def test_a_legacy_server_hears_why_and_so_does_the_client(
    params: Any, reason: str, about: tuple[str, str]
) -> None:
    told: list[NobodyAsked] = []
    answerer = Prepared([Accepted({})])
    server = asking(params, modern=False)
    async with connect(server, answerer, name="raw", mode="legacy", unasked=told.append) as client:
        said = (await client.call_tool("t")).content[0].text
    assert str(INVALID_PARAMS) in said
    (one,) = told
    assert reason in one.reason
    assert one.reason.splitlines()[0] in said.replace("\\'", "'")
    assert (one.message, one.mode) == about


@pytest.mark.parametrize(("params", "reason", "about"), BROKEN)
async def test_a_modern_call_ends_with_the_reason(params: Any, reason: str, about: tuple[str, str]) -> None:
    told: list[NobodyAsked] = []
    server = asking(params, modern=True)
    async with connect(server, Prepared([Accepted({})]), name="raw", unasked=told.append) as client:
        with pytest.raises(MCPError) as ended:
            await client.call_tool("t")
    assert ended.value.error.code == INVALID_PARAMS
    assert reason in str(ended.value)
    assert [(one.message, one.mode) for one in told] == [about]


@pytest.mark.parametrize("modern", [False, True])
async def test_an_id_belongs_to_the_visits_of_the_legacy_era_alone(modern: bool) -> None:
    told: list[NobodyAsked] = []
    server = asking(VISIT, modern=modern)
    async with connect(
        server, Prepared([Accepted({})]), name="raw", mode="auto" if modern else "legacy", unasked=told.append
    ) as client:
        said = (await client.call_tool("t")).content[0].text
    assert ("accept" in said) is modern
    assert len(told) == (not modern)


@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize(
    "params",
    [
        {"message": "Who?", "mode": None, "requestedSchema": FORM},
        {"message": "Who?", "mode": None, "requestedSchema": None},
        {"message": "Who?", "requestedSchema": {"type": "object", "properties": None, "required": None}},
    ],
)
async def test_null_is_as_good_as_left_out(params: dict[str, Any], modern: bool) -> None:
    server = asking(params, modern=modern)
    async with connect(
        server, Prepared([Accepted({})]), name="raw", mode="auto" if modern else "legacy"
    ) as client:
        assert "accept" in (await client.call_tool("t")).content[0].text


async def test_without_anybody_to_tell_the_server_hears_it_all_the_same() -> None:
    server = asking({"message": "Who?", "mode": "hologram"}, modern=False)
    async with connect(server, Prepared([Accepted({})]), name="raw", mode="legacy") as client:
        assert "expected mode form or url" in (await client.call_tool("t")).content[0].text


async def test_a_request_on_a_modern_connection_is_not_answered() -> None:
    ask = {"id": "mine", "method": "elicitation/create", "params": {"message": "Who?"}}
    faults: list[Exception] = []

    async def heard(message: object) -> None:
        if isinstance(message, Exception):
            faults.append(message)

    server = RawServer(modern=True, called=lambda number, _: [ask, {"id": number, "result": text("done")}])
    async with connect(server, Prepared([Accepted({})]), name="raw", message_handler=heard) as client:
        for _ in range(2):
            assert (await client.call_tool("t")).content[0].text == "done"
    assert all("method" in message for message in server.received)
    assert "not answered" in str(faults[0])
