"""The command `askfirst`: the only place that wires everything together, and nobody imports it.

One module for each command. Nothing heavy is imported before a command needs it: `--help` answers at once.
"""

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Final

import click

from askfirst import __version__
from askfirst.core.hygiene import plain

from .call import call
from .demo import demo
from .desk import desk
from .failure import FAILED, INTERRUPTED, Failure, Interrupted, cause
from .ledger import ledger
from .remembered import remembered
from .tools import tools

__all__ = ["main"]

_REPORT: Final = "this is a bug of askfirst; please report it with the lines above"


_EXAMPLE: Final = """\b
Example: askfirst call server.py deploy service=shop --answer '{"environment": "staging"}'
Documentation: README.md and docs/ of the source, for this command docs/command-line.md"""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog=_EXAMPLE
)
@click.version_option(__version__, prog_name="askfirst")
def askfirst() -> None:
    """Call the tools of an MCP server, and answer what they ask.

    SERVER is a URL, a .py or .js file, a quoted command line, or a name from --config FILE.
    """


askfirst.add_command(call)
askfirst.add_command(demo)
askfirst.add_command(desk)
askfirst.add_command(ledger)
askfirst.add_command(remembered)
askfirst.add_command(tools)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Exit codes: 0 done; 1 an error result, a failed connection or a question nobody could answer; 2 the command
    line can't be followed; 130 Ctrl-C.

    Args:
        arguments: The arguments without the program's name; those of the process where None.
    """
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a server says must never end in a UnicodeEncodeError
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_exit_code(lambda: askfirst.main(arguments, prog_name="askfirst", standalone_mode=False)))


def _open_what_is_closed() -> None:
    """Give the process all three streams: what it opens next must not take the place of one that is closed."""
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))


def _tell(text: str) -> None:
    """Write to stderr, if that can be written to; if not, the exit code has to say it all."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = None  # else the interpreter tries once more, and changes the exit code


def _exit_code(command: Callable[[], object]) -> int:
    try:
        try:
            returned = command()
            sys.stdout.flush()
        except BaseExceptionGroup as group:
            raise cause(group) from None
    except click.ClickException as error:
        shown = StringIO()
        error.show(file=shown)
        _tell(plain(shown.getvalue()))  # names that a server made up may be in it
        return error.exit_code
    except Failure as failure:
        _tell(f"askfirst: {plain(str(failure))}\n")
        return FAILED
    except Interrupted as interrupted:
        return interrupted.code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone, as in `askfirst ... | head`; the interpreter must not try again.
        sys.stdout = None
        return FAILED
    except OSError as error:  # mostly a full disk under our own output
        sys.stdout = None
        where = f" ({error.filename})" if error.filename else ""
        _tell(f"askfirst: the system refused: {plain(error.strerror or str(error))}{plain(where)}\n")
        return FAILED
    except Exception:
        _tell(f"{traceback.format_exc()}askfirst: {_REPORT}\n")
        return FAILED
    return returned if isinstance(returned, int) else 0
