"""What is tried against the pages, and what comes of it."""

import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.postings import Status
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.web.access import Access
from askfirst.web.guard import HEADERS, Allowance, Limits, refusal
from askfirst.web.serving import start
from visiting import BASE, Page, Visitor, visiting

pytestmark = pytest.mark.anyio

ACCESS = Access(BASE)
OWN = {"host": "127.0.0.1:8123", "content-type": "application/x-www-form-urlencoded"}
HURRIED = Limits(body_time=1)


def status(method: str, **headers: str) -> int:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    found = refusal(method, OWN | named, ACCESS)
    return 200 if found is None else found.status


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8123", "localhost:8123", "127.0.0.1", "127.0.0.1:9", "", "[::1]:8123"],
)
def test_another_name_that_points_here_is_not_this_page(host: str) -> None:
    """DNS rebinding: the browser believes that it talks to the other site."""
    assert status("GET", host=host) == 421
    assert status("POST", host=host, origin=ACCESS.origin) == 421


def test_a_post_of_a_page_of_ours_is_let_through() -> None:
    assert status("POST", origin=ACCESS.origin, sec_fetch_site="same-origin") == 200
    assert status("POST", origin="null", sec_fetch_site="same-origin") == 200
    assert status("POST", origin=ACCESS.origin) == 200
    assert status("POST") == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", ""])
@pytest.mark.parametrize("origin", ["null", "http://127.0.0.1:8123"])
def test_a_post_of_another_sites_page_is_refused(site: str, origin: str) -> None:
    assert status("POST", origin=origin, sec_fetch_site=site) == 403


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.1:8124", "http://127.0.0.1"],
)
def test_a_post_from_another_origin_is_refused(origin: str) -> None:
    assert status("POST", origin=origin) == 403
    if origin != "null":
        assert status("POST", origin=origin, sec_fetch_site="same-origin") == 403


@pytest.mark.parametrize("where", ["iframe", "frame", "embed", "object", "fencedframe"])
def test_a_page_is_not_loaded_into_a_frame(where: str) -> None:
    assert status("GET", sec_fetch_dest=where) == 403


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "QUERY"])
def test_there_are_two_methods(method: str) -> None:
    assert status(method) == 405


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain", "application/json", ""])
def test_an_answer_is_a_posted_form(kind: str) -> None:
    assert status("POST", content_type=kind) == 415


def test_so_many_in_a_minute_and_no_more_each_for_themselves() -> None:
    now = 0.0
    allowance = Allowance(2, clock=lambda: now)
    for _ in range(2):
        assert not allowance.is_spent("a")
        allowance.spend("a")
    assert allowance.is_spent("a")
    assert not allowance.is_spent("b")
    now = 60.0
    assert not allowance.is_spent("a")
    allowance.spend("a")
    assert not allowance.is_spent("a")


def test_who_is_counted_is_bounded() -> None:
    allowance = Allowance(1, clock=lambda: 1.0)
    for number in range(2000):
        allowance.spend(str(number))
    assert not allowance.is_spent("0")
    assert allowance.is_spent("1999")


@pytest.fixture
async def visitor() -> AsyncIterator[Visitor]:
    async with visiting() as one:
        yield one


async def test_every_response_forbids_frames_scripts_caches_and_referrers(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    pages = [
        await visitor.enter(posting),
        await visitor.answer(posting),
        await visitor.answer(posting, f0="Ada"),
        await visitor.get("/nowhere"),
        await visitor.get("/static/desk.css"),
        await visitor.get("/", host="evil.example"),
        await visitor.post("/mute", {"do": "mute"}),
    ]
    assert [page.status for page in pages] == [200, 200, 200, 404, 200, 421, 403]
    for page in pages:
        for response in (*page.response.history, page.response):
            assert {name: response.headers[name] for name in HEADERS} == dict(HEADERS)
    assert "frame-ancestors 'none'" in HEADERS["Content-Security-Policy"]
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


async def test_no_page_has_a_script_or_style_of_its_own_in_it(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    for page in (
        await visitor.enter(posting),
        await visitor.get("/"),
        await visitor.answer(posting, "decline"),
    ):
        assert not re.search(r"<script(?![^>]* src=)|<style|\bstyle=|\bon[a-z]+=", page.html)
        assert not re.search(r'(?:src|href|action)="(?!/way/|#|"|https://accounts)', page.html)


async def test_the_cookie_is_strict_and_stays_on_its_path(visitor: Visitor) -> None:
    page = await visitor.enter()
    cookie = page.response.history[0].headers["set-cookie"]
    assert re.fullmatch(r"askfirst=[\w-]{43}; HttpOnly; Path=/way/; SameSite=strict", cookie)


async def test_on_a_public_host_no_neighbour_can_set_the_cookie_and_each_desk_has_its_own() -> None:
    names = set()
    for base in ("https://example.org/one", "https://example.org/two"):
        async with visiting(base=base) as visitor:
            page = await visitor.enter()
            cookie = page.response.history[0].headers["set-cookie"]
            assert re.fullmatch(
                r"__Host-askfirst-[0-9a-f]{8}=[\w-]{43}; HttpOnly; Path=/; SameSite=strict; Secure", cookie
            )
            assert (await visitor.get("/")).status == 200
            names.add(cookie.partition("=")[0])
    assert len(names) == 2


@pytest.mark.parametrize("others", ["askfirst=another-desks", "askfirst=; askfirst", "askfirst=a b;;="])
async def test_a_cookie_that_something_else_on_this_host_set_shuts_nobody_out(
    visitor: Visitor, others: str
) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    own = page.response.history[0].headers["set-cookie"].partition(";")[0]
    visitor.client.cookies.clear()
    for cookies in (f"{own}; {others}", f"{others}; {own}"):
        assert (await visitor.get(f"/q/{posting.token}", cookie=cookies)).status == 200


async def test_a_post_without_the_forms_own_token_is_refused(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    own = {"digest": page.hidden("digest"), "do": "send", "f0": "Eve"}
    for csrf in ({}, {"csrf": ""}, {"csrf": "guess"}, {"csrf": "ü"}):
        assert (await visitor.post(f"/q/{posting.token}", own | csrf)).status == 403
    assert (await visitor.desk.open())[0].status is Status.OPEN


async def test_the_token_of_another_session_is_refused(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    other = (await visitor.enter(posting)).hidden("csrf")
    visitor.client.cookies.clear()
    page = await visitor.enter(posting)
    own = {"digest": page.hidden("digest"), "do": "send", "f0": "Eve", "csrf": other}
    assert (await visitor.post(f"/q/{posting.token}", own)).status == 403


async def test_a_post_without_a_session_is_refused(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    visitor.client.cookies.clear()
    own = {"csrf": page.hidden("csrf"), "digest": page.hidden("digest"), "do": "send", "f0": "Eve"}
    assert (await visitor.post(f"/q/{posting.token}", own)).status == 403


async def test_a_replayed_post_changes_nothing(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    own = {"csrf": page.hidden("csrf"), "digest": page.hidden("digest"), "do": "send", "f0": "Ada"}
    statuses = [(await visitor.post(f"/q/{posting.token}", own)).status for _ in range(5)]
    assert statuses == [200, 409, 409, 409, 409]


async def test_guessing_keys_ends_in_a_minutes_wait_even_for_the_right_one() -> None:
    async with visiting(limits=Limits(wrong_keys=3)) as visitor:
        right = visitor.access.link()
        statuses = [(await visitor.get(f"/enter?key={'A' * 43}")).status for _ in range(5)]
        assert statuses == [403, 403, 403, 429, 429]
        assert (await visitor.get(right)).status == 429


async def test_a_key_that_is_nearly_right_is_wrong(visitor: Visitor) -> None:
    link = visitor.access.link()
    for wrong in (link[:-1], f"{link}A", link.upper(), link.replace("key=", "key=%00")):
        assert (await visitor.get(wrong)).status in {403, 404}
    assert (await visitor.get("/enter")).status == 403
    assert (await visitor.get(link)).status == 200


async def test_a_flood_of_posts_is_slowed_down() -> None:
    async with visiting(limits=Limits(posts=4)) as visitor:
        assert [(await visitor.post("/mute", {"do": "mute"})).status for _ in range(6)] == [
            403,
            403,
            403,
            403,
            429,
            429,
        ]


async def test_a_body_of_ten_megabytes_is_refused(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    own = {"csrf": page.hidden("csrf"), "digest": page.hidden("digest"), "do": "send"}
    page = await visitor.post(f"/q/{posting.token}", own | {"f0": "x" * 10_000_000})
    assert page.status == 413
    assert "Nothing was sent" in page.text


async def test_a_body_far_too_large_is_refused_before_it_is_read(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    await visitor.enter(posting)

    async def unread() -> AsyncIterator[bytes]:
        yield b""
        raise AssertionError("it was read")

    headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(10**9)}
    response = await visitor.client.post(
        visitor.url(f"/q/{posting.token}"), content=unread(), headers=headers
    )
    assert response.status_code == 413


async def test_a_body_that_hides_its_size_is_cut_off() -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b"x" * 65536

    headers = {"Content-Type": "application/x-www-form-urlencoded", "Transfer-Encoding": "chunked"}
    async with served() as (_, link), httpx2.AsyncClient(follow_redirects=True) as client:
        page = await client.get(link)
        try:
            response = await client.post(str(page.url), content=endless(), headers=headers)
        except httpx2.TransportError:  # it hangs up while we still write
            return
    assert response.status_code == 413
    assert read < 1000


async def test_nonsense_in_a_body_is_no_form(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    await visitor.enter(posting)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"f0=%ff%fe", b"\xff\xfe", b"&".join(b"a=1" for _ in range(60_000))):
        response = await visitor.client.post(
            visitor.url(f"/q/{posting.token}"), content=body, headers=headers
        )
        assert response.status_code == 400


@asynccontextmanager
async def served(limits: Limits | None = None) -> AsyncIterator[tuple[Desk, str]]:
    """Pages that really listen, and the link to a question on them."""
    desk = Desk(MemoryStore())
    form = Form((TextField(name="name"),))
    posting = await desk.post(FormQuestion("Name?", form), Origin("mine"), limit=60)
    pages = await start(desk, limits=limits)
    yield desk, pages.link(posting)
    await pages.stop()


def _talk(address: str, text: str) -> bytes:
    """Say something, then nothing more, and read until the other side hangs up."""
    host, _, port = address.partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        line.sendall(text.replace("\n", "\r\n").encode())
        heard = b""
        while more := line.recv(65536):
            heard += more
        return heard


@pytest.mark.parametrize(
    "said", ["", "GET / HT", "GET / HTTP/1.1\nHost: x\nX-Slow: "], ids=["nothing", "line", "head"]
)
async def test_a_client_that_never_finishes_its_request_is_hung_up_on(said: str) -> None:
    async with served(HURRIED) as (_, link):
        address = link.split("/")[2]
        with anyio.fail_after(60):
            assert await anyio.to_thread.run_sync(_talk, address, said) == b""


async def test_a_client_that_never_finishes_its_body_is_told_so_and_hung_up_on() -> None:
    async with served(HURRIED) as (_, link):
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            page = await client.get(link)
            cookie = client.cookies["askfirst"]
        head = (
            f"POST {page.url.path} HTTP/1.1\nHost: {page.url.netloc.decode()}\nCookie: askfirst={cookie}\n"
            "Content-Type: application/x-www-form-urlencoded\nContent-Length: 100\n\ncsrf="
        )
        with anyio.fail_after(60):
            heard = await anyio.to_thread.run_sync(_talk, page.url.netloc.decode(), head)
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert b"took too long" in heard


async def test_no_answer_and_no_key_is_in_any_log(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    async with served() as (desk, link), httpx2.AsyncClient(follow_redirects=True) as client:
        page = Page(await client.get(link))
        own = {"csrf": page.hidden("csrf"), "digest": page.hidden("digest"), "do": "send", "f0": "hunter2"}
        answer = await client.post(str(page.response.url), data=own)
        assert "hunter2" in answer.text
        assert len(await desk.closed()) == 1
    logged = [
        record for record in caplog.records if record.name.startswith(("uvicorn", "starlette", "askfirst"))
    ]
    assert [
        one.getMessage() for one in logged if "hunter2" in one.getMessage() or "key=" in one.getMessage()
    ] == []
    assert capfd.readouterr() == ("", "")


def _leave(address: str, text: str) -> None:
    host, _, port = address.partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        line.sendall(text.replace("\n", "\r\n").encode())


async def test_a_client_that_leaves_in_the_middle_of_its_body_harms_nobody() -> None:
    async with served() as (_, link), httpx2.AsyncClient(follow_redirects=True) as client:
        page = await client.get(link)
        head = (
            f"POST {page.url.path} HTTP/1.1\nHost: {page.url.netloc.decode()}\n"
            f"Cookie: askfirst={client.cookies['askfirst']}\n"
            "Content-Type: application/x-www-form-urlencoded\nContent-Length: 100\n\ncsrf="
        )
        await anyio.to_thread.run_sync(_leave, page.url.netloc.decode(), head)
        assert (await client.get(str(page.url))).status_code == 200


HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><b>bold</b>"
    "\x1b[2J\x1b]8;;http://evil.example\x07link\x1b]8;;\x07\u202egnp.exe\u200b\u2066{{ 7*7 }}\x00"
)
EVERYWHERE = FormQuestion(
    HOSTILE,
    Form(
        (
            TextField(name=f"a{HOSTILE}", title=HOSTILE, description=HOSTILE, default=HOSTILE, required=True),
            TextField(name=f"b{HOSTILE}", pattern=HOSTILE),
            NumberField(name=f"c{HOSTILE}", title=HOSTILE),
            FlagField(name=f"d{HOSTILE}", description=HOSTILE),
            ChoiceField(name=f"e{HOSTILE}", choices=(Choice(HOSTILE, HOSTILE), Choice("x", f"{HOSTILE}2"))),
            ChoiceField(name=f"f{HOSTILE}", choices=tuple(Choice(f"{HOSTILE}{n}") for n in range(12))),
            ChoicesField(name=f"g{HOSTILE}", choices=(Choice(HOSTILE, HOSTILE),)),
        )
    ),
)


def is_harmless(html: str) -> bool:
    """Whether nothing of the hostile text is markup, and nothing of it is unseen."""
    loose = re.search(r"<(?:b|img src=x|script)>|onerror=alert\(1\)>\"|alert\(1\)</script", html)
    return loose is None and not re.search("[\x00\x1b\u202e\u200b\u2066]", html)


async def test_markup_and_escape_codes_in_every_text_of_a_server_are_text(visitor: Visitor) -> None:
    origin = Origin(HOSTILE, claimed=HOSTILE, tool=HOSTILE, revision=HOSTILE)
    desk = visitor.desk
    form = await desk.post(EVERYWHERE, origin, limit=60, arguments=[(HOSTILE, HOSTILE)])
    visit = await desk.post(UrlQuestion(HOSTILE, f"https://a.example/{HOSTILE}"), origin, limit=60)
    shown = [
        await visitor.enter(),
        await visitor.get(f"/q/{visit.token}"),
        *[await visitor.get(f"/q/{form.token}/{number}") for number in range(1, 8)],
        whole := await visitor.get(f"/q/{form.token}/all"),
        await visitor.press(whole, "send", f0="x", f2="no number", f4="0", f6="0"),
        await visitor.press(await visitor.get(f"/q/{form.token}/3"), "next", f2="7"),
        review := await visitor.get(f"/q/{form.token}/review"),
        await visitor.press(review, "confirm"),
    ]
    await desk.mute(HOSTILE)
    shown += [await visitor.get("/"), await visitor.get("/closed")]
    assert {page.status for page in shown} == {200}
    assert [review.title, shown[-3].title] == ["Check before you send - askfirst", "Answer sent - askfirst"]
    for page in shown:
        assert "<bdi>" in page.html
        assert is_harmless(page.html), page.html
        assert "‹U+202E›" in page.html  # noqa: RUF001 -- the mark that stands for an unseen character
        assert "49" not in page.text.replace(form.code, "")


@given(st.text())
def test_whatever_the_host_header_says_only_our_own_is_ours(host: str) -> None:
    assert (status("GET", host=host) == 200) == (host.lower() == ACCESS.host)
