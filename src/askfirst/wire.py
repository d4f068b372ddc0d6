"""Plain protocol dicts to core values and back: the only file that spells the protocol's field names.

The requests are those of client/elicitation in the three revisions; reading is lenient, writing strict.
"""

from collections.abc import Callable, Mapping
from typing import Final

from .core.answers import ACTIONS, Accepted, Answer, Content, Reply
from .core.errors import NobodyAsked, UnknownAction, UnreadableAnswer, UnreadableQuestion
from .core.questions import FormQuestion, Question, UrlQuestion
from .core.revisions import Mode, Revision
from .core.schema import read_schema

__all__ = [
    "asks_a_person",
    "complete_request",
    "complete_result",
    "declare_modes",
    "form_params",
    "is_modern_request",
    "question_request",
    "read_modes",
    "read_question",
    "read_reply",
    "required_modes",
    "unasked_question",
    "url_params",
    "write_answer",
]

_CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"

_ELICIT: Final = "elicitation/create"
_ELSEWHERE: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
"""Where one of these is, the fields of a schema may stand in another place."""

_MOST_TOLD: Final = 1000
"""Characters of the message of a question that nobody was asked, for whoever hears of that."""

_LONGEST_MESSAGE: Final = 100_000
_LONGEST_URL: Final = 10_000
"""In characters. Longer ones are no question to a person, and take a terminal down."""


def read_modes(capabilities: object) -> frozenset[Mode]:
    """The modes a client declared, from its capabilities object.

    An empty `elicitation` object means form only; `url` alone means no form; unknown keys are ignored; anything
    that is not an object counts as absent (client/elicitation, "Capabilities").
    """
    declared = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    if not isinstance(declared, Mapping):
        return frozenset()
    modes = {mode for mode in Mode if isinstance(declared.get(mode.value), Mapping)}
    if not any(mode.value in declared for mode in Mode):
        modes.add(Mode.FORM)
    return frozenset(modes)


def declare_modes(params: Mapping[str, object], modes: frozenset[Mode]) -> dict[str, object]:
    """A client's request parameters, with exactly these modes declared wherever they declare capabilities.

    That is in `initialize` (legacy), and in the `_meta` of each request (modern). Without any mode the capability is
    absent. Parameters that declare no elicitation stay as they are.
    """
    declared = dict(params)
    if isinstance(capabilities := declared.get("capabilities"), Mapping):
        declared["capabilities"] = _with_modes(capabilities, modes)
    if isinstance(meta := declared.get("_meta"), Mapping) and isinstance(
        capabilities := meta.get(_CLIENT_CAPABILITIES), Mapping
    ):
        declared["_meta"] = {**meta, _CLIENT_CAPABILITIES: _with_modes(capabilities, modes)}
    return declared


def _with_modes(capabilities: Mapping[str, object], modes: frozenset[Mode]) -> dict[str, object]:
    others = {key: value for key, value in capabilities.items() if key != "elicitation"}
    if "elicitation" not in capabilities or not modes:
        return others
    return {**others, "elicitation": {mode.value: {} for mode in Mode if mode in modes}}


def is_modern_request(params: Mapping[str, object]) -> bool:
    """Whether a client's request is one of a modern revision: it declares capabilities of its own, in `_meta`."""
    meta = params.get("_meta")
    return isinstance(meta, Mapping) and _CLIENT_CAPABILITIES in meta


def required_modes(modes: frozenset[Mode]) -> dict[str, object]:
    """Which modes a client would have to declare: data of the modern `MissingRequiredClientCapabilityError`."""
    return {"requiredCapabilities": {"elicitation": {mode.value: {} for mode in Mode if mode in modes}}}


def complete_result(
    result: Mapping[str, object], each: Callable[[Mapping[str, object]], Mapping[str, object]]
) -> dict[str, object]:
    """A modern server's result, with what it means when it does not say so: complete (basic, "Result").

    Args:
        result: As it came.
        each: What becomes of each request in it.
    """
    completed: dict[str, object] = dict(result)
    if completed.get("resultType") is None:
        completed["resultType"] = "complete"
    if isinstance(requests := completed.get("inputRequests"), Mapping):
        completed["inputRequests"] = {
            key: each(one) if isinstance(one, Mapping) else one for key, one in requests.items()
        }
    return completed


def asks_a_person(request: Mapping[str, object]) -> bool:
    """Whether a server's request is a question to a person."""
    return request.get("method") == _ELICIT


def question_request(message: str) -> dict[str, object]:
    """A request that any reader takes: a form without fields."""
    params = {"message": message, "requestedSchema": {"type": "object", "properties": {}}}
    return {"method": _ELICIT, "params": params}


def complete_request(request: Mapping[str, object]) -> dict[str, object]:
    """A server's request; a form question whose schema is missing, or lacks its frame, gets what it means.

    That is an object, and no fields: its asker wants a yes or a no. A strict reader would refuse it. Null, which
    many programs write for what they leave out, is as good as left out.
    """
    params = request.get("params")
    if not asks_a_person(request) or not isinstance(params, Mapping):
        return dict(request)
    params = {key: value for key, value in params.items() if value is not None}
    schema = params.get("requestedSchema", {})
    if (
        params.get("mode", "form") == "form"
        and isinstance(schema, Mapping)
        and not schema.keys() & _ELSEWHERE
    ):
        frame = {key: value for key, value in schema.items() if value is not None}
        params["requestedSchema"] = {"type": "object", "properties": {}, **frame}
    return {**request, "params": params}


def form_params(message: str, schema: dict[str, object], revision: Revision) -> dict[str, object]:
    """Parameters of a form question whose schema is already written in the revision's dialect."""
    params: dict[str, object] = {"message": message, "requestedSchema": schema}
    if Mode.URL in revision.modes:  # the oldest revision has no `mode`
        params["mode"] = "form"
    return params


def url_params(message: str, url: str, elicitation_id: str | None, revision: Revision) -> dict[str, object]:
    """Parameters of a url question; the id is written only where the revision has one."""
    params: dict[str, object] = {"mode": "url", "message": message, "url": url}
    if revision.elicitation_ids and elicitation_id is not None:
        params["elicitationId"] = elicitation_id
    return params


def read_question(params: Mapping[str, object]) -> Question:
    """The question in `elicitation/create` parameters. No `mode` means form, no schema no fields; null is none.

    Raises:
        UnreadableQuestion: No message, an unknown mode, a url question without an address, or more text than a
            person could read.
        UnreadableSchema: The schema can't be a form.
    """
    message = params.get("message")
    if not isinstance(message, str):
        raise UnreadableQuestion("expected a message that says why the answer is needed, got none")
    if len(message) > _LONGEST_MESSAGE:
        raise UnreadableQuestion(
            f"expected a message of at most {_LONGEST_MESSAGE} characters, got a longer one"
        )
    mode = params.get("mode")
    if mode is None or mode == "form":
        return FormQuestion(message, read_schema(params.get("requestedSchema")))
    if mode != "url":
        raise UnreadableQuestion("expected mode form or url, got another one")
    url, elicitation_id = params.get("url"), params.get("elicitationId")
    if not isinstance(url, str):
        raise UnreadableQuestion("expected an address in a url question, got none")
    if len(url) > _LONGEST_URL:
        raise UnreadableQuestion(
            f"expected an address of at most {_LONGEST_URL} characters, got a longer one"
        )
    return UrlQuestion(message, url, elicitation_id if isinstance(elicitation_id, str) else None)


def unasked_question(params: object, reason: str) -> NobodyAsked:
    """What there is to say of a question that can't be put to anybody: its message and mode, as far as it has them."""
    told = params if isinstance(params, Mapping) else {}
    message, mode = told.get("message"), told.get("mode", Mode.FORM.value)
    return NobodyAsked(
        reason,
        message=message[:_MOST_TOLD] if isinstance(message, str) else "",
        mode=mode if isinstance(mode, str) and mode in {*Mode} else "",
    )


def read_reply(result: object) -> Reply:
    """What a client answered. Content with decline or cancel is dropped: it means nothing.

    Raises:
        UnreadableAnswer: Not an object.
        UnknownAction: An action that is not one of the three words; never taken for consent.
    """
    if not isinstance(result, Mapping):
        raise UnreadableAnswer("expected an answer with an action, got something else")
    try:
        action = ACTIONS[result.get("action")]
    except (KeyError, TypeError):
        raise UnknownAction("expected the action accept, decline or cancel, got another one") from None
    return Reply(action, result.get("content") if action == "accept" else None)


def write_answer(answer: Answer[Content], mode: Mode) -> dict[str, object]:
    """An answer as the client's result object. Only an accepted form carries content."""
    if isinstance(answer, Accepted) and mode is Mode.FORM:
        return {"action": answer.action, "content": dict(answer.data)}
    return {"action": answer.action}
