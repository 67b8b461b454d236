"""Which matters an edit can act upon: those whose brief asks for its provision; any other edit may act upon all."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.learn import _arena
from flows.runs.trials import Trials
from tasks.drafting.records import Cell
from tasks.harness import HarnessRef, find_harness
from tasks.learning.reach import StandIns, reaches
from tasks.learning.splits import Split
from tasks.matter.records import Corpus, Matter

EXCLUSIVITY = "[[provision]]\nname = \"exclusivity\"\naliases = ['sole supplier']\nstrong = ['exclusive']\n"
ASKED = EXCLUSIVITY + "asked = ['shut out']\n"


def matter(brief: str) -> Matter:
    return Matter(matter_id=brief, title="Review", area="contracts", instructions=brief)


def harness(root: Path, **files: str) -> HarnessRef:
    for name, text in {"gates.toml": "", **files}.items():
        below = "skills_repo" if name == "gates.toml" else "knowledge_db/data"
        path = root / below / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return find_harness(root)


@pytest.mark.parametrize(
    ("brief", "reached"),
    [
        ("State the exclusivity clause.", True),
        ("Is there a supplier that is the sole one?", True),
        ("Are other suppliers shut out?", True),
        ("When does it end?", False),
    ],
)
def test_a_provision_acts_where_a_brief_asks_for_it(tmp_path: Path, brief: str, *, reached: bool) -> None:
    empty = harness(tmp_path / "a")
    full = harness(tmp_path / "b", **{"provisions__x.toml": ASKED})
    assert reaches(empty, full, matter(brief)) is reached
    assert reaches(full, empty, matter(brief)) is reached
    assert not reaches(full, full, matter(brief))


def test_a_change_of_a_provision_reaches_what_asks_for_it_before_or_after(tmp_path: Path) -> None:
    one, two = (
        harness(tmp_path / name, **{"provisions__x.toml": text}) for name, text in [("a", EXCLUSIVITY), ("b", ASKED)]
    )
    assert reaches(one, two, matter("State the exclusivity clause."))
    assert reaches(one, two, matter("Are others shut out?"))
    moved = harness(tmp_path / "c", **{"provisions__y.toml": EXCLUSIVITY})
    assert not reaches(one, moved, matter("State the exclusivity clause."))  # the same entry in another file


@pytest.mark.parametrize(
    "files",
    [
        {"provisions__x.toml": EXCLUSIVITY + 'answer = "expiration_date"\n'},
        {"synonyms__x.csv": "concept\n"},
        {"gates.toml": "x = 1\n"},
    ],
)
def test_what_may_act_unasked_reaches_every_matter(tmp_path: Path, files: dict[str, str]) -> None:
    assert reaches(harness(tmp_path / "a"), harness(tmp_path / "b", **files), matter("Who are the parties?"))


def test_the_first_of_harnesses_that_work_on_a_matter_alike_stands_for_them(tmp_path: Path) -> None:
    asks, other = matter("State the exclusivity clause."), matter("When does it end?")
    empty, full = harness(tmp_path / "a"), harness(tmp_path / "b", **{"provisions__x.toml": ASKED})
    late = harness(tmp_path / "c", **{"synonyms__x.csv": "concept\n"})
    stands = StandIns()
    assert [stands(one, asks) for one in (empty, full, late, full)] == [empty, full, late, full]
    assert [stands(one, other) for one in (full, empty, late, empty)] == [full, full, late, full]


@pytest.mark.parametrize(
    ("runtime", "samples", "stands"), [("extractive", False, True), ("scan", False, False), ("guided", True, False)]
)
def test_only_the_runtime_that_was_read_is_spared(runtime: str, *, samples: bool, stands: bool) -> None:
    runs = Trials.__new__(Trials)  # what it runs is not asked for
    split = Split(seed=0, test_share=0.0, confirm_share=0.0, candidates=1, giant_tokens=1)
    arena = _arena(runs, split, Corpus(root=Path(), matters=()), Cell(name=runtime, runtime=runtime), 1, samples)
    assert (arena.stand_in is not None) is stands
