"""Three settings in one form on first use, kept for later.

Run it:  askfirst call examples/onboarding.py weekly_report
"""

import json
import os
import tempfile
from enum import Enum
from typing import Annotated

from anyio import Path
from mcp.server.mcpserver import MCPServer
from pydantic import AnyUrl, BaseModel, Field

from askfirst import Accepted, Ask, Cancelled, Declined, Titles, askable, form

mcp = MCPServer("reports")

SETTINGS = Path(
    os.environ.get("REPORT_SETTINGS") or Path(tempfile.mkdtemp(prefix="reports-")) / "settings.json"
)


class Weekday(Enum):
    MONDAY = "mon"
    FRIDAY = "fri"


@form
class Settings(BaseModel):
    """What a report needs to know about its reader."""

    post_to: AnyUrl = Field(title="To which address should reports be posted?")
    day: Annotated[Weekday, Titles({Weekday.MONDAY: "Monday morning", Weekday.FRIDAY: "Friday evening"})] = (
        Field(default=Weekday.MONDAY, title="On which day?")
    )
    most_rows: int = Field(default=20, ge=1, le=500, title="How many rows at most?")


@mcp.tool()
@askable
async def weekly_report(ask: Ask) -> str:
    """Prepare the weekly report; asks for three settings the first time."""
    if await SETTINGS.exists():
        settings = Settings.model_validate_json(await SETTINGS.read_text())
    else:
        match await ask("Before the first report: how do you want it?", Settings):
            case Accepted(settings):
                await SETTINGS.write_text(json.dumps(settings.model_dump(mode="json")))
            case Declined():
                return "No settings, no report: the user declined."
            case Cancelled():
                return "No settings yet; the question comes again next time."
    return f"Report with at most {settings.most_rows} rows is posted to {settings.post_to} every {settings.day.value}."


if __name__ == "__main__":
    mcp.run()
