"""What a document is, from its head: titles over one line and several, heads that lie, and the type that follows."""

from __future__ import annotations

import pytest

from tasks.harness import packaged
from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.sources.titles import title_of


def text(words: str, media: str = "txt", *segments: Segment) -> CanonicalText:
    return CanonicalText(document="d", sha256="0", extractor="t/1", media=media, text=words, segments=segments)


def _type(name: str, words: str, title: str) -> str:
    found = packaged().knowledge.infer_type(name, words, title)
    return found[0].name if found else ""


@pytest.mark.parametrize(
    ("head", "title"),
    [
        # a line of its own
        ("MASTER SERVICES AGREEMENT\n\nThis agreement is made", "MASTER SERVICES AGREEMENT"),
        ("Guaranty\n\nThe Guarantor guarantees", "Guaranty"),
        ("* * *\n\nPROMISSORY NOTE\n\nFor value received", "PROMISSORY NOTE"),
        ("LAST WILL AND TESTAMENT\n\nI, Jane Doe", "LAST WILL AND TESTAMENT"),
        # what stands before it
        ("CONFIDENTIAL\n\nSHARE PURCHASE AGREEMENT\n\nThis", "SHARE PURCHASE AGREEMENT"),
        ("Draft of 4 May\n\nOPTION AGREEMENT\n\nThis", "OPTION AGREEMENT"),
        ("Execution Version\n\nLOAN AGREEMENT\n\nThis", "LOAN AGREEMENT"),
        ("[***] Certain portions omitted\n\nSUPPLY AGREEMENT\n\nThis", "SUPPLY AGREEMENT"),
        ("EXHIBIT 4.1\n\nINDENTURE\n\ndated as of", "INDENTURE"),
        ("Exhibit 10.2(a) Escrow Agreement\n\nThis", "Escrow Agreement"),
        ("Exhibit 10.2 - Final Version: Escrow Agreement\n\nThis", "Escrow Agreement"),
        ("TABLE OF CONTENTS\n\nLEASE\n\nThis", "LEASE"),
        ("Page 1 of 20\n\nSUBLEASE\n\nThis", "SUBLEASE"),
        # several lines
        ("AMENDED AND RESTATED\nCREDIT AGREEMENT\n\nThis", "CREDIT AGREEMENT"),
        ("SECOND AMENDMENT TO\nCREDIT AGREEMENT\n\nThis", "SECOND AMENDMENT TO CREDIT AGREEMENT"),
        ("SECOND AMENDMENT\nTO THE\nMASTER LEASE\n\nThis", "SECOND AMENDMENT TO THE MASTER LEASE"),
        ("SECOND AMENDMENT\nTO THE MASTER LEASE\n\nThis", "SECOND AMENDMENT TO THE MASTER LEASE"),
        ("PURCHASE AND\nSALE AGREEMENT\n\nThis", "PURCHASE AND SALE AGREEMENT"),
        ("DECLARATION OF\nJANE DOE\n\nI, Jane Doe", "DECLARATION OF JANE DOE"),
        ("AGREEMENT\nBETWEEN\nACME INC.\nAND\nBETA LLC\n\nThis", "AGREEMENT"),
        # what stands behind it on its line
        ("LEASE dated as of 4 May 2020 by Acme\n\n1. Term", "LEASE"),
        ("LICENSE AGREEMENT by and between Acme Inc. and Beta LLC\n\n1. Grant", "LICENSE AGREEMENT"),
        ("LICENSE AGREEMENT among Acme Inc., Beta LLC and others\n\n1. Grant", "LICENSE AGREEMENT"),
        ("Consulting Agreement 5/4/2019 Consultant agrees", "Consulting Agreement"),
        ("Consulting Agreement No. 1234-5\n\nConsultant", "Consulting Agreement No. 1234-5"),
        ("Service Contract {draft}\n\nProvider", "Service Contract"),
        ('Service Contract ("Contract")\n\nProvider', "Service Contract"),
        ("Stock Option Plan regarding employees\n\nPurpose", "Stock Option Plan"),
        # a strong word counts before a weak one, though it stands lower
        ("Schedule of Works\n\nCONSTRUCTION CONTRACT\n\nThis", "CONSTRUCTION CONTRACT"),
        ("Terms and Conditions\n\nThe Buyer", "Terms and Conditions"),
        # no title of its own: the preamble, else the first line in capitals
        ("This Franchise Agreement is made on 4 May 2020", "Franchise Agreement"),
        ("This agreement is made on 4 May 2020 by us", ""),
        ("the parties agree that the lease is over", ""),
        ("", ""),
        ("Heads Of Business\n\nthe parties talk", "Heads Of Business"),
    ],
)
def test_the_title_is_what_is_printed_at_the_head(head, title):
    assert title_of(text(head)) == title


def _heading(words: str, label: str) -> Segment:
    start = words.index(label)
    return Segment(kind=SegmentKind.HEADING, label=label, start=start, end=start + len(label))


def test_media_with_a_title_of_their_own():
    slide = "Slide 1: Board Update\nNumbers"
    first = Segment(kind=SegmentKind.HEADING, label="Slide 1: Board Update", start=0, end=21)
    assert title_of(text(slide, "pptx", first)) == "Board Update"
    hidden = Segment(kind=SegmentKind.HEADING, label="Slide 12 (hidden): Spare", start=0, end=5)
    assert title_of(text(slide, "pptx", hidden)) == "Spare"
    page = "Rent memo\n\nIt is due."
    assert title_of(text(page, "html", _heading(page, "Rent memo"))) == "Rent memo"
    assert title_of(text(page, "md")) == ""
    assert title_of(text("name,rent\nAcme,5", "csv")) == ""
    assert title_of(text('{"title": "Lease"}', "json")) == ""


def test_a_sheet_is_named_by_the_first_cell_that_speaks():
    body = "A1: 2024\nA2: Rent roll of Pier Nine\nA3: Unit"
    cells = []
    for line in body.split("\n"):
        start = body.index(line)
        cells.append(Segment(kind=SegmentKind.CELL, label=line[:2], start=start, end=start + len(line)))
    sheet = Segment(kind=SegmentKind.SHEET, label="Sheet1", start=0, end=len(body))
    assert title_of(text(body, "xlsx", sheet, *cells)) == "Rent roll of Pier Nine"
    assert title_of(text(body, "xlsx", sheet, cells[0], cells[2])) == "Sheet1"
    assert title_of(text(body, "xlsx")) == ""


def test_a_message_is_named_by_its_subject():
    body = "From: a@b.c\nSubject: Rent: the last word\n\nDear all"
    start = body.index("Subject")
    end = body.index("\n\n")
    subject = Segment(kind=SegmentKind.MAIL_HEADER, label="Subject", start=start, end=end)
    sender = Segment(kind=SegmentKind.MAIL_HEADER, label="From", start=0, end=11)
    assert title_of(text(body, "eml", sender, subject)) == "Rent: the last word"
    assert title_of(text(body, "msg", sender)) == ""


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Mutual Non-Disclosure Agreement", "non-disclosure agreement"),
        ("Nondisclosure Undertaking", "non-disclosure agreement"),
        ("NDA with Acme", "non-disclosure agreement"),
        ("First Amendment to Lease", "amendment"),
        ("Agreement to amend and amendment to the Lease", "amendment"),
        ("Amended and Restated Credit Agreement", "credit agreement"),
        ("Addendum B", "addendum"),
        ("Sublease", "lease"),
        ("Trademark Licensing Agreement", "license agreement"),
        ("Separation and Release", "separation agreement"),
        ("Executive Employment Agreement", "employment agreement"),
        ("Term Loan Note", "notes"),
        ("Agreement and Plan of Merger", "merger agreement"),
        ("Asset Purchase Agreement", "purchase agreement"),
        ("Purchase and Sale Agreement", "real estate purchase agreement"),
        ("Letter of Intent", "letter of intent"),
        ("Durable Power of Attorney", "power of attorney"),
        ("Deed of Trust", "mortgage"),
        ("Unconditional Guaranty", "guaranty"),
        ("Verified Petition", "complaint"),
        ("Brief in Opposition", "brief"),
        ("Consent Decree", "consent decree"),
        ("Opinion of Counsel", "opinion"),
        ("Memo to file", "memorandum"),
        ("Employee Handbook", "employee handbook"),
        ("Notice of Default", "notice"),
        ("Minutes of the Board", "board minutes"),
        ("Affidavit of Service", "declaration"),
        ("Diligence Checklist", "checklist"),
        ("Side Letter", "letter"),
        ("Financial Statement", "report"),
        ("Disorderly conduct", ""),  # no "order" in it
        ("Release of claims", ""),  # nor a "lease"
        ("Motionless", ""),
    ],
)
def test_the_type_follows_from_the_title(title, kind):
    assert _type("x.docx", "body", title) == kind


@pytest.mark.parametrize(
    ("words", "media", "kind"),
    [
        ("A1: 5", "xlsx", "spreadsheet"),
        ("a,b", "csv", "spreadsheet"),
        ("slide", "pptx", "presentation"),
        ("From: a", "eml", "email"),
        ("From: a", "msg", "email"),
        ("{}", "json", "data"),
        ("To: Files\nFrom: J. Doe\nthis memo says", "txt", "memorandum"),
        ("To: Files\nFrom: J. Doe\nthis says", "txt", ""),
        ("Dear Jane,\nwe write", "txt", "letter"),
        ("Oh Dear Jane", "txt", ""),
        ("ACME v. BETA\nPlaintiffs say", "txt", "pleading"),
        ("the respondent", "txt", ""),
        ("x" * 2100 + " Plaintiff", "txt", ""),
    ],
)
def test_the_type_without_a_title(words, media, kind):
    assert _type(f"x.{media}", words, "") == kind
