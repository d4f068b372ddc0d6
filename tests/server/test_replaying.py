"""Replay: nothing is held, the body runs again with the answers already given, and what must happen once does."""

import asyncio
import json
from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp.server.mcpserver import MCPServer
from mcp.server.request_state import RequestStateSecurity
from mcp_types import ElicitResult, InputRequiredResult

from askfirst import Accepted, Ask, Asking, askable
from server.conftest import text_of
from server.test_pausing import LOST, call, modern, retry, yes

pytestmark = pytest.mark.anyio


def ordering(asking: Asking) -> tuple[MCPServer, list[str], list[str]]:
    mcp, runs, charges = MCPServer("ordering"), [], []

    @mcp.tool()
    @askable(asking=asking, resume="replay")
    async def order(ask: Ask) -> str:
        runs.append("run")
        match await ask("How many?", int):
            case Accepted(count):
                receipt = await ask.once("charge", lambda: charge(count))
                match await ask(f"Gift wrap {count}?", bool):
                    case Accepted(wrap):
                        return f"{receipt}, wrapped: {wrap}"
        return "nothing ordered"

    async def charge(count: int) -> str:
        charges.append("charged")
        return f"receipt for {count}"

    return mcp, runs, charges


async def test_a_body_runs_again_with_the_answers_given_and_a_step_happens_once() -> None:
    asking = Asking()
    mcp, runs, charges = ordering(asking)
    async with modern(mcp) as client:
        first = await call(client, "order")
        second = await retry(client, "order", first, yes(3))
        done = await retry(client, "order", second, yes(True))
    assert text_of(done) == "receipt for 3, wrapped: True"
    assert (runs, charges, len(asking.room)) == (["run"] * 3, ["charged"], 0)


async def test_another_process_with_the_same_key_can_go_on() -> None:
    def replica() -> MCPServer:
        mcp = MCPServer("replica", request_state_security=RequestStateSecurity(keys=["k" * 32]))

        @mcp.tool()
        @askable(asking=Asking(), resume="replay")
        async def greet(ask: Ask) -> str:
            first = await ask("First name?", str)
            last = await ask("Last name?", str)
            return f"{first.action} {last.action}"

        return mcp

    async with modern(replica()) as one, modern(replica()) as two:
        first = await call(one, "greet")
        second = await retry(two, "greet", first, yes("Ada"))
        done = await retry(one, "greet", second, ElicitResult(action="decline"))
    assert text_of(done) == "accept decline"


async def test_a_retry_sent_twice_does_not_run_a_step_twice() -> None:
    mcp, _, charges = ordering(Asking())
    async with modern(mcp) as client:
        first = await call(client, "order")
        async with anyio.create_task_group() as group:
            group.start_soon(retry, client, "order", first, yes(3))
            group.start_soon(retry, client, "order", first, yes(3))
    assert charges == ["charged"]


async def test_an_answer_is_used_only_for_the_question_it_was_given_to() -> None:
    mcp, asked = MCPServer("changing"), []
    rows = iter([10, 12, 12, 12])

    @mcp.tool()
    @askable(resume="replay")
    async def purge(ask: Ask) -> str:
        answer = await ask(f"Delete {next(rows)} rows?", bool)
        asked.append(answer.action)
        return answer.action

    async with modern(mcp) as client:
        first = await call(client, "purge")
        assert "Delete 10 rows?" in str(first.input_requests)
        second = await retry(client, "purge", first, yes())
        assert "Delete 12 rows?" in str(second.input_requests)
        assert asked == []
        done = await retry(client, "purge", second, yes())
    assert text_of(done) == "accept"


async def test_the_same_question_asked_twice_needs_two_answers() -> None:
    mcp = MCPServer("twice")

    @mcp.tool()
    @askable(resume="replay")
    async def twice(ask: Ask) -> str:
        return " ".join([(await ask("Sure?", bool)).action for _ in range(2)])

    async with modern(mcp) as client:
        first = await call(client, "twice")
        second = await retry(client, "twice", first, yes())
        done = await retry(client, "twice", second, ElicitResult(action="cancel"))
    assert text_of(done) == "accept cancel"


async def test_a_bodys_own_handler_of_exceptions_does_not_swallow_the_question() -> None:
    mcp = MCPServer("careful")

    @mcp.tool()
    @askable(resume="replay")
    async def careful(ask: Ask) -> str:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(ask, "Inside a group?", bool)
        except Exception:
            return "swallowed"
        return "asked"

    async with modern(mcp) as client:
        first = await call(client, "careful")
        assert "Inside a group?" in str(first.input_requests)
        done = await retry(client, "careful", first, yes())
    assert text_of(done) == "asked"


async def in_a_bare_except(ask: Ask) -> str:
    try:
        return (await ask("Sure?", bool)).action
    except:  # noqa: E722  what authors write
        return "done all the same"


async def in_a_finally(ask: Ask) -> str:
    said = "nothing"
    try:
        said = (await ask("Sure?", bool)).action
    finally:
        return said  # noqa: B012  what authors write


async def in_a_gathering(ask: Ask) -> str:
    (answer,) = await asyncio.gather(ask("Sure?", bool), return_exceptions=True)
    return "done all the same" if isinstance(answer, BaseException) else answer.action


async def in_another_failure(ask: Ask) -> str:
    (answer,) = await asyncio.gather(ask("Sure?", bool), return_exceptions=True)
    return str(answer.action)  # type: ignore[union-attr]  # the signal has none


@pytest.mark.parametrize("body", [in_a_bare_except, in_a_finally, in_a_gathering, in_another_failure])
async def test_a_body_that_swallows_the_signal_does_not_end_without_an_answer(body: Any) -> None:
    mcp = MCPServer("careless")
    mcp.add_tool(askable(resume="replay")(body), name="tool")
    async with modern(mcp) as client:
        first = await call(client, "tool")
        assert isinstance(first, InputRequiredResult)
        done = await retry(client, "tool", first, yes())
    assert text_of(done) == "accept"


@pytest.mark.parametrize("body", [in_a_bare_except, in_a_gathering])
async def test_no_step_is_taken_for_an_answer_that_nobody_gave(body: Any) -> None:
    mcp, charges = MCPServer("careless"), []

    @mcp.tool()
    @askable(resume="replay")
    async def pay(ask: Ask) -> str:
        said = await body(ask)
        if said != "decline":
            await ask.once("charge", lambda: charges.append("charged"))
        return str(said)

    async with modern(mcp) as client:
        first = await call(client, "pay")
        assert charges == []
        done = await retry(client, "pay", first, ElicitResult(action="decline"))
    assert text_of(done) == "decline"
    assert charges == []


async def test_wrong_content_is_asked_again_in_a_replay_too() -> None:
    mcp, _, charges = ordering(Asking())
    async with modern(mcp) as client:
        first = await call(client, "order")
        again = await retry(client, "order", first, yes("three"))
        assert "How many?" in str(again.input_requests)
        assert "value" in str(again.input_requests)
        assert charges == []
        second = await retry(client, "order", again, yes(3))
        assert "Gift wrap 3?" in str(second.input_requests)


async def test_several_questions_of_one_round_are_replayed_together() -> None:
    mcp = MCPServer("together")

    @mcp.tool()
    @askable(resume="replay")
    async def several(ask: Ask) -> str:
        said = await ask.together(a=("A?", bool), b=("B?", bool))
        return f"{said['a'].action} {said['b'].action}"

    async with modern(mcp) as client:
        first = await call(client, "several")
        assert list(first.input_requests) == ["a", "b"]
        half = await retry(client, "several", first, yes())
        assert list(half.input_requests) == ["b"]
        done = await retry(client, "several", half, ElicitResult(action="decline"))
    assert text_of(done) == "accept decline"


class Readable:
    """A codec that seals nothing, so that a test can write what no honest server ever sealed."""

    def seal(self, payload: bytes) -> str:
        return payload.decode()

    def unseal(self, token: str) -> bytes:
        return token.encode()


@pytest.mark.parametrize("resume", ["pause", "replay"])
@pytest.mark.parametrize(
    "state", ["", "{}", "[]", "no json", '{"v":1}', '{"v":1,"ticket":7}', '{"v":2,"ticket":"x"}']
)
async def test_a_state_that_is_not_ours_gets_the_one_stable_error(resume: Any, state: str) -> None:
    mcp = MCPServer("open", request_state_security=RequestStateSecurity(codec=Readable()))

    @mcp.tool()
    @askable(resume=resume)
    async def asks(ask: Ask) -> str:
        return (await ask("Well?", bool)).action

    async with modern(mcp) as client:
        first = await call(client, "asks")
        claims = json.loads(first.request_state)
        with pytest.raises(MCPError, match=LOST):
            await call(client, "asks", request_state=json.dumps({**claims, "s": state}))


async def test_a_step_that_fails_is_not_recorded() -> None:
    mcp, tries = MCPServer("failing"), []

    @mcp.tool()
    @askable(resume="replay")
    async def flaky(ask: Ask) -> str:
        await ask("Go?", bool)

        async def step() -> Any:
            tries.append(1)
            if len(tries) == 1:
                raise RuntimeError("not yet")
            return "done"

        return str(await ask.once("step", step))

    async with modern(mcp) as client:
        first = await call(client, "flaky")
        assert (await retry(client, "flaky", first, yes())).is_error
        assert text_of(await retry(client, "flaky", first, yes())) == "done"


async def test_what_else_failed_in_a_group_that_asks_is_not_hidden_by_the_question() -> None:
    mcp = MCPServer("careless")

    @mcp.tool()
    @askable(resume="replay")
    async def careless(ask: Ask) -> str:
        async def breaks() -> None:
            raise RuntimeError("broken")

        async with anyio.create_task_group() as group:
            group.start_soon(ask, "Inside a group?", bool)
            group.start_soon(breaks)
        return "never"

    async with modern(mcp) as client:
        result = await call(client, "careless")
    assert not isinstance(result, InputRequiredResult)
    assert result.is_error
