"""The bench of the gates: what is planted is an error, what is left is true, and both are counted by half and kind."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from flows.bench.gates.drafts import prose_drafts, runtime_drafts
from flows.bench.gates.plant import KINDS, MECHANICAL, DraftStatement, plant
from flows.bench.gates.run import agents_skipped, measure_gates, render
from flows.bench.gates.scene import HALVES, Scene
from tasks.drafting.records import Cell
from tasks.harness import find_harness, packaged
from tasks.matter.loading import load_folder
from tasks.retrieval.knowledge import gather
from tasks.retrieval.stage import build_index
from tasks.sources.records import CanonicalText
from tasks.sources.stage import inventory
from tasks.sources.texts import load_texts

LEASE = """LEASE AGREEMENT

This Lease Agreement is made as of March 3, 2019 between Harbor Holdings LLC ("Landlord") and Cobalt Foods, Inc.
("Tenant").

1. Rent. Tenant shall pay Landlord base rent of $8,500 per month, and a deposit of $17,000 before the handover of the
Premises on April 1, 2019, with interest of 5% per annum on arrears.

2. Assignment. Tenant shall not assign this Lease Agreement or sublet the Premises without the prior written consent of
Landlord, and any attempt to do so is void.

3. Notice. Either party may end this Lease Agreement by notice given at least sixty (60) days before the end of a year.

4. Repairs. Landlord shall keep the roof and the outer walls in good repair and shall mend them without charge to
Tenant within thirty (30) days after a written notice of Tenant.

5. Governing Law. This Lease Agreement is governed by the laws of the State of Ohio, and the courts of Ohio have sole
jurisdiction over every dispute between Landlord and Tenant.
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    room, cache = tmp_path_factory.mktemp("room"), tmp_path_factory.mktemp("cache")
    (room / "lease-agreement.txt").write_text(LEASE, encoding="utf-8")
    matter, harness = load_folder(room, "Review the lease.", ["memo.md"]), packaged()
    state, texts = inventory(matter, cache, harness.knowledge), load_texts(matter, cache)
    index = build_index(matter, texts, cache, knowledge=harness.knowledge)
    return Scene(matter, state, texts, gather(matter, state, harness), harness, index)


def statement(text: str, cited: str = "", topic: str = "") -> DraftStatement:
    return DraftStatement(text, "lease-agreement.txt", cited, topic)


STATEMENTS = {
    "amount": statement("Rent is $8,500 a month [Lease Agreement § 1]."),
    "rate": statement("Arrears bear 5% [Lease Agreement § 1]."),
    "date": statement("The handover is on April 1, 2019 [Lease Agreement § 1]."),
    "period": statement("Repairs are due within 30 days [Lease Agreement § 4]."),
    "notice direction": statement("Notice goes out sixty days before the end [Lease Agreement § 3]."),
    "polarity": statement("Tenant shall not assign it [Lease Agreement § 2]."),
    "who is bound": statement("Landlord shall keep the roof in repair [Lease Agreement § 4]."),
    "wrong party": statement("Landlord mends the roof [Lease Agreement § 4]."),
    "wrong law": statement("Ohio law governs [Lease Agreement § 5]."),
    "wrong clause": statement("Ohio law governs [Lease Agreement § 5].", cited="5"),
    "false denial": statement("Ohio law governs [Lease Agreement § 5].", cited="5", topic="governing law"),
    "altered quotation": statement("It reads “the courts of Ohio have sole jurisdiction over every dispute”."),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_what_it_says(scene: Scene, kind: str) -> None:
    of = STATEMENTS[kind]
    changed = plant(kind, scene, of, random.Random(1))
    assert changed is not None
    assert changed.text != of.text
    assert replace(changed, text=of.text) == of
    assert plant(kind, scene, statement("Nothing to be had here."), random.Random(1)) is None


def test_what_stands_in_quotation_marks_is_left_to_its_own_kind(scene: Scene) -> None:
    quoted = statement("It says “rent of $8,500 shall be paid before April 1, 2019 to Landlord in Ohio” [Lease § 1].")
    told = {k: plant(k, scene, quoted, random.Random(2)) for k in KINDS}
    assert [k for k, changed in told.items() if changed] == ["altered quotation"]


def test_a_prose_draft_comes_true_and_altered(scene: Scene) -> None:
    clean, altered = prose_drafts(scene)
    assert not any(line.kind for line in clean.lines)
    kinds = {line.kind for line in altered.lines if line.kind}
    assert len(kinds) >= 8
    for draft in (clean, altered):
        assert all(draft.text.text[line.start : line.end] == line.text for line in draft.lines)
    assert sum(not line.kind for line in altered.lines) >= sum(bool(line.kind) for line in altered.lines) / 2


def test_a_changed_line_moves_what_lies_behind_it(scene: Scene) -> None:
    words = "\n\n".join(of.text for of in STATEMENTS.values())
    draft = f"# Lease Agreement\n\n{words}\n\n# End\n\nOhio law governs the lease [Lease Agreement § 5]."
    read = CanonicalText(document="memo.md", sha256="0" * 64, extractor="md/1", media="md", text=draft)
    clean, altered = runtime_drafts(scene, "extractive", read)
    assert [line.text for line in clean.lines] == [line for line in draft.split("\n") if len(line.split()) >= 5]
    assert 0 < sum(bool(line.kind) for line in altered.lines) <= len(clean.lines) / 3 + 1
    assert all(altered.text.text[line.start : line.end] == line.text for line in altered.lines)
    assert altered.text.text.endswith(altered.lines[-1].text)


def test_the_bench_counts_by_half_and_kind(scene: Scene, tmp_path: Path) -> None:
    cell = Cell(name="extractive", runtime="extractive")
    result = measure_gates(
        [("own", [scene.matter])], cell, find_harness(None), tmp_path / "cache", tmp_path, tmp_path / "none", ["prose"]
    )
    mine, other = result["halves"][scene.half], result["halves"][next(h for h in HALVES if h != scene.half)]
    assert sum(k["planted"] for k in mine["kinds"].values()) >= 8
    assert mine["mechanical"] >= 75
    assert mine["true_share"] >= 80
    assert (other["flags"], other["mechanical"], other["clean"]) == (0, None, 0)
    assert result["agents"] == {}
    table = render(result)
    assert all(kind in table for kind in KINDS)
    assert set(MECHANICAL) < set(KINDS)
    assert len(KINDS) == 12


def test_outputs_of_agents_are_left_out_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a" / "output").mkdir(parents=True)
    (tmp_path / "a" / "output" / "memo.md").write_text("x")
    (tmp_path / "b").mkdir()
    assert agents_skipped(tmp_path) == {
        "its sources are not among the data": 1, "no work product among the data": 1,
    }  # fmt: skip
