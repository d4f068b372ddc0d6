"""Options that several commands have, and where a value comes from: flag, then environment, then default."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import click
from click.core import ParameterSource

from .config import find_server
from .servers import Launch, Server

__all__ = ["Reach", "json_option", "read_reach", "refuse_idle", "server_options"]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A server and how to deal with it; both limits are seconds of work."""

    server: Server
    era: Literal["auto", "legacy", "modern"]
    connect_timeout: float
    timeout: float
    verbose: bool


def json_option(help: str = "JSON on stdout.") -> Callable[[F], F]:
    """The option `--json`, as every command has it that prints something for a program too."""
    return click.option(
        "--json", "as_json", is_flag=True, envvar="ASKFIRST_JSON", show_envvar=True, help=help
    )


class _Seconds(click.FloatRange):
    """A number of seconds above zero; `inf` for no limit."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail("expected a number of seconds", param, ctx)
        return seconds


_SECONDS: Final = _Seconds()

_SERVER_OPTIONS: Final = (
    click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        envvar="ASKFIRST_CONFIG",
        show_envvar=True,
        help='A file with "mcpServers" (Claude, Cursor ...) or "servers" (VS Code); SERVER may be a name in it.',
    ),
    click.option(
        "-e",
        "--env",
        "variables",
        multiple=True,
        metavar="NAME[=VALUE]",
        help="A variable for a server that is started; without a value, the one of this shell. It gets few others.",
    ),
    click.option(
        "--era",
        type=click.Choice(["auto", "legacy", "modern"]),
        default="auto",
        show_default=True,
        envvar="ASKFIRST_ERA",
        show_envvar=True,
        help="Speak as until 2025 (legacy), as since 2026 (modern), or as new as the server can.",
    ),
    click.option(
        "--connect-timeout",
        type=_SECONDS,
        default=30.0,
        show_default=True,
        metavar="SECONDS",
        envvar="ASKFIRST_CONNECT_TIMEOUT",
        show_envvar=True,
        help="How long the server may take to start and to say what it is.",
    ),
    click.option(
        "--timeout",
        type=_SECONDS,
        default=300.0,
        show_default=True,
        metavar="SECONDS",
        envvar="ASKFIRST_TIMEOUT",
        show_envvar=True,
        help="How long the work may take in all. While a question is open, no time passes; inf: no limit.",
    ),
    json_option(),
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        envvar="ASKFIRST_VERBOSE",
        show_envvar=True,
        help="Show what the server writes to its stderr.",
    ),
)


def refuse_idle(context: click.Context, **flags: str) -> None:
    """Refuse flags that would do nothing here, by their parameters' names, with what they are for.

    A variable may stand for several commands and do something for some of them; what was typed was meant.

    Raises:
        click.UsageError: One of them is on the command line.
    """
    for name, purpose in flags.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(purpose)


def server_options(command: F) -> F:
    """Adds what every command that reaches a server has."""
    return reduce(lambda decorated, option: option(decorated), reversed(_SERVER_OPTIONS), command)


def read_reach(context: click.Context, environ: Mapping[str, str]) -> Reach:
    """What the options of a command say about its server.

    Raises:
        click.UsageError: SERVER names nothing that can be reached, or an option does not fit it.
    """
    given = context.params
    server = find_server(given["server"], given["config"], environ)
    variables = _variables(given["variables"], environ)
    if isinstance(server, Launch):
        server = replace(server, env={**server.env, **variables})
    elif variables:
        raise click.UsageError("--env: only for a server that is started here, and this one has an address")
    return Reach(
        server=server,
        era=given["era"],
        connect_timeout=given["connect_timeout"],
        timeout=given["timeout"],
        verbose=given["verbose"],
    )


def _variables(texts: Sequence[str], environ: Mapping[str, str]) -> dict[str, str]:
    variables: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name:
            raise click.UsageError("--env: expected NAME or NAME=VALUE, got no name")
        if not equals:
            if name not in environ:
                raise click.UsageError(f"--env: {name} has no value here; write {name}=VALUE")
            value = environ[name]
        variables[name] = value
    return variables
