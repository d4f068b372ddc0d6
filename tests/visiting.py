"""A visitor of the desk's pages who has no browser: follows links, reads what a page says, posts its forms."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from html import unescape

import httpx2
from starlette.applications import Starlette
from starlette.routing import Mount

from askfirst.core.fields import Form, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin, Question
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.web.access import Access
from askfirst.web.app import create
from askfirst.web.guard import Limits
from askfirst.web.visitors import Identify

BASE = "http://127.0.0.1:8123/way"
ORIGIN = Origin("records-admin", claimed="Records", tool="delete", revision="2025-11-25")
NAME = FormQuestion("What is your name?", Form((TextField(name="name", title="Name", required=True),)))


class Page:
    """One response. `text` is what a person reads, one line an element."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self.status = response.status_code
        self.html = response.text

    @property
    def text(self) -> str:
        lines = [" ".join(line.split()) for line in re.sub(r"<[^>]*>", "\n", self.html).split("\n")]
        return unescape("\n".join(line for line in lines if line))

    @property
    def title(self) -> str:
        (title,) = re.findall(r"<title>(.*?)</title>", self.html)
        return unescape(title)

    def hidden(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.html)
        assert found, f"no hidden box {name}"
        return unescape(found[1])

    @property
    def action(self) -> str:
        """Where the page's form goes; the page's own address where it has none."""
        found = re.search(r'<form method="post" action="([^"]*)"', self.html)
        return str(self.response.url.copy_with(path=found[1])) if found else str(self.response.url)

    def own(self) -> dict[str, object]:
        """What the page's form sends by itself."""
        return {name: self.hidden(name) for name in re.findall(r'type="hidden" name="([^"]*)"', self.html)}

    def boxes(self) -> list[str]:
        """The start tags of all controls that a person fills in."""
        return [
            tag for tag in re.findall(r"<(?:input|textarea|select)[^>]*>", self.html) if "hidden" not in tag
        ]


class Visitor:
    """A browser's worth of cookies in front of pages that run in this process."""

    def __init__(self, desk: Desk, access: Access, client: httpx2.AsyncClient) -> None:
        self.desk = desk
        self.access = access
        self.client = client

    async def post_question(self, question: Question = NAME, limit: float = 600, **more: object) -> Posting:
        return await self.desk.post(question, ORIGIN, limit=limit, **more)  # type: ignore[arg-type]

    async def get(self, path: str, **headers: str) -> Page:
        return Page(await self.client.get(self.url(path), headers=headers, follow_redirects=True))

    async def post(self, path: str, entries: Mapping[str, object], **headers: str) -> Page:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Page(
            await self.client.post(self.url(path), data=entries, headers=named, follow_redirects=True)
        )

    async def enter(self, posting: Posting | None = None) -> Page:
        return await self.get(self.access.link(posting))

    async def answer(self, posting: Posting, do: str = "send", **entries: object) -> Page:
        """Fill in the form of a question as its page shows it, and press one of the buttons."""
        page = await self.get(f"/q/{posting.token}")
        return await self.press(page, do, **entries)

    async def press(self, page: Page, do: str, **entries: object) -> Page:
        """Fill in the form of the page that is seen now, and press one of its buttons."""
        return await self.post(page.action, page.own() | {"do": do} | entries)

    def url(self, path: str) -> str:
        return path if path.startswith("http") else f"{self.access.origin}{self.access.root}{path}"


@asynccontextmanager
async def visiting(
    *,
    desk: Desk | None = None,
    base: str = BASE,
    me: Identify | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[Visitor]:
    """A visitor of a fresh desk, who has opened no link yet."""
    desk, access = desk or Desk(MemoryStore()), Access(base)
    app = create(desk, access=access, me=me, limits=limits)
    transport = httpx2.ASGITransport(Starlette(routes=[Mount(access.root, app)]))
    async with httpx2.AsyncClient(transport=transport) as client:
        yield Visitor(desk, access, client)
