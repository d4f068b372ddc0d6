"""What a visitor of the pages sees and does, from the link to what became of the answer."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from askfirst.core.answers import Accepted, Cancelled, Declined
from askfirst.core.errors import StoreFault
from askfirst.core.fields import Choice, ChoiceField, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.postings import Status
from askfirst.core.questions import FormQuestion, Origin, UrlQuestion
from askfirst.core.rows import Row
from askfirst.desk import Desk
from askfirst.stores.memory import MemoryStore
from askfirst.visits import follow_up
from askfirst.web.pages import server_key
from visiting import Visitor, visiting

pytestmark = pytest.mark.anyio

FLAG = FormQuestion("Delete 4,000 rows?", Form((FlagField(name="confirm", required=True),)))
BARE = FormQuestion("Restart the database?", Form())
VISIT = UrlQuestion("Sign in", "https://accounts.example.org/login?state=1")
TWO = FormQuestion(
    "Book a table",
    Form((NumberField(name="guests", integer=True, minimum=1, required=True), TextField(name="wish"))),
)


@pytest.fixture
async def visitor() -> AsyncIterator[Visitor]:
    async with visiting() as one:
        yield one


@pytest.fixture
async def owner(visitor: Visitor) -> Visitor:
    """Somebody who has opened the link to all questions."""
    await visitor.enter()
    return visitor


async def test_a_link_leads_to_its_question_and_its_key_leaves_the_address(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.enter(posting)
    assert page.status == 200
    assert page.title == "records-admin asks - askfirst"
    assert "key=" not in str(page.response.url)
    assert "What is your name?" in page.text


async def test_a_link_works_once(visitor: Visitor) -> None:
    link = visitor.access.link(await visitor.post_question())
    await visitor.get(link)
    visitor.client.cookies.clear()
    page = await visitor.get(link)
    assert page.status == 403
    assert "This link has been used" in page.text


async def test_who_opened_a_link_may_open_it_again(visitor: Visitor) -> None:
    link = visitor.access.link()
    await visitor.get(link)
    assert (await visitor.get(link)).status == 200


async def test_the_link_of_one_question_opens_no_other_and_no_list_of_servers(visitor: Visitor) -> None:
    posting, other = await visitor.post_question(), await visitor.post_question(TWO)
    await visitor.enter(posting)
    assert (await visitor.get(f"/q/{other.token}")).status == 404
    page = await visitor.get("/")
    assert "What is your name?" in page.text
    assert "Book a table" not in page.text
    assert "Mute" not in page.text


async def test_a_second_link_adds_its_question_to_the_first(visitor: Visitor) -> None:
    postings = [await visitor.post_question(), await visitor.post_question(TWO)]
    for posting in postings:
        await visitor.enter(posting)
    assert [(await visitor.get(f"/q/{one.token}")).status for one in postings] == [200, 200]


async def test_without_a_link_there_is_nothing_to_see(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    for path in ("/", "/closed", "/events", f"/q/{posting.token}"):
        page = await visitor.get(path)
        assert page.status == 403
        assert "What is your name?" not in page.text


async def test_who_asks_is_shown_whole(owner: Visitor) -> None:
    posting = await owner.post_question(arguments=[("table", "users"), ("days", "90")])
    text = (await owner.get(f"/q/{posting.token}")).text
    for part in ("records-admin", "Records", "its own claim, not verified", "delete", "table", "users", "90"):
        assert part in text
    assert "2025-11-25 (legacy)" in text
    assert posting.code in text


async def test_a_question_whose_asker_has_stopped_says_so(owner: Visitor) -> None:
    gone = "has stopped since it asked this"
    for held in (False, True):
        posting = await owner.post_question(held=held)
        assert gone not in (await owner.get(f"/q/{posting.token}")).text
    sure = await owner.post_question(FLAG, held=True)
    assert gone not in (await owner.answer(sure, f0="yes")).text
    for one in (posting, sure):
        await owner.desk.release(one.token, owner.desk._own)  # as when a process ends
    assert gone in (await owner.get(f"/q/{posting.token}")).text
    assert gone in (await owner.get(f"/q/{sure.token}/review")).text


async def test_an_answer_is_sent_and_read_back_to_its_sender(owner: Visitor) -> None:
    posting = await owner.post_question(TWO)
    page = await owner.answer(posting, f0="4", f1="By the window\r\nplease")
    assert page.status == 200
    assert page.response.history[-1].status_code == 303
    assert await owner.desk.wait(posting.token) == Accepted({"guests": 4, "wish": "By the window\nplease"})
    assert "Answer sent" in page.text
    assert "By the window\nplease" in page.text


async def test_the_sender_can_read_the_answer_after_the_asker_has_taken_it(owner: Visitor) -> None:
    posting = await owner.post_question()
    await owner.answer(posting, f0="Ada")
    await owner.desk.take(posting.token)
    assert "Ada" in (await owner.get(f"/q/{posting.token}")).text


async def test_no_value_is_in_any_address(owner: Visitor) -> None:
    posting = await owner.post_question()
    page = await owner.answer(posting, f0="Ada")
    assert all("Ada" not in str(one.url) for one in (*page.response.history, page.response))


@pytest.mark.parametrize(
    ("do", "answer", "said"),
    [("decline", Declined(), "You declined"), ("cancel", Cancelled(), "Closed for now")],
)
async def test_no_and_not_now_are_two_things(
    owner: Visitor, do: str, answer: Declined | Cancelled, said: str
) -> None:
    posting = await owner.post_question()
    page = await owner.answer(posting, do)
    assert said in page.text
    assert await owner.desk.wait(posting.token) == answer


async def test_mistakes_are_named_above_and_at_the_field_and_what_was_typed_is_kept(owner: Visitor) -> None:
    posting = await owner.post_question(TWO)
    page = await owner.answer(posting, f0="none", f1="<b>window</b>")
    assert page.response.history[-1].status_code == 303
    assert page.title.startswith("Error: ")
    assert page.text.count("Give a whole number of at least 1.") == 2
    assert 'href="#f0"' in page.html
    assert 'aria-invalid="true"' in page.boxes()[0]
    assert 'value="none"' in page.boxes()[0]
    assert "&lt;b&gt;window&lt;/b&gt;</textarea>" in page.html
    found = await owner.desk.find(posting.token)
    assert found is not None
    assert found.status is Status.OPEN


async def test_a_question_answered_twice_shows_what_was_recorded(owner: Visitor) -> None:
    posting = await owner.post_question()
    form = await owner.get(f"/q/{posting.token}")
    own = {"csrf": form.hidden("csrf"), "digest": form.hidden("digest"), "do": "send"}
    await owner.post(f"/q/{posting.token}", own | {"f0": "Ada"})
    page = await owner.post(f"/q/{posting.token}", own | {"f0": "Bob"})
    assert page.status == 409
    assert "It was answered before." in page.text
    assert "What was sent\nName\nAda" in page.text
    assert "it was not sent\nName\nBob" in page.text
    assert await owner.desk.wait(posting.token) == Accepted({"name": "Ada"})


async def test_an_answer_that_comes_too_late_is_given_back_to_copy(owner: Visitor) -> None:
    posting = await owner.post_question()
    form = await owner.get(f"/q/{posting.token}")
    await owner.desk.withdraw(posting.token)
    own = {"csrf": form.hidden("csrf"), "digest": form.hidden("digest"), "do": "send"}
    page = await owner.post(f"/q/{posting.token}", own | {"f0": "Ada"})
    assert page.status == 409
    assert "The asker has gone" in page.text
    assert "Ada" in page.text


async def test_a_question_that_is_over_has_no_form(owner: Visitor) -> None:
    withdrawn = await owner.post_question()
    await owner.desk.withdraw(withdrawn.token)
    page = await owner.get(f"/q/{withdrawn.token}")
    assert "The asker has gone" in page.text
    assert page.boxes() == []


async def test_time_that_ran_out_is_said() -> None:
    now = 1000.0
    desk = Desk(MemoryStore(), clock=lambda: now)
    async with visiting(desk=desk) as visitor:
        posting = await visitor.post_question(limit=60)
        await visitor.enter(posting)
        now += 61
        page = await visitor.get(f"/q/{posting.token}")
    assert "Time ran out" in page.text
    assert page.boxes() == []


async def test_an_answer_to_another_question_is_not_sent(owner: Visitor) -> None:
    posting, other = await owner.post_question(), await owner.post_question(TWO)
    form = await owner.get(f"/q/{other.token}")
    own = {"csrf": form.hidden("csrf"), "digest": form.hidden("digest"), "do": "send"}
    page = await owner.post(f"/q/{posting.token}", own | {"f0": "4"})
    assert page.status == 409
    assert "This is not the question that you answered." in page.text


async def test_a_yes_is_shown_once_more_before_it_is_sent(owner: Visitor) -> None:
    posting = await owner.post_question(FLAG)
    review = await owner.answer(posting, f0="yes")
    assert review.title == "Check before you send - askfirst"
    assert (await owner.desk.open())[0].status is Status.OPEN
    assert f'href="/way/q/{posting.token}">Change it' in review.html
    changed = await owner.get(f"/q/{posting.token}")
    assert any('value="yes" checked' in box for box in changed.boxes())
    page = await owner.press(review, "confirm")
    assert "Answer sent" in page.text
    assert await owner.desk.wait(posting.token) == Accepted({"confirm": True})


async def test_an_answer_of_no_is_called_a_no(owner: Visitor) -> None:
    posting = await owner.post_question(FLAG)
    review = await owner.answer(posting, f0="no")
    assert "You are about to answer\nno" in review.text
    page = await owner.press(review, "confirm")
    assert "You answered\nno" in page.text
    assert await owner.desk.wait(posting.token) == Accepted({"confirm": False})


async def test_a_confirmation_can_not_skip_its_required_flag(owner: Visitor) -> None:
    posting = await owner.post_question(FLAG)
    form = await owner.answer(posting)
    assert form.title.startswith("Error: ")
    for do in ("send", "confirm"):
        skipped = await owner.post(f"{form.action}/review", form.own() | {"do": do, "version": ""})
        assert "Answer sent" not in skipped.text
    assert [one.token for one in await owner.desk.open()] == [posting.token]


async def test_a_form_without_fields_is_accepted_after_a_second_look(owner: Visitor) -> None:
    posting = await owner.post_question(BARE)
    await owner.press(await owner.answer(posting), "confirm")
    assert await owner.desk.wait(posting.token) == Accepted({})


async def test_five_thousand_choices_can_all_be_chosen_and_long_defaults_be_sent(owner: Visitor) -> None:
    choices = tuple(Choice(f"c{number}") for number in range(5000))
    values = tuple(choice.value for choice in choices)
    several = ChoicesField(name="several", choices=choices, default=values)
    texts = tuple(TextField(name=f"t{number}", default="x" * 2000) for number in range(200))
    posting = await owner.post_question(FormQuestion("Which?", Form((several, *texts))))
    boxes = {f"f{number}": one.default for number, one in enumerate(texts, 1)}
    whole = await owner.press(await owner.get(f"/q/{posting.token}"), "all")
    page = await owner.press(whole, "send", f0=[str(number) for number in range(5000)], **boxes)
    assert page.status == 200
    sent = await owner.desk.wait(posting.token)
    assert isinstance(sent, Accepted)
    assert sent.data == {"several": list(values), **{one.name: one.default for one in texts}}


async def test_a_visit_is_agreed_to_before_there_is_a_link(owner: Visitor) -> None:
    posting = await owner.post_question(VISIT)
    page = await owner.get(f"/q/{posting.token}")
    assert "https://\naccounts.example.org\n/login?state=1" in page.text
    assert VISIT.url not in page.html
    agreed = await owner.answer(posting)
    assert f'href="{VISIT.url}" target="_blank" rel="noopener noreferrer"' in agreed.html
    assert await owner.desk.wait(posting.token) == Accepted({})
    assert "I have finished" not in agreed.text


async def test_the_end_of_a_visit_can_be_told_where_somebody_waits_for_it_and_nowhere_else(
    visitor: Visitor,
) -> None:
    posting = await visitor.post_question(VISIT, call="sign in")
    await visitor.enter(posting)
    assert (await visitor.answer(posting, "finished")).status == 409
    own = {"csrf": (await visitor.get(f"/q/{posting.token}")).hidden("csrf"), "do": "finished"}
    agreed = await visitor.answer(posting)
    assert "I have finished" not in agreed.text
    assert (await visitor.post(f"/q/{posting.token}", own)).status == 409
    await visitor.desk.take(posting.token)
    follow = await visitor.post_question(follow_up(VISIT), call="sign in")
    assert "I have finished" in (await visitor.get(f"/q/{posting.token}")).text
    page = await visitor.post(f"/q/{posting.token}", own)
    assert "was told that you have finished" in page.text
    assert await visitor.desk.wait(follow.token) == Accepted({})
    assert "I have finished" not in (await visitor.get(f"/q/{posting.token}")).text


async def test_the_end_of_a_visit_is_kept_for_an_asker_who_asks_for_it_later(visitor: Visitor) -> None:
    posting = await visitor.post_question(replace(VISIT, awaited=True), call="sign in")
    await visitor.enter(posting)
    agreed = await visitor.answer(posting)
    assert "I have finished" in agreed.text
    own = {"csrf": agreed.hidden("csrf"), "do": "finished"}
    await visitor.desk.mute(posting.origin.server)
    page = await visitor.post(f"/q/{posting.token}", own)
    assert (page.status, "can't be noted now" in page.text) == (409, True)
    await visitor.desk.unmute(posting.origin.server)
    page = await visitor.post(f"/q/{posting.token}", own)
    assert "will be told that you have finished" in page.text
    _, noted = await visitor.desk.of_call("sign in")
    assert (noted.question, noted.answer) == (follow_up(VISIT), Accepted({}))
    assert (await visitor.post(f"/q/{posting.token}", own)).status == 409
    assert "I have finished" not in (await visitor.get(f"/q/{posting.token}")).text


async def test_the_end_of_a_visit_is_told_only_for_the_person_who_made_it() -> None:
    async with visiting(me=lambda request: request.headers["x-who"]) as visitor:
        visits = [await visitor.post_question(VISIT, call="sign in", asked_of=who) for who in ("ann", "bob")]
        for posting, who in zip(visits, ("ann", "bob"), strict=True):
            await visitor.desk.answer(posting.token, posting.digest, Accepted({}), by=who)
        await visitor.post_question(follow_up(VISIT), call="sign in", asked_of="ann")
        shown = [
            (await visitor.get(f"/q/{posting.token}", **{"x-who": who})).text
            for posting, who in zip(visits, ("ann", "bob"), strict=True)
        ]
        assert ["I have finished" in text for text in shown] == [True, False]


async def a_coroutine() -> str:
    return "ann"


@pytest.mark.parametrize("who", ["", None, 3, True, ("ann",), "coroutine"])
async def test_who_is_known_by_no_name_sees_nothing(who: object) -> None:
    given = a_coroutine() if who == "coroutine" else who
    async with visiting(me=lambda request: given) as visitor:  # type: ignore[arg-type,return-value]
        posting = await visitor.post_question(asked_of="")
        if who in ("", None):
            for path in ("/", f"/q/{posting.token}"):
                page = await visitor.get(path)
                assert (page.status, "not known who you are" in page.text) == (403, True)
        else:
            with pytest.raises(TypeError, match="identify gives a text"):
                await visitor.get(f"/q/{posting.token}")
    if who == "coroutine":
        given.close()  # type: ignore[union-attr]


async def test_a_name_that_nobody_configured_is_not_shown_as_configured(owner: Visitor) -> None:
    own = await owner.desk.post(BARE, Origin("records-admin", own_name=True), limit=60)
    text = (await owner.get(f"/q/{own.token}")).text
    assert "what it calls itself, not verified" in text
    assert "as you configured it" not in text
    configured = await owner.post_question(BARE)
    assert "as you configured it" in (await owner.get(f"/q/{configured.token}")).text


async def test_an_address_with_two_readings_can_only_be_declined(owner: Visitor) -> None:
    posting = await owner.post_question(UrlQuestion("Sign in", "https://good.example\\@evil.example/"))
    page = await owner.get(f"/q/{posting.token}")
    assert "can't be agreed to" in page.text
    assert 'value="send"' not in page.html
    assert (await owner.answer(posting)).status == 409
    assert "You declined" in (await owner.answer(posting, "decline")).text


async def test_a_secret_is_typed_masked_and_never_shown_again(owner: Visitor) -> None:
    question = FormQuestion("Token of the billing service", Form((TextField(name="token", required=True),)))
    posting = await owner.post_question(question, secret=True)
    form = await owner.get(f"/q/{posting.token}")
    (box,) = form.boxes()
    assert 'type="password"' in box
    assert 'autocomplete="off"' in box
    page = await owner.answer(posting, f0="hunter2")
    assert "Secret sent" in page.text
    assert await owner.desk.wait(posting.token) == Accepted({"token": "hunter2"})
    for path in (f"/q/{posting.token}", "/closed"):
        assert "hunter2" not in (await owner.get(path)).html


async def test_a_secret_that_does_not_fit_is_typed_anew(owner: Visitor) -> None:
    form = Form((TextField(name="token", min_length=10, required=True),))
    posting = await owner.post_question(FormQuestion("Token", form), secret=True)
    page = await owner.answer(posting, f0="hunter2")
    assert page.title.startswith("Error: ")
    assert "Make it longer: at least 10 characters." in page.text
    assert "hunter2" not in page.html


async def test_a_form_that_fishes_for_a_secret_has_a_warning_and_a_mask(owner: Visitor) -> None:
    form = Form((TextField(name="password", required=True),))
    posting = await owner.post_question(FormQuestion("Log in", form))
    page = await owner.get(f"/q/{posting.token}")
    assert "this seems to ask for a secret" in page.text
    assert 'type="password"' in page.boxes()[0]
    assert "hunter2" not in (await owner.answer(posting, f0="hunter2")).html


async def test_open_questions_are_listed_oldest_first_with_counts_by_server(owner: Visitor) -> None:
    await owner.post_question()
    await owner.post_question(TWO)
    await owner.desk.post(BARE, Origin("other"), limit=60)
    page = await owner.get("/")
    assert page.title == "3 questions wait - askfirst"
    places = [page.text.index(text) for text in ("What is your name?", "Book a table", "Restart")]
    assert places == sorted(places)
    assert "records-admin\n: 2 open" in page.text
    one = await owner.get(f"/?server={server_key('other')}")
    assert "Restart" in one.text
    assert "Book a table" not in one.text


async def test_a_long_list_goes_on_on_the_next_page() -> None:
    async with visiting(desk=Desk(MemoryStore(), most_open=200)) as visitor:
        await visitor.enter()
        for number in range(120):
            await visitor.post_question(FormQuestion(f"Question {number:03}", Form()))
        page = await visitor.get("/")
        assert page.html.count('class="item"') == 100
        last = (await visitor.desk.open())[-1]
        after = await visitor.get(f"/?after={last.token}")
        assert after.html.count('class="item"') == 20
        assert "Question 119" in after.text


async def test_a_server_can_be_muted_and_heard_again(owner: Visitor) -> None:
    await owner.post_question()
    csrf = (await owner.get("/")).hidden("csrf")
    page = await owner.post("/mute", {"csrf": csrf, "server": server_key("records-admin"), "do": "mute"})
    assert "muted, its further questions are refused" in page.text
    assert await owner.desk.muted() == {"records-admin"}
    await owner.post("/mute", {"csrf": csrf, "server": server_key("records-admin"), "do": "unmute"})
    assert await owner.desk.muted() == frozenset()


async def test_what_is_closed_is_listed_without_what_was_said(owner: Visitor) -> None:
    posting = await owner.post_question()
    await owner.answer(posting, f0="Ada")
    page = await owner.get("/closed")
    assert "Answer sent" in page.text
    assert "Ada" not in page.text


async def test_an_empty_desk_says_so(owner: Visitor) -> None:
    assert (await owner.get("/")).title == "0 questions wait - askfirst"
    assert "No question waits" in (await owner.get("/")).text
    assert "No question has been answered" in (await owner.get("/closed")).text


async def test_every_kind_of_button_but_ours_is_refused(owner: Visitor) -> None:
    posting = await owner.post_question()
    assert (await owner.answer(posting, "approve", f0="Ada")).status == 400
    assert (await owner.desk.open())[0].status is Status.OPEN


async def test_where_people_are_known_each_sees_what_was_put_to_them() -> None:
    who = "ada"
    async with visiting(base="https://desk.example.org", me=lambda _: who) as visitor:
        hers, his = (
            await visitor.post_question(asked_of="ada"),
            await visitor.post_question(TWO, asked_of="bob"),
        )
        anyones = await visitor.post_question(BARE)
        page = await visitor.get("/")
        assert "What is your name?" in page.text
        assert "Book a table" not in page.text
        assert (await visitor.get(f"/q/{his.token}")).status == 404
        assert (await visitor.get(f"/q/{anyones.token}")).status == 404
        assert "Answer sent" in (await visitor.answer(hers, f0="Ada")).text
        cookie = page.response.headers["set-cookie"]
        assert "Secure" in cookie
        who = "bob"
        assert "Ada" not in (await visitor.get("/")).text
        assert "Answer sent" in (await visitor.answer(his, f0="2")).text
        await visitor.post_question(asked_of="bob")
        form = await visitor.get(f"/q/{(await visitor.desk.open())[-1].token}")
        assert (await visitor.post("/mute", {"csrf": form.hidden("csrf")})).status == 403


async def test_somebody_unknown_is_turned_away_where_people_are_known() -> None:
    async with visiting(base="https://desk.example.org", me=lambda _: None) as visitor:
        posting = await visitor.post_question(asked_of="ada")
        page = await visitor.get(f"/q/{posting.token}")
        assert page.status == 403
        assert "Sign in" in page.text


async def test_a_bearer_of_a_link_is_not_the_person_it_was_put_to(visitor: Visitor) -> None:
    posting = await visitor.post_question(asked_of="ada")
    await visitor.enter(posting)
    page = await visitor.answer(posting, f0="Eve")
    assert page.status == 403
    assert "put to somebody else" in page.text


async def test_a_choice_is_told_by_its_place_and_not_by_the_servers_text(owner: Visitor) -> None:
    choices = (Choice('"><script>', "First"), Choice("two\r\nlines", "Second"))
    posting = await owner.post_question(
        FormQuestion("Which?", Form((ChoiceField(name="x", choices=choices, required=True),)))
    )
    page = await owner.answer(posting, f0="1")
    assert "Second" in page.text
    assert await owner.desk.wait(posting.token) == Accepted({"x": "two\r\nlines"})


async def test_a_page_that_follows_another_sites_link_asks_for_the_cookie_again(visitor: Visitor) -> None:
    posting = await visitor.post_question()
    page = await visitor.get(f"/q/{posting.token}", **{"Sec-Fetch-Site": "cross-site"})
    assert '<meta http-equiv="refresh" content="0">' in page.html
    assert "What is your name?" not in page.text


async def test_a_link_is_not_spent_by_a_browser_that_looks_ahead(visitor: Visitor) -> None:
    link = visitor.access.link(await visitor.post_question())
    assert (await visitor.get(link, **{"Sec-Purpose": "prefetch;prerender"})).status == 503
    assert (await visitor.get(link)).status == 200


async def test_a_list_of_ones_own_goes_on_behind_the_questions_of_others() -> None:
    desk = Desk(MemoryStore(), most_open=200)
    async with visiting(desk=desk, base="https://desk.example.org", me=lambda _: "ada") as visitor:
        for _ in range(110):
            await visitor.post_question(TWO, asked_of="bob")
        await visitor.post_question(asked_of="ada")
        page = await visitor.get("/")
    assert page.title == "1 question waits - askfirst"
    assert "What is your name?" in page.text


async def test_a_store_that_is_away_is_said_without_details() -> None:
    class Away(MemoryStore):
        async def row(self, token: str) -> Row | None:
            raise StoreFault(f"no disk, and {token}")

    async with visiting(desk=Desk(Away())) as visitor:
        posting = await visitor.post_question()
        page = await visitor.enter(posting)
    assert page.status == 503
    assert "The desk can't be reached at this moment." in page.text
    assert posting.token not in page.html
