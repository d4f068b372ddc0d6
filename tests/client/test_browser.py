"""Opening an address: said at once when it fails, never waited for."""

import threading

import anyio
import pytest

from askfirst.client.browser import open_in_browser, opened

pytestmark = pytest.mark.anyio
URL = "https://example.org/"


async def test_a_browser_that_opens_it_has_opened_it() -> None:
    visited: list[str] = []

    def opener(url: str) -> bool:
        visited.append(url)
        return True

    assert await opened(opener, URL)
    assert visited == [URL]


async def test_no_browser_and_one_that_cannot_start_are_failures() -> None:
    def missing(url: str) -> bool:
        raise FileNotFoundError(url)

    assert not await opened(lambda _: False, URL)
    assert not await opened(missing, URL)


async def test_a_browser_that_stays_open_is_not_waited_for() -> None:
    closed = threading.Event()
    with anyio.fail_after(60):
        assert await opened(lambda _: closed.wait(60), URL)
    closed.set()


def test_where_there_is_no_desktop_no_browser_for_text_takes_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("webbrowser.open", lambda _: pytest.fail("a browser was started"))
    assert not open_in_browser(URL)


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_a_desktop_or_a_browser_by_name_is_used(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    visited: list[str] = []

    def browse(url: str) -> bool:
        visited.append(url)
        return True

    monkeypatch.setenv(name, "x")
    monkeypatch.setattr("webbrowser.open", browse)
    assert open_in_browser(URL)
    assert visited == [URL]
