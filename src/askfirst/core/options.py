"""Choices of text, in the five shapes the specification has and in those that generators write."""

from collections.abc import Mapping

from .fields import Choice
from .references import TEXT_PART, is_null, unreadable
from .source import Source

__all__ = ["choices_of"]


def choices_of(source: Source, listed: str) -> tuple[tuple[Choice, ...], bool] | None:
    """The choices, and whether their titles are in the legacy shape; None where there is no choice.

    `listed` is the keyword the specification has for titled choices in this place.
    """
    legacy = False
    for keyword in ("oneOf", "anyOf"):
        if (found := _titled(source, keyword)) is not None:
            if keyword != listed or not source.abilities.titled:
                source.note(keyword, f"not listed here; read as {listed}")
            break
    else:
        if "enum" in source.schema:
            found, legacy = _plain(source)
        elif "const" in source.schema:
            found = [Choice(_code(source, "const", source.take("const")))]
            source.note("const", "not listed; read as a single choice")
        else:
            return None
    text = sum(len(choice.value) + len(choice.title or "") for choice in found)
    source.document.spend(source.name, len(found) + text // TEXT_PART)
    different: dict[str, Choice] = {}
    for choice in found:
        different.setdefault(choice.value, choice)
    if len(different) < len(found):
        source.note("enum", "a choice twice; the first is kept")
    return tuple(different.values()), legacy


def _code(source: Source, keyword: str, value: object) -> str:
    if not isinstance(value, str):
        raise unreadable(source.name, keyword, "choices that are text", "something else among them")
    return value


def _titled(source: Source, keyword: str) -> list[Choice] | None:
    """Choices from schemas of one value each; None where these schemas are no choices."""
    schemas = source.schema.get(keyword)
    if not isinstance(schemas, list) or not schemas:
        return None
    options = [source.document.unfold(source.name, one) for one in schemas]
    if not any("const" in one or "enum" in one for one in options):
        if "type" not in source.schema:
            raise unreadable(source.name, keyword, "one kind of value", "a choice between kinds")
        return None
    source.take(keyword)
    return [choice for one in options if not is_null(one) for choice in _option(source, keyword, one)]


def _option(source: Source, keyword: str, option: Mapping[str, object]) -> list[Choice]:
    """Mostly one choice; generators put those that they know nothing more about into one `enum`."""
    values = [option["const"]] if "const" in option else option.get("enum")
    if not isinstance(values, list):
        raise unreadable(source.name, keyword, "choices with a value", "one without")
    title, description = option.get("title"), option.get("description")
    if not isinstance(title, str) or len(values) > 1:
        title = description if isinstance(description, str) and len(values) == 1 else None
        source.note(keyword, "a choice without a title of its own; described, or shown by its value")
    if option.keys() - {"const", "title"}:
        source.note(keyword, "more in a choice than value and title; left out")
    return [Choice(_code(source, keyword, value), title) for value in values]


def _plain(source: Source) -> tuple[list[Choice], bool]:
    values = source.take("enum")
    if not isinstance(values, list):
        raise unreadable(source.name, "enum", "a list of choices", "something else")
    names = _names(source, len(values))
    if None in values:
        source.note("enum", "null is no answer; left out")
    titles: list[str | None] = [None] * len(values) if names is None else [*names]
    pairs = zip(values, titles, strict=True)
    legacy = names is not None and source.abilities.titled
    return [
        Choice(_code(source, "enum", value), title) for value, title in pairs if value is not None
    ], legacy


def _names(source: Source, count: int) -> list[str] | None:
    names = source.take("enumNames")
    if isinstance(names, list) and len(names) == count and all(isinstance(one, str) for one in names):
        return names
    source.left_out("enumNames", "list of one text for each choice")
    return None
