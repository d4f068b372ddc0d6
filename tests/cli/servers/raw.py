"""A server in nothing but JSON lines, which can break the protocol; it starts at once.

    python raw.py [HOW] [FIFO]

HOW is what it does wrong before a call (`silent`, `crash`, `garbage`, `bytes`, `revision`, `hello`, `list`), or `well`,
or `hologram`: it asks in a mode that there is not, or `modern`: it speaks 2026-07-28, and its results do not say that
they are complete. Its process id goes to FIFO as soon as it is up, and "called" when the tool `hang` is called.
"""

import json
import os
import sys
from typing import Any

HOW = sys.argv[1] if len(sys.argv) > 1 else "well"
FIFO = sys.argv[2] if len(sys.argv) > 2 else None

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
PAGES = {
    None: (["hang", "crash", "refuse"], "two"),
    "two": (["nonsense", "huge", "ask", "environment"], "three"),
    "three": (["\x1b[2Jevil"], None),
}


def tell(word: str) -> None:
    if FIFO:
        with open(FIFO, "w") as fifo:
            fifo.write(word + "\n")


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


CACHE = {"cacheScope": "private", "ttlMs": 0}


def words(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def call(request: dict[str, Any]) -> None:
    number, tool = request["id"], request["params"]["name"]
    if tool == "hang":
        tell("called")
    elif tool == "crash":
        print("last words", file=sys.stderr)
        sys.exit(3)
    elif tool == "nonsense":
        send(id=number, result={"content": "none"})
    elif tool == "huge":
        send(id=number, result=words("x" * 5_000_000))
    elif tool == "ask":
        asked = {"message": "Really?", **({"mode": "hologram"} if HOW == "hologram" else {})}
        send(id="q", method="elicitation/create", params=asked)
        said = json.loads(sys.stdin.readline())
        send(id=number, result=words("error" if "error" in said else said["result"]["action"]))
    elif tool == "environment":
        send(id=number, result=words(json.dumps(dict(os.environ))))
    else:
        send(id=number, error={"code": -32000 - 50, "message": f"no {tool}\x1b[2J"})


def modern(request: dict[str, Any]) -> None:
    number, params = request["id"], request["params"]
    match request["method"]:
        case "server/discover":
            said = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **CACHE}
            send(id=number, result=said)
        case "tools/list":
            tools = [{"name": name, "inputSchema": SCHEMA} for name in ("ask", "odd", "infinite")]
            send(id=number, result={"tools": tools, **CACHE})
        case "tools/call" if params["name"] == "odd":
            send(id=number, result={**words("done"), "resultType": "b\x1b[2Janana"})
        case "tools/call" if params["name"] == "infinite":
            send(id=number, result={"content": [], "structuredContent": {"a": [float("inf"), 1.5]}})
        case "tools/call" if answers := params.get("inputResponses"):
            send(id=number, result=words(answers["q"]["action"]))
        case "tools/call":
            asked = {
                "method": "elicitation/create",
                "params": {"message": "Really?"},
            }
            send(id=number, result={"resultType": "input_required", "inputRequests": {"q": asked}})


def serve() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if HOW == "modern":
            modern(request)
            continue
        match request.get("method"):
            case "initialize":
                version = "x\x1b[2Jy" if HOW == "revision" else request["params"]["protocolVersion"]
                info = {"name": "raw", "version": "1"}
                result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
                send(id=request["id"], result={} if HOW == "hello" else result)
            case "tools/list" if HOW == "list":
                send(id=request["id"], result={"tools": 3})
            case "tools/list":
                names, cursor = PAGES[request.get("params", {}).get("cursor")]
                tools = [{"name": name, "inputSchema": SCHEMA} for name in names]
                send(id=request["id"], result={"tools": tools} | ({"nextCursor": cursor} if cursor else {}))
            case "tools/call":
                call(request)
            case _ if "id" in request and "method" in request:
                send(id=request["id"], error={"code": -32601, "message": "unknown method"})


if __name__ == "__main__":
    tell(str(os.getpid()))
    if HOW == "crash":
        sys.exit("the \x1b[2Jdisk is full")
    if HOW == "garbage":
        print("Welcome to my server!", flush=True)
    if HOW == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    if HOW in ("silent", "garbage", "bytes"):
        sys.stdin.read()
    else:
        serve()
