"""`askfirst desk`: the open questions of all servers on this machine that share a store, and answers to them."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click
from click.core import ParameterSource

from askfirst.core.hygiene import plain, shorten

from .arguments import parse_object
from .failure import Failure
from .options import json_option, refuse_idle
from .storing import look_at_desk, on_desk, stay_on_desk, store_option

if TYPE_CHECKING:
    from askfirst.core.answers import Answer, Content
    from askfirst.core.postings import Posting
    from askfirst.desk import Desk, Settled

__all__ = ["STOPPED", "all_open", "desk", "told"]

STOPPED: Final = "who asked it has stopped, and can't use an answer"

_PAGE: Final = 100
_EXCERPT: Final = 60
_FROM_STDIN: Final = "give it with --content -"
_CODES: Final = (
    "Exit codes: 0 done; 1 the question is not open any more, or the answer does not fit; 2 the command line can't be "
    "followed; 130 Ctrl-C."
)


@click.group(
    invoke_without_command=True, short_help="Show and answer the questions that wait.", epilog=_CODES
)
@store_option
@click.option(
    "--terminal", is_flag=True, help="Ask here, one question after the other, instead of on a page."
)
@click.option(
    "--plain", is_flag=True, envvar="ASKFIRST_PLAIN", show_envvar=True, help="With --terminal: line by line."
)
@click.option(
    "--open",
    "opens",
    is_flag=True,
    envvar="ASKFIRST_OPEN",
    show_envvar=True,
    help="Open the page in a browser.",
)
@click.pass_context
def desk(context: click.Context, /, store: Path | None, terminal: bool, plain: bool, opens: bool) -> None:
    """Show the open questions of all servers that share the store, and answer them until Ctrl-C.

    They are on a page on this machine, whose address is printed. It works once, in one browser.
    """
    if context.invoked_subcommand is not None:
        if any(context.get_parameter_source(one) is ParameterSource.COMMANDLINE for one in context.params):
            raise click.UsageError(f"expected options after {context.invoked_subcommand}, got some before it")
        return
    from . import desk_live

    if terminal:
        refuse_idle(context, opens="--open is for the page: leave it out, or --terminal")
        person = desk_live.at_terminal(plain=plain)
        stay_on_desk(store, lambda desk: desk_live.answer_all(desk, person, click.echo))
    else:
        refuse_idle(context, plain="--plain is for --terminal: give both, or neither")
        stay_on_desk(store, lambda desk: desk_live.serve_page(desk, opens=opens))


@desk.command(name="list", short_help="List the open questions, oldest first.")
@store_option
@json_option()
def list_(store: Path | None, as_json: bool) -> None:
    """List the open questions, oldest first: code, server, tool, what is asked, and how long it waits."""
    from askfirst.abandoned import is_abandoned

    async def work(desk: "Desk") -> "list[tuple[Posting, bool]]":
        return [(one, await is_abandoned(desk, one)) for one in await all_open(desk)]

    found = look_at_desk(store, work)
    if as_json:
        click.echo(json.dumps([_as_json(one, abandoned=gone) for one, gone in found], indent=2))
    elif not found:
        click.echo("askfirst: no question waits", err=True)
    for one, gone in () if as_json else found:
        click.echo(_line(one, abandoned=gone))


@desk.command(short_help="Answer one question.", epilog=_CODES)
@click.argument("id_", metavar="ID")
@click.option("--content", metavar="JSON", help="Accept with this content; - reads it from stdin.")
@click.option("--decline", is_flag=True, help="Say no.")
@click.option("--cancel", is_flag=True, help="Close it without choosing.")
@store_option
def answer(id_: str, store: Path | None, **ways: Any) -> None:
    """Answer the question ID: its code, or its token.

    Content is an object with the fields of the question's schema (`askfirst desk list --json`), {} for a question
    without fields or a visit. Other users of this machine can see what is on a command line, and a shell keeps it: a
    secret is taken with `--content -` alone.
    """
    from askfirst.abandoned import is_abandoned
    from askfirst.core.answers import Accepted

    said = _said(**ways)
    in_sight = ways["content"] not in (None, "-")

    async def work(desk: "Desk") -> "Settled":
        posting = await _find_posting(desk, id_)
        if posting is None:
            raise Failure(f"no question has the code or token {id_!r}; `askfirst desk list` shows what waits")
        if posting.secret and in_sight:
            raise Failure(f"{posting.code} asks for a secret, which others can see here: {_FROM_STDIN}")
        if isinstance(said, Accepted) and await is_abandoned(desk, posting):
            raise Failure(f"{posting.code}: {STOPPED}; --decline takes the question off the desk")
        return _too_much(posting, said) or await desk.answer(posting.token, posting.digest, said)

    settled = on_desk(store, work)
    if not settled.accepted:
        raise Failure("\n".join([told(settled), *_unfit(settled)]))
    click.echo(f"{settled.posting.code}: {said.action}, for {plain(settled.posting.origin.server)}")


@desk.command(short_help="Refuse all further questions of a server.")
@click.argument("server")
@store_option
def mute(server: str, store: Path | None) -> None:
    """Refuse all further questions of SERVER: it is told that nobody was asked. Those that wait stay."""
    on_desk(store, lambda desk: desk.mute(server))


@desk.command(short_help="Let a server ask again.")
@click.argument("server")
@store_option
def unmute(server: str, store: Path | None) -> None:
    """Let SERVER ask again."""

    async def work(desk: "Desk") -> bool:
        if server not in await desk.muted():
            return False  # the record does not say what did not happen
        await desk.unmute(server)
        return True

    if not on_desk(store, work):
        raise Failure(f"{server!r} is not muted; `askfirst desk muted` shows who is")


@desk.command(short_help="List the servers that are muted.")
@store_option
@json_option()
def muted(store: Path | None, as_json: bool) -> None:
    """List the servers whose questions are refused."""
    found = sorted(look_at_desk(store, lambda desk: desk.muted()))
    if as_json:
        click.echo(json.dumps(found))
    elif not found:
        click.echo("askfirst: no server is muted", err=True)
    for one in () if as_json else found:
        click.echo(plain(one, keep_newlines=False))


def _said(content: str | None, decline: bool, cancel: bool) -> "Answer[Content]":
    from askfirst.core.answers import Accepted, Cancelled, Content, Declined

    if (content is not None) + decline + cancel != 1:
        raise click.UsageError("expected one of --content JSON, --decline and --cancel")
    if content is None:
        return Declined() if decline else Cancelled()
    text = sys.stdin.read() if content == "-" else content
    return Accepted(cast(Content, parse_object(text, "--content")))  # whether it fits, the desk sees


def _too_much(posting: "Posting", said: "Answer[Content]") -> "Settled | None":
    from askfirst.client.prepared import only_what_is_asked
    from askfirst.core.answers import Accepted
    from askfirst.core.errors import InvalidAnswer
    from askfirst.core.questions import FormQuestion
    from askfirst.desk import Settled

    if isinstance(said, Accepted) and isinstance(posting.question, FormQuestion):
        try:
            only_what_is_asked(posting.question.form, said.data)
        except InvalidAnswer as invalid:
            return Settled(False, posting, "does not fit", invalid.problems)
    return None


def _unfit(settled: "Settled") -> tuple[str, ...]:
    from askfirst.client.presenting import unfit
    from askfirst.core.fields import Form
    from askfirst.core.questions import FormQuestion

    question = settled.posting.question
    return unfit(settled.problems, question.form if isinstance(question, FormQuestion) else Form())


async def all_open(desk: "Desk") -> "list[Posting]":
    """All open questions, oldest first."""
    found: list[Posting] = []
    while some := await desk.open(None, _PAGE, found[-1].token if found else None):
        found += some
    return found


async def _find_posting(desk: "Desk", name: str) -> "Posting | None":
    """The question with that token or code: an open one, or the one with this code that was closed last."""
    posting = await desk.find(name)
    if posting is not None:
        return posting
    candidates = [*await all_open(desk), *await desk.closed(_PAGE)]
    return next((one for one in candidates if one.code == name.upper()), None)


def told(settled: "Settled") -> str:
    """Why an answer was not taken, in a sentence."""
    code = settled.posting.code
    match settled.why:
        case "already answered":
            action = settled.posting.answer.action if settled.posting.answer is not None else "something"
            return f"{code} was answered before ({action}); this answer was not passed on"
        case "expired":
            return f"{code} has expired; this answer was not passed on"
        case "withdrawn":
            return f"{code} was withdrawn by who asked; this answer was not passed on"
        case "another person":
            return f"{code} was put to somebody else, who has to answer it on the server's own page"
        case "does not fit":
            return f"{code} still waits: the answer does not fit"
        case _:
            return f"{code} was not answered"


def _line(posting: "Posting", *, abandoned: bool) -> str:
    origin, question = posting.origin, posting.question
    excerpt, left_out = shorten(plain(question.message, keep_newlines=False), _EXCERPT)
    texts = [posting.code, origin.server, origin.tool or "", f"{excerpt}{'…' if left_out else ''}"]
    texts.append(STOPPED if abandoned else _time_left(posting))
    return "  ".join(plain(text, keep_newlines=False) for text in texts if text)


def _time_left(posting: "Posting") -> str:
    from askfirst.client.presenting import time_left

    return time_left(posting.expires - time.time())


def _as_json(posting: "Posting", *, abandoned: bool) -> dict[str, object]:
    from askfirst.core.questions import FormQuestion
    from askfirst.core.revisions import NEWEST_DIALECT
    from askfirst.core.schema import write_schema

    question = posting.question
    asked: dict[str, object] = (
        {"schema": write_schema(question.form, NEWEST_DIALECT)}
        if isinstance(question, FormQuestion)
        else {"url": question.url}
    )
    return {
        "code": posting.code,
        "token": posting.token,
        "server": posting.origin.server,
        "own_name": posting.origin.own_name,
        "tool": posting.origin.tool,
        "arguments": dict(posting.arguments),
        "message": question.message,
        "mode": question.mode.value,
        **asked,
        "secret": posting.secret,
        "asked_of": posting.asked_of,
        "posted": posting.posted,
        "expires": posting.expires,
        "abandoned": abandoned,
    }
