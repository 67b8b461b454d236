"""Outlook messages and legacy workbooks, made byte by byte: read, or refused with one typed problem."""

from __future__ import annotations

import datetime
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tasks.matter.failures import FailureCause
from tasks.sources.extract import extract
from tasks.sources.limits import ReaderLimits
from tasks.sources.records import CanonicalText, SegmentKind

_spec = importlib.util.spec_from_file_location("compound_files", Path(__file__).with_name("compound_files.py"))
assert _spec is not None
assert _spec.loader is not None
files = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(files)

SUBJECT, BODY, HTML, SENDER, ADDRESS, SENT, HEADERS = 0x37, 0x1000, 0x1013, 0xC1A, 0xC1F, 0x39, 0x7D
NAME, SMTP, KIND, LONG_NAME, DATA, METHOD = 0x3001, 0x39FE, 0xC15, 0x3707, 0x3701, 0x3705
DAY = datetime.datetime(2024, 5, 1, 12, 30, tzinfo=datetime.UTC)
REPLY = "Dear all,\r\n\r\nthe closing is on 3 May 2024.\r\n\r\nOn Mon, Bob wrote:\r\n> the price is $5 million"


def letter(subject: str, body: str, *attachments: dict[int, Any], embedded: bool = False) -> Any:
    return files.outlook(
        {SUBJECT: subject, BODY: body, SENDER: "Ann Lee", ADDRESS: "ann@firm.example", SENT: DAY},
        [{NAME: "Carl", SMTP: "carl@client.example", KIND: 1}, {NAME: "Dora", SMTP: "dora@client.example", KIND: 2}],
        attachments,
        embedded,
    )


def labels(text: CanonicalText, kind: SegmentKind) -> list[str]:
    return [s.label for s in text.segments if s.kind is kind]


def test_a_message_is_read_with_its_reply_and_its_attachments() -> None:
    terms = {LONG_NAME: "terms.txt", DATA: b"The fee is 3%.", METHOD: 1}
    big = {LONG_NAME: "long.txt", DATA: b"The rent is $900. " * 400, METHOD: 1}
    read = extract(files.compound(letter("Closing", REPLY, terms, big)), "closing.msg")
    assert (read.media, read.problems) == ("msg", ())
    assert read.text.startswith(
        'From: "Ann Lee" <ann@firm.example>\nTo: Carl <carl@client.example>\nCc: Dora <dora@client.example>\n'
        "Date: 2024-05-01 12:30:00+00:00\nSubject: Closing\n\nDear all,"
    )
    (quoted,) = (s for s in read.segments if s.kind is SegmentKind.QUOTED)
    assert "$5 million" in read.text[quoted.start : quoted.end]
    assert labels(read, SegmentKind.ATTACHMENT) == ["terms.txt", "long.txt"]
    assert "The fee is 3%." in read.text
    assert read.text.count("$900") == 400


def test_messages_attached_to_messages_are_read_where_they_stand() -> None:
    innermost = letter("Third", "The deposit is $7.", embedded=True)
    middle = letter("Second", "See below.", {NAME: "Third", DATA: innermost, METHOD: 5}, embedded=True)
    read = extract(files.compound(letter("First", "FYI", {NAME: "Second", DATA: middle, METHOD: 5})), "fw.msg")
    assert read.problems == ()
    assert labels(read, SegmentKind.ATTACHMENT) == ["Second", "Third"]
    assert (
        read.text.index("Subject: First") < read.text.index("Subject: Second") < read.text.index("The deposit is $7.")
    )
    shallow = extract(
        files.compound(letter("First", "FYI", {NAME: "Second", DATA: middle, METHOD: 5})),
        "fw.msg",
        ReaderLimits(depth=1),
    )
    assert [p.cause for p in shallow.problems] == [FailureCause.CAPACITY]
    assert "See below." in shallow.text


def test_bodies_in_html_and_headers_as_they_were_sent() -> None:
    headers = 'From: "Real Sender" <real@firm.example>\r\nDate: Wed, 01 May 2024 09:00:00 +0000\r\n\r\n'
    data = files.compound(files.outlook({SUBJECT: "Hi", HTML: b"<p>Rent is <b>$900</b>.</p>", HEADERS: headers}))
    read = extract(data, "hi.msg")
    assert read.text == (
        'From: "Real Sender" <real@firm.example>\nDate: Wed, 01 May 2024 09:00:00 +0000\nSubject: Hi\n\nRent is $900.\n'
    )


@pytest.mark.parametrize("keep", [600, 1500, 2600])
def test_a_truncated_message_is_one_problem(keep: int) -> None:
    read = extract(files.compound(letter("Closing", REPLY))[:keep], "closing.msg")
    assert len(read.problems) == 1
    assert read.problems[0].cause is FailureCause.INPUT
    assert read.problems[0].remedy


def test_a_legacy_workbook_is_read_by_sheet_and_address() -> None:
    data = files.workbook({"Fees": [["Item", "Amount"], ["Retainer", 5000.0], ["Total", 7500.25]], "Notes": [["a"]]})
    read = extract(data, "fees.xls")
    assert (read.media, read.problems) == ("xlsx", ())
    assert read.text == (
        "Sheet: Fees\nA1: Item | B1: Amount\nA2: Retainer | B2: 5000\nA3: Total | B3: 7500.25\n\nSheet: Notes\nA1: a\n"
    )
    assert "Fees!B3" in labels(read, SegmentKind.CELL)


def test_a_truncated_legacy_workbook_is_one_problem() -> None:
    data = files.workbook({"Fees": [["Item", "Amount"], ["Retainer", 5000.0]]})
    for keep in range(700, len(data) - 600, 250):  # calamine panics on some, which no handler of Exception sees
        read = extract(data[:keep], "fees.xls")
        assert (read.text, len(read.problems)) == ("", 1)
        assert read.problems[0].remedy
