"""`askfirst remembered list|forget`: answers that are kept so that nobody is asked twice."""

import json
from pathlib import Path

import click

from askfirst.core.hygiene import plain

from .failure import Failure
from .options import json_option
from .storing import look_at_desk, on_desk, store_option

__all__ = ["remembered"]


@click.group(short_help="Answers kept for the next time.")
def remembered() -> None:
    """Answers that are kept so that a server need not ask again. Secrets are never among them."""


@remembered.command(name="list", short_help="List what is remembered, without the answers.")
@store_option
@json_option()
def list_(store: Path | None, as_json: bool) -> None:
    """List what is remembered: server, key, and the user where one is known. Never the answers themselves."""
    found = look_at_desk(store, lambda desk: desk.remembered())
    if as_json:
        listed = [{"server": at.server, "user": at.user, "key": key} for at, key in found]
        click.echo(json.dumps(listed, indent=2))
    elif not found:
        click.echo("askfirst: nothing is remembered", err=True)
    for scope, key in () if as_json else found:
        texts = (scope.server, key, scope.user)
        click.echo("  ".join(plain(text, keep_newlines=False) for text in texts if text))


@remembered.command(short_help="Forget an answer: the next time it is asked again.")
@click.argument("server")
@click.argument("key")
@click.option("--user", default="", metavar="USER", help="Whose answer, where users are known.")
@store_option
def forget(server: str, key: str, user: str, store: Path | None) -> None:
    """Forget the answer that SERVER keeps under KEY: the next time it is asked again."""
    from askfirst.core.postings import Scope

    if not on_desk(store, lambda desk: desk.forget(Scope(server, user), key)):
        raise Failure("nothing like that is remembered; `askfirst remembered list` shows what is")
