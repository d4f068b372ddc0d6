"""`askfirst tools SERVER`: what a server can do."""

import os
from typing import TYPE_CHECKING, Any

import click

from .answering import whoever_is_here
from .options import read_reach, server_options

if TYPE_CHECKING:
    from mcp_types import Tool

    from .connection import Connected

__all__ = ["tools"]


@click.command(short_help="List a server's tools with their arguments.")
@click.argument("server")
@server_options
@click.pass_context
def tools(context: click.Context, /, as_json: bool, **_options: Any) -> None:
    """List the tools of SERVER with their arguments."""
    reach = read_reach(context, os.environ)

    from . import listing
    from .connection import use

    async def work(connected: "Connected") -> "list[Tool]":
        return await connected.tools()

    # Some servers have tools only for clients that can be asked: the list is that of a call from the same place.
    found = use(reach, work, answerer=whoever_is_here())
    if as_json:
        click.echo(listing.as_json(found))
    elif found:
        click.echo(listing.as_text(found))
    else:
        click.echo("askfirst: the server has no tools", err=True)
