"""`askfirst ledger show|verify`: what was asked and what came of it, and whether the record is still whole."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from askfirst.core.hygiene import plain

from .failure import Failure
from .options import json_option
from .storing import look_at_desk, on_desk, store_option

if TYPE_CHECKING:
    from askfirst.desk import Desk

__all__ = ["ledger"]

_TOLD: Final = ("event", "route", "code", "server", "tool", "outcome", "by")


def _head(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise click.BadParameter("expected a head as `askfirst ledger verify` prints it, 64 hex digits")
    return text and text.lower()


@click.group(short_help="What was asked, and what came of it.")
def ledger() -> None:
    """The record of all questions of servers that have a desk: who asked, when, by which route, and what came of it.

    Those are in it too that a client carried itself. No answers are.
    """


@ledger.command(short_help="Print the record, oldest first.")
@store_option
@json_option("JSON lines, as kept.")
def show(store: Path | None, as_json: bool) -> None:
    """Print the record, oldest first: time (UTC), event, route, code, server, tool, outcome, and who answered.

    With --json each line is as it is kept, with its hash: `askfirst ledger verify FILE` can verify such a copy.
    """

    async def work(desk: "Desk") -> bool:
        some = False
        async for line in desk.ledger.lines():
            click.echo(line if as_json else _told(line))
            some = True
        return some

    if not look_at_desk(store, work) and not as_json:
        click.echo("askfirst: nothing was asked yet", err=True)


@ledger.command(short_help="See whether the record is whole.")
@click.argument("copy", required=False, metavar="[FILE]", type=click.File(encoding="utf-8"))
@click.option(
    "--head", metavar="HASH", callback=_head, help="A head that was noted: it has to be among the lines."
)
@store_option
def verify(copy: IO[str] | None, head: str | None, store: Path | None) -> None:
    """See whether a line of the record was changed, removed, inserted or moved.

    FILE is a copy in JSON lines, - for stdin; without it, the record in the store is verified. The head that is
    printed stands for all lines up to there. Note it where nobody can write who can write the record, and give it
    the next time: then it shows as well that lines were cut off at the end, or that all were written anew.
    """
    from askfirst.core.ledger import Broken, verify

    lines = None if copy is None else copy.read().splitlines()
    found = on_desk(store, lambda desk: desk.ledger.verify(head)) if lines is None else verify(lines, head)
    if isinstance(found, Broken):
        raise Failure(f"the ledger is not what was written: {found}")
    click.echo(f"whole: {found.number} lines, head {found.hash}")


def _told(line: str) -> str:
    """A line for a person. A server chose some of its texts, and whoever broke the chain the rest: all are tamed."""
    try:
        entry = json.loads(line)
        time = datetime.fromtimestamp(entry["at"], UTC).strftime("%Y-%m-%d %H:%M:%S")
        texts = [str(entry[name]) for name in _TOLD]
    except (ValueError, TypeError, KeyError, OverflowError):
        time, texts = "not as it was written:", [line]
    return "  ".join([time, *(plain(text, keep_newlines=False) for text in texts if text)])
