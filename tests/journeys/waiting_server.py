"""A server whose tools wait for the desk: one that pauses, one that is replayed. Run over stdio."""

import os
from pathlib import Path

from mcp.server.mcpserver import MCPServer

from askfirst import Ask, Asking, askable

if "PID_FILE" in os.environ:
    Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))

ASKING = Asking(hold=float(os.environ.get("HOLD", "50")))
STARTED: dict[str, int] = {}
mcp = MCPServer(os.environ.get("NAME", "waiting"))


@mcp.tool()
@askable(asking=ASKING)
async def pause(name: str, ask: Ask) -> str:
    """Ask, and wait in place."""
    STARTED[name] = STARTED.get(name, 0) + 1
    answer = await ask(f"Go on with {name}?", bool)
    return f"{name}: {answer.action}, started {STARTED[name]} time(s)"


@mcp.tool()
@askable(asking=ASKING)
async def both(name: str, ask: Ask) -> str:
    """Ask two things at once, and wait in place."""
    answers = await ask.together(one=(f"One of {name}?", bool), two=(f"Two of {name}?", bool))
    return f"{name}: {answers['one'].action} {answers['two'].action}"


@mcp.tool()
@askable(asking=ASKING, resume="replay")
async def replay(name: str, ask: Ask) -> str:
    """Ask in the middle, and begin again from the top."""

    def charge() -> int:
        count = Path(os.environ["RECORDS_DB"]).with_name("charged")
        count.write_text(f"{count.read_text() if count.exists() else ''}x")
        return len(count.read_text())

    charged = await ask.once("charge", charge)
    answer = await ask(f"Go on with {name}?", bool)
    return f"{name}: {answer.action}, charged {charged} time(s)"


if __name__ == "__main__":
    mcp.run()
