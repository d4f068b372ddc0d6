"""Names of which one process has each: whose they are as seen from another process, and when they are free again."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from askfirst.core.errors import StoreFault
from askfirst.stores.sqlite import SqliteStore
from askfirst.stores.sqlite_claims import Claims

pytestmark = pytest.mark.anyio

OTHER = """
import sys
from pathlib import Path
from askfirst.stores.sqlite_claims import Claims

claims = Claims(Path(sys.argv[1]))
for line in sys.stdin:
    what, name = line.split()
    if what == "claim":
        print(claims.claim(name, "other"), flush=True)
    else:
        print(claims.release(name, "other"), flush=True)
"""


FORKED = """
import os, sys
from pathlib import Path
from askfirst.stores.sqlite_claims import Claims

assert Claims(Path(sys.argv[1])).claim("call", "run")
if child := os.fork():
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os._exit(int(Claims(Path(sys.argv[1])).claim("call", "run")))
"""


class Other:
    """Another process, which claims what it is told to."""

    def __init__(self, file: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _said(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def claims(self, name: str) -> bool:
        return self._said(f"claim {name}") == "True"

    def releases(self, name: str) -> None:
        self._said(f"release {name}")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "desk.sqlite3.lock"


@pytest.fixture
def other(file: Path) -> Iterator[Other]:
    other = Other(file)
    yield other
    other.kill()


def test_a_name_that_another_process_has_is_free_as_soon_as_that_is_killed(file: Path, other: Other) -> None:
    here = Claims(file)
    assert other.claims("call")
    assert not here.claim("call", "here")
    other.kill()
    assert here.claim("call", "here")


def test_a_name_that_another_process_lets_go_of_is_free(file: Path, other: Other) -> None:
    here = Claims(file)
    assert here.claim("call", "here")
    assert not other.claims("call")
    here.release("call", "here")
    assert other.claims("call")
    other.releases("call")
    assert here.claim("call", "here")


def test_what_one_part_of_a_process_lets_go_of_leaves_the_names_of_the_others(
    file: Path, other: Other, tmp_path: Path
) -> None:
    (tmp_path / "room").symlink_to(tmp_path)
    first, second = Claims(file), Claims(tmp_path / "room" / file.name)
    assert first.claim("a", "first")
    assert second.claim("b", "second")
    assert not second.claim("a", "second")
    second.close()
    assert not other.claims("a")
    assert other.claims("b")
    first.close()
    assert other.claims("a")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_forked_child_has_none_of_its_parents_names(file: Path) -> None:
    assert subprocess.run([sys.executable, "-c", FORKED, str(file)], check=False).returncode == 0


def test_a_name_can_be_let_go_of_when_its_file_was_deleted(file: Path) -> None:
    claims = Claims(file)
    assert claims.claim("a", "one")
    file.unlink()
    assert claims.claim("b", "one")
    claims.close()
    assert claims.claim("a", "two")
    claims.close()


def test_nothing_stays_open_when_no_name_is_held(file: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    claims = Claims(file)
    for number in range(20):
        assert claims.claim(f"{number}", "one")
    claims.close()
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before


async def test_closing_a_store_lets_go_of_its_names(tmp_path: Path) -> None:
    first, second = [SqliteStore(tmp_path / "room" / "desk.sqlite3") for _ in range(2)]
    assert await first.claim("call", "first")
    assert not await second.claim("call", "second")
    await first.close()
    assert await second.claim("call", "second")
    assert (tmp_path / "room" / "desk.sqlite3.lock").stat().st_mode & 0o077 == 0
    await second.close()


async def test_where_no_name_can_be_held_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "desk.sqlite3.lock").mkdir()
    with pytest.raises(StoreFault, match=r"desk\.sqlite3"):
        await SqliteStore(tmp_path / "desk.sqlite3").claim("call", "a")


def test_a_file_of_locks_that_others_could_open_is_closed_to_them(file: Path) -> None:
    file.touch()
    file.chmod(0o666)
    claims = Claims(file)
    assert claims.claim("call", "here")
    assert file.stat().st_mode & 0o777 == 0o600
    claims.close()


def test_a_file_of_locks_that_stays_open_to_others_is_not_used(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_path: Path, _mode: int) -> None:
        raise PermissionError

    file.touch()
    file.chmod(0o666)
    open_before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    monkeypatch.setattr(Path, "chmod", forbidden)
    with pytest.raises(PermissionError):
        Claims(file).claim("call", "here")
    if open_before is not None:
        assert len(os.listdir("/proc/self/fd")) == open_before


def test_what_is_no_file_holds_no_locks_and_is_left_alone(file: Path) -> None:
    os.mkfifo(file)
    file.chmod(0o666)
    with pytest.raises(StoreFault, match="is no file"):
        Claims(file).claim("call", "here")
    assert file.stat().st_mode & 0o777 == 0o666


@pytest.mark.skipif(sys.platform == "win32", reason="locks of another kind")
async def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.lockf", none)
    with pytest.raises(StoreFault, match="its file system has no locks"):
        await SqliteStore(tmp_path / "desk.sqlite3").claim("call", "a")


def test_a_link_holds_no_locks(file: Path, tmp_path: Path) -> None:
    rows = tmp_path / "desk.sqlite3"
    rows.touch()
    file.symlink_to(rows)
    with pytest.raises(OSError, match=r"desk\.sqlite3\.lock"):
        Claims(file).claim("call", "here")
