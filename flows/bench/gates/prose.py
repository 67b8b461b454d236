"""Drafts as a model would write them: clauses of the documents retold in plain words, each with its citation."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

from flows.bench.gates.plant import KINDS, DraftStatement, denied, plant
from flows.bench.gates.scene import Scene
from flows.bench.grounding.measure import long_sentences
from flows.bench.grounding.paraphrase import paraphrase
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.names import name_words
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.tokens import terms
from tasks.reconcile.support.mentions import find_forms, laws_in
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import Clause

_MODAL: Final = re.compile(r"\b(?:shall|must|may|will)\b")
_NOTICE: Final = re.compile(r"\b(?:prior to|before|after|following)\b")
_TRIES: Final = 400  # clauses that are looked at for a place of an error; bounds the time of one draft
_Spans = Sequence[tuple[int, int]]
_TELLING = (120, 6000)  # characters of a clause that says something of its own, and is none with all its parts
_QUOTED = 25  # words of a quotation


def statements(scene: Scene, rng: random.Random, each: int) -> Iterator[tuple[str, DraftStatement]]:
    """Yield true statements about a matter, ``each`` of every kind that can be planted in them, with that kind.

    Args:
        scene: The matter.
        rng: Chooses clauses and wordings.
        each: Statements of a kind.
    """
    pool = [(name, c) for name, cs in scene.clauses.items() if name in scene.documents for c in cs if _is_telling(c)]
    for kind in KINDS:
        rng.shuffle(pool)
        found: dict[str, DraftStatement] = {}
        for document, clause in pool[:_TRIES]:
            of = _denied_truly(scene, document, clause) if kind == "false denial" else _retold(scene, kind, clause, rng)
            if of is not None and plant(kind, scene, of, rng) is not None:
                found.setdefault(of.source, of)
            if len(found) == each:
                break
        yield from ((kind, of) for of in found.values())


def true_denials(scene: Scene, rng: random.Random, each: int) -> Iterator[DraftStatement]:
    """Yield denials of provisions of whose names the document holds no word."""
    names = sorted(scene.documents)
    topics = [p for p in catalogue_of(scene.harness.knowledge) if p.strong and p.answer == "clause"]
    for _ in range(each):
        document = rng.choice(names)
        held = frozenset(terms(scene.texts[document].text))
        absent = [p.name for p in topics if not any(held & frozenset(terms(n)) for n in p.names)]
        if absent:
            yield DraftStatement(text=denied(scene, document, rng.choice(absent), rng), document=document)


def _is_telling(clause: Clause) -> bool:
    return re.match(r"§ \d", clause.label) is not None and _TELLING[0] < clause.end - clause.start < _TELLING[1]


def _retold(scene: Scene, kind: str, clause: Clause, rng: random.Random) -> DraftStatement | None:
    """Retell a sentence of a clause around what an error of the kind changes."""
    text = scene.texts[clause.document].text[clause.start : clause.end]
    found = [s for s in long_sentences(text) if _anchors(scene, kind, clause.document, s)]
    if not found:
        return None
    sentence = rng.choice(found)
    at = clause.start + max(0, _flat(text).find(sentence[:40]))
    citation = f"[{scene.label(clause.document)} {clause.label}{scene.page(clause.document, at)}]"
    if kind == "altered quotation":
        words = sentence.split()
        start = rng.randrange(max(1, len(words) - _QUOTED))
        told: str | None = (
            f"The clause reads: “{' '.join(words[start : start + 25]).replace('“', '').replace('”', '')}”."
        )
    else:
        told = paraphrase(sentence, rng, lambda said: _anchors(scene, kind, clause.document, said))
    if told is None:
        return None
    line = f"{told[:-1]} {citation}." if rng.random() < 0.5 else f"{told} {citation}"
    return DraftStatement(line, clause.document, clause.label[2:], "", f"{kind}:{sentence}")


def _flat(text: str) -> str:
    return "".join(" " if c.isspace() else c for c in text)


def _anchors(scene: Scene, kind: str, document: str, said: str) -> _Spans:
    """Return what a sentence has that an error of the kind would change."""
    figures: dict[str, tuple[str, ...]] = {
        "amount": ("money", "per_share"), "rate": ("percent", "bps"), "period": ("duration",)
    }  # fmt: skip
    if kind in figures:
        return [(f.start, f.end) for f in scan_numbers(said) if f.kind in figures[kind]]
    if kind == "date":
        return [(d.start, d.end) for d in scan_dates(said) if d.precision == "day"]
    if kind == "wrong law":
        return [(a, b) for a, b, _ in laws_in(said, scene.harness.knowledge.jurisdictions)]
    if kind in ("wrong party", "who is bound"):
        named = [s for forms in scene.parties(document) for s in find_forms(said, forms)]
        return named if kind == "wrong party" else [m.span() for m in _MODAL.finditer(said) if named]
    pattern: dict[str, re.Pattern[str]] = {"notice direction": _NOTICE, "polarity": _MODAL}
    where = pattern.get(kind, _MODAL)
    return [m.span() for m in where.finditer(said)]


def _denied_truly(scene: Scene, document: str, clause: Clause) -> DraftStatement | None:
    """Return a statement about a clause whose heading is the name of a provision: its denial is false."""
    heading = " ".join(name_words(clause.heading))
    named = [p.name for p in catalogue_of(scene.harness.knowledge) if p.strong and heading in p.names]
    if not named:
        return None
    text = f"The {scene.label(document)} deals with {named[0]} [{scene.label(document)} {clause.label}]."
    return DraftStatement(text, document, clause.label[2:], named[0], f"{document}:{named[0]}")
