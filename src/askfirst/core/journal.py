"""The answers already given in one call, and how a body that runs again is given them.

A recorded answer belongs to the very question it was given to: entries are found by the question's digest, and the
n-th time a body asks the same question it gets the n-th entry. A question that changed finds nothing and is asked.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from .answers import ACTIONS, Action

__all__ = ["Entry", "Journal", "JsonValue", "Replay"]

JsonValue: TypeAlias = str | int | float | bool | list["JsonValue"] | dict[str, "JsonValue"] | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What came back for one question, as it came and not checked; `content` stays out of the repr."""

    digest: str
    action: Action
    content: JsonValue = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Journal:
    """Everything recorded in one call: answers in the order they were given, steps by their key."""

    entries: tuple[Entry, ...] = ()
    steps: tuple[tuple[str, JsonValue], ...] = field(default=(), repr=False)

    def with_entry(self, entry: Entry) -> "Journal":
        """This journal and one more answer."""
        return Journal((*self.entries, entry), self.steps)

    def with_step(self, key: str, result: JsonValue) -> "Journal":
        """This journal and the result of one more step that must happen once."""
        return Journal(self.entries, (*self.steps, (key, result)))

    def to_json(self) -> JsonValue:
        """Plain JSON, for a sealed `requestState`. It holds answers: never log it."""
        entries: list[JsonValue] = [[one.digest, one.action, one.content] for one in self.entries]
        steps: list[JsonValue] = [[key, result] for key, result in self.steps]
        return {"entries": entries, "steps": steps}

    @classmethod
    def from_json(cls, data: JsonValue) -> "Journal":
        """The inverse of `to_json`.

        Raises:
            ValueError: The data is not a journal.
        """
        match data:
            case {"entries": [*entries], "steps": [*steps]}:
                return cls(tuple(map(_entry, entries)), tuple(map(_step, steps)))
            case _:
                raise ValueError("expected a journal with entries and steps, got something else")


def _entry(data: JsonValue) -> Entry:
    match data:
        case [str(digest), str(action), content] if action in ACTIONS:
            return Entry(digest, ACTIONS[action], content)
        case _:
            raise ValueError("expected a journal entry of digest, action and content, got something else")


def _step(data: JsonValue) -> tuple[str, JsonValue]:
    match data:
        case [str(key), result]:
            return key, result
        case _:
            raise ValueError("expected a journal step of key and result, got something else")


class Replay:
    """One run of a body over a journal: hands out what is recorded, in the order in which it is asked for."""

    def __init__(self, journal: Journal) -> None:
        self.journal: Journal = journal
        self._waiting: dict[str, list[Entry]] = {}
        for entry in reversed(journal.entries):
            self._waiting.setdefault(entry.digest, []).append(entry)

    def take(self, digest: str) -> Entry | None:
        """The next recorded answer to exactly this question, or None: then it has to be asked."""
        waiting = self._waiting.get(digest)
        return waiting.pop() if waiting else None

    def step(self, key: str) -> tuple[JsonValue] | None:
        """The recorded result of a step (in a tuple, for it may be None), or None where it has not happened yet."""
        for known, result in self.journal.steps:
            if known == key:
                return (result,)
        return None

    def record_step(self, key: str, result: JsonValue) -> None:
        """Remember that a step happened."""
        self.journal = self.journal.with_step(key, result)
