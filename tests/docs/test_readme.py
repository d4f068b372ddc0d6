"""Who has only read the README can write its server and call it: its files, typed off, give its transcripts."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from docs.pages import ROOT, Block, blocks

README = list(blocks(ROOT / "README.md"))
COMMAND = f"{shlex.quote(sys.executable)} -m askfirst"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")},
    "NO_COLOR": "1",
    "TERM": "xterm",
}


def only(language: str) -> str:
    """The first block in this language."""
    return next(block.text for block in README if block.language == language)


def transcripts(kind: str) -> list[Block]:
    return [block for block in README if block.language == "console" and kind in block.words]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a reader has typed off the README's files."""
    (tmp_path / "server.py").write_text(only("python"))
    (tmp_path / "answers.toml").write_text(only("toml"))
    return tmp_path


@pytest.mark.parametrize("block", transcripts("readme"), ids=str)
def test_the_commands_print_what_is_shown(block: Block, folder: Path) -> None:
    printed = ""
    for line in block.text.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["/bin/sh", "-c", line.removeprefix("$ ").replace("askfirst", COMMAND, 1)],
                cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            )  # fmt: skip
            printed += f"{line}\n{done.stdout}"
    assert printed == block.text


@pytest.mark.parametrize("block", transcripts("typed"), ids=str)
def test_a_person_at_a_terminal_sees_what_is_shown(block: Block, folder: Path) -> None:
    command, *lines = block.text.splitlines()
    child: pexpect.spawn[str] = pexpect.spawn(
        "/bin/sh",
        ["-c", f"exec {command.removeprefix('$ ').replace('askfirst', COMMAND, 1)}"],
        cwd=str(folder), env=ENVIRONMENT, encoding="utf-8", timeout=60, dimensions=(40, 100),
    )  # fmt: skip
    seen = ""
    for line in lines:
        prompt = re.match(r"(\w+: |send, edit N, decline or cancel\? )(.*)", line)
        if prompt:
            child.expect_exact(prompt[1])
            child.sendline(prompt[2])
            seen += child.before + prompt[1]
    child.expect(pexpect.EOF)
    child.close()
    assert (seen + child.before).replace("\r\n", "\n").strip("\n") == "\n".join(lines).strip("\n")
    assert child.exitstatus == 0
