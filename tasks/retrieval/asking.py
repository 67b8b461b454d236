"""What a query asks of a clause: its kind, and what the clause is to have, to lack or to except.

"Fraud exception to the cap on liability", "as-is clause without carve-outs", "seller-friendly waiver": the kind of
clause is one part of such a query and the rest qualifies it. Searched as a bag of words, the kind finds fifty clauses
and the qualification none. The grammar is here, its words are data (``knowledge_db/data/questions/qualities.toml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight

EXCEPTION = "exception"
_WORDS = r"(?P<words>[^;]+?)"
_ARTICLE = r"(?:(?:an?|the|any|all|some|certain|specific|various) )?"
_LONG = 1_000  # characters of a query that are parsed
_QUOTED = re.compile(r'"([^"]{2,80})"')
_LACKS = re.compile(
    r"\b(?:(?:that |which )?(?:do|does|did|should|must|shall) not (?:\w+ ){0,2}?(?:include|contain|mention|require|"
    r"have|cover|provide for|allow|permit)|not (?:including|containing|requiring|covering)|clauses? without) "
    rf"{_ARTICLE}{_WORDS}$",
    re.I,
)
_EXCLUDES = re.compile(rf"\b(?:excluding|excepting|except(?: for)?|other than) {_ARTICLE}{_WORDS}$", re.I)
_FAVOURS = r"\b{side}s?[- ](?:favou?r\w*|friendly)\b|\b(?:in )?favou?r(?:s|ing|able to| of)? {article}{side}s?\b"


@dataclass(frozen=True)
class Facet:
    """One thing that a query asks of a clause beside its kind.

    Attributes:
        kind: ``excepted``: an exception names the words (any exception, where there are none); ``lacking``: the words
            stand nowhere; ``phrase``: they stand there as quoted; ``quality`` and ``no_quality``: the clause has the
            quality that they name, or has not.
    """

    kind: Literal["excepted", "lacking", "phrase", "quality", "no_quality"]
    words: str = ""


@dataclass(frozen=True)
class Query:
    """A query, understood: the kind of clause in the words of the query, and the rest.

    Attributes:
        question: It is a sentence that asks. The words of a phrase ("cap on liability for fraud") stand in the clause;
            those of a question need not ("can either side walk away?").
    """

    head: str
    facets: tuple[Facet, ...] = ()
    question: bool = False

    @property
    def wanted(self) -> str:
        """Return the words that a clause is to have: the query without what it asks to be lacking."""
        return " ".join([self.head, *(facet.words for facet in self.facets if facet.kind == "excepted")])


@dataclass(frozen=True)
class ContractSide:
    """A side of a contract: how it is named as favoured, and which instruments protect it."""

    favoured: re.Pattern[str]
    protected_by: re.Pattern[str]


class QueryGrammar:
    """The grammar of queries with the words of a harness."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Compile the words."""
        rows = knowledge.questions
        self.says = {row.name: re.compile(row.says, re.I) for row in rows if row.use == "quality"}
        self._asked = {
            (row.use, row.name): re.compile(rf"\b{_any(row.patterns)}(?!\w)", re.I)
            for row in rows
            if row.use in ("quality", "no_quality") and (row.use, row.name) != ("quality", EXCEPTION)
        }
        sides = {row.name: _any(row.patterns) for row in rows if row.use == "side"}
        protects = {row.name: re.compile(_any(row.patterns), re.I) for row in rows if row.use == "protects"}
        self._sides = [
            ContractSide(re.compile(_FAVOURS.format(side=side, article=_ARTICLE), re.I), protects[name])
            for name, side in sides.items()
            if name in protects
        ]
        opening = [p for row in rows if row.use == "question_word" for p in row.patterns]
        self._opens = re.compile(rf"\s*{_any(opening or ['(?!)'])}\b", re.I)
        words = [p for row in rows if (row.use, row.name) == ("quality", EXCEPTION) for p in row.patterns]
        self._exceptions = [] if not words else _exception_rules(_any(words))

    def understand(self, query: str) -> Query:
        """Part a query; one that asks for a kind of clause and no more has no facets."""
        left = re.sub(r"\s+", " ", straight(query[:_LONG])).strip(" .?")
        facets = [Facet("phrase", phrase.strip(" ,.")) for phrase in _QUOTED.findall(left)]
        left, found = self._favoured(left)
        facets += found
        for kind, pattern in (*self._exceptions, ("lacking", _LACKS), ("excepted", _EXCLUDES)):
            while match := pattern.search(left):
                words = match.groupdict().get("words") or ""
                facets.append(_facet(kind, words))
                left = _without(left, match)
        for (use, name), pattern in self._asked.items():
            if match := pattern.search(left):
                facets.append(Facet("quality" if use == "quality" else "no_quality", name))
                left = _without(left, match)
        question = query.rstrip().endswith("?") or bool(self._opens.match(query))
        return Query(left.strip(" ;,") or query, tuple(dict.fromkeys(facets)), question)

    def _favoured(self, query: str) -> tuple[str, list[Facet]]:
        """Read "X-favourable": what protects X favours it when one-sided, wide and unqualified, else not."""
        for side in self._sides:
            match = side.favoured.search(query)
            if match is None:
                continue
            rest = _without(query, match)
            protected = [other for other in self._sides if other.protected_by.search(rest)]
            if not protected:
                return rest, []
            if side in protected[:1]:
                return rest, [
                    Facet("no_quality", EXCEPTION),
                    Facet("no_quality", "mutual"),
                    Facet("quality", "breadth"),
                ]
            return rest, [Facet("excepted"), Facet("quality", "mutual")]
        return query, []


@lru_cache(maxsize=4)
def grammar_of(knowledge: KnowledgeBase) -> QueryGrammar:
    """Return the grammar of a harness, compiled once in a process."""
    return QueryGrammar(knowledge)


def _exception_rules(noun: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return what makes an exception of words, or asks for none, each with the kind of facet."""
    rules = [
        ("no_quality", rf"\b(?:without|not subject to|free (?:of|from)|no) {_ARTICLE}(?:\w+ )?{noun}\b"),
        ("excepted", rf"\b(?:via|through|by way of) {_ARTICLE}{_WORDS} {noun}(?!\w)"),
        ("excepted", rf"^{_ARTICLE}{_WORDS} {noun} (?:to|from|of)\b"),
        ("excepted", rf"\b(?:with|subject to|having|including|containing) {_ARTICLE}{noun}(?: (?:for|of) {_WORDS})?$"),
        ("excepted", rf"\b{noun}(?: (?:for|of) {_WORDS})?$"),
    ]
    return [(kind, re.compile(pattern, re.I)) for kind, pattern in rules]


def _facet(kind: str, words: str) -> Facet:
    if kind == "no_quality":
        return Facet("no_quality", EXCEPTION)
    return Facet("lacking" if kind == "lacking" else "excepted", words.strip(" ,"))


def _without(text: str, match: re.Match[str]) -> str:
    return re.sub(r"\s+", " ", f"{text[: match.start()]} ; {text[match.end() :]}").strip(" ;")


def _any(patterns: Sequence[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


_LINKS = re.compile(
    r"\b(?:that|which|whether|to the extent|includ(?:es?|ing)|requir(?:es?|ing)|contain(?:s|ing)?|cover(?:s|ing)?|"
    r"appl(?:y|ies|ying)|based (?:up)?on|bound(?:ed)? by|limited (?:to|by)|subject to|around|regarding|about|for|of|"
    r"from|by|in|on|upon|with|to|as|is|are|clauses?|provisions?|language|and|or)\b|[;:,()/\"]",
    re.I,
)


def units(words: str) -> Iterator[str]:
    """Yield the units of the words of a query: what stands between prepositions, commas and the like."""
    yield from (unit.strip() for unit in _LINKS.split(words) if unit.strip())
