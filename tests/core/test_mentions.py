import pytest

from askfirst.core.folding import words_of_name, words_of_prose
from askfirst.core.mentions import mentions, other_meaning
from askfirst.core.vocabulary import Kind


def harmless(text: str) -> list[bool]:
    return [one.harmless for one in mentions(words_of_prose(text))]


def test_a_mention_says_what_it_met_and_in_which_clause() -> None:
    (one,) = mentions(words_of_prose("Hello. Enter your API-keys"))
    assert (one.kind, one.word, one.harmless, one.common) == (Kind.KEY, "api key", False, False)
    assert (one.asked, one.length) == (True, 4)


def test_a_clause_that_asks_for_nothing_is_known() -> None:
    (one,) = mentions(words_of_prose("The password is known"))
    assert not one.asked


@pytest.mark.parametrize(
    "text",
    [
        "the password policy",
        "the password's length",
        "passwordpolicy",
        "密码长度",
        "密码的长度",
        "密码 长度",
        "パスワードの長さ",
        "重置密码",
        "name of the password",
        "name for a production password",
        "длина пароля",
        "reset the password",
        "delete the old api key",
        "never your password",
        "we never ask for your password",
        "no password",
    ],
)
def test_speaking_about_a_secret_is_harmless(text: str) -> None:
    assert harmless(text) == [True]


@pytest.mark.parametrize(
    "text",
    [
        "your password",
        "name, password",
        "name password",
        "reset it: enter password",
        "not now, your password",
        "if not logged in enter your password",
        "to to to to to to password",
        "of my old and very own password",
        "for the the the the the the password",
        "delete your password",
        "passwordvalue",
    ],
)
def test_asking_for_a_secret_is_not(text: str) -> None:
    assert harmless(text) == [False]


def test_a_negation_reaches_over_what_is_listed_with_it() -> None:
    assert harmless("do not put any passwords or api keys here") == [True, True]
    assert harmless("do not put any passwords. your api key") == [True, False]


@pytest.mark.parametrize(
    "text", ["token", "your token", "token for the bot", "pin", "your pin to go on", "secret."]
)
def test_a_common_word_counts_where_it_stands_last(text: str) -> None:
    assert harmless(text) == [False]


@pytest.mark.parametrize(
    "text", ["token market", "page token", "pin to dashboard", "secret santa", "map pin"]
)
def test_a_common_word_counts_nowhere_else(text: str) -> None:
    assert harmless(text) == [True]


def test_common_words_are_counted_not_asked_for_in_the_plural() -> None:
    assert harmless("tokens") == []
    assert harmless("access tokens") == [False]


def test_words_run_together_are_met_only_at_the_end_of_a_word() -> None:
    assert [one.word for one in mentions(words_of_name("myaccesstoken"))] == ["access token"]
    assert mentions(words_of_name("accesstokenizer")) == []
    assert mentions(words_of_name("userpassport")) == []


def test_a_word_that_must_stand_alone_is_met_only_alone() -> None:
    assert [one.word for one in mentions(words_of_name("pass"))] == ["pass"]
    assert mentions(words_of_name("boarding_pass")) == []


def test_the_finer_reading_of_a_name_decides() -> None:
    assert [one.harmless for one in mentions(words_of_name("passwordLength"))] == [True]
    assert [one.harmless for one in mentions(words_of_name("PaSsWoRd"))] == [False]


def test_the_bowling_card_is_no_payment() -> None:
    assert harmless("library card number") == [True]
    assert harmless("bibliothekskartennummer") == [True]


def test_words_around_a_pin_tell_its_meaning() -> None:
    assert other_meaning(Kind.PIN, words_of_prose("a GPIO line"))
    assert not other_meaning(Kind.PIN, words_of_prose("of your bank"))
