"""Which of several drafts is delivered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.mechanisms.records import View
from tasks.release.build.deliverable import deliverable_bytes

LEASE = (
    'LEASE between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant"). The Base Rent is '
    "$4,000, the Security Deposit is $8,000, and the Permitted Use is a bakery. The Lease ends on March 31, 2027."
)
BRIEF = "Review the lease of Quillfeather Bakery: rent, deposit, use, end. Output: `memo.docx`"
ASKS = Asks(
    brief=BRIEF,
    asks=tuple(
        Ask(ask_id=str(n), words=words, start=0, end=4, kind=AskKind.FACT, subject=words)
        for n, words in enumerate(("Rent?", "Deposit?"), start=1)
    ),
)
RIGHT = (
    "# Memo on the lease\n\nHarborview Properties LLC lets the Premises to Quillfeather Bakery, Inc. The Base Rent is "
    "$4,000. The Security Deposit is $8,000. The Permitted Use is a bakery, and the Lease ends on March 31, 2027. We "
    "recommend to keep proof of the deposit, and to give notice in time, if the tenant wishes to leave at that end. "
    "The tenant should have the insurer agree to the use, and the landlord keep the premises in repair.\n\n"
)
ROWS = "| No. | Asked | State | Answer | Where |\n|---|---|---|---|---|\n| 1 | Rent | answered | $4,000 | § 1 |\n"
WRONG = (
    "# Memo on the complaint\n\nZephyrline Logistics Corporation and Brightmoor Staffing Partners face an action by "
    "Marisol Okonkwo under Title VII for a Hostile Work Environment and Retaliatory Discharge. She seeks Back Pay and "
    "Front Pay. The Supervisor denied a promotion after the Equal Employment charge was filed. We assess exposure, the "
    "burden of showing pretext, causation, temporal proximity and mitigation of damages, and recommend that Zephyrline "
    "Logistics Corporation preserve its files, interview the Supervisor and prepare an answer with affirmative "
    "defenses. Brightmoor Staffing Partners may be a joint employer and should tender its defense to its carrier.\n"
)
MakeDrafts = Callable[..., list[View]]


@pytest.fixture
def drafts(tmp_path: Path) -> MakeDrafts:
    """Return what makes the views of several drafts, one from each text; None leaves nothing."""

    def make(*texts: str | bytes | None, **rest: Any) -> list[View]:
        made = []
        for number, text in enumerate(texts):
            output = tmp_path / str(number) / "output"
            output.mkdir(parents=True)
            if text is not None:
                data = text if isinstance(text, bytes) else deliverable_bytes(text, None, ".docx")
                (output / "memo.docx").write_bytes(data)
            given = {"brief": BRIEF, "wanted": ("memo.docx",), "documents": {"lease.txt": LEASE}, **rest}
            made.append(View(output=output, scratch=tmp_path / "none", **given))
        return made

    return make


@pytest.mark.parametrize(
    ("texts", "taken"),
    [
        ((WRONG, RIGHT), 1),  # another matter
        ((WRONG, WRONG, RIGHT), 2),  # however many agree on it
        ((None, RIGHT), 1),  # nothing at all
        ((b"not a Word file, only words of the lease", RIGHT), 1),  # not in its format
        (("# Memo\n\nTBD\n", RIGHT), 1),  # a stub
        ((None, WRONG), 1),  # a wrong draft before none: a reader sees what went wrong
        ((RIGHT, RIGHT), 0),  # the earliest of those that stand alike
        ((RIGHT, RIGHT + ROWS), 1),  # more asks have a state
        ((RIGHT.replace("4,000", "9,999").replace("2027", "2031"), RIGHT, RIGHT), 1),  # what the others say
    ],
)
def test_the_draft_that_stands_best_is_taken(drafts: MakeDrafts, mechanism: Any, texts: Any, taken: int) -> None:
    asks = ASKS if any(isinstance(t, str) and ROWS in t for t in texts) else None
    assert mechanism("vote").picked(drafts(*texts, asks=asks)).place == taken


def test_what_became_of_each_draft_is_told(drafts: MakeDrafts, mechanism: Any) -> None:
    note = mechanism("vote").picked(drafts(WRONG, None, RIGHT, "# Memo\n\nTBD\n")).note
    assert note.startswith("draft 3 of 4 was taken (1: about another matter; 2: empty; 3: states 100%")
    assert "4: not whole, 1 deliverables" in note


def test_without_papers_nobody_knows_of_another_matter(drafts: MakeDrafts, mechanism: Any) -> None:
    """Two that agree outvote one, whatever it is about."""
    assert mechanism("vote").picked(drafts(RIGHT, WRONG, WRONG, documents={})).place == 1


def test_nothing_is_changed(drafts: MakeDrafts, mechanism: Any, tmp_path: Path) -> None:
    views = drafts(WRONG, RIGHT)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    mechanism("vote").picked(views)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
