"""`askfirst demo`: one question on three wires. `test_at_a_terminal` has the person at a terminal."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sources import PACKAGE, ROOT

NOBODY = "This needs an answer from a person, and nobody was asked"


def acts(said: str) -> list[str]:
    """What was printed on each of the three calls, each run of blanks as one."""
    return [" ".join(act.split()) for act in re.split(r"^--- \d\. ", said, flags=re.MULTILINE)[1:]]


def test_a_scripted_person_answers_where_there_is_no_terminal(command: Callable[..., Any]) -> None:
    outcome = command("demo")
    assert outcome.code == 0
    pushed, returned, refused = acts(outcome.out)

    assert pushed.startswith("a client of the legacy era, speaking 2025-11-25")
    assert "request 1: elicitation/create" in pushed
    assert "response to 1: accept with confirm, reason" in pushed
    assert "The call gave: Deleted 2000 rows." in pushed
    assert "4000 before, 2000 after" in pushed

    assert returned.startswith("a client of the modern era, speaking 2026-07-28")
    assert "input_required, question: elicitation/create" in returned
    assert "+ inputResponses question: decline + the requestState" in returned
    assert "The call gave: User declined. No rows deleted." in returned
    assert "4000 before, 4000 after" in returned

    assert refused.startswith("a client that can't ask")
    assert "elicitation/create" not in refused
    assert f"The call gave: {NOBODY}" in refused
    assert "4000 before, 4000 after" in refused


def test_the_transcript_fits_the_terminal(command: Callable[..., Any]) -> None:
    outcome = command("demo", COLUMNS="100")
    assert [line for line in outcome.out.splitlines() if len(line) > 100] == []


def test_a_wheel_brings_the_example_that_the_demo_runs() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    ((example, shipped),) = targets["wheel"]["force-include"].items()
    source = (ROOT / "src" / "askfirst" / "cli" / "demo.py").read_text()
    assert (ROOT / example).is_file()
    assert Path(example).name in source
    assert (ROOT / "src" / shipped).parent == PACKAGE / "cli"
    assert Path(shipped).name in source
