"""The mutation bench: verbatim sentences of real documents as a draft, one figure or date altered in half of them.

A finding that needs an eye on an altered sentence is a detection; on a verbatim one it is a false alarm.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tasks.matter.base import Record
from tasks.matter.records import Matter
from tasks.reconcile.bench_alter import Alteration, alter
from tasks.reconcile.dates import check_dates
from tasks.reconcile.numbers import check_numbers
from tasks.reconcile.records import Finding
from tasks.retrieval.records import KnowledgePack
from tasks.sources.records import CanonicalText, MatterState
from tasks.sources.scan.dates import scan_dates
from tasks.sources.scan.numbers import scan_numbers

_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z(“\"])|\n{2,}")
_SHORTEST, _LONGEST = 50, 700
_DRAFT = "draft.md"


class BenchCase(Record):
    """One sentence of the bench and what the reconcilers said of it."""

    document: str
    sentence: str
    alteration: str = ""
    before: str = ""
    after: str = ""
    flagged: bool = False
    findings: tuple[Finding, ...] = ()


class BenchResult(Record):
    """Counts and rates of a bench; ``wrong`` holds the missed alterations and the false alarms."""

    altered: int
    detected: int
    verbatim: int
    false_alarms: int
    by_alteration: dict[str, tuple[int, int]]
    wrong: tuple[BenchCase, ...] = ()

    @property
    def detection(self) -> float:
        """Share of altered sentences that were flagged."""
        return self.detected / self.altered if self.altered else 1.0

    @property
    def false_alarm_rate(self) -> float:
        """Share of verbatim sentences that were flagged."""
        return self.false_alarms / self.verbatim if self.verbatim else 0.0


@dataclass(frozen=True)
class _Picked:
    document: str
    sentence: str
    text: str
    change: Alteration | None


def grounding_cases(
    texts: Mapping[str, CanonicalText],
    matter: Matter,
    state: MatterState,
    pack: KnowledgePack,
    seed: int = 0,
    limit: int = 200,
) -> list[BenchCase]:
    """Run the bench on one matter.

    Args:
        texts: Its documents, which are both the sources and where the sentences come from.
        matter: The matter.
        state: Its inventory.
        pack: Its knowledge.
        seed: Seed of the choice of sentences and alterations.
        limit: Most sentences taken.
    """
    rng = random.Random(f"{seed}:{matter.matter_id}")
    picked = _pick(texts, rng, limit)
    draft, places = _draft(picked)
    drafts = {_DRAFT: draft}
    findings = [
        f
        for check in (check_numbers, check_dates)
        for f in check(drafts, texts, matter, state, pack).findings
        if f.severity != "note"
    ]
    return [
        _case(one, [f for f in findings if f.start < end and begin < f.end])
        for one, (begin, end) in zip(picked, places, strict=True)
    ]


def _case(one: _Picked, findings: Sequence[Finding]) -> BenchCase:
    change = one.change
    return BenchCase(
        document=one.document,
        sentence=one.text,
        alteration=change.kind if change else "",
        before=change.before if change else "",
        after=change.after if change else "",
        flagged=bool(findings),
        findings=tuple(findings),
    )


def _pick(texts: Mapping[str, CanonicalText], rng: random.Random, limit: int) -> list[_Picked]:
    pool = [(name, s) for name, text in sorted(texts.items()) for s in sentences(text.text)]
    rng.shuffle(pool)
    picked: list[_Picked] = []
    for name, sentence in pool:
        if len(picked) >= limit:
            break
        wanted = len(picked) % 2 == 0
        change = alter(sentence, rng) if wanted else None
        if wanted and change is None:
            continue
        if not wanted and not (scan_numbers(sentence) or scan_dates(sentence)):
            continue
        picked.append(_Picked(name, sentence, change.text if change else sentence, change))
    return picked


def sentences(text: str) -> list[str]:
    """Return the sentences of a document, each on one line and once."""
    found = []
    for part in _SENTENCE.split(text):
        flat = " ".join(part.split())
        if _SHORTEST <= len(flat) <= _LONGEST and flat.count(" ") >= 7:
            found.append(flat)
    return list(dict.fromkeys(found))


def _draft(picked: Sequence[_Picked]) -> tuple[CanonicalText, list[tuple[int, int]]]:
    places: list[tuple[int, int]] = []
    text = ""
    for one in picked:
        places.append((len(text), len(text) + len(one.text)))
        text += one.text + "\n\n"
    draft = CanonicalText(document=_DRAFT, sha256="0" * 64, extractor="bench/1", media="md", text=text)
    return draft, places


def summarise(cases: Iterable[BenchCase], kept: int = 50) -> BenchResult:
    """Count a bench over all matters."""
    altered = detected = verbatim = alarms = 0
    kinds: dict[str, tuple[int, int]] = {}
    wrong: list[BenchCase] = []
    for case in cases:
        if case.alteration:
            altered += 1
            detected += case.flagged
            found, n = kinds.get(case.alteration, (0, 0))
            kinds[case.alteration] = (found + case.flagged, n + 1)
        else:
            verbatim += 1
            alarms += case.flagged
        if case.flagged != bool(case.alteration) and len(wrong) < kept:
            wrong.append(case)
    return BenchResult(
        altered=altered,
        detected=detected,
        verbatim=verbatim,
        false_alarms=alarms,
        by_alteration=dict(sorted(kinds.items())),
        wrong=tuple(wrong),
    )
