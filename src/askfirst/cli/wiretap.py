"""A transport that also writes down, in short form, what passes over it."""

from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Final, TypeAlias

from mcp.client import Transport
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    Result,
)

from askfirst.core.hygiene import plain, shorten
from askfirst.wire import read_question

__all__ = ["Wiretap"]

_Stream: TypeAlias = Any
"""The SDK keeps the names of its stream protocols to itself."""

_TO_SERVER: Final = "client -> server"
_TO_CLIENT: Final = "client <- server"
_LONGEST: Final = 66
"""Characters of one text that are shown."""


class Wiretap:
    """The transport, and in `lines` a short form of each message on it, in the order they passed."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.lines: list[str] = []

    async def __aenter__(self) -> tuple[_Stream, _Stream]:
        reading, writing = await self._transport.__aenter__()
        return _Tapped(reading, self._hear(_TO_CLIENT)), _Tapped(writing, self._hear(_TO_SERVER))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._transport.__aexit__(kind, error, trace)

    def _hear(self, way: str) -> Callable[[Any], None]:
        def hear(item: Any) -> None:
            self.lines.append(f"{way}  {_short(getattr(item, 'message', item))}")

        return hear


class _Tapped:
    """One of the two streams; it is read by iterating over it, or written by `send`."""

    def __init__(self, stream: _Stream, hear: Callable[[Any], None]) -> None:
        self._stream = stream
        self._hear = hear

    async def send(self, item: Any, /) -> None:
        self._hear(item)
        await self._stream.send(item)

    def __aiter__(self) -> "_Tapped":
        return self

    async def __anext__(self) -> Any:
        item = await self._stream.__anext__()
        self._hear(item)
        return item

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> "_Tapped":
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        closed: bool | None = await self._stream.__aexit__(kind, error, trace)
        return closed


def _short(message: object) -> str:
    match message:
        case JSONRPCRequest(id=number, method="tools/call", params=params):
            return f"request {number}: tools/call {_call(params or {})}"
        case JSONRPCRequest(id=number, method="elicitation/create", params=params):
            return f"request {number}: elicitation/create {_asked(params or {})}"
        case JSONRPCRequest(id=number, method=method):
            return f"request {number}: {_cut(method)}"
        case JSONRPCNotification(method=method):
            return f"notification: {_cut(method)}"
        case JSONRPCResponse(id=number, result=result):
            return f"response to {number}: {_result(result)}"
        case JSONRPCError(id=number, error=error):
            return f"error for {number}: {_cut(error.message)}"
        case _:
            return "no message of the protocol"


def _call(params: Mapping[str, object]) -> str:
    read = CallToolRequestParams.model_validate(params)
    return " ".join((read.name, *_retried(read.input_responses, read.request_state)))


def _retried(responses: InputResponses | None, state: str | None) -> Iterator[str]:
    """What a call that is made again carries, and the first one does not."""
    for key, response in (responses or {}).items():
        yield f"+ inputResponses {key}: {_answer(response) if isinstance(response, ElicitResult) else '?'}"
    if state is not None:
        yield "+ the requestState"


def _asked(params: Mapping[str, object]) -> str:
    return f'"{_cut(read_question(params).message)}"'


def _result(result: Mapping[str, object]) -> str:
    for model, describe in _RESULTS.items():
        try:
            return describe(model.model_validate(result))
        except ValueError:  # it is none of these
            continue
    return "a result"


def _answer(answer: ElicitResult) -> str:
    """Without values: they are the person's."""
    return answer.action + (f" with {', '.join(answer.content)}" if answer.content else "")


def _input_required(result: InputRequiredResult) -> str:
    asked = [
        f"{key}: {request.method} {_asked(request.params.model_dump(by_alias=True))}"
        for key, request in (result.input_requests or {}).items()
        if request.params is not None
    ]
    return f"{result.result_type}, {'; '.join(asked)} + a requestState"


def _called(result: CallToolResult) -> str:
    text = " ".join(block.text for block in result.content if block.type == "text")
    return f'{"an error result" if result.is_error else "the result"} "{_cut(text)}"'


_RESULTS: Final[Mapping[type[Result], Callable[[Any], str]]] = {
    InputRequiredResult: _input_required,
    ElicitResult: _answer,
    CallToolResult: _called,
}


def _cut(text: str) -> str:
    kept, left_out = shorten(plain(text, keep_newlines=False), _LONGEST)
    return f"{kept} ..." if left_out else kept
