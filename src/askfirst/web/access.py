"""Who may see which questions: links that work once, and the sessions they are exchanged for.

A key is 256 random bits in a link's address; opening the link spends the key, and the address that stays in the browser
has none. Keys and cookies are looked up by their hash, so that the time a look-up takes says nothing about how
much of a guess was right. All of it lives in this process's memory, bounded, and ends with it.
"""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from askfirst.core.answers import Content
from askfirst.core.postings import Posting

__all__ = ["Access", "Session"]

_MOST_KEYS: Final = 10_000
_MOST_SESSIONS: Final = 10_000
_MOST_OF_ONE: Final = 100
_MOST_COPIES: Final = 20
_IDLE: Final = 12 * 3600.0
"""Seconds after which a session that nobody used is forgotten."""


@dataclass(slots=True)
class Session:
    """One browser. `reach` holds the tokens of the questions it may see, None for all; `who` is whose it is, if known.

    `sent` keeps a copy of what was last sent from here, for its sender to read; never of a secret. `finished`
    has the visits whose end was told from here, and whether the asker heard that at once.
    """

    csrf: str = field(repr=False)
    reach: set[str] | None = field(repr=False)
    who: str | None
    used: float
    sent: OrderedDict[str, Content] = field(default_factory=OrderedDict, repr=False)
    finished: OrderedDict[str, bool] = field(default_factory=OrderedDict, repr=False)

    def keep(self, token: str, content: Content) -> None:
        """Keep a copy of what was sent, and let go of the oldest."""
        self.sent[token] = content
        while len(self.sent) > _MOST_COPIES:
            self.sent.popitem(last=False)

    def finish(self, token: str, heard: bool) -> None:
        """Remember that the end of a visit was told, and let go of the oldest."""
        self.finished[token] = heard
        while len(self.finished) > _MOST_COPIES:
            self.finished.popitem(last=False)

    def is_own_form(self, csrf: str) -> bool:
        """Whether a form was laid out for this session."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode())


@dataclass(frozen=True, slots=True)
class _Key:
    path: str
    reach: str | None
    ends: float


class Access:
    """The keys and sessions of the pages at one address."""

    def __init__(
        self,
        base_url: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        token: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        """Pages under `base_url`, which must be http or https and may have a path."""
        parts = urlsplit(base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(
                "expected a base address such as https://example.org/questions, got something else"
            )
        self.secure: Final = parts.scheme == "https"
        default = f":{443 if self.secure else 80}"
        self.host: Final = parts.netloc.rpartition("@")[2].lower().removesuffix(default)
        # Browsers leave the usual port out; some proxies write it.
        self.hosts: Final = {self.host} if parts.port else {self.host, self.host + default}
        self.origin: Final = f"{parts.scheme}://{self.host}"
        self.root: Final = parts.path.rstrip("/")
        self._clock = clock
        self._token = token
        self._keys: OrderedDict[bytes, _Key] = OrderedDict()
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()

    def link(self, posting: Posting | None = None, *, lasts: float = 3600.0) -> str:
        """An address that works once: for one question and nothing else, or for all that there are.

        Args:
            posting: The question; None for the list of all.
            lasts: Seconds after which the link does not work any more.
        """
        key = self._token(32)
        reach = None if posting is None else posting.token
        path = "/" if posting is None else f"/q/{posting.token}"
        self._keys[_hash(key)] = _Key(path, reach, self._clock() + lasts)
        while len(self._keys) > _MOST_KEYS:
            self._keys.popitem(last=False)
        return f"{self.origin}{self.root}/enter?key={key}"

    def enter(self, key: str, cookie: str) -> tuple[str, str] | None:
        """Spend a key: the cookie of the session that it opens or widens, and the path to go to.

        None where the key was never given out, was spent, or has ended.
        """
        spent = self._keys.pop(_hash(key), None)
        if spent is None or spent.ends < self._clock():
            return None
        session = self.session(cookie)
        if session is None:
            cookie, session = self.open(set(), None)
        if spent.reach is None:
            session.reach = None
        elif session.reach is not None:
            session.reach.add(spent.reach)
        return cookie, spent.path

    def open(self, reach: set[str] | None, who: str | None) -> tuple[str, Session]:
        """A new session and its cookie. Somebody who has too many loses their own oldest, and nobody else does."""
        cookie = self._token(32)
        session = Session(self._token(32), reach, who, self._clock())
        self._sessions[_hash(cookie)] = session
        theirs = [] if who is None else [name for name, one in self._sessions.items() if one.who == who]
        if len(theirs) > _MOST_OF_ONE:
            del self._sessions[theirs[0]]
        while len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return cookie, session

    def session(self, cookie: str) -> Session | None:
        """The session of a cookie, if it has not been idle for too long."""
        name = _hash(cookie)
        session = self._sessions.get(name)
        if session is None:
            return None
        now = self._clock()
        if now - session.used > _IDLE:
            del self._sessions[name]
            return None
        session.used = now
        self._sessions.move_to_end(name)
        return session


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).digest()
