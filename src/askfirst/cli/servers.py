"""The SERVER argument: a text that names a server, read into how to reach it.

A text is tried as a URL, as a `.py` or `.js` file, and as a command line, in this order. Nothing is started
or opened here. Names from a configuration file are `config.py`'s.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import click

__all__ = ["Launch", "Remote", "Server", "looks_like_a_name", "read_server", "remote"]

_NODE_SUFFIXES: Final = (".js", ".mjs", ".cjs")
_SCRIPT_SUFFIXES: Final = (".py", *_NODE_SUFFIXES)
_HOST_AND_PORT: Final = re.compile(r"[A-Za-z0-9.-]+:[0-9]{1,5}(?:/|\Z)")


@dataclass(frozen=True, slots=True)
class Launch:
    """A server to start and to speak to over its stdin and stdout.

    `name` is what the person called it; `env` comes on top of a short list of harmless variables.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None

    def __post_init__(self) -> None:
        """Refuse what no process can be started with.

        Raises:
            click.UsageError: A text with a zero or half a character in it, or a variable of no proper name.
        """
        texts = (self.command, *self.args, *self.env, *self.env.values(), self.cwd or "")
        if not all(map(_is_passable, texts)):
            raise click.UsageError(
                "SERVER: expected texts that a process can be given, got one that none can"
            )
        if not all(name and "=" not in name for name in self.env):
            raise click.UsageError(
                "SERVER: expected names of variables, got one that is empty or has = in it"
            )


@dataclass(frozen=True, slots=True)
class Remote:
    """A server that is running already, at an address of streamable HTTP."""

    name: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def _is_passable(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


Server: TypeAlias = Launch | Remote


def looks_like_a_name(text: str) -> bool:
    """Whether a text can only be meant as a name: neither a URL, nor a file, nor several words."""
    return "://" not in text and len(text.split()) == 1 and not text.lower().endswith(_SCRIPT_SUFFIXES)


def read_server(text: str) -> Server:
    """How to reach the server that a URL, a file or a command line names.

    Raises:
        click.UsageError: The text is none of the three; the message says what was tried.
    """
    if _is_script(text):
        return _script(text, text, ())
    try:
        words = shlex.split(text)
    except ValueError:
        raise click.UsageError("SERVER: expected a command line, got one with an unclosed quote") from None
    if not words:
        raise click.UsageError("SERVER: expected a URL, a .py or .js file, or a command line, got nothing")
    first, *rest = words
    if "://" in first and not rest:
        return remote(_host(first), first)
    if _is_script(first):
        return _script(text, first, tuple(rest))
    if first.lower().endswith(_SCRIPT_SUFFIXES) and shutil.which(first) is None:
        raise click.UsageError(f"SERVER: expected a file, and {first!r} is none")
    if shutil.which(first) is None:
        meant = f"; is http://{first} meant?" if _HOST_AND_PORT.match(first) else ""
        raise click.UsageError(
            "SERVER: expected a URL, a .py or .js file, a command line, or a name from --config FILE, "
            f"and {first!r} is none of them: no such command is on PATH{meant}"
        )
    return Launch(text, first, tuple(rest))


def remote(name: str, url: str, headers: Mapping[str, str] | None = None) -> Remote:
    """A server at an address.

    Raises:
        click.UsageError: The address is not http or https, or has no host.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, brackets that do not match
        usable = False
    if not usable:
        raise click.UsageError(
            "SERVER: expected an address like https://host/mcp, and the one given is not of that kind"
        )
    return Remote(name, url, dict(headers or {}))


def _host(url: str) -> str:
    """The host and port of a URL: the part of it that tells a person who is asking, without any login."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:  # `remote` says what is wrong with it
        return url


def _is_script(text: str) -> bool:
    return text.lower().endswith(_SCRIPT_SUFFIXES) and Path(text).is_file()


def _script(name: str, path: str, args: tuple[str, ...]) -> Launch:
    if path.lower().endswith(".py"):
        return Launch(name, sys.executable, (path, *args))
    node = shutil.which("node")
    if node is None:
        raise click.UsageError(f"SERVER: {path!r} needs node, and there is none on PATH")
    return Launch(name, node, (path, *args))
