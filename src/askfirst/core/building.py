"""Checked content -> an instance of the type that asked, whose own checks still have a say.

What they refuse is an answer that does not fit. Their words may hold the value, so they are not repeated, and the
error that carried them is not kept as a cause.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Final, NamedTuple, TypeAlias, TypeVar

from .annotations import Part
from .answers import Content
from .errors import InvalidAnswer, Problem
from .marks import NOTHING

__all__ = ["Build", "builder"]

T = TypeVar("T")
Build: TypeAlias = Callable[[Content], T]

_LIMITS: Final = frozenset(
    [
        "date_future",
        "date_past",
        "datetime_future",
        "datetime_past",
        "enum",
        "greater_than",
        "greater_than_equal",
        "less_than",
        "less_than_equal",
        "literal_error",
        "missing",
        "multiple_of",
        "string_pattern_mismatch",
        "string_too_long",
        "string_too_short",
        "timezone_aware",
        "too_long",
        "too_short",
        "url_scheme",
    ]
)
"""Kinds of pydantic's errors whose words are made from the limit alone."""


def builder(
    make: Callable[[Mapping[str, object]], T], name: str, parts: Sequence[Part], *, converts: bool = True
) -> Build[T]:
    """What builds an instance from checked content.

    Args:
        make: Makes the instance from converted values; its ValueError means that it refuses them.
        name: What the type is called, for the error.
        parts: The form's fields. Those without conversion or rule go straight to `make`.
        converts: Whether values are converted before `make` gets them.
    """
    plan: _Plan | None = None

    def build(values: Content) -> T:
        nonlocal plan
        plan = plan or _plan(parts, converts)
        given: Mapping[str, object] = values
        if plan.steps or plan.blanks:
            given = _left_out(plan.blanks, values) | _convert(values, plan.steps, name)
        try:
            return make(given)
        except ValueError as refusal:
            problems = _problems_of(refusal, name)
        raise InvalidAnswer(f"{name} does not take this content", problems)

    return build


class _Plan(NamedTuple):
    """What there is to do to content, worked out at the first answer: `blanks` stand for fields left out."""

    steps: list[Part]
    blanks: dict[str, object]


def _plan(parts: Sequence[Part], converts: bool) -> _Plan:
    steps = [part for part in parts if part.convert or part.rules] if converts else []
    return _Plan(steps, {part.field.name: part.blank for part in parts if part.blank is not NOTHING})


def _left_out(blanks: Mapping[str, object], values: Content) -> dict[str, object]:
    """Fresh copies of what stands for absent answers: one list must not serve two instances."""
    return {field: copy(blank) for field, blank in blanks.items() if field not in values}


def _convert(values: Content, steps: Sequence[Part], name: str) -> dict[str, object]:
    given: dict[str, object] = {**values}
    problems: list[Problem] = []
    for part in steps:
        field = part.field.name
        if field not in values:
            continue
        value = values[field]
        problems.extend(
            Problem(field, rule.what, rule.expected, "another number")
            for rule in part.rules
            if not rule.test(value)
        )
        if part.convert is not None:
            try:
                given[field] = part.convert(value)
            except (ValueError, OverflowError):
                problems.append(Problem(field, "type", "what its type can hold", "something beyond"))
    if problems:
        raise InvalidAnswer(f"{name} does not take this content", problems)
    return given


def _problems_of(refusal: ValueError, name: str) -> list[Problem]:
    """What a type's own check refused, field by field where the type is pydantic's."""
    errors: Callable[..., list[dict[str, object]]] | None = getattr(refusal, "errors", None)
    if errors is None:
        return [Problem("", "check", f"what {name}'s own check accepts", "content that it refuses")]
    return [
        _problem_of(error, name)
        for error in errors(include_url=False, include_input=False, include_context=False)
    ]


def _problem_of(error: dict[str, object], name: str) -> Problem:
    kind = str(error["type"])
    where = error["loc"]
    field = str(where[0]) if isinstance(where, tuple) and where else ""
    words = f" ({error['msg']})" if kind in _LIMITS else ""
    return Problem(field, kind, f"what {name}'s own check accepts{words}", "content that it refuses")
