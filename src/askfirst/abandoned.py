"""What a process that is gone has left on the desk: questions that only it could use the answers of."""

from askfirst.core.postings import Posting, Status
from askfirst.desk import Desk
from askfirst.tokens import new_token

__all__ = ["clear", "is_abandoned"]


async def is_abandoned(desk: Desk, posting: Posting) -> bool:
    """Whether a question is open that was held by a process which is gone: nobody can use its answer any more."""
    if posting.status is not Status.OPEN or not posting.held:
        return False
    looker = new_token()
    try:
        return await desk.claim(posting.token, looker)
    finally:
        await desk.release(posting.token, looker)


async def clear(desk: Desk, call: str) -> tuple[Posting, ...]:
    """Take off the desk what processes that are gone held of a call (`Desk.post`), answers included.

    Gives the postings as they were found, without content. Of several who look at once one gets each.
    """
    looker = new_token()
    tokens = [one.token for one in await _unused(desk, call)]
    try:
        free = [token for token in tokens if await desk.claim(token, looker)]
        # Who lives takes or withdraws a posting before they let go of it: then it is not in this second look.
        left = tuple([one for one in await _unused(desk, call) if one.token in free])
        for one in left:
            await desk.withdraw(one.token)
        return left
    finally:
        for token in tokens:
            await desk.release(token, looker)


async def _unused(desk: Desk, call: str) -> list[Posting]:
    return [one for one in await desk.of_call(call) if one.status in (Status.OPEN, Status.ANSWERED)]
