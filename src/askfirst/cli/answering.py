"""Who answers the questions of a call: one of the flags says so, or the terminal does, or nobody."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click
from click.core import ParameterSource

from .arguments import parse_object
from .options import refuse_idle

if TYPE_CHECKING:
    from askfirst.core.answers import Answer, Content
    from askfirst.core.questions import Origin, Question
    from askfirst.core.revisions import Mode
    from askfirst.ports import Answerer

__all__ = ["Nobody", "answering_options", "choose_answerer", "whoever_is_here"]

F = TypeVar("F", bound=Callable[..., Any])

_WAYS: Final[Mapping[str, str]] = {
    "answers": "--answer",
    "decline": "--decline",
    "cancel": "--cancel",
    "policy": "--answers",
    "no_input": "--no-input",
    "browser": "--browser",
}
"""The parameters of the command that say who answers, with their flags. At most one of them decides."""


def answering_options(command: F) -> F:
    """Adds the flags that say who answers."""
    for option in reversed(
        (
            click.option(
                "--answer",
                "answers",
                multiple=True,
                metavar="JSON",
                help="Accept a question with this content; several times for several questions, in their order.",
            ),
            click.option("--decline", is_flag=True, help="Say no to every question."),
            click.option("--cancel", is_flag=True, help="Close every question without choosing."),
            click.option(
                "--answers",
                "policy",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                envvar="ASKFIRST_ANSWERS",
                show_envvar=True,
                help="A TOML file that says which question gets which answer.",
            ),
            click.option(
                "--no-input",
                is_flag=True,
                envvar="ASKFIRST_NO_INPUT",
                show_envvar=True,
                help="Nobody is here: the server is told that questions can't be asked.",
            ),
            click.option(
                "--browser",
                is_flag=True,
                envvar="ASKFIRST_BROWSER",
                show_envvar=True,
                help="Ask on a page on this machine; its address goes to stderr.",
            ),
            click.option(
                "--open",
                "opens",
                is_flag=True,
                envvar="ASKFIRST_OPEN",
                show_envvar=True,
                help="With --browser: open the page.",
            ),
            click.option(
                "--plain",
                is_flag=True,
                envvar="ASKFIRST_PLAIN",
                show_envvar=True,
                help="Ask at the terminal line by line, without drawing a form.",
            ),
        )
    ):
        command = option(command)
    return command


def choose_answerer(context: click.Context) -> "Answerer":
    """The answerer that the flags and the environment ask for; one that reaches nobody where nobody is there.

    A flag on the command line beats a variable. Without any, it is the terminal, where there is one.

    Raises:
        click.UsageError: Two ways to answer at once, or one that can't be read.
    """
    values, way = context.params, _way(context)
    if way != "browser":
        refuse_idle(context, opens="--open is for --browser: give both, or neither")
    match way:
        case "answers":
            return _prepared(values["answers"])
        case "decline" | "cancel" as action:
            from askfirst.core.answers import Cancelled, Declined

            return _Always(Declined() if action == "decline" else Cancelled())
        case "policy":
            return _policy(values["policy"])
        case "no_input":
            return Nobody("askfirst was told that nobody is here (--no-input)")
        case "browser":
            from .browsing import OnPage

            return OnPage(opens=values["opens"])
        case _:
            return whoever_is_here(plain=values["plain"])


def whoever_is_here(*, plain: bool = False) -> "Answerer":
    """The person at the terminal, where there is one; else nobody."""
    from askfirst.client.terminal import Terminal

    terminal = Terminal(plain=True if plain else None)
    return terminal if terminal.reaches() else Nobody("there is no terminal to ask at")


def _way(context: click.Context) -> str | None:
    for source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT):
        ways = [
            name for name in _WAYS if context.params[name] and context.get_parameter_source(name) is source
        ]
        if len(ways) > 1:
            raise click.UsageError(
                f"expected one way to answer, got {' and '.join(_WAYS[way] for way in ways)}"
            )
        if ways:
            return ways[0]
    return None


def _prepared(texts: tuple[str, ...]) -> "Answerer":
    from askfirst.client.prepared import Prepared
    from askfirst.core.answers import Accepted, Content

    # Whether a content fits its form is checked when the form is there.
    return Prepared([Accepted(cast(Content, parse_object(text, "--answer"))) for text in texts])


def _policy(path: Path) -> "Answerer":
    from askfirst.client.policy import InvalidPolicy, Policy

    try:
        policy = Policy.from_file(path)
    except InvalidPolicy as invalid:
        raise click.UsageError(f"--answers: {invalid}") from None
    if not policy.rules:
        raise click.UsageError(f"--answers: {path.name}: expected at least one [[answer]] table, got none")
    return policy


class _Always:
    """The same answer to every question."""

    def __init__(self, answer: "Answer[Content]") -> None:
        self._answer = answer

    def reaches(self) -> "frozenset[Mode]":
        from askfirst.core.revisions import Mode

        return frozenset(Mode)

    async def answer(self, question: "Question", origin: "Origin", limit: float | None) -> "Answer[Content]":
        return self._answer


class Nobody:
    """Reaches nobody, and says why to a server that asks all the same."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def reaches(self) -> "frozenset[Mode]":
        """No mode."""
        return frozenset()

    async def answer(self, question: "Question", origin: "Origin", limit: float | None) -> "Answer[Content]":
        """Never any answer; see `Answerer.answer`.

        Raises:
            NobodyAsked: Always.
        """
        from askfirst.core.errors import NobodyAsked

        raise NobodyAsked(self.reason)
