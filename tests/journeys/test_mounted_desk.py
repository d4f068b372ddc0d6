"""A server on HTTP whose application has both, the tools and the pages of their desk."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount

from askfirst import Ask, Asking, askable, mounted_desk
from askfirst.core.answers import Accepted
from askfirst.core.errors import NobodyAsked
from askfirst.core.fields import Form
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.mounted import MountedDesk
from askfirst.web.access import Access
from visiting import Visitor

pytestmark = pytest.mark.anyio

MODES = {"legacy": "legacy", "modern": "auto"}
TOKENS = {
    "token-of-ann": AccessToken(token="t", client_id="laptop", scopes=[], subject="ann"),
    "token-of-ann-elsewhere": AccessToken(token="t", client_id="phone", scopes=[], subject="ann"),
    "token-of-bob": AccessToken(
        token="t", client_id="laptop", scopes=[], subject="bob", claims={"iss": "https://id.example.org"}
    ),
    "token-of-a-job": AccessToken(token="t", client_id="nightly", scopes=[]),
}


class Verifier:
    async def verify_token(self, token: str) -> AccessToken | None:
        return TOKENS.get(token)


@dataclass
class Site:
    """An application that is served, and what happened in it."""

    base: str
    desk: MountedDesk
    results: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def caller(self, token: str | None, era: str = "modern") -> AsyncIterator[Client]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{self.base}/mcp", http_client=http), mode=MODES[era]) as client,
        ):
            yield client

    @asynccontextmanager
    async def visitor(self, who: str | None = None) -> AsyncIterator[Visitor]:
        cookies = {} if who is None else {"signed_in": who.replace(" ", "+")}
        async with httpx2.AsyncClient(cookies=cookies) as http:
            yield Visitor(self.desk.desk, Access(f"{self.base}/questions"), http)

    async def call(self, client: Client) -> None:
        result = await client.call_tool("purge", {"table": "users"})
        self.results.append("\n".join(block.text for block in result.content))  # type: ignore[union-attr]

    async def asked(self) -> Posting:
        with anyio.fail_after(60):
            while not (found := await self.desk.desk.open()):
                await anyio.lowlevel.checkpoint()
        return found[0]


def identify(request: Request) -> str | None:
    who = request.cookies.get("signed_in")
    return None if who is None else who.replace("+", " ")


@asynccontextmanager
async def site(*, known: bool = True, **desk: Any) -> AsyncIterator[Site]:
    """The application, with `known` callers, on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        own = mounted_desk(f"{base}/questions", **desk)
        settings = AuthSettings(issuer_url="https://id.example.org", resource_server_url=None)  # type: ignore[arg-type]
        safe: dict[str, Any] = {"auth": settings, "token_verifier": Verifier()} if known else {}
        mcp = MCPServer("records", **safe)

        @mcp.tool()
        @askable(asking=Asking(desk=own))
        async def purge(table: str, ask: Ask) -> str:
            return (await ask.confirm(f"Delete {table}?")).action

        routes = [Mount("/questions", own.app), Mount("/", mcp.streamable_http_app())]
        app = Starlette(routes=routes, lifespan=lambda _: mcp.session_manager.run())
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            yield Site(base, own)
            server.should_exit = True


@pytest.mark.parametrize("era", MODES)
async def test_the_person_who_called_answers_and_nobody_else(era: str) -> None:
    async with (
        site(identify=identify) as here,
        here.caller("token-of-ann", era) as client,
        here.visitor("ann") as ann,
        here.visitor("bob") as bob,
        here.visitor() as stranger,
        anyio.create_task_group() as group,
    ):
        group.start_soon(here.call, client)
        posting = await here.asked()
        link = await here.desk.address(posting)
        assert (await stranger.get(link)).status == 403
        assert (await bob.get(link)).status == 404
        assert "Delete users?" not in (await bob.get("/")).text
        seen = await ann.get(link)
        assert "Delete users?" in seen.text
        stolen = {"csrf": seen.hidden("csrf"), "digest": posting.digest, "do": "send"}
        assert (await bob.post(f"/q/{posting.token}", stolen)).status in {403, 404}
        review = await ann.answer(posting, f0="yes")
        done = await ann.press(review, "confirm")
        assert done.status == 200
    assert here.results == ["accept"]
    lines = [line async for line in here.desk.desk.ledger.lines()]
    assert '"by":"ann"' in lines[-1].replace(" ", "")


async def test_a_person_is_the_same_whichever_client_they_use() -> None:
    async with (
        site(identify=identify) as here,
        here.caller("token-of-ann-elsewhere") as client,
        here.visitor("ann") as ann,
        anyio.create_task_group() as group,
    ):
        group.start_soon(here.call, client)
        await ann.answer(await here.asked(), "decline")
    assert here.results == ["decline"]


async def test_the_same_subject_of_another_issuer_is_another_person() -> None:
    async with (
        site(identify=identify) as here,
        here.caller("token-of-bob") as client,
        here.visitor("bob") as other,
        here.visitor("https://id.example.org bob") as bob,
        anyio.create_task_group() as group,
    ):
        group.start_soon(here.call, client)
        posting = await here.asked()
        assert (await other.get(f"/q/{posting.token}")).status == 404
        await bob.answer(posting, "cancel")
    assert here.results == ["cancel"]


async def test_an_application_that_knows_nobody_has_links_that_work_once() -> None:
    async with (
        site(known=False) as here,
        here.caller(None) as client,
        here.visitor() as first,
        here.visitor() as second,
        anyio.create_task_group() as group,
    ):
        group.start_soon(here.call, client)
        posting = await here.asked()
        link = await here.desk.address(posting)
        assert "Delete users?" in (await first.get(link)).text
        assert (await second.get(link)).status == 403
        await first.answer(posting, "decline")
    assert here.results == ["decline"]


@pytest.mark.parametrize(
    ("token", "desk", "reason"),
    [
        (None, {"identify": identify}, "this server's callers are not known"),
        ("token-of-ann", {}, "`identify` for the server's mounted_desk"),
    ],
)
async def test_where_the_person_can_t_be_made_sure_of_nobody_is_asked(
    token: str | None, desk: dict[str, Any], reason: str
) -> None:
    async with site(known=token is not None, **desk) as here, here.caller(token) as client:
        await here.call(client)
        assert await here.desk.desk.open() == ()
    (result,) = here.results
    assert "nobody was asked" in result
    assert reason in result
    assert "The question was: 'Delete" in result


async def test_a_caller_without_a_person_has_a_name_that_no_person_has() -> None:
    async with (
        site(identify=identify) as here,
        here.caller("token-of-a-job") as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(here.call, client)
        posting = await here.asked()
        assert posting.asked_of == "client nightly"
        yes = Accepted({"confirm": True})
        await here.desk.desk.answer(posting.token, posting.digest, yes, by="client nightly")
    assert here.results == ["accept"]


async def test_an_address_is_never_given_for_a_question_that_could_be_anybodys() -> None:
    desk = mounted_desk("https://example.org/questions", identify=identify)
    posting = await desk.desk.post(FormQuestion("?", Form()), Origin("records"), limit=60)
    with pytest.raises(NobodyAsked):
        await desk.address(posting)
