"""What the pronouns of a clause stand for: the noun phrase of an earlier clause that agrees with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from tasks.asks.moods import WH, Words, low
from tasks.legaltext import months
from tasks.legaltext.names import FORM_WORDS
from tasks.legaltext.parts_of_speech import Word

_STARTS = ("AT0", "DPS", "AJ", "NN", "NP", "CRD", "ORD", "UNC")
_GOES_ON = ("AJ", "NN", "NP", "POS", "ORD", "CRD", "UNC")
_HEADS = ("NN", "NP")
_EACH = ("each", "every")  # "each agreement … its governing law"
_MASCULINE, _FEMININE = frozenset(("mr", "sir", "herr")), frozenset(("ms", "mrs", "miss", "mme", "madam", "frau"))
_BASE = ("VVI", "VVB", "VBI", "VHI", "VDI", "VVN", "VVG")
_TITLES = _MASCULINE | _FEMININE | {"dr", "prof"}
_FORMS = sorted(word for word in FORM_WORDS if len(word) > 2)  # two letters are often another word: "as", "sa"
_FIRM = re.compile(rf"\b(?:{'|'.join(map(re.escape, _FORMS))}|lp|co|group|bank|holdings|agreement)\b|[A-Z]{{3}}", re.I)
_ACRONYM = re.compile(r"[A-Z&]{2,}s?")
_INDEFINITE = re.compile(r"(?:an?|any|some|each|every|no)\s+", re.I)
_MONTH = re.compile(rf"{months.TITLED}\b")
_OWNER = {"its": "it", "their": "they", "his": "he", "her": "she", "theirs": "they", "hers": "she"}
_PERSON = {"she": "f", "her": "f", "he": "m", "him": "m"}
_MANY = frozenset(("they", "them"))
_TIME = re.compile(r"\b(?:day|date|time|deadline)$", re.I)  # what is asked for, and seldom what is spoken of
_CLAUSES, _FAR = 4, 400  # clauses and characters back in which a pronoun's noun is looked for
_THING = frozenset(("it",))
_LIGHT = frozenset(  # verbs that say little of what is done
    (
        "do",
        "pay",
        "pays",
        "say",
        "happen",
        "happens",
        "go",
        "get",
        "gets",
        "make",
        "take",
        "have",
        "give",
        "mean",
        "means",
        "need",
        "want",
        "come",
        "be",
    )
)


@dataclass(frozen=True)
class Phrase:
    """A noun phrase.

    Attributes:
        many: Whether it is plural.
        person: Whether it names a person: ``f``, ``m``, or ``?`` where its words do not tell; empty for a thing.
        known: Whether it names something, or says which: "the lease", "Acme", and not "signing".
        place: What counts first: the subject of a question, other phrases, those that hang on a preposition.
    """

    text: str
    start: int
    end: int
    many: bool
    person: str
    known: bool
    place: int = 1

    @property
    def definite(self) -> str:
        """Its words as they are said again: "an audit right" is "the audit right"."""
        return _INDEFINITE.sub("the ", self.text, count=1) if _INDEFINITE.match(self.text) else self.text


def phrases_of(words: Words, text: str) -> list[Phrase]:
    """Return the noun phrases of a clause in order, that of its subject first."""
    found: list[Phrase] = []
    verbs = max((n for n, w in enumerate(words) if w.tag in _BASE), default=-1)
    subject = False
    for begin, end in _runs(words):
        run = [w for w in words[begin:end] if w.tag != "PUN"]
        asked = begin > 0 and words[begin - 1].tag.startswith(("VM", "VD", "VB", "VH"))
        if asked and len(run) > 1 and verbs < end and words[begin - 1].tag[:2] != "VB":
            run = run[:-1]  # "what must the CRO report": the tagger takes the verb for a noun
        hangs = begin > 0 and words[begin - 1].tag.startswith(("PRP", "PRF"))
        place = 0 if asked and not subject else 2 if hangs else 1
        phrases = [replace(p, place=place) for p in _phrase(run, text)]
        subject = subject or (place == 0 and bool(phrases))
        found += phrases
    return sorted(found, key=lambda p: p.place)


def _runs(words: Words) -> Iterator[tuple[int, int]]:
    """Yield where words that may be one noun phrase stand."""
    begin = -1
    for at, word in enumerate(words):
        title = word.text == "." and begin >= 0 and low(words[at - 1]) in _TITLES
        if begin >= 0 and not title and (word.tag.startswith(("AT0", "DPS")) or not word.tag.startswith(_GOES_ON)):
            yield begin, at
            begin = -1
        if begin < 0 and (word.tag.startswith(_STARTS) or low(word) in _EACH):
            begin = at
    if begin >= 0:
        yield begin, len(words)


def _phrase(run: Sequence[Word], text: str) -> Iterator[Phrase]:
    while run and run[-1].tag in ("POS", "CRD", "ORD", "AJ0"):
        run = run[:-1]
    heads = [w for w in run if w.tag.startswith(_HEADS)]
    if not heads or low(run[0]) in _OWNER or (len(run) == 1 and low(run[0]).endswith("ing")):
        return
    start, end = run[0].start, run[-1].end
    said = text[start:end]
    if _MONTH.match(said):
        return
    known = (
        run[0].tag in ("AT0", "DPS") or low(run[0]) in _EACH or any(w.tag == "POS" or w.text[:1].isupper() for w in run)
    )
    yield Phrase(said, start, end, heads[-1].tag in ("NN2", "NP2"), _person(run, said), known)


def _person(run: Sequence[Word], said: str) -> str:
    first = low(run[0])
    if first in _TITLES:
        return "f" if first in _FEMININE else "m" if first in _MASCULINE else "?"
    named = all(w.tag.startswith("NP") and w.text[:1].isupper() for w in run)
    return "?" if named and not _FIRM.search(said) and not _ACRONYM.fullmatch(said) else ""


@dataclass(frozen=True)
class Pronoun:
    """A pronoun of a clause at ``[start, end)`` that nothing in the clause explains."""

    start: int
    end: int
    kind: str
    owns: bool

    @property
    def about(self) -> str:
        """The pronoun in its first case: "him" is about the same as "he"."""
        return {"her": "she", "him": "he", "them": "they"}.get(self.kind, self.kind)


def pronouns_of(words: Words) -> Iterator[Pronoun]:
    """Yield the pronouns of a clause that may stand for something outside it."""
    for at, word in enumerate(words):
        said = low(word)
        after = words[at + 1] if at + 1 < len(words) else None
        owns = said in _OWNER and (said != "her" or (after is not None and after.tag.startswith(("NN", "AJ", "CRD"))))
        kind = _OWNER[said] if owns else said
        meant = kind in _MANY | _THING or kind in _PERSON
        if meant and not (kind == "it" and not owns and _is_empty(words, at)):
            yield Pronoun(word.start, word.end, kind, owns)


def _is_empty(words: Words, at: int) -> bool:
    """Tell whether "it" stands for nothing: "is it clear that", "it makes sense to", "does it take long to"."""
    before, after = words[at - 1] if at else None, words[at + 1 : at + 5]
    goes = next(
        (n for n, w in enumerate(after) if w.tag in ("TO0", "CJT") or low(w) in ("that", "whether", "if")), None
    )
    formal = [w for w in (before, *after[:1]) if w is not None]
    is_formal = any(w.tag.startswith("VB") or low(w) in ("make", "makes", "take", "takes") for w in formal)
    comes = (
        before is not None
        and low(before) in ("if", "as")
        and bool(after)
        and low(after[0]) in ("is", "stands", "comes")
    )
    cleft = before is not None and before.tag.startswith("VB") and at > 1 and low(words[at - 2]) in WH
    return comes or cleft or (goes is not None and is_formal)


def _fits(pronoun: Pronoun, phrase: Phrase) -> bool:
    """Tell whether a noun phrase agrees with a pronoun."""
    if pronoun.kind in _PERSON:
        return not phrase.many and phrase.person in (_PERSON[pronoun.kind], "?")
    if pronoun.kind in _MANY:
        return phrase.many
    return not phrase.many and phrase.person in ("", "?")


class SpokenClause(NamedTuple):
    """A clause in which pronouns are looked for.

    Attributes:
        line: Where its line begins, if this is an item of a list: what "it" is stands in the item itself.
        formal: Whether it only says how the answer is given.
        leads: Whether it leads to a list: a topic needs no article.
    """

    words: Words
    begin: int
    line: int
    formal: bool
    leads: bool


class _Earlier(NamedTuple):
    said: SpokenClause
    phrases: Sequence[Phrase]
    meant: dict[str, Phrase | None]


class Referents:
    """What the pronouns of a brief stand for, found clause by clause.

    A pronoun goes on with what the same pronoun of the clause before it stood for; else it stands for the first noun
    phrase, the subject before the others, of the nearest clause that has one which agrees.
    """

    def __init__(self, clauses: Iterable[SpokenClause], text: str) -> None:
        """Read the clauses of a brief in order."""
        self.found: dict[int, list[tuple[Pronoun, Phrase]]] = {}
        earlier: list[_Earlier] = []
        for said in clauses:
            own, meant = phrases_of(said.words, text), dict[str, Phrase | None]()
            self.found[said.begin] = []
            for pronoun in () if said.formal else pronouns_of(said.words):
                if pronoun.about in meant and not pronoun.owns and pronoun.about == "it":
                    continue  # "does it protect it"
                inside = next((p for p in own if p.end <= pronoun.start and _fits(pronoun, p)), None)
                if inside is not None:
                    meant.setdefault(pronoun.about, inside)
                    continue
                phrase = meant.setdefault(pronoun.about, _antecedent(pronoun, said, earlier))
                if phrase is not None and (pronoun.about != "they" or _is_thing(said.words, pronoun)):
                    self.found[said.begin].append((pronoun, phrase))
            if not said.formal:
                earlier.append(_Earlier(said, own, meant))


def _antecedent(pronoun: Pronoun, said: SpokenClause, earlier: Sequence[_Earlier]) -> Phrase | None:
    """Return what a pronoun stands for that nothing in its own clause explains."""
    person = pronoun.about in ("he", "she")
    for before in reversed(earlier[-(1 if pronoun.about == "they" else _CLAUSES) :]):
        far = said.begin - before.said.begin > _FAR
        if far or (not person and before.said.line != said.line and not before.said.leads):
            return None
        if pronoun.about in before.meant:
            return before.meant[pronoun.about]
        if pronoun.about == "it" and _is_unnamed(before.said.words):
            return None  # "what they give, and when it is due": what is given has no name
        fitting = [p for p in before.phrases if _fits(pronoun, p) and (p.known or before.said.leads)]
        fitting = [p for p in fitting if not _TIME.search(p.text)] or fitting
        if fitting:
            return min(fitting, key=lambda p: (p.place > 0, p.person == "?" and not person, p.place))
    return None


def _is_unnamed(words: Words) -> bool:
    """Tell whether a clause asks for a thing that has no name yet: "what they give"."""
    return len(words) > 1 and low(words[0]) == "what" and words[1].tag.startswith(("AT0", "DPS", "NP", "PNP"))


def _is_thing(words: Words, pronoun: Pronoun) -> bool:
    """Tell whether "they" are the things before it, and not people whom nothing names: "of them", "they are"."""
    at = next(n for n, w in enumerate(words) if w.start == pronoun.start)
    before, after = (words[at - 1] if at else None), (words[at + 1] if at + 1 < len(words) else None)
    of = before is not None and low(before) == "of"
    if any(w.tag == "NN2" and w.end <= pronoun.start for w in words):
        return False
    return of or (not pronoun.owns and after is not None and after.tag.startswith("VB"))


def said_with(text: str, start: int, end: int, found: Sequence[tuple[Pronoun, Phrase]]) -> str:
    """Return words with what their pronouns stand for in the place of these."""
    said, at = "", start
    for pronoun, phrase in found:
        owner = "'" if phrase.definite.endswith("s") else "'s"
        said += text[at : pronoun.start] + phrase.definite + (owner if pronoun.owns else "")
        at = pronoun.end
    return said + text[at:end]


def is_bare(words: Words) -> bool:
    """Return whether words do not name their subject: "who pays", "by when", "may she say no without a reason"."""
    inside = False
    nouns = outside = 0
    acts = [w for w in words if w.tag.startswith("V")]
    for before, word in pairwise([Word("", 0, 0, ""), *words]):
        inside = (inside or word.tag in ("PRP", "PRF")) and not word.tag.startswith("V")
        if word.tag.startswith(_HEADS) or (word.tag == "CRD" and before.tag == "AT0"):
            nouns += 1
            outside += not inside or (bool(acts) and word.tag in ("NP0", "CRD"))
    light = all(
        low(w) in _LIGHT and (after is None or after.tag != "AVP")
        for w, after in zip(words, [*words[1:], None], strict=False)
        if w.tag.startswith("VV")
    )
    told = any(w.tag == "PNP" for w in words) and not light  # "what can she keep"
    return (not nouns and not told) or (not outside and light)
