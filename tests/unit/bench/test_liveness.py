"""Every leaf of the shipped harness is alive, and the bench that says so finds a dead one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from flows.bench.liveness.bench import BY_ROW, PROBES, leaves, measure_liveness, render
from flows.bench.liveness.records import Leaf, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db.records import InferenceRule
from tasks.harness import Harness, packaged
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request
from tasks.models.transports.scripted import ScriptedModel

FEWEST = 8  # a surface of fewer rows than the lot has one of so many of them looked at
ONE_IN = 20  # every surface then still has a row or setting looked at; the whole of it takes minutes
NAMES = [probe.__name__ for probe in PROBES]


@pytest.mark.parametrize(
    "surface", [name if name not in BY_ROW else pytest.param(name, marks=pytest.mark.thorough) for name in NAMES]
)
def test_every_leaf_is_alive(surface: str) -> None:
    found = list(leaves(packaged(), [surface]))
    assert found
    assert [leaf.name for leaf in found if not leaf.alive] == []


@pytest.mark.parametrize("surface", BY_ROW)
def test_every_leaf_of_rows_drawn_by_lot_is_alive(surface: str) -> None:
    """Of what takes long, one row or setting in some; which they are changes with the number of rows of law."""
    lot = len(packaged().knowledge.authorities) % ONE_IN
    found = list(leaves(packaged(), [surface], slice(lot, None, ONE_IN)))
    found = found or list(leaves(packaged(), [surface], slice(lot % FEWEST, lot % FEWEST + 1)))
    assert found
    assert [leaf.name for leaf in found if not leaf.alive] == []


def planted(family: str, row: int, **fields: object) -> Harness:
    """Return the shipped harness with three rows of a family, the first of them changed."""
    rows = getattr(packaged().knowledge, family)
    others = [other for other in rows if getattr(other, "type_id", "") == "memorandum"]  # the form of whatever has none
    changed = (rows[row].model_copy(update=fields), *rows[row + 1 : row + 3], *others)
    return replace(packaged(), knowledge=with_rows(packaged().knowledge, **{family: changed}))


@pytest.mark.parametrize(
    ("family", "fields", "dead"),
    [
        ("provisions", {"headings": ("effect", "effect")}, "headings: effect"),
        ("provisions", {"strong": ("a", r"(?!x)x")}, r"strong: (?!x)x"),
        ("synonyms", {"aliases": ("lessor", "lessor")}, "lessor"),
        ("inference", {"pattern": r"\d\D(?<=\d)"}, r"\d\D"),
        ("deliverables", {"suffixes": (".docx", ".pdf", ".docx")}, "suffixes: .docx"),
    ],
)
def test_a_dead_leaf_is_named(family: str, fields: dict[str, object], dead: str) -> None:
    result = measure_liveness(planted(family, 0, **fields), [family])
    assert result["broke"] >= 1
    assert any(dead in name for name in result["dead"][family])
    assert f"dead: {family}: " in render(result)


@pytest.mark.parametrize(
    ("rules", "dead"),
    [
        # two of one type, a rival of the same area, and one for any area: everything matters
        ([("deed", 2.0, "tax", False), ("will", 1.8, "tax", False), ("bond", 1.9, "any", False)], []),
        # nothing else is there to be taken for
        ([("deed", 2.0, "any", False)], ["weight", "area", "fallback"]),
        # ten times the weight of all others: no area moves it
        ([("deed", 10.0, "tax", False), ("will", 0.1, "tax", False), ("bond", 0.1, "any", False)], ["area"]),
    ],
)
def test_a_setting_of_a_rule_that_decides_nothing_is_named(
    rules: list[tuple[str, float, str, bool]], dead: list[str]
) -> None:
    rows = tuple(
        InferenceRule(
            document_type=f"a {word}", pattern=word, where="head", weight=weight, area=area, fallback=fallback
        )
        for word, weight, area, fallback in rules
    )
    harness = replace(packaged(), knowledge=with_rows(packaged().knowledge, inference=rows))
    found = {leaf.name: leaf.alive for leaf in leaves(harness, ["inference"])}
    assert len(found) == 4 * len(rows)  # the rule and three settings
    silent = [name for name, alive in found.items() if not alive]
    assert [name for name in silent if name.startswith("a deed")] == [f"a deed: deed: {name}" for name in dead]


@pytest.mark.slow
def test_a_setting_of_the_ranking_that_decides_nothing_is_named() -> None:
    """The same rows are asked before and after: other rows would answer otherwise whatever the weights are."""
    ranking = packaged().knowledge.ranking
    twice = ranking.model_copy(update={"of_time": (*ranking.of_time, ranking.of_time[0])})
    harness = replace(packaged(), knowledge=with_rows(packaged().knowledge, ranking=twice))
    words = len(twice.of_time) + len(twice.of_cases) + len(twice.frame)  # the weights, which take long, come after them
    found = list(islice(leaves(harness, ["ranking"]), words))
    assert {leaf.name for leaf in found if not leaf.alive} == {f"of_time: {ranking.of_time[0]}"}


@pytest.fixture(scope="module")
def unsent() -> list[Leaf]:
    """What the probe of prompts finds when every request holds the shipped prompts, whatever the harness says."""
    send = ScriptedModel.send

    def deaf(model: ScriptedModel, profile: ModelProfile, request: Request) -> Reply:
        said = [{**m, "content": re.sub(r" \(mark \d+\)", "", m["content"])} for m in request.messages]
        return send(model, profile, replace(request, messages=said))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedModel, "send", deaf)
        return list(leaves(packaged(), ["prompts"]))


@pytest.mark.parametrize(
    "role", ["api_missing", "api_continue", "chooser", "chooser_passage", "guided_provision", "guided_value"]
)
def test_a_prompt_that_is_never_sent_is_named(role: str, unsent: list[Leaf]) -> None:
    """Another text in its place, with its slots, must stand in what a transport was sent; sent, each is alive above."""
    shipped = getattr(packaged().prompts, role)
    found = [leaf.alive for leaf in unsent if leaf.name.startswith(f"{role}: ")]
    assert found == [False] * sum(bool(line.strip()) for line in shipped.text.splitlines())


def test_a_probe_that_yields_nothing_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(harness: Harness) -> Iterator[Leaf]:
        return iter(())

    monkeypatch.setattr("flows.bench.liveness.bench.PROBES", (silent,))
    assert measure_liveness(packaged())["leaves"] == {}


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bno[nt]?-?compet\w*", r"(?=.*\bnotice\b)(?=.*\bterminat).{5}", r"(a|b)\1{2}", r"[^a-z]\d{3,}", r"^x(?!y)",
        r"(?<=§ )\d+", r"§ (?<=§ )\d+", r"(?:shall|will)\b.{0,40}\bindemnif",
    ],
)  # fmt: skip
def test_a_witness_matches_its_pattern(pattern: str) -> None:
    text = witness(pattern)
    assert text is None or re.search(pattern, text, re.IGNORECASE)
    assert (text is None) == (pattern == r"(?<=§ )\d+")  # what wants something before it is given up, not invented
