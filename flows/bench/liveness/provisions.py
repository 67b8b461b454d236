"""The provision catalogue: each pattern, name and bound is taken away, and a clause or a question is read anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from flows.bench.liveness.prompts import asked_of
from flows.bench.liveness.records import ALL, Leaf, fewer, without
from flows.bench.liveness.witness import witness
from knowledge_db.records import ProvisionEntry
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.brief import topics_named
from tasks.drafting.extractive.find_provision import find_provision
from tasks.drafting.extractive.points import headed_sentences
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.units import Unit
from tasks.harness import Harness, packaged
from tasks.legaltext.fold import straight
from tasks.models.access import ModelAccess
from tasks.models.vectors import Matrix
from tasks.retrieval.posed import PosedQuestions
from tasks.retrieval.provisions import Provision, provision, weigh
from tasks.retrieval.topics import TopicCatalogue
from tasks.sources.records import CanonicalText

_RIVAL = ProvisionEntry(name="quiet enjoyment of moorings", strong=("moorings",), posed=("who may use the moorings",))
_WEIGHED = ("strong", "support", "against", "veto", "headings")


def provisions(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Take each pattern and each name away from its provision, and weigh, ask for or read a clause by it."""
    for entry in harness.knowledge.provisions[rows]:
        for field in _WEIGHED:
            for name, other in fewer(entry, field):
                pattern = name.partition(": ")[2]
                alive = any(_weighed(entry, other, field, pattern, seed) for seed in range(60))
                yield Leaf("provisions", f"{entry.name}: {name[:80]}", alive)
        for field in ("asked", "unasked", "aliases"):
            for name, other in fewer(entry, field):
                alive = _asked_otherwise(entry, other, field, name.partition(": ")[2])
                yield Leaf("provisions", f"{entry.name}: {name[:80]}", alive)
        for name, other in fewer(entry, "posed"):
            yield Leaf(
                "provisions", f"{entry.name}: {name[:80]}", _posed_otherwise(entry, other, name.partition(": ")[2])
            )
        yield from _single(entry)


def _posed_otherwise(entry: ProvisionEntry, other: ProvisionEntry, question: str) -> bool:
    """Say whether a question is read otherwise where it is no example any more."""
    before, after = (PosedQuestions([provision(e), provision(_RIVAL)], _vectors).read(question) for e in (entry, other))
    return before != after


def _vectors(words: Sequence[str]) -> Matrix:
    return np.stack([_vector(w) for w in words])


@lru_cache(maxsize=8192)
def _vector(word: str) -> Matrix:
    row: Matrix = ModelAccess({}).client("wordllama", "embeddings").embed([word])[0]
    return row


def _weighed(entry: ProvisionEntry, other: ProvisionEntry, field: str, pattern: str, seed: int) -> bool:
    """Say whether a clause weighs otherwise without a pattern."""
    cue = straight(witness(pattern, seed=seed) or "")
    strong = [straight(witness(p, seed=seed) or "") for p in entry.strong] or [""]
    before, after = provision(entry), provision(other)
    if field == "strong":
        return _weights(before, cue, "") != _weights(after, cue, "")
    for base in strong:
        if field == "headings":
            if _weights(before, base, cue) != _weights(after, base, cue):
                return True
        elif any(_weights(before, t, "") != _weights(after, t, "") for t in (f"{base} {cue}", f"{cue} {base}", cue)):
            return True
    return False


def _weights(sought_for: Provision, text: str, heading: str) -> float:
    return weigh(sought_for, re.sub(r"\s+", " ", text), heading)


def _asked_otherwise(entry: ProvisionEntry, other: ProvisionEntry, field: str, cue: str) -> bool:
    """Say whether a question asks for something else without a cue or a name."""
    for seed in range(30):
        text = cue if field == "aliases" else straight(witness(cue, seed=seed) or "")
        question = text
        if field == "unasked":
            question = f"{entry.name} {text}" if seed % 2 else f"{text} {entry.name}"
        setting = f"{witness(entry.within, seed=seed) or ''} {question}" if entry.within else ""
        if field == "asked":  # a cue goes before the names that other provisions have in the same question
            question = f"{question} {_RIVAL.name}" if seed % 2 else f"{_RIVAL.name} {question}"
        before, after = (
            TopicCatalogue([provision(e), provision(_RIVAL)]).asked(question, setting) for e in (entry, other)
        )
        if [p.name for p in before] != [p.name for p in after]:
            return True
    return field == "aliases" and any(how(cue, entry) != how(cue, other) for how in (_named, _headed))


def _named(words: str, entry: ProvisionEntry) -> list[str]:
    """Return how words call the provision."""
    return [t.words for t in topics_named(words, (provision(entry),), cues_of(packaged().knowledge))]


def _headed(words: str, entry: ProvisionEntry) -> int:
    """Return how many sentences of a paper stand below words as a heading that names the provision."""
    text = f"1. {words.title()}\n\nThe parties agree on what follows in this clause.\n"
    paper = CanonicalText(document="a.txt", sha256="0" * 64, extractor="txt/1", media="txt", text=text)
    return len(headed_sentences(provision(entry), read(paper, None, None, packaged().knowledge)))


def _single(entry: ProvisionEntry) -> Iterator[Leaf]:
    if entry.within:
        here = witness(entry.within) or ""
        question = entry.name if not entry.asked else straight(witness(entry.asked[0]) or "")
        topics = TopicCatalogue([provision(entry)])
        alive = bool(topics.asked(question, f"{here} {question}")) and not topics.asked(question, "zzz")
        yield Leaf("provisions", f"{entry.name}: within", alive)
    for at, effect in enumerate(entry.effects):
        less = entry.model_copy(update={"effects": without(entry.effects, at)})
        text = straight(witness(effect.when) or "")
        yield Leaf("provisions", f"{entry.name}: effect {effect.says}", _said(entry, text) != _said(less, text))
    yield from _bounds(entry)
    if entry.means:
        vague = entry.model_copy(update={"means": ""})
        alive = asked_of(provision(entry), packaged()) != asked_of(provision(vague), packaged())
        yield Leaf("provisions", f"{entry.name}: means", alive)
    if entry.denial:
        silent = entry.model_copy(update={"denial": ""})
        text = straight(witness(entry.denial) or "")
        yield Leaf("provisions", f"{entry.name}: denial", _denied(entry, text) != _denied(silent, text))


def _bounds(entry: ProvisionEntry) -> Iterator[Leaf]:
    """Change how much must speak for a clause, how many are served, and what is to be done about one."""
    cues = [straight(witness(p) or "") for p in entry.strong]
    if cues:
        for name, value in (("threshold", 1000.0), ("max_quotes", 1 if entry.max_quotes > 1 else 2)):
            other = entry.model_copy(update={name: value})
            # Few clauses show it for most provisions; only where they do not, more are made.
            made = (_clauses(entry, seeds) for seeds in (1, 12))
            alive = any(_served(entry, clauses) != _served(other, clauses) for clauses in made)
            yield Leaf("provisions", f"{entry.name}: {name}", alive)
        meaning = f'"Words" means {cues[0]}'
        other = entry.model_copy(update={"defined": not entry.defined})
        alive = weigh(provision(entry), meaning) != weigh(provision(other), meaning)
        yield Leaf("provisions", f"{entry.name}: defined", alive)


def _served(entry: ProvisionEntry, clauses: tuple[list[Unit], list[str]]) -> int:
    return len(find_provision(provision(entry), *clauses).chosen)


def _clauses(entry: ProvisionEntry, seeds: int) -> tuple[list[Unit], list[str]]:
    """Return clauses that speak for a provision by their words, by what supports them, and by their headings."""
    texts = []
    for seed in range(seeds):
        made = [straight(witness(p, seed=seed) or "") for p in entry.strong]
        backing = [straight(witness(p, seed=seed) or "") for p in entry.support]
        texts += [f"{words} {seed}" for words in made]
        texts += [f"{words} {back} {seed}" for words in made for back in (*backing, " ".join(backing))]
        texts.append(f"{' '.join(made)} {seed}")
    heading = straight(witness(entry.headings[0]) or "") if entry.headings else ""
    best = max(texts, key=lambda text: weigh(provision(entry), text, heading))
    texts += [f"{best} {n}" for n in range(21)]
    return [_unit(text, 10_000 * n, heading) for n, text in enumerate(texts)], texts


def _said(entry: ProvisionEntry, text: str) -> list[str]:
    return [says for says, pattern in provision(entry).effects if pattern.search(text)]


def _denied(entry: ProvisionEntry, text: str) -> bool:
    return bool(find_provision(provision(entry), [_unit(text)], [text]).denials)


def _unit(text: str, at: int = 0, heading: str = "") -> Unit:
    return Unit(document="a", pieces=((at, at + len(text)),), text=text, heading=heading, label="", page="", block=at)
