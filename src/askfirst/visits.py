"""Visits to a page, on the desk: a url question and the one that follows it, "have you finished there?".

What follows is a question like any other. So it may be answered in whichever process shows it, by a page's "I have
finished" button as by whatever else shows questions, and it leaves the desk when nobody waits for it any more.
"""

from askfirst.core.answers import Accepted
from askfirst.core.errors import NotOnDesk
from askfirst.core.fields import Form
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, UrlQuestion, digest
from askfirst.desk import Desk

__all__ = ["finish", "follow_up", "waits"]


def follow_up(visit: UrlQuestion) -> FormQuestion:
    """The question that is on the desk while an asker waits for the end of a visit; accepting it says that it ended."""
    return FormQuestion(f"Have you finished at {visit.url}?", Form())


async def waits(desk: Desk, posting: Posting) -> bool:
    """Whether somebody waits to be told that the visit which `posting` asks for has ended."""
    return await _open_follow_up(desk, posting) is not None


async def finish(desk: Desk, posting: Posting) -> None:
    """The person says that they have finished what the url question of `posting` sent them to.

    Raises:
        NotOnDesk: Nobody waits for that, or nobody any more.
    """
    while (one := await _open_follow_up(desk, posting)) is not None:
        if (await desk.answer(one.token, one.digest, Accepted({}), by=posting.asked_of)).accepted:
            return
    raise NotOnDesk("nobody waits for the end of this visit")


async def _open_follow_up(desk: Desk, posting: Posting) -> Posting | None:
    if not isinstance(posting.question, UrlQuestion) or not posting.call:
        return None
    wanted = digest(follow_up(posting.question))
    for one in await desk.of_call(posting.call):
        if one.digest == wanted and one.asked_of == posting.asked_of and one.status is Status.OPEN:
            return one
    return None
