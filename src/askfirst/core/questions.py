"""A question: what is put to a person, and by whom."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from .fields import Form
from .revisions import NEWEST_DIALECT, Mode
from .schema import write_schema

__all__ = ["FormQuestion", "Origin", "Question", "UrlQuestion", "digest"]


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """Form mode: a message and fields to fill in."""

    message: str
    form: Form
    mode = Mode.FORM


@dataclass(frozen=True, slots=True)
class UrlQuestion:
    """Url mode: a message and an address to visit. Only 2025-11-25 has an `elicitation_id`.

    With `awaited` the asker waits for the end of the visit, and may hear of it from the person.
    """

    message: str
    url: str
    elicitation_id: str | None = None
    awaited: bool = False
    mode = Mode.URL


Question: TypeAlias = FormQuestion | UrlQuestion


@dataclass(frozen=True, slots=True)
class Origin:
    """Who asks, and in which call.

    `server` is the name the person configured and can be trusted; `claimed` is what the server calls itself and
    can't. With `own_name` nobody configured a name, and `server` is what the server calls itself. `tool` is the tool,
    prompt or resource being used, where known; `revision` the negotiated one. `code` and `arguments` are those of a
    question that waits on a desk, for whoever shows it elsewhere than on the desk's pages.
    """

    server: str
    claimed: str | None = None
    tool: str | None = None
    revision: str | None = None
    own_name: bool = False
    code: str | None = None
    arguments: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def digest(question: Question) -> str:
    """A fingerprint of exactly what is asked: 32 hex digits of SHA-256 over message, and schema or url.

    An answer is used only for the question whose digest it was given to.
    """
    match question:
        case FormQuestion(message, form):
            what: object = [message, write_schema(form, NEWEST_DIALECT)]
        case UrlQuestion(message, url):
            what = [message, url]
        case _:
            assert_never(question)
    canonical = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]
