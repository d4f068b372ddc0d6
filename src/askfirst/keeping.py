"""What a desk keeps beside its questions: results of steps of calls that are not over. And how content is read."""

import json
from collections.abc import Callable
from contextlib import suppress

from askfirst.core.answers import Content
from askfirst.core.errors import StoreFault
from askfirst.core.journal import JsonValue
from askfirst.ports import Store

__all__ = ["CallSteps", "content_of"]


class CallSteps:
    """Results of steps that must happen once in a call, so that another process can go on with it.

    They are kept until the call is over. Of a call that nobody goes on with they are erased with its last question,
    or where it has none, a desk's `retention` after the step.
    """

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def keep(self, call: str, key: str, result: JsonValue) -> None:
        """Keep the result of a step."""
        await self._store.keep_step(call, key, json.dumps(result), self._clock())

    async def find(self, call: str, key: str) -> tuple[JsonValue] | None:
        """The kept result of a step, in a tuple for it may be None; None where there is none."""
        kept = await self._store.step(call, key)
        if kept is None:
            return None
        with suppress(ValueError, RecursionError):
            return (json.loads(kept),)
        raise StoreFault("the result of a step in the store is damaged: whether it happened can't be told")

    async def forget(self, call: str) -> None:
        """The call is over."""
        await self._store.forget_steps(call)


def content_of(kept: str) -> Content:
    """Content that a store has kept as JSON.

    Raises:
        StoreFault: It is none.
    """
    with suppress(ValueError, RecursionError):
        if isinstance(content := json.loads(kept), dict):
            return content
    raise StoreFault("an answer in the store is damaged: ask for it again")
