"""A call's result, for a person or for a program."""

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp_types import URL_ELICITATION_REQUIRED, CallToolResult, ContentBlock, ErrorData

from askfirst.client.presenting import address_lines
from askfirst.core.addresses import examine_url
from askfirst.core.errors import InvalidUrl
from askfirst.core.fallback import is_refusal, read_missing, read_waiting
from askfirst.core.hygiene import plain

if TYPE_CHECKING:
    from .connection import Called

__all__ = ["as_json", "as_text", "failures", "last_words", "to_json", "unanswered"]


_MOST_LINES: Final = 20
"""Of what a server can send without end."""


def to_json(value: object) -> str:
    """JSON for stdout. All of it is ASCII, so no escape code or mark of direction reaches a terminal alive.

    A number that is not finite, which JSON has no word for and some servers send, is null.
    """
    try:
        return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), indent=2, ensure_ascii=True)


def _finite(value: object) -> object:
    match value:
        case dict():
            return {key: _finite(one) for key, one in value.items()}
        case list():
            return [_finite(one) for one in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value


def as_json(called: "Called") -> str:
    """The object of `--json`: the revision, the questions, and the protocol's result as it was on the wire.

    Where the server answered with an error, the result is null and `error` has its code and message.
    """
    document: dict[str, object] = {
        "revision": called.revision,
        "questions": [one.as_json() for one in called.asked],
        "result": None,
    }
    if called.result is not None:
        # What the server did not send is left out: `resultType`, say, which only modern results have.
        sent = called.result.model_dump(by_alias=True, mode="json", exclude_none=True, exclude_unset=True)
        document["result"] = sent
    if called.error is not None:
        document["error"] = {"code": called.error.code, "message": called.error.message}
    return to_json(document)


def as_text(result: CallToolResult | None) -> str:
    """What the result says, block by block; its structured content where it says nothing in words."""
    if result is None:
        return ""
    lines = list(_blocks(result.content))
    if result.structured_content is not None and not any(block.type == "text" for block in result.content):
        lines.append(to_json(result.structured_content))
    return "\n".join(lines)


def failures(called: "Called") -> list[str]:
    """Why the call is no success, one sentence each; none when it is one."""
    reasons = Counter(one.reason for one in called.asked if one.action is None)
    known = {*reasons, *(f"nobody was asked: {reason}" for reason in reasons)}
    found = list(_in_short(f"nobody was asked: {reason}{_times(count)}" for reason, count in reasons.items()))
    if called.error is not None and called.error.message not in known:
        found.append(f"the server answered with an error: {called.error.message} ({called.error.code})")
        found += _in_short(_visit(url) for url in _addresses(called.error))
    if called.result is not None:
        undone = _undone(called.result.structured_content, called.tool)
        found += undone or (["the tool reports an error"] if called.result.is_error else [])
    return [plain(one) for one in found]


def unanswered(called: "Called") -> bool:
    """Whether the call came to an end of its own because a question, of whatever server, had nobody to answer it."""
    if any(one.action is None for one in called.asked):
        return True
    if called.error is not None:
        return _speaks_of_asking(called.error.message, called.error.data)
    if called.result is None:
        return False
    facts = called.result.structured_content
    if _undone(facts, called.tool) or is_refusal(facts):
        return True
    return bool(called.result.is_error) and _speaks_of_asking(as_text(called.result))


def _speaks_of_asking(*said: object) -> bool:
    return any("elicit" in str(one).lower() for one in said)


def _undone(facts: object, tool: str) -> list[str]:
    """Why a call did nothing though its result is no error, where it is one of our own servers that says so."""
    if names := read_missing(facts, tool):
        return [f"nothing was done: {tool} needs {', '.join(names)}, and nobody could be asked"]
    if read_waiting(facts, tool):
        return [f"nothing was done: {tool} was given up while it waited for an answer"]
    return []


def last_words(called: "Called") -> Iterator[str]:
    """What a failing tool's server wrote to its stderr, where there is a traceback in it.

    The SDK keeps the reason of a fault in a tool from the client, and logs it.
    """
    failed = called.result is not None and called.result.is_error
    if failed and called.log is not None and called.log.has_traceback:
        yield from called.log.last_words()


def _addresses(error: ErrorData) -> list[str]:
    """What a server of 2025-11-25 wants visited before it does anything (client/elicitation, "URL Mode")."""
    if error.code != URL_ELICITATION_REQUIRED:
        return []
    try:
        return [one.url for one in UrlElicitationRequiredError.from_error(error).elicitations]
    except (AttributeError, TypeError, ValueError):  # its data is whatever the server sent
        return []


def _visit(url: str) -> str:
    """What to visit, as a question for a visit shows it; an address that must not be put before a person is not."""
    try:
        address, warned = address_lines(url), examine_url(url).warnings
    except InvalidUrl as invalid:
        return f"it wants an address visited that is not shown: {invalid}"
    lines = (*address, *(f"Warning: {one}" for one in warned))
    return "\n  ".join(("it wants this visited first; then call again", *lines))


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""


def _in_short(lines: Iterable[str]) -> Iterator[str]:
    rest = iter(lines)
    yield from islice(rest, _MOST_LINES)
    if more := sum(1 for _ in rest):
        yield f"and {more} more like that"


def _blocks(blocks: Sequence[ContentBlock]) -> Iterator[str]:
    for block in blocks:
        match block.type:
            case "text":
                yield block.text
            case "image" | "audio":
                yield f"[{block.type}: {block.mime_type}, {_size(block.data)}]"
            case "resource_link":
                yield f"[link: {block.title or block.name}, {block.uri}{_kind(block.mime_type)}]"
            case "resource":
                inside = block.resource
                text = getattr(inside, "text", None)
                size = _size(getattr(inside, "blob", "")) if text is None else _length(text)
                yield f"[resource: {inside.uri}{_kind(inside.mime_type)}, {size}]"


def _length(text: str) -> str:
    return f"{len(text):,} character{'' if len(text) == 1 else 's'}"


def _kind(mime_type: str | None) -> str:
    return f", {mime_type}" if mime_type else ""


def _size(data: str) -> str:
    try:
        return f"{len(base64.b64decode(data, validate=True)):,} bytes"
    except (binascii.Error, ValueError):
        return "unreadable data"
