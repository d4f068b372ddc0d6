"""What every request must pass before a page sees it, and what every response carries.

Against: another site's name that points here (DNS rebinding: `Host`), another site's page that posts here (`Origin`,
`Sec-Fetch-Site`; the form's own token is checked by `visitors`), a page of ours inside another's (framing), a flood of
requests, bodies without end, and bodies that never come.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .access import Access

__all__ = ["HEADERS", "Allowance", "Guard", "Limits", "Refusal", "read_body", "refusal", "too_large"]

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-DNS-Prefetch-Control": "off",
}
"""On every response, whatever it is."""

_FRAMES: Final = {"iframe", "frame", "embed", "object", "fencedframe"}
_FORM: Final = "application/x-www-form-urlencoded"
_MOST_CLIENTS: Final = 1000
_DRAINED: Final = 16
"""So many times as much as is taken is read of a body, at most."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything one client may ask for. Sizes in bytes, times in seconds, rates per minute.

    Clients are told apart by their network address: behind a proxy, have the server read the proxy's headers.
    """

    body: int = 1024 * 1024
    body_time: float = 10.0
    posts: int = 120
    wrong_keys: int = 20
    streams: int = 32


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further: a status of HTTP, and a sentence that names nothing of the request."""

    status: int
    reason: str


class Allowance:
    """So many in a minute for each client, and no more."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def is_spent(self, client: str) -> bool:
        """Whether this client has to wait."""
        began, count = self._spent.get(client, (0.0, 0))
        return count >= self._most and self._clock() - began < 60

    def spend(self, client: str) -> None:
        """Count one more of this client; its minute begins with the first."""
        now = self._clock()
        began, count = self._spent.pop(client, (now, 0))
        self._spent[client] = (began, count + 1) if now - began < 60 else (now, 1)
        while len(self._spent) > _MOST_CLIENTS:
            self._spent.popitem(last=False)


class Guard:
    """The middleware around all pages."""

    def __init__(self, app: ASGIApp, *, access: Access, posts: Allowance) -> None:
        self._app = app
        self._access = access
        self._posts = posts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = refusal(scope["method"], Headers(scope=scope), self._access) or self._flood(scope)
        if refused is None:
            await self._app(scope, receive, send_guarded)
        else:
            # Nothing more of a request is read that nobody wants.
            response = PlainTextResponse(refused.reason, refused.status, {"Connection": "close"})
            await response(scope, receive, send_guarded)

    def _flood(self, scope: Scope) -> Refusal | None:
        if scope["method"] != "POST":
            return None
        client = scope["client"][0] if scope.get("client") else ""
        if self._posts.is_spent(client):
            return Refusal(429, "Too many answers in a short time. Wait a minute, then go on.\n")
        self._posts.spend(client)
        return None


def refusal(method: str, headers: Mapping[str, str], access: Access) -> Refusal | None:
    """Why a request is not for these pages, or comes from where none may come from; None lets it through.

    Args:
        method: The method of HTTP.
        headers: The request's, by lower-case names.
        access: Where the pages are.
    """
    if method not in {"GET", "POST"}:
        return Refusal(405, "These pages are read with GET and answered with POST.\n")
    if headers.get("host", "").lower() not in access.hosts:
        return Refusal(
            421, "This is not the address of these pages. Open the link exactly as it was given.\n"
        )
    if headers.get("sec-fetch-dest", "") in _FRAMES:
        return Refusal(403, "These pages are not shown inside others.\n")
    if method == "GET":
        return None
    if not _is_own(headers, access.origin):
        return Refusal(403, "Answers are taken from these pages alone, not from others.\n")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        return Refusal(415, "Answers are taken as posted forms alone.\n")
    return None


def _is_own(headers: Mapping[str, str], origin: str) -> bool:
    """Whether a post comes from a page of ours.

    Browsers say "null" as the origin of a form on a page that sends no referrer, as ours do; then what they say of
    the site decides. Something that is no browser may say neither; it still needs the cookie and the form's token.
    """
    site, claimed = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site == "same-origin" and claimed in {None, "null", origin}
    return claimed in {None, origin}


async def read_body(request: Request, limits: Limits) -> bytes:
    """The body of a post, within its limits of size and time.

    Raises:
        HTTPException: It is too large (413), does not come (408), or its sender has left (400).
    """
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > limits.body * _DRAINED:
        raise too_large(limits)
    body, length = bytearray(), 0
    with anyio.move_on_after(limits.body_time):
        try:
            async for chunk in request.stream():
                length += len(chunk)
                # A browser shows no answer before it has sent all: what is a little too much is read, and let go.
                if length <= limits.body:
                    body += chunk
                elif length > limits.body * _DRAINED:
                    break
        except ClientDisconnect:
            raise HTTPException(400, "The connection closed in the middle of the answer.") from None
        if length > limits.body:
            raise too_large(limits)
        return bytes(body)
    raise HTTPException(408, "The answer took too long to arrive. Send it again.", {"Connection": "close"})


def too_large(limits: Limits) -> HTTPException:
    """The refusal of an answer that is larger than is taken."""
    return HTTPException(
        413,
        f"The answer is larger than the {limits.body // 1024} KiB that are taken here. Nothing was sent. "
        "Go back and make it shorter.",
        {"Connection": "close"},
    )
