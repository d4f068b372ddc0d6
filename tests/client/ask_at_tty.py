"""Asks at the process's own terminal, and says what came: the answer, and what is left on stdin."""

import sys

import anyio

from askfirst.client.terminal import Terminal
from askfirst.core.fields import Form, TextField
from askfirst.core.questions import FormQuestion, Origin


async def main(plain: bool) -> None:
    question = FormQuestion("Tell", Form((TextField(name="text", required=True),)))
    answer = await Terminal(plain=plain).answer(question, Origin("mine"), None)
    print("ANSWER", answer.action, getattr(answer, "data", None), "STDIN", sys.stdin.read())


if __name__ == "__main__":
    anyio.run(main, sys.argv[1] == "lines")
