"""Which documents a question names, and what it asks of them.

"In the supply agreement between Acme and Bolt, who bears the freight?" names a document by words that stand in its
head (title, parties) or its file name, and asks by the rest. The names choose the documents; left in the query they
would only find the page of the parties.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tasks.legaltext.names import FORM_WORDS
from tasks.legaltext.sentences import BRIEF, sentence_ends
from tasks.legaltext.tokens import STOPWORDS, terms

_HEAD = 1_500  # characters that hold title and parties; chosen by eye on the development contracts
_WORD = re.compile(r"[^\W_]+(?:['’.&\-][^\W_]+)*")
_TIER = 0.8  # share of the best score with which a document is named as well; chosen by eye
_INSTRUMENT = re.compile(
    r"\b(?:the|this|that|our)\s+(?:[\w\-]+\s+){0,4}?(?:agreement|contract|lease|licen[cs]e|nda|policy|amendment|deed)\b"
    r"(?=\s*\(|\s+(?:between|with|among|dated|of)\b)",
    re.IGNORECASE,
)
_COLON = re.compile(r":(?=\s)")
_LEAD = re.compile(
    r"\s*(?:in|under|for|per|regarding|concerning|as to|according to|consider|with respect to)\b", re.IGNORECASE
)
_LEAST_TERMS = 2  # one word alone ("rent") asks too little to be split off; chosen by eye
_TELLING = 5  # characters of a name with figures ("0012.docx" has four before its dot) that is found without quotes
_FILLER = re.compile(r"\b(?:the|this|each|any|every|such|an?)\s+(?:agreement|contract|document|nda)s?\b", re.IGNORECASE)
_GENERIC = frozenset(
    terms(
        """Agreement Contract Amendment Exhibit Schedule Document NDA Party Parties Receiving Disclosing Recipient
        Discloser Confidential Information Non Disclosure Mutual Effective Date Term
        Section Article Clause Provision Licensor Licensee Buyer Seller Purchaser Vendor Supplier Customer Client
        Landlord Tenant Lender Borrower Employer Employee Services Products Board Court Law State United States
        """
        + " ".join(FORM_WORDS)
    )
)


@dataclass(frozen=True)
class Routed:
    """A question, split.

    Attributes:
        question: The words that ask; the whole query where nothing else would be left.
        documents: Names of the documents that the query points to; empty where it points to none.
    """

    question: str
    documents: tuple[str, ...]


class Router:
    """Knows the heads of the documents of a matter."""

    def __init__(self, heads: Mapping[str, str], concepts: Iterable[str] = ()) -> None:
        """Take the text of each document by name, and the names of legal concepts, which name no document.

        Of a text only the beginning is looked at. Of the concepts those of several words count, and abbreviations:
        "Source Code Escrow" and "IP" are written with capitals by everybody, "Supply" may be the supply agreement.
        """
        known = [re.findall(r"\w+", concept) for concept in concepts]
        self._concepts = frozenset(tuple(map(str.lower, words)) for words in known if len(words) > 1)
        self._longest = max(map(len, self._concepts), default=0)
        self._short = frozenset(word for words in known for word in words if len(word) > 1 and word.isupper())
        self._heads = {name: frozenset(terms(_spaced(name)) + terms(text[:_HEAD])) for name, text in heads.items()}
        self._files = {name: _file_pattern(name) for name in heads}
        self._frequency = Counter(token for tokens in self._heads.values() for token in tokens)

    def route(self, query: str, documents: Sequence[str] | None = None) -> Routed:
        """Split a query; ``documents`` restricts where it may point."""
        pool = [name for name in self._heads if documents is None or name in set(documents)]
        literal = self._named_by_file(query, pool)
        if literal:
            return literal
        plain = _FILLER.sub(" ", _INSTRUMENT.sub(" ", query))
        names, rest = self._split(plain if terms(plain) else query, len(self._heads))
        question = " ".join(rest) if any(w.lower() not in STOPWORDS for w in rest) else query
        if not names:
            return Routed(_FILLER.sub(" ", query) if terms(plain) else query, ())
        question = _asking(query, lambda part: bool(self._split(part, len(self._heads))[0])) or question
        weights = {token: math.log(1 + len(self._heads) / self._frequency[token]) for token in names}
        scores = {name: sum(weights[t] for t in names if t in self._heads[name]) for name in pool}
        best = max(scores.values(), default=0.0)
        if best <= 0:
            return Routed(question, ())
        return Routed(question, tuple(sorted(name for name, score in scores.items() if score >= _TIER * best)))

    def _concepts_in(self, query: str) -> list[tuple[int, int]]:
        """Return where concepts of several words stand in a query."""
        words = [(match.group().lower(), match.start(), match.end()) for match in re.finditer(r"\w+", query)]
        return [
            (words[i][1], words[i + size - 1][2])
            for i in range(len(words))
            for size in range(2, min(self._longest, len(words) - i) + 1)
            if tuple(word for word, _, _ in words[i : i + size]) in self._concepts
        ]

    def _named_by_file(self, query: str, pool: Sequence[str]) -> Routed | None:
        """Recognise a query that spells out a file name, with or without its ending."""
        best: tuple[int, str, re.Match[str]] | None = None
        for name in pool:
            match = self._files[name].search(query)
            if match and (best is None or (len(match.group()), name) > best[:2]):
                best = (len(match.group()), name, match)
        if best is None:
            return None
        _, name, match = best
        same = tuple(sorted(n for n in pool if self._files[n].pattern == self._files[name].pattern))
        rest = _asking(query, lambda part: match.group() in part)
        rest = rest or (query[: match.start()] + " " + query[match.end() :]).strip()
        plain = _FILLER.sub(" ", rest)
        return Routed(plain if terms(plain) else query, same)

    def _split(self, query: str, n: int) -> tuple[list[str], list[str]]:
        """Return the tokens that name documents, and the words of the rest."""
        names: dict[str, None] = {}
        rest: list[str] = []
        first = True
        concepts = self._concepts_in(query)
        for match in _WORD.finditer(query):
            word = match.group()
            tokens = [t for t in terms(word) if 0 < self._frequency[t] <= max(1, n // 2) and t not in _GENERIC]
            proper = (word[0].isupper() and not first) or word.isupper()
            proper = proper and word not in self._short and not any(a <= match.start() < b for a, b in concepts)
            if tokens and proper and len(tokens) == len(terms(word)):
                names.update(dict.fromkeys(tokens))
            else:
                rest.append(word)
            first = query[match.end() : match.end() + 1] in {".", "?", "!", ";", ":"}
        return list(names), rest


def _asking(query: str, names: Callable[[str], bool]) -> str:
    """Return the part of a query that asks, where another part names the document; empty where they are one.

    "Consider the Acme lease; who pays the rates?" has its parts between sentence marks, "Under the Acme lease, who
    pays the rates?" between commas, of which the names themselves ("Acme, Inc.") may hold some.
    """
    parts = _segments(query)
    naming = [i for i, part in enumerate(parts) if names(part)]
    for asking in (parts[naming[-1] + 1 :], parts[: naming[0]]) if naming else ():
        if len(terms(" ".join(asking))) >= _LEAST_TERMS:
            return _FILLER.sub(" ", " ".join(asking))
    if _LEAD.match(query):
        for comma in re.finditer(r",\s+", query):
            lead, rest = query[: comma.start()], query[comma.end() :]
            if names(lead) and not names(rest) and len(terms(rest)) >= _LEAST_TERMS:
                return _FILLER.sub(" ", rest)
    return ""


def _segments(query: str) -> list[str]:
    """Split at sentence marks, not within brackets, where a list of parties has marks of its own."""
    parts, start = [], 0
    for end in sorted({*sentence_ends(query, BRIEF), *(mark.end() for mark in _COLON.finditer(query))}):
        before = query[:end]
        if before.count("(") <= before.count(")"):
            parts.append(query[start:end].strip())
            start = end
    return [*parts, query[start:].strip()]


def _spaced(name: str) -> str:
    """Split a file name into words: ``AcmeSupply_2019-03.pdf`` gives ``Acme Supply 2019 03``."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-,()]+", " ", stem)


def _file_pattern(name: str) -> re.Pattern[str]:
    """Match a file's name in running text, however its words are joined.

    A name that is one plain word ("supply.txt") counts only in quotation marks or with its ending.
    """
    stem, _, ending = name.rsplit("/", 1)[-1].rpartition(".")
    words = re.findall(r"[^\W_]+", stem or ending)
    if not words:
        return re.compile(r"(?!)")
    body = r"[\W_]{0,3}".join(map(re.escape, words))
    if len(words) == 1 and (words[0].isalpha() or len(words[0]) < _TELLING):
        return re.compile(
            rf"[\"'“‘]{body}(?:\.{re.escape(ending)})?[\"'”’]|(?<!\w){body}\.{re.escape(ending)}\b", re.IGNORECASE
        )
    return re.compile(rf"(?<!\w){body}(?![^\W_])", re.IGNORECASE)
