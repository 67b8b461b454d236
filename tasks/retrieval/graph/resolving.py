"""Where the references of a document lead: in itself, in a document that it amends, in one that it names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from tasks.retrieval.graph.documents import Shelf
from tasks.retrieval.graph.joined import JoinedDocument, ReferenceTarget
from tasks.retrieval.graph.references import Reference

_SHOWN = 2_400  # characters of an attachment that is a document of its own
_NEAR = 90  # characters behind a reference, "Section 2 (a) of the …", in which its instrument is named; chosen by eye


class Resolver:
    """Finds the targets of references in the documents of a matter."""

    def __init__(self, documents: Mapping[str, JoinedDocument], shelf: Shelf) -> None:
        """Take the documents as read, by name."""
        self._documents, self._shelf = documents, shelf

    def resolve(self, document: JoinedDocument, ref: Reference) -> ReferenceTarget | None:
        """Return where a reference leads; None where it leads to no document of the matter."""
        if ref.place == "law":
            return None
        own = document.canonical.document
        places = [own, *self.amended(document)]
        if ref.place == "other":
            named = self.instrument(document, ref)
            if not named:
                return None
            places = [named]
        for name in places:
            other = self._documents[name]
            found = other.book.find(ref, ref.start if name == own else 0)
            if found is not None and not (name == own and found[1] == ref.start):
                return ReferenceTarget(name, *found)
        if ref.kind == "attachment" and (name := self._shelf.attachment(ref.word, ref.number, own)):
            text = self._documents[name].canonical.text
            return ReferenceTarget(name, -1, 0, min(len(text), _SHOWN), True)
        return None

    def instrument(self, document: JoinedDocument, ref: Reference) -> str:
        """Return the document that a reference names, itself where it is called by its own title."""
        for mention in document.mentions:
            if ref.end <= mention.start <= ref.end + _NEAR or mention.name == ref.instrument:
                return mention.document
        title = " ".join(document.card.title.lower().split())
        return document.canonical.document if title and ref.instrument.lower() in title else ""

    def foreign_and_absent(self, document: JoinedDocument, ref: Reference) -> bool:
        """Tell whether a reference is to an instrument outside the matter, which is no error of this matter."""
        return ref.place == "other" and not self.instrument(document, ref)

    def amended(self, document: JoinedDocument) -> tuple[str, ...]:
        """Return the documents that a document amends."""
        found = [m.document for m in document.mentions if m.relation == "amends"]
        return tuple(dict.fromkeys(found))

    def lenders(self, document: JoinedDocument) -> tuple[str, ...]:
        """Return the documents whose definitions a document may use: those it amends, relies on or names."""
        order = {"amends": 0, "incorporates": 1, "names": 2}
        ranked = sorted(document.mentions, key=lambda m: (order[m.relation], m.start))
        return tuple(dict.fromkeys(m.document for m in ranked))

    @cached_property
    def inbound(self) -> dict[str, list[tuple[str, Reference]]]:
        """References by the document that they lead to."""
        found: dict[str, list[tuple[str, Reference]]] = {}
        for name, document in self._documents.items():
            for ref in document.references:
                if target := self.resolve(document, ref):
                    found.setdefault(target.document, []).append((name, ref))
        return found
