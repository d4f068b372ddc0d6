"""The fenced blocks of README and docs, as data."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Block:
    """One fenced block: where it is, its language and further words (`python no-run`), its text."""

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """The pages whose blocks are checked."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[Block]:
    """The page's blocks, in order. A fence is three or more backticks; its block ends at as many."""
    lines = enumerate(page.read_text().splitlines(), 1)
    for number, line in lines:
        fence = line.strip()[: len(line.strip()) - len(line.strip().lstrip("`"))]
        if len(fence) < 3:
            continue
        indent = len(line) - len(line.lstrip())
        language, *words = line.strip().removeprefix(fence).split() or [""]
        inside: list[str] = []
        for _, text in lines:
            if text.strip() == fence:
                break
            inside.append(text[indent:] if text[:indent].isspace() else text)
        yield Block(page, number, language, tuple(words), "\n".join(inside) + "\n")
