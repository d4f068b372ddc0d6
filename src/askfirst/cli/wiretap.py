"""What passes over a transport, written down in short form."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from mcp.client import Transport
from mcp.shared.message import SessionMessage
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

from askfirst.client.passing import Received, passing
from askfirst.core.hygiene import plain, shorten
from askfirst.wire import read_question

__all__ = ["Wiretap"]

_LONGEST: Final = 66
"""Characters of one text that are shown."""


class Wiretap:
    """Writes down, in `lines`, a short form of each message on a transport, in the order they passed."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on(self, transport: Transport) -> Transport:
        """The transport, listened to."""
        return passing(transport, received=self._received, sent=self._sent)

    def _received(self, item: Received) -> Received:
        message = None if isinstance(item, Exception) else item.message
        self.lines.append(f"client <- server  {_short(message)}")
        return item

    def _sent(self, item: SessionMessage) -> SessionMessage:
        self.lines.append(f"client -> server  {_short(item.message)}")
        return item


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
