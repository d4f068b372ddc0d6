"""A question as lines: every field, every way out, and nothing accepts but the word that says so."""

import pytest

from askfirst.client.conversation import Conversation, Prompt, Step, converse
from askfirst.core.answers import Accepted, Cancelled, Declined
from askfirst.core.fields import Choice, ChoicesField, FlagField, Form, NumberField, TextField
from askfirst.core.questions import FormQuestion, Origin, Question, UrlQuestion

ORIGIN = Origin("mine")
FORM = FormQuestion(
    "Fill in",
    Form(
        (
            TextField(name="text", title="Text", required=True),
            NumberField(name="days", title="Days", default=30, maximum=99),
            ChoicesField(name="many", title="Many", choices=(Choice("a"), Choice("b")), min_items=1),
        )
    ),
)
CONFIRM = FormQuestion("Delete?", Form((FlagField(name="ok", title="Really", required=True),)))
EMPTY = FormQuestion("Delete?", Form())
VISIT = UrlQuestion("Sign in", "https://example.org/login")


def begun(question: Question) -> tuple[Conversation, Prompt]:
    conversation = converse(question, ORIGIN)
    return conversation, conversation.start()


def hear(question: Question, *lines: str) -> Step:
    """What comes after these lines, typed one by one."""
    conversation, step = begun(question)
    for line in lines:
        assert isinstance(step, Prompt)
        step = conversation.hear((line,))
    return step


def prompt(question: Question, *lines: str) -> Prompt:
    step = hear(question, *lines)
    assert isinstance(step, Prompt)
    return step


def test_it_begins_with_who_asks_and_the_first_field() -> None:
    _, first = begun(FORM)
    assert "mine asks" in first.lines
    assert "[1/3] Text" in first.lines
    assert first.ask == "Text: "


def test_what_was_answered_stays_out_of_the_repr() -> None:
    review = prompt(FORM, "tulips", "7", "a, b")
    assert "  1. Text: tulips" in review.lines
    assert "tulips" not in repr(review)


def test_a_form_is_filled_field_by_field_and_sent_after_a_review() -> None:
    review = prompt(FORM, "hello", "7", "a, b")
    assert review.lines[-3:] == ("  1. Text: hello", "  2. Days: 7", "  3. Many: a, b")
    assert hear(FORM, "hello", "7", "a, b", "send") == Accepted(
        {"text": "hello", "days": 7, "many": ["a", "b"]}
    )


def test_enter_keeps_a_default_and_leaves_what_has_none_unanswered() -> None:
    assert hear(FORM, "hello", "", "", "send") == Accepted({"text": "hello", "days": 30})


def test_enter_at_a_required_field_asks_again() -> None:
    again = prompt(FORM, "")
    assert again.ask == "Text: "
    assert again.lines == ("Write something.",)


@pytest.mark.parametrize("line", ["abc", "100"])
def test_what_does_not_fit_says_what_would_and_asks_again(line: str) -> None:
    again = prompt(FORM, "hello", line)
    assert again.ask == "Days: "
    assert len(again.lines) == 1


def test_blanks_do_not_answer_a_required_number() -> None:
    question = FormQuestion("Fill in", Form((NumberField(name="n", required=True),)))
    assert prompt(question, "  ").ask == "n: "


@pytest.mark.parametrize("before", [(), ("hello",), ("hello", "", "")])
def test_a_form_can_be_declined_and_cancelled_anywhere(before: tuple[str, ...]) -> None:
    assert hear(FORM, *before, "/decline") == Declined()
    assert hear(FORM, *before, "/cancel") == Cancelled()
    assert hear(FORM, *before, "/CANCEL") == Cancelled()


def test_the_end_of_the_input_is_a_cancel() -> None:
    for question in (FORM, EMPTY, VISIT):
        conversation, _ = begun(question)
        assert conversation.hear(None) == Cancelled()


def test_the_end_of_the_input_within_several_lines_is_a_cancel() -> None:
    conversation, _ = begun(FORM)
    conversation.hear(('"""',))
    assert conversation.hear(None) == Cancelled()


def test_at_a_field_a_word_without_a_slash_is_an_answer() -> None:
    assert "  1. Text: cancel" in prompt(FORM, "cancel", "", "").lines


def test_an_answer_that_begins_with_a_slash_is_typed_with_two() -> None:
    assert "  1. Text: /etc/hosts" in prompt(FORM, "//etc/hosts", "", "").lines


def test_an_unknown_command_is_no_answer_and_says_how_to_give_that_one() -> None:
    again = prompt(FORM, "/etc/hosts")
    assert again.ask == "Text: "
    assert "type the slash twice" in again.lines[0]


def test_back_goes_to_the_field_before_and_keeps_what_is_there() -> None:
    again = prompt(FORM, "hello", "/back")
    assert again.ask == "Text: "
    assert "  Enter keeps: hello" in again.lines
    assert prompt(FORM, "hello", "/back", "").ask == "Days: "


def test_clear_makes_a_field_unanswered() -> None:
    assert prompt(FORM, "hello", "/clear").ask == "Days: "
    assert hear(FORM, "hello", "/clear", "", "", "send") == Accepted({"text": "hello"})


def test_a_field_can_be_edited_before_sending_and_the_review_comes_back() -> None:
    edited = prompt(FORM, "hello", "", "", "edit 2")
    assert edited.ask == "Days: "
    assert "  2. Days: 8" in prompt(FORM, "hello", "", "", "edit 2", "8").lines


def test_a_field_can_be_cleared_in_the_review() -> None:
    assert hear(FORM, "hello", "", "", "clear 2", "send") == Accepted({"text": "hello"})


@pytest.mark.parametrize("line", ["edit", "edit 9", "edit x", "clear", "clear 0"])
def test_a_field_that_is_not_named_is_asked_for(line: str) -> None:
    again = prompt(FORM, "hello", "", "", line)
    assert again.lines[0].startswith(f"Which one? Type {line.split(maxsplit=1)[0]} and a number from 1 to 3")


def test_only_fields_that_were_seen_can_be_edited_on_the_way() -> None:
    assert "from 1 to 1" in prompt(FORM, "hello", "/edit 2").lines[0]
    assert prompt(FORM, "hello", "/edit 1").ask == "Text: "
    assert "/edit" not in prompt(FORM, "/help").lines


def test_a_required_field_that_was_cleared_is_not_sent_but_asked_again() -> None:
    again = prompt(FORM, "hello", "", "", "clear 1", "send")
    assert again.lines[0] == "Text: Write something."
    assert again.ask == "Text: "
    assert hear(FORM, "hello", "", "", "clear 1", "send", "again", "send") == Accepted(
        {"text": "again", "days": 30}
    )


@pytest.mark.parametrize("line", ["", "yes", "hello", "s"])
def test_in_the_review_nothing_sends_but_its_word(line: str) -> None:
    assert prompt(FORM, "hello", "", "", line).ask == "send, edit N, decline or cancel? "


def test_show_repeats_the_question_at_a_field_and_in_the_review() -> None:
    assert "| Fill in" in prompt(FORM, "/show").lines
    review = prompt(FORM, "hello", "", "", "show")
    assert "| Fill in" in review.lines
    assert "  1. Text: hello" in review.lines


def test_help_names_what_can_be_done_here() -> None:
    field = "\n".join(prompt(FORM, "hello", "/help").lines)
    for word in ("/back", "/clear", "/edit", "/show", "/decline", "/cancel"):
        assert word in field
    assert '"""' not in field
    assert '"""' in "\n".join(prompt(FORM, "/help").lines)
    assert any(line.startswith("  send") for line in prompt(FORM, "hello", "", "", "help").lines)
    assert any(line.startswith("  accept") for line in prompt(EMPTY, "help").lines)


def test_an_answer_of_several_lines_stands_between_quotes() -> None:
    conversation, _ = begun(FORM)
    for line in ('"""', "one", "", "/two"):
        step = conversation.hear((line,))
        assert isinstance(step, Prompt)
        assert step.ask == "... "
    step = conversation.hear(('"""',))
    assert isinstance(step, Prompt)
    assert step.ask == "Days: "
    assert hear(FORM, '"""', "one", "", "/two", '"""', "", "", "send") == Accepted(
        {"text": "one\n\n/two", "days": 30}
    )


def test_pasted_lines_are_kept_whole_in_a_text_field() -> None:
    conversation, _ = begun(FORM)
    more = conversation.hear(("one", "two"))
    assert isinstance(more, Prompt)
    assert more.ask == "... "
    conversation.hear(("three",))
    after = conversation.hear(('"""',))
    assert isinstance(after, Prompt)
    assert "one / two / three" in "\n".join(prompt_of(conversation, "/back").lines)


def test_a_paste_may_bring_its_own_quotes_and_what_follows_them_is_not_taken() -> None:
    conversation, _ = begun(FORM)
    step = conversation.hear(('"""', "one", "two", '"""', "99"))
    assert isinstance(step, Prompt)
    assert step.ask == "Days: "
    assert step.lines[0].startswith("What came after")


def test_pasted_lines_at_any_other_place_are_refused_aloud() -> None:
    for before in (("hello",), ("hello", "", "")):
        conversation, _ = begun(FORM)
        for line in before:
            conversation.hear((line,))
        step = conversation.hear(("send", "send"))
        assert isinstance(step, Prompt)
        assert "none was taken" in " ".join(step.lines)
    conversation, _ = begun(EMPTY)
    assert isinstance(conversation.hear(("accept", "send")), Prompt)


def test_quotes_mean_several_lines_only_where_lines_can_be_an_answer() -> None:
    assert prompt(FORM, "hello", '"""').ask == "Days: "


def test_a_confirmation_is_looked_at_once_more() -> None:
    review = prompt(CONFIRM, "yes")
    assert review.lines[-1] == "Send: Yes - Delete?"
    assert hear(CONFIRM, "yes", "send") == Accepted({"ok": True})
    assert prompt(CONFIRM, "yes", "edit").ask == "Really: "
    assert hear(CONFIRM, "yes", "edit", "no", "send") == Accepted({"ok": False})


def test_a_form_without_fields_needs_two_words() -> None:
    assert prompt(EMPTY, "accept").lines[-1] == "Send: Accept - Delete?"
    assert hear(EMPTY, "accept", "send") == Accepted({})
    assert prompt(EMPTY, "accept", "back").ask == "accept, decline or cancel? "
    for ways in (("decline",), ("accept", "/decline")):
        assert hear(EMPTY, *ways) == Declined()
    assert hear(EMPTY, "cancel") == Cancelled()


@pytest.mark.parametrize("line", ["", "yes", "send", "y", "ok"])
def test_nothing_else_accepts_a_form_without_fields(line: str) -> None:
    assert prompt(EMPTY, line).ask == "accept, decline or cancel? "


def test_a_visit_needs_its_word_too() -> None:
    assert hear(VISIT, "open") == Accepted({})
    assert hear(VISIT, "decline") == Declined()
    assert hear(VISIT, "cancel") == Cancelled()
    for line in ("", "yes", "send"):
        assert prompt(VISIT, line).ask == "open, decline or cancel? "
    assert "Address: https://example.org/login" in prompt(VISIT, "show").lines


def test_what_seems_to_be_a_secret_is_typed_unseen_and_never_shown() -> None:
    question = FormQuestion("Hello", Form((TextField(name="api_key"), NumberField(name="days"))))
    _, first = begun(question)
    assert first.hidden
    days = prompt(question, "hunter2")
    assert not days.hidden
    assert not any("hunter2" in line for line in prompt(question, "hunter2", "1").lines)
    assert "hunter2" not in "".join(prompt(question, "hunter2", "/back").lines)


def prompt_of(conversation: Conversation, line: str) -> Prompt:
    step = conversation.hear((line,))
    assert isinstance(step, Prompt)
    return step
