"""Sizes that bind: past them, a file or a function is two ideas."""

import ast
from collections.abc import Iterator
from pathlib import Path

from sources import PACKAGE, ROOT

FILE_LINES = 400
TEST_FILE_LINES = 600
FUNCTION_LINES = 60
PARAMETERS = 8

SHIPPED = sorted(path for room in ("src", "examples", "benchmarks") for path in (ROOT / room).rglob("*.py"))
TESTS = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "node_modules" not in path.parts]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(), path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_a_file_is_short() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in (*SHIPPED, *TESTS)}
    limits = {relative(path): TEST_FILE_LINES if path in TESTS else FILE_LINES for path in (*SHIPPED, *TESTS)}
    assert {name: length for name, length in lengths.items() if length > limits[name]} == {}


def test_a_function_is_short() -> None:
    lengths = {
        f"{relative(path)}:{one.lineno} {one.name}": (one.end_lineno or 0) - one.lineno + 1
        for path in (*SHIPPED, *TESTS)
        for one in functions(path)
    }
    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES} == {}


def test_a_function_has_few_parameters() -> None:
    counts = {
        f"{relative(path)}:{one.lineno} {one.name}": parameters(one.args)
        for path in SHIPPED
        for one in functions(path)
    }
    assert {name: count for name, count in counts.items() if count > PARAMETERS} == {}


def parameters(arguments: ast.arguments) -> int:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len([one for one in named if one.arg not in {"self", "cls"}])


def test_folders_are_two_levels_deep_at_most() -> None:
    assert [relative(one) for one in PACKAGE.rglob("*.py") if len(one.relative_to(PACKAGE).parts) > 2] == []
