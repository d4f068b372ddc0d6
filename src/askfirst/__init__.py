"""Ask the person: MCP elicitation that reaches someone in every protocol era.

The public names and nothing else. Each is looked up on first use: importing this does nothing, fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client.callback import elicitation_callback
    from .client.chain import Chain
    from .client.connecting import connect
    from .client.policy import Policy
    from .client.terminal import Terminal
    from .core.answers import Accepted, Answer, Cancelled, Declined
    from .core.derive import form
    from .core.errors import AskfirstError, NobodyAsked
    from .core.marks import Titles
    from .local import local_desk
    from .mounted import mounted_desk
    from .server.asking import Ask
    from .server.filling import Fill
    from .server.mcpserver import askable
    from .server.settings import Asking

__version__ = "0.1.0"

__all__ = [
    "Accepted",
    "Answer",
    "Ask",
    "AskfirstError",
    "Asking",
    "Cancelled",
    "Chain",
    "Declined",
    "Fill",
    "NobodyAsked",
    "Policy",
    "Terminal",
    "Titles",
    "askable",
    "connect",
    "elicitation_callback",
    "form",
    "local_desk",
    "mounted_desk",
]

_HOMES = {
    "Accepted": "core.answers",
    "Answer": "core.answers",
    "Ask": "server.asking",
    "AskfirstError": "core.errors",
    "Asking": "server.settings",
    "Cancelled": "core.answers",
    "Chain": "client.chain",
    "Declined": "core.answers",
    "Fill": "server.filling",
    "NobodyAsked": "core.errors",
    "Policy": "client.policy",
    "Terminal": "client.terminal",
    "Titles": "core.marks",
    "askable": "server.mcpserver",
    "connect": "client.connecting",
    "elicitation_callback": "client.callback",
    "form": "core.derive",
    "local_desk": "local",
    "mounted_desk": "mounted",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
