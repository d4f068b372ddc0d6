"""The file itself: whose it is, what can be read in it, and what is said when it can't be used."""

import asyncio
import os
import sqlite3
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from askfirst.core.answers import Accepted
from askfirst.core.errors import NotOnDesk, StoreFault
from askfirst.core.fields import Form, TextField
from askfirst.core.ledger import Broken, Entry, Head, verify
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore, default_path
from askfirst.stores.sqlite_file import advice

pytestmark = pytest.mark.anyio

WORD = "hunter2-quite-unlikely"
QUESTION = FormQuestion("The key?", Form((TextField(name="key"),)))
ENTRY = Entry(at=1.0, event="posted", server="records")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "room" / "desk.sqlite3"


def raw(file: Path) -> bytes:
    """Every byte that lies beside the file, its journal and the key included."""
    return b"".join(one.read_bytes() for one in file.parent.iterdir())


def remove(file: Path) -> None:
    """As whoever clears up a folder does."""
    for one in file.parent.iterdir():
        one.unlink()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def put(file: Path, what: bytes) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(what)
    file.chmod(0o644)


def pipe(file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    os.mkfifo(file)
    file.chmod(0o644)


def files(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if one.is_file()]


def database(file: Path, statement: str) -> None:
    """Something that another program did to the file."""
    file.parent.mkdir(exist_ok=True)
    with sqlite3.connect(file) as db:
        db.execute(statement)
    db.close()


async def answered(desk: Desk, *, secret: bool) -> str:
    posting = await desk.post(QUESTION, Origin("records"), limit=60, secret=secret)
    assert (await desk.answer(posting.token, posting.digest, Accepted({"key": WORD}))).accepted
    return posting.token


async def test_the_files_are_their_owners_alone(file: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(file)
        await answered(Desk(store), secret=True)
        modes = {one.name: mode(one) for one in file.parent.iterdir()}
        await store.close()
    finally:
        os.umask(before)
    assert modes == {
        "desk.sqlite3": 0o600,
        "desk.sqlite3-wal": 0o600,
        "desk.sqlite3-shm": 0o600,
        "desk.sqlite3.key": 0o600,
    }
    assert mode(file.parent) == 0o700


async def test_a_file_that_others_could_read_is_closed_to_them(file: Path) -> None:
    put(file, b"")
    store = SqliteStore(file)
    await store.head()
    await store.close()
    assert mode(file) == 0o600


async def test_a_secret_is_nowhere_in_the_files_while_it_waits_nor_after(file: Path) -> None:
    store = SqliteStore(file)
    desk = Desk(store)
    token = await answered(desk, secret=True)
    assert WORD.encode() not in raw(file)
    assert await desk.wait(token) == Accepted({"key": WORD})
    await desk.take(token)
    await store.close()
    assert WORD.encode() not in raw(file)


async def test_an_answer_that_was_taken_is_gone_from_the_file(file: Path) -> None:
    store = SqliteStore(file)
    desk = Desk(store)
    token = await answered(desk, secret=False)
    assert WORD.encode() in raw(file)
    await desk.take(token)
    await store.close()
    assert WORD.encode() not in raw(file)


async def test_without_its_key_a_secret_can_not_be_read(file: Path) -> None:
    store = SqliteStore(file)
    token = await answered(Desk(store), secret=True)
    await store.close()
    file.with_name("desk.sqlite3.key").unlink()
    store = SqliteStore(file)
    with pytest.raises(StoreFault, match="can't be opened with the store's key"):
        await Desk(store).wait(token)
    await store.close()


async def test_a_key_file_that_holds_no_key_is_named(file: Path) -> None:
    store = SqliteStore(file)
    await store.head()
    file.with_name("desk.sqlite3.key").write_bytes(b"short")
    with pytest.raises(StoreFault, match=r"desk\.sqlite3\.key is no key: expected 32 bytes, got 5"):
        await store.key()
    await store.close()


@pytest.mark.parametrize("there", ["fifo", "folder"])
async def test_a_key_that_is_no_file_holds_nobody_up(file: Path, there: str) -> None:
    store = SqliteStore(file)
    await store.head()
    path = file.with_name("desk.sqlite3.key")
    os.mkfifo(path) if there == "fifo" else path.mkdir()
    with pytest.raises(StoreFault, match="is no key: expected 32 bytes, got no file"):
        await store.key()
    await store.close()


async def test_a_key_that_others_could_read_is_closed_to_them(file: Path) -> None:
    store = SqliteStore(file)
    await store.head()
    path = file.with_name("desk.sqlite3.key")
    put(path, b"k" * 32)
    assert await store.key() == b"k" * 32
    assert mode(path) == 0o600
    await store.close()


async def test_the_key_of_somebody_else_is_not_used(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(file)
    await store.head()
    put(file.with_name("desk.sqlite3.key"), b"k" * 32)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(StoreFault, match="belongs to somebody else"):
        await store.key()
    await store.close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_is_deleted_or_replaced_is_left_for_what_is_there_now(
    file: Path, replaced: bool
) -> None:
    ours, theirs = SqliteStore(file), SqliteStore(file)
    desk = Desk(ours)
    gone = await desk.post(QUESTION, Origin("records"), limit=60)
    waiter = asyncio.create_task(desk.wait(gone.token))
    await anyio.wait_all_tasks_blocked()
    remove(file)
    if replaced:
        await Desk(theirs).counts()
    with pytest.raises(NotOnDesk):
        await asyncio.wait_for(waiter, 10)
    posting = await desk.post(QUESTION, Origin("records"), limit=60)
    assert [one.token for one in await Desk(theirs).open()] == [posting.token]
    await ours.close()
    await theirs.close()
    with sqlite3.connect(file) as db:
        ((verdict,),) = db.execute("PRAGMA integrity_check")
    db.close()
    assert verdict == "ok"


async def test_a_ledger_without_its_end_is_named(file: Path) -> None:
    store = SqliteStore(file)
    await store.head()
    database(file, "DELETE FROM head")
    for use in (store.head(), store.append(ENTRY)):
        with pytest.raises(StoreFault, match="end of the ledger is missing"):
            await use
    await store.close()


async def test_a_file_of_a_newer_version_is_left_alone(file: Path) -> None:
    store = SqliteStore(file)
    await store.head()
    await store.close()
    database(file, "PRAGMA user_version = 2")
    with pytest.raises(StoreFault, match=r"written by a newer askfirst .*upgrade askfirst"):
        await SqliteStore(file).head()


async def test_a_database_of_another_program_is_left_alone(file: Path) -> None:
    put(file, b"")
    database(file, "CREATE TABLE cookies (value)")
    before = raw(file)
    with pytest.raises(StoreFault, match="database of another program"):
        await SqliteStore(file).head()
    assert raw(file) == before
    assert mode(file) == 0o644


async def test_a_file_that_is_no_database_is_left_alone(file: Path) -> None:
    put(file, b"Dear diary, " * 100)
    with pytest.raises(StoreFault, match=r"desk\.sqlite3: this file is no store; choose another"):
        await SqliteStore(file).head()
    assert raw(file) == b"Dear diary, " * 100
    assert mode(file) == 0o644


async def test_what_is_no_file_is_left_alone(file: Path) -> None:
    pipe(file)
    with pytest.raises(StoreFault, match=r"desk\.sqlite3 is no file: there can be no store here"):
        await SqliteStore(file).head()
    assert mode(file) == 0o644


async def test_a_file_that_may_only_be_read_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(file, b"")
    # To whoever runs these tests nothing may be forbidden.
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != file)
    with pytest.raises(StoreFault, match="the store may not be opened"):
        await SqliteStore(file).head()


def test_a_folder_that_may_only_be_read_is_named() -> None:
    # As SQLite says it; to whoever runs these tests nothing may be forbidden.
    error = sqlite3.OperationalError("attempt to write a readonly database")
    assert advice(error).startswith("nothing can be written here")


async def test_two_stores_of_one_process_keep_their_file_from_others(file: Path) -> None:
    first, second = SqliteStore(file), SqliteStore(file)
    await first.append(ENTRY)
    await second.append(ENTRY)
    look = (
        "import sys, anyio; from pathlib import Path; from askfirst.stores.sqlite import SqliteStore\n"
        "async def main(store):\n"
        "    print((await store.head()).number)\n"
        "    await store.close()\n"
        "anyio.run(main, SqliteStore(Path(sys.argv[1])))"
    )
    for number in (
        2,
        3,
        4,
    ):  # each who comes and goes would take the journal along if it took itself for the last
        seen = await anyio.run_process([sys.executable, "-c", look, str(file)])
        assert seen.stdout.split() == [str(number).encode()]
        await first.append(ENTRY)
    await first.close()
    await second.close()


async def test_a_store_is_the_same_by_whichever_way_it_is_reached(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = SqliteStore(file)
    await here.head()
    (tmp_path / "link.sqlite3").symlink_to(file)
    linked = SqliteStore(tmp_path / "link.sqlite3")
    monkeypatch.chdir(file.parent)
    near = SqliteStore(Path("desk.sqlite3"))
    monkeypatch.chdir(tmp_path)
    assert await here.claim("call", "here")
    for other in (linked, near):
        assert not await other.claim("call", "other")
        assert await other.key() == await here.key()
        await other.close()
    await here.close()
    assert files(tmp_path) == ["link.sqlite3"]


@pytest.mark.parametrize("place", ["file/desk.sqlite3", "folder"])
async def test_a_place_where_nothing_can_be_kept_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreFault, match="there can be no store here; choose a file"):
        await SqliteStore(tmp_path / place).head()


@pytest.mark.parametrize("damage", [b"CREATE\xc0TABLE ledger", b"CREATE TABLE le\x8cger", b"\xff" * 19])
async def test_a_file_whose_tables_have_become_unreadable_is_named(file: Path, damage: bytes) -> None:
    store = SqliteStore(file)
    await store.head()
    await store.close()
    whole = raw(file)
    assert whole.count(b"CREATE TABLE ledger") == 1
    put(file, whole.replace(b"CREATE TABLE ledger", damage))
    for use in (store.head(), store.muted(), store.append(ENTRY)):
        with pytest.raises(StoreFault, match="file damaged"):
            await use
    await store.close()


@pytest.mark.parametrize("head", ["number = 'x'", "hash = x'00'"])
async def test_a_head_that_is_none_is_named(file: Path, head: str) -> None:
    store = SqliteStore(file)
    await store.append(ENTRY)
    database(file, f"UPDATE head SET {head}")
    with pytest.raises(StoreFault, match="end of the ledger is missing"):
        await store.append(ENTRY)
    await store.close()


async def test_lists_hold_text_whatever_somebody_wrote_into_the_file(file: Path) -> None:
    store = SqliteStore(file)
    await store.append(ENTRY)
    database(file, "UPDATE ledger SET line = x'ff'")
    database(file, "INSERT INTO muted VALUES (x'ff')")
    database(file, "INSERT INTO remembered VALUES (x'ff', x'ff', x'ff', '{}')")
    assert isinstance(verify(await store.ledger(0, 9)), Broken)
    ((scope, key),) = await store.remembered()
    assert {type(one) for one in (*await store.muted(), *scope, key)} == {str}
    await store.close()


async def test_a_store_that_stays_busy_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askfirst.stores.sqlite_file._BUSY", 0.01)
    store = SqliteStore(file)
    await store.head()
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFault, match="another process has kept the store busy"):
            await store.append(ENTRY)
        other.execute("ROLLBACK")
    other.close()
    await store.append(ENTRY)
    await store.close()


async def test_a_new_file_that_others_are_opening_too_is_waited_for(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(file)
    await store.append(ENTRY)
    await store.close()
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA journal_mode = DELETE")  # as between the two steps in which a file is made
    other.execute("BEGIN IMMEDIATE")
    waits: list[float] = []

    def release(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            other.execute("COMMIT")

    monkeypatch.setattr("askfirst.stores.sqlite_file._BUSY", 0.01)
    with pytest.raises(StoreFault, match="another process has kept the store busy"):
        await store.head()
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=release)
    monkeypatch.setattr("askfirst.stores.sqlite_file.time", clock)
    assert (await store.head()).number == 1
    assert len(waits) == 3
    await store.close()
    other.close()


@pytest.mark.parametrize(
    "damage",
    [
        "status = 'gone'",
        "action = 'perhaps'",
        "expires = 'soon'",
        "code = x'00'",
        "content = x'00'",
        "body = x'00'",
    ],
)
async def test_a_row_that_is_none_is_not_there(file: Path, damage: str) -> None:
    store = SqliteStore(file)
    desk = Desk(store)
    token, other = await answered(desk, secret=False), await answered(desk, secret=False)
    await store.close()
    with sqlite3.connect(file) as db:
        db.execute(f"UPDATE postings SET {damage} WHERE token = ?", (token,))
    db.close()
    assert [one.token for one in await desk.closed()] == [other]
    assert await desk.find(token) is None
    with pytest.raises(NotOnDesk):
        await desk.wait(token)
    await store.close()


async def test_a_text_that_is_none_can_not_be_kept(file: Path) -> None:
    store = SqliteStore(file)
    with pytest.raises(StoreFault, match="half a surrogate pair"):
        await store.mute("\ud800", ENTRY)
    assert (await store.head()).number == 0
    await store.close()


async def test_a_call_that_is_cancelled_is_finished_or_never_begun(file: Path) -> None:
    store = SqliteStore(file)
    await store.head()
    calls = [asyncio.ensure_future(store.append(ENTRY)) for _ in range(40)]
    for number, call in enumerate(calls):
        await asyncio.wait([call], timeout=0.001 * (number % 3))
        call.cancel()
    await asyncio.wait(calls)
    done = len([call for call in calls if not call.cancelled()])
    await store.append(ENTRY)
    head = verify(await store.ledger(0, 99))
    assert isinstance(head, Head)
    # What was cancelled may still be under way in its thread.
    assert done < head.number <= len(calls) + 1
    await store.close()


async def test_closing_twice_or_before_any_use_is_fine(file: Path) -> None:
    store = SqliteStore(file)
    await store.close()
    assert list(file.parent.parent.iterdir()) == []
    await store.head()
    await store.close()
    await store.close()


def test_the_default_is_in_the_users_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().name == "desk.sqlite3"
    assert default_path().parent.name == "askfirst"
    assert SqliteStore().path == default_path()
