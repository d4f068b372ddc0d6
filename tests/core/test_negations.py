# ruff: noqa: RUF001 -- words of many scripts
import pytest

from askfirst.core.folding import fold, words_of_prose
from askfirst.core.mentions import mentions
from askfirst.core.negations import asks, is_denied


def denied(text: str) -> list[bool]:
    return [one.harmless for one in mentions(words_of_prose(text))]


@pytest.mark.parametrize("word", ["enter", "geben", fold("请输入密码"), fold("입력하세요")])
def test_a_verb_of_giving_asks_by_itself_or_within_a_run_of_letters(word: str) -> None:
    assert asks(word)
    assert not asks("password")


@pytest.mark.parametrize(
    "text",
    [
        "never enter your password",
        "no very password",
        "do not enter your phone number, pin number, or other sensitive information",
        "don't include your name, address or password",
        "Do not enter two letters of your password",
        "Geben Sie nicht Ihre Telefonnummer, Passwort oder anderes ein",
        "Geben Sie, bitte, hier Ihr Passwort nicht ein",
        "Passwort nicht eingeben",
        "Passwort hier bitte nicht",
        "şifrenizi girmeyin",
        "पासवर्ड दर्ज न करें",
        "请勿输入您的电话号码、密码或其他敏感信息",
        "パスワードを入力しないでください",
        "パスワード、その他は入力しないでください",
        "비밀번호를 입력하지 마세요",
    ],
)
def test_what_must_not_be_given_is_denied(text: str) -> None:
    assert set(denied(text)) == {True}


@pytest.mark.parametrize(
    "text",
    [
        "your password",
        "if you have no account, password",
        "do not leave this empty, your name, password or the like",
        "do not enter your name! password or key",
        "do not enter your name, password",
        "do not enter your name, but your password or a key",
        "do not enter your name, instead a password or key",
        "do not enter your name, enter your password or a key",
        "not, enter name, password or a key",
        "enter, not later, name, password or a key",
        "enter the very, nicht, name, password or a key",
        "enter here with care my own and only password",
        "password, but never enter blanks",
        "passwort nicht länger als acht zeichen",
        "パスワードを入力、空白は入力しないでください",
        "パスワードを入力してから空白を入力しないでください",
        "密码，不要输入空格",
    ],
)
def test_what_is_asked_for_beside_a_no_is_not(text: str) -> None:
    assert denied(text) == [False]


def test_a_no_is_looked_for_a_few_words_around() -> None:
    words = words_of_prose("do not enter " + "name, " * 30 + "password or key")[0]
    assert not is_denied(words, len(words) - 3, len(words) - 2, "")
