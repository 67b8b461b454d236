"""Points outside the catalogue: found by their own words in any inflection, and by the kind of figure sought."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from knowledge_db.vocabulary import Vocabulary
from skills_repo.schema import Procedure
from tasks.asks.catalogue import Provision
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import SHEETS, number_rows
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.tokens import root, singular
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.records import Searcher

_EMPTY = re.compile(
    r"the|and|any|for|with|from|provisions?|clauses?|rights?|other|terms|of|in|on|by|to|its|their|or|an?|per|each|all"
    r"|under|requirements?|details",
)
_KINDS = MappingProxyType(
    {
        "money": frozenset({"money", "per_share"}),
        "ratio": frozenset({"ratio", "multiple"}),
        "percent": frozenset({"percent", "bps"}),
    }
)
_FURNITURE = re.compile(r"(?:From|To|Subject|Date): |On [^\n]{6,90} wrote:$|\[Attachment: |Sheet: ")
_OPERATIVE = re.compile(r"\b(?:shall|will|must|may|agrees?|means|is|are)\b", re.I)
_WORD = re.compile(r"[a-z][a-z-]*[a-z]", re.I)
NEAR = 0.7  # share of the best score that a further sentence must reach
GIST_WORDS = 12


@dataclass(frozen=True)
class Sought:
    """How to search for a point.

    Attributes:
        words: Patterns of its telling words, each in all its forms.
        phrase: The point as a whole, or another name of it.
        kinds: Kinds of figure that answer it, the most likely first; empty where none does.
    """

    words: tuple[re.Pattern[str], ...]
    phrase: re.Pattern[str]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class _Hit:
    unit: Unit
    score: float
    certain: bool = True


def sought(topic: str, known: Vocabulary, others: Iterable[str] = ()) -> Sought:
    """Return how to search for a point; ``others`` are further names of it."""
    words = [w for w in _WORD.findall(topic.lower()) if not _EMPTY.fullmatch(w)]
    telling = [w for w in words if w not in known.stand_ins] or words
    kinds = [k for w in reversed(words) for k, named in known.answered_by.items() if w in named]
    names = [*others, *known.synonyms.get(topic.lower(), ())]
    phrases = [r"\W+(?:\w+\W+)?".join(_forms(w, known) for w in words), *(re.escape(n) for n in names)]
    return Sought(
        words=tuple(re.compile(rf"\b{_forms(w, known)}", re.I) for w in telling),
        phrase=re.compile("|".join(rf"\b(?:{p})" for p in phrases if p) or r"(?!)", re.I),
        kinds=tuple(dict.fromkeys(kinds)),
    )


def _forms(word: str, known: Vocabulary) -> str:
    """Return a pattern of a word in all its forms: of its family, else of its stem."""
    for family in known.families:
        if any(re.match(rf"{re.escape(root.rstrip('$'))}{'$' if root.endswith('$') else ''}", word) for root in family):
            stems = [re.escape(s.rstrip("$")) + (r"\b" if s.endswith("$") else r"\w*") for s in family]
            return f"(?:{'|'.join(stems)})"
    core = root(word) if len(word) > 5 else singular(word)
    return re.escape(core) + r"\w*" if len(core) >= 4 else rf"{re.escape(core)}s?\b"


def trimmed_topic(topic: Topic, known: Vocabulary) -> Topic:
    """Return a topic whose quotations are trimmed around its own words."""
    if topic.provision.known:
        return topic
    how = sought(topic.words, known)
    return replace(topic, provision=replace(topic.provision, strong=(how.phrase, *how.words), max_quotes=2))


def point(topic: Topic, reading: SentencedDocument, index: Searcher | None, settings: Procedure) -> Answer:
    """Answer a point of the brief for one document: by heading and words first, by search where these fail."""
    how = sought(topic.words, reading.knowledge.vocabulary)
    hits = _by_words(how, reading) or _by_search(topic.words, how, reading, index)
    hits = sorted(hits, key=lambda h: (-h.score, h.unit.start))
    kept = [h for h in hits if h.score >= NEAR * hits[0].score][: min(2, settings.passages_per_topic)] if hits else []
    kept.sort(key=lambda h: h.unit.start)
    best = max(kept, key=lambda h: h.score, default=None)
    value, day = ("", None) if best is None else answering_figure(how, best.unit, reading)
    return Answer(
        topic=topic,
        document=reading.document,
        value=value or (_shown_sentence(best.unit, reading) if best else ""),
        day=day,
        support=tuple(h.unit for h in kept),
        weights=tuple(h.score for h in kept),
        certain=all(h.certain for h in kept),
    )


def headed_sentences(provision: Provision, reading: SentencedDocument) -> list[Unit]:
    """Return the first sentence of each clause whose heading is a name of the provision."""
    names = [sought(n, reading.knowledge.vocabulary) for n in provision.names]
    found: list[Unit] = []
    for unit in reading.units:
        heading = unit.heading.split(" / ")[-1]
        if 0 < len(heading.split()) <= 4 and any(len(n.words) > 1 and _has_all_words(n, heading) for n in names):
            found.append(unit)
    return [u for i, u in enumerate(found) if i == 0 or found[i - 1].heading != u.heading][:2]


def _has_all_words(how: Sought, text: str) -> bool:
    return all(p.search(text) for p in how.words)


def _by_words(how: Sought, reading: SentencedDocument) -> list[_Hit]:
    hits = []
    for unit, text in zip(reading.units, reading.plain, strict=True):
        score = 0.0 if _FURNITURE.match(text) else _score(how, unit, text, reading)
        if score:
            hits.append(_Hit(unit, score))
    return hits


def _score(how: Sought, unit: Unit, text: str, reading: SentencedDocument) -> float:
    """Weigh a sentence; 0 unless its words and its heading together hold every significant word of the point."""
    heading = unit.heading.split(" / ")[-1]
    phrase = bool(how.phrase.search(text))
    if not phrase and not all(p.search(text) or p.search(heading) for p in how.words):
        return 0.0
    here = sum(1 for p in how.words if p.search(text)) / len(how.words) if how.words else 0.0
    titled = bool(heading) and _has_all_words(how, heading) and len(heading.split()) <= 6
    figured = bool(how.kinds) and bool(answering_figure(how, unit, reading)[0])
    if how.kinds and not figured and not titled and unit.words < 8:
        return 0.0  # a cross-reference or a scrap
    return 2.0 * phrase + 3.0 * titled + 1.5 * here + 2.0 * figured + 0.5 * bool(_OPERATIVE.search(text))


def _by_search(words: str, how: Sought, reading: SentencedDocument, index: Searcher | None) -> list[_Hit]:
    """Return sentences of the best passages that hold a significant word and, where one is sought, the right figure."""
    if index is None:
        return []
    hits = []
    for rank, passage in enumerate(index.search(words, 3, [reading.document])):
        for unit, text in zip(reading.units, reading.plain, strict=True):
            inside = passage.span.start <= unit.start < passage.span.end
            met = sum(1 for p in how.words if p.search(text) or p.search(unit.heading))
            right = bool(answering_figure(how, unit, reading)[0]) if how.kinds else bool(_OPERATIVE.search(text))
            inside = inside and not _FURNITURE.match(text)
            if inside and met * 2 > len(how.words) and right and unit.words >= 4:
                hits.append(_Hit(unit, met + 1.0 / (1 + rank), certain=False))
    return hits


def answering_figure(how: Sought, unit: Unit, reading: SentencedDocument) -> tuple[str, date | None]:
    """Return the figure in a sentence that answers a point, and the day where it is a date; empty where none does."""
    for kind in how.kinds:
        found = _figures(kind, unit, reading)
        if found:
            return _nearest(how, straight(unit.text), found)
    return "", None


def figures(kind: str, unit: Unit, reading: SentencedDocument) -> list[str]:
    """Return the figures of a kind in a sentence, as it states them."""
    return list(dict.fromkeys(value for _, value, _ in _figures(kind, unit, reading)))


def _figures(kind: str, unit: Unit, reading: SentencedDocument) -> list[tuple[int, str, date | None]]:
    if kind == "date":
        start = unit.start
        return [(d.start - start, d.iso, date.fromisoformat(d.iso)) for d in reading.dates_of(unit)]
    if kind == "duration":
        return [(w.start, f"{w.n} {w.unit}{'' if w.n == 1 else 's'}", None) for w in scan_windows(unit.text)]
    return [(f.start, f.text, None) for f in scan_numbers(unit.text) if f.kind in _KINDS[kind]]


def _nearest(how: Sought, text: str, found: Sequence[tuple[int, str, date | None]]) -> tuple[str, date | None]:
    match = how.phrase.search(text) or next((m for p in how.words if (m := p.search(text))), None)
    if match is None:
        first = list(dict.fromkeys(v for _, v, _ in found))[:2]
        return "; ".join(first), found[0][2]
    after = [f for f in found if f[0] >= match.start()]
    chosen = min(after, key=lambda f: f[0]) if after else max(found, key=lambda f: f[0])
    return chosen[1], chosen[2]


def _shown_sentence(unit: Unit, reading: SentencedDocument) -> str:
    """Return a row of a sheet with its numbers in full, or the first words of any other sentence."""
    rows = number_rows(reading) if reading.text.media in SHEETS else ()
    return next((row.says for row in rows if row.start == unit.start), "") or first_words(unit)


def first_words(unit: Unit) -> str:
    """Return the first words of a sentence, for an answer without a figure."""
    text = re.sub(r"\b[A-Z]{1,2}\d+: ", "", unit.text).replace(" | ", "; ")
    words = re.sub(r"^\W*(?:\(?\w{1,4}\)|\d+(?:\.\d+)*\.?)\s+", "", text).split()
    return " ".join(words[:GIST_WORDS]).rstrip(",;:") + (" …" if len(words) > GIST_WORDS else "")
