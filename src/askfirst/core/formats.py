"""The four formats of the specification, strictly by their RFCs.

Every test is linear in the length of its text: the character classes that meet are disjoint, or the
quantifiers are possessive, so nothing is ever tried twice.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from types import MappingProxyType
from typing import Final

__all__ = ["FORMATS", "is_date", "is_date_time", "is_email", "is_uri"]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")

_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LOCAL = re.compile(rf"{_ATEXT}++(?:\.{_ATEXT}++)*+|\"(?:[ !#-\[\]-~]|\\[ -~])*+\"")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*+")

_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_REG_NAME = r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*+"
_USER = r"(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*+@)?"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*+:"
    rf"(?://{_USER}(?:\[(?P<literal>[^\]]*+)\]|{_REG_NAME})(?::[0-9]*+)?(?=[/?#]|\Z)(?:/{_PCHAR}*+)*+"
    rf"|(?!//)(?:{_PCHAR}|/)*+)"
    rf"(?:\?(?:{_PCHAR}|[/?])*+)?(?:#(?:{_PCHAR}|[/?])*+)?"
)
_FUTURE_ADDRESS = re.compile(r"[Vv][0-9A-Fa-f]++\.[A-Za-z0-9._~!$&'()*+,;=:-]++")


def is_date(text: str) -> bool:
    """Whether the text is an RFC 3339 full-date that stands in the calendar, years 0001 to 9999.

    The RFC's grammar has the year 0000 too; it is refused, because no calendar type of Python can hold it.
    """
    if _DATE.fullmatch(text) is None:  # Python reads other spellings of ISO 8601 too
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_date_time(text: str) -> bool:
    """Whether the text is an RFC 3339 date-time: with seconds and a zone, `T` and `Z` in either case.

    A leap second (section 5.7) is right where it can occur, at 23:59:60 of UTC. A blank in place of the `T`
    is a choice the RFC leaves to applications, and not in its grammar: refused.
    """
    if text[10:11] not in ("T", "t") or not is_date(text[:10]):
        return False
    found = _TIME.fullmatch(text, 11)
    if found is None:
        return False
    hour, minute, second = (int(found[at]) for at in (1, 2, 3))
    away_hour, away_minute = int(found[5] or 0), int(found[6] or 0)
    if hour > 23 or minute > 59 or second > 60 or away_hour > 23 or away_minute > 59:
        return False
    away = away_hour * 60 + away_minute
    ahead = -away if found[4] == "-" else away
    return second < 60 or (hour * 60 + minute - ahead) % 1440 == 1439


def is_email(text: str) -> bool:
    """Whether the text is one RFC 5321 Mailbox: ASCII, without comments or blanks around it.

    A domain without a dot and a quoted local part are right by the RFC. At most 64 characters stand before
    the `@` and 254 in all (RFC 3696 erratum 1690). Letters beyond ASCII are another format, `idn-email`.
    """
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or len(text) > 254 or not _LOCAL.fullmatch(local):
        return False
    if domain.startswith("[") and domain.endswith("]"):
        return _is_mail_address_literal(domain[1:-1])
    return _DOMAIN.fullmatch(domain) is not None


def is_uri(text: str) -> bool:
    """Whether the text is an RFC 3986 URI: with a scheme, in ASCII, every percent sign an escape.

    The scheme is not judged: `javascript:` is a URI too, and must not be followed because it passed here.
    """
    found = _URI.fullmatch(text)
    if found is None:
        return False
    literal = found["literal"]
    return literal is None or _is_address(IPv6Address, literal) or bool(_FUTURE_ADDRESS.fullmatch(literal))


def _is_mail_address_literal(text: str) -> bool:
    if text[:5].lower() == "ipv6:":
        return _is_address(IPv6Address, text[5:])
    return _is_address(IPv4Address, text)


def _is_address(kind: type[IPv4Address] | type[IPv6Address], text: str) -> bool:
    if "%" in text:  # a zone; Python reads it, the RFCs don't
        return False
    try:
        kind(text)
    except AddressValueError:
        return False
    return True


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}
)
"""Format name to its test. A format that is not here is only a note and restricts nothing."""
