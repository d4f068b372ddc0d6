"""The source files as data, for the tests that keep the house."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "askfirst"


@dataclass(frozen=True)
class Source:
    """One file. `name` is its dotted name below the package ("core.fields"; "" is the package itself)."""

    path: Path
    name: str

    @property
    def top(self) -> str:
        """The room it is in: the first part of its name."""
        return self.name.partition(".")[0]

    @cached_property
    def text(self) -> str:
        return self.path.read_text()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    def literals(self) -> Iterator[ast.Constant]:
        """Every piece of text in the code that is not a docstring."""
        prose = {
            id(node.value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                yield node

    def where(self, node: ast.expr | ast.stmt | ast.excepthandler) -> str:
        return f"{self.path.relative_to(ROOT)}:{node.lineno}"


@cache
def sources() -> tuple[Source, ...]:
    """Every file of the package."""
    return tuple(Source(path, _name(path)) for path in sorted(PACKAGE.rglob("*.py")))


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
