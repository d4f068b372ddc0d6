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

__all__ = ["finish", "follow_up"]


def follow_up(visit: UrlQuestion) -> FormQuestion:
    """The question that is on the desk while an asker waits for the end of a visit; accepting it says that it ended."""
    return FormQuestion(f"Have you finished at {visit.url}?", Form())


async def finish(desk: Desk, posting: Posting) -> None:
    """The person says that they have finished what the url question of `posting` sent them to.

    Raises:
        NotOnDesk: Nobody waits for that, or nobody any more.
    """
    if isinstance(posting.question, UrlQuestion) and posting.call:
        wanted = digest(follow_up(posting.question))
        for one in await desk.of_call(posting.call):
            if one.digest == wanted and one.status is Status.OPEN:
                settled = await desk.answer(one.token, wanted, Accepted({}), by=posting.asked_of)
                if settled.accepted:
                    return
    raise NotOnDesk("nobody waits for the end of this visit")
