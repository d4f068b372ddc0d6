"""A question as JSON for a store, and back, with nothing lost.

The wire's schema can't serve for this: no revision carries a pattern, a format of another name or a closed form, and
an answer is checked against all of them.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, assert_never

from .errors import InvalidForm
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
        case UrlQuestion(message, url, elicitation_id, awaited):
            return {"message": message, "url": url, "id": elicitation_id, "awaited": awaited}
        case _:
            assert_never(question)


def unpack(packed: JsonValue) -> Question:
    """The inverse of `pack`.

    Raises:
        ValueError: This is no packed question, or its form contradicts itself.
    """
    match packed:
        case {"message": str(message), "fields": [*several], "closed": bool(closed)}:
            try:
                return FormQuestion(message, Form(tuple(map(_unpack_field, several)), closed=closed))
            except InvalidForm as fault:
                raise ValueError(f"expected a question as a store keeps it: {fault}") from None
        case {"message": str(message), "url": str(url), "id": str() | None as elicitation_id, **more}:
            return UrlQuestion(message, url, elicitation_id, awaited=more.get("awaited") is True)
        case _:
            raise ValueError("expected a question as a store keeps it, got something else")


def _pack_field(one: Field) -> JsonValue:
    packed: dict[str, JsonValue] = {"kind": _NAMES[type(one)]}
    for part, value in one._asdict().items():
        if part == "choices":
            packed["choices"] = [[choice.value, choice.title] for choice in value]
        elif part == "name" or value != one._field_defaults[part]:
            packed[part] = list(value) if isinstance(value, tuple) else value
    return packed


def _unpack_field(packed: JsonValue) -> Field:
    values = dict(packed) if isinstance(packed, dict) else {}
    named = values.pop("kind", None)
    kind = _KINDS.get(named) if isinstance(named, str) else None
    if kind is None:
        raise ValueError("expected a field as a store keeps it, got something else")
    missing = any(part not in values for part in ("name", "choices") if part in kind._fields)
    if missing or not all(part in kind._fields and _fits(kind, part, one) for part, one in values.items()):
        raise ValueError(f"expected a {named} field as a store keeps it, got one with other parts")
    read: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in values.items()
    }
    if "choices" in read:
        read["choices"] = tuple(Choice(value, title) for value, title in read["choices"])
    return kind(**read)


def _fits(kind: _Kind, part: str, value: JsonValue) -> bool:
    return _DEFAULTS[kind](value) if part == "default" else _PARTS[part](value)


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_flag(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_whole(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: JsonValue) -> bool:
    return _is_whole(value) or isinstance(value, float)


def _is_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_choices(value: JsonValue) -> bool:
    return isinstance(value, list) and all(map(_is_choice, value))


def _is_choice(value: JsonValue) -> bool:
    match value:
        case [str(), str() | None]:
            return True
        case _:
            return False


_Test: TypeAlias = Callable[[JsonValue], bool]

_PARTS: Final[Mapping[str, _Test]] = {
    **dict.fromkeys(("name", "title", "description", "format", "pattern"), _is_text),
    **dict.fromkeys(("required", "integer", "legacy_titles"), _is_flag),
    **dict.fromkeys(("min_length", "max_length", "min_items", "max_items"), _is_whole),
    **dict.fromkeys(("minimum", "maximum"), _is_number),
    "choices": _is_choices,
}
"""What each part of a field may be, where it is kept at all; one that is None never is."""

_DEFAULTS: Final[Mapping[_Kind, _Test]] = {
    TextField: _is_text,
    NumberField: _is_number,
    FlagField: _is_flag,
    ChoiceField: _is_text,
    ChoicesField: _is_texts,
}
