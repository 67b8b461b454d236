"""Matching one claim against the sources: by its passage, by its value, by derivation; and naming what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from tasks.legaltext.records import DateMention, Window
from tasks.reconcile.dates.claims import DateClaim
from tasks.reconcile.dates.sources import BRIEF, Mention, Sourced, Sources, WordRuns, coarser, length
from tasks.sources.records import Span

_LEFT: Final = 5  # words looked at before a date; chosen by eye on the development contracts
_RIGHT: Final = 4  # words looked at after it; chosen by eye
_FAR: Final = 25  # words compared on each side at most; chosen by eye
_LEAST: Final = 5  # words of both sides together: fewer stand around many dates; chosen by eye
_TELLING: Final = 3  # words of one side by which a place is looked up; chosen by eye
_LONGEST: Final = 9  # words of a date or a period: "on or before the thirty-first day of March, 2024"
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
DateKind = Literal["unsourced", "unit_mismatch", "near_miss", "wrong_entity"]
"""What the date gate can find."""


class DateMatch(NamedTuple):
    """The result for a claim: grounded (``kind`` empty) or flagged, with the nearest source."""

    kind: DateKind | None
    sources: tuple[Span, ...] = ()
    derivation: str = ""
    against: str = ""


def same_calendar(claim: Window, source: Window) -> bool:
    """Business, trading and clear days match only themselves; plain days are calendar days."""
    plain = {"unspecified", "calendar"}
    return claim.calendar == source.calendar or (claim.calendar in plain and source.calendar in plain)


def agrees(claim: Mention, source: Mention) -> bool:
    """Say whether a source mention states the claim."""
    if isinstance(claim, DateMention) and isinstance(source, DateMention):
        return claim.iso in set(coarser(source)) or (bool(source.also) and not claim.also and claim.iso == source.also)
    if isinstance(claim, Window) and isinstance(source, Window):
        return length(claim) == length(source) and same_calendar(claim, source)
    return False


def by_passage(claim: DateClaim, words: WordRuns, sources: Sources) -> DateMatch | None:
    """Compare with the passage that the draft repeats, where it repeats one.

    A date that stands between the same words as in the source must be the date that stands there, even if it occurs
    somewhere else. Returns None where no passage is repeated.
    """
    first, last = words.index_at(claim.mention.start), words.index_at(claim.mention.end)
    low, high = words.index_at(claim.paragraph[0]), words.index_at(claim.paragraph[1])
    left = words.words[max(low, first - _FAR) : first]
    right = words.words[last : min(high, last + _FAR)]
    if len(left[-_LEFT:]) + len(right[:_RIGHT]) < _LEAST:
        return None
    found = [*_passages(claim, left, right, sources)]
    if not found:
        return None
    # A schedule repeats its phrases row by row: only the rows that share most words with the draft are its source.
    closest = max(shared for shared, _ in found)
    best = [sourced for shared, sourced in found if shared == closest]
    for sourced in best:
        if agrees(claim.mention, sourced.mention):
            return DateMatch(None, (sourced.span,))
    nearest_one = best[0]
    return DateMatch(
        _difference(claim.mention, nearest_one.mention), (nearest_one.span,), against=nearest_one.mention.text
    )


def _passages(claim: DateClaim, left: list[str], right: list[str], sources: Sources) -> Iterator[tuple[int, Sourced]]:
    """Yield the source mentions that stand between the same words, with how many words are shared."""
    for document in sorted(claim.documents or sources.texts.keys()):
        if document not in sources.texts:
            continue
        source = sources.words(document)
        for mention in _between(claim, left[-_LEFT:], right[:_RIGHT], document, sources):
            at, after = source.index_at(mention.start), source.index_at(mention.end)
            following = _shared(source.words[after : after + _FAR], right)
            if following >= min(2, len(right)):
                preceding = _shared(source.words[max(0, at - _FAR) : at][::-1], left[::-1])
                yield preceding + following, Sourced(document, mention)


def _between(claim: DateClaim, left: list[str], right: list[str], document: str, sources: Sources) -> Iterator[Mention]:
    """Yield the mentions after the words on the left, or before those on the right if the left has few words."""
    source = sources.words(document)
    if len(left) >= _TELLING:
        for at in source.find(left):
            yield from sources.nearby(document, at + len(left), 1, dates=claim.is_date)
    elif len(right) >= _TELLING:
        for at in source.find(right):
            for mention in sources.nearby(document, max(0, at - _LONGEST), _LONGEST, dates=claim.is_date):
                if source.index_at(mention.end) == at:
                    yield mention


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _difference(claim: Mention, source: Mention) -> DateKind:
    if isinstance(claim, Window) and isinstance(source, Window):
        same_n = claim.n == source.n
        return "unit_mismatch" if same_n else "near_miss"
    return "near_miss"


def by_value(claim: DateClaim, sources: Sources) -> DateMatch | None:
    """Find the value in the sources: in the document the draft speaks of, else elsewhere (``wrong_entity``)."""
    mention = claim.mention
    hits: Iterable[Sourced]
    if isinstance(mention, DateMention):
        hits = sources.stating(mention.iso) or ([] if mention.also else sources.by_other_reading.get(mention.iso, []))
    else:
        hits = [hit for hit in sources.by_length.get(length(mention), []) if agrees(mention, hit.mention)]
    ranked = sorted(
        hits,
        key=lambda hit: (
            hit.document not in claim.documents,
            hit.document != BRIEF,
            not _same_direction(mention, hit.mention),
        ),
    )
    if not ranked:
        return None
    best = ranked[0]
    if claim.documents and best.document not in {*claim.documents, BRIEF} and claim.documents & sources.texts.keys():
        return DateMatch("wrong_entity", (best.span,), against=f"{best.mention.text} in {best.document}")
    derivation = ""
    if isinstance(mention, Window) and isinstance(best.mention, Window) and mention.unit != best.mention.unit:
        derivation = f"{mention.n} {mention.unit} = {best.mention.n} {best.mention.unit}"
    return DateMatch(None, tuple(hit.span for hit in ranked[:3] if hit.document == best.document), derivation)


def _same_direction(claim: Mention, source: Mention) -> bool:
    return not isinstance(claim, Window) or not isinstance(source, Window) or claim.direction == source.direction


def by_words(claim: DateClaim, words: WordRuns, sources: Sources) -> DateMatch | None:
    """Find the words of the claim in a source where the scanner read no date."""
    run = words.words[words.index_at(claim.mention.start) : words.index_at(claim.mention.end)]
    if not run:
        return None
    for document in sorted(claim.documents or sources.texts.keys()):
        if document in sources.texts:
            source = sources.words(document)
            for at in source.find(run, limit=1):
                span = Span(document=document, start=source.starts[at], end=source.ends[at + len(run) - 1])
                return DateMatch(None, (span,))
    return None


def nearest(claim: DateClaim, sources: Sources) -> DateMatch:
    """Name what is wrong: one component of a date, the unit of a window, or everything (``unsourced``)."""
    documents = sorted(sources.texts.keys(), key=lambda name: (name not in claim.documents, name))
    for document in documents:
        if claim.documents and document not in claim.documents:
            break
        pool: Iterable[Mention] = sources.dates[document] if claim.is_date else sources.windows[document]
        for mention in pool:
            kind = _off_by_one(claim.mention, mention)
            if kind:
                return DateMatch(kind, (Sourced(document, mention).span,), against=mention.text)
    return DateMatch("unsourced")


def _off_by_one(claim: Mention, source: Mention) -> DateKind | None:
    if isinstance(claim, DateMention) and isinstance(source, DateMention):
        return "near_miss" if _one_component(claim.iso, source.iso) else None
    if isinstance(claim, Window) and isinstance(source, Window):
        if claim.n == source.n and (claim.unit != source.unit or not same_calendar(claim, source)):
            return "unit_mismatch"
        if claim.unit == source.unit and claim.trigger and claim.trigger.casefold() == source.trigger.casefold():
            return "near_miss"
    return None


def _one_component(claim: str, source: str) -> bool:
    if _ISO_DAY.fullmatch(claim) and _ISO_DAY.fullmatch(source):
        a, b = claim.split("-"), source.split("-")
        differing = [i for i in range(3) if a[i] != b[i]]
        swapped = differing == [1, 2] and a[1] == b[2] and a[2] == b[1]
        return len(differing) == 1 or swapped
    parts_a, parts_b = claim.strip("-").split("-"), source.strip("-").split("-")
    same_shape = len(parts_a) == len(parts_b) == 2 and claim[:2].isdigit() == source[:2].isdigit()
    return same_shape and sum(x != y for x, y in zip(parts_a, parts_b, strict=True)) == 1
