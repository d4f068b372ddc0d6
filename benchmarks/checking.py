"""Checking an accepted form's content: beside pydantic on the asking side, beside FastMCP on the answering one.

An asker has its type: we check the content and build the instance, pydantic's `model_validate` does both in one. A
client has only the schema that came with the question, new each time: we read it and check the content, FastMCP's
elicitation callback builds a type from it and validates the content against it. FastMCP is measured where it is
installed (`pip install fastmcp`); nothing of ours needs it.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from _booking import CONTENT, booking_model
from _turns import least, report_cheaper, report_share
from mcp_types import ElicitRequestFormParams

from askfirst.core.checking import check
from askfirst.core.derive import shape_of
from askfirst.core.revisions import NEWEST_DIALECT
from askfirst.core.schema import read_schema


def fastmcp_callback(schema: dict[str, object]) -> Callable[[], object]:
    """One run of FastMCP's client on a question that is accepted with this content."""
    create_elicitation_callback = import_module("fastmcp.client.elicitation").create_elicitation_callback

    async def accept(*_: object) -> dict[str, object]:
        return CONTENT

    callback: Any = create_elicitation_callback(accept)
    params = ElicitRequestFormParams(message="Which booking?", requested_schema=schema)
    answer = asyncio.run(callback(None, params))
    assert getattr(answer, "content", None) == CONTENT, answer

    def run() -> None:
        # A coroutine that never waits ends at its first step; no event loop is in what is measured.
        try:
            callback(None, params).send(None)
        except StopIteration:
            return
        raise AssertionError("the callback waits for something")

    return run


def main() -> None:
    model = booking_model()
    shape = shape_of(model)
    schema = shape.schema(NEWEST_DIALECT)
    form = read_schema(schema)

    checked, validated = least(partial(check, shape.form, CONTENT), partial(model.model_validate, CONTENT))
    report_share("checking, beside model_validate", checked, validated, 2)
    both, validated = least(
        lambda: shape.build(check(shape.form, CONTENT)), partial(model.model_validate, CONTENT)
    )
    report_share("checking and building the model, beside model_validate", both, validated)

    if find_spec("fastmcp") is None:
        print("beside FastMCP's client: skipped, fastmcp is not installed")
        return
    theirs = fastmcp_callback(schema)
    checked, spent = least(partial(check, form, CONTENT), theirs)
    report_cheaper("checking, beside FastMCP's client", checked, spent, 20)
    both, spent = least(lambda: check(read_schema(schema), CONTENT), theirs)
    report_cheaper("reading the schema and checking, beside FastMCP's client", both, spent)


if __name__ == "__main__":
    main()
