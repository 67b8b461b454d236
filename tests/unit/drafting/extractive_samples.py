"""A contract of our own for the tests of the extractive runtime, and how to read it."""

from skills_repo.schema import default_procedure
from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.extractive.reading import read
from tasks.harness import packaged
from tasks.sources.records import CanonicalText, Segment, SegmentKind

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement (the "Agreement") is made as of March 1, 2015 (the "Effective Date") by and between \
Harbour Mills, Inc., a Delaware corporation ("Supplier"), and Lantern Foods LLC, an Ohio limited
liability company ("Buyer").

1. Supply

1.1 Exclusivity. During the term of this Agreement, Supplier shall be the exclusive supplier of flour to Buyer in the
Territory, and Buyer shall not purchase flour from any other person.

1.2 Minimum. Buyer shall purchase at least 10,000 tonnes of flour in each contract year.

2. Term

2.1 The initial term of this Agreement shall be five (5) years from the Effective Date. Thereafter this Agreement shall
automatically renew for successive one (1) year periods unless either party gives written notice of non-renewal at least
ninety (90) days before the end of the then current term.

3. Liability

3.1 IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR CONSEQUENTIAL OR INDIRECT DAMAGES. Supplier's aggregate liability
under this Agreement shall not exceed the amounts paid by Buyer in the preceding twelve months. The
foregoing limitations shall
not apply to fraud or wilful misconduct.

4. General

4.1 Assignment. Neither party may assign this Agreement without the prior written consent of the other party. Any
attempted assignment in violation of this Section shall be void.

4.2 No Third Party Rights. Nothing in this Agreement confers any rights or remedies on any person other than the
parties.

4.3 Governing Law. This Agreement shall be governed by and construed in accordance with the laws of the State of Ohio,
without regard to its conflict of laws rules. The parties submit to the courts of Cook County, Illinois.
"""


def canonical(text, document="01-harbour-supply.txt", pages=()):
    segments = tuple(
        Segment(kind=SegmentKind.PAGE, label=f"p. {n}", start=a, end=b) for n, (a, b) in enumerate(pages, 1)
    )
    return CanonicalText(
        document=document, sha256="0" * 64, extractor="txt/1", media="txt", text=text, segments=segments
    )


def reading(text=SUPPLY, document="01-harbour-supply.txt"):
    return read(canonical(text, document), None, None, packaged().knowledge)


def settings(**changes):
    """Return a procedure that serves three passages of up to 120 words, with changes that no bound limits."""
    return default_procedure().model_copy(update={"passages_per_topic": 3, "quote_words": 120, **changes})


def asks_for(brief, words, *, each=True, kind=AskKind.FACT):
    """Return a brief as asks, one for each of some words of it."""
    made = [
        Ask(ask_id=str(n), words=w, start=brief.find(w), end=brief.find(w) + len(w), kind=kind, subject=w, each=each)
        for n, w in enumerate(words, 1)
    ]
    assert all(brief[a.start : a.end] == a.words for a in made)
    return Asks(brief=brief, asks=tuple(made))


class Nowhere:
    """A searcher that finds nothing and knows no clauses."""

    def search(self, query, k=8, documents=None):
        return []

    def clauses(self, document):
        return ()
