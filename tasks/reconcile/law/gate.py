"""Checks what a draft quotes from the law and says about it, for the citation gate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from knowledge_db.law_texts import LawText
from tasks.legaltext.records import CitationMention
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.law.figures import PeriodOutcome, check_periods
from tasks.reconcile.law.library import LawShelf
from tasks.reconcile.law.quotes import LawLibrary, QuoteOutcome
from tasks.reconcile.records import Finding, Grounding
from tasks.sources.records import CanonicalText, Span

_HELD: Final = "Fed. R. Civ. P."
_LINK: Final = re.compile(r"[\s.,;\"”’')(\[\]—–-]{0,8}(?:[Ss]ee\s)?")
_LEAD: Final = re.compile(r"[\s\])]{0,3}(?:[:,—–]|(?:\w+ed|\w+s)\b(?:\s+that\b)?[:,]?)[\s\"“‘'(]{0,4}")


class QuotedLaw:
    """Quotations and periods that a draft attributes to a provision which the data room or the knowledge holds.

    The stored texts are read only for a draft that cites them.

    Args:
        texts: Texts of the data room by document name.
        held: Returns the law that the knowledge holds word for word.
    """

    def __init__(self, texts: Mapping[str, CanonicalText], held: Callable[[], tuple[LawText, ...]]) -> None:
        self.texts = texts
        self._read = held

    @cached_property
    def _held(self) -> tuple[LawText, ...]:
        return self._read()

    @cached_property
    def _rules(self) -> LawShelf:
        """The law that is held, alone: it is asked about every citation of it."""
        return LawShelf({}, self._held)

    @cached_property
    def _library(self) -> LawLibrary:
        """All law at hand; the data room is searched for law only when a quotation is attributed to law."""
        return LawLibrary(self.texts, self._held)

    def recheck(
        self, view: DraftView, cited: Sequence[CitationMention], results: Iterable[Grounding | Finding]
    ) -> Iterator[Grounding | Finding]:
        """Return the results; words quoted from a stored provision are checked against its text.

        Words that stand somewhere, but not in the provision cited for them, become a finding; words that stand in it
        are grounded there.
        """
        for result in results:
            mention = next((m for m in cited if _cites_quotation(view, result, m)), None)
            yield self._judged(view, result, mention) if mention else result

    def _judged(self, view: DraftView, result: Grounding | Finding, mention: CitationMention) -> Grounding | Finding:
        if not self._library.holds(mention.canonical):
            return result
        quote = result.text if isinstance(result, Grounding) else view.text[result.start : result.end]
        found = self._library.check(mention.canonical, quote)
        if found.outcome == "misattributed":
            return _misattributed(view, result, found)
        if isinstance(result, Grounding):
            return result
        if found.outcome == "verified":
            return Grounding(
                deliverable=result.deliverable,
                start=result.start,
                end=result.end,
                text=quote,
                sources=found.grounding,
            )
        return result.model_copy(update={"checked": found.checked})

    def place(self, mention: CitationMention) -> Span | None:
        """Return where the text of a cited rule is held; None where it is not, or has no such subdivision."""
        if not mention.canonical.startswith(_HELD) or self.missing(mention):
            return None
        named = self._rules.named(mention.canonical)
        return Span(document=named[0].document, start=named[0].start, end=named[0].end) if named else None

    def missing(self, mention: CitationMention) -> str:
        """Say what of a citation is missing in rules that are stored whole; empty where nothing can be said."""
        return self._rules.missing(mention.canonical) if mention.canonical.startswith(_HELD) else ""

    def periods(
        self, deliverable: str, view: DraftView, cited: Sequence[CitationMention]
    ) -> Iterator[Grounding | Finding]:
        """Yield a result for each period that the draft attributes to a stored rule."""
        rules = [m for m in cited if m.canonical.startswith(_HELD)]
        for found in check_periods(self._rules, view.text, rules) if rules else ():
            if found.verdict == "supported" and found.grounding:
                yield Grounding(
                    deliverable=deliverable,
                    start=found.start,
                    end=found.end,
                    text=found.text,
                    sources=(found.grounding,),
                )
            else:
                yield _period(deliverable, view, found)


def _cites_quotation(view: DraftView, quote: Grounding | Finding, mention: CitationMention) -> bool:
    """Say whether a citation stands at a quotation.

    Right behind it: in a bracket, after a comma, as its own sentence. Right before it: "Rule 33(a): “…”", "Rule 33(a)
    provides that “…”".
    """
    if mention.end <= quote.start:
        return _LEAD.fullmatch(view.text[mention.end : quote.start]) is not None
    return quote.end <= mention.start and _LINK.fullmatch(view.text[quote.end : mention.start]) is not None


def _misattributed(view: DraftView, quote: Grounding | Finding, found: QuoteOutcome) -> Finding:
    return Finding(
        gate="citation",
        kind="misattributed",
        deliverable=quote.deliverable,
        text=quote.text[:400],
        start=quote.start,
        end=quote.end,
        sentence=view.sentence_text(quote.start),
        checked=f"{found.citation} does not have these words. {found.checked}",
        grounding=found.grounding[0] if found.grounding else None,
        remedy=f"Cite {found.found_in}.",
    )


def _period(deliverable: str, view: DraftView, found: PeriodOutcome) -> Finding:
    kind: Literal["misattributed", "misquoted"] = "misattributed" if found.verdict == "elsewhere" else "misquoted"
    remedy = f"Cite {found.found_in}." if found.found_in else "Check the period against the text of the rule in force."
    return Finding(
        gate="citation",
        kind=kind,
        deliverable=deliverable,
        text=found.text,
        start=found.start,
        end=found.end,
        sentence=view.sentence_text(found.start),
        checked=found.checked,
        grounding=found.grounding,
        remedy=remedy,
    )
