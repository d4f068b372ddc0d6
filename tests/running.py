"""The command at work in a process of its own, to be listened to while it runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["running"]


@contextmanager
def running(*arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """`askfirst` with these arguments, without a terminal; it is ended with the block."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")}
    with subprocess.Popen(
        [sys.executable, "-m", "askfirst", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**ours, **variables},
    ) as process:
        yield process
        process.kill()
