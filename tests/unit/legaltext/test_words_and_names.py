"""Number words, months, names and folded text: the tables that every room reads."""

import pytest

from tasks.legaltext import months
from tasks.legaltext.fold import quotable, straight, unaccented
from tasks.legaltext.names import FORM_WORDS, name_words, without_form
from tasks.legaltext.numbers.spelling import in_digits, spelled, words_to_int
from tasks.legaltext.tokens import root, singular


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("zero", 0),
        ("twenty-one", 21),
        ("Fourty five", 45),
        ("one hundred and twenty", 120),
        ("a hundred and five thousand", 105_000),
        ("two million five hundred thousand", 2_500_000),
        ("two thousand and four", 2004),
        ("nineteen ninety-nine", 1999),
        ("twenty-first", 21),
        ("ten and twenty", None),
        ("two three", None),
        ("a", None),
        ("soon", None),
    ],
)
def test_words_to_int(phrase, value):
    assert words_to_int(phrase) == value


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("one hundred and twenty (120) days", "120 (120) days"),
        ("thirty and sixty days, twenty and thirty years", "30 and 60 days, 20 and 30 years"),
        ("Sections one, two and three", "Sections 1, 2 and 3"),
        ("Someone attends alone", "Someone attends alone"),
    ],
)
def test_in_digits(text, digits):
    assert in_digits(text) == digits


def test_every_number_below_a_thousand_is_read_as_it_is_spelled():
    for number in range(1000):
        assert words_to_int(spelled(number)) == number
        assert number >= 100 or not number or words_to_int(spelled(number, ordinal=True)) == number
    assert [spelled(n, ordinal=True) for n in (1, 12, 20, 43)] == ["first", "twelfth", "twentieth", "forty-third"]
    assert spelled(215_000) == "two hundred fifteen thousand"
    for number in (1_000, 1_001, 999_999, 12_345_678):
        assert words_to_int(spelled(number)) == number
    assert spelled(1_000_000_000) == "1000000000"


def test_months_have_their_numbers_in_every_language():
    assert [months.NUMBERS[name] for name in months.NAMES] == list(range(1, 13))
    assert {months.NUMBERS["sept"], months.FOREIGN["septiembre"]} == {9}
    assert "may" not in months.CERTAIN
    assert len(months.CERTAIN) == 11


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Société Générale S.A. & Co", ["societe", "generale", "sa", "and", "co"]),
        ("O’Brien’s 9.2", ["obriens", "9.2"]),
        ("日本 Ltd", ["日", "本", "ltd"]),
    ],
)
def test_name_words(name, words):
    assert name_words(name) == words


@pytest.mark.parametrize(
    "name", ["Acme Robotics, Inc.", "ACME  ROBOTICS LLC", "Acme Robotics S.A.", "Acme Robotics GmbH & Co. KG"]
)
def test_a_name_without_its_legal_form(name):
    assert without_form(name) == "acme robotics"


def test_forms_are_words_of_names():
    assert {"inc", "llc", "gmbh", "sa", "pty"} <= FORM_WORDS


def test_folded_text():
    assert straight("“Mark‑up”\u00a0isn’t sof\u00adt") == '"Mark-up" isn\'t soft'
    assert quotable("the “Fund”\n shall") == 'the "Fund" shall'
    assert unaccented("Müller café ﬁn") == "Muller cafe fin"


@pytest.mark.parametrize(
    ("word", "begins"),
    [("obligations", "oblig"), ("restrictive", "restrictive"), ("fees", "fees"), ("parties", "part"), ("cap", "cap")],
)
def test_root(word, begins):
    assert root(word) == begins


@pytest.mark.parametrize(
    ("word", "one"),
    [("parties", "party"), ("licences", "license"), ("days", "day"), ("business", "business"), ("gas", "gas")],
)
def test_singular(word, one):
    assert singular(word) == one
