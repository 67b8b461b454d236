"""Which document of the data room a draft means when it names one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tasks.legaltext.names import FORM_WORDS, name_words
from tasks.matter.records import Matter
from tasks.sources.records import MatterState

# "Company" and "Limited" tell one agreement from another.
_FILLER = (FORM_WORDS - {"company", "limited"}) | {
    *("the", "of", "and", "a", "an", "by", "between", "for", "to", "in", "on"),
}
_PLACE = re.compile(
    r"[\s,;:(–—-]*(?:§+|¶+|\bsections?\b|\bsec\.|\barticles?\b|\bart\.|\bclauses?\b|\bcl\.|\bpp?\.|\bpages?\b|"
    r"\bparagraphs?\b|\bparas?\.?|\bexhibits?\b|\bschedules?\b|\bannex\b|\bappendix\b|\bslides?\b|\bsheets?\b|"
    r"\brows?\b|\bcells?\b|\blines?\b|!|\brecitals?\b|\bpreamble\b)",
    re.IGNORECASE,
)
_SAME = 0.6  # part of the words of a name that a document must have: more than half, as two documents share many
_SHORTEST = 5  # characters up to which the name of a file ("memo", "lease") is a word of any text; chosen by eye


def telling_words(text: str) -> tuple[str, ...]:
    """Return the lower-case words and numbers of a name, without filler."""
    return tuple(w for w in name_words(text) if w not in _FILLER)


@dataclass(frozen=True)
class DocumentNames:
    """The names under which each document may be cited."""

    documents: tuple[str, ...]
    exact: dict[str, str] = field(default_factory=dict)
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(matter: Matter, state: MatterState, extra: Iterable[str] = ()) -> DocumentNames:
        """Collect file names, stems and titles; a name that two documents share resolves to neither."""
        names = tuple(dict.fromkeys([*(d.name for d in matter.documents), *extra]))
        titles = {d.document: d.title for d in state.documents}
        parties = {d.document: [a for p in d.parties for a in (p.name, *p.aliases)] for d in state.documents}
        exact: dict[str, str] = {}
        words: dict[str, frozenset[str]] = {}
        for name in names:
            path = PurePosixPath(name)
            stem = re.sub(r"^[\d_.\s-]+(?=\D)", "", path.stem)
            for alias in (name, path.name, path.stem, stem, titles.get(name, "")):
                key = " ".join(telling_words(alias))
                if key:
                    exact[key] = name if exact.get(key, name) == name else ""
            own = {*telling_words(path.stem), *telling_words(titles.get(name, ""))}
            words[name] = frozenset(own.union(*[telling_words(p) for p in parties.get(name, [])]))
        return DocumentNames(names, exact, words, titles)

    def resolve(self, label: str) -> str | None:
        """Return the document that a citation label names, without its place ("§ 9.2, p. 14")."""
        return self._by_words(name_part(label))

    def _by_words(self, name: str) -> str | None:
        key = telling_words(name)
        if not key:
            return None
        direct = self.exact.get(" ".join(key)) or self.exact.get(
            " ".join(telling_words(re.sub(r"^[\d_.\s-]+", "", name)))
        )
        direct = direct or self._by_prefix(key)
        if direct:
            return direct
        wanted = frozenset(key)
        scores = sorted(((len(wanted & own) / len(wanted), doc) for doc, own in self.words.items()), reverse=True)
        if not scores or scores[0][0] < _SAME or (len(scores) > 1 and scores[1][0] >= scores[0][0]):
            return None
        return scores[0][1]

    def _by_prefix(self, key: tuple[str, ...]) -> str | None:
        """Resolve "License and Hosting Agreement 9 LIMITATION OF LIABILITY": a name, then a place in words."""
        for length in range(len(key) - 1, 1, -1):
            document = self.exact.get(" ".join(key[:length]))
            if document:
                return document
        return None

    def candidates(self, label: str) -> tuple[str, ...]:
        """Return every document that a label may name, for names that several share."""
        wanted = frozenset(telling_words(name_part(label)))
        if not wanted:
            return ()
        return tuple(doc for doc in self.documents if len(wanted & self.words[doc]) / len(wanted) >= _SAME)

    def aliases(self, document: str) -> tuple[str, ...]:
        """Return the lower-case spellings under which running text may name a document."""
        path = PurePosixPath(document)
        stem = re.sub(r"^[\d_.\s-]+(?=\D)", "", path.stem)
        title = self.titles.get(document, "")
        spellings = (path.name, path.stem, stem, re.sub(r"[-_]+", " ", stem), title)
        return tuple(dict.fromkeys(s.lower() for s in spellings if len(s) > _SHORTEST))

    def in_heading(self, heading: str) -> str | None:
        """Return the one document that a heading names by file name, stem or title."""
        low = f" {' '.join(telling_words(heading))} "
        found = {doc for key, doc in self.exact.items() if doc and len(key) > _SHORTEST and f" {key} " in low}
        return found.pop() if len(found) == 1 else None


def name_part(label: str) -> str:
    """Return a citation label up to its place: "Supply Agreement § 9.2(b), p. 14" names "Supply Agreement"."""
    match = _PLACE.search(label)
    head = label[: match.start()] if match else label
    return head.strip(" ,;:")


def place_part(label: str) -> str:
    """Return the place of a citation label, e.g. ``§ 9.2(b), p. 14``."""
    match = _PLACE.search(label)
    return label[match.start() :].strip(" ,;:(") if match else ""
