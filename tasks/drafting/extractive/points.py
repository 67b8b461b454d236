"""Searches for words outside the catalogue, in any inflection, and by the kind of figure sought."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from knowledge_db.vocabulary import Vocabulary, families_of
from tasks.asks.catalogue import Provision, generic
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.tokens import root, singular
from tasks.legaltext.windows.scan import scan_windows

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
_NEAR = 0.7  # share of the best score that a further sentence must reach
# Points of a sentence, chosen by eye: a heading that names the point says most, then its name or a figure of its kind.
_PHRASE, _TITLED, _HERE, _FIGURED, _OPERATES = 2.0, 3.0, 1.5, 2.0, 0.5
GIST_WORDS = 12  # what one line of a table takes
_HEADING = 4  # words; a longer line is a sentence
_ROOTED, _OPEN = 5, 4  # letters above which a word has endings, and from which its root may go on; chosen by eye
_TITLE, _SCRAP = 6, 8  # words of a heading that is a name, and below which a passage is a cross-reference; by eye


@dataclass(frozen=True)
class SoughtPoint:
    """How to search for a point.

    Attributes:
        words: Patterns of its telling words, each in all its forms.
        phrase: The point as a whole, or another name of it.
        kinds: Kinds of figure that answer it, the most likely first; empty where none does.
    """

    words: tuple[re.Pattern[str], ...]
    phrase: re.Pattern[str]
    kinds: tuple[str, ...]


def sought(topic: str, known: Vocabulary, others: Iterable[str] = ()) -> SoughtPoint:
    """Return how to search for a point; ``others`` are further names of it."""
    words = [w for w in _WORD.findall(topic.lower()) if not _EMPTY.fullmatch(w)]
    telling = [w for w in words if w not in known.stand_ins] or words
    kinds = [k for w in reversed(words) for k, named in known.answered_by.items() if w in named]
    names = [*others, *known.synonyms.get(topic.lower(), ())]
    phrases = [r"\W+(?:\w+\W+)?".join(_forms(w, known) for w in words), *(re.escape(n) for n in names)]
    return SoughtPoint(
        words=tuple(re.compile(rf"\b{_forms(w, known)}", re.I) for w in telling),
        phrase=re.compile("|".join(rf"\b(?:{p})" for p in phrases if p) or r"(?!)", re.I),
        kinds=tuple(dict.fromkeys(kinds)),
    )


def _forms(word: str, known: Vocabulary) -> str:
    """Return a pattern of a word in all its forms: of its family, else of its stem."""
    for family in families_of(known.families)(word):
        stems = [re.escape(s.rstrip("$")) + (r"\b" if s.endswith("$") else r"\w*") for s in family]
        return f"(?:{'|'.join(stems)})"
    core = root(word) if len(word) > _ROOTED else singular(word)
    return re.escape(core) + r"\w*" if len(core) >= _OPEN else rf"{re.escape(core)}s?\b"


def made_of(words: str, known: Vocabulary) -> Provision:
    """Return a provision made of words, whose quotations are trimmed around them."""
    how = sought(words, known)
    return replace(generic(words), strong=(how.phrase, *how.words))


def sentences_of(words: str, reading: SentencedDocument, most: int) -> dict[Unit, float]:
    """Return the sentences that speak of words, each with its weight: those that come near the best of them."""
    how = sought(words, reading.knowledge.vocabulary)
    told = ((u, t) for u, t in zip(reading.units, reading.plain, strict=True) if not _FURNITURE.match(t))
    weighed = {unit: score for unit, text in told if (score := _score(how, unit, text, reading))}
    enough = _NEAR * max(weighed.values(), default=0.0)
    best = sorted((u for u in weighed if weighed[u] >= enough), key=lambda u: (-weighed[u], u.start))[:most]
    return {u: weighed[u] for u in sorted(best, key=lambda u: u.start)}


def headed_sentences(provision: Provision, reading: SentencedDocument) -> list[Unit]:
    """Return the first sentence of each clause whose heading is a name of the provision."""
    names = [sought(n, reading.knowledge.vocabulary) for n in provision.names]
    called = {n.lower() for n in provision.names}
    found: list[Unit] = []
    for unit in reading.units:
        heading = unit.heading.split(" / ")[-1]
        # One word of a heading may be chance ("Term Sheet"); a heading that is nothing but the name is none.
        whole = heading.strip(" .:").lower() in called
        several = any(len(n.words) > 1 and _has_all_words(n, heading) for n in names)
        if 0 < len(heading.split()) <= _HEADING and (whole or several):
            found.append(unit)
    return [u for i, u in enumerate(found) if i == 0 or found[i - 1].heading != u.heading][:2]


def _has_all_words(how: SoughtPoint, text: str) -> bool:
    return all(p.search(text) for p in how.words)


def _score(how: SoughtPoint, unit: Unit, text: str, reading: SentencedDocument) -> float:
    """Weigh a sentence; 0 unless its words and its heading together hold every significant word of the point."""
    heading = unit.heading.split(" / ")[-1]
    phrase = bool(how.phrase.search(text))
    if not phrase and not all(p.search(text) or p.search(heading) for p in how.words):
        return 0.0
    here = sum(1 for p in how.words if p.search(text)) / len(how.words) if how.words else 0.0
    titled = bool(heading) and _has_all_words(how, heading) and len(heading.split()) <= _TITLE
    figured = bool(how.kinds) and bool(answering_figure(how, unit, reading)[0])
    if how.kinds and not figured and not titled and unit.words < _SCRAP:
        return 0.0  # a cross-reference or a scrap
    told = _PHRASE * phrase + _TITLED * titled + _HERE * here + _FIGURED * figured
    return told + _OPERATES * bool(_OPERATIVE.search(text))


def answering_figure(how: SoughtPoint, unit: Unit, reading: SentencedDocument) -> tuple[str, date | None]:
    """Return the figure in a sentence that answers a point, and the day where it is a date; empty where none does."""
    for kind in how.kinds:
        found = _figures(kind, unit, reading)
        if found:
            return _nearest(how, straight(unit.text), found)
    return "", None


def _figures(kind: str, unit: Unit, reading: SentencedDocument) -> list[tuple[int, str, date | None]]:
    if kind == "date":
        start = unit.start
        return [(d.start - start, d.iso, date.fromisoformat(d.iso)) for d in reading.dates_of(unit)]
    if kind == "duration":
        return [(w.start, f"{w.n} {w.unit}{'' if w.n == 1 else 's'}", None) for w in scan_windows(unit.text)]
    return [(f.start, f.text, None) for f in scan_numbers(unit.text) if f.kind in _KINDS[kind]]


def _nearest(how: SoughtPoint, text: str, found: Sequence[tuple[int, str, date | None]]) -> tuple[str, date | None]:
    match = how.phrase.search(text) or next((m for p in how.words if (m := p.search(text))), None)
    if match is None:
        first = list(dict.fromkeys(v for _, v, _ in found))[:2]
        return "; ".join(first), found[0][2]
    after = [f for f in found if f[0] >= match.start()]
    chosen = min(after, key=lambda f: f[0]) if after else max(found, key=lambda f: f[0])
    return chosen[1], chosen[2]


def first_words(unit: Unit) -> str:
    """Return the first words of a sentence, for an answer without a figure."""
    text = re.sub(r"\b[A-Z]{1,2}\d+: ", "", unit.text).replace(" | ", "; ")
    words = re.sub(r"^\W*(?:\(?\w{1,4}\)|\d+(?:\.\d+)*\.?)\s+", "", text).split()
    return " ".join(words[:GIST_WORDS]).rstrip(",;:") + (" …" if len(words) > GIST_WORDS else "")
