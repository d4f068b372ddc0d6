"""Clients written in TypeScript against a server of ours: era by route by action.

Each connection is one process of a client that makes all the calls; the tests then look at what came of each.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from journeys.peers import ASKING_SERVER, Call, Outcome, needs_node, over_http, run_client

pytestmark = needs_node

LEGACY, MODERN = "ts1-client.mjs", "ts2-client.mjs"
FORM_AND_URL: dict[str, object] = {"form": {}, "url": {}}
NO: dict[str, object] = {"action": "decline"}
DISMISSED: dict[str, object] = {"action": "cancel"}


def yes(**content: object) -> dict[str, object]:
    return {"action": "accept", "content": content}


def calls(label: str) -> dict[str, Call]:
    """One call for each thing that can happen. The label keeps the counting of one connection apart."""
    production = [yes(environment="production", notify=True), yes(value="because")]
    return {
        "accept": Call("deploy", {"label": f"{label} accept"}, [yes(environment="staging")]),
        "two rounds": Call("deploy", {"label": f"{label} two"}, production),
        "two rounds replayed": Call("deploy_replayed", {"label": f"{label} replayed"}, production),
        "decline": Call("deploy", {"label": f"{label} decline"}, [NO]),
        "cancel": Call("deploy", {"label": f"{label} cancel"}, [DISMISSED]),
        "decline with content": Call(
            "deploy", {"label": f"{label} odd"}, [{**NO, "content": {"environment": "staging"}}]
        ),
        "second declined": Call("deploy", {"label": f"{label} late"}, [production[0], NO]),
        "wrong, then right": Call(
            "deploy", {"label": f"{label} again"}, [yes(environment="moon"), yes(environment="staging")]
        ),
        "always wrong": Call("deploy", {"label": f"{label} wrong"}, [yes(environment="moon")]),
        "crash": Call("deploy", {"label": f"{label} crash"}, ["fail"]),
        "visit": Call("authorize", {}, [{"action": "accept"}]),
        "visit declined": Call("authorize", {}, [NO]),
        "fill by person": Call("release", {}, [yes(environment="staging")]),
        "fill by caller": Call("release", {"environment": "production"}),
        "fill declined": Call("release", {}, [NO]),
    }


@dataclass(frozen=True)
class Connection:
    """What one client saw on one connection."""

    script: str
    revision: str
    outcomes: Mapping[str, Outcome]

    @property
    def is_modern(self) -> bool:
        return self.script == MODERN

    def told(self, name: str) -> dict[str, Any]:
        """What the tool's body told about the answers it got."""
        outcome = self.outcomes[name]
        assert outcome.result is not None, outcome.error
        assert not outcome.result.get("isError"), outcome.text
        told = json.loads(outcome.text)
        assert isinstance(told, dict)
        return told


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with over_http(ASKING_SERVER) as address:
        yield address


ROUTES = pytest.mark.parametrize(
    "connection",
    [(client, by) for client in (LEGACY, MODERN) for by in ("stdio", "http")],
    indirect=True,
    ids="-".join,
)
UNABLE = pytest.mark.parametrize("unable", [LEGACY, MODERN], indirect=True)


def connect(
    script: str, target: str | list[str], capability: dict[str, object] | None, label: str
) -> Connection:
    named = calls(label)
    revision, outcomes = run_client(script, target, capability, list(named.values()))
    return Connection(script, revision, dict(zip(named, outcomes, strict=True)))


@pytest.fixture(scope="module")
def connection(request: pytest.FixtureRequest, address: str) -> Connection:
    """A client that can show forms and addresses."""
    script, by = request.param
    target = address if by == "http" else [*ASKING_SERVER, "stdio"]
    return connect(script, target, FORM_AND_URL, f"{script} {by}")


@pytest.fixture(scope="module")
def unable(request: pytest.FixtureRequest, address: str) -> Connection:
    """A client that can't ask at all."""
    return connect(request.param, address, None, f"{request.param} unable")


@ROUTES
def test_an_accepted_form_reaches_the_body_with_its_default(connection: Connection) -> None:
    assert connection.told("accept") == {
        "answers": [{"action": "accept", "data": {"environment": "staging", "notify": False}}],
        "bodies": 1,
    }


@ROUTES
def test_two_questions_are_two_rounds_of_one_body(connection: Connection) -> None:
    accepted = [
        {"action": "accept", "data": {"environment": "production", "notify": True}},
        {"action": "accept", "data": "because"},
    ]
    assert connection.told("two rounds") == {"answers": accepted, "bodies": 1}
    replayed = connection.told("two rounds replayed")
    assert replayed == {"answers": accepted, "bodies": 3 if connection.is_modern else 1}


@ROUTES
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_refusal_and_a_dismissal_arrive_as_what_they_are(connection: Connection, action: str) -> None:
    assert connection.told(action) == {"answers": [{"action": action}], "bodies": 1}


@ROUTES
def test_content_beside_a_refusal_means_nothing(connection: Connection) -> None:
    assert connection.told("decline with content")["answers"] == [{"action": "decline"}]


@ROUTES
def test_the_second_question_can_be_refused_after_the_first_was_accepted(connection: Connection) -> None:
    assert [one["action"] for one in connection.told("second declined")["answers"]] == ["accept", "decline"]


@ROUTES
def test_wrong_content_is_asked_again_with_what_was_wrong(connection: Connection) -> None:
    first, second = connection.outcomes["wrong, then right"].questions
    assert "environment" in second["message"].removeprefix(first["message"])
    assert "moon" not in second["message"]
    assert connection.told("wrong, then right")["bodies"] == 1


@ROUTES
def test_content_that_stays_wrong_is_an_error_after_three_times(connection: Connection) -> None:
    outcome = connection.outcomes["always wrong"]
    assert len(outcome.questions) == 3
    assert outcome.result is not None
    assert outcome.result["isError"]
    assert "environment" in outcome.text
    assert "moon" not in outcome.text


@ROUTES
def test_a_client_that_fails_has_asked_nobody(connection: Connection) -> None:
    """A modern client's failure ends its own call; a legacy one's comes back to the server, which says so."""
    outcome = connection.outcomes["crash"]
    if connection.is_modern:
        assert outcome.error is not None
        return
    assert outcome.result is not None
    assert outcome.result["isError"]
    assert outcome.result["structuredContent"]["outcome"] == "nobody_asked"
    assert outcome.result["structuredContent"]["question"] == "Where to deploy?"


@ROUTES
def test_a_visit_carries_its_id_where_the_revision_has_one(connection: Connection) -> None:
    (question,) = connection.outcomes["visit"].questions
    assert (question["mode"], question["url"]) == ("url", "https://example.com/sign-in")
    assert ("elicitationId" in question) is not connection.is_modern
    assert connection.told("visit")["action"] == "accept"
    assert connection.told("visit declined")["action"] == "decline"


@ROUTES
def test_a_missing_argument_is_asked_for_and_a_given_one_is_not(connection: Connection) -> None:
    assert connection.outcomes["fill by person"].text == "staging"
    assert len(connection.outcomes["fill by person"].questions) == 1
    assert connection.outcomes["fill by caller"].text == "production"
    assert connection.outcomes["fill by caller"].questions == []
    assert "nothing was done" in connection.outcomes["fill declined"].text.lower()


@ROUTES
def test_each_client_spoke_its_own_revision(connection: Connection) -> None:
    assert connection.revision == ("2026-07-28" if connection.is_modern else "2025-11-25")


@UNABLE
@pytest.mark.parametrize("name", ["accept", "two rounds replayed", "visit"])
def test_a_client_that_cannot_ask_is_told_so_and_sees_no_question(unable: Connection, name: str) -> None:
    outcome = unable.outcomes[name]
    assert outcome.questions == []
    assert outcome.result is not None
    assert outcome.result["isError"]
    assert outcome.result["structuredContent"]["outcome"] == "nobody_asked"


@UNABLE
def test_a_client_that_cannot_ask_is_told_which_argument_to_add(unable: Connection) -> None:
    outcome = unable.outcomes["fill by person"]
    assert outcome.result is not None
    (missing,) = outcome.result["structuredContent"]["missing"]
    assert (missing["argument"], missing["allowed"]) == ("environment", ["staging", "production"])
    assert unable.outcomes["fill by caller"].text == "production"
