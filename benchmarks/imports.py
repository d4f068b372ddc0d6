"""What `import askfirst` costs: a part of `import mcp`, and no module of anybody else.

Each import is measured by a fresh interpreter, in turns, the least of several, without what an interpreter
needs to start.
"""

import subprocess
import sys

from _turns import report_share

TURNS = 7
LIMIT = 0.05

TIMED = """
import sys, time
before = set(sys.modules)
start = time.process_time()
import {name}
print(time.process_time() - start)
print(*sorted({{name.partition(".")[0] for name in set(sys.modules) - before}} - sys.stdlib_module_names))
"""


def imported(name: str) -> tuple[float, list[str]]:
    """Seconds of processor time that an import needs, and the packages it brings that are not the language's."""
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(name=name)], check=True, capture_output=True, text=True
    )
    seconds, packages = done.stdout.splitlines()
    return float(seconds), packages.split()


def main() -> None:
    turns = [(imported("askfirst"), imported("mcp")) for _ in range(TURNS)]
    ours, theirs = min(mine for (mine, _), _ in turns), min(other for _, (other, _) in turns)
    report_share("import askfirst, beside import mcp", ours, theirs, LIMIT)
    brought = sorted({package for (_, packages), _ in turns for package in packages} - {"askfirst"})
    print(
        f"import askfirst brings {', '.join(brought)}: MISSED"
        if brought
        else "import askfirst brings no other: ok"
    )


if __name__ == "__main__":
    main()
