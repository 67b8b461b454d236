"""The anchor judge: checks machine-checkable gold in the part of the work product that is about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.judging.anchors.locate import AttributedPart, locate
from tasks.judging.anchors.matchers import AnchorHit, PartGroup, grouped, match
from tasks.judging.anchors.names import ContractNames, RubricTopics, topic_key
from tasks.judging.anchors.outline import outline
from tasks.judging.lost_documents import document_of
from tasks.judging.reading import files_of, our_problems, unread, verdict_without_judge
from tasks.judging.records import Verdict
from tasks.matter.reasons import MatchKind, Outcome
from tasks.matter.rubric import Anchor, Criterion, Rubric
from tasks.sources.records import CanonicalText


@dataclass(frozen=True)
class AnchorJudge:
    """Judges criteria by their anchors. Holds the located parts of each deliverable.

    Attributes:
        texts: Canonical texts of the files of ``output/`` by file name.
        parts: The attributed parts of each readable file.
        anchors: The anchors of the rubric by document and topic.
    """

    texts: Mapping[str, CanonicalText]
    parts: Mapping[str, Sequence[AttributedPart]]
    anchors: Mapping[tuple[str, str], Sequence[Anchor]]

    @classmethod
    def prepare(cls, rubric: Rubric, documents: Sequence[str], texts: Mapping[str, CanonicalText]) -> AnchorJudge:
        """Locate once which parts of each deliverable are about which contract and topic.

        Args:
            rubric: All criteria: their scopes distinguish the sections of the contracts.
            documents: Names of the documents of the data room.
            texts: The deliverables as the reader gives them.
        """
        anchors = [a for c in rubric.criteria for a in c.anchors]
        scopes: dict[str, set[str]] = {name: set() for name in documents}
        for anchor in anchors:
            scopes.setdefault(document_of(anchor), set()).update(anchor.scope)
        names = ContractNames.build({d: sorted(s) for d, s in sorted(scopes.items()) if d})
        topics = RubricTopics.build(a.facet for a in anchors if a.facet)
        default = frozenset(scopes) if len(scopes) == 1 else frozenset[str]()
        parts = {f: locate(outline(t), names, topics, default) for f, t in sorted(texts.items())}
        by_place: dict[tuple[str, str], list[Anchor]] = defaultdict(list)
        for anchor in anchors:
            by_place[document_of(anchor), topic_key(anchor.facet)].append(anchor)
        return cls(texts, parts, by_place)

    def judge(self, criterion: Criterion) -> Verdict:
        """Judge one criterion: every anchor must match in one or another of its deliverables."""
        kind = criterion.anchors[0].match.kind
        early = verdict_without_judge(criterion, self.texts)
        if early is not None:
            return early.model_copy(update={"match_kind": kind})
        present = files_of(criterion, self.texts)
        found = AnchorHit(Outcome.MATCHED, "")
        for anchor in criterion.anchors:
            found, kind = self._anchor(anchor, present), anchor.match.kind
            if found.outcome is not Outcome.MATCHED:
                break
        problems = our_problems(present, self.texts) if found.outcome is not Outcome.MATCHED else []
        if problems:
            return unread(criterion, problems[0]).model_copy(update={"match_kind": kind})
        return _verdict(criterion, found, kind)

    def _anchor(self, anchor: Anchor, files: Sequence[str]) -> AnchorHit:
        topic = anchor.facet[0] if anchor.facet else "the topic"
        groups = self._groups(files, anchor)
        if groups:
            found = match(anchor, groups, topic)
        else:
            outcome = Outcome.NOT_DENIED if anchor.match.kind is MatchKind.ABSENCE else Outcome.OMITTED
            found = AnchorHit(
                outcome, f"Nothing in the work product speaks of {topic} for this document; it is omitted."
            )
        return self._placed(anchor, files, topic, found)

    def _placed(self, anchor: Anchor, files: Sequence[str], topic: str, found: AnchorHit) -> AnchorHit:
        """Tell of a failure whether the answer went to another document, or the whole document was left out."""
        if found.outcome in (Outcome.MATCHED, Outcome.DENIED, Outcome.ASSERTED):
            return found
        if anchor.match.kind is not MatchKind.ABSENCE and (stray := self._elsewhere(anchor, files, topic)):
            reason = f"What was asked of {topic} is said of another document."
            return AnchorHit(Outcome.WRONG_DOCUMENT, reason, stray.quote)
        document = document_of(anchor)
        if document and not any(document in part.documents for f in files for part in self.parts[f]):
            return AnchorHit(
                Outcome.DOCUMENT_OMITTED, "Nothing in the work product speaks of this document; it is omitted."
            )
        return found

    def _elsewhere(self, anchor: Anchor, files: Sequence[str], topic: str) -> AnchorHit | None:
        """Find the answer in the part of another document, unless that part says what is asked of its own document."""
        own, key = document_of(anchor), topic_key(anchor.facet)
        others: dict[str, dict[str, list[AttributedPart]]] = defaultdict(lambda: defaultdict(list))
        for file in files if own else ():
            for part in self.parts[file]:
                if key in part.topics and own not in part.documents and len(part.documents) == 1:
                    others[next(iter(part.documents))][file].append(part)
        for document, told in sorted(others.items()):
            groups = [group for parts in told.values() for group in grouped(parts)]
            found = match(anchor, groups, topic)
            asked = self.anchors.get((document, key), ())
            if found.outcome is Outcome.MATCHED and not any(
                match(one, groups, topic).outcome is Outcome.MATCHED for one in asked
            ):
                return found
        return None

    def _groups(self, files: Sequence[str], anchor: Anchor) -> list[PartGroup]:
        """Return what the files say of the topic for the document of an anchor."""
        document, topic = document_of(anchor), topic_key(anchor.facet)
        chosen = (
            (
                part
                for part in self.parts[file]
                if part.topics
                and (not document or document in part.documents)
                and (not anchor.facet or topic in part.topics)
            )
            for file in files
        )
        return [group for parts in chosen for group in grouped(parts)]


def _verdict(criterion: Criterion, found: AnchorHit, kind: MatchKind) -> Verdict:
    return Verdict(
        criterion_id=criterion.id,
        title=criterion.title,
        status="pass" if found.outcome is Outcome.MATCHED else "fail",
        reasoning=found.reason,
        match_kind=kind,
        quote=found.quote,
        outcome=found.outcome,
    )
