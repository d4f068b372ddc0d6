"""Who sends a request, and which questions they may see and answer."""

import hashlib
from collections.abc import Callable
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from askfirst.core.postings import Posting

from .access import Access, Session
from .entries import Entries, entry, parse
from .guard import Allowance, Limits, read_body

__all__ = ["AGAIN", "Identify", "Visitors"]

Identify = Callable[[Request], str | None]
"""Who sends a request, as the application around these pages knows it; None for nobody."""

AGAIN: Final = 401
"""The status of a request that has to be made again by a page of ours."""

_COOKIE: Final = "askfirst"


class Visitors:
    """Turns a request into the session it belongs to."""

    def __init__(self, access: Access, me: Identify | None, limits: Limits) -> None:
        self.access: Final = access
        self._me = me
        self._limits = limits
        self._wrong_keys = Allowance(limits.wrong_keys)
        self._name, self._path = _COOKIE, f"{access.root}/"
        if access.secure:
            # Browsers take a cookie of such a name from this very origin alone: no page of a neighbouring host can
            # put a session of its own in the place of a visitor's. They want it to be for all paths then.
            self._name, self._path = f"__Host-{_COOKIE}-{_short(access.root)}", "/"

    def enter(self, request: Request) -> Response:
        """Exchange a link's key for a cookie, and leave the address that has the key.

        Raises:
            HTTPException: The key is worth nothing (403), or too many were that (429).
        """
        root, own = self.access.root, self._cookie(request)
        client = request.client.host if request.client else ""
        if self._wrong_keys.is_spent(client):
            raise HTTPException(429, "Too many links that do not work. Wait a minute, then open yours again.")
        if "prefetch" in request.headers.get("sec-purpose", ""):
            raise HTTPException(503, "This link is opened by a person, not in advance.")
        entered = self.access.enter(request.query_params.get("key", ""), own)
        if entered is None:
            if self.access.session(own) is not None:  # a spent link, opened again by who spent it
                return RedirectResponse(f"{root}/", 303)
            self._wrong_keys.spend(client)
            raise HTTPException(
                403,
                "This link has been used or is too old; it works once, in one browser. Go back to where the question "
                "came from: it shows a link that works.",
            )
        cookie, path = entered
        response = RedirectResponse(f"{root}{path}", 303)
        self._set_cookie(response, cookie)
        return response

    def session(self, request: Request) -> Session:
        """The session of a request.

        Raises:
            TypeError: `me` gave something that is nobody's name.
            HTTPException: There is none (403), or the browser held its cookie back (AGAIN).
        """
        session = self.access.session(self._cookie(request))
        who = self._who(request)
        if self._me is not None and who is None:
            raise HTTPException(403, "It is not known who you are. Sign in, then open this page again.")
        if session is not None and session.who == who:
            return session
        if who is not None:
            request.state.new_cookie, session = self.access.open(None, who)
            return session
        if request.method == "GET" and request.headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
            # A strict cookie stays behind when a link of another site is followed, and comes along on the next step.
            raise HTTPException(AGAIN)
        raise HTTPException(
            403,
            "This page is opened by its link first. Go back to where the question came from: the link is there.",
        )

    def _who(self, request: Request) -> str | None:
        who = self._me(request) if self._me else None
        if not isinstance(who, str | None):
            raise TypeError(f"identify gives a text, or None for nobody, and can't be async: got {type(who)}")
        return who or None

    async def posted(self, request: Request) -> tuple[Session, Entries]:
        """The session of a post, and what was posted from a page that was laid out for it.

        Raises:
            HTTPException: It is no form of ours, or of another session.
        """
        session = self.session(request)
        try:
            entries = parse(await read_body(request, self._limits))
        except ValueError:
            raise HTTPException(400, "What came is no form of these pages. Nothing was sent.") from None
        if not session.is_own_form(entry(entries, "csrf")):
            raise HTTPException(
                403, "This form is not from this session. Nothing was sent. Open the page again."
            )
        return session, entries

    def keep(self, request: Request, response: Response) -> None:
        """Give a session that this request began its cookie."""
        cookie: str | None = getattr(request.state, "new_cookie", None)
        if cookie is not None:
            self._set_cookie(response, cookie)

    def may_see(self, session: Session, posting: Posting) -> bool:
        """Whether a question is theirs to see: put to them, where that is known; opened by its link, where not."""
        if self._me is not None:
            return posting.asked_of is not None and posting.asked_of == session.who
        return session.reach is None or posting.token in session.reach

    def by_token(self, session: Session) -> frozenset[str] | None:
        """The tokens of the only questions that are theirs; None where it is not tokens that decide."""
        return None if self._me is not None or session.reach is None else frozenset(session.reach)

    def owns_desk(self, session: Session) -> bool:
        """Whether all questions are theirs, whoever asks."""
        return self._me is None and session.reach is None

    def has_list(self, session: Session) -> bool:
        """Whether there can be more than one question for them."""
        return session.reach is None or len(session.reach) > 1

    def _cookie(self, request: Request) -> str:
        """The cookie of a session of ours.

        Of one name there can be several: another desk of this host sets one too, and so can any page at another of its
        ports. Browsers send the one with the longest path first, and that is ours.
        """
        for header in request.headers.getlist("cookie"):
            for pair in header.split(";"):
                name, _, value = pair.partition("=")
                if name.strip() == self._name and self.access.session(value.strip()) is not None:
                    return value.strip()
        return ""

    def _set_cookie(self, response: Response, cookie: str) -> None:
        # The path is part of the secret on a machine of one's own: cookies know no ports, and a page at another
        # port of the same host must not be sent this one.
        response.set_cookie(
            self._name, cookie, path=self._path, secure=self.access.secure, httponly=True, samesite="strict"
        )


def _short(root: str) -> str:
    """What tells the desks of one host apart where their cookies can't have paths."""
    return hashlib.sha256(root.encode()).hexdigest()[:8]
