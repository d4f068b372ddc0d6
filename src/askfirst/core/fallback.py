"""What a caller is told when no person could be asked, or the person ended the call.

One sentence structure for all: what was asked, what happened, what was not done, what would help. The same facts are
given as data. Nothing here is ever worded as a person's "no" unless a person said it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .fields import Choice, ChoiceField, ChoicesField, Field
from .journal import JsonValue

__all__ = ["Ending", "ended", "is_waiting", "lost", "missing_arguments", "refused", "waiting"]

_HELP: Final = "a client that puts the question to its user, or a server with a desk of its own"
_WAITING: Final = "waiting"


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a call that has no result of its own: words for a model, the same facts as data.

    `is_error`: whether it counts as an error result.
    """

    text: str
    facts: Mapping[str, JsonValue]
    is_error: bool


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
        "outcome": "nobody_asked",
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
        "outcome": "arguments_missing",
        "tool": tool,
        "missing": missing,
        "reason": reason,
    }
    return Ending("\n".join(lines), facts, is_error=False)


def waiting(tool: str, questions: Sequence[tuple[str, str, str]]) -> Ending:
    """DESK: the call's time is nearly over and a person has not answered yet.

    Args:
        tool: The name of the tool.
        questions: Of each question its message, where it can be answered ("" if that is not to be told), its code.
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


def is_waiting(facts: Mapping[str, object] | None) -> bool:
    """Whether data that came with a result is that of `waiting`: the same call, made again, goes on."""
    return facts is not None and facts.get("outcome") == _WAITING


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


def _named(choice: Choice) -> str:
    return choice.value if choice.title in (None, choice.value) else f"{choice.value} ({choice.title})"


def _count(number: int) -> str:
    return "one answer" if number == 1 else f"{number} answers"
