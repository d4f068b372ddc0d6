"""The ledger: who asked what by which way, and what came of it; never a value.

Each line carries a hash over itself and the line before it. A line that is changed, removed, inserted or moved breaks
the chain there; lines cut off at the end show against the head, which a store keeps beside them. Who can rewrite all
lines and the head can forge a ledger: where that matters, note a head elsewhere, which has to be met ever after.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Final

from .questions import Origin

__all__ = ["START", "Asked", "Broken", "Entry", "Head", "fingerprint", "follow", "link", "unmet", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened. Every text is "" where there is none.

    `at` is in seconds since 1970; `event` one word, such as "posted" or "answered"; `question` the fingerprint of the
    posting's token, the same in all its lines; `arguments` the fingerprint of the call's arguments; `shown` the digest
    of what was asked; `outcome` the action, or why there was none; `by` the identity of who answered, if known.
    `own_name`: `server` is the server's own word for itself, and nobody configured it.
    """

    at: float
    event: str
    server: str
    tool: str = ""
    question: str = ""
    code: str = ""
    arguments: str = ""
    route: str = ""
    shown: str = ""
    outcome: str = ""
    by: str = ""
    own_name: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way to a person, by the route of that name.

    `token` tells it from others like it, `shown` is its digest; `arguments` are those of the call as text; `user` is
    whom it is asked of, where that is known.
    """

    origin: Origin
    arguments: tuple[tuple[str, str], ...] = field(repr=False)
    user: str | None
    route: str
    token: str
    shown: str


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: how many lines there are, and the hash of the last."""

    number: int
    hash: str


START: Final = Head(0, "0" * 64)
"""The head of a ledger without lines."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Where a ledger is not what it was: at which line (counted from 1), and how it shows."""

    number: int
    why: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.why}"


def fingerprint(what: object) -> str:
    """32 hex digits of SHA-256 over a JSON value: the same for the same value, and no way back to a long one."""
    return hashlib.sha256(_canonical(what).encode()).hexdigest()[:32]


def link(head: Head, entry: Entry) -> tuple[str, Head]:
    """The next line as JSON text, and the head after it."""
    return _write({"number": head.number + 1, "previous": head.hash, **asdict(entry)}, head.number + 1)


def follow(head: Head, line: str) -> Head | Broken:
    """The head after a line that is said to be the next one, or how it shows that it is not."""
    number = head.number + 1
    try:
        claimed = json.loads(line)
    except (ValueError, RecursionError):
        return Broken(number, "expected a line of JSON, got something else")
    if not isinstance(claimed, dict) or "hash" not in claimed:
        return Broken(number, "expected an object with a hash, got something else")
    if claimed.get("number") != number or claimed.get("previous") != head.hash:
        return Broken(
            number, "does not follow the line before it: one was removed, inserted, moved or changed"
        )
    written, after = _write({name: value for name, value in claimed.items() if name != "hash"}, number)
    return after if written == line else Broken(number, "was changed: its hash is another one")


def verify(lines: Iterable[str], noted: str | None = None) -> Head | Broken:
    """Follow a whole ledger from its start: its head, or the first place where it is broken.

    Args:
        lines: All of them, as JSON texts.
        noted: The hash of a head it had before, if any: that lines are missing at the end, or that all were written
            anew, shows only against it.
    """
    reached, met = START, noted in (None, START.hash)
    for line in lines:
        after = follow(reached, line)
        if isinstance(after, Broken):
            return after
        reached, met = after, met or after.hash == noted
    return reached if met else unmet(reached)


def unmet(reached: Head) -> Broken:
    """How it shows that a ledger, whole up to this head, never had one that was noted."""
    return Broken(
        reached.number + 1,
        "the head that was noted is that of no line: lines are missing at the end, or all were written anew",
    )


def _write(unsigned: dict[str, object], number: int) -> tuple[str, Head]:
    signed = hashlib.sha256(_canonical(unsigned).encode()).hexdigest()
    return _canonical({**unsigned, "hash": signed}), Head(number, signed)


def _canonical(what: object) -> str:
    return json.dumps(what, sort_keys=True, separators=(",", ":"))
