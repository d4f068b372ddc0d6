"""One request's time with a call: it lasts until the body asks or ends, or until the client's own limit is near."""

import asyncio
from typing import TypeVar

from askfirst.core.fallback import waiting_notice
from askfirst.ports import Peer

from .desking import HEARTBEAT
from .paused import PausedCall
from .rounds import Asks, Done, Waits

__all__ = ["attend"]

T = TypeVar("T")


async def attend(call: PausedCall[T], peer: Peer, hold: float) -> Asks | Done[T] | Waits:
    """Serve a call from one request.

    Args:
        call: The call.
        peer: The client of this request.
        hold: Seconds to wait for a person at the desk before the client is told to call again.

    Raises:
        LostCall: The call was ended meanwhile. Whatever the body raises is raised here.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + hold
    with call.attended(peer):
        while True:
            outcome = await call.round(min(HEARTBEAT, max(0.0, until - clock())))
            if not isinstance(outcome, Waits) or clock() >= until:
                return outcome
            await peer.progress(waiting_notice(outcome.notices))
