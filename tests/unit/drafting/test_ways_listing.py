"""Lists that typed facts answer: what somebody must do, and the days and periods of the papers."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.drafting.extractive.ways import listing
from tasks.legaltext.windows.scan import scan_windows
from tasks.sources.records import DocumentState, Entity

LEASE = (
    "LEASE\n\nThis Lease is made between Alder Mills LLC (the Landlord) and Birch Bakers Inc. (the Tenant).\n\n"
    "1. The Tenant shall pay the rent on the first day of each month.\n\n"
    "2. The Landlord shall repair the roof within 30 days after notice.\n\n"
    "3. The windows must be cleaned by the Tenant every spring.\n\n"
    "4. The premises are on the ground floor.\n"
)
PARTIES = (
    Entity(name="Alder Mills LLC", kind="party", aliases=("Landlord",)),
    Entity(name="Birch Bakers Inc.", kind="party", aliases=("Tenant",)),
)


def answered(question, kind="list"):
    brief = f"Please help. {question}"
    one = room({"lease.txt": LEASE}, brief, (question, kind))
    state = DocumentState(
        document="lease.txt", sha256="0", media="txt", parties=PARTIES, windows=tuple(scan_windows(LEASE))
    )
    one.job.__dict__["state"] = one.job.state.model_copy(update={"documents": (state,)})
    return listing.answer(one.job.asks.asks[0], one)


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        ("List all obligations of the Tenant", ("pay the rent", "windows must be cleaned")),
        ("What are Birch's obligations", ("pay the rent", "windows must be cleaned")),
        ("What must the Landlord do", ("repair the roof",)),
        ("What are all the obligations under the lease", ("pay the rent", "repair the roof", "windows must be")),
        ("What are the deadlines of this lease", ("within 30 days",)),
    ],
)
def test_all_that_somebody_must_do_is_listed_and_is_to_be_verified(question, sentences):
    entries = answered(question).entries
    assert len(entries) == len(sentences)
    assert all(words in e.answer for words, e in zip(sentences, entries, strict=True))
    assert all(e.support and not e.certain for e in entries)


@pytest.mark.parametrize("question", ["What must the Tenant do about the roof", "When is the rent due", "Who cleans"])
def test_a_question_of_one_thing_is_no_list(question):
    assert answered(question) is None
