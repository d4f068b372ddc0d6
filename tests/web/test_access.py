"""Links that work once, and the sessions they open."""

import pytest

from askfirst.core.fields import Form
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin
from askfirst.web.access import Access

ONE = Posting("token", "4KN7", FormQuestion("?", Form()), "digest", Origin("mine"), 0.0, 600.0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def key(link: str) -> str:
    return link.partition("key=")[2]


@pytest.mark.parametrize(
    ("base", "host", "origin", "root"),
    [
        ("http://127.0.0.1:8123/way", "127.0.0.1:8123", "http://127.0.0.1:8123", "/way"),
        ("https://Example.org:443/", "example.org", "https://example.org", ""),
        ("http://[::1]:80", "[::1]", "http://[::1]", ""),
    ],
)
def test_an_address_is_taken_apart(base: str, host: str, origin: str, root: str) -> None:
    access = Access(base)
    assert (access.host, access.origin, access.root) == (host, origin, root)


@pytest.mark.parametrize(
    "base", ["ftp://a.example", "a.example", "https://", "https://a.example/?x=1", "https://a/#b"]
)
def test_what_is_no_base_address_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="base address"):
        Access(base)


def test_a_key_opens_its_question_once() -> None:
    access = Access("https://a.example")
    link = key(access.link(ONE))
    entered = access.enter(link, "")
    assert entered is not None
    cookie, path = entered
    session = access.session(cookie)
    assert path == "/q/token"
    assert session is not None
    assert session.reach == {"token"}
    assert access.enter(link, "") is None


def test_a_key_ends_with_its_time() -> None:
    clock = Clock()
    access = Access("https://a.example", clock=clock)
    link = key(access.link(lasts=10))
    clock.now = 11
    assert access.enter(link, "") is None


def test_a_key_widens_the_session_that_is_there() -> None:
    access = Access("https://a.example")
    first = access.enter(key(access.link(ONE)), "")
    assert first is not None
    second = access.enter(key(access.link()), first[0])
    assert second is not None
    assert second[0] == first[0]
    third = access.enter(key(access.link(ONE)), first[0])
    assert third is not None
    session = access.session(first[0])
    assert session is not None
    assert session.reach is None


def test_an_idle_session_is_forgotten() -> None:
    clock = Clock()
    access = Access("https://a.example", clock=clock)
    cookie, _ = access.open(None, "ada")
    clock.now = 11 * 3600
    assert access.session(cookie) is not None
    clock.now += 13 * 3600
    assert access.session(cookie) is None
    assert access.session(cookie) is None


def test_keys_and_sessions_are_bounded() -> None:
    access = Access("https://a.example")
    links = [key(access.link()) for _ in range(10_001)]
    assert access.enter(links[0], "") is None
    cookies = [access.open(None, None)[0] for _ in range(10_001)]
    assert access.session(cookies[0]) is None
    assert access.session(cookies[-1]) is not None


def test_who_opens_many_sessions_takes_the_place_of_nobody_else() -> None:
    access = Access("https://a.example")
    ada, _ = access.open(None, "ada")
    bobs = [access.open(None, "bob")[0] for _ in range(10_001)]
    assert access.session(ada) is not None
    assert [access.session(one) is not None for one in (*bobs[:2], *bobs[-100:])] == [False] * 2 + [
        True
    ] * 100


def test_copies_of_what_was_sent_are_bounded() -> None:
    _, session = Access("https://a.example").open(None, None)
    for number in range(30):
        session.keep(str(number), {"x": number})
    assert len(session.sent) == 20
    assert "29" in session.sent


def test_no_secret_is_in_a_repr() -> None:
    access = Access("https://a.example")
    _, session = access.open({"token"}, None)
    session.keep("token", {"x": "hunter2"})
    assert "hunter2" not in repr(session)
    assert session.csrf not in repr(session)


def test_the_usual_port_may_be_written_out() -> None:
    assert Access("https://example.org/q").hosts == {"example.org", "example.org:443"}
    assert Access("http://127.0.0.1:8123/q").hosts == {"127.0.0.1:8123"}
