"""Which document of a matter a text means by "the Supply Agreement dated May 1, 2018 between Acme and Bolt"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.names import name_words
from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText
from tasks.sources.titles import title_of

_HEAD = 4_000  # characters in which an instrument states its date; chosen by eye on the development contracts
_AROUND = 260  # characters after a name that may hold date and parties; chosen by eye
_DATING = 120  # characters before a date that may hold "dated" or the like; chosen by eye
_RELATING = 90  # characters around a name that say how one instrument stands to the other; chosen by eye
_LEAST = 3  # points of a document that a name can mean; chosen by eye, as the shares of words that follow
_COVERED = 0.6  # of the words of its card, which the name has to have
_ITS_WORDS, _WORDS = 0.5, 6  # of so many words of the name, which the card has to have
_KIND = (
    r"(?:Agreement|Lease|Note|Indenture|Amendment|Guarant(?:y|ee)|Deed|Licen[cs]e|Contract|Addendum|Statement\s+of\s+Work|"
    r"Work\s+Order|Order\s+Form|Purchase\s+Order|Letter|Plan|Policy|Warrant|Mortgage|Debenture|Memorandum|Schedule|Terms)"
)
_INSTRUMENT = re.compile(
    rf"(?<![\w-])(?=[A-Z])(?:(?:[A-Z][\w&'’/-]*|No\.|\d{{1,2}})\s+(?:(?:and|of|to|for|the)\s+){{0,2}}){{0,8}}{_KIND}"
    rf"(?:\s+No\.?\s*\d+)?(?:\s+(?:of|for)\s+(?:the\s+)?(?:\d{{1,5}}\s+)?(?:[A-Z][\w'’-]*\s?){{1,5}}(?<!\s))?"
    rf"(?![\w-])"
)
_DATED = re.compile(r"\b(?:dated|made|entered\s+into|effective|executed)\b", re.IGNORECASE)
_AMENDS = re.compile(
    r"\bamend(?:s|ed|ing|ment)?\b|\bsupplement(?:s|ed|ing)\b|\brestat(?:es|ed|ing)\b|\bsupersed", re.IGNORECASE
)
_AMENDING = re.compile(
    r"\b(?:amendment|addendum|supplement|side\s+letter|modification|extension|waiver)\b.{0,30}?\b(?:to|of)\s+"
    r"(?:the\s+)?(?P<base>\S.*)",
    re.IGNORECASE,
)
_INCORPORATES = re.compile(
    r"\bincorporat|\bsubject\s+to\s+the\s+terms\b|\bmade\s+(?:a\s+)?part\b|\bforms?\s+(?:a\s+)?part\b|\bgoverned\s+by\b|"
    r"\bpursuant\s+to\b|\bdefined\s+in\b",
    re.IGNORECASE,
)
_SMALL = frozenset(
    re.findall(
        r"[a-z]+",
        """a an and or of to for the this that such said certain by between among no agreement contract form exhibit
        dated as""",
    )
)
_ATTACHMENT = re.compile(
    r"(?<![a-z])(exhibit|schedule|annex|appendix|attachment|addendum)[\s_-]*([a-z]{1,2}(?:-\d+)?|\d{1,2}(?:\.\d{1,2})?)(?![a-z\d])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DocumentCard:
    """The features by which other documents refer to a document.

    Attributes:
        date: ISO date of the instrument, empty where its head shows none.
        words: Words of its title that tell it from others.
        attachment: ``exhibit:a`` where its name or title says that it is one.
    """

    document: str
    title: str
    date: str
    parties: tuple[str, ...]
    words: frozenset[str]
    attachment: str


@dataclass(frozen=True)
class DocumentHead:
    """What the head of a document shows: its title, ISO date and the telling words of its parties' names."""

    title: str
    date: str
    parties: tuple[str, ...]


def head_of(canonical: CanonicalText) -> DocumentHead:
    """Read the head of a document; its name plays no part."""
    parties = (_key(party.name) for party in parties_of(canonical) if party.kind in ("party", "organisation"))
    distinct = tuple(dict.fromkeys(party for party in parties if party))
    return DocumentHead(title_of(canonical), _date(canonical.text[:_HEAD]), distinct)


def document_card(document: str, head: DocumentHead) -> DocumentCard:
    """Return the features of a document, from its head and its name."""
    stem = document.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    found = _ATTACHMENT.match(head.title.strip()) or _ATTACHMENT.search(stem.replace("_", " "))
    return DocumentCard(
        document=document,
        title=head.title,
        date=head.date,
        parties=head.parties,
        words=_words(head.title or re.sub(r"[_\W]+", " ", stem)),
        attachment=f"{found[1].lower()}:{found[2].lower()}" if found else "",
    )


def _date(head: str) -> str:
    """Return the first date of a head that follows "dated", "made" or the like; else the first."""
    dates = [d for d in scan_dates(head) if d.precision == "day"]
    for date in dates:
        if _DATED.search(head[max(0, date.start - _DATING) : date.start]):
            return date.iso
    return dates[0].iso if dates else ""


def _words(name: str) -> frozenset[str]:
    return frozenset(w for w in re.findall(r"[a-z]+|\d+", name.lower()) if w not in _SMALL)


def _key(name: str) -> str:
    """Return the telling first words of a party's name."""
    return " ".join(name_words(name)[:2])


@dataclass(frozen=True, slots=True)
class DocumentMention:
    """Another document named in a text."""

    start: int
    end: int
    name: str
    document: str
    relation: str


class Shelf:
    """The documents of a matter, found by the names that texts use for them."""

    def __init__(self, cards: Mapping[str, DocumentCard]) -> None:
        """Take the card of each document by name."""
        self.cards = dict(cards)
        self._spoken: dict[str, str] = {}  # the words of the one reader at hand
        self._by_word: dict[str, set[str]] = {}
        for card in cards.values():
            for word in card.words:
                self._by_word.setdefault(word, set()).add(card.document)

    def mentions(self, canonical: CanonicalText, aliases: Mapping[str, str]) -> list[DocumentMention]:
        """Return where a document names another one of the matter, once per name and place.

        Args:
            canonical: The document that is read.
            aliases: Defined terms that stand for an instrument, with the words that define each.
        """
        text = canonical.text
        found: list[DocumentMention] = list(self._base(canonical))
        known: dict[str, str] = {}
        for match in _INSTRUMENT.finditer(text):
            name = re.sub(r"\s+", " ", match.group())
            before = text[max(0, match.start() - len("\nthis ")) : match.start()].lower()
            if name.startswith(("This ", "THIS ", "Such ")) or before.endswith("this "):
                continue
            said = aliases.get(re.sub(r"^(?:The) ", "", name), "")
            after = text[match.end() : match.end() + _AROUND]
            key = name if said else f"{name}|{_date_after(after)}"
            if key not in known:
                document = self.find(name, said or after, canonical.document, defined=bool(said))
                known[key] = document if document and self._acquainted(document, canonical) else ""
            if known[key]:
                nearby = text[max(0, match.start() - _RELATING) : match.end() + _RELATING]
                found.append(DocumentMention(match.start(), match.end(), name, known[key], relation_of(nearby)))
        return found

    def _base(self, canonical: CanonicalText) -> Iterator[DocumentMention]:
        """Yield the document that this one says in its title it amends: "First Amendment to Lease"."""
        own = self.cards[canonical.document]
        match = _AMENDING.search(own.title)
        if match is None:
            return
        wanted = _words(match["base"])
        fits = [
            card.document
            for card in self.cards.values()
            if card.document != own.document
            and not _AMENDING.search(card.title)
            and set(card.parties) & set(own.parties)
            and (card.words <= wanted or (wanted and wanted <= card.words))
        ]
        if len(fits) == 1:
            start = max(0, canonical.text.lower().find(match.group().lower()))
            name = re.sub(r"\s+", " ", match["base"])
            yield DocumentMention(start, min(len(canonical.text), start + len(match.group())), name, fits[0], "amends")

    def find(self, name: str, said: str, reader: str, defined: bool = False) -> str:
        """Return the document meant by a name, empty where none or more than one fits.

        Args:
            name: The instrument's name as printed.
            said: The words that follow it, or those that define it: date and parties stand there.
            reader: The document that says so; it never means itself.
            defined: Whether ``said`` defines the name; then the full title stands in it.
        """
        wanted = _words(name)
        if defined:
            wanted |= _words(" ".join(match.group() for match in _INSTRUMENT.finditer(said)))
        within = said if defined else _date_after(said)
        dates = {d.iso for d in scan_dates(within) if d.precision == "day"}
        low = re.sub(r"\W+", " ", said.lower())
        pool = set().union(*(self._by_word.get(word, ()) for word in wanted)) - {reader} if wanted else set()
        own = self.cards.get(reader)
        if own and own.words and own.words <= _words(name) and not (dates and own.date and own.date not in dates):
            return ""  # its own title
        scores = {doc: self._score(self.cards[doc], wanted, dates, low, reader, defined) for doc in sorted(pool)}
        best = max(scores.values(), default=0.0)
        winners = [doc for doc, score in scores.items() if score == best]
        return winners[0] if best >= _LEAST and len(winners) == 1 else ""

    def _acquainted(self, document: str, reader: CanonicalText) -> bool:
        """Tell whether a reader names a party of the document; otherwise two deals may only share a form's title."""
        parties = self.cards[document].parties
        if reader.document not in self._spoken:
            self._spoken = {reader.document: f" {re.sub(r'[^a-z0-9]+', ' ', reader.text.lower())} "}
        return not parties or any(f" {party} " in self._spoken[reader.document] for party in parties)

    def _score(
        self, card: DocumentCard, wanted: frozenset[str], dates: set[str], said: str, reader: str, defined: bool
    ) -> float:
        if not card.words:
            return 0.0
        covered = len(card.words & wanted) / len(card.words)
        alien = not defined and len(card.words & wanted) < _ITS_WORDS * min(len(wanted), _WORDS)
        if covered < _COVERED or alien:
            return 0.0
        if dates and card.date and card.date not in dates:
            return 0.0
        score = 2 * covered + (1 if wanted == card.words and len(wanted) > 1 else 0)
        score += 2 if card.date and card.date in dates else 0
        score += sum(1 for party in card.parties if f" {party} " in f" {said} ")
        own = self.cards.get(reader)
        score += 1 if own and set(own.parties) & set(card.parties) else 0
        return score

    def attachment(self, word: str, number: str, reader: str) -> str:
        """Return the document that is an exhibit or schedule of that number, empty for none or several."""
        found = [c.document for c in self.cards.values() if c.attachment == f"{word}:{number.lower()}"]
        return found[0] if len(found) == 1 and found[0] != reader else ""


def relation_of(words: str) -> str:
    """Return how a document stands to another by the words around its name: amends, incorporates or names."""
    if _AMENDS.search(words):
        return "amends"
    return "incorporates" if _INCORPORATES.search(words) else "names"


def aliases_of(text: str, definitions: Iterable[tuple[str, int, int]]) -> dict[str, str]:
    """Return the defined terms that stand for an instrument, each with the words that define it."""
    kind = re.compile(rf"{_KIND}\Z")
    return {term: text[start:end] for term, start, end in definitions if kind.search(term)}


def _date_after(after: str) -> str:
    """Return the words right after a name that may date it, so that one name with two dates is looked up twice."""
    return re.sub(r"\s+", " ", after[:70]) if re.match(r"[,\s]+(?:dated|made|effective|of\b|\()", after) else ""
