"""Names of servers from a configuration file that another program uses already.

Read are `{"mcpServers": {...}}` (Claude, Cursor, Windsurf, Cline ...) and `{"servers": {...}}` (VS Code),
with comments and trailing commas, because the editors' own files have them. Only the entry that is used is
looked at.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from .servers import Launch, Remote, Server, looks_like_a_name, read_server, remote

__all__ = ["find_server"]

_SHOWN_NAMES: Final = 20
_HTTP_TYPES: Final = ("http", "streamable-http", "streamablehttp", "streamable_http")
# What has no end goes on to the end of the text: to look for one from each of many beginnings would take for ever.
_STRING_OR_COMMENT: Final = re.compile(r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_STRING_OR_COMMA: Final = re.compile(r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)|,(?=\s*[}\]])', re.DOTALL)
_VARIABLE: Final = re.compile(r"\$\{([^}]*)(?:\}|\Z)")
_NAME: Final = re.compile(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", re.DOTALL)


def find_server(text: str, config: Path | None, environ: Mapping[str, str]) -> Server:
    """The server that a text names: a name from `config` first, then whatever `read_server` reads.

    Args:
        text: The SERVER argument.
        config: The configuration file, or None.
        environ: Where `${NAME}` in the file gets its value.

    Raises:
        click.UsageError: The file can't be read, its entry can't be used, or the text names nothing.
    """
    if config is None:
        return read_server(text)
    entries = _entries(config)
    if text in entries:
        return _Entry(text, config, environ).read(entries[text])
    if looks_like_a_name(text):
        names = ", ".join(sorted(entries)[:_SHOWN_NAMES]) or "no server at all"
        more = f" and {len(entries) - _SHOWN_NAMES} more" if len(entries) > _SHOWN_NAMES else ""
        raise click.UsageError(f"SERVER: {config} has no server {text!r}; it has {names}{more}")
    return read_server(text)


def _entries(config: Path) -> Mapping[str, object]:
    try:
        raw = config.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise click.UsageError(f"--config: {config} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.UsageError(
            f"--config: expected {config} to be text in UTF-8, got something else"
        ) from None
    try:
        document: object = json.loads(_plain_json(raw))
    except json.JSONDecodeError as error:
        raise click.UsageError(
            f"--config: {config} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise click.UsageError(f"--config: {config} is nested too deeply") from None
    except ValueError:  # the interpreter's bound on the digits of a whole number
        raise click.UsageError(f"--config: {config} has a number with too many digits") from None
    if isinstance(document, dict):
        for key in ("mcpServers", "servers"):
            servers = document.get(key)
            if isinstance(servers, dict):
                return servers
    raise click.UsageError(f'--config: expected {config} to hold an object "mcpServers" or "servers"')


def _plain_json(text: str) -> str:
    """JSON without comments and trailing commas; lines and columns stay where they were."""

    def blank(found: re.Match[str]) -> str:
        piece = found[0]
        return piece if piece.startswith('"') else re.sub(r"[^\n]", " ", piece)

    return _STRING_OR_COMMA.sub(blank, _STRING_OR_COMMENT.sub(blank, text))


class _Entry:
    """One entry being read; it knows where it stands, for the messages."""

    def __init__(self, name: str, config: Path, environ: Mapping[str, str]) -> None:
        self._name = name
        self._config = config
        self._environ = environ

    def read(self, entry: object) -> Server:
        if not isinstance(entry, dict):
            raise self._wrong("expected an object with a command or a url")
        if "envFile" in entry:
            raise self._wrong('"envFile" is not read; pass the variables with --env instead')
        if "command" in entry:
            return self._launch(entry)
        if "url" in entry or "serverUrl" in entry:
            return self._remote(entry)
        raise self._wrong('expected a "command" or a "url", got neither')

    def _launch(self, entry: Mapping[str, object]) -> Launch:
        arguments = entry.get("args", [])
        if not isinstance(arguments, list):
            raise self._wrong('expected "args" to be a list of texts')
        cwd = entry.get("cwd")
        return Launch(
            self._name,
            self._text("command", entry["command"]),
            tuple(self._text("args", one) for one in arguments),
            self._texts("env", entry.get("env", {})),
            None if cwd is None else self._text("cwd", cwd),
        )

    def _remote(self, entry: Mapping[str, object]) -> Remote:
        kind = entry.get("type", "http")
        if not isinstance(kind, str) or kind.lower() not in _HTTP_TYPES:
            raise self._wrong(
                'expected "type" to be "http": askfirst speaks streamable HTTP, not the older HTTP with SSE'
            )
        url = self._text("url", entry.get("url", entry.get("serverUrl")))
        return remote(self._name, url, self._texts("headers", entry.get("headers", {})))

    def _texts(self, key: str, value: object) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._wrong(f'expected "{key}" to be an object of texts')
        return {name: self._text(key, one) for name, one in value.items()}

    def _text(self, key: str, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong(f'expected "{key}" to hold texts only')
        return _VARIABLE.sub(
            lambda found: self._variable(found[1]) if found[0].endswith("}") else found[0], str(value)
        )

    def _variable(self, inside: str) -> str:
        """The value for `${NAME}`, `${env:NAME}` or `${NAME:-default}`."""
        named = _NAME.fullmatch(inside)
        if named is None or inside in ("workspaceFolder", "userHome"):
            raise self._wrong(
                f"${{{inside}}} is filled in by the editor, and askfirst can't; write the value out"
            )
        value = self._environ.get(named[1], named[2])
        if value is None:
            raise self._wrong(f"the environment variable {named[1]} is not set")
        return value

    def _wrong(self, what: str) -> click.UsageError:
        return click.UsageError(f"--config: server {self._name!r} in {self._config}: {what}")
