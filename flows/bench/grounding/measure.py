"""The mutation bench: sentences of real documents as a draft, one figure or date altered in half of them.

The sentences stand as they are (``verbatim``) or in plain words (``paraphrase``). A finding that needs an eye on an
altered sentence is a detection; on an unaltered one it is a false alarm. Swaps of two figures of one document are
counted apart: both figures stand in the sources.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flows.bench.grounding.alter import SWAP, Alteration, alter, swap
from flows.bench.grounding.paraphrase import paraphrase
from tasks.harness import Harness
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.legaltext.sentences import WRAPPED, sentences
from tasks.matter.base import Record
from tasks.matter.records import Matter
from tasks.reconcile.check import CheckJob
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.records import Finding
from tasks.reconcile.registry import graded
from tasks.retrieval.records import KnowledgePack
from tasks.sources.records import CanonicalText, MatterState

_SHORTEST, _LONGEST = 50, 700  # characters of a sentence that is neither a heading nor a list
_DRAFT = "draft.md"


Wording = Literal["verbatim", "paraphrase"]
_KINDS = 7  # of alterations: one in seven is a swap
_SPACES = 7  # of a sentence: eight words


class BenchCase(Record):
    """One sentence of the bench and what the reconcilers said of it."""

    document: str
    sentence: str
    alteration: str = ""
    before: str = ""
    after: str = ""
    flagged: bool = False
    findings: tuple[Finding, ...] = ()
    wording: Wording = "verbatim"


class BenchResult(Record):
    """Counts and rates of a bench; ``wrong`` holds the missed alterations and the false alarms.

    Attributes:
        verbatim: Unaltered sentences, in whatever wording the bench ran.
        by_alteration: Detected and all, by kind of alteration, swaps among them.
        swapped, swaps_detected: Swaps, which the other counts leave out.
    """

    altered: int
    detected: int
    verbatim: int
    false_alarms: int
    by_alteration: dict[str, tuple[int, int]]
    wrong: tuple[BenchCase, ...] = ()
    swapped: int = 0
    swaps_detected: int = 0

    @property
    def detection(self) -> float:
        """Share of altered sentences that were flagged, swaps left out."""
        return self.detected / self.altered if self.altered else 1.0

    @property
    def false_alarm_rate(self) -> float:
        """Share of unaltered sentences that were flagged."""
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
    harness: Harness,
    seed: int = 0,
    limit: int = 200,
    wording: Wording = "verbatim",
) -> list[BenchCase]:
    """Run the bench on one matter.

    Args:
        texts: Its documents, which are both the sources and where the sentences come from.
        matter: The matter.
        state: Its inventory.
        pack: Its knowledge.
        seed: Seed of the choice of sentences and alterations.
        limit: Most sentences taken.
        wording: Sentences as they are, or in plain words.
        harness: The harness, whose gates judge.
    """
    rng = random.Random(f"{seed}:{matter.matter_id}")
    picked = _pick(texts, rng, limit, wording)
    draft, places = _draft(picked)
    job = CheckJob({_DRAFT: draft}, texts, matter, state, pack, harness)
    checks = (check(job) for check in (check_numbers, check_dates))
    findings = [f for c in checks for f in graded(c, harness.gates).findings if f.severity != "note"]
    return [
        _case(one, [f for f in findings if f.start < end and begin < f.end], wording)
        for one, (begin, end) in zip(picked, places, strict=True)
    ]


def _case(one: _Picked, findings: Sequence[Finding], wording: Wording) -> BenchCase:
    change = one.change
    return BenchCase(
        document=one.document,
        sentence=one.text,
        alteration=change.kind if change else "",
        before=change.before if change else "",
        after=change.after if change else "",
        flagged=bool(findings),
        findings=tuple(findings),
        wording=wording,
    )


def _pick(texts: Mapping[str, CanonicalText], rng: random.Random, limit: int, wording: Wording) -> list[_Picked]:
    pool = [(name, s) for name, text in sorted(texts.items()) for s in long_sentences(text.text)]
    rng.shuffle(pool)
    figures = {name: scan_numbers(text.text) for name, text in texts.items()}
    made: Counter[str] = Counter()
    picked: list[_Picked] = []
    for name, sentence in pool:
        if len(picked) >= limit:
            break
        said = sentence if wording == "verbatim" else paraphrase(sentence, rng)
        if said is None or not (scan_numbers(said) or scan_dates(said)):
            continue
        change = _change(said, figures[name], rng, made) if len(picked) % 2 == 0 else None
        if len(picked) % 2 == 0 and change is None:
            continue
        made.update([change.kind] if change else [])
        picked.append(_Picked(name, sentence, change.text if change else said, change))
    return picked


def _change(sentence: str, figures: Sequence[Figure], rng: random.Random, made: Counter[str]) -> Alteration | None:
    change = swap(sentence, figures, rng) if made[SWAP] * _KINDS <= made.total() else None
    return change or alter(sentence, rng, made)


def long_sentences(text: str) -> list[str]:
    """Return the sentences of a document, each on one line and once."""
    found = []
    for start, end in sentences(text, WRAPPED):
        flat = " ".join(text[start:end].split())
        if _SHORTEST <= len(flat) <= _LONGEST and flat.count(" ") >= _SPACES:
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
    kept_cases = list(cases)
    changed = [c for c in kept_cases if c.alteration and c.alteration != SWAP]
    swaps = [c for c in kept_cases if c.alteration == SWAP]
    plain = [c for c in kept_cases if not c.alteration]
    kinds: dict[str, tuple[int, int]] = {}
    for case in (*changed, *swaps):
        found, n = kinds.get(case.alteration, (0, 0))
        kinds[case.alteration] = (found + case.flagged, n + 1)
    return BenchResult(
        altered=len(changed),
        detected=sum(c.flagged for c in changed),
        verbatim=len(plain),
        false_alarms=sum(c.flagged for c in plain),
        by_alteration=dict(sorted(kinds.items())),
        wrong=tuple(c for c in kept_cases if c.flagged != bool(c.alteration))[:kept],
        swapped=len(swaps),
        swaps_detected=sum(c.flagged for c in swaps),
    )
