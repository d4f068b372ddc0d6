# ruff: noqa: RUF001 -- the texts are odd on purpose
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.core.folding import BREAK, PAUSE, fold, squeeze, squeeze_each, words_of_name, words_of_prose

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    "spelled",
    [
        "password",
        "PassWord",
        "pаssword",  # Cyrillic a
        "PАSSWОRD",  # Cyrillic capitals
        "ｐａｓｓｗｏｒｄ",
        "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝",
        "ⓟⓐⓢⓢⓦⓞⓡⓓ",
        "ᴘᴀꜱꜱᴡᴏʀᴅ",
        "p\u200ba\u00ads\u2060s\ufeffword",
        "pa\u034fss\u3164wo\U000e0041rd\u0301\u0302",
        "p\x1b[1mass\x1b[0mword",
        "pass\x07word",
        "passw0rd",
        "p@ssw0rd",
        "pa$$word",
        "P4SSW0RD",
        "password2",
        "p a s s w o r d",
        "p.a.s.s.w.o.r.d.",
        "p_a_s_s_w_o_r_d",
    ],
)
def test_one_word_however_it_is_spelled(spelled: str) -> None:
    assert ("password",) in [tuple(w for w in reading if w) for reading in words_of_prose(spelled)]


def test_accents_do_not_count() -> None:
    assert fold("Contraseña Şifre Hasło Mật khẩu Straße ıI") == "contrasena sifre haslo mat khau strasse ii"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("api_key", ("api", "key")),
        ("api-key", ("api", "key")),
        ("apiKey", ("api", "key")),
        ("APIKey", ("api", "key")),
        ("user.apiKey2", ("user", "api", "key2")),
        ("2fa_code", ("2fa", "code")),
        ("code6", ("code",)),
        ("a_b", ("a", "b")),
        ("", ()),
    ],
)
def test_a_name_is_split_at_its_joints(name: str, words: tuple[str, ...]) -> None:
    assert words_of_name(name)[-1] == words


def test_a_name_with_humps_has_two_readings() -> None:
    assert words_of_name("PaSsWord") == (("password",), ("pa", "ss", "word"))


def test_prose_breaks_where_a_clause_ends() -> None:
    (words,) = words_of_prose("your key (new). see docs.example.com, 42 times")
    assert words == (
        *("your", "key", BREAK, "new", BREAK, BREAK, "see", "docs", "example", "com", PAUSE),
        *("42", "times"),
    )


@given(ANY_TEXT)
def test_any_text_has_words(text: str) -> None:
    for reading in (*words_of_name(text), *words_of_prose(text)):
        assert all(isinstance(word, str) for word in reading)
    assert all({BREAK, PAUSE}.isdisjoint(reading) for reading in words_of_name(text))


@pytest.mark.parametrize("text", ["año", "me@home", "5 $", "\x1b[1mbold"])
def test_what_can_be_read_in_several_ways_is_not_squeezed(text: str) -> None:
    assert squeeze(text) is None


@given(st.text(st.characters(codec="ascii"), max_size=40))
def test_each_word_of_a_squeezed_text_is_a_part_of_it(text: str) -> None:
    squeezed = squeeze(text)
    readings = [*words_of_name(text), *words_of_prose(text)]
    if squeezed is not None:
        assert all(str(squeeze(word)) in squeezed for reading in readings for word in reading)
        assert all(squeezed.startswith(str(squeeze(reading[0]))) for reading in readings if reading)


def test_several_texts_are_squeezed_each_on_its_own_line() -> None:
    assert squeeze_each(["Your Name", "", "p4ss"]) == "yourname\n\npass"


@pytest.mark.parametrize("text", ["año", "a@b", "5 $", "\x1b[1mbold", "two\nlines"])
def test_several_texts_are_not_squeezed_if_one_of_them_tells_nothing(text: str) -> None:
    assert squeeze_each(["name", text]) is None
