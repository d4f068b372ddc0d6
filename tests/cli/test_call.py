"""`askfirst call` and `askfirst tools`, all the way to a server and back."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


def test_tools_are_listed_over_all_pages_and_made_plain(inside: Callable[..., Any], raw: str) -> None:
    done = inside("tools", raw)
    assert (done.code, done.err) == (0, "")
    names = [line for line in done.out.splitlines() if line and not line.startswith(" ")]
    assert names == ["hang", "crash", "refuse", "nonsense", "huge", "ask", "environment", "evil"]
    assert "    n: a whole number (optional)" in done.out


def test_tools_are_listed_as_the_protocol_has_them(inside: Callable[..., Any], raw: str) -> None:
    done = inside("tools", raw, "--json")
    assert done.code == 0
    tools = json.loads(done.out)["tools"]
    assert len(tools) == 8
    assert tools[0]["inputSchema"]["properties"] == {"n": {"type": "integer"}}


def test_a_tool_is_shown_with_its_arguments(inside: Callable[..., Any], asking: str) -> None:
    done = inside("tools", asking)
    shown = {part.splitlines()[0]: part.splitlines()[1:] for part in done.out.split("\n\n")}
    assert shown["plan"] == ["    Plan a party."]
    assert shown["echo"] == [
        "    Say it again.",
        "    text: a text",
        "    times: a whole number (optional)",
        "    loud: true or false (optional)",
        "    mood: one of glad, sad, or null (optional)",
        "    tags: a list, each a text, or null (optional)",
        "    extra: a JSON object, or null (optional)",
    ]


def test_arguments_reach_the_tool_as_its_schema_says(inside: Callable[..., Any], asking: str) -> None:
    more = ["--arguments", '{"extra": {"a": 1}}']
    done = inside("call", asking, "echo", "text=3", "times=2", "tags=a", "tags=b", "mood=glad", *more)
    assert (done.code, done.err) == (0, "")
    assert done.out == "'3' 2 False 'glad' ['a', 'b'] {'a': 1}\n"


def test_a_tool_that_fails_is_one(inside: Callable[..., Any], asking: str) -> None:
    done = inside("call", asking, "fail")
    assert done.code == 1
    assert "Error executing tool fail" in done.out
    assert "the tool reports an error" in done.err
    assert "the tool broke" not in done.out  # the SDK keeps the reason to itself and logs it
    assert "  | ValueError: the tool broke" in done.err


def test_what_is_missing_is_mentioned_and_left_to_the_server(inside: Callable[..., Any], asking: str) -> None:
    done = inside("call", asking, "echo")
    assert done.code == 1
    assert "note: the tool says it needs text" in done.err
    assert "Field required" in done.out


def test_progress_is_on_stderr(inside: Callable[..., Any], asking: str) -> None:
    done = inside("call", asking, "work", "steps=3")
    assert (done.code, done.out) == (0, "done\n")
    assert done.err == " 33% step 1\n"


@pytest.mark.parametrize(
    ("era", "tool", "action"), [("legacy", "plan", "decline"), ("modern", "book", "cancel")]
)
def test_a_flag_says_no(inside: Callable[..., Any], asking: str, era: str, tool: str, action: str) -> None:
    done = inside("call", asking, tool, "--era", era, f"--{action}")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(f": {action}\n")


def test_an_answer_that_does_not_fit_is_nobodys(inside: Callable[..., Any], asking: str) -> None:
    done = inside("call", asking, "book", "--answer", '{"guests": "hush"}', "--json")
    assert done.code == 1
    assert json.loads(done.out)["questions"][0]["action"] is None
    assert (
        "does not fit the question 'How many guests?': guests: expected a whole number, got text of 4 characters"
        in done.err
    )
    assert "hush" not in done.out + done.err


def test_answers_are_used_in_their_order_and_once(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "ask", "--answer", "{}", "--answer", "{}")
    assert (done.code, done.out) == (0, "accept\n")


def test_a_flag_beats_a_variable(
    inside: Callable[..., Any], raw: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[[answer]]\naction = "cancel"\n')
    monkeypatch.setenv("ASKFIRST_ANSWERS", str(policy))
    assert inside("call", raw, "ask", "--decline").out == "decline\n"
    done = inside("call", raw, "ask")
    assert done.code == 2
    assert "expected one way to answer, got --answers and --no-input" in done.err
    monkeypatch.delenv("ASKFIRST_NO_INPUT")
    assert inside("call", raw, "ask").out == "cancel\n"


def test_a_modern_result_that_does_not_say_so_is_complete(inside: Callable[..., Any], raw: str) -> None:
    assert inside("call", f"{raw} modern", "ask", "--decline").out == "decline\n"
    done = inside("call", f"{raw} modern", "ask", "--answer", "{}", "--json")
    assert (done.code, json.loads(done.out)["revision"]) == (0, "2026-07-28")


def test_a_question_that_can_not_be_read_is_told_whatever_its_server_makes_of_it(
    inside: Callable[..., Any], raw: str
) -> None:
    done = inside("call", f"{raw} hologram", "ask", "--answer", "{}", "--json")
    (question,) = json.loads(done.out)["questions"]
    reason = "expected mode form or url, got another one"
    assert question == {"message": "Really?", "mode": None, "action": None, "seconds": 0.0, "reason": reason}
    assert (done.code, done.err) == (1, f"askfirst: nobody was asked: {reason}\n")


def test_a_result_of_a_kind_that_nobody_knows_is_no_success(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", f"{raw} modern", "odd")
    assert (done.code, done.out) == (1, "")
    assert "the result of odd can't be used: 'banana' is no kind of result" in done.err


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_what_is_printed_as_json_is_json(inside: Callable[..., Any], raw: str, flags: list[str]) -> None:
    out = inside("call", f"{raw} modern", "infinite", *flags).out
    found = json.loads(out, parse_constant=pytest.fail)
    assert (found["result"]["structuredContent"] if flags else found) == {"a": [None, 1.5]}


def test_a_huge_result_arrives_whole(inside: Callable[..., Any], raw: str) -> None:
    done = inside("call", raw, "huge")
    assert (done.code, len(done.out)) == (0, 5_000_001)


def test_a_file_gets_a_text_as_it_came(inside: Callable[..., Any], asking: str) -> None:
    assert inside("call", asking, "deceive").out == "before\x1b[2Jafter\n"


def test_a_started_server_gets_few_variables_and_those_it_is_given(
    inside: Callable[..., Any], raw: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", "hush")
    monkeypatch.setenv("PASSED", "on")
    done = inside("call", raw, "environment", "-e", "PASSED", "--env", "NEW=a=b")
    variables = json.loads(done.out)
    assert (variables["PASSED"], variables["NEW"]) == ("on", "a=b")
    assert "OURS" not in variables
    assert "PATH" in variables


def test_a_server_is_called_by_its_name(inside: Callable[..., Any], raw: str, tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    entry = {"command": sys.executable, "args": [raw], "env": {"FROM": "${PATH}"}, "cwd": str(tmp_path)}
    config.write_text(json.dumps({"servers": {"quick": entry}}))
    done = inside("call", "quick", "environment", "--config", str(config))
    assert json.loads(done.out)["FROM"]


@pytest.fixture(scope="module")
def address(asking: str) -> Iterator[str]:
    """The asking server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = f"import runpy; runpy.run_path({asking!r})['mcp'].run('streamable-http', port={port})"
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "Uvicorn running" in line:
                break
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()


@pytest.mark.parametrize(("era", "tool"), [("legacy", "plan"), ("modern", "book")])
def test_a_server_at_an_address_asks_as_well(
    inside: Callable[..., Any], address: str, era: str, tool: str
) -> None:
    done = inside("call", address, tool, "--era", era, "--answer", '{"guests": 3}')
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(" for 3, inside\n")


DEPLOY = str(Path(__file__).parents[2] / "examples" / "deploy.py")


def test_a_call_that_did_nothing_for_want_of_an_answer_is_one(inside: Callable[..., Any]) -> None:
    done = inside("call", DEPLOY, "deploy", "service=shop", "version=1")
    assert done.code == 1
    assert "Ask the user, do not guess" in done.out
    assert done.err == "askfirst: nothing was done: deploy needs environment, and nobody could be asked\n"


def test_a_persons_no_is_none(inside: Callable[..., Any]) -> None:
    done = inside(
        "call", DEPLOY, "deploy", "service=shop", "version=1", "environment=production", "--decline"
    )
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "noted"),
    [
        ((DEPLOY, "deploy", "service=shop", "version=1"), True),
        (("asking", "book"), True),
        (("raw", "ask"), True),
        (("asking", "fail"), False),
        (("raw", "refuse"), False),
    ],
)
def test_how_to_answer_is_said_where_something_was_asked(
    command: Callable[..., Any], request: pytest.FixtureRequest, words: tuple[str, ...], noted: bool
) -> None:
    server, *more = words
    done = command("call", server if server == DEPLOY else request.getfixturevalue(server), *more)
    assert done.code == 1
    note = "there is no terminal to ask at; --answer and --answers can answer questions"
    assert (note in done.err) is noted
