"""`askfirst call SERVER TOOL [name=value ...]`: call a tool, and answer what it asks."""

import difflib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from askfirst.core.hygiene import plain

from .answering import Nobody, answering_options, choose_answerer
from .arguments import missing, parse_object, read_arguments, split_arguments
from .browsing import OnPage
from .failure import FAILED
from .options import read_reach, server_options

if TYPE_CHECKING:
    from mcp_types import Tool

    from .connection import Called, Connected

__all__ = ["call"]

_CODES: Final = (
    "Exit codes: 0 the tool did its work; 1 an error result, a failed connection, or a question that nobody could "
    "answer; 2 the command line can't be followed; 130 Ctrl-C."
)


class _Tool(click.types.StringParamType):
    """The name of a tool, which somebody who sees a server for the first time can't know."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return "`askfirst tools SERVER` lists those that the server has."


@click.command(short_help="Call a tool, and answer what it asks.", epilog=_CODES)
@click.argument("server")
@click.argument("tool", type=_Tool())
@click.argument("arguments", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--arguments", "more", metavar="JSON", help="Arguments as a JSON object, passed on as they are."
)
@answering_options
@server_options
@click.pass_context
def call(
    context: click.Context,
    /,
    tool: str,
    arguments: tuple[str, ...],
    more: str | None,
    as_json: bool,
    no_input: bool,
    **_options: Any,
) -> int:
    """Call TOOL of SERVER with the arguments given, and answer what it asks.

    A value is read as the tool's schema says: numbers, true or false, null, and JSON for objects. A name given
    several times is a list. The result goes to stdout, everything else to stderr.
    """
    reach = read_reach(context, os.environ)
    answerer = choose_answerer(context)
    grouped = split_arguments(arguments)
    further = {} if more is None else parse_object(more, "--arguments")

    from .connection import use

    async def work(connected: "Connected") -> "Called":
        schema = _find(tool, await connected.tools()).input_schema
        given = read_arguments(grouped, schema, further)
        _mention_missing(missing(given, schema))
        if not isinstance(answerer, OnPage):
            return await connected.call(tool, given)
        answerer.arguments = given
        called = await connected.call(tool, given)
        await answerer.close()
        return called

    called = use(reach, work, answerer=answerer)
    code = _report(called, as_json=as_json)
    if code and isinstance(answerer, Nobody) and not no_input and _unanswered(called):  # who said so knows it
        click.echo(
            f"askfirst: note: {answerer.reason}; --answer and --answers can answer questions", err=True
        )
    return code


def _find(name: str, tools: "Sequence[Tool]") -> "Tool":
    for tool in tools:
        if tool.name == name:
            return tool
    names = [tool.name for tool in tools]
    near = difflib.get_close_matches(name, names, n=3)
    shown = ", ".join(plain(one, keep_newlines=False) for one in near or names[:10])
    more = ", ..." if not near and len(names) > 10 else ""
    hint = f"did you mean {shown}?" if near else f"it has {shown or 'none'}{more}"
    raise click.UsageError(f"the server has no tool {name!r}; {hint}")


def _mention_missing(names: Sequence[str]) -> None:
    if names:
        shown = ", ".join(plain(name, keep_newlines=False) for name in names)
        click.echo(f"askfirst: note: the tool says it needs {shown}", err=True)


def _unanswered(called: "Called") -> bool:
    from . import reporting

    return reporting.unanswered(called)


def _report(called: "Called", *, as_json: bool) -> int:
    """Print what came of a call; the exit code."""
    from . import reporting

    if as_json:
        sys.stdout.write(reporting.as_json(called) + "\n")
    elif text := reporting.as_text(called.result):
        # A terminal obeys what is written to it; a file or a program gets the text as it came.
        sys.stdout.write((plain(text) if sys.stdout.isatty() else text) + "\n")
    sys.stdout.flush()  # so that what follows on stderr stands below it where both go to one place
    failures = reporting.failures(called)
    for failure in failures:
        click.echo(f"askfirst: {failure}", err=True)
    for line in reporting.last_words(called):
        click.echo(line, err=True)
    return FAILED if failures else 0
