"""Choose among several: the model knows a first name, the person knows who is meant.

Run it:  askfirst call examples/meeting.py schedule name=Chris
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Fill, askable

mcp = MCPServer("calendar")


@dataclass(frozen=True)
class Person:
    name: str
    team: str
    address: str


PEOPLE = [
    Person("Chris Park", "Sales", "chris.park@example.com"),
    Person("Chris Ito", "Legal", "chris.ito@example.com"),
    Person("Chris Abara", "Research", "chris.abara@example.com"),
    Person("Dana Wolf", "Sales", "dana.wolf@example.com"),
]


@mcp.tool()
@askable
async def schedule(
    name: str, when: Annotated[datetime, Fill("When should the meeting start?")], ask: Ask
) -> str:
    """Schedule a meeting with somebody by first name."""
    found = [person for person in PEOPLE if person.name.split()[0].casefold() == name.casefold()]
    if not found:
        return f"Nobody here is called {name}."
    person = found[0]
    if len(found) > 1:
        answer = await ask.choose(f"Which {name}?", {f"{one.name}, {one.team}": one for one in found})
        if not isinstance(answer, Accepted):
            return "Nobody was chosen. Nothing was scheduled."
        person = answer.data
    return f"Invited {person.name} <{person.address}> for {when:%A, %d %B %Y at %H:%M}."


if __name__ == "__main__":
    mcp.run()
