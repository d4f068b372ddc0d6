"""The rings: who may import whom, and which knowledge has one address."""

import ast
import sys
import tokenize
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from io import StringIO
from typing import Final

from sources import Source, sources

CORE: Final = {"core"}
INNER: Final = {"core", "ports", "wire", "stores", "desk", "visits", "abandoned"}

MAY_IMPORT: Final[Mapping[str, set[str]]] = {
    # ring 0
    "core": CORE,
    # ring 1
    "ports": CORE,
    "wire": CORE,
    "stores": {*CORE, "ports", "stores"},
    # ring 2
    "recording": {*CORE, "ports"},
    "keeping": {*CORE, "ports"},
    "sealing": CORE,
    "tokens": CORE,
    "waiting": {*CORE, "ports"},
    "desk": {*CORE, "ports", "keeping", "recording", "sealing", "tokens", "waiting"},
    "visits": {*CORE, "desk"},
    "abandoned": {*CORE, "desk", "tokens"},
    # ring 3: never each other
    "server": {*INNER, "server"},
    "client": {*INNER, "client"},
    "web": {*INNER, "web"},
    "bridge": {*INNER, "bridge"},
    "check": {*INNER, "check"},
    "testing": {*INNER, "testing"},
    # ring 4: wires everything, and nobody imports it but the public face, an entry point, `python -m askfirst`
    "local": {*INNER, "client", "web"},
    "mounted": {*INNER, "web"},
    "cli": {*INNER, "server", "client", "web", "bridge", "check", "testing", "cli", "local", ""},
    "__main__": {"cli"},
}

OUTER: Final = ("server.*", "client.*", "web.*", "bridge.*", "check.*", "testing.*", "cli", "cli.*")
SDK_FILES: Final = (
    "server.mcpserver*",
    "client.callback",
    "client.calling",
    "client.connecting",
    "client.misshapen",
    "client.passing",
    "bridge.http",
    "check.peers",
)
SDK: Final = (*SDK_FILES, "cli", "cli.*")

MAY_USE: Final[Mapping[str, tuple[str, ...]]] = {
    "pydantic": ("server.mcpserver*", "client.misshapen"),  # in which the SDK reads and refuses
    "anyio": ("desk", "waiting", "stores.*", "local", *OUTER),
    "cryptography": ("sealing",),
    "platformdirs": ("stores.sqlite*",),
    "mcp": SDK,
    "mcp_types": SDK,
    "prompt_toolkit": ("client.*",),
    "click": ("cli", "cli.*"),
    "starlette": ("web.*", "mounted", "bridge.http"),
    "uvicorn": ("web.serving",),
    "h11": ("web.serving",),
    "jinja2": ("web.rendering",),
    "httpx2": ("cli.*",),  # what the SDK speaks HTTP with
}
"""Third-party packages, each with the only modules that may import it."""

IMPURE: Final = {
    *("asyncio", "concurrent", "contextvars", "ctypes", "getpass", "glob", "io", "locale", "logging"),
    *("multiprocessing", "os", "pathlib", "platform", "random", "secrets", "select", "selectors", "shutil"),
    *("signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib.request"),
    *("uuid", "warnings", "zoneinfo"),
}
"""What would let I/O, a clock, the environment, randomness or a log into the core."""

IMPURE_CALLS: Final = {"now", "utcnow", "today", "open", "print", "input"}

REVISION_DATES: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")

FIELD_NAMES: Final = {
    *("requestedSchema", "elicitationId", "inputRequests", "requestState", "inputResponses", "resultType"),
    *("clientCapabilities", "requiredCapabilities", "protocolVersion", "structuredContent", "isError"),
}

PURE: Final = [source for source in sources() if source.top in {"core", "ports"}]


def imported(source: Source) -> Iterator[tuple[str, ast.stmt]]:
    """The dotted names of the modules a file imports, wherever in it; relative ones made absolute."""
    names = {one.name for one in sources()}
    here = ["askfirst", *source.name.split(".")] if source.name else ["askfirst"]
    package = here if source.path.stem == "__init__" else here[:-1]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                inner = f"{module}.{alias.name}".removeprefix("askfirst.")
                yield (f"askfirst.{inner}" if inner in names else module), node


def ours(source: Source) -> Iterator[tuple[str, ast.stmt]]:
    """What a file imports from the package, named below it; "" is the package itself."""
    for name, node in imported(source):
        if name.partition(".")[0] == "askfirst":
            yield name.partition(".")[2], node


def test_every_module_is_in_a_known_room() -> None:
    assert [source.name for source in sources() if source.name and source.top not in MAY_IMPORT] == []


def test_a_module_imports_only_from_rings_further_in() -> None:
    wrong = [
        f"{source.where(node)} imports {name or 'the public face'}"
        for source in sources()
        if source.name  # the public face itself: test_public_names says what it may do
        for name, node in ours(source)
        if name.partition(".")[0] not in MAY_IMPORT[source.top]
    ]
    assert wrong == []


def test_no_store_imports_its_sibling() -> None:
    """A driver may have several files, which begin with its name."""
    wrong = [
        f"{source.where(node)} imports {name}"
        for source in sources()
        if source.top == "stores"
        for name, node in ours(source)
        if name.startswith("stores") and not name.startswith(source.name.partition("_")[0])
    ]
    assert wrong == []


def test_a_third_party_package_is_imported_only_where_it_belongs() -> None:
    wrong = [
        f"{source.where(node)} imports {name}"
        for source in sources()
        for name, node in imported(source)
        if (package := name.partition(".")[0]) not in {*sys.stdlib_module_names, "askfirst"}
        and not any(fnmatch(source.name, pattern) for pattern in MAY_USE.get(package, ()))
    ]
    assert wrong == []


def test_the_core_reads_no_clock_file_environment_or_log() -> None:
    wrong = [
        f"{source.where(node)} imports {name}"
        for source in PURE
        for name, node in imported(source)
        if name in IMPURE or name.partition(".")[0] in IMPURE
    ]
    wrong += [
        f"{source.where(node)} calls {called}"
        for source in PURE
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and (called := _called(node)) in IMPURE_CALLS
    ]
    wrong += [
        f"{source.where(node)} uses sys.{node.attr}"
        for source in PURE
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute)
        and getattr(node.value, "id", "") == "sys"
        and node.attr != "modules"
    ]
    assert wrong == []


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_only_the_table_of_revisions_spells_a_date() -> None:
    wrong = [
        source.where(node)
        for source in sources()
        if source.name != "core.revisions"
        for node in source.literals()
        if any(date in str(node.value) for date in REVISION_DATES)
    ]
    assert wrong == []


def test_only_wire_spells_the_protocols_field_names() -> None:
    wrong = [
        f"{source.where(node)} {node.value}"
        for source in sources()
        if source.name != "wire"
        for node in source.literals()
        if node.value in FIELD_NAMES
    ]
    assert wrong == []


def test_no_type_is_ignored_in_the_core() -> None:
    wrong = [
        f"{source.name}:{token.start[0]}"
        for source in PURE
        for token in tokenize.generate_tokens(StringIO(source.text).readline)
        if token.type == tokenize.COMMENT and "type: ignore" in token.string
    ]
    assert wrong == []


def test_only_the_command_line_catches_everything() -> None:
    """Elsewhere a fault is named; who must clear up after any of them raises it again."""
    wrong = [
        source.where(node)
        for source in sources()
        if source.top != "cli"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and _swallows_all(node)
    ]
    assert wrong == []


def _swallows_all(handler: ast.ExceptHandler) -> bool:
    if isinstance(handler.body[-1], ast.Raise):
        return False
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or getattr(kind, "id", "") in {"Exception", "BaseException"} for kind in kinds)


def test_no_module_is_a_drawer() -> None:
    drawers = {"utils", "util", "common", "shared", "helpers", "misc"}
    assert [source.name for source in sources() if drawers.intersection(source.name.split("."))] == []


def test_no_public_signature_of_the_core_says_any() -> None:
    wrong = [
        f"{source.where(function)} {function.name}"
        for source in PURE
        for function in _public_functions(source.tree)
        for annotation in _annotations(function)
        for node in ast.walk(annotation)
        if "Any" in (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "value", ""))
    ]
    assert wrong == []


def _public_functions(scope: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in scope.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("_") or node.name.endswith("__"):
                yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public_functions(node)


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    rest = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    yield from (one.annotation for one in [*named, *rest] if one.annotation is not None)
    if function.returns is not None:
        yield function.returns


def test_the_rings_are_those_of_the_tree() -> None:
    """A room that was removed leaves no rule behind it that nobody reads."""
    planned = {"bridge", "check", "testing"}
    present = {source.top for source in sources()}
    assert set(MAY_IMPORT) - present <= planned
