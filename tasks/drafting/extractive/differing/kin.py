"""Which papers of a data room speak of one deal, and what each is to it: contract, change, message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tasks.drafting.extractive.dates import agreement_date
from tasks.drafting.extractive.find_provision import Found
from tasks.drafting.extractive.lines import sent_on
from tasks.drafting.extractive.ownership import is_supplement
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.legaltext.names import without_form

_HEAD = 3_000  # characters in which a paper says what it amends
_AMENDS = re.compile(r"\b(?:amends?|is (?:hereby )?amended|modif(?:y|ies)|supplements?)\b", re.I)
_TELLING = 5  # letters of a first word that names a party by itself
_TITLE = 3  # letters of a title that a text may name a paper by


class Role(StrEnum):
    """What a paper is to a deal."""

    CONTRACT = "contract"
    CHANGE = "change"  # it amends a contract
    BESIDE = "beside"  # another instrument of the same parties, that names the contract: an order form, a side letter
    MESSAGE = "message"  # anything that binds nobody by its form: a message, a memorandum


@dataclass(frozen=True)
class DealPaper:
    """A paper of a deal.

    Attributes:
        day: When it was made; None where it does not say.
    """

    reading: SentencedDocument
    role: Role
    day: date | None


def deal_of(document: str, deals: Sequence[Sequence[DealPaper]]) -> Sequence[DealPaper]:
    """Return the papers of the deal of a document, including itself; none if it belongs to no single deal."""
    own = [deal for deal in deals if any(p.reading.document == document for p in deal)]
    return own[0] if len(own) == 1 else ()


def deals_of(readings: Sequence[SentencedDocument]) -> Iterator[list[DealPaper]]:
    """Yield the papers of each deal: a contract with what amends it, or names it between the same parties.

    A message belongs to the deal whose parties it names; to none, where it might belong to several.
    """
    instruments = [r for r in readings if r.identity.agreement]
    contracts = [r for r in instruments if not is_supplement(r, readings)]
    groups: list[list[SentencedDocument]] = []
    for reading in sorted(instruments, key=lambda r: r not in contracts):
        group = next((g for g in groups if any(_of_one_deal(reading, other) for other in g)), None)
        if group is None:
            groups.append([reading])
        else:
            group.append(reading)
    names = [frozenset(n for r in group for p in _parties(r) for n in _called(p)) for group in groups]
    spoken = {r.document: _run(r.text.text) for r in readings if r not in instruments} if groups else {}
    of = {document: _meant(text, names) for document, text in spoken.items()}
    for at, group in enumerate(groups):
        said = [r for r in readings if of.get(r.document) == at]
        yield [_paper(r, group, contracts) for r in (*group, *said)]


def _of_one_deal(one: SentencedDocument, two: SentencedDocument) -> bool:
    """Tell whether two instruments are of the same parties, and one of them names the other."""
    first, second = _parties(one), _parties(two)
    shared = first & second
    if not shared or len(shared) < min(2, len(first), len(second)):
        return False
    return _names(one, two) or _names(two, one) or is_supplement(one, [two]) or is_supplement(two, [one])


def _names(one: SentencedDocument, two: SentencedDocument) -> bool:
    title = two.identity.title.lower()
    own = one.identity.title.lower()
    return len(title) > _TITLE and title != own and title in " ".join(one.text.text.lower().split())


def _meant(text: str, deals: Sequence[frozenset[str]]) -> int | None:
    """Return the number of the deal whose parties a message names, or of the only deal; None if it may be any."""
    if len(deals) == 1:
        return 0
    met = [sum(1 for name in names if name in text) for names in deals]
    best = max(met)
    return met.index(best) if best and met.count(best) == 1 else None


def _called(party: str) -> set[str]:
    """Return how a message may name a party: in full, or by the first word, as mail addresses do."""
    first = _run(party.split(" ", maxsplit=1)[0])
    return {_run(party), first} if len(first) >= _TELLING else {_run(party)}


def _run(text: str) -> str:
    """Return a text as one run of letters, so that a name is also found in a mail address."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _parties(reading: SentencedDocument) -> frozenset[str]:
    return frozenset(without_form(p).lower() for p in reading.identity.parties)


def _paper(
    reading: SentencedDocument, group: Sequence[SentencedDocument], contracts: Sequence[SentencedDocument]
) -> DealPaper:
    if reading not in group:
        return DealPaper(reading, Role.MESSAGE, _sent(reading))
    made = agreement_date(reading, Found())
    first = next((r for r in group if r in contracts), group[0])
    if reading is first:
        return DealPaper(reading, Role.CONTRACT, made.day)
    changes = reading not in contracts or bool(_AMENDS.search(reading.text.text[:_HEAD]))
    return DealPaper(reading, Role.CHANGE if changes else Role.BESIDE, made.day)


def _sent(reading: SentencedDocument) -> date | None:
    """Return the day of a message: of its head, else the first day in it."""
    first = reading.dates[:1]
    return sent_on(reading.text) or (date.fromisoformat(first[0].iso) if first else None)
