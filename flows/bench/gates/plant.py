"""The errors that are planted in a statement, one function a kind. None: the statement does not lend itself to it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from flows.bench.gates.scene import Scene
from flows.bench.grounding.alter import alter, swap
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.reconcile.support.mentions import find_forms, laws_in
from tasks.retrieval.records import Clause

_QUOTED = re.compile(r"“[^”]*”|\[[^\]\n]*\]")
_WORD = re.compile(r"[A-Za-z]{5,}")
_DIRECTIONS = (("prior to", "after"), ("before", "after"), ("after", "before"), ("following", "preceding"))
_MODAL = r"(?:shall|must|may|will|can|is|are|does|do)"
_NEGATED = re.compile(rf"\b({_MODAL}) not\b|\bwithout\b|\b(may|can)not\b", re.I)
_AFFIRMED = re.compile(r"\b(?:shall|must|may|will)\b(?! not)(?! be no\b)", re.I)
_DENIALS = (
    "No {topic} provision was found in [{label}].",
    "The {label} contains no {topic} clause [{label}].",
    "There is no provision on {topic} in [{label}].",
    "[{label}] is silent on {topic}.",
)
# What can be altered so that a reader would notice: characters between a party and its figure, characters of a clause,
# words of a quotation.
_NEAR, _CLAUSE, _QUOTED_WORDS = 30, 80, 4


@dataclass(frozen=True)
class DraftStatement:
    """A statement of a draft, on one line.

    Attributes:
        text: The whole line with its citation.
        document: The document it speaks of.
        cited: The number of the cited clause as the citation gives it, ``9.2(b)``; empty where it gives none.
        topic: The provision that it is about, where that is known.
        source: The sentence of the document that it retells; empty in the drafts of runtimes.
    """

    text: str
    document: str
    cited: str = ""
    topic: str = ""
    source: str = ""


def free_of_quotes(text: str) -> str:
    """Return a line with quotations and citations blanked, so that offsets stay."""
    return _QUOTED.sub(lambda m: "\x00" * len(m[0]), text)


def _figure(kinds: Sequence[str]) -> Callable[[Scene, DraftStatement, random.Random], str | None]:
    def plant(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
        plain = free_of_quotes(of.text)
        spans = [(f.start, f.end) for f in scan_numbers(plain) if f.kind in kinds]
        others = [f for f in scene.figures(of.document) if f.kind in kinds]
        for start, end in rng.sample(spans, len(spans)):
            piece = of.text[start:end]
            change = (swap(piece, others, rng) if rng.random() < 0.4 else None) or alter(piece, rng)
            if change is not None:
                return of.text[:start] + change.text + of.text[end:]
        return None

    return plant


def _date(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    found = [d for d in scan_dates(free_of_quotes(of.text)) if d.precision == "day"]
    for day in rng.sample(found, len(found)):
        others = [d.text for d in scene.dates(of.document) if d.precision == "day" and d.iso != day.iso]
        change = alter(of.text[day.start : day.end], rng)
        text = " ".join(rng.choice(others).split()) if others and rng.random() < 0.4 else change and change.text
        if text:
            return of.text[: day.start] + text + of.text[day.end :]
    return None


def _direction(_: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    plain = free_of_quotes(of.text)
    if "notice" not in plain and not scan_numbers(plain):
        return None
    tries = [(m, new) for old, new in _DIRECTIONS for m in re.finditer(rf"\b{old}\b", plain)]
    if not tries:
        return None
    match, new = rng.choice(tries)
    return of.text[: match.start()] + new + of.text[match.end() :]


def _polarity(_: Scene, of: DraftStatement, _rng: random.Random) -> str | None:
    plain = free_of_quotes(of.text)
    negated, affirmed = _NEGATED.search(plain), _AFFIRMED.search(plain)
    if negated:
        said = negated[1] or negated[2] or "with"
        return of.text[: negated.start()] + said + of.text[negated.end() :]
    return of.text[: affirmed.end()] + " not" + of.text[affirmed.end() :] if affirmed else None


def _bound(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    """Let another party of the document be the one that shall or may."""
    plain, parties = free_of_quotes(of.text), scene.parties(of.document)
    for match in re.finditer(rf"\b{_MODAL}\b", plain):
        before = [
            (start, end, n) for n, forms in enumerate(parties) for start, end in find_forms(plain, forms)
            if end <= match.start() and match.start() - end < _NEAR
        ]  # fmt: skip
        others = [forms for n, forms in enumerate(parties) if before and n != max(before)[2]]
        if others:
            start, end, _ = max(before)
            return of.text[:start] + rng.choice(others)[-1] + of.text[end:]
    return None


def _party(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    plain = free_of_quotes(of.text)
    spans = [s for forms in scene.parties(of.document) for s in find_forms(plain, forms)]
    if not spans:
        return None
    start, end = rng.choice(sorted(spans))
    return of.text[:start] + rng.choice(scene.strangers(of.document)) + of.text[end:]


def _law(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    laws = scene.harness.knowledge.jurisdictions
    found = laws_in(free_of_quotes(of.text), laws)
    if not found:
        return None
    start, end, name = rng.choice(found)
    others = [n for n in ("Delaware", "New York", "Texas", "Ohio", "Ontario", "Singapore") if n != name]
    return of.text[:start] + rng.choice(others) + of.text[end:]


def _clause(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    """Cite another clause of the document, or one that it does not have."""
    if not of.cited:
        return None
    numbered = [c for c in scene.clauses[of.document] if c.label.startswith("§ ") and c.end - c.start > _CLAUSE]
    own = [c for c in numbered if c.label == f"§ {of.cited}"]
    others = [c.label[2:] for c in numbered if not any(_within(c, o) for o in own) and c.label != f"§ {of.cited}"]
    major = max(
        (int(c.label[2:].split(".")[0].split("(")[0] or 0) for c in numbered if c.label[2:3].isdigit()), default=20
    )
    wrong = (
        rng.choice(others) if others and rng.random() < 0.6 else f"{major + rng.randrange(3, 20)}.{rng.randrange(1, 9)}"
    )
    return re.sub(rf"(?<=§ ){re.escape(of.cited)}(?![\w(.]*\d)", wrong, of.text, count=1)


def _within(one: Clause, other: Clause) -> bool:
    return one.start < other.end and other.start < one.end


def _denial(scene: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    return denied(scene, of.document, of.topic, rng) if of.topic else None


def denied(scene: Scene, document: str, topic: str, rng: random.Random) -> str:
    """Return a sentence that denies that a document has a provision."""
    return rng.choice(_DENIALS).format(topic=topic, label=scene.label(document))


def _quotation(_: Scene, of: DraftStatement, rng: random.Random) -> str | None:
    """Change one word of a quotation, take a negation out, or put one in."""
    quote = re.search(r"“([^”]{40,})”", of.text)
    if quote is None:
        return None
    words = [m for m in _WORD.finditer(quote[1])]
    if len(words) < _QUOTED_WORDS:
        return None
    no = re.search(r"\bnot ", quote[1])
    if no:
        changed = quote[1][: no.start()] + quote[1][no.end() :]
    else:
        one = rng.choice(words[1:])
        other = rng.choice([w[0].lower() for w in words if w[0].lower() != one[0].lower()] or ["other"])
        changed = quote[1][: one.start()] + other + quote[1][one.end() :]
    return of.text[: quote.start(1)] + changed + of.text[quote.end(1) :]


Planter = Callable[[Scene, DraftStatement, random.Random], str | None]
KINDS: Mapping[str, Planter] = MappingProxyType(
    {
        "amount": _figure(("money", "per_share")),
        "rate": _figure(("percent", "bps")),
        "date": _date,
        "period": _figure(("duration",)),
        "notice direction": _direction,
        "polarity": _polarity,
        "who is bound": _bound,
        "wrong party": _party,
        "wrong law": _law,
        "wrong clause": _clause,
        "false denial": _denial,
        "altered quotation": _quotation,
    }
)
"""What can be planted, by name."""
MECHANICAL = ("amount", "rate", "date", "period", "altered quotation", "wrong clause")


def plant(kind: str, scene: Scene, of: DraftStatement, rng: random.Random) -> DraftStatement | None:
    """Plant an error of a kind in a statement; None where it does not lend itself to it."""
    text = KINDS[kind](scene, of, rng)
    return replace(of, text=text) if text is not None and text != of.text else None
