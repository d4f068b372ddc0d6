"""The public face: exactly these names, found on first use, at no cost before it."""

import ast
import subprocess
import sys
import tomllib

import pytest

import askfirst
from sources import PACKAGE, ROOT

NAMES = {
    *("Accepted", "Declined", "Cancelled", "Answer", "NobodyAsked", "AskfirstError"),
    *("form", "Titles", "Fill", "Ask", "Asking", "askable"),
    *("Terminal", "Policy", "Chain", "elicitation_callback", "connect"),
    *("local_desk", "mounted_desk"),
}

IMPORTED = """
import sys
before = set(sys.modules)
import askfirst
print(*sorted(set(sys.modules) - before))
"""


def test_the_public_names_are_exactly_these() -> None:
    assert set(askfirst.__all__) == NAMES
    assert len(askfirst.__all__) == len(NAMES)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_public_name_resolves_and_stays(name: str) -> None:
    value = getattr(askfirst, name)
    assert value is getattr(askfirst, name)
    assert name in vars(askfirst)


def test_type_checkers_and_the_lookup_see_the_same_homes() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == vars(askfirst)["_HOMES"]


def test_dir_shows_the_public_names() -> None:
    assert set(dir(askfirst)) >= NAMES


def test_an_unknown_name_is_an_attribute_error_as_everywhere() -> None:
    with pytest.raises(AttributeError, match="'askfirst' has no attribute 'elicit'"):
        getattr(askfirst, "elicit")  # noqa: B009 - a type checker knows that it is not there


def test_importing_askfirst_imports_nothing_else_of_its_own_or_of_others() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    new = {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert new == {"askfirst"}


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert askfirst.__version__ == project["version"]


def test_every_module_of_the_core_has_a_test_file_of_its_name() -> None:
    modules = {path.stem for path in (PACKAGE / "core").glob("*.py") if path.stem != "__init__"}
    tested = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "core").glob("test_*.py")}
    assert modules - tested == set()
