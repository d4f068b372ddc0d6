"""Questions of a shape that the official SDK's client refuses unread: its user never hears that they were asked.

In the place of such a question a stand-in goes on, which the SDK takes, and whose answer is an error that says what is
wrong with the question. On a legacy connection the server gets that error; on a modern one the call ends with it.
"""

import secrets
from collections.abc import Mapping

from mcp_types import ElicitRequest, ElicitRequestParams
from mcp_types.methods import parse_server_request
from mcp_types.version import LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from askfirst.core.errors import NobodyAsked, UnreadableQuestion
from askfirst.wire import asks_a_person, question_request, read_question, unasked_question

__all__ = ["Misshapen"]


class Misshapen:
    """The questions of one connection that were set aside."""

    def __init__(self) -> None:
        self._aside: dict[str, NobodyAsked] = {}

    def passed(self, request: Mapping[str, object], *, embedded: bool) -> Mapping[str, object]:
        """The request, or what stands in for it.

        Args:
            request: From a server, with its defaults written out.
            embedded: Whether it stood in a result (modern), and was not sent by itself (legacy).
        """
        params = request.get("params")
        if not asks_a_person(request) or (wrong := _wrong(request, params, embedded=embedded)) is None:
            return request
        name = secrets.token_hex()  # unguessable: no server may put words of ours into an error
        self._aside[name] = unasked_question(params, wrong)
        return question_request(name)

    def fault(self, params: ElicitRequestParams) -> NobodyAsked | None:
        """What is wrong with the question that these parameters stand in for; None where they are its own."""
        return self._aside.pop(params.message, None)


def _wrong(request: Mapping[str, object], params: object, *, embedded: bool) -> str | None:
    try:
        read_question(_mapping(params))
        if embedded:
            ElicitRequest.model_validate(request, by_name=False)
        else:
            parse_server_request(str(request["method"]), LATEST_HANDSHAKE_VERSION, _mapping(params))
    except UnreadableQuestion as fault:
        return str(fault)
    except ValidationError as fault:
        return f"expected a question as the protocol has it, got one with {_parts(fault)} wrong or missing"
    return None


def _mapping(params: object) -> Mapping[str, object]:
    return params if isinstance(params, Mapping) else {}


def _parts(fault: ValidationError) -> str:
    """Which parts of the question are at fault, for the kind of question that it comes closest to."""
    by_kind: dict[tuple[int | str, ...], list[str]] = {}
    for error in fault.errors(include_input=False, include_url=False):
        by_kind.setdefault(error["loc"][:2], []).append(str(error["loc"][-1]))
    closest = min(by_kind.values(), key=len)
    return ", ".join(closest)
