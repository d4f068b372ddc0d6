"""Checking an accepted form's content: beside pydantic on the asking side, beside FastMCP on the answering one.

An asker has its type: pydantic's `model_validate` checks the content and builds the instance in one, we check the
content and then build. A client has the schema that came with the question. FastMCP's elicitation callback makes a
type from it, which it remembers, and validates the content; we read the schema, once for each question, and check the
content. That is measured where FastMCP is installed (`pip install fastmcp`), with a schema it knows and with new ones.
"""

import copy
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import Any

from _booking import CONTENT, booking_model
from _turns import TURNS, least, report_cheaper, report_share, spent
from mcp_types import ElicitRequestFormParams, ElicitResult

from askfirst.core.answers import Content
from askfirst.core.checking import check
from askfirst.core.derive import shape_of
from askfirst.core.revisions import NEWEST_DIALECT
from askfirst.core.schema import read_schema

BOOKING = booking_model()
FRESH = 40


def asked(number: int = 0) -> ElicitRequestFormParams:
    """The question as it comes to a client; each number gives another schema of the same size."""
    schema: dict[str, Any] = copy.deepcopy(shape_of(BOOKING).schema(NEWEST_DIALECT))
    schema["properties"]["party"]["maximum"] = 20 + number
    return ElicitRequestFormParams(message="Which booking?", requested_schema=schema)


def read_and_check(question: ElicitRequestFormParams) -> None:
    """Our part of answering a question that came from a server."""
    check(read_schema(question.requested_schema), CONTENT)


def fastmcp_client() -> Callable[[ElicitRequestFormParams], None]:
    """FastMCP's client, whose handler accepts a question with this content."""
    create: Any = import_module("fastmcp.client.elicitation").create_elicitation_callback

    async def accept(*_: object) -> dict[str, object]:
        return CONTENT

    callback = create(accept)

    def answer(question: ElicitRequestFormParams) -> None:
        try:
            callback(None, question).send(None)  # it never waits, so no event loop is in what is measured
        except StopIteration as done:
            result = done.value
        assert isinstance(result, ElicitResult), result

    return answer


def beside_pydantic(values: Callable[[], Content]) -> None:
    shape = shape_of(BOOKING)
    validate = partial(BOOKING.model_validate, CONTENT)
    ours, theirs = least(values, validate)
    report_share("checking, beside model_validate", ours, theirs, 2)
    ours, theirs = least(lambda: shape.build(values()), validate)
    report_share("checking and building the model, beside model_validate", ours, theirs)


def beside_fastmcp(values: Callable[[], Content]) -> None:
    client = fastmcp_client()
    known, new = asked(), map(asked, count(1))
    ours, theirs = least(values, partial(client, known))
    report_cheaper("checking, beside FastMCP's client", ours, theirs, 20)
    ours, theirs = least(partial(read_and_check, known), partial(client, known))
    report_cheaper("reading and checking, beside FastMCP's client that knows the schema", ours, theirs)
    turns = [
        [spent([partial(answer, next(new)) for _ in range(FRESH)]) for answer in (read_and_check, client)]
        for _ in range(TURNS)
    ]
    ours, theirs = map(min, zip(*turns, strict=True))
    report_cheaper("reading and checking, beside FastMCP's client with a new schema", ours, theirs)


def main() -> None:
    values = partial(check, shape_of(BOOKING).form, CONTENT)
    beside_pydantic(values)
    if find_spec("fastmcp") is None:
        print("beside FastMCP's client: skipped, fastmcp is not installed")
    else:
        beside_fastmcp(values)


if __name__ == "__main__":
    main()
