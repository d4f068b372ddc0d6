"""The command `askfirst`: the only place that wires everything together, and nobody imports it.

One module for each command. Nothing heavy is imported before a command needs it: `--help` answers at once.
"""

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


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a server says must never end in a UnicodeEncodeError
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_exit_code(lambda: askfirst.main(arguments, prog_name="askfirst", standalone_mode=False)))


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
        sys.stderr.write(plain(shown.getvalue()))  # names that a server made up may be in it
        return error.exit_code
    except Failure as failure:
        click.echo(f"askfirst: {plain(str(failure))}", err=True)
        return FAILED
    except Interrupted as interrupted:
        return interrupted.code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone, as in `askfirst ... | head`; the interpreter must not try again.
        sys.stdout = None
        return FAILED
    except Exception:
        traceback.print_exc()
        click.echo(f"askfirst: {_REPORT}", err=True)
        return FAILED
    return returned if isinstance(returned, int) else 0
