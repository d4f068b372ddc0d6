"""The desk's pages as a browser sees them: a site with its questions, and the ways to each of its pages."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.from_thread import BlockingPortal

from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.postings import Posting
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion
from askfirst.desk import Desk
from askfirst.web.serving import Served

if TYPE_CHECKING:
    from playwright import sync_api

AXE = Path(__file__).parent / "peers" / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = Path("/usr/bin/chromium")

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
ORIGIN = Origin(
    "records-admin", claimed="Records Admin Pro", tool="delete_stale_records", revision="2025-11-25"
)
MANY = tuple(Choice(f"c{number}", f"Choice {number}") for number in range(20))
EVERY_KIND = FormQuestion(
    "Fill in everything",
    Form(
        (
            TextField(
                name="reason", title="Reason", description="For the log", required=True, max_length=500
            ),
            NumberField(name="days", title="Days", integer=True, minimum=1, maximum=365, default=30),
            FlagField(name="tell", title="Tell the team?"),
            ChoiceField(name="where", title="Environment", choices=MANY[:3], required=True),
            ChoiceField(name="region", title="Region", choices=MANY),
            ChoicesField(name="tables", title="Tables", choices=MANY[:3], min_items=1, max_items=2),
            ChoicesField(name="labels", title="Labels", choices=MANY),
            TextField(name="day", title="First day", format="date"),
            TextField(name="moment", title="Begins", format="date-time"),
            TextField(name="mail", title="E-mail", format="email"),
            TextField(name="ticket", title="Ticket", max_length=20),
        )
    ),
)
TWO = FormQuestion(
    "Permanently delete 4,128 rows from users?",
    Form(
        (
            FlagField(name="confirm", title="Delete them", required=True),
            TextField(name="reason", title="Reason"),
        )
    ),
)
FLAG = FormQuestion("Delete 4,128 rows?", Form((FlagField(name="confirm", title="Delete", required=True),)))
VISIT = UrlQuestion("Sign in", "http://login.example@xn--80ak6aa92e.com:8443/authorize?client=askfirst")
SECRET = FormQuestion(
    "Token of the billing service", Form((TextField(name="token", title="Token", required=True),))
)
FISHING = FormQuestion("Log in to go on", Form((TextField(name="password", required=True),)))


class Site:
    """A desk with its pages, run in a thread beside the browser."""

    def __init__(self, portal: BlockingPortal, desk: Desk, pages: Served) -> None:
        self.portal = portal
        self.desk = desk
        self.pages = pages

    def post(
        self, question: Question, *, limit: float = 840, secret: bool = False, call: str = ""
    ) -> Posting:
        arguments = [("table", "users"), ("older_than_days", "90")]
        return self.portal.call(
            partial(
                self.desk.post, question, ORIGIN, limit=limit, arguments=arguments, secret=secret, call=call
            )
        )

    def answer(self, posting: Posting) -> object:
        return self.portal.call(self.desk.wait, posting.token)

    def open(self) -> tuple[Posting, ...]:
        return self.portal.call(self.desk.open)

    def withdraw(self, posting: Posting) -> None:
        self.portal.call(self.desk.withdraw, posting.token)


def opened(
    site: Site, page: "sync_api.Page", question: Question, *, secret: bool = False, call: str = ""
) -> Posting:
    posting = site.post(question, secret=secret, call=call)
    page.goto(site.pages.link(posting))
    return posting


def a_list(site: Site, page: "sync_api.Page") -> None:
    for question in (TWO, VISIT):
        site.post(question)
    site.post(FLAG, limit=90)
    page.goto(site.pages.link())


def muted(site: Site, page: "sync_api.Page") -> None:
    a_list(site, page)
    page.get_by_role("button", name="Mute").click()
    page.get_by_text("further questions are refused").wait_for()


def closed(site: Site, page: "sync_api.Page") -> None:
    site.withdraw(site.post(TWO))
    page.goto(site.pages.link())
    page.get_by_role("link", name="Closed").click()


def whole(site: Site, page: "sync_api.Page") -> Posting:
    """A form with a page for each field, all of them on one."""
    posting = opened(site, page, EVERY_KIND)
    page.get_by_role("button", name="on one page").click()
    page.get_by_role("button", name="Send answer").wait_for()
    return posting


def a_step(site: Site, page: "sync_api.Page", number: int = 2) -> Posting:
    posting = opened(site, page, EVERY_KIND)
    page.goto(f"{page.url.rpartition('/')[0]}/{number}")
    return posting


def a_wrong_step(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, EVERY_KIND)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("alert").wait_for()


def all_reviewed(site: Site, page: "sync_api.Page") -> Posting:
    posting = opened(site, page, EVERY_KIND)
    for number in range(1, 12):
        page.get_by_text(f"Question {number} of 11").wait_for()
        if number == 1:
            page.get_by_label("Reason").fill("Two\nlines")
        if number == 4:
            page.get_by_label("Choice 1").check()
        page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Check before you send").wait_for()
    return posting


def mistakes(site: Site, page: "sync_api.Page") -> None:
    whole(site, page)
    page.get_by_label("Days").fill("many")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("alert").wait_for()


def review(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, FLAG)
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Check before you send").wait_for()


def sent(site: Site, page: "sync_api.Page") -> None:
    review(site, page)
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()


def agreed(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, VISIT)
    page.get_by_role("button", name="Agree").click()
    page.get_by_role("link", name="Open xn--80ak6aa92e.com").wait_for()


def gone(site: Site, page: "sync_api.Page") -> None:
    posting = whole(site, page)
    page.wait_for_load_state()
    site.withdraw(posting)
    page.get_by_text("The asker has gone").wait_for()


def given_back(site: Site, page: "sync_api.Page") -> None:
    all_reviewed(site, page)
    page.get_by_role("link", name="Change Days").click()
    page.get_by_text("Question 2 of 11").wait_for()
    site.withdraw(site.open()[0])
    page.get_by_role("link", name="See what you typed").click()
    page.get_by_role("heading", name="it was not sent").wait_for()


def nothing(site: Site, page: "sync_api.Page") -> None:
    page.goto(site.pages.link())
    page.goto(f"{page.url}q/nothing")


def a_long_one(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, FormQuestion("word " * 900 + "x" * 400, Form((FlagField(name="y" * 90),))))


PAGES: dict[str, Callable[[Site, "sync_api.Page"], object]] = {
    "empty list": lambda site, page: page.goto(site.pages.link()),
    "list": a_list,
    "muted": muted,
    "closed": closed,
    "every kind": whole,
    "first step": partial(opened, question=EVERY_KIND),
    **{f"step {number}": partial(a_step, number=number) for number in (3, 5, 7, 9)},
    "wrong step": a_wrong_step,
    "all reviewed": all_reviewed,
    "mistakes": mistakes,
    "two fields": partial(opened, question=TWO),
    "confirmation": partial(opened, question=FLAG),
    "no fields": partial(opened, question=FormQuestion("Restart?", Form())),
    "review": review,
    "sent": sent,
    "visit": partial(opened, question=VISIT),
    "agreed": agreed,
    "secret": partial(opened, question=SECRET, secret=True),
    "fishing": partial(opened, question=FISHING),
    "long": a_long_one,
    "gone": gone,
    "given back": given_back,
    "nothing": nothing,
}
