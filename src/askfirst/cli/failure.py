"""Failures that are told in a sentence and end the command, with the exit codes of every command."""

from typing import Final

__all__ = ["FAILED", "INTERRUPTED", "Failure", "Interrupted", "cause"]

FAILED: Final = 1
"""An error result, a failed connection, or a question nobody could answer."""

INTERRUPTED: Final = 130
"""Ctrl-C, as shells write it: 128 and the number of the signal."""


class Failure(Exception):
    """Something went wrong that is nobody's bug here; the message is for the person at the terminal."""


class Interrupted(Exception):
    """A signal asked us to stop; everything is closed already. `code` is the exit code."""

    def __init__(self, number: int) -> None:
        self.code: Final = 128 + number
        super().__init__(f"stopped by signal {number}")


def cause(error: BaseException) -> BaseException:
    """The one exception that a tree of groups is about: the first that is no group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
