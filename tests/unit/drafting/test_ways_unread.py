"""What was not read leaves open what would need it: denials, and answers asked of each document."""

import pytest

from tasks.asks.records import Ask, AskAnswer, AskKind, Asks, AskState, Entry
from tasks.drafting.extractive.ways.unread import heeding_unread
from tasks.matter.failures import Failure, FailureCause
from tasks.sources.records import CoverageEntry

BRIEF = "rent"


def unread(cause: FailureCause = FailureCause.INPUT) -> CoverageEntry:
    why = Failure(cause=cause, stage="sources", subject="b.pdf", message="The PDF is encrypted.")
    return CoverageEntry(document="b.pdf", status="unread", characters=0, failures=(why,))


def heeded(state: AskState, cause: FailureCause = FailureCause.INPUT, **more: object) -> AskAnswer:
    ask = Ask(ask_id="1", words=BRIEF, start=0, end=4, kind=AskKind.FACT, subject=BRIEF, **more)
    given = AskAnswer(ask_id="1", state=state, answer="said", entries=(Entry(document="a.txt", state=state),))
    read = CoverageEntry(document="a.txt", status="read", characters=9)
    (told,) = heeding_unread(Asks(brief=BRIEF, asks=(ask,)), [given], [read, unread(cause)])
    return told


@pytest.mark.parametrize(
    ("state", "more", "open_"),
    [
        (AskState.ANSWERED, {}, False),
        (AskState.ANSWERED, {"each": True}, True),
        (AskState.NOT_FOUND, {}, True),
        (AskState.NOT_FOUND, {"documents": ("a.txt",)}, False),
        (AskState.NOT_FOUND, {"documents": ("b.pdf",)}, True),
    ],
)
def test_an_unread_document_leaves_open_what_would_need_it(state, more, open_):
    told = heeded(state, **more)
    assert told.state is (AskState.NOT_ATTEMPTED if open_ else state)
    assert ("b.pdf was not read (The PDF is encrypted)" in told.answer) == open_
    assert [e.document for e in told.entries] == (["a.txt", "b.pdf"] if open_ else ["a.txt"])


def test_a_file_that_is_withheld_is_no_paper_of_the_matter():
    assert heeded(AskState.NOT_FOUND, FailureCause.POLICY).state is AskState.NOT_FOUND
