"""The mutation bench: on a small text here, and on real contracts where the shared data is present."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from reconcile_fixtures import matter, pack, state, text

from tasks.reconcile.bench import grounding_cases, sentences, summarise
from tasks.reconcile.bench_alter import alter

DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "cuad_matters"
CONTRACT = " ".join(
    f"The {name} shall pay the other party a fee of ${n}25,000 within {n}0 days after receipt of the {name} invoice. "
    f"Such {name} fee falls due on {month} {n + 2}, 2021 and bears interest at {n}.5% per annum until it is paid."
    for n, (name, month) in enumerate([("buyer", "March"), ("agent", "June"), ("lender", "May")], start=1)
)


def test_alterations_change_one_thing():
    rng = random.Random(3)
    for sentence in sentences(CONTRACT) * 30:
        change = alter(sentence, rng)
        assert change is not None
        assert change.text != sentence
        assert change.after != change.before
        assert change.before in sentence
    assert alter("Nothing here can be altered.", rng) is None


def test_bench_is_seeded_and_counts():
    sources = {"a.txt": text("a.txt", CONTRACT, "txt")}
    room = matter(documents=("a.txt",))
    first = grounding_cases(sources, room, state(), pack(), seed=5)
    assert first == grounding_cases(sources, room, state(), pack(), seed=5)
    result = summarise(first)
    assert result.altered + result.verbatim + result.swapped == len(first) > 3
    assert (result.detection, result.false_alarm_rate) == (1.0, 0.0)


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not beside the project")
def test_real_contracts(tmp_path, capsys):
    from tasks.sources.texts import read_file

    cases = []
    for folder in sorted(DATA.glob("*/*/documents"))[3:12]:
        files = [f for f in sorted(folder.iterdir()) if f.suffix in (".txt", ".docx")]
        sources = {f.name: read_file(f) for f in files}
        room = matter(documents=tuple(sources)).model_copy(update={"matter_id": folder.parent.name})
        cases.extend(grounding_cases(sources, room, state(), pack(), seed=1, limit=80))
    result = summarise(cases)
    with capsys.disabled():
        print(
            f"\ngrounding: detection {result.detected}/{result.altered}, "
            f"false alarms {result.false_alarms}/{result.verbatim}"
        )
    assert result.altered >= 40
    assert result.detection >= 0.97
    assert result.false_alarm_rate <= 0.03
