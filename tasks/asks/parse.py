"""Read a brief into its asks: whatever is not told as a fact is asked, so that nothing of it can be lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tasks.asks.clauses import Clause, Mood, Segmenter, Span
from tasks.asks.documents import DocumentsNamed
from tasks.asks.grammar import Grammar, grammar_of
from tasks.asks.items import items_of
from tasks.asks.kinds import kind_of
from tasks.asks.marks import OPEN, heads_of_mails, output_files, unwrapped, whole, without
from tasks.asks.names import Named, level, provisions_named
from tasks.asks.records import Ask, AskKind, Asks
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import MatterState

_REFERS = re.compile(
    r"^\W*(?:and |or |but |also |then )*(?:that|this|those|these|if so|otherwise|then)\b"
    r"|^\W*(?:and|or|but|what about|how about)\b(?!.*\b(?:is|are|do|does|did|can|may|must|will|would|has|have|was|were|should|what|who|how|when|which|where)\b)"
    r"|\b(?:it|they|them|such|the same)\b|\b(?:that|this|those|these|then|there)\W*$",
    re.I,
)
_NOUN = re.compile(r"\b(?:the|an?|our|your|each|every|both|any|all)\s+\w|(?-i:\s[A-Z]\w)|'s\s", re.I)


def parse_asks(matter: Matter, state: MatterState, harness: Harness) -> Asks:
    """Read the brief of a matter into its asks; every stretch of it is an ask, background, or reported as uncovered.

    Args:
        matter: Its ``instructions`` are the brief.
        state: Its inventory, whose titles and parties tell which documents the brief speaks of.
        harness: How briefs ask is data of the harness.
    """
    grammar = grammar_of(harness.knowledge)
    text = unwrapped(level(matter.instructions))
    named = provisions_named(text, catalogue_of(harness.knowledge))
    about = " ".join([matter.title, *(d.filename for d in matter.deliverables), text])
    redline = bool(grammar.words["redline"].search(about))
    return _Reader(text, grammar, named, DocumentsNamed(state, grammar), matter, redline).read()


@dataclass(frozen=True)
class _Reader:
    text: str
    grammar: Grammar
    named: Sequence[Named]
    documents: DocumentsNamed
    matter: Matter
    redline: bool

    def read(self) -> Asks:
        bare, told = without(self.text, chain(output_files(self.text, self.grammar), heads_of_mails(self.text)))
        found = Segmenter(bare, self.grammar, [(n.start, n.end) for n in self.named], self.redline).clauses()
        asking = self._asking(found)
        asks: list[Ask] = []
        for n, clause in enumerate(found):
            if not asking[n]:
                told.append(clause.span)
            elif self._is_tag(clause):
                said = found[n - 1] if n and found[n - 1].line == clause.line and not asking[n - 1] else None
                if said is None and asks:
                    told.append(clause.span)
                else:
                    asks.extend(self._read(replace(clause, span=(said or clause).span[:1] + clause.span[1:]), found, asks))
            else:
                own = list(self._read(clause, found, asks))
                told.extend(_beside(clause.span, own))
                asks.extend(own)
        return self._accounted(asks, told)

    def _asking(self, found: Sequence[Clause]) -> list[bool]:
        """Tell of each clause whether it asks; a lead whose items ask does not, and a brief always asks something."""
        asking = [not c.leads and self._asks(c, found) for c in found]
        for n, clause in enumerate(found):
            if clause.leads:
                led = any(a and c.lead and c.lead.span[0] <= clause.span[0] < c.lead.span[1] for a, c in zip(asking, found, strict=True))
                asking[n] = not led and self._asks(clause, found)
        for n, clause in enumerate(found[:-1]):
            asking[n] = asking[n] and not self._unfolds(clause, found[n + 1 :])
        signed = [a and not self._signs(c) for a, c in zip(asking, found, strict=True)]
        if any(a and not c.form for a, c in zip(signed, found, strict=True)):
            return signed
        return [bool(OPEN.search(self._words(c))) and not self.grammar.tells(self._words(c)) for c in found]

    def _signs(self, clause: Clause) -> bool:
        """Tell whether a clause is a line of its own between blank lines with a name on it: who writes, or to whom."""
        a, b = clause.span
        alone = not self.text[:a].rstrip(" \t").rpartition("\n\n")[2].strip("\n ") or self._courteous(a)
        last = not self.text[b:].lstrip(" ,.\t").partition("\n\n")[0].strip("\n ")
        words = self.text[a:b].split()
        return alone and last and len(words) <= 3 and all(w[0].isupper() for w in words) and not self.text[b : b + 1] == "?"

    def _courteous(self, at: int) -> bool:
        before = self.text[:at].rstrip()
        return self.grammar.tells(before[before.rfind("\n") + 1 :])

    def _unfolds(self, clause: Clause, after: Sequence[Clause]) -> bool:
        """Tell whether a clause asks for a paper whose contents the next sentence lists: "It has to show at least …"."""
        following = next((c for c in after if c.sentence != clause.sentence), None)
        if following is None or not self.grammar.form.match(self._words(clause)[:400]):
            return False
        return bool(_CONTENTS.search(self._words(following)[:80]))

    def _is_tag(self, clause: Clause) -> bool:
        return not clause.item and bool(self.grammar.tag.fullmatch(self._words(clause)))

    def _accounted(self, asks: Sequence[Ask], told: Sequence[Span]) -> Asks:
        """Number the asks and account for every stretch of the brief."""
        brief = self.matter.instructions
        between, uncovered = _gaps(self.text, [(a.start, a.end) for a in asks] + list(told))
        return Asks(
            brief=brief,
            asks=tuple(
                a.model_copy(update={"ask_id": str(n), "words": brief[a.start : a.end]}) for n, a in enumerate(asks, 1)
            ),
            background=tuple(sorted((a, b) for a, b in [*told, *between] if OPEN.search(self.text, a, b))),
            uncovered=tuple(uncovered),
        )

    def _words(self, clause: Clause) -> str:
        return self.text[slice(*clause.span)]

    def _asks(self, clause: Clause, found: Sequence[Clause]) -> bool:
        """Tell whether a clause asks: whatever is no lead, no courtesy, no statement and no name does."""
        words = self._words(clause)
        if clause.form:
            return True
        if not OPEN.search(words):
            return False
        question = words.endswith("?") or self.text[clause.span[1] : clause.span[1] + 1] == "?"
        if question:
            return True
        preamble = self.grammar.preamble.match(self.grammar.onset.sub("", words[:400])) and clause.sentence[1] - clause.span[1] < 3
        if self.grammar.perusal.match(words) and not preamble and not clause.item:
            return False
        if clause.item:
            if self.grammar.names(words) and len(_PROPER.findall(words)) > 2:
                return False
            return not (clause.listed and self._stated(clause) and self._asked_later(clause, found))
        if self.redline and self.grammar.words["change"].search(words) and not self.grammar.tells(words) and not self._plain(words):
            return True
        if self.grammar.tells(words) and not self.grammar.commanded.match(words):
            return False
        told = clause.lead is not None and clause.lead.mood is Mood.TELLS
        near = clause.lead is not None and (clause.listed or clause.sentence[0] <= clause.lead.span[0])
        if told and near and not self.grammar.inquiring.search(words[:400]):
            return False
        if self.grammar.asks(words):
            return True
        named = self.grammar.names(words) or (clause.leads and len(words.split()) == 1)
        return not told and not self._stated(clause) and not named and not (len(words.split()) <= _ANNOUNCED and self.grammar.announces(words))

    def _plain(self, words: str) -> bool:
        """Tell whether words of a redline are a statement about us, not a change."""
        return bool(re.match(r"\W*(?:we|i|our client|they)\b", words, re.I))

    def _stated(self, clause: Clause) -> bool:
        words = self._words(clause)
        return self.grammar.states(words) and not self.grammar.asks(words)

    def _asked_later(self, clause: Clause, found: Sequence[Clause]) -> bool:
        """Tell whether another sentence of the same line asks."""
        return any(
            c.line == clause.line and c.sentence != clause.sentence and c.span > clause.span and not self._stated(c) for c in found
        )

    def _read(self, clause: Clause, found: Sequence[Clause], before: Sequence[Ask]) -> Iterator[Ask]:
        lead = self._lead(clause, found)
        items = [clause.span] if clause.form or self.redline else items_of(self.text, clause.span, self.grammar, self.named, bare=clause.item)
        for start, end in items:
            words = self.text[start:end]
            around = self._around(clause, found, words, before)
            beside = f"{self.text[clause.span[0] : items[0][0]]} {self.text[items[-1][1] : clause.span[1]]}"
            documents = self._papers(words, beside, clause, before)
            each = len(documents) > 1 or any(self.grammar.each.search(w[:400]) for w in (words, beside, lead))
            yield Ask(
                ask_id="0", words=words, start=start, end=end, kind=self._kind(words, clause, lead),
                subject=self._subject(words, clause, (start, end), lead, around),
                documents=documents, each=each, deliverables=self._files(words),
            )  # fmt: skip

    def _lead(self, clause: Clause, found: Sequence[Clause]) -> str:
        """Return the words that lead to a clause: of its list, or of the paper whose contents its sentence lists."""
        if clause.lead:
            return self.text[slice(*clause.lead.span)]
        before = [c for c in found if c.line == clause.line and c.sentence < clause.sentence and not c.form]
        opener = next((n for n in range(len(before)) if before[n].sentence == before[-1].sentence), 0)
        unfolded = before and self._unfolds(before[opener], [c for c in found if c.span >= clause.sentence[:1] + (0,)])
        return self._words(before[opener]) if unfolded else ""

    def _papers(self, words: str, beside: str, clause: Clause, before: Sequence[Ask]) -> tuple[str, ...]:
        """Return the documents that an ask speaks of: itself, the words beside its list, its label, or the ask that it refers back to.

        Words that lead the first sentence of a brief name the matter.
        """
        found = self.documents.spoken_of((words, beside))
        if not found and clause.lead:
            label = self.documents.named(self.text[slice(*clause.lead.span)])
            opening = clause.lead.span[0] <= max(0, self.text.find("."))
            found = () if opening and not self.documents.are_all(label) else label
        back = bool(before) and before[-1].start >= clause.line and _refers(words)
        return found or (before[-1].documents if back and not self.grammar.each.search(words) else ())

    def _kind(self, words: str, clause: Clause, lead: str) -> AskKind:
        if clause.form:
            return AskKind.CONSTRAINT
        change = self.redline and not words.endswith("?") and not self.grammar.begins.match(words) and (clause.item or bool(self.grammar.words["change"].search(words)))
        form = self.grammar.form.match(words[:400])
        return kind_of(words, lead, self.grammar, change=change, about=self._topic(f"{form['kind']} {form['about']}") if form else None)

    def _topic(self, about: str) -> str:
        """Return what a work product is asked to be about, beside the papers themselves."""
        words = re.findall(r"[a-z]{4,}", about.lower())
        empty = ("bland", "paper", "product")
        return " ".join(w for w in words if not any(self.grammar.words[use].fullmatch(w) for use in empty))

    def _around(self, clause: Clause, found: Sequence[Clause], words: str, before: Sequence[Ask]) -> str:
        """Return what a clause refers back to: the rest of its sentence, then of its line, then the ask before it."""
        earlier = [c for c in found if c.line == clause.line and c.span < clause.span and not c.form]
        near = " ".join(self._words(c) for c in earlier if c.sentence == clause.sentence and c != clause and not (c.lead and c.lead == clause.lead))
        if not _refers(words):
            return near
        if not earlier and before and before[-1].end > clause.span[0] - 400:
            return f"{before[-1].subject[-300:]}; {near}"
        return self._words(earlier[-1]) if earlier else near

    def _subject(self, words: str, clause: Clause, span: Span, lead: str, around: str) -> str:
        """Return what is asked about, complete in itself."""
        tail = self.text[span[1] : clause.span[1]] if span != clause.span else ""
        scope = self.grammar.scope.search(tail)
        lead = "" if clause.lead and clause.lead.mood is Mood.TELLS else lead
        said = [lead, around if _refers(words) else "", words, scope.group() if scope else ""]
        return " ".join(" ".join(s.split()) for s in said if s.strip())

    def _files(self, words: str) -> tuple[str, ...]:
        return tuple(d.filename for d in self.matter.deliverables if d.filename.lower() in words.lower())


_ANNOUNCED = 10  # words; what is longer announces nothing, but asks
_PROPER = re.compile(r"\b[A-Z]\w+")
_CONTENTS = re.compile(r"\b(?:above all|at least|in particular|especially)\b|^\W*(?:it|this) (?:must|should|has to|needs to)\b", re.I)


def _refers(words: str) -> bool:
    """Tell whether a pronoun of a clause stands for something outside it: nothing in it could be meant."""
    found = _REFERS.search(words[:400])
    return found is not None and not _NOUN.search(words, 0, found.start())


def _beside(span: Span, own: Sequence[Ask]) -> Iterator[Span]:
    """Yield what a clause says around the items that it asks for: the words that lead to them, and those behind."""
    yield span[0], max(span[0], own[0].start)
    yield min(span[1], own[-1].end), span[1]


def _gaps(text: str, spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Return the stretches between spans: the few words that join them, and what nothing accounts for."""
    at, joins, lost = 0, [], []
    for start, end in [*sorted(spans), (len(text), len(text))]:
        a, b = whole(text, at, max(at, start))
        if a < b and OPEN.search(text, a, b):
            (lost if len(text[a:b].split()) >= 3 else joins).append((a, b))
        at = max(at, end)
    return joins, lost
