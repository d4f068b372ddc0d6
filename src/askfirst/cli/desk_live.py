"""The open questions as they come: on a page, or one after the other at the terminal."""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from typing import Final

import anyio
import click

from askfirst.abandoned import is_abandoned
from askfirst.client.browser import open_in_browser, opened
from askfirst.client.terminal import Terminal
from askfirst.core.answers import Answer, Cancelled, Content
from askfirst.core.errors import NobodyAsked, NotOnDesk
from askfirst.core.postings import Posting
from askfirst.core.revisions import Mode
from askfirst.desk import Desk
from askfirst.local import LocalDesk
from askfirst.ports import Answerer

from .desk import STOPPED, all_open, told
from .failure import Failure

__all__ = ["answer_all", "at_terminal", "serve_page"]

_LOOK: Final = 1.0
"""Seconds after which the desk is looked at though nothing was heard of it."""


async def serve_page(desk: Desk, *, opens: bool) -> None:
    """Serve the page of all open questions until this is cancelled.

    Raises:
        Failure: It can't be served.
    """
    await desk.counts()  # a store that can't be read shows now, and not on the page
    place = LocalDesk(desk)
    try:
        link = (await place.pages()).link()
    except OSError as error:
        raise Failure(f"the page can't be served: {error.strerror or error}") from None
    try:
        if not (opens and await opened(open_in_browser, link)):
            click.echo(link)
        click.echo("askfirst: questions are shown on this page until Ctrl-C", err=True)
        await anyio.sleep_forever()
    finally:
        with anyio.CancelScope(shield=True):
            await place.close()


def at_terminal(*, plain: bool) -> Terminal:
    """The person at the terminal.

    Raises:
        Failure: There is none.
    """
    terminal = Terminal(plain=True if plain else None)
    if not terminal.reaches():
        raise Failure("there is no terminal to ask at; `askfirst desk` without --terminal has a page")
    return terminal


async def answer_all(desk: Desk, answerer: Answerer, say: Callable[[str], None]) -> None:
    """Put each open question to the answerer, the oldest first, and wait for more.

    Args:
        desk: Where they are.
        answerer: Who is asked.
        say: Tells the person something beside the questions.
    """
    passed: set[str] = set()
    while True:
        posting = await _next(desk, passed, say)
        passed.add(posting.token)
        if reason := _not_for(posting, answerer) or (STOPPED if await is_abandoned(desk, posting) else ""):
            say(f"{posting.code} is not asked here: {reason}")
        else:
            await _ask(desk, posting, answerer, say)


async def _next(desk: Desk, passed: Collection[str], say: Callable[[str], None]) -> Posting:
    waits = False
    while True:
        for posting in await all_open(desk):
            if posting.token not in passed:
                return posting
        if not waits:
            say("Waiting for questions; Ctrl-C ends this.")
            waits = True
        with anyio.move_on_after(_LOOK):
            changes = desk.changes()
            try:
                await anext(changes)
            finally:
                with anyio.CancelScope(shield=True):
                    await changes.aclose()


def _not_for(posting: Posting, answerer: Answerer) -> str:
    if posting.secret:
        return "it asks for a secret; the page of `askfirst desk` takes it"
    if posting.asked_of is not None:
        return "it was put to somebody else"
    return "" if Mode(posting.question.mode) in answerer.reaches() else "there is no terminal any more"


async def _ask(desk: Desk, posting: Posting, answerer: Answerer, say: Callable[[str], None]) -> None:
    origin = replace(posting.origin, code=posting.code, arguments=posting.arguments)
    given: Answer[Content] | NobodyAsked | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_watch, desk, posting, tasks.cancel_scope)
        try:
            limit = max(posting.expires - time.time(), 0.0)
            given = await answerer.answer(posting.question, origin, limit)
        except NobodyAsked as nobody:
            given = nobody
        tasks.cancel_scope.cancel()
    if isinstance(given, NobodyAsked):
        say(f"{posting.code} can't be asked here: {given.reason}")
    elif given is None or given == Cancelled(expired=True):
        say(f"{posting.code} is not open any more.")
    elif not (settled := await desk.answer(posting.token, posting.digest, given)).accepted:
        say(told(settled))


async def _watch(desk: Desk, posting: Posting, shown: anyio.CancelScope) -> None:
    """Take a question off the screen that is answered or withdrawn elsewhere."""
    with suppress(NobodyAsked, NotOnDesk):
        await desk.wait(posting.token)
    shown.cancel()
