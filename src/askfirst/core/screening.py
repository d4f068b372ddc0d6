"""Does a question ask for a secret?

Form mode must not be used for what grants access or authorises transactions (client/elicitation, "User
Interaction Model"). On the asking side such a form is refused when it is defined; on the answering side the
person is warned. A false alarm costs an author a form and a person their trust in warnings, so a word alone is
not enough: `token_count`, "name of the secret" and "reset the password of bob?" speak about secrets and ask for
none.

This reads words, not minds: it finds honest mistakes and lazy fishing. Who wants to can still ask for "the word
you log in with".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from .fields import Field, Form, NumberField, TextField
from .folding import fold, words_of_name, words_of_prose
from .mentions import Mention, mentions, other_meaning
from .sieve import may_any_mention, may_mention
from .vocabulary import GENERIC, Kind

__all__ = ["Suspicion", "secret_in_message", "secrets_in"]

_NUMERIC: Final = frozenset({Kind.PASSWORD, Kind.PIN, Kind.CARD, Kind.CODE, Kind.IDENTITY})
"""What a number can hold; the rest needs letters."""

_NO_ROOM: Final = frozenset({"email", "date", "date-time"})
"""Formats that are checked and too narrow for a secret."""

_GENERIC: Final = frozenset(fold(GENERIC).split())

_SHORT: Final = 4
"""A clause of so few words is a label and not talk: "Your password, please"."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A reason to think that a secret is asked for.

    `field` is the field's name, or "" for the message; `where` is "name", "title", "description", "format" or
    "message"; `word` is the term of our own list that was met, and `what` the sort of secret, both fit for a
    sentence. No text of the asker is in it but the field's name.
    """

    field: str
    where: str
    word: str
    what: str


def secrets_in(message: str, form: Form) -> tuple[Suspicion, ...]:
    """The suspicions that a question asks for a secret, at most one for each field and one for the message.

    Only a field that could hold the secret counts: text, or a number where the secret is one of digits. Yes or
    no and choices never raise a suspicion, nor does a message without a field to type into.
    """
    holders = [one for one in form.fields if _has_room(one)]
    texts = [message]
    for one in holders:
        texts += filter(None, _texts(one))
    if not may_any_mention(texts):
        return ()
    found = [*map(_in_field, holders), _in_message(message, holders)]
    return tuple(one for one in found if one is not None)


def secret_in_message(message: str, form: Form) -> Suspicion | None:
    """The part of `secrets_in` that is new with each message, for a form whose fields are screened already."""
    return _in_message(message, [one for one in form.fields if _has_room(one)])


def _has_room(one: Field) -> bool:
    return (isinstance(one, TextField) and one.format not in _NO_ROOM) or isinstance(one, NumberField)


def _texts(one: Field) -> tuple[str | None, ...]:
    """Where it could be said what is asked for."""
    return one.name, one.title, one.description, one.format if isinstance(one, TextField) else None


def _in_field(one: Field) -> Suspicion | None:
    if not any(map(may_mention, filter(None, _texts(one)))):
        return None
    format = one.format if isinstance(one, TextField) else None
    name = words_of_name(one.name)
    title, description = words_of_prose(one.title or ""), words_of_prose(one.description or "")
    in_name, in_title = mentions(name), mentions(title)
    spoken_about = {mention.kind for mention in (*in_name, *in_title) if mention.harmless}
    other = other_meaning(Kind.PIN, name + title + description)

    def suspect(mention: Mention) -> bool:
        if mention.harmless or (isinstance(one, NumberField) and mention.kind not in _NUMERIC):
            return False
        return not (other and mention.kind is Kind.PIN)

    def suspect_in_description(mention: Mention) -> bool:
        if mention.common and mention.length > _SHORT:
            return False
        return suspect(mention) and (mention.asked or mention.kind not in spoken_about)

    return (
        _first(one.name, "name", in_name, suspect)
        or _first(one.name, "title", in_title, suspect)
        or _first(one.name, "description", mentions(description), suspect_in_description)
        or _first(one.name, "format", mentions(words_of_name(format or "")), suspect)
    )


def _in_message(message: str, holders: list[Field]) -> Suspicion | None:
    if not holders or not may_mention(message):
        return None
    only_numbers = all(isinstance(one, NumberField) for one in holders)
    generic = any(_is_generic(one) for one in holders)

    def suspect(mention: Mention) -> bool:
        if mention.harmless or (only_numbers and mention.kind not in _NUMERIC):
            return False
        return mention.asked or mention.length <= _SHORT or (generic and not mention.common)

    return _first("", "message", mentions(words_of_prose(message)), suspect)


def _is_generic(one: Field) -> bool:
    """Whether the field's name leaves it to the message what is asked for."""
    return all(word in _GENERIC for word in words_of_name(one.name)[-1])


def _first(
    field: str, where: str, found: Iterable[Mention], suspect: Callable[[Mention], bool]
) -> Suspicion | None:
    for mention in found:
        if suspect(mention):
            return Suspicion(field, where, mention.word, mention.kind.value)
    return None
