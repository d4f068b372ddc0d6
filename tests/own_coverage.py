"""`make coverage`: each module of the pure part is covered completely, branches too, by the test file of its name.

Not a part of the suite: it runs those test files once more, in one process, and asks of each module only what its
own tests did.
"""

import io
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import coverage
import pytest

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "src" / "askfirst"
PURE = [*sorted((PACKAGE / "core").glob("[a-z]*.py")), PACKAGE / "wire.py", PACKAGE / "ports.py"]

AT_IMPORT = ""
"""What a module does when it is imported is nobody's test, and counts for all."""


class TellWhichFileRuns:
    """Labels what is measured with the test file that made it run."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._measured.switch_context(item.path.stem)
        try:
            return (yield)
        finally:
            self._measured.switch_context(AT_IMPORT)


def own_tests(module: Path) -> list[Path]:
    return sorted(TESTS.rglob(f"test_{module.stem}.py"))


def incomplete(measured: coverage.Coverage, module: Path) -> bool:
    """Whether a module's own tests left something out; prints what."""
    contexts = [f"^{AT_IMPORT}$", f"^test_{module.stem}$"]
    told = io.StringIO()
    if measured.report([str(module)], contexts=contexts, show_missing=True, file=told) == 100:
        return False
    print(told.getvalue())
    return True


def main() -> int:
    measured = coverage.Coverage(branch=True, source=[str(PACKAGE)], data_file=None)
    measured.start()
    for module in PURE:
        import_module(".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts))
    files = [str(file) for module in PURE for file in own_tests(module)]
    # The same examples each time: what is covered by luck is not covered.
    code = pytest.main(
        ["-q", "--no-header", "--hypothesis-seed=0", *files], plugins=[TellWhichFileRuns(measured)]
    )
    measured.stop()
    left = [module.stem for module in PURE if incomplete(measured, module)]
    print(
        f"{len(PURE) - len(left)} of {len(PURE)} modules are covered by their own tests; not:",
        *left or ["none"],
    )
    return int(code) or int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
