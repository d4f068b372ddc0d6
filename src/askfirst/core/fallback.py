"""What a caller is told when no person could be asked, or the person ended the call.

One sentence structure for all: what was asked, what happened, what was not done, what would help. The same facts are
given as data. Nothing here is ever worded as a person's "no" unless a person said it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from .fields import Choice, ChoiceField, ChoicesField, Field
from .journal import JsonValue
from .reach import A_DESK

__all__ = [
    "Ending",
    "Waiting",
    "ended",
    "is_refusal",
    "is_waiting_notice",
    "lost",
    "missing_arguments",
    "read_missing",
    "read_waiting",
    "refused",
    "waiting",
    "waiting_notice",
]

_HELP: Final = f"a client that puts the question to its user, or {A_DESK}"
_REFUSED: Final = "nobody_asked"
_WAITING: Final = "waiting"
_MISSING: Final = "arguments_missing"
_LISTS: Final = {_WAITING: "waiting", _MISSING: "missing"}
"""By outcome, where the data lists what it is about."""

_NOTICE: Final = "waiting for the user: "


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a call that has no result of its own: words for a model, the same facts as data.

    `is_error`: whether it counts as an error result.
    """

    text: str
    facts: Mapping[str, JsonValue]
    is_error: bool


class Waiting(NamedTuple):
    """One question that waits: its message, where it can be answered ("" where that is not told), its code."""

    message: str
    address: str
    code: str


def refused(message: str, reason: str, cure: str = "") -> Ending:
    """REFUSE: a question stood in the way and nobody could be asked.

    Args:
        message: The question's message, or "".
        reason: Why nobody was asked, as a sentence.
        cure: What would help, as the end of one, or "".
    """
    cure = cure or _HELP
    asked = f"The question was: {message!r}. " if message else ""
    text = (
        f"This needs an answer from a person, and nobody was asked: {reason}. "
        f"{asked}It can't be answered by you or by an argument. "
        f"Nothing was done that depends on it. What would help: {cure}."
    )
    facts: dict[str, JsonValue] = {
        "outcome": _REFUSED,
        "question": message,
        "reason": reason,
        "needs": cure,
    }
    return Ending(text, facts, is_error=True)


def missing_arguments(
    tool: str, fields: Sequence[Field], described: Mapping[str, str], reason: str, *, none: str = "null"
) -> Ending:
    """TEXT: arguments are missing that the caller may bring once it has asked the person.

    Args:
        tool: The name of the tool.
        fields: What is missing; a field's title is the question to ask.
        described: By field name, what may be given, in a person's words.
        reason: Why the person was not asked from here.
        none: How the caller says that the person gives no answer, where none is needed.
    """
    lines = [
        f"{tool} needs {_count(len(fields))} that only the user can give; nothing was done yet ({reason})."
    ]
    missing: list[JsonValue] = []
    for one in fields:
        asked = one.title or one.name
        fact: dict[str, JsonValue] = {
            "argument": one.name,
            "question": asked,
            "expected": described[one.name],
        }
        expected = described[one.name]
        if isinstance(one, ChoiceField | ChoicesField):
            fact["allowed"] = [choice.value for choice in one.choices]
            expected = f"{expected}: {', '.join(map(_named, one.choices))}"
        if not one.required:  # a default is not told: it would be taken for what the user said
            fact["optional"] = True
            expected = f"{expected}; {none} if the user has no answer to it"
        missing.append(fact)
        lines.append(f"- {one.name}: {asked} ({expected})")
    lines.append(
        f"Ask the user, do not guess, and call {tool} again with the same arguments and these added."
    )
    facts: dict[str, JsonValue] = {
        "outcome": _MISSING,
        "tool": tool,
        "missing": missing,
        "reason": reason,
    }
    return Ending("\n".join(lines), facts, is_error=False)


def waiting(tool: str, questions: Sequence[Waiting]) -> Ending:
    """DESK: the call's time is nearly over and a person has not answered yet.

    Args:
        tool: The name of the tool.
        questions: What is waited for.
    """
    lines = [f"{tool} waits for the user's answer; nothing was done that depends on it."]
    waits: list[JsonValue] = []
    for message, address, code in questions:
        where = f"at {address} (code {code})" if address else f"on a page of the user's own (code {code})"
        lines.append(f"- {message!r}: {where}")
        waits.append({"question": message, "url": address, "code": code})
    lines.append(
        f"Show the user where to answer, and call {tool} again with the same arguments to go on. "
        "Only the user may answer; do not open the page or answer there yourself."
    )
    return Ending("\n".join(lines), {"outcome": _WAITING, "tool": tool, "waiting": waits}, is_error=False)


def is_refusal(facts: object) -> bool:
    """Whether the data of a result is that of `refused`."""
    return isinstance(facts, Mapping) and facts.get("outcome") == _REFUSED


def read_waiting(facts: object, tool: str) -> tuple[Waiting, ...]:
    """What a call of `tool` waits for, where the data of its result is that of `waiting`; else nothing.

    The same call, made again, goes on. Data of any other shape is some server's own, whose tool may do its work
    twice when it is called twice.
    """
    found = _items(facts, _WAITING, tool, {"question", "url", "code"})
    return tuple(Waiting(one["question"], one["url"], one["code"]) for one in found)


def read_missing(facts: object, tool: str) -> tuple[str, ...]:
    """The arguments that a call of `tool` lacks, where the data of its result is that of `missing_arguments`."""
    return tuple(
        one["argument"] for one in _items(facts, _MISSING, tool, {"argument", "question", "expected"})
    )


def waiting_notice(questions: Iterable[Waiting]) -> str:
    """What a progress notice says of the questions that wait."""
    places = [f"{one.address} (code {one.code})" if one.address else f"code {one.code}" for one in questions]
    return f"{_NOTICE}{', '.join(places)}"


def is_waiting_notice(text: str | None) -> bool:
    """Whether a progress notice is that of `waiting_notice`."""
    return text is not None and text.startswith(_NOTICE)


def lost(tool: str) -> Ending:
    """PAUSE: the process that waited is gone, and with it the call that an answer on the desk was for."""
    text = (
        f"An earlier call of {tool} with these arguments waited for the user, and the server stopped meanwhile. "
        "The user's answer was not used, and nothing was done with it. Call again to start over and ask again."
    )
    return Ending(text, {"outcome": "lost", "tool": tool}, is_error=True)


def ended(action: str, message: str, *, expired: bool = False) -> Ending:
    """A person declined or dismissed what the call can't go on without."""
    if action == "decline":
        what, outcome = "The user declined to answer", "declined"
    elif expired:
        what, outcome = "The question was not answered in time", "expired"
    else:
        what, outcome = "The user dismissed the question without answering", "cancelled"
    facts: dict[str, JsonValue] = {"outcome": outcome, "question": message}
    return Ending(f"{what} ({message!r}). Nothing was done.", facts, is_error=True)


def _items(facts: object, outcome: str, tool: str, names: set[str]) -> list[dict[str, str]]:
    """The objects that such an outcome lists, with the texts of these names; none where it is not quite that."""
    if not isinstance(facts, Mapping) or (facts.get("outcome"), facts.get("tool")) != (outcome, tool):
        return []
    listed = facts.get(_LISTS[outcome])
    if not isinstance(listed, list):
        return []
    found = [
        {name: text for name, text in one.items() if name in names and isinstance(text, str)}
        for one in listed
        if isinstance(one, dict)
    ]
    return found if len(found) == len(listed) and all(len(one) == len(names) for one in found) else []


def _named(choice: Choice) -> str:
    return choice.value if choice.title in (None, choice.value) else f"{choice.value} ({choice.title})"


def _count(number: int) -> str:
    return "one answer" if number == 1 else f"{number} answers"
