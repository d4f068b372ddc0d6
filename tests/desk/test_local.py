"""The desk of a server on one's own machine: pages on first need, and who is told their address."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from askfirst import Asking, local_desk
from askfirst.core.errors import AuthorError, NobodyAsked
from askfirst.core.fields import Form
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.local import LocalDesk
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore
from askfirst.web import serving

pytestmark = pytest.mark.anyio

QUESTION = FormQuestion("Delete 4,000 rows?", Form())


class Corner:
    """A local desk in memory, what it said, and the addresses that it opened."""

    def __init__(self, *, opens: bool | None = None, tell: bool = True) -> None:
        self.said: list[str] = []
        self.opened: list[str] = []
        opener = None if opens is None else self._opener(opens)
        self.place = LocalDesk(Desk(MemoryStore()), opener=opener, tell=tell, say=self.said.append)

    def _opener(self, works: bool) -> Callable[[str], bool]:
        def open_address(url: str) -> bool:
            self.opened.append(url)
            return works

        return open_address

    async def ask(self) -> tuple[Posting, str]:
        posting = await self.place.desk.post(QUESTION, Origin("records"), limit=60)
        return posting, await self.place.address(posting)


@asynccontextmanager
async def corner(*, opens: bool | None = None, tell: bool = True) -> AsyncIterator[Corner]:
    one = Corner(opens=opens, tell=tell)
    yield one
    await one.place.close()


async def test_the_page_comes_up_with_the_first_question_and_stays_for_the_next() -> None:
    async with corner() as here, httpx2.AsyncClient(follow_redirects=True) as browser:
        for _ in range(2):
            posting, address = await here.ask()
            page = await browser.get(address)
            assert "Delete 4,000 rows?" in page.text
            assert page.url.host == "127.0.0.1"
            assert here.said[-1] == f"askfirst: a question waits ({posting.code}) at {address}"
        assert len({line.rpartition("/enter")[0].rpartition(" ")[2] for line in here.said}) == 1


async def test_an_address_that_a_browser_was_opened_at_is_told_to_nobody() -> None:
    async with corner(opens=True) as here:
        posting, address = await here.ask()
    assert address == ""
    assert here.said == [f"askfirst: a question waits ({posting.code}) in your browser"]
    assert len(here.opened) == 1


async def test_where_no_browser_opens_the_address_is_told_after_all() -> None:
    async with corner(opens=False) as here:
        _, address = await here.ask()
    assert address == here.opened[0]
    assert address in here.said[0]


async def test_an_address_may_be_for_the_operator_alone() -> None:
    async with corner(tell=False) as here:
        _, address = await here.ask()
    assert address == ""
    assert "http://127.0.0.1:" in here.said[0]


def test_pages_end_with_their_event_loop_and_come_up_again_in_the_next() -> None:
    here, addresses = Corner(), list[str]()

    async def ask() -> None:
        _, address = await here.ask()
        async with httpx2.AsyncClient(follow_redirects=True) as browser:
            assert "Delete 4,000 rows?" in (await browser.get(address)).text
        addresses.append(address)

    for _ in range(2):
        asyncio.run(ask())
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(addresses[-1])
    asyncio.run(here.place.close())


async def test_pages_that_were_closed_come_up_again_with_the_next_question() -> None:
    async with corner() as here, httpx2.AsyncClient(follow_redirects=True) as browser:
        _, before = await here.ask()
        await here.place.close()
        with pytest.raises(httpx2.ConnectError):
            await browser.get(before)
        _, after = await here.ask()
        assert "Delete 4,000 rows?" in (await browser.get(after)).text


async def test_where_no_page_can_be_served_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(serving, "start", full)
    async with corner() as here:
        with pytest.raises(NobodyAsked, match="Too many open files"):
            await here.ask()


def test_the_file_is_the_one_that_is_named_else_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKFIRST_STORE", str(tmp_path / "environment"))
    assert path_of(local_desk(store=tmp_path / "named")) == tmp_path / "named"
    assert path_of(local_desk()) == tmp_path / "environment"
    monkeypatch.delenv("ASKFIRST_STORE")
    assert path_of(local_desk()).name == "desk.sqlite3"


def path_of(place: LocalDesk) -> Path:
    store = place.desk._store
    assert isinstance(store, SqliteStore)
    return store.path


@pytest.mark.parametrize(("said", "opens"), [("1", True), ("true", True), ("0", False), ("", False)])
def test_the_operator_may_say_that_a_browser_is_opened(
    monkeypatch: pytest.MonkeyPatch, said: str, opens: bool
) -> None:
    monkeypatch.setenv("ASKFIRST_OPEN", said)
    assert (local_desk()._opener is not None) is opens
    assert local_desk(open_browser=not opens)._opener is (
        None if opens else local_desk(open_browser=True)._opener
    )


def test_a_server_is_given_it_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKFIRST_DESK", "local")
    assert isinstance(Asking().place(), LocalDesk)
    monkeypatch.setenv("ASKFIRST_DESK", "kiosk")
    with pytest.raises(AuthorError, match=r"\(local\), got 'kiosk'"):
        Asking().place()


async def test_what_the_environment_brought_is_closed_with_its_asking_and_what_was_given_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASKFIRST_DESK", "local")
    monkeypatch.setenv("ASKFIRST_STORE", str(tmp_path / "desk.sqlite3"))
    async with Asking() as asking:
        brought = asking.place()
        assert isinstance(brought, LocalDesk)
        posting = await brought.desk.post(QUESTION, Origin("records"), limit=60, held=True)
        pages = await brought.pages()
    assert pages.ended
    assert await SqliteStore(tmp_path / "desk.sqlite3").claim(
        posting.token, "another"
    )  # so the store is closed
    assert asking.place() is not brought
    async with corner() as here:
        async with Asking(desk=here.place):
            pages = await here.place.pages()
        assert not pages.ended
