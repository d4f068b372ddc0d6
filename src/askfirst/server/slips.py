"""Slips of a server's author that Python lets pass and that would end as an answer nobody gave.

A coroutine is true, so ``if ask.confirm("Delete it?"):`` without `await` would delete and ask nobody. And without
`askable`, or with it on the wrong side of the SDK's decorator, `ask` would be an argument for the caller to give.
"""

import json
from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import wraps
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

from askfirst.core.errors import AuthorError, NotAwaited, NoTruthValue
from askfirst.core.journal import JsonValue

__all__ = [
    "PUT_ASKABLE",
    "Guarded",
    "Pending",
    "as_json",
    "check_message",
    "check_options",
    "check_pairs",
    "check_step",
    "pending",
]

PUT_ASKABLE: Final = (
    "put @askable between the SDK's decorator and the function, as in @mcp.tool(), under it @askable, under it "
    "async def"
)

T_co = TypeVar("T_co", covariant=True)
F = TypeVar("F", bound=Callable[..., Coroutine[Any, Any, Any]])


class Pending(Coroutine[Any, Any, T_co], Generic[T_co]):
    """A question that is made and not awaited yet: a coroutine, but neither true nor false, and not its answer.

    It leaves `idle` as soon as anything awaits, runs or ends it.
    """

    __slots__ = ("_idle", "_inner")

    def __init__(self, inner: Coroutine[Any, Any, T_co], idle: "set[Pending[Any]]") -> None:
        self._inner = inner
        self._idle = idle
        idle.add(self)

    def __await__(self) -> Generator[Any, Any, T_co]:
        self._idle.discard(self)
        return self._inner.__await__()

    def send(self, value: Any, /) -> Any:
        """One step, for a task that runs the question."""
        self._idle.discard(self)
        return self._inner.send(value)

    def throw(self, *fault: Any) -> Any:
        """An end from outside, as when that task is cancelled."""
        self._idle.discard(self)
        return self._inner.throw(*fault)

    def close(self) -> None:
        """Drop it."""
        self._idle.discard(self)
        self._inner.close()

    def __bool__(self) -> NoReturn:
        self.close()
        raise NoTruthValue(
            "a question was tested for truth before anybody was asked: write `await` before it, and match on the answer"
        )

    def __getattr__(self, name: str) -> NoReturn:
        # What looks at coroutines looks for these, and for names with underscores; no answer has them.
        if name.startswith(("_", "cr_", "gi_", "ag_")):
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )
        raise _too_early(f"`{name}` of a question", f".{name}")


def _used(*_: object) -> NoReturn:
    raise _too_early("a question")


# Not __iter__, which would make it an Iterable to whoever looks: iteration and `in` come by __getitem__.
for _operator in (
    *("eq", "ne", "lt", "le", "gt", "ge", "getitem", "len", "call", "int", "float"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"),
):
    setattr(Pending, f"__{_operator}__", _used)


def _too_early(what: str, use: str = "") -> NotAwaited:
    return NotAwaited(
        f"{what} was used before anybody was asked: write `await` before the question and then use its answer, as in "
        f"`(await ask(...)){use}`"
    )


def pending(method: F) -> F:
    """Makes what an async method of a `Guarded` object returns a `Pending`."""

    @wraps(method)
    def made(keeper: "Guarded", /, *args: Any, **kwargs: Any) -> Pending[Any]:
        return Pending(method(keeper, *args, **kwargs), keeper.idle)

    return cast(F, made)


class Guarded:
    """Makes questions, and knows those that nobody has awaited."""

    def __init__(self) -> None:
        self.idle: set[Pending[Any]] = set()
        self._unasked: int = 0

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> NoReturn:
        """The SDK reads a tool's arguments with pydantic, and this is never one of them.

        Raises:
            AuthorError: Always.
        """
        raise AuthorError(
            f"a parameter annotated {cls.__name__} is no argument that a caller can give: {PUT_ASKABLE}"
        )

    def close(self) -> None:
        """The body has ended, in whichever way: nothing will wait for what is idle any more."""
        self._unasked = len(self.idle)
        for one in list(self.idle):
            one.close()

    def nothing_unasked(self, name: str) -> None:
        """Check, when the body of `name` has ended with a result, that this stands on answers.

        Raises:
            AuthorError: It made a question and never awaited it.
        """
        if self._unasked:
            raise AuthorError(
                f"{name}: nobody was asked {'one' if self._unasked == 1 else self._unasked} of its questions, because "
                "nothing waited for the answer: write `await` before each question"
            )


def check_message(message: object) -> None:
    """Refuse, before anybody is asked, a message that is no text.

    Raises:
        AuthorError: As does each of these checks.
    """
    if not isinstance(message, str):
        raise AuthorError(f"the message of a question is text, got {type(message).__name__}")


def check_options(options: object) -> None:
    """Refuse options that would be found to mean nothing when the person has chosen."""
    if not isinstance(options, Mapping) or not all(isinstance(shown, str) for shown in options):
        raise AuthorError(
            'a choice is among what is shown, as text, mapped to what is meant: {"Red": red, "Green": green}; for '
            "words alone ask for a Literal of them"
        )


def check_pairs(questions: Mapping[str, object]) -> None:
    """Refuse what is no message with a schema."""
    for name, pair in questions.items():
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise AuthorError(f"ask.together takes {name}=(message, schema), got {type(pair).__name__}")


def check_step(key: object, step: object) -> None:
    """Refuse a step that could not be found again, or that has begun already."""
    if not isinstance(key, str):
        raise AuthorError(f"ask.once takes a text to name its step, got {type(key).__name__}")
    if not callable(step):
        raise AuthorError(
            f"ask.once({key!r}, ...) takes a function and calls it itself, got {type(step).__name__}; write `lambda:` "
            "before the call"
        )


def as_json(key: str, result: JsonValue) -> JsonValue:
    """The result of a step as every later run will have it, which is to be no other than it is."""
    try:
        plain: JsonValue = json.loads(json.dumps(result, allow_nan=False))
        if plain == result:
            return plain
    except (TypeError, ValueError, RecursionError):
        pass  # told below, without the value that those may hold
    raise AuthorError(
        f"ask.once({key!r}, ...): the step has run, and its result can't be kept for later runs: expected plain JSON "
        f"(text keys, lists, no tuples), got {type(result).__name__}"
    )
