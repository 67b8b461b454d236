"""Which documents of a data room words of a brief speak of: by party, title, kind, place or file name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.asks.grammar import Grammar
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.tokens import terms
from tasks.retrieval.routing import Router
from tasks.sources.records import DocumentState, MatterState

_MOST = 600  # characters; which papers a clause speaks of, its first words tell
_ORDINALS = {
    word: place
    for place, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}
_PAIR, _TEN = 2, 10  # papers that are counted in words
_FEW = "|".join(w for w, n in CARDINALS.items() if _PAIR <= n <= _TEN)
_DETERMINED = re.compile(
    rf"\b(?:the|this|that|our|his|her|its|their|both|all|each|every|these|those|{_FEW}|[\w-]+'s)\s+", re.I
)
_WORD = re.compile(r"[\w&'/-]+")
_LONGEST = 5  # words of a name: "the second amended supply agreement"


class DocumentsNamed:
    """Knows what the documents of a matter are called."""

    def __init__(self, state: MatterState, grammar: Grammar) -> None:
        """Take the titles, parties, kinds and file names of the documents."""
        self._grammar = grammar
        self._router = Router({d.document: _head(d) for d in state.documents})
        self._calls = {d.document: frozenset(_calls(d)) for d in state.documents}
        self._names = {
            d.document: frozenset(re.findall(r"[a-z]{3,}", f"{_head(d)} {d.document.rpartition('.')[0]}".lower()))
            for d in state.documents
        }
        self._people = {d.document: frozenset(_people(d)) for d in state.documents if d.document_type == _MESSAGE}
        self._seen: dict[str, tuple[str, ...]] = {}

    def spoken_of(self, places: Sequence[str]) -> tuple[str, ...]:
        """Return the documents that an ask speaks of.

        Args:
            places: Its words, then those around it, the nearest first: the first that single out papers count.
        """
        return next((found for place in places if (found := self.named(place[:_MOST]))), ())

    def named(self, words: str) -> tuple[str, ...]:
        """Return the documents that words single out; empty where they single out none, or speak of them all."""
        if len(self._calls) < 2 or not words:
            return ()
        if words not in self._seen:
            named = {*self._router.route(words).documents, *self._by_name(words)}
            found = {n for n in named if not self._by_people_alone(n, words)} or {*self._called(words)}
            self._seen[words] = () if self._all(words) else tuple(n for n in self._calls if n in found)
        return self._seen[words]

    @property
    def several(self) -> bool:
        """Whether there is more than one document."""
        return len(self._calls) > 1

    def are_all(self, names: Sequence[str]) -> bool:
        """Tell whether names are those of all the documents."""
        return len(names) == len(self._calls)

    def _all(self, words: str) -> bool:
        """Tell whether words speak of all the papers: "each contract", "both NDAs" of two papers, "these four"."""
        match = self._grammar.each.search(words)
        if match is None:
            return False
        count = next((n for n, number in enumerate(_COUNTS) if re.search(rf"\b(?:{number})\b", match.group(), re.I)), 0)
        kinds = [self._of_kind(phrase) for phrase in self._phrases(words[match.start() :])][:1]
        return count == len(self._calls) or (not count and not any(kinds))

    def _by_name(self, words: str) -> Iterator[str]:
        """Yield the documents whose own name stands in words: "the Northgate form"."""
        for match in _PROPER.finditer(words):
            own = [name for name, known in self._names.items() if match[1].lower() in known]
            if len(own) == 1:
                yield own[0]

    def _by_people_alone(self, name: str, words: str) -> bool:
        """Tell whether nothing but its writer or reader names a message, who is not said to have written.

        "Does Rhea need their consent" asks of Rhea, and of no message of hers; "in Rhea's view", "what Rhea wrote" do.
        """
        people = self._people.get(name, frozenset())
        if not people or _WRITTEN.search(words) or any(w.lower() in people for w in _OWNER.findall(words)):
            return False
        others = {w for n, known in self._names.items() if n != name for w in known}
        own = {w.lower() for w in re.findall(r"[A-Za-z]{3,}", words)} & self._names[name]
        return bool(own & people) and own - others <= people

    def _called(self, words: str) -> tuple[str, ...]:
        """Return the documents that words call by kind, title or place: "both NDAs", "contract 2"."""
        found = {name for phrase in self._phrases(words) for name in self._of_kind(phrase) or self._at_place(phrase)}
        return tuple(n for n in self._calls if n in found)

    def _phrases(self, words: str) -> Iterator[Sequence[str]]:
        """Yield what follows a determiner up to the name of a paper, and a paper with its number."""
        for match in _DETERMINED.finditer(words):
            following = [m.group() for m, _ in zip(_WORD.finditer(words, match.end()), range(_LONGEST), strict=False)]
            papers = [n for n, word in enumerate(following) if self._grammar.words["paper"].fullmatch(word)]
            if papers:
                yield following[: papers[0] + 1]
        for match in _NUMBERED.finditer(words):
            if self._grammar.words["paper"].fullmatch(match[1]):
                yield match[1], match[2]

    def _of_kind(self, phrase: Sequence[str]) -> tuple[str, ...]:
        """Return the documents that are called all the words of a phrase, or the most of them from its end.

        A word for any paper ("agreement") tells none of them from the others.
        """
        for start in range(len(phrase)):
            if start and _ORDINALS.get(phrase[start - 1].lower()):
                return ()
            called = frozenset(terms(" ".join(_SINGULAR.sub(r"\1", w) for w in phrase[start:]))) - _NUMBERS
            found = tuple(name for name, known in self._calls.items() if called - _GENERIC and called <= known)
            if found:
                return found
        return ()

    def _at_place(self, phrase: Sequence[str]) -> tuple[str, ...]:
        """Return the document at a place in the order of the data room: "the second contract", "document 2"."""
        place = _ORDINALS.get(phrase[0].lower()) or (int(phrase[-1]) if phrase[-1].isdigit() else 0)
        return tuple(self._calls)[place - 1 : place] if place else ()


_MESSAGE = "email"
_OWNER = re.compile(r"\b([A-Z]\w+)['’]s\b")
_WRITTEN = re.compile(r"\b(?:e-?mails?|mails?|messages?|letters?|notes?|wrote|writes?|says?|said|tells?|told)\b")
_NUMBERED = re.compile(r"\b([A-Za-z-]+) (?:[Nn]o\. ?)?(\d{1,2})\b(?![.,]\d)")
_GENERIC = frozenset(terms("agreement contract document paper file instrument form material"))
# How papers are counted: at place n what says that there are n of them.
_COUNTS = (" ", " ", *(f"{w}|{n}{'|both|either' * (n == _PAIR)}" for w, n in CARDINALS.items() if _PAIR <= n <= _TEN))
_PROPER = re.compile(r"(?:^\W*|(?<=[\s/(]))([A-Z]\w{2,})(?=\s+(?:and|or)\s+[A-Z]|'s|/|,\s+[A-Z]\w+|\s+[A-Z]|\W*$)")
_SINGULAR = re.compile(r"\b([A-Z]{2,})s\b")
_NUMBERS = frozenset({*_FEW.split("|"), *map(str, range(1, 10))})


def _head(state: DocumentState) -> str:
    return " ".join([state.title, *(n for p in state.parties for n in (p.name, *p.aliases))])


def _people(state: DocumentState) -> Iterator[str]:
    """Yield the words of the names and addresses of those between whom a message went."""
    for party in state.parties:
        for name in (party.name, *party.aliases):
            yield from re.findall(r"[a-z]{3,}", name.lower())


def _calls(state: DocumentState) -> Iterator[str]:
    """Yield what a document may be called: the words of its title, kind and file name, and their initials ("NDA")."""
    for name in (state.title, state.document_type, re.sub(r"[^A-Za-z]+", " ", state.document.rpartition(".")[0])):
        yield from terms(name)
        initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", name)).lower()
        yield from (initials[n : n + size] for size in (2, 3) for n in range(len(initials) - size + 1))
