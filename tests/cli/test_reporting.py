"""A call's result in text and in JSON."""

import json
from typing import Any

import pytest
from mcp_types import URL_ELICITATION_REQUIRED, CallToolResult, ErrorData

from askfirst.cli import reporting
from askfirst.cli.connection import Called
from askfirst.cli.transcript import Asked
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
    assert reporting.failures(Called("", (nobody,), error=repeated)) == ["nobody was asked: no terminal"]
    hostile = ErrorData(code=-1, message="no\x1b[2J")
    assert reporting.failures(Called("", (), error=hostile)) == ["the server answered with an error: no (-1)"]


def test_an_address_to_visit_first_is_told() -> None:
    visit = {"mode": "url", "message": "Sign in", "url": "https://example.com/\u202e", "elicitationId": "1"}
    error = ErrorData(code=URL_ELICITATION_REQUIRED, message="first", data={"elicitations": [visit]})
    first, second = reporting.failures(Called("", (), error=error))
    assert first.endswith("first (-32042)")
    assert second == "it wants https://example.com/\u2039U+202E\u203a visited first; then call again"


@pytest.mark.parametrize("data", [None, [], "x", {"elicitations": 3}, {"elicitations": [{}]}])
def test_an_address_that_can_not_be_read_is_no_trouble(data: Any) -> None:
    error = ErrorData(code=URL_ELICITATION_REQUIRED, message="first", data=data)
    assert len(reporting.failures(Called("", (), error=error))) == 1
