"""A question that supposes the answer to the one before is an ask of its own, and has its noun."""

from __future__ import annotations

import pytest
from asks_fixtures import read

from tasks.asks.supposing import denies, is_tail, supposed, supposition
from tasks.legaltext.parts_of_speech import tagged


@pytest.mark.parametrize(
    ("brief", "subjects"),
    [
        (
            "Tell me whether the fee can rise and if so, by how much.",
            ["whether the fee can rise", "by how much the fee can rise"],
        ),
        (
            "Please check whether the fee can rise and, if so, by how much.",
            ["whether the fee can rise", "by how much the fee can rise"],
        ),
        ("Can the fee rise, and if so by how much?", ["Can the fee rise", "by how much (Can the fee rise)"]),
        (
            "Does the landlord have to insure it? If yes, who pays the premium?",
            ["Does the landlord have to insure it", "who pays the premium (Does the landlord have to insure it)"],
        ),
        (
            "Is there a cap on liability, and if there is, how high is it?",
            ["Is there a cap on liability", "how high is the cap on liability"],
        ),
        (
            "Can Orrin end it early and, if not, what instead?",
            ["Can Orrin end it early", "if not, what instead (Can Orrin end it early)"],
        ),
        (
            "Does the licence renew, or does it end by itself?",
            ["Does the licence renew", "does the licence end by itself"],
        ),
        (
            "May the tenant sublet? If so, with whose consent?",
            ["May the tenant sublet", "with whose consent (May the tenant sublet)"],
        ),
        (
            "Is interest owed and if so from when and at what rate?",
            ["Is interest owed", "from when and at what rate (Is interest owed)"],
        ),
        (
            "Is there a non-compete? If yes, for how long and where?",
            ["Is there a non-compete", "for how long and where (Is there a non-compete)"],
        ),
        (
            "Is the deposit refundable? If not, why not?",
            ["Is the deposit refundable", "If not, why not (Is the deposit refundable)"],
        ),
        (
            "Do they need our consent, and if they do, can we refuse?",
            ["Do they need our consent", "can we refuse (Do they need our consent)"],
        ),
        (
            "We want to know if the guarantee has lapsed and, if not, until when it runs.",
            ["if the guarantee has lapsed", "until when the guarantee runs"],
        ),
        (
            "Must the distributor buy a minimum, and if it must, how much a year?",
            ["Must the distributor buy a minimum", "how much a year (Must the distributor buy a minimum)"],
        ),
        (
            "Does the option need writing and if so by when and to whom?",
            ["Does the option need writing", "by when and to whom (Does the option need writing)"],
        ),
        (
            "Does the warranty cover batteries? If so, for how long; if not, what does?",
            [
                "Does the warranty cover batteries",
                "for how long (Does the warranty cover batteries)",
                "if not, what does (Does the warranty cover batteries)",
            ],
        ),
        (
            "Whether the rent is indexed and, if yes, to which index.",
            ["Whether the rent is indexed", "to which index the rent is indexed"],
        ),
        (
            "Tell us whether Halden may audit the books and, if it may, how often.",
            ["whether Halden may audit the books", "how often Halden may audit the books"],
        ),
        ("Is the loan secured, and if so on what?", ["Is the loan secured", "on what (Is the loan secured)"]),
        (
            "Do we owe them anything, and if we do, how much and when?",
            ["Do we owe them anything", "how much and when (Do we owe them anything)"],
        ),
        (
            "Is the price fixed, and if it isn't, what moves it?",
            ["Is the price fixed", "if it isn't, what moves the price"],
        ),
        (
            "Are we allowed to hire their people, and if not for how long?",
            ["Are we allowed to hire their people", "if not for how long (Are we allowed to hire their people)"],
        ),
        (
            "Has the option lapsed? If it hasn't, what must we do?",
            ["Has the option lapsed", "If it hasn't, what must we do (Has the option lapsed)"],
        ),
        (
            "Is the supplier liable for delay, if yes to what extent?",
            ["Is the supplier liable for delay", "to what extent (Is the supplier liable for delay)"],
        ),
        (
            "Can they terminate and if they can what do they owe us?",
            ["Can they terminate", "what do they owe us (Can they terminate)"],
        ),
    ],
)
def test_a_supposed_question_is_an_ask_with_what_it_is_about(brief: str, subjects: list[str]) -> None:
    found = [a.subject for a in read(brief).asks]
    assert len(found) == len(subjects)
    assert all(want in have for want, have in zip(subjects, found, strict=True)), found


@pytest.mark.parametrize(
    "brief",
    [
        "Is there a drag and at what threshold?",
        "Can he go after Mrs Lin straight away and for how much?",
        "If there is a penalty, how much is it?",
        "If they earn $82,000 in a quarter, what is our share?",
    ],
)
def test_a_tail_without_a_supposition_and_a_plain_condition_stay_in_their_ask(brief: str) -> None:
    assert len(read(brief).asks) == 1


def test_a_supposed_question_of_a_numbered_list_is_one_ask() -> None:
    asked = ("What do we pay now?", "Is there a charge for leaving early, and if so, how much?", "Who pays?")
    brief = "Please tell us:\n" + "\n".join(f"{n}. {a}" for n, a in enumerate(asked, 1))
    assert [a.subject for a in read(brief).asks][1:3] == [
        "Is there a charge for leaving early",
        "how much (Is there a charge for leaving early)",
    ]
    assert read("Is there a right of refusal? And if so, in whose favour?").asks[1].subject == (
        "in whose favour (Is there a right of refusal)"
    )


def test_whether_somebody_can_really_do_a_thing_is_asked_of_the_papers() -> None:
    kinds = [read(b).asks[0].kind.value for b in ("Can they really raise the fee?", "Would a court really enforce it?")]
    assert kinds == ["yes_no", "judgment"]


def test_what_is_to_be_found_out_is_asked_beside_other_questions() -> None:
    asks = read("Find out whether our deposit is safe and where it is held.").asks
    assert [a.subject for a in asks] == ["Find out whether our deposit is safe", "where our deposit is held"]


@pytest.mark.parametrize(
    ("words", "said", "no"),
    [
        ("if so, by how much", "if so", False),
        ("if it does not, who pays", "if it does not", True),
        ("if the new tenant may, how often", "if the new tenant may", False),
        ("if the tenant moves out, who pays", "", False),
        ("if payment is late, who pays", "", False),
        ("if who signs is unclear", "", False),
        ("if anyone's, does he need consent", "", False),
        ("if it's, by how much", "if it's", False),
    ],
)
def test_a_supposition_is_what_takes_up_the_answer_alone(words: str, said: str, no: bool) -> None:
    read_words = tagged(words)
    count = supposition(read_words)
    assert words[: read_words[count - 1].end if count else 0] == said
    assert denies(read_words) is no
    assert len(supposed(read_words)) == len(read_words) - count - (count > 0)


@pytest.mark.parametrize(
    ("words", "tail"),
    [("by how much", True), ("how often", True), ("which law", False), ("if so, which one", True), ("who pays", False)],
)
def test_a_tail_asks_no_more_than_a_measure_or_a_relation(words: str, tail: bool) -> None:
    assert is_tail(tagged(words)) is tail
