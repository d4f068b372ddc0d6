"""`requestedSchema` to form, leniently; form to `requestedSchema`, strictly.

Implements "Requested Schema" of client/elicitation, and `PrimitiveSchemaDefinition` of the official schema.
How a field that strays from it is read stands in `core.reading`. What holds for the whole:

1. No schema, or one without properties, is a form without fields: its asker wants a yes or a no.
2. A required name that no field has can't be asked for; it is left out, and noted.
3. A required field that would also take null stays required: null is no answer in MCP.
4. What else stands at the root is left out, and noted; `additionalProperties: false` closes the form.
5. A form of more than a person could fill in, or a terminal draw in a moment, is none.
6. Everything that can't be a form is named in one error.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from .dialects import ABILITIES, Abilities
from .errors import CannotCarry, Problem, UnreadableSchema
from .fields import (
    TEXT_FORMATS,
    Choice,
    ChoiceField,
    ChoicesField,
    Deviation,
    Field,
    FlagField,
    Form,
    NumberField,
    TextField,
)
from .reading import read_field
from .references import Document, unreadable
from .revisions import NEWEST_DIALECT, Dialect

__all__ = ["read_schema", "write_schema"]


def read_schema(schema: object, dialect: Dialect = NEWEST_DIALECT) -> Form:
    """The form that a `requestedSchema` describes, with how it deviates from the dialect's official schema.

    Args:
        schema: The schema as JSON gives it; None where a question in form mode has none.
        dialect: Decides what counts as a deviation, not what can be read.

    Raises:
        UnreadableSchema: It can't be a form. `.problems` names every field that can't, and why.
    """
    abilities = ABILITIES[dialect]
    if schema is None:
        return Form(deviations=(Deviation("", "properties", _NO_FIELDS),))
    if not isinstance(schema, dict):
        raise UnreadableSchema(_HEADLINE, [Problem("", "type", "a schema that describes an object", "none")])
    document = Document(schema)
    problems: list[Problem] = []
    fields: list[Field] = []
    try:
        root = document.unfold("", schema)
        properties = _properties(document, root)
    except UnreadableSchema as error:
        raise UnreadableSchema(_HEADLINE, error.problems) from None
    if len(properties) > _MOST_FIELDS or any(len(name) > _LONGEST_NAME for name in properties):
        expected = f"at most {_MOST_FIELDS} fields, with names of at most {_LONGEST_NAME} characters"
        raise UnreadableSchema(_HEADLINE, [Problem("", "properties", expected, "more")])
    required = _required(document, root, properties)
    _leave_the_rest(document, root, abilities)
    for name, one in properties.items():
        try:
            fields.append(read_field(document, abilities, name, one, name in required))
        except UnreadableSchema as error:
            problems.extend(error.problems)
    if problems:
        raise UnreadableSchema(_HEADLINE, problems)
    closed = root.get("additionalProperties") is False
    return Form(tuple(fields), closed=closed, deviations=tuple(document.notes))


_HEADLINE: Final = "this schema can't be shown as a form"
_MOST_FIELDS: Final = 500
_LONGEST_NAME: Final = 1000
_NO_FIELDS: Final = "missing; read as a form without fields"


def _properties(document: Document, root: Mapping[str, object]) -> Mapping[str, object]:
    kind = root.get("type")
    if kind != "object":
        if "type" in root and not (isinstance(kind, list) and "object" in kind):
            raise unreadable("", "type", "an object", "another type")
        document.note("", "type", "not object; read as if it were")
    properties = root.get("properties")
    if isinstance(properties, dict):
        return properties
    if properties is not None:
        raise unreadable("", "properties", "an object with a member for each field", "something else")
    for keyword in ("allOf", "anyOf", "oneOf"):
        if root.get(keyword):
            raise unreadable("", keyword, "one list of fields", "several")
    document.note("", "properties", _NO_FIELDS)
    return {}


def _required(document: Document, root: Mapping[str, object], properties: Mapping[str, object]) -> set[str]:
    given = root.get("required", [])
    names = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    if not isinstance(given, list) or len(names) < len(given):
        document.note("", "required", "not a list of names; what is no name is left out")
    for name in names:
        if name not in properties:
            document.note(name, "required", "no field has this name; left out")
    return set(names)


def _leave_the_rest(document: Document, root: Mapping[str, object], abilities: Abilities) -> None:
    listed = {"type", "properties", "required"} | ({"$schema"} if abilities.declares else set())
    for keyword in root:
        if keyword not in listed:
            closes = keyword == "additionalProperties" and root[keyword] is False
            document.note("", keyword, f"not listed for the root; {'kept' if closes else 'left out'}")


def write_schema(form: Form, dialect: Dialect) -> dict[str, object]:
    """The form as a `requestedSchema`, with nothing in it but what the dialect's official schema lists.

    A pattern and a format of another name are listed nowhere, and defaults not everywhere: they are left out.
    So is `required` when nothing is. Keys are in a fixed order. Where only some choices have titles, the value
    is written as the title of the others.

    Raises:
        CannotCarry: The dialect has no such fields; `.problems` names them. `core.dialects.convert` helps.
    """
    abilities = ABILITIES[dialect]
    if not abilities.many and (lost := [one.name for one in form.fields if isinstance(one, ChoicesField)]):
        expected = f"a field that revision {dialect} has"
        raise CannotCarry(
            "this form must be converted before it is written",
            [Problem(name, "type", expected, "a choice of several") for name in lost],
        )
    schema: dict[str, object] = {"type": "object"}
    schema["properties"] = {one.name: _write_field(one, abilities) for one in form.fields}
    if required := [one.name for one in form.fields if one.required]:
        schema["required"] = required
    return schema


def _write_field(one: Field, abilities: Abilities) -> dict[str, object]:
    match one:
        case TextField():
            body = _begin("string", one)
            _write_bounds(body, "minLength", one.min_length, "maxLength", one.max_length)
            if one.format in TEXT_FORMATS:
                body["format"] = one.format
        case NumberField():
            body = _begin("integer" if one.integer else "number", one)
            _write_bounds(body, "minimum", one.minimum, "maximum", one.maximum)
        case FlagField():
            body = _begin("boolean", one)
        case ChoiceField():
            body = _begin("string", one)
            body |= _write_choices(one.choices, "oneOf", one.legacy_titles or not abilities.titled)
        case ChoicesField():
            body = _begin("array", one)
            _write_bounds(body, "minItems", one.min_items, "maxItems", one.max_items)
            items = _write_choices(one.choices, "anyOf", legacy=False)
            body["items"] = {"type": "string"} | items if "enum" in items else items
        case _:
            assert_never(one)
    if one.default is not None and (abilities.defaults or isinstance(one, FlagField)):
        body["default"] = list(one.default) if isinstance(one.default, tuple) else one.default
    return body


def _begin(kind: str, one: Field) -> dict[str, object]:
    body: dict[str, object] = {"type": kind}
    if one.title is not None:
        body["title"] = one.title
    if one.description is not None:
        body["description"] = one.description
    return body


def _write_bounds(
    body: dict[str, object], least: str, low: int | float | None, most: str, high: int | float | None
) -> None:
    if low is not None:
        body[least] = low
    if high is not None:
        body[most] = high


def _write_choices(choices: tuple[Choice, ...], keyword: str, legacy: bool) -> dict[str, object]:
    values = [value for value, _ in choices]
    if {title for _, title in choices} == {None}:
        return {"enum": values}
    if legacy:
        return {"enum": values, "enumNames": [choice.label for choice in choices]}
    return {keyword: [{"const": choice.value, "title": choice.label} for choice in choices]}
