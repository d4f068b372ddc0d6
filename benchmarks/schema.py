"""The schema a question is sent with: the official SDK renders it for each question, we work it out once for a type.

Beside the SDK's `render_elicitation_schema` of the form as a pydantic model stand our look-up of a type that is known,
and our first use of one: reading it, screening it for secrets, writing its schema. Of first uses each is of a class
never met before, on both sides.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from _booking import Named, booking_dataclass, booking_model, one_field_dataclass, one_field_model
from _turns import least, report_cheaper, spent
from mcp.server.elicitation import render_elicitation_schema

from askfirst.core.derive import shape_of
from askfirst.core.revisions import NEWEST_DIALECT

T = TypeVar("T")
FRESH = 60
TURNS = 15


def ours(kind: type) -> dict[str, object]:
    """The schema as it is sent."""
    return shape_of(kind).schema(NEWEST_DIALECT)


def first(make: Callable[[], type[T]], use: Callable[[type[T]], object]) -> float:
    """Seconds of processor time for classes never met before, which are made outside."""
    return spent([partial(use, make()) for _ in range(FRESH)])


def report_first(
    what: str, make: Callable[[], type], model: Callable[[], type[Named]], limit: float | None
) -> None:
    turns = [(first(make, ours), first(model, render_elicitation_schema)) for _ in range(TURNS)]
    report_cheaper(what, min(mine for mine, _ in turns), min(theirs for _, theirs in turns), limit)


def main() -> None:
    for what, model, record, limits in (
        ("six fields", booking_model, booking_dataclass, (1000, 10, 5)),
        ("one field", one_field_model, one_field_dataclass, (None, None, None)),
    ):
        known = model()
        mine, theirs = least(partial(ours, known), partial(render_elicitation_schema, known))
        report_cheaper(f"known type, {what}", mine, theirs, limits[0])
        report_first(f"first use of a model, {what}", model, model, limits[1])
        report_first(f"first use of a dataclass, {what}", record, model, limits[2])


if __name__ == "__main__":
    main()
