"""A server's tools, for a person: names, arguments, the first line of what they are for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from askfirst.core.hygiene import plain

from .reporting import to_json
from .shapes import shapes, words

if TYPE_CHECKING:
    from mcp_types import Tool

__all__ = ["as_json", "as_text"]


def as_json(tools: Sequence["Tool"]) -> str:
    """The protocol's list, all pages in one."""
    listed = [
        tool.model_dump(by_alias=True, mode="json", exclude_none=True, exclude_unset=True) for tool in tools
    ]
    return to_json({"tools": listed})


def as_text(tools: Sequence["Tool"]) -> str:
    """One paragraph for each tool. Everything in it is the server's, and made plain."""
    return "\n\n".join("\n".join(_tool(tool)) for tool in tools)


def _tool(tool: "Tool") -> Iterator[str]:
    title = _first_line(tool.title or "")
    yield _line(tool.name) + (f"  ({title})" if title and title != tool.name else "")
    purpose = _first_line(tool.description or "")
    if purpose:
        yield f"    {purpose}"
    schema: Mapping[str, object] = tool.input_schema
    properties = schema.get("properties")
    required = schema.get("required")
    for name, one in properties.items() if isinstance(properties, dict) else ():
        yield f"    {_argument(name, one if isinstance(one, dict) else {}, schema, required)}"


def _argument(name: str, one: Mapping[str, object], schema: Mapping[str, object], required: object) -> str:
    needed = isinstance(required, list) and name in required
    about = _first_line(one["description"]) if isinstance(one.get("description"), str) else ""
    kinds = _line(words(shapes(one, schema)))
    return f"{_line(name)}: {kinds}" + ("" if needed else " (optional)") + (f"; {about}" if about else "")


def _first_line(text: object) -> str:
    lines = plain(str(text)).strip().splitlines()
    return lines[0].strip() if lines else ""


def _line(text: str) -> str:
    return plain(text, keep_newlines=False)
