"""Templates with their values filled in. All text is escaped; a name that is not given is a fault."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from .access import Session
from .visitors import Visitors

__all__ = ["STATIC", "Printer", "render"]

_HERE: Final = Path(__file__).parent

STATIC: Final = _HERE / "static"
"""The folder of the style sheet and the script."""

_templates: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def render(name: str, values: Mapping[str, object]) -> str:
    """The page of that template."""
    return _templates.get_template(name).render(values)


class Printer:
    """Makes the pages that somebody in particular sees."""

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors

    def page(
        self, request: Request, name: str, session: Session, status: int = 200, /, **values: object
    ) -> Response:
        """The page of that template, for that session."""
        common = {
            "root": self._visitors.access.root,
            "csrf": session.csrf,
            "lists": self._visitors.has_list(session),
        }
        response = HTMLResponse(render(name, common | values), status)
        self._visitors.keep(request, response)
        return response
