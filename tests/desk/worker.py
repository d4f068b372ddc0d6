"""Posts and answers until it is killed. Each line on stdout is something the desk has acknowledged by then.

python worker.py FILE NAME
"""

import sys
from pathlib import Path

import anyio

from askfirst.core.answers import Accepted
from askfirst.core.fields import Form, NumberField
from askfirst.core.questions import FormQuestion, Origin
from askfirst.desk import Desk
from askfirst.stores.sqlite import SqliteStore

QUESTION = FormQuestion("Which?", Form((NumberField(name="number", integer=True),)))


async def main(file: str, name: str) -> None:
    desk = Desk(SqliteStore(Path(file)), most_open=10_000)
    number = 0
    while True:
        posting = await desk.post(QUESTION, Origin(name), limit=3600, call=f"{name} {number}")
        print("posted", posting.token, number, flush=True)
        if number % 2:
            settled = await desk.answer(posting.token, posting.digest, Accepted({"number": number}))
            assert settled.accepted
            print("answered", posting.token, number, flush=True)
        number += 1


anyio.run(main, *sys.argv[1:])
