"""Redaction of what a hostile solver, or a hostile document through it, may write: nothing slips by its form."""

from __future__ import annotations

import random
import re

import pytest

from tasks.learning.records import Observation
from tasks.learning.redaction import MESSAGE_LIMIT, redact, signal
from tasks.matter.reasons import ErrorClass, Failed, MatchKind


def observation(**fields: object) -> Observation:
    base: dict[str, object] = {
        "matter_key": "k", "work_type": "review", "document_suffixes": (".docx",), "deliverable_suffixes": (".docx",),
        "skill_id": "other/general", "passed": 1, "failed": (), "unscored": 0,
    }  # fmt: skip
    return Observation.model_validate({**base, **fields})


@pytest.mark.parametrize(
    ("message", "redacted"),
    [
        ("the tenant Ørsted pays and Čez signs", "the tenant [name] pays and [name] signs"),
        ("she met ÅSA ÖBERG there", "she met [name] there"),
        ("by Éditions Gallimard, by Hart und Söhne", "by [name], by [name]"),
        ("the seller Газпром and the buyer Ελλάδα", "the seller [name] and the buyer [name]"),
        ("the tenant\nLarkfield pays", "the tenant\n[name] pays"),
        ("the tenant (Larkfield) pays", "the tenant ([name]) pays"),
        ("the tenant *Larkfield* pays", "the tenant *[name]* pays"),
        ("the tenant `Larkfield` pays", "the tenant `[name]` pays"),
        ("of tenant/Larkfield now", "of tenant/[name] now"),
        ("the tenant Larkfield\u00a0Estates pays", "the tenant [name] pays"),
        ("from O’Neil’s and from McDonald & Sons", "from [name] and from [name]"),
    ],
)
def test_names_go_in_any_alphabet_and_behind_any_mark(message: str, redacted: str) -> None:
    assert redact(message) == redacted


@pytest.mark.parametrize(
    ("message", "redacted"),
    [
        ("see https://larkfield.example/deal?id=a now", "see [link] now"),
        ("see www.quillwork.com.", "see [link]"),
        ("open documents/larkfield/lease.docx now", "open [file] now"),
        (r"open C\larkfield\lease.pdf now", "open [file] now"),
        ("ask jane.doe+law@client.example now", "ask [email] now"),
        ("read harbor.lease.final.docx now", "read [file] now"),
    ],
)
def test_places_go_whole(message: str, redacted: str) -> None:
    assert redact(message) == redacted


@pytest.mark.parametrize(
    ("message", "redacted"),
    [
        ("it says „keine Partei darf abtreten“ there", "it says [quotation] there"),
        ("it says «nul ne peut céder» there", "it says [quotation] there"),
        ("it says ‘no tenant’s heir may assign’ there", "it says [quotation] there"),
        ("it says “neither party\n\nmay assign” there", "it says [quotation] there"),
        ("it says “neither party may assign, and then it goes on", "it says [quotation]"),  # never closed
        ('it says "neither party may assign, and then it goes on', "it says [quotation]"),
        ("the tenant’s duty is the owner’s gain", "the tenant’s duty is the owner’s gain"),  # no quotation at all
    ],
)
def test_quotations_go_whole(message: str, redacted: str) -> None:
    assert redact(message) == redacted


@pytest.mark.parametrize(
    "written",
    [
        "quill works of derry",
        "QUILL WORKS OF DERRY",
        "quill\nworks   of\tderry",
        "quill-works-of-derry",
        "quill_works_of_derry",
        "quill\u00a0works of derry",
        "qu\u200bill wo\u00adrks of\u2060 derry",
    ],
)
def test_a_known_name_goes_however_it_is_written(written: str) -> None:
    assert redact(f"at {written} now", ["Quill Works of Derry"]) == "at [name] now"


def test_a_known_name_is_met_in_both_ways_of_writing_an_accent() -> None:
    assert redact("at cafe\u0301 lune now", ["Caf\u00e9 Lune"]) == "at [name] now"
    assert redact("at caf\u00e9 lune now", ["Cafe\u0301 Lune"]) == "at [name] now"


def test_a_word_of_a_known_name_goes_where_it_is_capitalised() -> None:
    """A sentence may begin with any capital; one of a name is told from it by the names of the matter."""
    said = redact("Larkfield pays. Then the estates are sold. Reviewed.", ["Larkfield Estates Ltd"])
    assert said == "[name] pays. Then the estates are sold. Reviewed."


def test_names_that_are_expressions_are_taken_as_they_stand() -> None:
    assert redact("at a.b* (c) now, at aab c", ["a.b* (c)"]) == "at [name] now, at aab c"
    assert redact("nothing here", ["", " ", "----", "__ _"]) == "nothing here"


HOSTILE = [
    "a", "A", "A-", "a-", "a.",
    "a/", "“", '"', "‘", "‘a’b", "„", "A of ", "Ab ", "§", "§ ", "1,", "http://", "Section ",
    "a@", "a@a.", "1", "(A", "A\t", "é", "[name]", "\u200b", "-_ ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_message_takes_long(piece: str, no_hang: None) -> None:
    """Before its runs were bounded, twenty thousand times "A-" took minutes."""
    redact(piece * (12_000 // len(piece)), ["Quill Works", "a a a"])


PARTS = ["Quill Works", "Derry", "§ 9.2(b)", "$12,500.00", "3 March 2024", "lease-final.docx", "jane@client.example"]
JOINTS = [" and ", ", ", "; ", " (", ") ", "\n", " – ", " of ", ": "]


@pytest.mark.parametrize("seed", range(12))
def test_no_order_of_secrets_lets_one_through(seed: int) -> None:
    rng = random.Random(seed)
    message = "so "
    for part in rng.sample(PARTS, len(PARTS)):
        message += rng.choice(JOINTS) + part
    told = redact(message, ["Quill Works", "Derry"])
    secrets = ["quill", "works", "derry", "9", "12", "500", "march", "2024", "lease", "final", "jane", "client"]
    assert [s for s in secrets if s in told.lower()] == [], message


@pytest.mark.parametrize("seed", range(8))
def test_what_was_redacted_is_not_changed_again(seed: int) -> None:
    rng = random.Random(seed)
    told = redact(" and ".join(rng.choices(PARTS, k=6)), ["Quill Works"])
    assert redact(told, ["Quill Works"]) == told


def test_no_digit_of_any_alphabet_is_left() -> None:
    assert not re.search(r"\d", redact("due ３月５日, ٣ مارس, १२ मार्च and 7th"))


def test_a_signal_says_nothing_of_where_it_comes_from() -> None:
    failed = (Failed(match_kind=MatchKind.VALUE, error_class=ErrorClass.OTHER),)
    one = observation(
        matter_key="larkfield", work_type="larkfield", failed=failed, document_suffixes=(".larkfield", ".pdf"),
        deliverable_suffixes=(".larkfield",), final_message="For Larkfield. " * 400, tokens=123_457,
    )  # fmt: skip
    told = signal(one, ["Larkfield"]).model_dump_json()
    assert "larkfield" not in told.lower()
    assert "123457" not in told
    assert len(signal(one, ["Larkfield"]).final_message) == MESSAGE_LIMIT + len(" [cut]")
