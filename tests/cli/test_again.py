"""A call whose questions wait on its server's desk is made again until it has a result of its own."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp_types import CallToolResult

from askfirst.cli.again import Watch, until_done
from askfirst.cli.clock import WorkClock
from askfirst.cli.progress import Progress
from askfirst.core.fallback import Waiting, waiting, waiting_notice
from at_the_page import LINK, answer_at
from running import running

WAITING_SERVER = str(Path(__file__).parents[1] / "journeys" / "waiting_server.py")
QUESTION = Waiting("Deploy?", "http://127.0.0.1:1/x/enter?key=k", "KXQ7")


def with_desk(folder: Path, hold: str = "0.2") -> list[str]:
    variables = {
        "ASKFIRST_DESK": "local",
        "ASKFIRST_STORE": str(folder / "desk.sqlite3"),
        "RECORDS_DB": str(folder / "records.db"),
        "HOLD": hold,
    }
    return [word for name, value in variables.items() for word in ("-e", f"{name}={value}")]


def until_made_again(stream: Any) -> tuple[str, str]:
    """The address, and all that was said up to where the call is made again."""
    said = ""
    for line in stream:
        said += line
        if "the call is made again until there is an answer; Ctrl-C gives up" in line:
            found = LINK.search(said)
            assert found is not None
            return found[0], said
    raise AssertionError(f"the call was not made again: {said}")


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize(("tool", "end"), [("pause", "started 1 time(s)"), ("replay", "charged 1 time(s)")])
def test_a_question_that_is_answered_late_is_answered_in_time(
    tmp_path: Path, era: str, tool: str, end: str
) -> None:
    flags = ["--no-input", "--era", era, "--json", *with_desk(tmp_path)]
    with running("call", WAITING_SERVER, tool, "name=x", *flags) as process:
        link, _ = until_made_again(process.stderr)
        page = answer_at(link, "send", {"f0": "yes"})
        out, err = process.communicate(timeout=60)
    assert "What was sent" in page
    assert json.loads(out)["result"]["structuredContent"] == {"result": f"x: accept, {end}"}
    assert (process.returncode, err) == (0, "")  # where to answer is told once


def test_whoever_does_not_want_to_wait_any_more_gives_up(tmp_path: Path) -> None:
    with running("call", WAITING_SERVER, "pause", "name=x", *with_desk(tmp_path)) as process:
        _, said = until_made_again(process.stderr)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out, said.count("http://")) == (130, "", 1)


def result(facts: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[], structured_content=facts)


DONE = result({"result": "done"})
WAITS = result({**waiting("deploy", [QUESTION]).facts})


def answering(*results: CallToolResult) -> Callable[[], Any]:
    left = list(results)

    async def call() -> CallToolResult:
        return left.pop(0) if len(left) > 1 else left[0]

    return call


@pytest.mark.anyio
async def test_between_two_calls_is_a_second_and_what_waits_is_told_each_time() -> None:
    slept: list[float] = []
    told: list[tuple[Waiting, ...]] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    assert await until_done("deploy", answering(WAITS, WAITS, DONE), told.append, sleep=sleep) is DONE
    assert (slept, told) == ([1.0, 1.0], [(QUESTION,), (QUESTION,)])


@pytest.mark.anyio
async def test_a_server_that_waits_without_end_is_given_up() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    assert await until_done("deploy", answering(WAITS), sleep=sleep) is WAITS
    assert len(slept) == 1999


@pytest.mark.anyio
async def test_what_only_looks_like_it_is_the_result() -> None:
    other = result({"outcome": "waiting", "tool": "deploy"})
    assert await until_done("deploy", answering(other, DONE)) is other
    assert await until_done("purge", answering(WAITS, DONE)) is WAITS


@pytest.mark.anyio
async def test_time_in_which_somebody_is_asked_elsewhere_is_no_work() -> None:
    now = 100.0
    with WorkClock(10, lambda: now) as clock:
        watch = Watch(clock, Progress(now=lambda: now))
        for _ in range(100):
            await watch.noticed(1, None, waiting_notice([QUESTION]))
            now += 10
            watch.waits((QUESTION,))
            now += 11
        await watch.noticed(1, None, "at work")
        now += 5
        clock.phase(None)
    assert not clock.expired
