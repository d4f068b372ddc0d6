"""What goes wrong is told in a sentence, with the right exit code, and never with a traceback."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.cli import main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing argument 'SERVER'"),
        (["no-such-command"], "'no-such-command' is none of them"),
        (["missing.py"], "expected a file, and 'missing.py' is none"),
        (["ftp://example.com"], "expected an address like https://host/mcp"),
        (["http://[::1"], "expected an address like https://host/mcp"),
        (["true", "-e", "A=\ud800"], "texts that a process can be given"),
        (["true", "--timeout", "0"], "--timeout"),
        (["true", "--timeout", "nan"], "--timeout"),
        (["true", "--era", "future"], "--era"),
        (["true", "--config", "missing.json"], "missing.json"),
        (["true", "-e", "ASKFIRST_TEST_UNSET"], "ASKFIRST_TEST_UNSET has no value here"),
        (["true", "-e", "=x"], "got no name"),
        (["http://127.0.0.1:9", "-e", "A=b"], "only for a server that is started here"),
    ],
)
def test_a_command_line_that_can_not_be_followed_is_two(
    inside: Callable[..., Any], arguments: list[str], words: str
) -> None:
    done = inside("tools", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["novalue"], "expected arguments as name=value"),
        (["--arguments", "{"], "--arguments: expected a JSON object"),
        (["--answer", "[]"], "--answer: expected a JSON object"),
        (
            ["--answer", '{"a": "\\ud800"}'],
            "--answer: expected a JSON object, got text with half a character",
        ),
        (["--arguments", '{"a": ["\\udfff"]}'], "got text with half a character"),
        (["--arguments", '{"a": 1e400}'], "got a number that is too large"),
        (["--decline", "--cancel"], "expected one way to answer, got --decline and --cancel"),
        (["--answer", "{}", "--no-input"], "expected one way to answer, got --answer and --no-input"),
        (["--answers", "missing.toml"], "missing.toml"),
    ],
)
def test_a_call_that_can_not_be_made_starts_no_server(
    inside: Callable[..., Any], arguments: list[str], words: str
) -> None:
    done = inside("call", "sh -c 'echo started >&2'", "tool", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "started" not in done.err


def test_a_policy_that_can_not_be_read_is_two(inside: Callable[..., Any], tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("[[answer]]\naction = 'agree'")
    done = inside("call", "true", "tool", "--answers", str(policy))
    assert done.code == 2
    assert "policy.toml, answer 1, action" in done.err


def test_a_policy_without_a_rule_is_two(inside: Callable[..., Any], tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("# none yet\n")
    done = inside("call", "true", "tool", "--answers", str(policy))
    assert done.code == 2
    assert "--answers: policy.toml: expected at least one [[answer]] table, got none" in done.err


def test_a_call_without_a_tool_says_where_they_are_listed(inside: Callable[..., Any]) -> None:
    done = inside("call", "true")
    assert (done.code, done.out) == (2, "")
    assert "Missing argument 'TOOL'. `askfirst tools SERVER` lists those that the server has." in done.err


def test_the_help_ends_with_an_example_and_the_place_of_the_documentation(inside: Callable[..., Any]) -> None:
    *_, example, documentation = inside("--help").out.splitlines()
    assert "Example: askfirst call server.py" in example
    assert "docs/command-line.md" in documentation


def test_a_policy_that_is_nested_without_end_is_two(inside: Callable[..., Any], tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("a = " + "[" * 100_000)
    done = inside("call", "true", "tool", "--answers", str(policy))
    assert done.code == 2
    assert "nested too deeply" in done.err


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('{"command": "a\\u0000b"}', "texts that a process can be given"),
        ('{"command": "true", "args": ["\\ud800"]}', "texts that a process can be given"),
        ('{"command": "true", "env": {"A": "\\u0000"}}', "texts that a process can be given"),
        ('{"command": "true", "cwd": "\\u0000"}', "texts that a process can be given"),
        ('{"command": "true", "env": {"A=B": "x"}}', "names of variables"),
        ('{"command": "true", "env": {"": "x"}}', "names of variables"),
        ("1" + "0" * 5000, "a number with too many digits"),
    ],
)
def test_an_entry_that_nothing_can_be_started_with_is_two(
    inside: Callable[..., Any], tmp_path: Path, entry: str, words: str
) -> None:
    config = tmp_path / "servers.json"
    config.write_text(f'{{"mcpServers": {{"mine": {entry}}}}}')
    done = inside("tools", "mine", "--config", str(config))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


@pytest.mark.parametrize(
    ("variable", "value"),
    [("SSL_CERT_FILE", "/missing"), ("ALL_PROXY", "gopher://x"), ("ALL_PROXY", "socks5://x")],
)
def test_a_network_that_is_set_up_wrongly_is_told_as_that(
    inside: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    done = inside("tools", "https://192.0.2.1/mcp")
    assert done.code == 1
    assert "192.0.2.1: no connection can be made from here: " in done.err


def test_a_name_that_the_server_does_not_have_is_two(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "hugh")
    assert (done.code, done.out) == (2, "")
    assert "the server has no tool 'hugh'; did you mean huge" in done.err
    assert "no tool 'walk'; it has " in inside("call", raw, "walk").err
    done = inside("call", raw, "huge", "m=1")
    assert done.code == 2
    assert "m: the tool has no such argument, only n" in done.err
    assert "\x1b" not in inside("call", raw, "evli").err


def test_a_server_that_ends_at_once_is_told_with_its_last_words(inside: Callable[..., Any], raw: str) -> None:
    done = inside("tools", f"{raw} crash")
    assert (done.code, done.out) == (1, "")
    assert "the connection was closed by the server" in done.err
    assert "  | the disk is full\n" in done.err


def test_a_file_that_runs_no_server_is_told_with_what_may_be_missing(
    inside: Callable[..., Any], tmp_path: Path
) -> None:
    server = tmp_path / "server.py"
    server.write_text("mcp = None\n")
    done = inside("tools", str(server))
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        f"askfirst: {server}: the connection was closed by the server before it had served anything",
        "does it run the server at its end, as a Python file does with `mcp.run()`?",
    ]
    server.write_text("1 / 0\n")
    done = inside("tools", str(server))
    assert "mcp.run()" not in done.err
    assert "ZeroDivisionError" in done.err


def test_a_server_that_says_nothing_is_given_up(inside: Callable[..., Any], raw: str) -> None:
    done = inside("tools", f"{raw} silent", "--connect-timeout", "0.3")
    assert done.code == 1
    assert (
        "expected the server to say what it is within 0.3 s, and it did not (--connect-timeout)" in done.err
    )


def test_a_limit_on_all_the_work_is_named_when_it_is_the_shorter_one(
    inside: Callable[..., Any], raw: str
) -> None:
    done = inside("tools", f"{raw} silent", "--timeout", "0.3")
    assert done.code == 1
    assert "expected the server to say what it is within 0.3 s, and it did not (--timeout)" in done.err


@pytest.mark.parametrize("how", ["garbage", "bytes"])
def test_a_server_that_writes_something_else_to_stdout_is_told(
    inside: Callable[..., Any], raw: str, how: str
) -> None:
    done = inside("tools", f"{raw} {how}", "--timeout", "0.3")
    assert done.code == 1
    assert "on its stdout it wrote what is no message of the protocol (once)" in done.err


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("revision", "does not say what it is as the protocol wants: Unsupported protocol version"),
        ("hello", "does not say what it is as the protocol wants: "),
        ("list", "the server's list of tools can't be used: "),
    ],
)
def test_a_server_that_breaks_the_protocol_is_told(
    inside: Callable[..., Any], raw: str, how: str, words: str
) -> None:
    done = inside("tools", f"{raw} {how}")
    assert (done.code, done.out) == (1, "")
    assert words in done.err
    assert "report" not in done.err
    assert "\x1b" not in done.err


def test_a_server_that_can_not_be_started_is_told(inside: Callable[..., Any], tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"gone": {"command": str(tmp_path / "gone")}}}))
    done = inside("tools", "gone", "--config", str(config))
    assert done.code == 1
    assert done.err == "askfirst: gone: can't be started: No such file or directory\n"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("http://127.0.0.1:9/mcp", "can't be reached"),
        ("http://{web}/404", "HTTP 404 Not Found); is the path of the URL right?"),
        ("http://{web}/401", "HTTP 401"),
        ("http://{web}/500", "HTTP 500"),
        ("http://{web}/200", "Unexpected content type: text/html"),
        ("https://{web}/200", "can't be reached"),
        ("http://name.invalid/mcp", "can't be reached"),
    ],
)
def test_an_address_without_a_server_is_told(
    inside: Callable[..., Any], web: str, place: str, words: str
) -> None:
    done = inside("tools", place.format(web=web))
    assert (done.code, done.out) == (1, "")
    assert words in done.err


def test_a_server_that_dies_in_a_call_is_told_with_its_last_words(
    inside: Callable[..., Any], raw: str
) -> None:
    done = inside("call", raw, "crash")
    assert (done.code, done.out) == (1, "")
    assert "the connection was closed by the server" in done.err
    assert "  | last words\n" in done.err


def test_an_error_of_the_protocol_is_told(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "refuse", "n=1")
    assert (done.code, done.out) == (1, "")
    assert done.err == "askfirst: the server answered with an error: no refuse (-32050)\n"
    done = inside("call", raw, "refuse", "--json")
    assert done.code == 1
    assert json.loads(done.out)["error"] == {"code": -32050, "message": "no refuse\x1b[2J"}
    assert json.loads(done.out)["result"] is None


def test_a_result_that_breaks_the_protocol_is_told(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "nonsense")
    assert (done.code, done.out) == (1, "")
    assert "the result of nonsense can't be used" in done.err


def test_work_that_takes_too_long_is_given_up(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "hang", "--timeout", "0.5")
    assert (done.code, done.out) == (1, "")
    assert "expected a result within 0.5 s of work" in done.err


def test_a_question_that_nobody_can_be_asked_is_one(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "ask", "--json")
    assert done.code == 1
    (asked,) = json.loads(done.out)["questions"]
    assert (asked["message"], asked["action"]) == ("Really?", None)
    assert "--no-input" in asked["reason"]
    assert "nobody was asked: " in done.err


def test_a_legacy_server_is_no_modern_one(inside: Callable[..., Any], raw: str) -> None:
    done = inside("tools", raw, "--era", "modern")
    assert done.code == 1
    assert "speaks no modern revision" in done.err


def test_a_fault_of_ours_asks_for_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(sys.modules["askfirst.cli.tools"], "read_reach", fail)
    with pytest.raises(SystemExit) as ended:
        main(["tools", "true"])
    assert ended.value.code == 1
    assert "please report it" in capsys.readouterr().err
