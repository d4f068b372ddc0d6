"""What README and docs show is true: Python blocks run, commands exist, marked transcripts are what comes out.

Words after a block's language say how it is checked:

- `python`: compiled and run; blocks of one page build on each other. `python no-run`: compiled only.
- `console`, `sh`: an `askfirst` command must exist, with these options; a `make` target too. `console run`: the
  `askfirst` commands are run in the root of the repository, without a terminal, and must succeed. `console exact`:
  and what they print must be what the block shows.
"""

import ast
import asyncio
import inspect
import os
import re
import shlex
import subprocess
import sys
import tomllib
import types
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from askfirst import Policy
from askfirst.cli import askfirst
from docs.pages import ROOT, Block, blocks, pages

SHELLS = {"console", "sh", "shell", "bash"}
PATIENCE = 60


def every(languages: set[str]) -> list[Block]:
    return [block for page in pages() for block in blocks(page) if block.language in languages]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = types.ModuleType(f"page_{page.stem.lower().replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where annotations are looked up
    for block in blocks(page):
        if block.language == "python":
            code = compile(
                "\n" * block.line + block.text,
                str(block.page),
                "exec",
                ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
                dont_inherit=True,
            )
            if "no-run" not in block.words:
                run(code, module)


def run(code: types.CodeType, module: types.ModuleType) -> None:
    function = types.FunctionType(code, vars(module))
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(function())
    else:
        function()


@pytest.mark.parametrize("block", every(SHELLS), ids=str)
def test_every_command_shown_exists(block: Block) -> None:
    for words in commands(block):
        if words[0] == "make":
            assert targets() >= {word for word in words[1:] if "=" not in word}
        elif words[0] == "askfirst":
            assert unknown_options(words[1:]) == []


@pytest.mark.parametrize("block", [one for one in every(SHELLS) if {"run", "exact"} & {*one.words}], ids=str)
def test_a_command_that_says_so_runs_and_prints_what_is_shown(block: Block) -> None:
    printed = ""
    for line, words in zip(prompts(block), commands(block), strict=True):
        printed += f"$ {line}\n"
        if words[0] == "askfirst":
            done = subprocess.run(
                [sys.executable, "-m", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                cwd=ROOT, env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}, timeout=PATIENCE, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            printed += done.stdout
    if "exact" in block.words:
        assert printed == block.text


@pytest.mark.parametrize("block", every({"toml"}), ids=str)
def test_every_policy_shown_can_be_read(block: Block) -> None:
    assert Policy.from_dict(tomllib.loads(block.text)).rules


def test_every_example_is_run_by_a_test() -> None:
    tested = "".join(path.read_text() for path in (ROOT / "tests").glob("*/test_*.py"))
    assert [path.name for path in sorted((ROOT / "examples").glob("*.py")) if path.name not in tested] == []


def prompts(block: Block) -> Iterator[str]:
    """The command lines of a block: those after `$ ` in a transcript, all that are no comment elsewhere."""
    text = block.text.replace("\\\n", " ")
    for line in text.splitlines():
        if block.language == "console":
            if line.startswith("$ "):
                yield line.removeprefix("$ ")
        elif line.strip() and not line.lstrip().startswith("#"):
            yield line


def commands(block: Block) -> Iterator[list[str]]:
    """Each command line as words, without variables set before it, `uv run`, and what follows a pipe or comment."""
    for line in prompts(block):
        words = shlex.split(line, comments=True)
        while "=" in words[0]:
            words.pop(0)
        if words[0] in {"uv", "uvx"}:
            words = words[1 + (words[1] == "run") :]
        ends = [index for index, word in enumerate(words) if word in {"|", ">", "&&", "&", ";"}]
        yield words[: min(ends, default=len(words))]


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def unknown_options(words: list[str]) -> list[str]:
    """The words that look like options and are none of the command they are given to."""
    command: click.Command = askfirst
    known: set[str] = {"--help"}
    unknown = []
    for word in words:
        known |= {
            option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        if word == "--":
            break
        if isinstance(command, click.Group) and not word.startswith("-"):
            inner = command.get_command(click.Context(command), word)
            assert inner is not None, f"askfirst has no command {word}"
            command = inner
        elif word.startswith("-") and word != "-" and word.partition("=")[0] not in known:
            unknown.append(word)
    return unknown
