"""Templates with their values filled in. All text is escaped; a name that is not given is a fault."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jinja2

__all__ = ["STATIC", "render"]

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
