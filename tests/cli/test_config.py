"""Names of servers from a configuration file."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.cli.config import find_server
from askfirst.cli.servers import Launch, Remote

ENVIRON = {"TOKEN": "hush", "EMPTY": ""}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "mcp.json"


def write(config: Path, entry: object, key: str = "mcpServers") -> Path:
    config.write_text(json.dumps({key: {"records": entry}}))
    return config


@pytest.mark.parametrize("key", ["mcpServers", "servers"])
def test_a_command_is_read_in_both_shapes(config: Path, key: str) -> None:
    entry = {"type": "stdio", "command": "run", "args": ["a", 1], "env": {"A": "b"}, "cwd": "/srv"}
    assert find_server("records", write(config, entry, key), {}) == Launch(
        "records", "run", ("a", "1"), {"A": "b"}, "/srv"
    )


@pytest.mark.parametrize("key", ["url", "serverUrl"])
def test_an_address_is_read_with_its_headers(config: Path, key: str) -> None:
    entry = {key: "https://example.com/mcp", "headers": {"X": "y"}, "type": "streamable-http"}
    assert find_server("records", write(config, entry), {}) == Remote(
        "records", "https://example.com/mcp", {"X": "y"}
    )


def test_comments_and_trailing_commas_are_no_trouble(config: Path) -> None:
    config.write_text(
        """\ufeff// servers
        {"servers": { /* the one
            that counts */ "records": {"command": "http://not-a-comment", "args": ["/* nor, ] this */",],},
        }}"""
    )
    server = find_server("records", config, {})
    assert server == Launch("records", "http://not-a-comment", ("/* nor, ] this */",))


def test_variables_are_filled_in(config: Path) -> None:
    entry = {"command": "run", "env": {"A": "${TOKEN}", "B": "x${env:TOKEN}x", "C": "${NONE:-default}"}}
    server = find_server("records", write(config, entry), ENVIRON)
    assert isinstance(server, Launch)
    assert server.env == {"A": "hush", "B": "xhushx", "C": "default"}


def test_what_begins_like_a_variable_and_never_ends_is_none(config: Path) -> None:
    begun = "${" * 200_000
    assert find_server("records", write(config, {"command": f"${{TOKEN}}{begun}"}), ENVIRON) == Launch(
        "records", f"hush{begun}"
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (3, "expected an object with a command or a url"),
        ({}, 'expected a "command" or a "url"'),
        ({"command": ["run"]}, 'expected "command" to hold texts only'),
        ({"command": "run", "args": "x"}, 'expected "args" to be a list'),
        ({"command": "run", "args": [{}]}, 'expected "args" to hold texts only'),
        ({"command": "run", "args": [True]}, 'expected "args" to hold texts only'),
        ({"command": "run", "env": []}, 'expected "env" to be an object'),
        ({"command": "run", "envFile": ".env"}, '"envFile" is not read'),
        ({"command": "run", "env": {"A": "${input:key}"}}, "filled in by the editor"),
        ({"command": "run", "cwd": "${workspaceFolder}"}, "filled in by the editor"),
        ({"command": "run", "env": {"A": "${MISSING}"}}, "the environment variable MISSING is not set"),
        ({"url": "ftp://example.com"}, "expected an address like https://host/mcp"),
        ({"url": "https://example.com", "type": "sse"}, "streamable HTTP, not the older HTTP with SSE"),
        ({"url": "https://example.com", "type": 3}, 'expected "type"'),
        ({"url": None}, 'expected "url" to hold texts only'),
    ],
)
def test_an_entry_that_can_not_be_used_is_said(config: Path, entry: object, words: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        find_server("records", write(config, entry), ENVIRON)
    assert words in raised.value.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON: line 1"),
        ('{"mcpServers": {\n "a": }}', "is not JSON: line 2, column 7"),
        ("[]", 'to hold an object "mcpServers" or "servers"'),
        ('{"mcpServers": []}', 'to hold an object "mcpServers" or "servers"'),
        ("[" * 100_000, "nested too deeply"),
        ('{"servers": "' + '\\"' * 200_000, "is not JSON: line 1"),
        ('{"servers": "' + '\\"' * 200_000 + "\\", "is not JSON: line 1"),
        ('{"servers": ' + '/*"' * 200_000, "is not JSON: line 1"),
    ],
)
def test_a_file_that_can_not_be_read_is_said(config: Path, text: str, words: str) -> None:
    config.write_text(text)
    with pytest.raises(click.UsageError) as raised:
        find_server("records", config, {})
    assert words in raised.value.message


def test_a_file_that_is_no_text_is_said(config: Path) -> None:
    config.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(click.UsageError, match="text in UTF-8"):
        find_server("records", config, {})
    with pytest.raises(click.UsageError, match="can't be read"):
        find_server("records", config / "nowhere", {})


def test_an_unknown_name_is_told_those_that_are_there(config: Path) -> None:
    config.write_text(json.dumps({"servers": {f"s{number:02}": {} for number in range(25)}}))
    with pytest.raises(click.UsageError, match=r"no server 'recrods'; it has s00, s01, .*s19 and 5 more"):
        find_server("recrods", config, {})
    config.write_text('{"servers": {}}')
    with pytest.raises(click.UsageError, match="it has no server at all"):
        find_server("recrods", config, {})


def test_what_can_not_be_a_name_is_read_as_ever(config: Path) -> None:
    write(config, {"command": "run"})
    assert find_server("http://example.com/mcp", config, {}) == find_server(
        "http://example.com/mcp", None, {}
    )
    assert find_server("sh -c x", config, {}) == find_server("sh -c x", None, {})


@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["command", "args", "env", "url", "headers", "type", "cwd"]), inner
            )
        ),
        max_leaves=8,
    )
)
def test_any_entry_is_a_server_or_a_usage_error(tmp_path_factory: pytest.TempPathFactory, entry: Any) -> None:
    config = tmp_path_factory.getbasetemp() / "any.json"
    try:
        server = find_server("records", write(config, entry), {})
    except click.UsageError:
        return
    assert isinstance(server, Launch | Remote)
