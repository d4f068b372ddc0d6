"""The SERVER argument."""

import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.cli.servers import Launch, Remote, looks_like_a_name, read_server


def test_a_url_is_an_address_named_after_its_host() -> None:
    assert read_server("https://example.com:8443/mcp") == Remote(
        "example.com:8443", "https://example.com:8443/mcp"
    )
    assert read_server("http://ada:secret@example.com/mcp").name == "example.com"


@pytest.mark.parametrize(
    "text", ["ftp://example.com", "http://", "http://host:port/", "file:///etc/x.py", "x://"]
)
def test_an_address_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(click.UsageError, match="expected an address like https://host/mcp"):
        read_server(text)


def test_a_python_file_runs_with_this_python(tmp_path: Path) -> None:
    server = tmp_path / "my server.py"
    server.touch()
    assert read_server(str(server)) == Launch(str(server), sys.executable, (str(server),))


def test_a_file_may_have_arguments(tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.touch()
    text = f"{server} --name 'a b'"
    assert read_server(text) == Launch(text, sys.executable, (str(server), "--name", "a b"))


@pytest.mark.parametrize("suffix", [".js", ".mjs", ".cjs", ".MJS"])
def test_a_script_file_runs_with_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    node = tmp_path / "node"
    node.touch(mode=0o755)
    script = tmp_path / f"server{suffix}"
    script.touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_server(str(script)) == Launch(str(script), str(node), (str(script),))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(click.UsageError, match="needs node"):
        read_server(str(script))


def test_a_command_line_is_split_as_a_shell_does() -> None:
    assert read_server("sh -c 'exit 3'") == Launch("sh -c 'exit 3'", "sh", ("-c", "exit 3"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "got nothing"),
        ("   ", "got nothing"),
        ("sh -c 'x", "unclosed quote"),
        ("missing-server.py", "expected a file, and 'missing-server.py' is none"),
        ("no-such-command --flag", "'no-such-command' is none of them"),
        ("localhost:8000/mcp", "is http://localhost:8000/mcp meant?"),
    ],
)
def test_what_names_nothing_is_said(text: str, words: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        read_server(text)
    assert words in raised.value.message


def test_only_one_word_without_a_suffix_can_be_a_name() -> None:
    assert looks_like_a_name("records")
    for text in ("http://host", "server.py", "npx thing", ""):
        assert not looks_like_a_name(text)


@given(st.text())
def test_any_text_is_a_server_or_a_usage_error(text: str) -> None:
    try:
        server = read_server(text)
    except click.UsageError:
        return
    assert isinstance(server, Launch | Remote)


def test_a_variable_or_a_header_is_in_no_repr() -> None:
    assert "hush" not in repr(Launch("x", "y", env={"TOKEN": "hush"}))
    assert "hush" not in repr(Remote("x", "http://y", {"Authorization": "hush"}))
