"""Answers that clients send to forms that servers send: each gets the verdict it deserves.

Rows on which reasonable people differ are decided here, once; their verdicts in the data are the other way.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from askfirst.core.checking import check
from askfirst.core.errors import InvalidAnswer, UnreadableSchema
from askfirst.core.schema import read_schema

DATA = Path(__file__).parents[1] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


REQUESTS = {row["id"]: row["params"] for row in rows("requests.jsonl")}
FORMS_ACCEPTED = [
    row
    for row in rows("answers.jsonl")
    if row["action"] == "accept" and REQUESTS[row["request_id"]].get("mode") != "url"
]

DECIDED = {
    "ans-099": "null for a field that may be left out is as good as leaving it out",
    "ans-100": "null for a field that may be left out is as good as leaving it out",
    "ans-102": "null for a field that may be left out is as good as leaving it out",
    "ans-215": "null for a field that may be left out is as good as leaving it out",
    "ans-117": "which member of two wins is decided where JSON is read; what came out of that fits",
    "ans-158": "a set is meant: a choice given twice is a mistake of the sender",
}

NO_FORM = {"ans-010", "ans-069", "ans-070", "ans-071", "ans-075", "ans-076", "ans-167", "ans-168", "ans-210"}
"""Their question can't be shown as a form, so nobody is asked, and no answer to it is ever checked."""


def content_of(row: dict[str, Any]) -> object:
    return (json.loads(row["raw"]) if "raw" in row else row).get("content")


def schema_of(row: dict[str, Any]) -> dict[str, Any]:
    return REQUESTS[row["request_id"]].get("requestedSchema") or {}


@pytest.mark.parametrize("row", FORMS_ACCEPTED, ids=lambda row: f"{row['id']}-{row['kind']}")
def test_an_answer_gets_its_verdict(row: dict[str, Any]) -> None:
    if row["id"] in NO_FORM:
        with pytest.raises(UnreadableSchema):
            read_schema(schema_of(row))
        return
    form = read_schema(schema_of(row))
    if (row["verdict"] == "valid") != (row["id"] in DECIDED):
        check(form, content_of(row))
    else:
        with pytest.raises(InvalidAnswer):
            check(form, content_of(row))


def test_every_row_decided_here_is_in_the_data_and_debatable() -> None:
    by_id = {row["id"]: row for row in FORMS_ACCEPTED}
    assert by_id.keys() >= DECIDED.keys() | NO_FORM
    assert [id_ for id_ in DECIDED if not by_id[id_].get("debatable")] == []
