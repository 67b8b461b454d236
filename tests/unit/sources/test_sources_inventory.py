"""Titles, types, parties and defined terms, as tables of heads of documents (all invented)."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tasks.harness import packaged
from tasks.sources.extract import extract
from tasks.sources.inventory import describe, renamed, typed
from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText
from tasks.sources.terms import defined_terms
from tasks.sources.titles import title_of


def text(words: str, media: str = "txt") -> CanonicalText:
    return CanonicalText(document="d", sha256="0", extractor="t/1", media=media, text=words)


TITLES = [
    ("EXHIBIT 10.4\n\nSUPPLY AGREEMENT\n\nThis Supply Agreement is made …", "SUPPLY AGREEMENT", "supply agreement"),
    ("Exhibit 10.4 Supply Agreement\n\nThis Agreement is made", "Supply Agreement", "supply agreement"),
    ("EXECUTION VERSION\n\nCREDIT AGREEMENT\n\ndated as of May 1, 2020", "CREDIT AGREEMENT", "credit agreement"),
    ("FIRST AMENDMENT\n\nTO\n\nLEASE AGREEMENT\n\nThis First Amendment", "FIRST AMENDMENT TO LEASE AGREEMENT",
     "amendment"),
    ("Supply Agreement May 4, 2019 This is to confirm that, in consideration", "Supply Agreement", "supply agreement"),
    ("THIS CO-BRANDING AGREEMENT (the \"Agreement\") is made", "CO-BRANDING AGREEMENT", "co-marketing agreement"),
    ("MUTUAL NON-DISCLOSURE AGREEMENT\n\nThis", "MUTUAL NON-DISCLOSURE AGREEMENT", "non-disclosure agreement"),
    ("CONFIDENTIALITY AGREEMENT\n\nThis", "CONFIDENTIALITY AGREEMENT", "non-disclosure agreement"),
    ("LIMITED POWER OF ATTORNEY\n\nKNOW ALL MEN", "LIMITED POWER OF ATTORNEY", "power of attorney"),
    ("MEMORANDUM\n\nTO: Files\nFROM: J. Doe\n\nRE: Rent", "MEMORANDUM", "memorandum"),
    ("Dear Ms. Doe:\n\nwe write to you about the rent that is due.", "", "letter"),
    ("SOFTWARE LICENSE AGREEMENT BETWEEN ACME INC. AND BETA LLC\n\n1. Grant", "SOFTWARE LICENSE AGREEMENT",
     "license agreement"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "title", "kind"), TITLES)
def test_titles_and_types(words: str, title: str, kind: str) -> None:
    read = text(words)
    assert title_of(read) == title
    assert kind_of(read) == kind


def kind_of(read: CanonicalText, area: str = "") -> str:
    return typed(describe(read), read, packaged().knowledge, area).document_type


NAMED = [
    ("Acme_Supply_Agreement.docx", "The parties agree.", "", "supply agreement"),
    ("supply agreement.pdf", "FIRST AMENDMENT TO SUPPLY AGREEMENT\n\nThis First Amendment", "", "amendment"),
    ("scan.pdf", "TRANSITION SERVICES AGREEMENT\n\nThis Agreement", "", "transition services agreement"),
    ("scan.pdf", "Source: ACME, 10-K, 3/21/2019\n\nSPONSORSHIP AGREEMENT\n\nThis", "", "sponsorship agreement"),
    ("notes.md", "the insured property", "insurance", "notes"),
    ("x.md", "the insured property", "insurance-risk", "insurance paper"),
    ("x.md", "the insured property", "tax", ""),
    ("x.md", "the insured property", "", ""),
]


@pytest.mark.parametrize(("name", "words", "area", "kind"), NAMED)
def test_the_name_the_title_and_the_practice_area_tell_the_type(name: str, words: str, area: str, kind: str) -> None:
    assert kind_of(text(words).model_copy(update={"document": name}), area) == kind


PARTIES = [
    (
        'This Agreement is made by and between Acme, Inc., a Delaware corporation '
        '("Acme"), and Beta Holdings LLC, a Texas '
        'limited liability company (the "Buyer"). Acme and Buyer are the "Parties".',
        [("Acme, Inc.", ("Acme",)), ("Beta Holdings LLC", ("Buyer",))],
    ),
    (
        'This Agreement is between Acme Corp. ("Acme"), a Delaware corporation with '
        'offices at 1 Main St., Suite 4, Austin, '
        'Texas 78701 and Gamma Ltd, a company organized in England ("Gamma"). Gamma is '
        'owned by Delta Inc. ("Delta").',
        [("Acme Corp.", ("Acme",)), ("Gamma Ltd", ("Gamma",))],
    ),
    (
        "THIS AGREEMENT is entered into by and between\n\nNORTH RIVER BANK (hereinafter "
        "referred to as “Lender”)\n\nand\n\n"
        "JANE Q. DOE (hereinafter referred to as “Borrower”).\n\nWITNESSETH",
        [("NORTH RIVER BANK", ("Lender",)), ("JANE Q. DOE", ("Borrower",))],
    ),
    (
        'This Lease, dated May 1, 2020, is by and among Barnes and Noble Trucking, Inc. '
        '("Landlord") and Mary Major ("Tenant").',
        [("Barnes and Noble Trucking, Inc.", ("Landlord",)), ("Mary Major", ("Tenant",))],
    ),
    (
        'OUTSOURCING AGREEMENT\n\nKZZZ, Inc. and KZZZ Licensee, Inc. (collectively '
        '"KZZZ") and Star Media of Ohio, L.L.C. '
        '("STAR") hereby enter into this Agreement.\n\nRECITALS',
        [("KZZZ, Inc.", ("KZZZ",)), ("KZZZ Licensee, Inc.", ("KZZZ",)), ("Star Media of Ohio, L.L.C.", ("STAR",))],
    ),
    (
        "ROAD AGREEMENT\n\nParty A (Shipper): Acme Co., Ltd.\n\nAddress: 1 Road\n\nParty "
        "B (Carrier): Beta Logistics Ltd.\n",
        [("Acme Co., Ltd.", ("Shipper",)), ("Beta Logistics Ltd.", ("Carrier",))],
    ),
    (
        "THIS AGREEMENT is dated 3 May 2018\n\nParties\n\n(1) Acme Pty Ltd, 7 Sirius "
        "Road, Lane Cove\n\n(2) Beta LLC of 15 "
        "Main, Dallas.\n\nBackground\n\nThe Supplier",
        [("Acme Pty Ltd", ()), ("Beta LLC", ())],
    ),
    (
        "IN THE DISTRICT COURT\n\nACME CORP., Plaintiff,\n\nv.\n\nBETA LLC, Defendant.\n\nCOMPLAINT",
        [("ACME CORP", ("Plaintiff",)), ("BETA LLC", ("Defendant",))],
    ),
    (
        'This Agreement is made between MUSEUM, INC., an Ohio corporation, doing '
        'business as Hall of Fame ("HOF"), and Village '
        'LLC ("Village").',
        [("MUSEUM, INC.", ("Hall of Fame", "HOF")), ("Village LLC", ("Village",))],
    ),
    (
        "This Agreement is made between North Group, Inc., (NORTH) a Delaware corporation and South PC & West LLC.",
        [("North Group, Inc.", ("NORTH",)), ("South PC", ()), ("West LLC", ())],
    ),
    ("A note that is between us, and among friends, but names nobody.", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), PARTIES)
def test_parties(words: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    read = text(words)
    found = parties_of(read)
    assert [(e.name.rstrip("."), e.aliases) for e in found] == [(n.rstrip("."), a) for n, a in expected]
    for entity in found:
        span = entity.spans[0]
        assert " ".join(read.text[span.start : span.end].split()).rstrip(".") == entity.name.rstrip(".")


def test_correspondents_of_mail() -> None:
    message = EmailMessage()
    message["From"], message["To"] = '"Lee, Ann" <ann@acme.test>', "bob@beta.test, Bob <bob2@beta.test>"
    message["Subject"] = "Rent"
    message.set_content("x")
    read = extract(message.as_bytes(), "m.eml")
    found = {alias for e in parties_of(read) for alias in (e.name, *e.aliases)}
    assert {"ann@acme.test", "bob@beta.test", "bob2@beta.test", "Bob"} <= found
    assert (title_of(read), kind_of(read)) == ("Rent", "email")


@pytest.mark.parametrize(
    ("words", "terms"),
    [
        ('for three years (the "Term") and after', ["Term"]),
        ("“Affiliate” means any entity; “Net Sales” shall mean gross less returns.", ["Affiliate", "Net Sales"]),
        ('(collectively, the "Marks", and each a "Mark")', ["Marks", "Mark"]),
        ('hereinafter referred to as the "Product"', ["Product"]),
        ('she said "Hello there" and left', []),
        ('(the "Term") … "Term" means', ["Term"]),
    ],
)
def test_defined_terms(words: str, terms: list[str]) -> None:
    read = text(words)
    found = defined_terms(read)
    assert [t.term for t in found] == terms
    assert all(read.text[t.span.start : t.span.end] == t.term for t in found)


def test_describing_takes_the_name_only_from_the_document() -> None:
    read = text('This Lease is between Acme, Inc. ("Acme") and Beta LLC ("Beta"). The rent is $900 within 30 days.')
    state = describe(read)
    assert state.parties
    assert state.windows
    other = renamed(state, "other.txt")
    assert {s.document for p in other.parties for s in p.spans} == {"other.txt"}
    assert {t.span.document for t in other.defined_terms} == {"other.txt"}
    assert renamed(other, "d") == state


def test_patterns_stay_fast_on_adversarial_heads(no_hang: None) -> None:
    for words in (
        "(" * 20_000,
        '"' * 20_000,
        "A " * 20_000,
        "this agreement between " * 2_000,
        "Acme, Inc. and " * 2_000,
    ):
        read = text(words)
        title_of(read)
        parties_of(read)
        defined_terms(read)
