"""A question as JSON for a store, and back, with nothing lost.

The wire's schema can't serve for this: no revision carries a pattern, a format of another name or a closed form, and
an answer is checked against all of them.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, TypeAlias, assert_never

from .fields import Choice, ChoiceField, ChoicesField, Field, FlagField, Form, NumberField, TextField
from .journal import JsonValue
from .questions import FormQuestion, Question, UrlQuestion

__all__ = ["pack", "unpack"]

_Kind: TypeAlias = type[TextField | NumberField | FlagField | ChoiceField | ChoicesField]

_KINDS: Final[Mapping[str, _Kind]] = {
    "text": TextField,
    "number": NumberField,
    "flag": FlagField,
    "choice": ChoiceField,
    "choices": ChoicesField,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def pack(question: Question) -> dict[str, JsonValue]:
    """The question as JSON. Of a form's deviations nothing is kept: they tell how it was read, not what is asked."""
    match question:
        case FormQuestion(message, form):
            packed: list[JsonValue] = [_pack_field(one) for one in form.fields]
            return {"message": message, "fields": packed, "closed": form.closed}
        case UrlQuestion(message, url, elicitation_id):
            return {"message": message, "url": url, "id": elicitation_id}
        case _:
            assert_never(question)


def unpack(packed: JsonValue) -> Question:
    """The inverse of `pack`.

    Raises:
        ValueError: This is no packed question.
    """
    match packed:
        case {"message": str(message), "fields": [*several], "closed": bool(closed)}:
            return FormQuestion(message, Form(tuple(map(_unpack_field, several)), closed=closed))
        case {"message": str(message), "url": str(url), "id": str() | None as elicitation_id}:
            return UrlQuestion(message, url, elicitation_id)
        case _:
            raise ValueError("expected a question as a store keeps it, got something else")


def _pack_field(one: Field) -> JsonValue:
    packed: dict[str, JsonValue] = {"kind": _NAMES[type(one)]}
    for each in fields(one):
        value = getattr(one, each.name)
        if each.name == "choices":
            packed["choices"] = [[choice.value, choice.title] for choice in value]
        elif value != each.default:
            packed[each.name] = list(value) if isinstance(value, tuple) else value
    return packed


def _unpack_field(packed: JsonValue) -> Field:
    if not isinstance(packed, dict) or packed.get("kind") not in _KINDS:
        raise ValueError("expected a field as a store keeps it, got something else")
    values: dict[str, Any] = dict(packed)
    kind = _KINDS[values.pop("kind")]
    if "choices" in values:
        values["choices"] = tuple(Choice(value, title) for value, title in values["choices"])
    if isinstance(values.get("default"), list):
        values["default"] = tuple(values["default"])
    return kind(**values)
