"""What an answer itself raises: the clause it stands under, a schedule named, a period without its start, a term."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from knowledge_db import KnowledgeBase
from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import nearest_unit, place_in, quote
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.render.ties import explains, is_plain
from tasks.drafting.extractive.units import ENUMERATOR, Unit
from tasks.drafting.interrogator.records import Need, Origin
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import terms
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.graph.graph import Graph
from tasks.retrieval.graph.records import Dangling, Related
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.research.records import Question
from tasks.sources.records import Span

_AHEAD = 60  # characters before a reference that say what the clause does with it
_TIES = 12  # ties of one sentence that are looked at
_ATTACHED = re.compile(r"(?:exhibit|schedule|annex|appendi|attachment|addend)", re.I)
_POINTS = re.compile(
    r"\b(?:(?:is|are) set (?:forth|out)|(?:has|have|having) the meanings?|defined)\b.{0,60}\b(?:in|by|to it)\b",
    re.I | re.S,
)
_DEFINES = re.compile(
    r'^[\W\d]{0,12}(?:the term )?"(?P<term>[^"]{2,60})"(?:\s\([^)]{0,40}\))?,? (?:means|shall mean|has the meaning)',
    re.I,
)
_ITEM = re.compile(r"\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[.)]")
_ITEMS = 12  # sentences of a list before the one that leads to it
_OPERATIVE = re.compile(r"\b(?:shall|will|may|must|is entitled|agrees?)\b", re.I)
_QUOTED = re.compile(r"'([^']{2,90})'")
_SAID = re.compile(r"^(?P<said>.+?)(?: of \S.*)? referred to")
_NUMBER = re.compile(r"(?P<word>[A-Za-z]+)[.\s]+(?P<number>[\w.()-]+)$")
_NEXT = re.compile(r"(?m)^[^\w\n]{0,6}(?:\d{1,2}\.(?:\d|\s)|(?:section|article|exhibit|schedule)\s)", re.I)
_PRINTED = 900  # characters of a place that is found by its printed number alone
_OF_A_CLAUSE = frozenset({Origin.TERM, Origin.REFERENCE})
_LAW = re.compile(r"\b(?:Act|Code|Law|Rules?|Regulations?|U\.S\.C)\b")


class RaisingCues:
    """The words by which a clause raises a question (``knowledge_db/data/questions``, use ``raises``)."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        """Compile the words."""
        words = {row.name: row.patterns for row in knowledge.questions if row.use == "raises"}
        self._words = {name: re.compile(rf"\b(?:{'|'.join(p)})\b", re.I) for name, p in words.items()}

    def met(self, name: str, text: str) -> bool:
        """Tell whether words of a kind stand in a text."""
        return name in self._words and bool(self._words[name].search(straight(text)))


@lru_cache(maxsize=4)
def raising_cues(knowledge: KnowledgeBase) -> RaisingCues:
    """Return the cues of a harness, compiled once in a process."""
    return RaisingCues(knowledge)


class Raiser:
    """Reads answers for what they leave to be asked."""

    def __init__(self, readings: Sequence[SentencedDocument], graph: Graph, knowledge: KnowledgeBase) -> None:
        """Take the papers, their references, and the words of the harness."""
        self._readings = {r.document: r for r in readings}
        self._graph, self._cues = graph, raising_cues(knowledge)
        self._catalogue = {p.name: p for p in catalogue_of(knowledge)}

    def raised_by(self, ask: Ask, got: AskAnswer) -> list[Need]:
        """Return the questions that the answer to an ask raises, the weightiest first, each once.

        Only the sentence that carries an answer is read: what stands beside it raises too much that is beside the
        point.
        """
        found = [need for entry in got.entries if entry.state is AskState.ANSWERED for need in self._of(ask, entry)]
        order = list(Origin)
        unique = {need.key: need for need in reversed(found)}
        return sorted(reversed(list(unique.values())), key=lambda need: order.index(need.origin))

    def _of(self, ask: Ask, entry: Entry) -> Iterator[Need]:
        unit = self._operative(ask, entry)
        if unit is None:
            return
        known = self._catalogue.get(entry.topic)
        value = known is not None and known.answer != "clause"  # a date or a name needs no definitions
        for need in (
            *self._uses(ask, unit),
            *self._references(ask, unit),
            *self._dangling(ask, unit),
            *self._starts(ask, unit),
        ):
            if not value or need.origin not in _OF_A_CLAUSE:
                yield need

    def _operative(self, ask: Ask, entry: Entry) -> Unit | None:
        span = next((s for s in entry.support if s.document in self._readings), None)
        return nearest_unit(self._readings[span.document], span, ask.subject) if span else None

    def _references(self, ask: Ask, unit: Unit) -> Iterator[Need]:
        own = Span(document=unit.document, start=unit.start, end=unit.pieces[-1][1])
        for tie in self._graph.expand(own, limit=_TIES):
            if tie.relation == "defines" and self._is_told(tie) and explains(tie, self._words(tie.span)):
                term = found[1] if (found := _QUOTED.search(tie.reason)) else ""
                asked = f"What does “{term}” mean in {self._place(unit)}?"
                yield self._need(ask, Origin.TERM, asked, term, own, self._defined(tie))
            elif tie.relation == "refers" and tie.exact and (said := _SAID.match(tie.reason)):
                yield self._referred(ask, unit, own, tie, said["said"])

    def _uses(self, ask: Ask, unit: Unit) -> Iterator[Need]:
        """Yield, for an answer out of a definition, the question what the clause says that uses the term."""
        reading = self._readings[unit.document]
        term = _term_of(reading, unit)
        if not term or is_plain(term):
            return
        asked = frozenset(terms(ask.subject))
        using = [
            u
            for u in reading.units
            if term in u.text and _OPERATIVE.search(u.text) and not _term_of(reading, u) and u.start != unit.start
        ]
        best = max(
            using, key=lambda u: (len(asked & set(terms(u.text))), len(_OPERATIVE.findall(u.text))), default=None
        )
        if best is not None:
            own = Span(document=unit.document, start=unit.start, end=unit.pieces[-1][1])
            target = Span(document=best.document, start=best.start, end=best.pieces[-1][1])
            said = f"“{term}” is defined in {self._place(unit)}: what does {self._place(best)} say, which uses it?"
            yield self._need(ask, Origin.USE, said, term, own, target)

    def _defined(self, tie: Related) -> Span:
        """Return where a term is defined; a definition that only points elsewhere is followed once."""
        if _POINTS.search(self._words(tie.span)):
            onward = self._graph.expand(tie.span, limit=_TIES)
            return next((t.span for t in onward if t.relation == "refers" and self._is_told(t)), tie.span)
        return tie.span

    def _referred(self, ask: Ask, unit: Unit, own: Span, tie: Related, said: str) -> Need:
        ahead = unit.text[: unit.text.find(said)] if said in unit.text else ""
        bound = self._cues.met("condition", ahead[-_AHEAD:])
        origin = Origin.CONDITION if bound else Origin.ATTACHMENT if _ATTACHED.match(said) else Origin.REFERENCE
        where = tie.label or said
        how = "stands under" if bound else "refers to"
        return self._need(ask, origin, f"{self._place(unit)} {how} {where}: what does it say?", where, own, tie.span)

    def _dangling(self, ask: Ask, unit: Unit) -> Iterator[Need]:
        end = unit.pieces[-1][1]
        own = Span(document=unit.document, start=unit.start, end=end)
        for lost in self._lost.get(unit.document, ()):
            if not unit.start <= lost.span.start < end or _LAW.search(lost.said):
                continue
            attached = lost.attachment
            named = f"{self._place(unit)} of {self._readings[unit.document].identity.title}"
            absent = (
                f"Please bring {lost.said}: {named} names it, and it was not found among the papers."
                if attached
                else f"What does {lost.said} say? {named} refers to it, and no provision was found under that number."
            )
            origin = Origin.ATTACHMENT if attached else Origin.REFERENCE
            asked = f"What does {lost.said} say, which {self._place(unit)} names?"
            yield self._need(ask, origin, asked, lost.said, own, self._printed(unit, lost), absent)

    def _printed(self, unit: Unit, lost: Dangling) -> Span | None:
        """Return the place that bears a number in print, where the clauses of a paper could not be told apart."""
        found = _NUMBER.search(lost.said)
        if found is None:
            return None
        text = self._readings[unit.document].text.text
        bare = not lost.attachment and found["number"][:1].isdigit()  # "6.2 Termination"; an exhibit is named in full
        word = rf"(?:{re.escape(found['word'])}\s{{1,3}}){'?' if bare else ''}"
        line = re.compile(rf"(?mi)^[^\w\n]{{0,6}}{word}{re.escape(found['number'])}[.):\s]")
        places = [m.start() for m in line.finditer(text)]
        start = next((p for p in places if not unit.start <= p < unit.pieces[-1][1]), None)
        if start is None:
            return None
        following = _NEXT.search(text, start + 1, start + _PRINTED)
        end = following.start() if following else min(len(text), start + _PRINTED)
        return Span(document=unit.document, start=start, end=end)

    def _starts(self, ask: Ask, unit: Unit) -> Iterator[Need]:
        own = Span(document=unit.document, start=unit.start, end=unit.pieces[-1][1])
        for window in scan_windows(unit.text):
            if window.trigger or window.direction != "of" or self._cues.met("start", unit.text):
                continue
            asked = f"From when does the period of {window.text} in {self._place(unit)} run?"
            absent = f"From when does the period of {window.text} in {self._place(unit)} run? The clause does not say."
            yield self._need(ask, Origin.START, asked, window.text, own, None, absent)
            return

    def _need(
        self, ask: Ask, origin: Origin, asked: str, about: str, cause: Span, target: Span | None, absent: str = ""
    ) -> Need:
        question = Question(text=asked, kind="fact", documents=(cause.document,))
        return Need(
            ask_id=ask.ask_id, origin=origin, question=question, about=about, cause=cause, target=target, absent=absent
        )

    def _is_told(self, tie: Related) -> bool:
        return tie.exact and tie.span.document in self._readings

    def _words(self, span: Span) -> str:
        return self._readings[span.document].text.text[span.start : span.end]

    def _place(self, unit: Unit) -> str:
        return place_in(unit, self._readings[unit.document])

    @cached_property
    def _lost(self) -> dict[str, list[Dangling]]:
        found: dict[str, list[Dangling]] = {}
        for lost in self._graph.dangling():
            found.setdefault(lost.span.document, []).append(lost)
        return found


def _term_of(reading: SentencedDocument, unit: Unit) -> str:
    """Return the term that a sentence defines, or that the list defines of which it is an item; empty for none."""
    at = bisect.bisect_left(reading.starts, unit.start)
    for near in reversed(reading.units[max(0, at - _ITEMS) : at + 1]):
        if found := _DEFINES.search(straight(near.text)):
            return found["term"] if near is unit or near.text.rstrip().endswith((":", "following")) else ""
        if not ENUMERATOR.match(near.text) and not _ITEM.match(near.text):
            return ""
    return ""


def telling_words(reading: SentencedDocument, span: Span, subject: str, most: int) -> tuple[str, Span] | None:
    """Return what a stretch says on a subject: its sentence nearest to it, trimmed, with where it stands.

    Args:
        reading: The document of the stretch.
        span: A clause or a definition.
        subject: What is asked about.
        most: Words of the quotation.
    """
    unit = nearest_unit(reading, span, subject)
    if unit is None:
        return None
    said = quote(unit, made_of(subject, reading.knowledge.vocabulary), reading.text, most).text
    after = _items(reading, unit, most) or _sentences_after(reading, unit, span, most)
    end = (after or [unit])[-1].pieces[-1][1]
    more = "".join(f" “{' '.join(i.text.split())}”" for i in after)
    return said + more, Span(document=unit.document, start=unit.start, end=end)


def _sentences_after(reading: SentencedDocument, first: Unit, span: Span, most: int) -> list[Unit]:
    """Return what follows a short sentence in the same place: a title with a line under it says little."""
    found: list[Unit] = []
    left = most // 2 - first.words
    at = bisect.bisect_left(reading.starts, first.start) + 1
    for unit in reading.units[at:]:
        if left <= 0 or unit.start >= span.end or unit.words > most - first.words:
            break
        found.append(unit)
        left -= unit.words
    return found


def _items(reading: SentencedDocument, lead: Unit, most: int) -> list[Unit]:
    """Return the items of the list that a sentence leads to, as far as they fit."""
    found: list[Unit] = []
    left = 2 * most - lead.words
    at = bisect.bisect_left(reading.starts, lead.start) + 1
    for unit in reading.units[at:] if lead.text.rstrip().endswith(":") else ():
        left -= unit.words
        if left < 0 or not ENUMERATOR.match(unit.text):
            break
        found.append(unit)
    return found
