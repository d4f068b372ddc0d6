"""What every test shares: one event loop, and a bound on every wait."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
