"""The command itself, run as a person runs it, and small servers for it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from askfirst.cli import main

SERVERS = Path(__file__).parent / "servers"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def asking() -> str:
    """A server of the official SDK that asks, in both eras."""
    return str(SERVERS / "asking.py")


@pytest.fixture(scope="session")
def raw() -> str:
    """A server in nothing but JSON lines: quick, legacy, and able to break the protocol."""
    return str(SERVERS / "raw.py")


def environment(**more: str) -> dict[str, str]:
    """Our environment without what would change the command."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("ASKFIRST_")}
    return {**ours, **more}


@pytest.fixture(scope="session")
def command() -> Callable[..., Outcome]:
    """Runs `python -m askfirst` in a session of its own, where there is no terminal."""

    def run(*arguments: str, **variables: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "askfirst", *arguments],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env=environment(**variables),
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Runs the command in this process, which spares it the start; nobody is there to be asked."""
    for name in list(os.environ):
        if name.startswith("ASKFIRST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASKFIRST_NO_INPUT", "1")

    def run(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        assert "\nTraceback" not in f"\n{err}"  # of ours; a server's is shown indented
        return Outcome(ended.value.code, out, err)

    return run


@pytest.fixture
def web() -> Iterator[str]:
    """An HTTP server that is no MCP server: the path is the status it answers with."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(int(self.path.strip("/")))
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: a test's output is its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
