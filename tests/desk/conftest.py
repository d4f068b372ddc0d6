"""A desk over each store, with a clock that goes only when told to."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from askfirst.desk import Desk
from askfirst.ports import Store
from askfirst.stores.memory import MemoryStore
from askfirst.stores.sqlite import SqliteStore


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "desk.sqlite3")
    yield store
    await store.close()


@pytest.fixture
def desk(store: Store, clock: Clock) -> Desk:
    return Desk(store, clock=clock)
