"""Fill in what the model can't know, and confirm what can't be undone.

Run it:  askfirst call examples/deploy.py deploy service=shop version=1.4.0
"""

from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer

from askfirst import Accepted, Ask, Declined, Fill, askable

mcp = MCPServer("deployer")

running: dict[tuple[str, str], str] = {}


@mcp.tool()
@askable
async def deploy(
    service: str,
    version: str,
    environment: Annotated[Literal["staging", "production"], Fill("Which environment?")],
    ask: Ask,
) -> str:
    """Deploy a version of a service. Production is confirmed by the user."""
    if environment == "production":
        answer = await ask.confirm(
            f"Deploy {service} {version} to production?",
            detail={
                "service": service,
                "version": version,
                "now running": running.get((service, environment), "nothing"),
            },
        )
        if not isinstance(answer, Accepted):
            said = "declined" if isinstance(answer, Declined) else "did not answer"
            return f"The user {said}. Nothing was deployed."
    running[service, environment] = version
    return f"{service} {version} now runs in {environment}."


if __name__ == "__main__":
    mcp.run()
