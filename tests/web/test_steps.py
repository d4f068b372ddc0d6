"""A form with a page for each field, and what is typed into any form, in a real Chromium: Back, Reload, and live."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from askfirst.core.answers import Accepted
from askfirst.core.fields import Form, TextField
from askfirst.core.questions import FormQuestion, UrlQuestion
from askfirst.visits import follow_up
from browser import EVERY_KIND, FLAG, TWO, Site, a_step, all_reviewed, opened, review

if TYPE_CHECKING:
    from playwright import sync_api

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # Playwright's own pipes at its end

CONTENT = {"reason": "Two\nlines", "days": 30, "where": "c1"}


def test_a_long_form_is_filled_in_page_by_page(site: Site, page: "sync_api.Page") -> None:
    posting = all_reviewed(site, page)
    page.get_by_role("link", name="Change Days").click()
    page.get_by_label("Days").fill("7")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted(CONTENT | {"days": 7})


def test_a_long_form_needs_no_scripts(site: Site, chromium: "sync_api.Browser") -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    posting = all_reviewed(site, page)
    page.get_by_role("link", name="Back").click()
    page.get_by_label("Ticket").fill("OPS-7")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted(CONTENT | {"ticket": "OPS-7"})
    context.close()


def test_a_long_form_is_filled_in_by_keyboard_alone(site: Site, page: "sync_api.Page") -> None:
    opened(
        site,
        page,
        FormQuestion("Names", Form(tuple(TextField(name=f"n{n}", max_length=9) for n in range(6)))),
    )
    for number in range(6):
        page.get_by_text(f"Question {number + 1} of 6").wait_for()
        page.wait_for_load_state()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # past the header
        page.wait_for_function("location.hash === '#main'")
        page.keyboard.press("Tab")
        page.keyboard.type(f"name {number}")
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Check before you send").wait_for()
    assert re.findall("name [0-9]", page.locator(".rows").inner_text()) == [f"name {n}" for n in range(6)]


def test_the_browsers_own_back_and_reload_find_what_was_typed(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, EVERY_KIND)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Reason").fill("half a thought")
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Question 2 of 11").wait_for()
    page.go_back()
    page.get_by_text("Question 1 of 11").wait_for()
    assert page.get_by_label("Reason").input_value() == "half a thought"
    page.reload()
    assert page.get_by_label("Reason").input_value() == "half a thought"
    page.go_forward()
    page.get_by_text("Question 2 of 11").wait_for()


def test_back_after_a_correction_is_no_page_of_the_browsers(site: Site, page: "sync_api.Page") -> None:
    posting = opened(site, page, TWO)
    page.get_by_label("Reason").fill("half a thought")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("alert").wait_for()
    page.get_by_label("Yes", exact=True).check()
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("heading", name="Answer sent").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Answer sent").wait_for()
    assert site.answer(posting) == Accepted({"confirm": True, "reason": "half a thought"})


def test_back_from_a_mistake_finds_what_was_typed(site: Site, page: "sync_api.Page") -> None:
    opened(site, page, TWO)
    page.get_by_label("Reason").fill("half a thought")
    page.get_by_role("button", name="Send answer").click()
    page.get_by_role("alert").wait_for()
    page.go_back()
    page.get_by_role("heading", name="records-admin asks").wait_for()
    assert page.get_by_label("Reason").input_value() == "half a thought"


@pytest.mark.parametrize("show", [a_step, all_reviewed, review])
def test_a_page_on_the_way_closes_when_the_asker_leaves(
    site: Site, page: "sync_api.Page", show: Callable[[Site, "sync_api.Page"], object]
) -> None:
    show(site, page)
    with page.expect_response(re.compile("/events")):
        page.reload()
    site.withdraw(site.open()[0])
    page.get_by_text("The asker has gone").wait_for()
    assert page.get_by_role("button").count() == 0
    assert page.get_by_role("link", name="Change").count() == 0


def test_what_was_typed_on_the_pages_before_is_found_when_the_asker_has_gone(
    site: Site, page: "sync_api.Page"
) -> None:
    posting = opened(site, page, EVERY_KIND)
    page.get_by_label("Reason").fill("half a thought")
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Question 2 of 11").wait_for()
    site.withdraw(posting)
    page.get_by_role("link", name="See what you typed").click()
    page.get_by_role("heading", name="it was not sent").wait_for()
    assert "half a thought" in page.locator("main").inner_text()


def test_two_clicks_are_one_step(site: Site, page: "sync_api.Page") -> None:
    a_step(site, page, 2)
    page.get_by_role("button", name="Continue").dblclick()
    page.get_by_text("Question 3 of 11").wait_for()


def test_the_end_that_comes_near_is_said_to_who_does_not_see_it(site: Site, page: "sync_api.Page") -> None:
    site.post(FLAG, limit=90)
    with page.expect_response(re.compile("/events")):
        page.goto(site.pages.link(site.open()[0]))
    page.evaluate(
        """() => {
            const deadline = document.getElementById("deadline");
            deadline.className = "deadline";
            deadline.textContent = "about 2 minutes left";
        }"""
    )
    site.post(TWO)
    page.get_by_role("status").get_by_text("After that the answer can't be sent").wait_for(state="attached")


def test_the_end_of_a_visit_stays_told_when_the_page_is_reloaded(site: Site, page: "sync_api.Page") -> None:
    visit = UrlQuestion("Sign in", "https://accounts.example.org/login")
    opened(site, page, visit, call="sign in")
    page.get_by_role("button", name="Agree").click()
    page.get_by_role("heading", name="You agreed to the visit").wait_for()
    site.post(follow_up(visit), call="sign in")
    page.get_by_role("button", name="I have finished").click()
    for _ in range(2):
        page.get_by_text("was told that you have finished").wait_for()
        page.reload()
