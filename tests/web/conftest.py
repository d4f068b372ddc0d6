"""A desk with its pages beside a real Chromium. Tests that want one are skipped where there is none."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from anyio.from_thread import start_blocking_portal

from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.web.serving import Served, start
from browser import ARGUMENTS, CHROMIUM, Site

if TYPE_CHECKING:
    from playwright import sync_api


@pytest.fixture
def site() -> Iterator[Site]:
    async def open_desk() -> tuple[Desk, Served]:
        desk = Desk(MemoryStore())
        return desk, await start(desk)

    with start_blocking_portal() as portal:
        desk, pages = portal.call(open_desk)
        yield Site(portal, desk, pages)
        portal.call(pages.stop)


@pytest.fixture(scope="module")
def chromium() -> Iterator["sync_api.Browser"]:
    api = pytest.importorskip("playwright.sync_api", reason="needs Playwright for Python")
    if not CHROMIUM.exists():
        pytest.skip("needs Debian's chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: "sync_api.Browser") -> Iterator["sync_api.Page"]:
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()
