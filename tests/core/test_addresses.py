# ruff: noqa: RUF001 -- the addresses are odd on purpose
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askfirst.core.addresses import check_own_url, examine_url
from askfirst.core.errors import InvalidUrl

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "http://",
                "https://",
                "HTTPS://",
                "//",
                "/",
                "\\",
                "@",
                ":",
                "?",
                "#",
                "%",
                "%41",
                ".",
                "[",
                "]",
                "::1",
            ),
            *(
                "paypal.com",
                "evil.example",
                "localhost",
                "127.0.0.1",
                "0x7f.1",
                "2130706433",
                "xn--",
                "xn--80ak6aa92e",
            ),
            *(
                "münchen",
                "аррӏе",
                "。",
                "ß",
                "8080",
                "日本",
                "\u202e",
                " ",
                "\t",
                "９",
                "/a?b=c",
                "-",
                "\ud800",
                "😀",
            ),
        ]
    ),
    max_size=8,
).map("".join)


@given(ANY_TEXT | ANY_TEXT.map("https://".__add__) | PIECES | PIECES.map("https://".__add__))
@example("https://xn--99999999999999/")
@example("https://" + "9" * 5000)
@example("https://a:" + "9" * 5000)
def test_any_text_is_read_or_refused_and_what_is_shown_can_be_shown(url: str) -> None:
    try:
        address = examine_url(url)
    except InvalidUrl:
        return
    assert address.shown.isascii()
    assert address.shown.isprintable()
    assert address.ascii_host in address.shown
    assert address.shown == address.before + address.ascii_host + address.after
    assert address.host.isprintable()
    assert all(one.isprintable() for one in address.warnings)
    again = examine_url(address.shown)
    assert (again.ascii_host, again.host, again.shown) == (address.ascii_host, address.host, address.shown)


def test_an_ordinary_address_has_no_warnings() -> None:
    address = examine_url("HTTPS://Pay.Example.com/confirm?amount=49.9&back=https%3A%2F%2Fa.example#top")
    assert (address.scheme, address.login, address.port) == ("https", None, None)
    assert (address.host, address.ascii_host) == ("pay.example.com", "pay.example.com")
    assert address.before == "https://"
    assert address.after == "/confirm?amount=49.9&back=https%3A%2F%2Fa.example#top"
    assert address.shown == "https://pay.example.com/confirm?amount=49.9&back=https%3A%2F%2Fa.example#top"
    assert address.warnings == ()


@pytest.mark.parametrize(
    ("url", "host", "warning"),
    [
        ("https://paypal.com@evil.example/", "evil.example", "the site is evil.example"),
        ("https://paypal.com:x@evil.example/", "evil.example", "is a login"),
        ("https://@evil.example/", "evil.example", "is a login"),
        ("http://example.com/", "example.com", "not encrypted"),
        ("https://example.com:8443/", "example.com", "unusual port 8443"),
        ("https://example.com./", "example.com.", "ends with a dot"),
        ("https://intranet/", "intranet", "a single word"),
        ("https://203.0.113.5/", "203.0.113.5", "numeric address"),
        ("https://[2001:DB8::1]:443/", "[2001:db8::1]", "numeric address"),
        ("http://0x7f.1/", "127.0.0.1", "hides the address 127.0.0.1"),
        ("http://0x/", "0.0.0.0", "hides the address 0.0.0.0"),
        ("http://2130706433/", "127.0.0.1", "hides the address 127.0.0.1"),
        ("http://017700000001/", "127.0.0.1", "hides the address 127.0.0.1"),
        ("https://３２３２２３５７７７/", "192.168.1.1", "hides the address 192.168.1.1"),
        ("https://example.com/a%0D%0Ab", "example.com", "control characters"),
        ("https://example.com/" + "a" * 500, "example.com", "very long: 520"),
        ("https://аррӏе.com/", "xn--80ak6aa92e.com", "may imitate"),
        ("https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com", "may imitate"),
        ("https://pаypal.com/", "xn--pypal-4ve.com", "may imitate"),
        ("https://gооgle.com/", "xn--ggle-55da.com", "may imitate"),
        ("https://ɡoogle.com/", "xn--oogle-qmc.com", "may imitate"),
        ("https://xn--a.com/", "xn--a.com", "may imitate"),
        ("https://xn--99999999999999.com/", "xn--99999999999999.com", "may imitate"),
        ("https://münchen.de/", "xn--mnchen-3ya.de", "browsers may show it as xn--mnchen-3ya.de"),
    ],
)
def test_what_is_odd_is_said(url: str, host: str, warning: str) -> None:
    address = examine_url(url)
    assert address.ascii_host == host
    assert any(warning in one for one in address.warnings), address.warnings


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://MÜNCHEN.de/", "münchen.de"),
        ("https://xn--mnchen-3ya.de/", "münchen.de"),
        ("https://łódź.pl/", "łódź.pl"),
        ("https://例え。テスト/", "例え.テスト"),
        ("https://日本語ドメイン名例.jp/", "日本語ドメイン名例.jp"),
        ("https://пример.рф/", "пример.рф"),
        ("https://مثال.إختبار/", "مثال.إختبار"),
        ("https://аррӏе.com/", "xn--80ak6aa92e.com"),
    ],
)
def test_a_host_is_shown_in_its_own_letters_where_they_deceive_nobody(url: str, host: str) -> None:
    assert examine_url(url).host == host


@pytest.mark.parametrize(
    "url", ["http://localhost:8765/a", "http://127.0.0.1:1/", "http://127.9.9.9/", "http://[::1]:80/"]
)
def test_the_own_machine_needs_no_warnings(url: str) -> None:
    assert examine_url(url).warnings == ()
    assert examine_url(url).is_own_machine


def test_what_is_not_ascii_is_shown_as_a_browser_sends_it() -> None:
    assert (
        examine_url("https://ü@example.com/é?q=日").shown == "https://%C3%BC@example.com/%C3%A9?q=%E6%97%A5"
    )


def test_a_backslash_in_the_query_changes_no_host() -> None:
    assert examine_url("https://example.com?a\\b").ascii_host == "example.com"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "begins with https://"),
        ("example.com", "begins with https://"),
        ("ftp://example.com/", "begins with https://"),
        ("javascript:alert(1)", "begins with https://"),
        ("file:///etc/passwd", "begins with https://"),
        ("data:text/html,hi", "begins with https://"),
        ("https:example.com", "begins with https://"),
        ("https:/example.com", "begins with https://"),
        ("https:\\\\example.com", "begins with https://"),
        ("https:///example.com", "a host"),
        ("https://", "a host"),
        ("https://./", "a host"),
        ("https://:443/", "a host"),
        ("https://user@/", "a host"),
        ("https://example.com\\@evil.example/", "backslash"),
        ("https://example.com/\\evil", "backslash"),
        ("https://a@b@evil.example/", "at most one @"),
        ("https://exa\tmple.com/", "U+0009"),
        ("https://example.com/\n", "U+000A"),
        (" https://example.com/", "U+0020"),
        ("https://example.com/\u202egnp", "U+202E"),
        ("https://exam\u200bple.com/", "U+200B"),
        ("https://\ud800.com/", "U+D800"),
        ("https://%65vil.example/", "percent"),
        ("https://example..com/", "single dots"),
        ("https://.example.com/", "single dots"),
        ("https://exam!ple.com/", "letters, digits"),
        ("https://example.com／evil.example/", "letters, digits"),
        ("https://℀.example/", "letters, digits"),
        ("https://😀.example/", "ASCII form"),
        ("https://straße.de/", "ASCII form"),
        ("https://" + "a" * 64 + ".com/", "letters, digits"),
        ("https://" + "a." * 130 + "com/", "253"),
        ("https://example.com:99999/", "port"),
        ("https://example.com:http/", "port"),
        ("https://example.com:٨٠/", "port"),
        ("https://a:1:2/", "port"),
        ("https://[::1", "IPv6"),
        ("https://[::1]x/", "IPv6"),
        ("https://[1:2]/", "IPv6"),
        ("https://[fe80::1%25eth0]/", "IPv6"),
        ("https://1.2.3.4.5/", "IPv4"),
        ("https://256.1.1.1/", "IPv4"),
        ("https://1.2.3.256/", "IPv4"),
        ("https://4294967296/", "IPv4"),
        ("https://example.1/", "IPv4"),
        ("https://09.1.1.1/", "octal"),
        ("https://" + "9" * 30 + "/", "IPv4"),
        ("https://0xfffffffff/", "IPv4"),
    ],
)
def test_what_is_no_address_or_has_two_readings_is_refused(url: str, reason: str) -> None:
    with pytest.raises(InvalidUrl, match=r"^expected ") as caught:
        examine_url(url)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a",
        "http://localhost:1234/",
        "http://127.0.0.1/",
        "http://[::1]:99/",
        "https://203.0.113.9/",
    ],
)
def test_our_own_addresses_may_be_https_or_local(url: str) -> None:
    check_own_url(url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.com/", "expected https"),
        ("http://192.168.0.1/", "expected https"),
        ("http://127.evil.example/", "expected https"),
        ("http://localhost.evil.example/", "expected https"),
        ("https://user:word@example.com/", "without a login"),
        ("ftp://localhost/", "begins with https://"),
    ],
)
def test_our_own_addresses_may_be_nothing_else(url: str, reason: str) -> None:
    with pytest.raises(InvalidUrl, match=reason):
        check_own_url(url)
