"""The store of the desk, for commands that work on it: which file, and what is said when there is none."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from .failure import Failure, cause

if TYPE_CHECKING:
    from askfirst.desk import Desk
    from askfirst.ports import Store

__all__ = ["look_at_desk", "on_desk", "stay_on_desk", "store_option"]

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_OPTION: Final = click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="ASKFIRST_STORE",
    show_envvar=True,
    metavar="FILE",
    help="The file in which questions, answers and the ledger are kept; by default one in your data directory.",
)


def store_option(command: F) -> F:
    """Adds `--store`."""
    return _OPTION(command)


def on_desk(file: Path | None, work: "Callable[[Desk], Awaitable[T]]") -> T:
    """What came of work on the desk of a store that must be there already.

    Raises:
        Failure: There is no such store, or it can't be used.
    """
    from askfirst.stores.sqlite import SqliteStore

    path = SqliteStore(file).path
    if not path.exists():
        raise Failure(f"there is no store at {path}: nothing has been asked there yet (--store)")
    return stay_on_desk(path, work)


def look_at_desk(file: Path | None, work: "Callable[[Desk], Awaitable[T]]") -> T:
    """What came of reading what is on the desk: nothing, where the default store is not there yet.

    Raises:
        Failure: The store that was named is not there, or it can't be used.
    """
    from askfirst.stores.memory import MemoryStore
    from askfirst.stores.sqlite import SqliteStore

    if file is None and not SqliteStore().path.exists():
        return _use(MemoryStore, work)
    return on_desk(file, work)


def stay_on_desk(file: Path | None, work: "Callable[[Desk], Awaitable[T]]") -> T:
    """What came of work on the desk of a store that is made if need be.

    Raises:
        Failure: The store can't be used.
        Interrupted: A signal came.
    """
    from askfirst.stores.sqlite import SqliteStore

    return _use(lambda: SqliteStore(file), work)


def _use(open_store: "Callable[[], Store]", work: "Callable[[Desk], Awaitable[T]]") -> T:
    import anyio

    from askfirst.core.errors import StoreFault
    from askfirst.desk import Desk

    from . import interrupts

    async def use() -> T:
        store = open_store()
        try:
            return await work(Desk(store))
        finally:
            with anyio.CancelScope(shield=True):
                await store.close()

    try:
        return interrupts.run(use)
    except (StoreFault, BaseExceptionGroup) as error:
        if isinstance(fault := cause(error), StoreFault):
            raise Failure(str(fault)) from None
        raise fault from None
