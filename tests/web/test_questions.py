"""A form with many fields: a page for each, what was typed kept from page to page, all of it seen before it is sent."""

import logging
from collections.abc import AsyncIterator

import pytest

from askfirst.core.answers import Accepted, Cancelled, Content, Declined
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.postings import Posting, Status
from askfirst.core.questions import FormQuestion, digest
from askfirst.web.guard import Limits
from visiting import Page, Visitor, visiting

pytestmark = pytest.mark.anyio

CHOICES = (Choice("a", "Apple"), Choice("b", "Birne"))
SIX = FormQuestion(
    "Order lunch",
    Form(
        (
            TextField(name="name", title="Name", required=True, max_length=40),
            NumberField(name="guests", title="Guests", integer=True, minimum=1, default=2),
            FlagField(name="window", title="At the window"),
            ChoiceField(name="fruit", title="Fruit", choices=CHOICES, required=True),
            ChoicesField(name="more", title="More", choices=CHOICES),
            TextField(name="moment", title="When", format="date-time"),
        )
    ),
)
GIVEN: list[dict[str, object]] = [
    {"f0": "Ada"},
    {"f1": "4"},
    {"f2": "no"},
    {"f3": "1"},
    {"f4": ["0", "1"]},
    {"f5": "2026-12-31", "f5t": "18:00", "f5z": "+01:00"},
]
CONTENT: Content = {
    "name": "Ada",
    "guests": 4,
    "window": False,
    "fruit": "b",
    "more": ["a", "b"],
    "moment": "2026-12-31T18:00:00+01:00",
}


@pytest.fixture
async def owner() -> AsyncIterator[Visitor]:
    async with visiting() as visitor:
        await visitor.enter()
        yield visitor


async def begun(visitor: Visitor) -> tuple[Posting, Page]:
    posting = await visitor.post_question(SIX)
    return posting, await visitor.get(f"/q/{posting.token}")


async def reviewed(visitor: Visitor) -> tuple[Posting, Page]:
    posting, page = await begun(visitor)
    for given in GIVEN:
        page = await visitor.press(page, "next", **given)
    return posting, page


async def test_five_fields_are_on_one_page_and_six_are_on_six(owner: Visitor) -> None:
    five = await owner.post_question(FormQuestion("Order lunch", Form(SIX.form.fields[:5])))
    assert "Send answer" in (await owner.get(f"/q/{five.token}")).text
    posting, page = await begun(owner)
    assert page.title == "Question 1 of 6: records-admin asks - askfirst"
    assert "Question 1 of 6\nName" in page.text
    assert len(page.boxes()) == 1
    for number in range(1, 7):
        each = await owner.get(f"/q/{posting.token}/{number}")
        assert f"Question {number} of 6" in each.text
        for always in ("Decline", "Not now", "left", posting.code, "Order lunch", "its own claim", "delete"):
            assert always in each.text


async def test_what_is_typed_on_its_pages_is_shown_whole_and_sent_once(owner: Visitor) -> None:
    posting, review = await reviewed(owner)
    assert review.title == "Check before you send - askfirst"
    assert "Nothing was sent so far." in review.text
    for row in (
        "Name\nAda",
        "Guests\n4",
        "At the window\nno",
        "Fruit\nBirne",
        "More\nApple\nBirne",
        "When\n2026-",
    ):
        assert row in review.text
    for number in range(1, 7):
        assert f'href="/way/q/{posting.token}/{number}">Change' in review.html
    found = await owner.desk.find(posting.token)
    assert found is not None
    assert found.status is Status.OPEN
    done = await owner.press(review, "confirm")
    assert "Answer sent" in done.text
    assert await owner.desk.wait(posting.token) == Accepted(CONTENT)
    again = await owner.press(review, "confirm")
    assert again.status == 409
    assert "It was answered before." in again.text
    assert "it was not sent" not in again.text
    for place in ("", "/1", "/all", "/review"):
        assert "Answer sent" in (await owner.get(f"/q/{posting.token}{place}")).text


async def test_nothing_that_was_typed_is_in_an_address_or_a_hidden_box_or_a_log(
    owner: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    _, page = await begun(owner)
    for given in ({"f0": "Tulips"}, {"f1": "77771"}, *GIVEN[2:]):
        page = await owner.press(page, "next", **given)
        for response in (*page.response.history, page.response):
            assert "Tulips" not in str(response.url)
            assert "77771" not in str(response.url)
        assert set(page.own()) <= {"csrf", "digest", "version"}
    assert "Tulips" in page.text
    assert "Tulips" not in caplog.text
    assert "77771" not in caplog.text


async def test_every_post_is_answered_with_a_redirect(owner: Visitor) -> None:
    posting, page = await begun(owner)
    pages = [
        wrong := await owner.press(page, "next"),
        second := await owner.press(wrong, "next", f0="Ada"),
        await owner.press(second, "back", f1="x"),
        whole := await owner.press(second, "all", f1="3"),
        await owner.press(whole, "send", f0="Ada", f1="3"),
        await owner.press(whole, "send", f0="Ada", f3="0"),
    ]
    assert [page.response.history[-1].status_code for page in pages] == [303] * len(pages)
    assert [page.status for page in pages] == [200] * len(pages)
    assert await owner.desk.wait(posting.token) == Accepted({"name": "Ada", "fruit": "a"})


async def test_a_mistake_is_told_on_the_page_that_owns_it_and_nowhere_else(owner: Visitor) -> None:
    posting, page = await begun(owner)
    page = await owner.press(page, "next", f0="x" * 41)
    assert page.title == "Error: Question 1 of 6: records-admin asks - askfirst"
    assert page.text.count("Make it shorter: at most 40 characters.") == 2
    assert 'href="#f0"' in page.html
    assert "x" * 41 in page.html
    assert "Error" not in (await owner.get(f"/q/{posting.token}/2")).text
    page = await owner.press(page, "next", f0="Ada")
    assert "Question 2 of 6" in page.text
    assert "Error" not in (await owner.get(f"/q/{posting.token}/1")).text


async def test_back_keeps_what_was_typed_right_or_wrong(owner: Visitor) -> None:
    posting, page = await begun(owner)
    page = await owner.press(page, "next", f0="Ada")
    page = await owner.press(page, "back", f1="many")
    assert "Question 1 of 6" in page.text
    assert 'value="Ada"' in page.boxes()[0]
    assert 'value="back"' not in page.html
    page = await owner.press(page, "next", f0="Bob")
    assert 'value="many"' in page.boxes()[0]
    assert "Error" not in page.text
    page = await owner.press(page, "next", f1="many")
    assert "Give a whole number of at least 1." in page.text
    assert 'value="Bob"' in (await owner.get(f"/q/{posting.token}/1")).boxes()[0]


async def test_a_change_leads_back_to_the_review(owner: Visitor) -> None:
    posting, _ = await reviewed(owner)
    for do, name in (("next", "Bob"), ("back", "Eve")):
        page = await owner.get(f"/q/{posting.token}/1")
        page = await owner.press(page, do, f0=name)
        assert page.title == "Check before you send - askfirst"
        assert f"Name\n{name}" in page.text
    wrong = await owner.press(await owner.get(f"/q/{posting.token}/1"), "back", f0="")
    assert wrong.title.startswith("Error: Question 1 of 6")


async def test_the_review_leads_to_what_is_still_missing(owner: Visitor) -> None:
    posting, page = await begun(owner)
    assert "Question 1 of 6" in (await owner.get(f"/q/{posting.token}/review")).text
    await owner.press(page, "next", f0="Ada")
    missing = await owner.get(f"/q/{posting.token}/review")
    assert missing.title == "Error: Question 4 of 6: records-admin asks - askfirst"
    done = await owner.press(missing, "next", f3="0")
    assert "Question 5 of 6" in done.text
    assert "Guests\n2" in (await owner.get(f"/q/{posting.token}/review")).text


async def test_a_question_that_is_opened_again_goes_on_where_it_was_left(owner: Visitor) -> None:
    posting, page = await begun(owner)
    await owner.press(page, "next", f0="Ada")
    assert "Question 2 of 6" in (await owner.get(f"/q/{posting.token}")).text


async def test_what_was_typed_is_its_typers_alone(owner: Visitor) -> None:
    posting, page = await begun(owner)
    await owner.press(page, "next", f0="Ada")
    owner.client.cookies.clear()
    await owner.enter(posting)
    assert "Ada" not in (await owner.get(f"/q/{posting.token}/1")).html


async def test_all_can_be_seen_on_one_page_with_what_was_typed_so_far(owner: Visitor) -> None:
    posting, page = await begun(owner)
    page = await owner.press(page, "next", f0="Ada")
    page = await owner.press(page, "all", f1="4")
    assert len(page.boxes()) == 13
    assert 'value="Ada"' in page.boxes()[0]
    assert 'value="4"' in page.boxes()[1]
    wrong = await owner.press(page, "send", f0="Ada", f1="0")
    assert wrong.title == "Error: records-admin asks - askfirst"
    assert len(wrong.boxes()) == 13
    boxes = {name: value for given in GIVEN for name, value in given.items()}
    assert "Answer sent" in (await owner.press(wrong, "send", **boxes)).text
    assert await owner.desk.wait(posting.token) == Accepted(CONTENT)


async def test_a_program_may_post_all_fields_at_once(owner: Visitor) -> None:
    posting, page = await begun(owner)
    own = page.own() | {"do": "send"}
    wrong = await owner.post(f"/q/{posting.token}", own | {"f0": "Ada"})
    assert "Choose one of 2 from the list." in wrong.text
    await owner.post(f"/q/{posting.token}", own | {"f0": "Ada", "f3": "0"})
    assert await owner.desk.wait(posting.token) == Accepted({"name": "Ada", "fruit": "a"})


@pytest.mark.parametrize(("do", "answer"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_no_and_not_now_are_on_every_page_and_forget_what_was_typed(
    owner: Visitor, do: str, answer: Declined | Cancelled
) -> None:
    for place in ("1", "2", "review"):
        posting, _ = await reviewed(owner)
        page = await owner.press(await owner.get(f"/q/{posting.token}/{place}"), do)
        assert await owner.desk.wait(posting.token) == answer
        assert "Ada" not in page.html
        assert "Ada" not in (await owner.get(f"/q/{posting.token}")).html


async def test_what_is_sent_is_what_was_shown(owner: Visitor) -> None:
    posting, review = await reviewed(owner)
    await owner.press(await owner.get(f"/q/{posting.token}/1"), "next", f0="Eve")
    page = await owner.press(review, "confirm")
    assert page.status == 409
    assert "What you typed was changed after this page was shown." in page.text
    assert "Name\nEve" in page.text
    await owner.press(page, "confirm")
    assert await owner.desk.wait(posting.token) == Accepted(CONTENT | {"name": "Eve"})


@pytest.mark.parametrize("place", ["3", "review", "all"])
async def test_what_was_typed_is_given_back_when_the_asker_goes(owner: Visitor, place: str) -> None:
    posting, _ = await reviewed(owner)
    page = await owner.get(f"/q/{posting.token}/{place}")
    await owner.desk.withdraw(posting.token)
    seen = await owner.get(f"/q/{posting.token}/{place}")
    assert "The asker has gone" in seen.text
    assert "it was not sent\nName\nAda" in seen.text
    do = {"3": "next", "review": "confirm", "all": "send"}[place]
    late = await owner.press(page, do, f0="Ada", f2="yes")
    assert late.status == 409
    assert "Your answer came too late and was not sent." in late.text
    assert "it was not sent\nName\nAda" in late.text


async def test_a_step_of_another_question_changes_nothing(owner: Visitor) -> None:
    posting, page = await begun(owner)
    other = digest(FormQuestion("Another", SIX.form))
    wrong = await owner.post(
        f"/q/{posting.token}/1", page.own() | {"digest": other, "do": "next", "f0": "Eve"}
    )
    assert wrong.status == 409
    assert "This is not the question that you answered." in wrong.text
    assert "Question 1 of 6" in wrong.text
    assert "Eve" not in (await owner.get(f"/q/{posting.token}/1")).html


@pytest.mark.parametrize(
    ("place", "do"), [("1", "send"), ("1", "confirm"), ("review", "send"), ("all", "next"), ("2", "")]
)
async def test_each_page_takes_its_own_buttons_alone(owner: Visitor, place: str, do: str) -> None:
    posting, _ = await reviewed(owner)
    page = await owner.get(f"/q/{posting.token}/{place}")
    assert (await owner.press(page, do, f0="Eve")).status == 400
    assert [one.token for one in await owner.desk.open()] == [posting.token]


async def test_there_are_no_other_pages(owner: Visitor) -> None:
    posting, page = await begun(owner)
    short = await owner.post_question()
    for path in (f"{posting.token}/0", f"{posting.token}/7", f"{posting.token}/x", f"{posting.token}/²"):
        assert (await owner.get(f"/q/{path}")).status == 404
        assert (await owner.post(f"/q/{path}", page.own() | {"do": "next"})).status == 404
    for place in ("1", "all", "review"):
        assert (await owner.get(f"/q/{short.token}/{place}")).status == 404


async def test_what_looks_like_a_secret_is_kept_unseen_and_sent_with_the_rest(owner: Visitor) -> None:
    fields = (TextField(name="password", title="Password", min_length=4, required=True), *SIX.form.fields[1:])
    posting = await owner.post_question(FormQuestion("Log in", Form(fields)))
    page = await owner.get(f"/q/{posting.token}")
    assert "this seems to ask for a secret" in page.text
    wrong = await owner.press(page, "next", f0="abc")
    assert "Make it longer: at least 4 characters." in wrong.text
    pages = [wrong, page := await owner.press(wrong, "next", f0="hunter2")]
    for given in GIVEN[1:]:
        page = await owner.press(page, "next", **given)
    again = await owner.get(f"/q/{posting.token}/1")
    assert "What you typed before is not shown here" in again.text
    back = await owner.press(again, "back", f0="")
    pages += [page, again, back]
    assert "(7 characters, hidden)" in back.text
    assert not [one for one in pages if "hunter2" in one.html or "abc" in one.html]
    await owner.press(back, "confirm")
    answer = await owner.desk.wait(posting.token)
    assert isinstance(answer, Accepted)
    assert answer.data["password"] == "hunter2"


async def test_a_secret_box_that_is_sent_empty_is_no_answer(owner: Visitor) -> None:
    fields = (TextField(name="password", title="Password", required=True), *SIX.form.fields[1:])
    posting = await owner.post_question(FormQuestion("Log in", Form(fields)))
    await owner.press(await owner.get(f"/q/{posting.token}"), "next", f0="hunter2")
    page = await owner.press(await owner.get(f"/q/{posting.token}/1"), "next", f0="")
    assert page.title.startswith("Error: Question 1 of 6")


async def test_pages_hold_no_more_together_than_one_form_may() -> None:
    fields = tuple(TextField(name=f"t{number}") for number in range(8))
    async with visiting(limits=Limits(body=5100)) as visitor:
        await visitor.enter()
        posting = await visitor.post_question(FormQuestion("Write", Form(fields)))
        page = await visitor.get(f"/q/{posting.token}")
        sizes = []
        for number in range(8):
            page = await visitor.get(f"/q/{posting.token}/{number + 1}")
            sizes.append((await visitor.press(page, "next", **{f"f{number}": "x" * 1000})).status)
    assert sizes == [200] * 5 + [413] * 3
