"""`askfirst demo`: one server and one question, and the three ways in which it is asked or not."""

import os
import shutil
import sqlite3
import sys
import tempfile
import textwrap
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from .answering import Nobody, whoever_is_here
from .browsing import OnPage
from .options import refuse_idle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_types import CallToolResult

    from askfirst.core.answers import Answer, Content
    from askfirst.core.questions import Origin, Question
    from askfirst.core.revisions import Mode
    from askfirst.ports import Answerer

    from .wiretap import Wiretap

__all__ = ["demo"]

_TOOL: Final = "delete_stale_records"
_TABLE: Final = "events"
_ARGUMENTS: Final = {"table": _TABLE, "older_than_days": 365}
_REASON: Final = "older than any report needs"
_WIDEST: Final = 100
_ON_PAGES: Final = "Each question has a page: answer there. Ctrl-C gives up."
_NEXT: Final = "What next: read docs/quickstart.md, and see `askfirst call --help`."
_AT_DESK: Final = (
    "The server has a desk: the question waits on a page of its own, and the call goes on with the answer."
)


@click.command(short_help="See one question take all three ways.")
@click.option("--no-input", is_flag=True, help="Let a scripted person answer, also at a terminal.")
@click.option("--plain", is_flag=True, help="Ask at the terminal line by line, without drawing a form.")
@click.option("--browser", is_flag=True, help="Answer on a page, also what a client can't ask.")
@click.option("--open", "opens", is_flag=True, help="With --browser: open the pages.")
@click.pass_context
def demo(context: click.Context, /, no_input: bool, plain: bool, browser: bool, opens: bool) -> None:
    """Start a server that deletes old rows of a table after its user agrees, and call it three times.

    Once over a connection of the legacy era, once of the modern one, and once as a client that can't ask. At a
    terminal you answer the two questions, and go on by Enter; elsewhere a scripted person does. With --browser you
    answer all three on pages, whose addresses are printed: the last one is the server's own.
    """
    from . import interrupts

    if browser:
        refuse_idle(
            context,
            no_input="expected one way to answer, got --browser and --no-input",
            plain="--plain is for the terminal: leave it out, or --browser",
        )
        page = OnPage(opens=opens, say=click.echo)
        page.arguments = _ARGUMENTS
        interrupts.run(lambda: _perform(_acts(page), page))
        return
    refuse_idle(context, opens="--open is for --browser: give both, or neither")
    person = None if no_input or not _somebody_is_here() else whoever_is_here(plain=plain)
    if person is None or isinstance(person, Nobody):
        interrupts.run(lambda: _perform(_acts(None)))
    else:
        interrupts.run(lambda: _perform(_acts(person), pause=_enter))


def _somebody_is_here() -> bool:
    """Whether what is printed is read as it comes, by somebody who may be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not os.environ.get("CI")


@dataclass(frozen=True, slots=True)
class _Act:
    """One call: what is special about its client, what that means, and who answers."""

    client: str
    way: str
    mode: Literal["legacy", "auto"]
    answerer: "Answerer"


def _acts(person: "Answerer | None") -> tuple[_Act, ...]:
    from askfirst.core.answers import Accepted, Declined

    return (
        _Act(
            "a client of the legacy era",
            "The server sends its question as a request, and the call waits.",
            "legacy",
            person or _Scripted(Accepted({"confirm": True, "reason": _REASON})),
        ),
        _Act(
            "a client of the modern era",
            "The call returns with the question. It is made again with the answer, and finds its body waiting.",
            "auto",
            person or _Scripted(Declined()),
        ),
        _Act(
            "a client that can't ask",
            "Nobody is asked, so nothing is done, and that is not told as a person's no.",
            "auto",
            Nobody("this client can't ask"),
        ),
    )


async def _perform(
    acts: tuple[_Act, ...],
    page: OnPage | None = None,
    pause: "Callable[[], Awaitable[None]] | None" = None,
) -> None:
    arguments = " ".join(f"{name}={value}" for name, value in _ARGUMENTS.items())
    click.echo(_wrapped(f"One server, the same call three times: {_TOOL} {arguments}", indent=2))
    if page is not None:
        click.echo(_wrapped(_ON_PAGES, indent=0))
    for number, act in enumerate(acts, start=1):
        with tempfile.TemporaryDirectory(prefix="askfirst-demo-") as folder:
            desk = page if isinstance(act.answerer, Nobody) else None
            await _play(number, act, Path(folder) / "records.db", desk, pause)
    if page is not None or pause is not None:
        click.echo(_wrapped(f"\n{_NEXT}", indent=0))
    if page is not None:
        await page.close()


async def _enter() -> None:
    """Let the person read before a form covers what they read."""
    from askfirst.client.tty import DEVICE, LineTerminal

    with LineTerminal(DEVICE) as lines:
        lines.forget()
        await lines.write("\nEnter goes on. ")
        await lines.read()


async def _play(
    number: int,
    act: _Act,
    database: Path,
    page: OnPage | None,
    pause: "Callable[[], Awaitable[None]] | None",
) -> None:
    from askfirst.client.connecting import connect

    from .server_log import ServerLog
    from .servers import Launch
    from .transports import Notes, open_transport
    from .wiretap import Wiretap

    variables = {"RECORDS_DB": str(database)}
    if page is not None:
        variables |= {"ASKFIRST_DESK": "local", "ASKFIRST_STORE": str(database.with_name("desk.sqlite3"))}
    server = Launch("records", sys.executable, (str(_server()),), variables)
    tap = Wiretap()
    transport = tap.on(open_transport(server, ServerLog(verbose=False), Notes()))
    async with connect(transport, act.answerer, name=server.name, mode=act.mode) as client:
        await client.call_tool("count_records", {"table": _TABLE})  # the server fills its tables on first use
        click.echo(f"\n--- {number}. {act.client}, speaking {client.protocol_version}")
        click.echo(_wrapped(act.way if page is None else _AT_DESK, indent=0))
        if pause is not None:
            await pause()
        before = _rows(database)
        tap.lines.clear()
        call = partial(client.call_tool, _TOOL, _ARGUMENTS)
        result = await (
            call() if page is None else page.call(database.with_name("desk.sqlite3"), _TOOL, call)
        )
        _tell(result, (before, _rows(database)), tap)


def _server() -> Path:
    """The program of the example server: a wheel has it beside this file, a clone in its examples."""
    shipped = Path(__file__).with_name("_demo_server.py")
    return shipped if shipped.exists() else Path(__file__).parents[3] / "examples" / "records.py"


def _rows(database: Path) -> int:
    """What is in the table, read from the file itself and not from the server."""
    with closing(sqlite3.connect(database)) as connection:
        (count,) = connection.execute(f"SELECT count(*) FROM {_TABLE}").fetchone()
    return int(count)


def _tell(result: "CallToolResult", rows: tuple[int, int], tap: "Wiretap") -> None:
    from askfirst.core.hygiene import plain

    from . import reporting

    click.echo("\nOn the wire:")
    for line in tap.lines:
        click.echo(_wrapped(f"  {line}", indent=len("  client -> server  ")))
    click.echo(_wrapped(f"\nThe call gave: {plain(reporting.as_text(result))}", indent=2))
    click.echo(f"Rows in the table {_TABLE}: {rows[0]} before, {rows[1]} after.")


def _wrapped(text: str, *, indent: int) -> str:
    columns = min(shutil.get_terminal_size().columns, _WIDEST)
    return textwrap.fill(text, columns, subsequent_indent=" " * indent, replace_whitespace=False)


class _Scripted:
    """A person who knows what to say, and is shown saying it."""

    def __init__(self, answer: "Answer[Content]") -> None:
        self._answer = answer

    def reaches(self) -> "frozenset[Mode]":
        from askfirst.core.revisions import Mode

        return frozenset({Mode.FORM, Mode.URL})

    async def answer(self, question: "Question", origin: "Origin", limit: float | None) -> "Answer[Content]":
        from askfirst.client import presenting
        from askfirst.core.answers import Accepted
        from askfirst.core.questions import FormQuestion

        lines = [*presenting.question_lines(question, origin), f"The scripted person: {self._answer.action}"]
        if isinstance(self._answer, Accepted) and isinstance(question, FormQuestion):
            lines += presenting.review(question.form, self._answer.data, frozenset())
        click.echo("\n".join(lines))
        return self._answer
