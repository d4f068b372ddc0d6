"""The pages in a real Chromium: by keyboard alone, live, and without scripts."""

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest

from askfirst.core.answers import Accepted, Declined
from askfirst.core.fields import Form, TextField
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion
from askfirst.visits import follow_up
from browser import FLAG, TWO, Site, mistakes, opened, whole

if TYPE_CHECKING:
    from playwright import sync_api

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # Playwright's own pipes at its end


def test_nothing_comes_from_elsewhere_and_the_policy_blocks_nothing_of_ours(
    site: Site, page: "sync_api.Page"
) -> None:
    wanted: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: wanted.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    whole(site, page)
    page.wait_for_function("document.querySelector('#f4').size === 8")
    base = re.match(r"http://[^/]+/[^/]+/", page.url)
    assert base is not None
    assert [url for url in wanted if not url.startswith(base[0])] == []
    assert said == []


def test_a_question_is_answered_by_keyboard_alone(site: Site, page: "sync_api.Page") -> None:
    posting = opened(site, page, TWO)
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    press("Enter")
    press("Tab")
    press("Space")
    assert page.get_by_label("Yes", exact=True).is_checked()
    press("Tab")
    page.keyboard.type("Agreed in May")
    press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Send answer"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
    press("Enter")
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted({"confirm": True, "reason": "Agreed in May"})


def test_mistakes_take_the_focus_and_lead_to_their_fields(site: Site, page: "sync_api.Page") -> None:
    mistakes(site, page)
    page.locator("#summary:focus").wait_for()
    assert page.title().startswith("Error: ")
    page.get_by_role("link", name="Environment").click()
    page.locator("#f3-0:focus").wait_for()
    assert page.get_by_label("Days").input_value() == "many"


def test_every_kind_of_field_is_filled_in_and_sent(site: Site, page: "sync_api.Page") -> None:
    posting = whole(site, page)
    page.get_by_label("Reason").fill("Two\nlines")
    page.get_by_label("Yes", exact=True).check()
    page.get_by_label("Choice 1 c1").first.check()
    page.get_by_label("Region").select_option(label="Choice 7 [c7]")
    page.get_by_role("group", name="Tables").get_by_label("Choice 2").check()
    page.get_by_role("group", name="Labels").get_by_label("None of these").check()
    page.get_by_label("First day").fill("2028-02-29")
    moment = page.get_by_role("group", name="Begins")
    moment.get_by_label("Date").fill("2026-12-31")
    moment.get_by_label("Time").fill("18:00")
    assert re.fullmatch(r"[+-]\d\d:\d\d", moment.get_by_label("UTC offset").input_value())
    moment.get_by_label("UTC offset").fill("+01:00")
    page.get_by_label("E-mail").fill("ada@example.org")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted(
        {
            "reason": "Two\nlines",
            "days": 30,
            "tell": True,
            "where": "c1",
            "region": "c7",
            "tables": ["c2"],
            "labels": [],
            "day": "2028-02-29",
            "moment": "2026-12-31T18:00:00+01:00",
            "mail": "ada@example.org",
        }
    )


def test_half_a_date_is_not_taken_for_none(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, FormQuestion("When?", Form((TextField(name="day", title="Day", format="date"),))))
    page.get_by_label("Day").focus()
    page.keyboard.type("12")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("alert").wait_for()


def test_a_long_list_is_shortened_as_one_types(site: Site, page: "sync_api.Page") -> None:
    whole(site, page)
    page.get_by_label("Type to shorten the list").first.fill("choice 13")
    page.get_by_text("1 of 20 are shown").wait_for()
    assert page.locator("#f4 option").all_text_contents() == ["No answer", "Choice 13 [c13]"]
    page.get_by_label("Type to shorten the list").last.fill("choice 13")
    assert page.get_by_role("group", name="Labels").get_by_role("checkbox").count() == 2


def test_a_question_whose_asker_leaves_closes_and_keeps_what_was_typed(
    site: Site, page: "sync_api.Page"
) -> None:
    posting = opened(site, page, TWO)
    page.get_by_label("Reason").fill("half a thought")
    with page.expect_response(re.compile("/events")):
        page.reload()
    page.get_by_label("Reason").fill("half a thought")
    site.withdraw(posting)
    page.get_by_text("The asker has gone").wait_for()
    assert page.get_by_role("button").count() == 0
    assert page.get_by_label("Reason").input_value() == "half a thought"


def test_a_list_shows_a_new_question_by_itself(site: Site, page: "sync_api.Page") -> None:
    with page.expect_response(re.compile("/events")):
        page.goto(site.pages.link())
    site.post(TWO)
    page.get_by_role("link", name="records-admin asks").wait_for()
    assert page.title() == "1 question waits - askfirst"


def test_back_does_not_send_again(site: Site, page: "sync_api.Page") -> None:
    posting = opened(site, page, TWO)
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted({"confirm": False})


def test_without_scripts_everything_works_but_the_news(site: Site, chromium: "sync_api.Browser") -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    posting = whole(site, page)
    page.get_by_role("button", name="Send answer").click()
    assert "There is something to put right" in page.locator("#summary").inner_text()
    page.get_by_label("Reason").fill("why not")
    page.get_by_label("Choice 0 c0").first.check()
    page.get_by_label("Region").select_option("7")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted({"reason": "why not", "days": 30, "where": "c0", "region": "c7"})
    posting = opened(site, page, FLAG)
    page.get_by_role("button", name="Decline").click()
    page.get_by_role("heading", name="You declined").wait_for()
    assert site.answer(posting) == Declined()
    context.close()


def test_another_sites_page_can_neither_post_nor_frame_nor_read(site: Site, page: "sync_api.Page") -> None:
    posting = opened(site, page, TWO)
    address = page.url
    other = page.context.new_page()
    other.route(
        "http://evil.example/", lambda route: route.fulfill(body="<h1>Evil</h1>", content_type="text/html")
    )
    other.goto("http://evil.example/")
    assert (
        other.evaluate("(it) => fetch(it).then((one) => one.text(), () => 'kept out')", address) == "kept out"
    )
    other.evaluate(
        "(src) => document.body.append(Object.assign(document.createElement('iframe'), {src}))", address
    )
    other.evaluate(
        """(address) => {
            const form = Object.assign(document.createElement('form'), {method: 'post', action: address});
            form.innerHTML = '<input name="do" value="decline">';
            document.body.append(form);
            form.submit();
        }""",
        address,
    )
    other.wait_for_url(address)
    assert "not from others" in other.content()
    assert [one.token for one in site.portal.call(site.desk.open)] == [posting.token]


def test_a_link_on_another_sites_page_leads_to_the_question(site: Site, page: "sync_api.Page") -> None:
    """A strict cookie is not sent with a request that another site's page began."""
    link = site.pages.link(site.post(TWO))
    page.route(
        "http://chat.example/",
        lambda route: route.fulfill(body=f'<a href="{link}">Answer</a>', content_type="text/html"),
    )
    page.goto("http://chat.example/")
    page.get_by_role("link").click()
    page.get_by_role("heading", name="records-admin asks").wait_for()
    assert "key=" not in page.url


def test_ten_questions_of_three_servers_are_answered_one_after_the_other(
    site: Site, page: "sync_api.Page"
) -> None:
    servers = ("calendar", "mail", "records")
    postings = [
        site.portal.call(
            partial(site.desk.post, FormQuestion(f"Question {number}", TWO.form), Origin(name), limit=600)
        )
        for number in range(10)
        for name in (servers[number % 3],)
    ]
    page.goto(site.pages.link())
    for name, count in zip(servers, (4, 3, 3), strict=True):
        assert f"{name}: {count} open" in page.locator(".servers").inner_text()
    page.get_by_role("link", name="calendar asks").first.click()
    for number, posting in enumerate(postings):
        page.get_by_role("heading", name=f"{servers[number % 3]} asks").wait_for()
        page.get_by_text(f"Question {number}").wait_for()
        page.get_by_label("Yes", exact=True).check()
        page.get_by_role("button", name="Send answer").click()
        page.get_by_role("heading", name="Answer sent").wait_for()
        assert site.answer(posting) == Accepted({"confirm": True})
        if number < 9:
            page.get_by_role("link", name="Next question").click()
    assert "Nothing else waits for you." in page.locator("main").inner_text()


def test_who_types_too_much_is_told_so(site: Site, page: "sync_api.Page") -> None:
    page.goto(site.pages.link(site.post(FormQuestion("Why?", Form((TextField(name="why"),))))))
    # Not in a box that can be seen: drawing it takes longer than sending it.
    page.locator("[name=csrf]").evaluate(
        """box => {
            const much = Object.assign(document.createElement("input"), {type: "hidden", name: "f0"});
            much.value = "x".repeat(5e6);
            box.before(much);
        }"""
    )
    page.get_by_role("button", name="Send answer").click()
    page.get_by_text("The answer is larger than the 1024 KiB that are taken here").wait_for()


def test_what_is_typed_outlives_a_server_that_stops(site: Site, page: "sync_api.Page") -> None:
    question = FormQuestion("Why?", Form((TextField(name="why"),)))
    page.goto(site.pages.link(site.post(question)))
    page.locator("textarea").fill("Because")
    page.route("**/*", lambda route: route.abort())  # what a browser makes of a port where nobody listens
    site.portal.call(site.pages.stop)
    gone = page.get_by_text("The desk can't be reached: whoever asked may have gone.")
    gone.wait_for()
    page.get_by_role("button", name="Send answer").click()
    assert page.locator("textarea").input_value() == "Because"
    gone.wait_for()


def test_a_desk_that_comes_back_is_answered_at(site: Site, page: "sync_api.Page") -> None:
    question = FormQuestion("Why?", Form((TextField(name="why"),)))
    posting = site.post(question)
    page.goto(site.pages.link(posting))
    page.locator("textarea").fill("Because")
    page.route("**/*", lambda route: route.abort())
    site.post(question)
    gone = page.get_by_text("The desk can't be reached")
    gone.wait_for()
    page.unroute_all()
    site.post(question)
    gone.wait_for(state="hidden")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted({"why": "Because"})


def test_the_button_for_the_end_of_a_visit_comes_and_goes_with_who_waits_for_it(
    site: Site, page: "sync_api.Page"
) -> None:
    visit = UrlQuestion("Sign in", "https://accounts.example.org/login")
    posting = site.post(visit, call="sign in")
    page.goto(site.pages.link(posting))
    page.get_by_role("button", name="Agree to visit").click()
    page.get_by_role("heading", name="You agreed to the visit").wait_for()
    button = page.get_by_role("button", name="I have finished")
    for _ in range(2):
        button.wait_for(state="hidden")
        follow = site.post(follow_up(visit), call="sign in")
        button.wait_for()
        site.withdraw(follow)
    button.wait_for(state="hidden")
    follow = site.post(follow_up(visit), call="sign in")
    button.dblclick()
    page.get_by_text("was told that you have finished").wait_for()
    assert site.answer(follow) == Accepted({})
