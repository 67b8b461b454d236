"""The anchor judge: checks machine-checkable gold in the part of the work product that is about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tasks.judging.anchors.absence import asserts, asserts_one, denies, says_none
from tasks.judging.anchors.locate import AttributedPart, locate
from tasks.judging.anchors.matching import SPAN_THRESHOLD, span_overlap, states_date, states_value
from tasks.judging.anchors.names import ContractNames, RubricTopics, topic_key
from tasks.judging.anchors.outline import outline
from tasks.judging.lost_documents import document_of
from tasks.judging.reading import files_of, our_problems, unread, verdict_without_judge
from tasks.judging.records import Verdict
from tasks.matter.reasons import MatchKind
from tasks.matter.rubric import Anchor, Criterion, Rubric
from tasks.sources.records import CanonicalText

_QUOTE = 240  # characters of evidence that a verdict keeps


@dataclass(frozen=True)
class AnchorJudge:
    """Judges criteria by their anchors. Holds the located parts of each deliverable.

    Attributes:
        texts: Canonical texts of the files of ``output/`` by file name.
        parts: The attributed parts of each readable file.
    """

    texts: Mapping[str, CanonicalText]
    parts: Mapping[str, Sequence[AttributedPart]]

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
        return cls(texts, {f: locate(outline(t), names, topics, default) for f, t in sorted(texts.items())})

    def judge(self, criterion: Criterion) -> Verdict:
        """Judge one criterion: every anchor must match in one or another of its deliverables."""
        kind = criterion.anchors[0].match.kind
        early = verdict_without_judge(criterion, self.texts)
        if early is not None:
            return early.model_copy(update={"match_kind": kind})
        present = files_of(criterion, self.texts)
        quote = ""
        for anchor in criterion.anchors:
            passed, reason, quote = self._anchor(anchor, present)
            if not passed:
                return self._failed(criterion, present, reason, anchor.match.kind, quote)
        return _verdict(criterion, "pass", reason, kind, quote)

    def _failed(
        self, criterion: Criterion, present: Sequence[str], reason: str, kind: MatchKind, quote: str
    ) -> Verdict:
        problems = our_problems(present, self.texts)
        if problems:
            return unread(criterion, problems[0]).model_copy(update={"match_kind": kind})
        return _verdict(criterion, "fail", reason, kind, quote)

    def _anchor(self, anchor: Anchor, files: Sequence[str]) -> tuple[bool, str, str]:
        groups = [g for f in files for g in _groups(self.parts[f], anchor)]
        topic = anchor.facet[0] if anchor.facet else "the topic"
        if not groups:
            return False, f"Nothing in the work product speaks of {topic} for this document; it is omitted.", ""
        return _MATCHERS[anchor.match.kind](anchor, groups, topic)


@dataclass(frozen=True)
class _Group:
    """Parts that share one context, as one text."""

    text: str
    heading: str
    strong: bool


def _groups(parts: Sequence[AttributedPart], anchor: Anchor) -> list[_Group]:
    document, topic = document_of(anchor), topic_key(anchor.facet)
    chosen = [p for p in parts if (not document or document in p.documents) and (not anchor.facet or topic in p.topics)]
    groups: list[_Group] = []
    last: AttributedPart | None = None
    for part in chosen:
        if last is not None and (part.group, part.strong) == (last.group, last.strong):
            groups[-1] = _Group(groups[-1].text + "\n" + part.text, groups[-1].heading, part.strong)
        else:
            groups.append(_Group(part.text, part.heading, part.strong))
        last = part
    return groups


def _date(anchor: Anchor, groups: Sequence[_Group], topic: str) -> tuple[bool, str, str]:
    for gold in anchor.match.any:
        for group in groups:
            if states_date(gold, group.text):
                return True, f"States {gold} as {topic}.", _quote(group, partial(states_date, gold))
    return False, f"The {topic} is omitted or stated with another date.", ""


def _value(anchor: Anchor, groups: Sequence[_Group], topic: str) -> tuple[bool, str, str]:
    for gold in anchor.match.any:
        for group in groups:
            if states_value(gold, group.text):
                return True, f"States {gold} as {topic}.", _quote(group, partial(states_value, gold))
    return False, f"The {topic} is omitted or stated with another value.", ""


def _span(anchor: Anchor, groups: Sequence[_Group], topic: str) -> tuple[bool, str, str]:
    threshold = SPAN_THRESHOLD if anchor.match.threshold is None else anchor.match.threshold
    best, quote, denied = 0.0, "", False
    for group in groups:
        overlap = _overlap(anchor, group.text)
        if group.strong and _none(group, anchor):
            denied = True
        elif overlap >= threshold:
            quote = quote or _quote(group, lambda piece: _overlap(anchor, piece) >= threshold)
        best = max(best, overlap)
    if denied:
        return False, f"Denies that there is a {topic} provision.", ""
    if quote:
        return True, f"Conveys the {topic} provision ({best:.0%} of its words).", quote
    # No figures here: the error classes are read off these words.
    how = "only touched upon" if best >= threshold / 2 else "omitted"
    return False, f"The {topic} provision is {how}; its operative terms are not conveyed.", ""


def _absence(anchor: Anchor, groups: Sequence[_Group], topic: str) -> tuple[bool, str, str]:
    quote = ""
    for group in groups:
        if _none(group, anchor):
            quote = quote or _quote(group, lambda piece: denies(piece, anchor.facet))
        elif group.strong and asserts_one(group.text):
            return False, f"Asserts a {topic} provision where there is none.", _quote(group, asserts)
    if quote:
        return True, f"Says plainly that there is no {topic} provision.", quote
    return False, f"Does not say plainly that there is no {topic} provision.", ""


def _overlap(anchor: Anchor, text: str) -> float:
    return max(span_overlap(gold, text) for gold in anchor.match.any)


def _quote(group: _Group, supports: Callable[[str], bool]) -> str:
    """Return the cell or paragraph that supports a verdict: words that stand in the deliverable as they are."""
    pieces = [p.strip() for p in re.split(r"\n|\s\|\s", group.text) if p.strip()]
    return next((p for p in pieces if supports(p)), pieces[0] if pieces else "")[:_QUOTE]


def _none(group: _Group, anchor: Anchor) -> bool:
    return says_none(group.text, anchor.facet, group.heading, group.strong)


_MATCHERS = {
    MatchKind.DATE: _date,
    MatchKind.VALUE: _value,
    MatchKind.SPAN: _span,
    MatchKind.ABSENCE: _absence,
}


def _verdict(criterion: Criterion, status: str, reasoning: str, kind: MatchKind, quote: str = "") -> Verdict:
    return Verdict(
        criterion_id=criterion.id,
        title=criterion.title,
        status="pass" if status == "pass" else "fail",
        reasoning=reasoning,
        match_kind=kind,
        quote=quote,
    )
