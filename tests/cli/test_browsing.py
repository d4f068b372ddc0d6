"""`askfirst call --browser` and `askfirst demo --browser`: answers from a page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from askfirst.cli import browsing
from at_the_page import LINK, answer_at
from running import running

GUESTS, OUTSIDE = "f0", "f1"


def next_link(stream: Any) -> str:
    for line in stream:
        if found := LINK.search(line):
            return found[0]
    raise AssertionError("no address came")


@pytest.mark.parametrize(("era", "tool"), [("legacy", "plan"), ("modern", "book")])
def test_a_call_is_answered_on_the_page_whose_address_is_on_stderr(asking: str, era: str, tool: str) -> None:
    with running("call", asking, tool, "--era", era, "--browser") as process:
        page = answer_at(next_link(process.stderr), "send", {GUESTS: "5", OUTSIDE: "yes"})
        assert "What was sent" in page
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert " for 5, outside\n" in out
    assert err == ""


def test_no_is_said_there_too(asking: str) -> None:
    with running("call", asking, "book", "--browser") as process:
        answer_at(next_link(process.stderr), "decline")
        out, _ = process.communicate(timeout=60)
    assert out == "not booked: decline\n"


def test_the_page_is_opened_when_that_is_asked_for(asking: str, tmp_path: Path) -> None:
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$1\" > {seen}.part\nmv {seen}.part {seen}\n")
    browser.chmod(0o755)
    with running("call", asking, "book", "--browser", "--open", BROWSER=f"{browser} %s") as process:
        assert process.stderr is not None
        assert process.stderr.readline().rstrip().endswith("in your browser")
        while not seen.exists():  # it may take its time
            process.poll()
        answer_at(seen.read_text().strip(), "cancel")
        out, _ = process.communicate(timeout=60)
    assert out == "not booked: cancel\n"


def test_it_is_one_way_to_answer_among_others(inside: Callable[..., Any], asking: str) -> None:
    done = inside("call", asking, "book", "--browser", "--decline")
    assert done.code == 2
    assert "--decline and --browser" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("call", "true", "tool", "--open"), "--open is for --browser"),
        (("demo", "--open"), "--open is for --browser"),
        (("demo", "--browser", "--plain"), "--plain is for the terminal"),
        (("demo", "--browser", "--no-input"), "got --browser and --no-input"),
        (("desk", "--terminal", "--open"), "--open is for the page"),
        (("desk", "--plain"), "--plain is for --terminal"),
    ],
)
def test_a_flag_that_would_do_nothing_is_refused(
    inside: Callable[..., Any], words: tuple[str, ...], said: str
) -> None:
    done = inside(*words)
    assert done.code == 2
    assert said in done.err


def test_the_demo_is_answered_on_pages_and_its_last_question_on_the_servers_own_desk() -> None:
    with running("demo", "--browser") as process:
        for number in range(3):
            link = next_link(process.stderr)
            page = answer_at(link, "decline" if number == 1 else "send", {"f0": "yes", "f1": "old"})
            assert "older_than_days" in page
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.count("The call gave: Deleted 2000 rows. Reason: 'old'") == 2
    assert out.count("The call gave: User declined.") == 1
    assert "answer there. Ctrl-C gives up." in out.partition("--- 1.")[0]
    said = [line for line in out.splitlines() if line in ("Sent.", "Declined.", "Cancelled.")]
    assert said == ["Sent.", "Declined.", "Sent."]
    assert "docs/quickstart.md" in out.rpartition("4000 before")[2]
    assert "The server has a desk" in out


@pytest.mark.anyio
async def test_where_no_page_can_be_served_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from askfirst.core.errors import NobodyAsked
    from askfirst.core.fields import Form
    from askfirst.core.questions import FormQuestion, Origin
    from askfirst.web import serving

    async def full(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(serving, "start", full)
    page = browsing.OnPage(opens=False)
    with pytest.raises(NobodyAsked, match="Too many open files"):
        await page.answer(FormQuestion("?", Form()), Origin("records"), None)
    await page.close()
