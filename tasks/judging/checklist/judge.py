"""The checklist judge: what a work product says to the items of the sealed reference, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tasks.judging.checklist.asking import Examiner
from tasks.judging.checklist.comparing import Comparator
from tasks.judging.checklist.definition import rules
from tasks.judging.checklist.examining import ModelComparator, extract
from tasks.judging.checklist.filled_in import read_filled
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import ChecklistScore
from tasks.judging.checklist.reference import open_reference, sources_of
from tasks.judging.checklist.scoring import score
from tasks.judging.checklist.side import Side
from tasks.judging.checklist.unscoring import without
from tasks.judging.checklist.verdicts import verdict_of
from tasks.judging.lost_documents import Lost
from tasks.judging.reading import our_problems
from tasks.judging.records import Verdict
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.records import Entry, Filled
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.rubric import Criterion, Rubric
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.sources.records import CanonicalText, SegmentKind

_PROSE = "The work product is no filled checklist; what other texts say to its items only a model can tell."


@dataclass(frozen=True)
class ChecklistJudge:
    """Judges work products by a reference checklist.

    Attributes:
        checklist: What is looked for.
        reference: What the reference says to it.
        reader: Takes values out of prose, facts out of what is beyond the checklist, and marks the style; without it
            only work products that are filled checklists themselves can be read.
        by: Compares values.
        sources: Documents that the values of an item rest on, by the id of the item.
    """

    checklist: Checklist
    reference: Side
    reader: Examiner | None
    by: Comparator
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def prepare(cls, rubric: Rubric, clients: list[ModelClient]) -> ChecklistJudge:
        """Open the reference of a matter.

        Args:
            rubric: The sealed rubric, with a reference checklist.
            clients: None: nothing is asked of a model. One: it does all. Two: the first reads, the second compares.

        Raises:
            SolonError: The matter has no reference checklist.
        """
        if rubric.checklist is None:
            raise SolonError(
                Failure(
                    cause=FailureCause.INPUT,
                    stage="judging",
                    subject=rubric.matter_id,
                    message="No reference checklist for this matter.",
                    remedy="Put checklist.json beside its task.json (docs/gavel.md), then `solon run` with the same "
                    "--run-id: it seals it and redoes nothing. Or judge with another profile.",
                )
            )
        checklist, reference = open_reference(rubric.checklist)
        sources = sources_of(checklist, rubric.checklist)
        if not clients:
            return cls(checklist, reference, None, OfflineComparator(), sources)
        return cls(checklist, reference, Examiner(clients[0]), ModelComparator(Examiner(clients[-1])), sources)

    def judge(self, texts: Mapping[str, CanonicalText], lost: Lost) -> tuple[ChecklistScore, tuple[Verdict, ...]]:
        """Return the score of a work product, and a verdict on each applicable item.

        A file that our reader could not read leaves every item unscored: what it says is not known. So does a data
        room of which a fault of ours let nothing be read.

        Args:
            texts: Canonical texts of the files of ``output/`` by file name.
            lost: Documents that a fault of ours kept from being read: items that rest on them are unscored.

        Raises:
            SolonError: The endpoint refuses the key: it ends the judging.
        """
        said = {name: text.text for name, text in texts.items()}
        problems, blind = our_problems(sorted(texts), texts), lost.everything()
        if blind is not None:
            candidate = Side(self._unknown(blind.cause, f"Nothing of the data room was read: {blind.line()}"), said)
        elif problems:
            candidate = Side(self._unknown(FailureCause.READER, problems[0].line()), said)
        elif not any(text.strip() for text in said.values()):
            candidate = Side(Filled(), said)
        elif self.reader is None:
            candidate = Side(self._written(texts), said)
        else:
            candidate = Side(extract(self.reader, self.checklist, said), said)
        reader = None if problems or blind else self.reader  # what was not read whole has no style either
        found = score(self.checklist, candidate, self.reference, self.by, reader)
        given = [verdict_of(self.checklist, i, candidate, self.reference) for i in found.items]
        kept = [self._excused(i.item, verdict, lost) for i, verdict in zip(found.items, given, strict=True)]
        gone = {i.item: (v.cause, v.reasoning) for i, v in zip(found.items, kept, strict=True) if v.cause is not None}
        return without(found, gone), tuple(kept)

    def _excused(self, item: str, verdict: Verdict, lost: Lost) -> Verdict:
        """Return the verdict; unscored where it rests on an unread document, or fails for one read only in part."""
        sources = self.sources.get(item, ())
        rests = Criterion(id=verdict.criterion_id, title=verdict.title, match_criteria=item, sources=sources)
        if verdict.status == "unscored":
            return verdict
        return lost.foregone(rests) or lost.excused(rests, verdict)

    @property
    def usage(self) -> Usage:
        """What the judging cost."""
        return self.by.usage + (self.reader.usage if self.reader else Usage())

    def _written(self, texts: Mapping[str, CanonicalText]) -> Filled:
        """Read a filled checklist; of prose nothing is known."""
        headings = {
            name: {s.start for s in text.segments if s.kind is SegmentKind.HEADING} for name, text in texts.items()
        }
        found = read_filled(self.checklist, {name: text.text for name, text in texts.items()}, headings)
        applicable = {item for item, entry in self.reference.filled.entries.items() if entry.values}
        enough = len(found.named & applicable) >= rules().filled_items * len(applicable)
        if not enough or found.share < rules().filled_words:
            return self._unknown(FailureCause.POLICY, _PROSE)
        return found.filled

    def _unknown(self, cause: FailureCause, message: str) -> Filled:
        """Return that it is not known what the work product says to the items that the reference has values for."""
        unknown = Entry(cause=cause, message=message)
        return Filled(entries={item: unknown for item, entry in self.reference.filled.entries.items() if entry.values})
