"""The mutation bench: on a small text here, and on real contracts where the shared data is present."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from reconcile_fixtures import matter, pack, state, text

from flows.bench.grounding.alter import alter, swap
from flows.bench.grounding.measure import BenchCase, grounding_cases, long_sentences, summarise
from flows.bench.grounding.paraphrase import paraphrase
from tasks.harness import packaged
from tasks.legaltext.numbers.scan import scan_numbers

DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "cuad_matters"
CONTRACT = " ".join(
    f"The {name} shall pay the other party a fee of ${n}25,000 within {n}0 days after receipt of the {name} invoice. "
    f"Such {name} fee falls due on {month} {n + 2}, 2021 and bears interest at {n}.5% per annum until it is paid."
    for n, (name, month) in enumerate([("buyer", "March"), ("agent", "June"), ("lender", "May")], start=1)
)


def test_alterations_change_one_thing():
    rng = random.Random(3)
    for sentence in long_sentences(CONTRACT) * 30:
        change = alter(sentence, rng)
        assert change is not None
        assert change.text != sentence
        assert change.after != change.before
        assert change.before in sentence
    assert alter("Nothing here can be altered.", rng) is None


def test_the_rarer_kinds_of_alteration_come_first():
    rng = random.Random(1)
    sentence = "The fee of $25,000 bears 5% for 30 days from March 3, 2021."
    made = dict.fromkeys(("digit", "scale", "unit", "currency", "word", "day", "month", "year"), 9)
    change = alter(sentence, rng, made)
    assert change is not None
    assert change.kind == "sign"
    assert change.after in {"-$25,000", "$(25,000)", "-5%"}


def test_swaps_take_a_figure_of_the_same_kind_and_another_value():
    rng = random.Random(2)
    others = scan_numbers("A fee of $7,000, a term of 12 months or 1 year, a rate of 9% and a cap of thirty (30) days.")
    assert {swap(f"{word} is due.", others, rng).after for word in ("A fee of $5,000",)} == {"$7,000"}
    assert swap("The term is 12 months.", [f for f in others if f.kind == "duration"], rng) is None
    assert swap("Nothing is due.", others, rng) is None


def test_paraphrases_keep_their_figure_and_little_else_of_the_words():
    sentence = (
        "The Tenant shall pay to the Landlord, prior to the commencement of such term, a deposit of Five Thousand "
        "Dollars ($5,000) with respect to each of the premises let hereunder, and shall maintain it thereafter."
    )
    said = [paraphrase(sentence, random.Random(n)) for n in range(12)]
    assert all(s is None or "$5,000" in s for s in said)
    assert all("Five Thousand" not in (s or "") and "shall" not in (s or "") for s in said)
    assert len(set(said)) > 2
    assert paraphrase("No figure stands here at all.", random.Random(0)) is None


def test_swaps_are_counted_apart():
    case = BenchCase(document="a", sentence="x", alteration="swap", flagged=True)
    result = summarise([case, case.model_copy(update={"alteration": "digit", "flagged": False})])
    assert (result.altered, result.detected, result.swapped, result.swaps_detected) == (1, 0, 1, 1)
    assert result.by_alteration == {"digit": (0, 1), "swap": (1, 1)}
    assert [w.alteration for w in result.wrong] == ["digit"]


def test_bench_is_seeded_and_counts():
    sources = {"a.txt": text("a.txt", CONTRACT, "txt")}
    room = matter(documents=("a.txt",))
    first = grounding_cases(sources, room, state(), pack(), packaged(), seed=5)
    assert first == grounding_cases(sources, room, state(), pack(), packaged(), seed=5)
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
        cases.extend(grounding_cases(sources, room, state(), pack(), packaged(), seed=1, limit=80))
    result = summarise(cases)
    with capsys.disabled():
        print(
            f"\ngrounding: detection {result.detected}/{result.altered}, "
            f"false alarms {result.false_alarms}/{result.verbatim}"
        )
    assert result.altered >= 40
    assert result.detection >= 0.98
    assert result.false_alarm_rate <= 0.01
