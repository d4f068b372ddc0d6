"""The pages while they are served: streams of news, and the end."""

import anyio
import httpx2
import pytest

from askfirst.core.fields import Form
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.web.guard import Limits
from askfirst.web.serving import start

pytestmark = pytest.mark.anyio

BARE = FormQuestion("?", Form())


async def heard(response: httpx2.Response, text: str) -> None:
    with anyio.fail_after(60):
        async for line in response.aiter_lines():
            if text in line:
                return
    raise AssertionError(f"the stream ended without {text}")


async def test_a_change_is_told_and_says_nothing_else() -> None:
    desk = Desk(MemoryStore())
    served = await start(desk)
    async with httpx2.AsyncClient(follow_redirects=True) as client:
        page = await client.get(served.link())
        async with client.stream("GET", f"{page.url}events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.aiter_lines()
            assert (await anext(lines)).startswith("retry")
            await desk.post(BARE, Origin("mine"), limit=60)
            with anyio.fail_after(60):
                told = [line async for line in lines_until(lines, "data:")]
    assert told == ["", "event: change", "data:"]
    await served.stop()


async def lines_until(lines, last):  # type: ignore[no-untyped-def]
    async for line in lines:
        yield line
        if line == last:
            return


async def test_the_end_of_the_pages_ends_the_streams() -> None:
    served = await start(Desk(MemoryStore()))
    async with httpx2.AsyncClient(follow_redirects=True) as client:
        page = await client.get(served.link())
        async with client.stream("GET", f"{page.url}events") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            with anyio.fail_after(60):
                await served.stop()
                assert [line async for line in lines] == [""]


async def test_no_more_streams_are_open_than_may_be() -> None:
    served = await start(Desk(MemoryStore()), limits=Limits(streams=1))
    async with httpx2.AsyncClient(follow_redirects=True) as client:
        page = await client.get(served.link())
        async with client.stream("GET", f"{page.url}events") as stream:
            await anext(stream.aiter_lines())
            assert (await client.get(f"{page.url}events")).status_code == 429
        with anyio.fail_after(60):  # the other side hears of the end a little later
            while True:
                async with client.stream("GET", f"{page.url}events") as again:
                    if again.status_code == 200:
                        break
    await served.stop()


async def test_the_pages_are_served_to_this_machine_alone() -> None:
    with pytest.raises(ValueError, match="loopback"):
        await start(Desk(MemoryStore()), host="0.0.0.0")


async def test_a_port_that_is_taken_is_said() -> None:
    served = await start(Desk(MemoryStore()))
    with pytest.raises(OSError, match="in use"):
        await start(Desk(MemoryStore()), port=int(served.link().split(":")[2].partition("/")[0]))
    await served.stop()


async def test_each_start_has_a_path_of_its_own() -> None:
    served = await start(Desk(MemoryStore()))
    host = served.link().split("/")[2]
    async with httpx2.AsyncClient() as client:
        for path in ("/", "/enter", "/static/desk.css"):
            assert (await client.get(f"http://{host}{path}")).status_code == 404
    await served.stop()
