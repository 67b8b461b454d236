"""Earlier messages that a mail quotes: replies between the lines, nested quotes, Outlook's and forwarded headers."""

from __future__ import annotations

import pytest

from tasks.sources.extract import extract
from tasks.sources.records import CanonicalText, SegmentKind
from tasks.toolbox.mail_thread import thread

HEAD = "From: ann@firm.example\nTo: bob@client.example\nSubject: Re: Closing\nDate: Fri, 10 May 2024 08:31:00 -0700\n\n"
NESTED = """I agree.

On Wed, May 8, 2024 at 9:15 AM, Bob Smith <bob@client.example> wrote:
> Is the price right?
>
> On Mon, May 6, 2024, Ann Lee <ann@firm.example> wrote:
>> The price is $5 million.
"""
BETWEEN = """On 8 May 2024, Bob Smith wrote:
> Is the price $5 million?

Yes, it is.

> And the closing?

On 3 June.
"""
OUTLOOK = """See below.

-----Original Message-----
From: Bob Smith <bob@client.example>
Sent: Wednesday, May 8, 2024 9:15 AM
To: Ann Lee
Cc: Carl
Subject: Closing

The closing is in June.

________________________________
From: Carl
Sent: Tuesday, May 7, 2024
To: Bob Smith
Subject: Closing

When is it?
"""
FORWARDED = """FYI

---------- Forwarded message ---------
From: Dora <dora@bank.example>
Date: Tue, May 7, 2024 at 4:00 PM
Subject: Wire
To: <bob@client.example>

The wire is out.
"""


def mail(body: str) -> CanonicalText:
    return extract((HEAD + body).encode(), "mail.eml")


def quoted(text: CanonicalText) -> list[str]:
    return [text.text[s.start : s.end] for s in text.segments if s.kind is SegmentKind.QUOTED]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (NESTED, [("reply", "Bob Smith <bob@client.example>", 0), ("reply", "Ann Lee <ann@firm.example>", 1)]),
        (BETWEEN, [("reply", "Bob Smith", 0)]),
        (OUTLOOK, [("reply", "Bob Smith <bob@client.example>", 0), ("reply", "Carl", 0)]),
        (FORWARDED, [("forward", "Dora <dora@bank.example>", 0)]),
        ("The rent is due.\n\nFrom: the desk of Ann\n", []),
        ("On Monday we wrote: nothing is due.\n", []),
    ],
)
def test_earlier_messages(body: str, expected: list[tuple[str, str, int]]) -> None:
    text = mail(body)
    found = thread(text)
    assert [(m["kind"], m["from"], m["depth"]) for m in found] == expected
    assert all(text.text[m["start"] : m["end"]].strip() for m in found)


def test_headers_of_an_earlier_message_and_where_it_ends() -> None:
    text = mail(OUTLOOK)
    first, second = thread(text)
    assert (first["date"], first["to"], first["cc"], first["subject"]) == (
        "Wednesday, May 8, 2024 9:15 AM", "Ann Lee", "Carl", "Closing",
    )  # fmt: skip
    assert "closing is in June" in text.text[first["start"] : first["end"]]
    assert "When is it?" in text.text[second["start"] : second["end"]]


@pytest.mark.parametrize(
    ("said", "date", "sender"),
    [
        (
            "Mon, May 6, 2024 at 9:15 AM Bob Smith <bob2@x.example>",
            "Mon, May 6, 2024 at 9:15 AM",
            "Bob Smith <bob2@x.example>",
        ),
        ("6 May 2024, at 09:15, Bob Smith", "6 May 2024, at 09:15", "Bob Smith"),
        ("Mon, May 6, 2024, Bob Smith\n<bob@x.example>", "Mon, May 6, 2024", "Bob Smith <bob@x.example>"),
    ],
)
def test_when_and_who(said: str, date: str, sender: str) -> None:
    (message,) = thread(mail(f"Yes.\n\nOn {said} wrote:\n> Is it due?\n"))
    assert (message["date"], message["from"]) == (date, sender)


def test_hostile_lines_take_no_time() -> None:
    assert thread(mail(("On " + "1 a, " * 60 + "\n") * 3000 + "From: x\nTo: y\n")) is not None


def test_a_reply_between_the_lines_is_its_authors() -> None:
    text = mail(BETWEEN)
    assert quoted(text) == ["On 8 May 2024, Bob Smith wrote:\n> Is the price $5 million?", "> And the closing?"]
    assert quoted(mail("The rent is due.\n\nFrom: the desk of Ann\n")) == []
