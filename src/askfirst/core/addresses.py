"""The address of a url question, read the way a browser reads it.

The specification asks clients to show the full address and to set the host apart before anybody consents
(client/elicitation, "URL Mode Elicitation Requests" and "Safe URL Handling"). That protects only when what is
shown is what opens. RFC 3986 and the browsers' own rules differ in places: backslashes, percent signs and spaces
in the host, two @, letters that browsers map to others. An address that has two readings is refused; one that is
lawful but odd gets warnings in a person's words.

What stands in `shown` is ASCII alone: the host in its ASCII form, the rest percent-encoded, so that no letter
can change the order in which it is read.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import quote

from .errors import InvalidUrl
from .folding import fold

__all__ = ["Address", "check_own_url", "examine_url"]

_PARTS = re.compile(r"(https?)://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_BRACKETED = re.compile(r"\[([0-9a-fA-F:.]+)\](?::(.*))?")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_NUMBER = re.compile(r"0x[0-9a-f]{0,8}|[0-9]{1,16}")
_ENDS_IN_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_CONTROL = re.compile(r"%(?:[01][0-9a-f]|7f)", re.IGNORECASE)

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_LONG: Final = 500
_DOTS: Final = str.maketrans("。．｡", "...")  # noqa: RUF001 -- dots to a browser, too
_TWO_READINGS: Final = frozenset("ßς")
"""Letters that older and newer rules for international names turn into different hosts."""

_WRITTEN_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
_LATIN_OF_ITS_OWN: Final = frozenset("æœøłđðþ")
"""Latin letters that aren't an ASCII letter with a mark, and look like none."""


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https address that has one reading.

    `host` is for reading: in its own letters where they can't be mistaken for others, in ASCII otherwise.
    `ascii_host` is what opens (brackets around an IPv6 address). `shown` is `before` + `ascii_host` + `after`.
    `login` is what stands before an @; `port` only where one is given; `warnings` are sentences for a person.
    """

    scheme: str
    login: str | None
    host: str
    ascii_host: str
    port: int | None
    before: str
    after: str
    warnings: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The full address, printable ASCII."""
        return f"{self.before}{self.ascii_host}{self.after}"

    @property
    def is_own_machine(self) -> bool:
        """Whether it leads to the machine that the browser runs on: localhost, 127.0.0.0/8 or [::1]."""
        return self.ascii_host in {"localhost", "[::1]"} or (
            self.ascii_host.startswith("127.") and _is_ipv4(self.ascii_host)
        )


@dataclass(frozen=True, slots=True)
class _Host:
    readable: str
    ascii: str
    warnings: tuple[str, ...] = ()


def examine_url(url: str) -> Address:
    """Read an address and say what is odd about it.

    Raises:
        InvalidUrl: It isn't http or https, has no host, or a browser could read it in another way. Where the other
            side sent it, the fault is theirs and the caller translates.
    """
    _refuse_unseen(url)
    match = _PARTS.fullmatch(url)
    if match is None:
        raise InvalidUrl("expected an address that begins with https:// (or http://), got something else")
    scheme, authority, rest = match[1].lower(), match[2], match[3]
    if "\\" in authority + re.split("[?#]", rest, maxsplit=1)[0]:
        raise InvalidUrl("expected slashes, got a backslash, which browsers take for a slash; write / or %5C")
    login, at, place = authority.rpartition("@")
    if "@" in login:
        raise InvalidUrl("expected at most one @ before the path, got several; write the others as %40")
    host, port = _host_and_port(place)
    before = f"{scheme}://{_ascii(login)}{at}"
    after = f"{'' if port is None else f':{port}'}{_ascii(rest)}"
    given = login if at else None
    address = Address(scheme, given, host.readable, host.ascii, port, before, after, host.warnings)
    return _with_warnings(address)


def check_own_url(url: str) -> None:
    """Check an address that our own side is about to put before a person.

    Raises:
        InvalidUrl: It can't be read (see `examine_url`), is http to another machine than the person's own, or has
            a login in it.
    """
    address = examine_url(url)
    if address.login is not None:
        raise InvalidUrl(
            "expected an address without a login, got one with an @ before the host; people take what stands "
            "before it for the host, and what it holds ends up in logs; let the page ask for it"
        )
    if address.scheme == "http" and not address.is_own_machine:
        raise InvalidUrl(
            "expected https, got http to another machine; http is for localhost, 127.0.0.0/8 and [::1] only"
        )


def _refuse_unseen(url: str) -> None:
    for character in url:
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}:
            raise InvalidUrl(
                f"expected visible characters, got U+{ord(character):04X}, which browsers drop or rewrite; "
                "percent-encode it"
            )


def _ascii(text: str) -> str:
    """As a browser sends it: what isn't ASCII as percent-encoded UTF-8, the rest as it stands."""
    return "".join(one if one.isascii() else quote(one) for one in text)


def _host_and_port(place: str) -> tuple[_Host, int | None]:
    if place.startswith("["):
        match = _BRACKETED.fullmatch(place)
        if match is None:
            raise InvalidUrl("expected an IPv6 address between brackets, got something else")
        return _ipv6(match[1]), _port(match[2] or "")
    host, _, port = place.partition(":")
    return _named(host), _port(port)


def _port(digits: str) -> int | None:
    if not digits:
        return None
    significant = digits.lstrip("0")
    if not (digits.isascii() and digits.isdigit()) or len(significant) > 5 or int(digits) > 65535:
        raise InvalidUrl("expected a port from 0 to 65535, got something else")
    return int(digits)


def _ipv6(text: str) -> _Host:
    try:
        address = f"[{IPv6Address(text).compressed}]"
    except AddressValueError:
        raise InvalidUrl("expected an IPv6 address between brackets, got something else") from None
    return _Host(address, address)


def _named(host: str) -> _Host:
    if "%" in host:
        raise InvalidUrl("expected a host without percent signs, got one: browsers decode it, others don't")
    mapped = unicodedata.normalize("NFKC", host.translate(_DOTS)).lower()
    name = unicodedata.normalize("NFC", mapped).removesuffix(".")
    if not name:
        raise InvalidUrl("expected a host after the two slashes, got none")
    warnings = ("The host ends with a dot, which can hide which site it is.",) if mapped.endswith(".") else ()
    labels = name.split(".")
    if _ENDS_IN_NUMBER.fullmatch(labels[-1]):
        return _ipv4(name, labels)
    ascii_name = ".".join(map(_to_ascii, labels))
    if len(ascii_name) > 253:
        raise InvalidUrl("expected a host of at most 253 characters, got a longer one")
    readable = ".".join(_readable(label) for label in ascii_name.split("."))
    return _Host(readable, ascii_name + "." * bool(warnings), warnings + _name_warnings(ascii_name, readable))


def _ipv4(name: str, labels: list[str]) -> _Host:
    """An IPv4 address in any way that browsers accept: 127.0.0.1, 127.1, 0x7f000001, 2130706433."""
    numbers = [_number(label) for label in labels]
    *most, last = numbers
    if len(numbers) > 4 or any(one > 255 for one in most) or last >= 256 ** (5 - len(numbers)):
        raise InvalidUrl("expected an IPv4 address, got numbers that are none")
    value = last + sum(one << 8 * (3 - at) for at, one in enumerate(most))
    address = str(IPv4Address(value))
    if address == name:
        return _Host(address, address)
    return _Host(address, address, (f"It is written in an unusual way that hides the address {address}.",))


def _number(label: str) -> int:
    if _NUMBER.fullmatch(label) is None:
        raise InvalidUrl("expected an IPv4 address, got numbers that are none")
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    try:
        return int(label, 8 if label.startswith("0") else 10)
    except ValueError:
        raise InvalidUrl("expected an IPv4 address, got an octal number with 8 or 9 in it") from None


def _to_ascii(label: str) -> str:
    if not label.isascii():
        if _TWO_READINGS & {*label} or not _is_spelled(label):
            raise InvalidUrl(
                "expected a host of letters, digits and hyphens, got characters that software reads "
                "differently; write the host in its ASCII form (xn--...)"
            )
        label = "xn--" + label.encode("punycode").decode("ascii")
    if _LABEL.fullmatch(label) is None:
        raise InvalidUrl(
            "expected a host of letters, digits and hyphens with single dots, got something else"
        )
    return label


def _is_spelled(label: str) -> bool:
    return all(one == "-" or unicodedata.category(one)[0] in "LMN" for one in label)


def _readable(label: str) -> str:
    """A label in its own letters, or as it is where that could deceive or can't be decoded."""
    if not label.startswith("xn--"):
        return label
    try:
        letters = label[4:].encode("ascii").decode("punycode")
        again = "xn--" + letters.encode("punycode").decode("ascii")
    except (UnicodeError, ValueError, OverflowError):
        return label
    steady = unicodedata.normalize("NFKC", letters).lower() == letters and again == label
    return letters if steady and _is_spelled(letters) and _is_unmistakable(letters) else label


def _is_unmistakable(letters: str) -> bool:
    """Whether letters are of scripts that are written together, and don't pass for plain Latin ones."""
    scripts = {unicodedata.name(one, "?").split()[0].split("-")[0] for one in letters if one.isalpha()}
    if scripts == {"LATIN"}:
        return all(
            unicodedata.normalize("NFKD", one)[0].isascii() or one in _LATIN_OF_ITS_OWN for one in letters
        )
    if len(scripts) > 1:
        return any(scripts <= together for together in _WRITTEN_TOGETHER)
    return not fold(letters).isascii()


def _name_warnings(ascii_name: str, readable: str) -> tuple[str, ...]:
    warnings: list[str] = []
    if readable != ascii_name:
        warnings.append(f"The host has letters beyond ASCII; browsers may show it as {ascii_name}.")
    if any(label.startswith("xn--") for label in readable.split(".")):
        warnings.append("The host has letters that can be mistaken for others; it may imitate another site.")
    if "." not in ascii_name and ascii_name != "localhost":
        warnings.append("The host is a single word: a machine in your own network, if it exists.")
    return tuple(warnings)


def _is_ipv4(host: str) -> bool:
    return host.replace(".", "").isdigit()


def _with_warnings(address: Address) -> Address:
    warnings = [*address.warnings]
    if address.login is not None:
        warnings.insert(
            0, f"What stands before the @ is a login, not the site; the site is {address.ascii_host}."
        )
    if not address.is_own_machine:
        if address.ascii_host.startswith("[") or _is_ipv4(address.ascii_host):
            warnings.append("The host is a numeric address instead of a name.")
        if address.scheme == "http":
            warnings.append("The connection is not encrypted (http): others can read and change what passes.")
        if address.port not in {None, _DEFAULT_PORTS[address.scheme]}:
            warnings.append(f"It uses the unusual port {address.port}.")
    if _CONTROL.search(address.shown):
        warnings.append("It has control characters hidden in it by percent-encoding.")
    if len(address.shown) > _LONG:
        warnings.append(f"It is very long: {len(address.shown)} characters.")
    return replace(address, warnings=tuple(warnings))
