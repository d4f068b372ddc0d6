"""Visits to a page, on the desk: a url question and the one that follows it, "have you finished there?".

What follows is a question like any other. So it may be answered in whichever process shows it, by a page's "I have
finished" button as by whatever else shows questions, and it leaves the desk when nobody waits for it any more.
"""

from typing import Final

from askfirst.core.answers import Accepted
from askfirst.core.errors import NotOnDesk
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, UrlQuestion, digest
from askfirst.desk import Desk

__all__ = ["finish", "follow_up", "waits"]

_MOMENT: Final = 60.0
"""Seconds that a question may stay open which is answered as soon as it is posted."""


def follow_up(visit: UrlQuestion) -> FormQuestion:
    """The question that is on the desk while an asker waits for the end of a visit; accepting it says that it ended."""
    return FormQuestion(f"Have you finished at {visit.url}?", Form())


async def waits(desk: Desk, posting: Posting) -> bool:
    """Whether somebody wants to be told that the visit which `posting` asks for has ended."""
    return await _open_follow_up(desk, posting) is not None or await _is_heard_later(desk, posting)


async def finish(desk: Desk, posting: Posting) -> bool:
    """The person says that they have finished what the url question of `posting` sent them to.

    Where nobody asks that at the moment, and the call may still be gone on with, it is kept for then, as the question
    and its answer: False.

    Raises:
        NotOnDesk: Nobody waits for that, or nobody any more.
        NobodyAsked: It can't be kept: the server is muted, or has too many open questions.
    """
    while (one := await _open_follow_up(desk, posting)) is not None:
        if await _say_so(desk, one):
            return True
    if not await _is_heard_later(desk, posting):
        raise NotOnDesk("nobody waits for the end of this visit")
    assert isinstance(posting.question, UrlQuestion)
    asked = await desk.post(
        follow_up(posting.question),
        posting.origin,
        limit=_MOMENT,
        call=posting.call,
        asked_of=posting.asked_of,
        arguments=posting.arguments,
    )
    return False if await _say_so(desk, asked) else await finish(desk, posting)


async def _say_so(desk: Desk, one: Posting) -> bool:
    return (await desk.answer(one.token, one.digest, Accepted({}), by=one.asked_of)).accepted


async def _open_follow_up(desk: Desk, posting: Posting) -> Posting | None:
    for one in await _follow_ups(desk, posting):
        if one.status is Status.OPEN:
            return one
    return None


async def _is_heard_later(desk: Desk, posting: Posting) -> bool:
    """Whether the next run of the call asks for the end of this visit, and nothing is on the desk for it yet.

    A call that is held has no next run: it asks as long as it lives.
    """
    if posting.held or not posting.call:
        return False
    agreed = [one for one in await desk.of_call(posting.call) if _is_agreed(one, posting)]
    asked = [one for one in await _follow_ups(desk, posting) if one.status is not Status.EXPIRED]
    return posting.token in [one.token for one in agreed] and len(asked) < len(agreed)


def _is_agreed(one: Posting, like: Posting) -> bool:
    """Whether this is a visit of the same kind that the person agreed to and the asker wants to hear of."""
    visit, same = one.question, like.question
    return (
        isinstance(visit, UrlQuestion)
        and isinstance(same, UrlQuestion)
        and (visit.url, one.asked_of) == (same.url, like.asked_of)
        and visit.awaited
        and isinstance(one.answer, Accepted)
    )


async def _follow_ups(desk: Desk, posting: Posting) -> list[Posting]:
    if not isinstance(posting.question, UrlQuestion) or not posting.call:
        return []
    wanted = digest(follow_up(posting.question))
    return [
        one
        for one in await desk.of_call(posting.call)
        if one.digest == wanted and one.asked_of == posting.asked_of
    ]
