"""Read a brief into its asks: whatever is not told as a fact is asked, so that nothing of it can be lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.clauses import Clause, Span, clauses, whole
from tasks.asks.cues import BriefCues, cues_of
from tasks.asks.documents import DocumentsNamed
from tasks.asks.items import items_of
from tasks.asks.names import Named, level, provisions_named
from tasks.asks.records import Ask, AskKind, Asks
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import MatterState

_BESIDE = 12  # letters beside the name of a provision: "provisions"
_LETTERS = re.compile(r"[^\W_]")
_REFERS = re.compile(
    r"^\W*(?:and |or |but )?(?:it|its|they|them|their|that|this|those|he|she|his|her|if so|otherwise|then)\b|\b(?:it|them|there|that)\W*$",
    re.I,
)


def parse_asks(matter: Matter, state: MatterState, harness: Harness) -> Asks:
    """Read the brief of a matter into its asks; every stretch of it is an ask, background, or reported as uncovered.

    Args:
        matter: Its ``instructions`` are the brief.
        state: Its inventory, whose titles and parties tell which documents the brief speaks of.
        harness: How briefs ask is data of the harness.
    """
    brief = matter.instructions
    text = level(brief)
    cues = cues_of(harness.knowledge)
    named = provisions_named(text, catalogue_of(harness.knowledge))
    reader = _Reader(text, cues, named, DocumentsNamed(state), matter)
    return reader.read(brief)


@dataclass(frozen=True)
class _Reader:
    text: str
    cues: BriefCues
    named: Sequence[Named]
    documents: DocumentsNamed
    matter: Matter

    def read(self, brief: str) -> Asks:
        files = [m.span() for m in self.cues.output.finditer(self.text)]
        asked = self.text
        for a, b in files:
            asked = asked[:a] + "\n" * (b - a) + asked[b:]
        found = list(clauses(asked, self.cues, [(n.start, n.end) for n in self.named]))
        asks: list[Ask] = []
        told: list[Span] = list(files)
        for clause in found:
            if self._asks(clause, found):
                read = list(self._read(clause, asks))
                told.append((clause.span[0], read[0].start))
                asks.extend(read)
            else:
                told.append(clause.span)
        return Asks(
            brief=brief,
            asks=tuple(
                a.model_copy(update={"ask_id": str(n), "words": brief[a.start : a.end]}) for n, a in enumerate(asks, 1)
            ),
            background=tuple(sorted(s for s in told if s[0] < s[1])),
            uncovered=tuple(_uncovered(self.text, [(a.start, a.end) for a in asks] + told)),
        )

    def _asks(self, clause: Clause, found: Sequence[Clause]) -> bool:
        words = self.text[slice(*clause.span)]
        if clause.leads and any(c.lead == clause.span or c.lead == clause.sentence for c in found):
            return False  # its items ask
        if not _LETTERS.search(words) or (self.cues.perusal.search(words) and len(found) > 1 and not clause.question):
            return False
        return clause.item or clause.question or self.cues.asks(words) or bool(self.cues.fragment.search(words))

    def _read(self, clause: Clause, before: Sequence[Ask]) -> Iterator[Ask]:
        around = self.text[slice(*clause.lead)] + " " + self.text[slice(*clause.sentence)]
        each = bool(self.cues.each.search(around))
        for start, end in items_of(self.text, clause.span, self.cues, self.named, bare=clause.item):
            words = self.text[start:end]
            kind = self._kind(words, clause, (start, end))
            subject = self._subject(words, clause, (start, end), before)
            named = self.documents.named(words) or self.documents.named(around)
            yield Ask(
                ask_id="0", words=words, start=start, end=end, kind=kind, subject=subject, documents=named,
                each=each or len(named) > 1, deliverables=self._files(words),
            )  # fmt: skip

    def _kind(self, words: str, clause: Clause, span: Span) -> AskKind:
        if any(n.start <= span[0] and span[1] <= n.end + _BESIDE for n in self.named):
            return AskKind.FACT  # a provision named, and nothing else
        form = self.cues.form.search(words)
        if (
            form
            and not self._topic(form["about"])
            and not any(self.cues.kinds[k].search(words) for k in ("timeline", "comparison") if k in self.cues.kinds)
        ):
            return AskKind.CONSTRAINT
        lead = self.text[slice(*clause.lead)]
        for name, pattern in self.cues.kinds.items():
            if pattern.search(words) or (
                lead and name not in ("constraint", "judgment") and pattern.search(f"{lead} {words}")
            ):
                return AskKind(name)
        return AskKind.FACT

    def _topic(self, about: str) -> str:
        """Return what a work product is asked to be about, beside the papers themselves."""
        plain = self.cues.papers.sub(" ", about)
        return " ".join(w for w in re.findall(r"[a-z]{4,}", plain.lower()) if not self.cues.empty.fullmatch(w))

    def _subject(self, words: str, clause: Clause, span: Span, before: Sequence[Ask]) -> str:
        lead = self.text[slice(*clause.lead)] if clause.lead[0] < clause.lead[1] else ""
        head = self.text[clause.span[0] : span[0]]
        said = f"{lead} {head if span != clause.span else ''} {words}"
        if not lead and before and _REFERS.search(words) and before[-1].end > clause.span[0] - 400:
            said = f"{before[-1].subject}; {words}"
        return " ".join(said.split())

    def _files(self, words: str) -> tuple[str, ...]:
        return tuple(d.filename for d in self.matter.deliverables if d.filename.lower() in words.lower())


def _uncovered(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the stretches of a brief with three words or more in which no span lies."""
    at = 0
    for start, end in [*sorted(spans), (len(text), len(text))]:
        a, b = whole(text, at, max(at, start))
        if len(text[a:b].split()) >= 3:
            yield a, b
        at = max(at, end)
