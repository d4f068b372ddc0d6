"""A call's result in text and in JSON."""

import json
from typing import Any

import pytest
from mcp_types import URL_ELICITATION_REQUIRED, CallToolResult, ErrorData

from askfirst.cli import reporting
from askfirst.cli.connection import Called
from askfirst.cli.transcript import Asked
from askfirst.core.fallback import Waiting, waiting
from askfirst.core.revisions import OLDEST, Mode

IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}


def result(*content: dict[str, Any], **more: Any) -> CallToolResult:
    return CallToolResult.model_validate({"content": list(content), **more})


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


@pytest.mark.parametrize(
    ("block", "line"),
    [
        (text("a\nb"), "a\nb"),
        (IMAGE, "[image: image/png, 5 bytes]"),
        ({"type": "audio", "data": "?", "mimeType": "audio/ogg"}, "[audio: audio/ogg, unreadable data]"),
        ({"type": "resource_link", "name": "log", "uri": "file:///log"}, "[link: log, file:///log]"),
        (
            {"type": "resource_link", "name": "log", "title": "The log", "uri": "x:y", "mimeType": "text/x"},
            "[link: The log, x:y, text/x]",
        ),
        (
            {"type": "resource", "resource": {"uri": "x:y", "text": "four", "mimeType": "text/plain"}},
            "[resource: x:y, text/plain, 4 characters]",
        ),
        ({"type": "resource", "resource": {"uri": "x:y", "blob": "aGVsbG8="}}, "[resource: x:y, 5 bytes]"),
    ],
)
def test_a_block_is_its_text_or_a_line_about_it(block: dict[str, Any], line: str) -> None:
    assert reporting.as_text(result(block)) == line


def test_structured_content_stands_in_for_words_that_are_missing() -> None:
    assert reporting.as_text(result(text("words"), structuredContent={"a": 1})) == "words"
    assert reporting.as_text(result(structuredContent={"a": 1})) == '{\n  "a": 1\n}'
    assert reporting.as_text(result(IMAGE, structuredContent={"a": 1})).startswith("[image")
    assert reporting.as_text(result()) == ""
    assert reporting.as_text(None) == ""


def test_json_holds_the_protocols_own_result() -> None:
    asked = Asked("How many?", Mode.FORM, "accept", 1.23456)
    called = Called(OLDEST.name, (asked,), result(IMAGE, isError=True))
    document = json.loads(reporting.as_json(called))
    assert document["questions"] == [
        {"message": "How many?", "mode": "form", "action": "accept", "seconds": 1.235}
    ]
    assert document["result"]["content"] == [IMAGE]
    assert document["result"]["isError"] is True
    assert document["revision"] == OLDEST.name
    assert "error" not in document


def test_json_of_an_error_has_no_result() -> None:
    called = Called(OLDEST.name, (), error=ErrorData(code=-1, message="no"))
    document = json.loads(reporting.as_json(called))
    assert (document["result"], document["error"]) == (None, {"code": -1, "message": "no"})


def test_json_is_ascii_so_that_nothing_in_it_is_obeyed() -> None:
    shown = reporting.to_json({"message": "\x1b[2J\u202e\ud800é"})
    assert shown.isascii()
    assert "\x1b" not in shown


def test_every_reason_why_a_call_is_no_success_is_told_once() -> None:
    assert reporting.failures(Called("", (), result())) == []
    assert reporting.failures(Called("", (), result(isError=True))) == ["the tool reports an error"]
    nobody = Asked("How many?", Mode.FORM, None, 0.0, "no terminal")
    assert reporting.failures(Called("", (nobody,), result())) == ["nobody was asked: no terminal"]
    repeated = ErrorData(code=-1, message="nobody was asked: no terminal")
    bare = ErrorData(code=-1, message="no terminal")
    for error in (repeated, bare):
        assert reporting.failures(Called("", (nobody,), error=error)) == ["nobody was asked: no terminal"]
    hostile = ErrorData(code=-1, message="no\x1b[2J")
    assert reporting.failures(Called("", (), error=hostile)) == ["the server answered with an error: no (-1)"]


def wanting(*urls: str) -> list[str]:
    visits = [{"mode": "url", "message": "Sign in", "url": url, "elicitationId": "1"} for url in urls]
    error = ErrorData(code=URL_ELICITATION_REQUIRED, message="first", data={"elicitations": visits})
    told, *rest = reporting.failures(Called("", (), error=error))
    assert told.endswith("first (-32042)")
    return rest


def test_an_address_to_visit_first_is_told_with_its_host_and_what_is_odd_about_it() -> None:
    assert wanting("https://example.com/connect", "http://paypal.com@example.org/") == [
        "it wants this visited first; then call again\n"
        "  Host:    example.com\n"
        "  Address: https://example.com/connect",
        "it wants this visited first; then call again\n"
        "  Host:    example.org\n"
        "  Address: http://paypal.com@example.org/\n"
        "  Warning: What stands before the @ is a login, not the site; the site is example.org.\n"
        "  Warning: The connection is not encrypted (http): others can read and change what passes.",
    ]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "https://example.com/\u202e"])
def test_an_address_that_must_not_be_put_before_a_person_is_not_told(url: str) -> None:
    (told,) = wanting(url)
    assert told.startswith("it wants an address visited that is not shown: ")
    assert url not in told


def test_what_a_server_can_repeat_without_end_is_told_in_short() -> None:
    nobody = Asked("How many?", Mode.FORM, None, 0.0, "no terminal")
    assert reporting.failures(Called("", (nobody,) * 3000, result())) == [
        "nobody was asked: no terminal (3000 times)"
    ]
    various = tuple(Asked("How many?", Mode.FORM, None, 0.0, f"reason {number}") for number in range(3000))
    assert len(told := reporting.failures(Called("", various, result()))) == 21
    assert told[-1] == "and 2980 more like that"
    assert wanting(*(f"https://example.com/{number}" for number in range(3000)))[-1] == told[-1]


@pytest.mark.parametrize("data", [None, [], "x", {"elicitations": 3}, {"elicitations": [{}]}])
def test_an_address_that_can_not_be_read_is_no_trouble(data: Any) -> None:
    error = ErrorData(code=URL_ELICITATION_REQUIRED, message="first", data=data)
    assert len(reporting.failures(Called("", (), error=error))) == 1


def test_a_call_that_was_given_up_while_it_waited_is_a_failure() -> None:
    ending = waiting("deploy", [Waiting("Deploy?", "", "KXQ7")])
    for is_error in (False, True):  # a tool that promises a shape can't end so without an error
        given = result(text(ending.text), structuredContent=dict(ending.facts), isError=is_error)
        called = Called(OLDEST.name, (), given, tool="deploy")
        assert reporting.failures(called) == [
            "nothing was done: deploy was given up while it waited for an answer"
        ]
        assert reporting.unanswered(called)
