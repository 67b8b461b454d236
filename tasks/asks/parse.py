"""Read a brief into its asks: whatever is not told as a fact is asked, so that nothing of it can be lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tasks.asks.changes import read_changes
from tasks.asks.changing.record import COMPLETE
from tasks.asks.clauses import BriefClause, Segmenter, Span, is_due
from tasks.asks.cues import cues_of
from tasks.asks.documents import DocumentsNamed
from tasks.asks.grammar import HEAD, Grammar, grammar_of
from tasks.asks.items import items_of
from tasks.asks.kinds import kind_of
from tasks.asks.marks import OPEN, heads_of_mails, output_files, unwrapped, whole, without
from tasks.asks.moods import Mood, mood_of
from tasks.asks.names import NamedProvision, level, provisions_named
from tasks.asks.records import Ask, AskKind, Asks
from tasks.asks.subjects import Subjects, refers
from tasks.asks.telling import Telling
from tasks.asks.title import Titling
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import MatterState

_CHANGES = (Mood.NAME, Mood.HANGING, Mood.STATEMENT)  # forms of a change: "payment 45 days instead of 30"
_SENTENCES = (Mood.STATEMENT, Mood.QUESTION, Mood.INQUIRY)
_PERSON = re.compile(r"\b(?:I|we|you|they|he|she)(?:'[a-z]+)? (?:\w+ly |also |do )?\Z", re.I)
_NEAR = 24  # characters
_GONE_ON = 160  # characters behind the request for a chronology in which it is said what it shows
_SAYER = frozenset(("she", "he", "they", "that", "this", "i", "we", "you"))
_TAGGED = frozenset(("right", "true", "correct", "so", "think"))
_TAG = 7  # words; a longer question is about something of its own
_QUESTION = re.compile(r"\w\W{0,3}\?")
_FEW = 3  # words; fewer between two asks only join them


def parse_asks(matter: Matter, state: MatterState, harness: Harness) -> Asks:
    """Read the brief of a matter into its asks; every stretch of it is an ask, background, or reported as uncovered.

    Args:
        matter: Its ``instructions`` are the brief.
        state: Its inventory, whose titles and parties tell which documents the brief speaks of.
        harness: How briefs ask is data of the harness.
    """
    grammar = grammar_of(harness.knowledge)
    text = unwrapped(level(matter.instructions))
    named = [n for n in provisions_named(text, catalogue_of(harness.knowledge)) if not _is_done(text, n)]
    redline = bool(grammar.words["redline"].search(f"{matter.title} {_files(matter)} {text}"))
    bare, told = without(text, chain(output_files(text, grammar), heads_of_mails(text)))
    found = Segmenter(bare, grammar, [(n.start, n.end) for n in named], redline).clauses()
    telling = Telling(text, grammar, redline, found)
    reader = _Reader(matter, grammar, named, DocumentsNamed(state, grammar), telling, Subjects(telling, grammar))
    asks, background = reader.read()
    if redline:
        asks = [*asks, *_changes(text, harness, asks)]
        background = [(a, b) for a, b in background if not any(k.start <= a and b <= k.end for k in asks)]
    title = Titling(text, grammar, found, named, len(state.documents)).title(asks)
    return _accounted(matter.instructions, text, asks, [*told, *background]).model_copy(update={"title": title})


def _changes(text: str, harness: Harness, asks: Sequence[Ask]) -> Iterator[Ask]:
    """Yield the changes of wording that no ask holds: what a redline is to do may be told as a fact."""
    for change in read_changes(text, cues_of(harness.knowledge)):
        held = any(min(a.end, change.end) - max(a.start, change.start) > 0 for a in asks)
        if change.kind in COMPLETE and not held:
            yield Ask(
                ask_id="0", words=text[change.start : change.end], start=change.start, end=change.end,
                kind=AskKind.DRAFTING, subject=text[change.start : change.end],
            )  # fmt: skip


def _is_done(text: str, named: NamedProvision) -> bool:
    """Tell whether somebody does what a provision is called: "I need to know the date"."""
    return _PERSON.search(text[max(0, named.start - _NEAR) : named.start]) is not None


def _files(matter: Matter) -> str:
    return " ".join(d.filename for d in matter.deliverables)


@dataclass(frozen=True)
class _Reader:
    matter: Matter
    grammar: Grammar
    named: Sequence[NamedProvision]
    documents: DocumentsNamed
    telling: Telling
    subjects: Subjects

    def read(self) -> tuple[list[Ask], list[Span]]:
        """Return the asks, and the stretches that only tell."""
        found, asking = self.telling.found, self.telling.asking()
        asks: list[Ask] = []
        told: list[Span] = []
        for n, clause in enumerate(found):
            asked = clause
            said = found[n - 1] if n and found[n - 1].line == clause.line else None
            if asking[n] and said and self._is_tag(clause):
                if asking[n - 1] and asks:
                    asks[-1] = self._longer(asks[-1], clause.span[1])
                    continue
                asked = replace(clause, span=(said.span[0], clause.span[1]), words=[*said.words, *clause.words])
            own = list(self._asks(asked, asks)) if asking[n] else []
            told += _beside(clause.span, own)
            asks += own
        return asks, told

    def _longer(self, ask: Ask, end: int) -> Ask:
        return ask.model_copy(update={"end": end, "words": self.telling.text[ask.start : end]})

    def _is_tag(self, clause: BriefClause) -> bool:
        """Tell whether a clause only asks about the one before it: "is she right?"."""
        said = {w.text.lower() for w in clause.words}
        things = any(w.tag.startswith(("NN", "NP", "VV")) and w.text.lower() not in _TAGGED for w in clause.words)
        of_all = bool(said & _SAYER) or ("it" in said and bool(said & _TAGGED))
        thinks = {"you", "think"} <= said  # "what do you think"
        asks = (clause.mood is Mood.QUESTION or thinks) and any(w.tag.startswith("V") for w in clause.words)
        return not clause.item and not things and len(clause.words) < _TAG and asks and of_all

    def _asks(self, clause: BriefClause, before: Sequence[Ask]) -> Iterator[Ask]:
        """Yield the asks of a clause."""
        text, lead = self.telling.text, self.subjects.lead_of(clause)
        whole_clause = clause.form or self.telling.redline
        items = [clause.span] if whole_clause else items_of(text, clause, self.grammar, self.named)
        governed = clause.mood is not Mood.REQUEST or any(w.tag == "DPS" for w in clause.words[:4])
        governor = text[slice(*clause.governor)] if clause.governor and governed else ""
        beside = f"{governor} {text[clause.span[0] : items[0][0]]} {text[items[-1][1] : clause.span[1]]}"
        for start, end in items:
            words = text[start:end]
            documents = () if clause.form else self._documents(words, beside, clause, before)
            kind = self._kind(clause, (start, end), lead, len(items), before)
            yield Ask(
                ask_id="0", words=words, start=start, end=end, kind=kind,
                subject=self.subjects.subject(clause, (start, end), before),
                documents=documents,
                each=len(documents) > 1 or self._is_of_each((words, beside, lead, self._form_of(clause)), kind),
                deliverables=tuple(
                    d.filename for d in self.matter.deliverables if d.filename.lower() in words.lower()
                ),
            )  # fmt: skip

    def _is_of_each(self, places: Sequence[str], kind: AskKind) -> bool:
        """Tell whether each of several papers gets an answer of its own: so it is said, or they are compared."""
        compared = kind is AskKind.COMPARISON and self.documents.several
        return compared or any(self.grammar.each.search(place[:HEAD]) for place in places)

    def _form_of(self, clause: BriefClause) -> str:
        """Return what is said of the form of the list of which a clause is an item: "one row per form"."""
        if clause.lead is None:
            return ""
        led = self.telling.by_span.get(clause.lead.span, clause)
        return self.telling.forms.get(led.sentence, "")

    def _documents(self, words: str, beside: str, clause: BriefClause, before: Sequence[Ask]) -> tuple[str, ...]:
        """Return the documents that an ask speaks of: its words, those beside its list, its label, or its pronoun.

        Words that lead the first sentence of a brief name the matter.
        """
        text = self.telling.text
        found = self.documents.spoken_of((words, beside))
        if not found and clause.lead:
            label = self._label(clause.lead.span)
            opening = clause.lead.span[0] <= max(0, text.find("."))
            found = () if opening and not self.documents.are_all(label) else label
        back = bool(before) and before[-1].start >= clause.line and refers(words)
        return found or (before[-1].documents if back and not self.grammar.each.search(words[:HEAD]) else ())

    def _label(self, span: Span) -> tuple[str, ...]:
        """Return the papers that a lead names: by all words of a topic, of a sentence by those that speak of a paper.

        Of what asks for a redline the paper that is to be changed counts, and not that out of which it is changed.
        """
        text = self.telling.text[slice(*span)]
        redline = self.grammar.words["redline"].search(text) if self.telling.redline else None
        lead = self.telling.by_span.get(span)
        paper = self.grammar.words["paper"]
        if lead is not None and lead.mood in _SENTENCES and not any(paper.fullmatch(w.text) for w in lead.words):
            return ()
        if redline is None:
            return self.documents.named(text)
        changed, source = self.documents.named(text[redline.start() :]), self.documents.named(text[: redline.start()])
        return tuple(n for n in changed if n not in source) or changed

    def _continues(self, clause: BriefClause, before: Ask) -> bool:
        """Tell whether a clause says what a chronology must show: "it has to show …", and all of its sentence."""
        if before.end > clause.sentence[0]:
            return clause.mood is not Mood.QUESTION and clause.mood is not Mood.REQUEST
        near = before.end > clause.span[0] - _GONE_ON
        return near and (
            clause.mood is Mood.WISH or (clause.mood is Mood.STATEMENT and is_due(clause.words, self.grammar))
        )

    def _kind(self, clause: BriefClause, span: Span, lead: str, count: int, before: Sequence[Ask]) -> AskKind:
        if clause.form:
            return AskKind.CONSTRAINT
        if self.telling.redline and (self.telling.is_change(clause) or clause.mood in _CHANGES):
            return AskKind.DRAFTING
        text = self.telling.text
        words = [w for w in clause.words if span[0] <= w.start and w.end <= span[1]]
        last = next((a for a in reversed(before) if a.kind is not AskKind.CONSTRAINT), None)
        if last is not None and last.kind is AskKind.TIMELINE and self._continues(clause, last):
            return AskKind.TIMELINE
        led = f"{lead} {text[slice(*clause.governor)] if clause.governor else ''} {text[clause.span[0] : span[0]]}"
        mood = clause.mood if count == 1 or span[0] == clause.span[0] else mood_of(words)
        return kind_of(text[slice(*span)], words, mood, led.strip(), self.grammar)


def _beside(span: Span, own: Sequence[Ask]) -> Iterator[Span]:
    """Yield what a clause says around the items that it asks for: the words that lead to them, and those behind."""
    if not own:
        yield span
        return
    yield span[0], max(span[0], own[0].start)
    yield min(span[1], own[-1].end), span[1]


def _accounted(brief: str, text: str, asks: Sequence[Ask], told: Sequence[Span]) -> Asks:
    """Number the asks and account for every stretch of the brief; a question that no ask has is no background."""
    joins, lost = _gaps(text, [(a.start, a.end) for a in asks] + list(told))
    unasked = [span for span in told if _QUESTION.search(text, *span) and not any(_meets(span, a) for a in asks)]
    told = [span for span in told if span not in unasked]
    numbered = (a.model_copy(update={"ask_id": str(n), "words": brief[a.start : a.end]}) for n, a in enumerate(asks, 1))
    return Asks(
        brief=brief,
        asks=tuple(numbered),
        background=tuple(sorted(span for span in [*told, *joins] if OPEN.search(text, *span))),
        uncovered=tuple(sorted({*lost, *unasked})),
    )


def _meets(span: Span, ask: Ask) -> bool:
    return min(span[1], ask.end) > max(span[0], ask.start)


def _gaps(text: str, spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Return the stretches between spans: the few words that join them, and what nothing accounts for."""
    joins: list[Span] = []
    lost: list[Span] = []
    at = 0
    for start, end in [*sorted(spans), (len(text), len(text))]:
        a, b = whole(text, at, max(at, start))
        if a < b and OPEN.search(text, a, b):
            (lost if len(text[a:b].split()) >= _FEW else joins).append((a, b))
        at = max(at, end)
    return joins, lost
