"""Briefs are read into their asks: by table, and by what holds of every brief."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from asks_briefs import BRIEFS
from asks_fixtures import paper, read, said

from tasks.asks.marks import OPEN
from tasks.asks.records import Asks


@pytest.mark.examples(23)
@pytest.mark.parametrize(("brief", "asks"), BRIEFS, ids=range(len(BRIEFS)))
def test_a_brief_is_read_as_a_lawyer_reads_it(brief: str, asks: Sequence[tuple[str, str]]) -> None:
    assert said(brief) == list(asks)


@pytest.mark.parametrize(
    "filing",
    [
        "Write `memo.docx`.", "Write memo.docx", "Please write it up in memo.docx.", "Save it as `memo.docx`, please.",
        "Produce `memo.docx` and `table.xlsx`.", "Deliver memo.docx please.", "Then put the answers into memo.docx.",
    ],
)  # fmt: skip
def test_where_the_answer_goes_is_no_ask(filing: str) -> None:
    asked = [("fact", "State the governing law")]
    assert said(f"State the governing law. {filing}") == asked
    assert said(f"State the governing law.\n{filing}\n") == asked
    assert read(f"State the governing law. {filing}").title == "Governing law"


@pytest.mark.parametrize(
    "brief",
    [
        "Write `memo.docx`.", "Return lease.docx with your changes.", "Send lease.docx to the landlord.",
        "Draft the notice in notice.docx.",
    ],
)  # fmt: skip
def test_what_is_done_with_a_file_is_an_ask(brief: str) -> None:
    assert len(said(brief)) == 1


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        ("Four contracts: Acme's supply agreement, Beta's lease form and Gamma's loan.\nWho signed them?", 1),
        ("We act for a fund that may (i) buy the shares of Alpha, (ii) lend to Beta. Is consent needed?", 1),
        ("1. Acme wants to hand the lease to a sister. Consent needed?\n2. Who pays the fees?", 2),
        ("Background: the lease was signed in 2019. Rent is unpaid. What can the landlord do?", 1),
        ("From: Ann <a@b.com>\nTo: Bo\nSubject: what is the rent\n\nBo, what is the deposit?\n\nAnn", 1),
        ("From: partner. To: you. We act for the buyer of the mill. When was notice given? Who pays the fees?", 2),
        ("To: Bo. Subject: the lease of the mill. Please tell me what the rent is and when it ends.", 2),
        ("From: Dr. Ann Lee <a@b.com>\nSent: Mon. 3 March 2025\n\nWhat is the deposit?", 1),
        ("Attached: the lease and one e-mail from the broker. What is the rent?", 1),
        ("The bank closed our loan in 2024. What is the rate?", 1),
        ("When the tenant moved in, the roof leaked. Who repairs it?", 1),
        ("Thanks in advance. What is the rent?", 1),
        ("We are counsel to a buyer looking at two plants. Who owns the tooling?", 1),
        ("Read the lease and tell me who insures.\n\nOutput: `memo.docx` and `table.xlsx`.", 1),
    ],
)
def test_facts_names_heads_and_courtesies_are_background(brief: str, asks: int) -> None:
    found = read(brief)
    assert (len(found.asks), found.uncovered) == (asks, ())


def test_a_question_that_no_ask_has_is_uncovered_and_no_background() -> None:
    brief = "Subject: may the tenant assign?\n\nWhat is the deposit?"
    found = read(brief)
    assert [brief[a:b] for a, b in found.uncovered] == ["Subject: may the tenant assign?"]
    assert len(found.asks) == 1


@pytest.mark.parametrize("lines", [1, 4])
def test_a_line_broken_at_a_width_goes_on(lines: int) -> None:
    brief = (
        "I would like to know whether the tenant of the ground floor may\n"
        "assign the lease without the consent of the landlord, and who has\n"
        "to pay for the survey that the landlord may ask for in that case.\n"
    )
    words = [w for _, w in said(brief * lines)]
    assert words[:2] == [
        "I would like to know whether the tenant of the ground floor may assign the lease without the consent of "
        "the landlord",
        "who has to pay for the survey that the landlord may ask for in that case",
    ]
    assert len(words) == 2 * lines


REDLINE = "Please redline the terms. The cap should be 8%, not 5%. The seat to Singapore instead of Beijing."


@pytest.mark.parametrize(
    ("brief", "title", "files", "drafting"),
    [
        (REDLINE, "A matter", (), 2),
        ("In clause 10 the insurance goes up to 120% of the value.", "Redline of the supply contract", (), 1),
        ("The contract should run 3 years instead of 5, and clause 9 is gone.", "Terms", ("terms-redline.docx",), 2),
        ("The contract should run 3 years instead of 5. Does it renew?", "Terms", ("memo.docx",), 0),
        ("Mark up for us: clause 2 from 10 to 5 days. Who signs? We act for the buyer.", "Terms", (), 1),
    ],
)
def test_statements_of_a_redline_are_changes(brief: str, title: str, files: Sequence[str], drafting: int) -> None:
    assert [a.kind.value for a in read(brief, title=title, files=files).asks].count("drafting") == drafting


@pytest.mark.parametrize(
    ("brief", "subjects"),
    [
        (
            "May the recipient (a) copy it, (b) reverse engineer it?",
            ["May the recipient copy it", "May the recipient reverse engineer it"],
        ),
        (
            "State the rent, the term and the deposit of each lease.",
            ["the rent of each lease", "the term of each lease", "the deposit of each lease"],
        ),
        (
            "Is there an audit right? How often may it be used?",
            ["Is there an audit right", "How often may the audit right be used"],
        ),
        ("On the lease: who insures?", ["On the lease: who insures"]),
        (
            "Is there an audit right? Does the licensor have an option it can use?",
            ["Is there an audit right", "Does the licensor have an option it can use"],
        ),
    ],
)
def test_a_subject_is_complete_in_itself(brief: str, subjects: list[str]) -> None:
    assert [a.subject for a in read(brief).asks] == subjects


NDA = "non-disclosure agreement"
PAPERS = (
    paper("1-supply.txt", "SUPPLY AGREEMENT", "Brixton Tools Ltd", "Acme Foods Inc.", kind="supply agreement"),
    paper("2-nda.txt", "MUTUAL NON-DISCLOSURE AGREEMENT", "Veltra GmbH", "Acme Foods Inc.", kind=NDA),
    paper("3-nda.txt", "NON-DISCLOSURE AGREEMENT", "Kestrel LLC", "Acme Foods Inc.", kind=NDA),
    paper("4-letter.eml", "Side letter", "Ann Lee", kind="side letter"),
)


@pytest.mark.parametrize(
    ("brief", "documents", "each"),
    [
        ("Which law governs the supply agreement?", ["1-supply.txt"], False),
        ("Does Veltra's NDA have a non-solicit?", ["2-nda.txt"], False),
        ("What do both NDAs say of residuals?", ["2-nda.txt", "3-nda.txt"], True),
        ("What does the side letter say about fees?", ["4-letter.eml"], False),
        ("Who signed the third agreement?", ["3-nda.txt"], False),
        ("Who signed document 1?", ["1-supply.txt"], False),
        ("What is the date of 2-nda.txt?", ["2-nda.txt"], False),
        ("For each agreement give the date.", [], True),
        ("For all four papers: who signed?", [], True),
        ("How long do the Veltra and Kestrel NDAs run?", ["2-nda.txt", "3-nda.txt"], True),
        ("Is service by e-mail permitted?", [], False),
        ("Some help please. On the side letter: what is the fee?", ["4-letter.eml"], False),
    ],
)
def test_documents_are_told_by_name_kind_number_and_place(brief: str, documents: list[str], each: bool) -> None:
    ask = read(brief, PAPERS).asks[-1]
    assert (list(ask.documents), ask.each) == (documents, each)


def test_a_pronoun_keeps_the_document_of_the_ask_before() -> None:
    first, second = read("Does Veltra's NDA renew, and when does it end?", PAPERS).asks
    assert first.documents == second.documents == ("2-nda.txt",)


def test_an_ask_names_the_file_that_must_carry_it() -> None:
    brief = "Put the rents in rents.xlsx. Who insures?"
    assert [a.deliverables for a in read(brief, files=("rents.xlsx", "memo.docx")).asks] == [("rents.xlsx",), ()]


def accounted(found: Asks) -> None:
    """Every letter lies in an ask, the background or what is uncovered; numbers and order are those of the brief."""
    brief = found.brief
    spans = [(a.start, a.end) for a in found.asks] + [*found.background, *found.uncovered]
    inside = bytearray(len(brief))
    for start, end in spans:
        inside[start:end] = b"\1" * (end - start)
    letters = [n for n, c in enumerate(brief) if OPEN.match(c) and not inside[n]]
    assert not letters, brief[letters[0] - 20 : letters[0] + 20]
    assert all(brief[a.start : a.end] == a.words and a.start < a.end for a in found.asks)
    assert [a.ask_id for a in found.asks] == [str(n) for n in range(1, len(found.asks) + 1)]
    assert [a.start for a in found.asks] == sorted(a.start for a in found.asks)


@pytest.mark.parametrize("brief", [b for b, _ in BRIEFS], ids=range(len(BRIEFS)))
def test_every_letter_is_accounted_for(brief: str) -> None:
    found = read(brief)
    accounted(found)
    assert found.uncovered == ()


WORDS = re.split(
    " ",
    "the rent and what is who pays, whether if tenant may assign; (a) give me - list draft of each lease please by"
    " with : output: memo.docx must should ( ) from 3 to 5 \n \n- 1. Re: > ? . ! “ ’ \u00ad \u202e not using",
)


@pytest.mark.examples(30)
@pytest.mark.parametrize("seed", range(60))
def test_any_words_are_accounted_for(seed: int) -> None:
    pick = random.Random(seed)
    accounted(read(" ".join(pick.choice(WORDS) for _ in range(pick.randint(1, 120)))))


HOSTILE = {
    "no stop": "the tenant and the landlord agree that rent is due " * 200,
    "asks without a stop": "and what is the rent, and who pays the tax and whether we may assign " * 150,
    "commas": "Give me " + "the rent, " * 1500,
    "marks": "?!.,;:-" * 1500,
    "brackets": "(" * 5000 + ")" * 5000,
    "quotes": '"' * 10000,
    "items": "\n".join(f"{n}. what is the rent of lease {n}" for n in range(500)),
    "inline items": "Please give: " + "; ".join(f"({n}) the rent of lease {n}" for n in range(500)),
    "blanks": " " * 10000,
    "lines": "\n" * 10000,
    "one word": "a" * 10000,
    "files": "Output: " + "a.docx " * 1500,
    "dots": "Output: " + "a." * 5000,
    "markup": "<b>*_#</b> [x](y) | " * 500,
    "right to left": "\u202e\u200fwho pays the rent\u00ad? " * 400,
    "soft hyphens": "wh\u00ado pa\u00adys the r\u00adent? " * 300,
    "onsets": "please and " * 1000,
    "quoted": "> " * 5000,
    "conditions": "if we " * 2000,
    "preambles": "using the, " * 1000,
    "changes": "Redline: " + "the rent from 3 to 5, " * 500,
    "labels": "a: " * 3000,
    "dashes": " - ".join(["the rent"] * 1000),
}


@pytest.mark.examples(1)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_brief_is_read_at_once(name: str, no_hang: None) -> None:
    read("What is the rent?")
    found = read(HOSTILE[name], PAPERS)
    accounted(found)


def test_each_of_500_items_is_an_ask() -> None:
    assert len(read(HOSTILE["items"]).asks) == 500


@pytest.mark.parametrize("brief", ["", " \n", "?!", "...", "🙂"])
def test_an_empty_brief_asks_nothing(brief: str) -> None:
    assert read(brief).asks == ()


@pytest.mark.parametrize("brief", ["Review the attached NDA.", "Please advise.", "The lease.", "We act for the buyer."])
def test_a_brief_always_asks_something(brief: str) -> None:
    assert len(read(brief).asks) == 1


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        ("Mill lease: rent & how paid / deposit / may it sublet / term", ["deposit", "may it sublet", "term"]),
        (
            "Docketing needs the dates.\n\n1) Ostrow's answer\n2) last day to serve Alder\n3) our answer to the claim\n"
            "4) our written responses to Alder's document requests\n5) trial date",
            ["our written responses to Alder's document requests"],
        ),
        ("What is the rent of the mill / barn?", ["What is the rent of the mill / barn"]),
    ],
)
def test_what_stands_in_a_list_is_asked_as_the_rest_of_it(brief: str, asks: list[str]) -> None:
    words = [ask.words for ask in read(brief).asks]
    assert [a for a in asks if a not in words] == []


def test_wording_that_is_to_be_written_is_not_parted() -> None:
    wording = 'Add at the end a Section 2.9: "Audit. The Company may inspect: books; records. Who pays? It does."'
    found = read(f"Redline the terms.\n\n1. Delete Section 4.\n2. {wording}", files=["terms-redline.docx"]).asks
    assert [a.words for a in found if "Audit" in a.words or "pays" in a.words] == [wording.rstrip('."')] or [
        a.words for a in found if "Audit" in a.words or "pays" in a.words
    ] == [wording]


@pytest.mark.parametrize(
    ("brief", "kind"),
    [
        ("Redline the contract. Turn the indemnity in Section 10 round so that Caterer indemnifies us.", "drafting"),
        ("Redline the contract. Check what Section 10 says of the indemnity.", "fact"),
    ],
)  # fmt: skip
def test_what_is_done_to_a_section_is_a_change_of_it(brief: str, kind: str) -> None:
    assert read(brief, files=["lunch-redline.docx"]).asks[-1].kind == kind


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        (
            "For each lease say who must consent and what the rent is.",
            [("fact", "For each lease say who must consent"), ("fact", "what the rent is")],
        ),
        (
            "Prepare a memorandum covering every agreement. What is the rent?",
            [("constraint", "Prepare a memorandum covering every agreement"), ("fact", "What is the rent")],
        ),
        ("Tell him, please: may she ride?", [("yes_no", "may she ride")]),
    ],
)
def test_orders_are_told_from_what_they_ask_for(brief: str, asks: list[tuple[str, str]]) -> None:
    assert said(brief) == asks
