"""The score of a work product against a reference, from what both say and how that compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeVar

from tasks.judging.checklist import equations
from tasks.judging.checklist.asking import Examiner
from tasks.judging.checklist.comparing import Comparator, compare
from tasks.judging.checklist.definition import aspects, checklist_version
from tasks.judging.checklist.examining import residual_facts, style_marks
from tasks.judging.checklist.records import ChecklistScore, Residual, ScoreProblem
from tasks.judging.checklist.side import Side
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.matter.failures import Failure, FailureCause, SolonError

Found = TypeVar("Found")
_NO_MODEL = "Only a model can tell, and none is configured."
_BEYOND = Item(
    id="residual",
    title="Facts beyond the checklist",
    asks="Any fact of the matter that no item of the checklist covers.",
)


def score(
    checklist: Checklist, candidate: Side, reference: Side, by: Comparator, examiner: Examiner | None = None
) -> ChecklistScore:
    """Score a work product (equations 1 and 2).

    Args:
        checklist: What is looked for.
        candidate: The work product.
        reference: What it is compared with.
        by: Compares values.
        examiner: Takes facts out of what no item covers, and marks the style; without it both scores are missing, and
            with them that of the work product.

    Raises:
        SolonError: The endpoint refuses the key: it ends the judging.
    """
    items = compare(checklist, candidate.filled, reference.filled, by)
    known = ChecklistScore(
        checklist=checklist.name,
        version=checklist_version(checklist),
        alpha=checklist.alpha,
        items=items,
        s_checklist=equations.s_checklist([i.score for i in items if i.score is not None]),
        dropped_values=candidate.filled.dropped_values,
        dropped_evidence=candidate.filled.dropped_evidence,
    )
    return known if not reference.texts else _whole(known, candidate, reference, by, examiner)


def _whole(
    known: ChecklistScore, candidate: Side, reference: Side, by: Comparator, examiner: Examiner | None
) -> ChecklistScore:
    problems: list[ScoreProblem] = []
    ask = partial(_asked, problems)
    facts = ask("residual", partial(_compared_facts, candidate, reference, by, examiner))
    residual = facts or Residual(ratio=reference.ratio())
    marks = ask("style", partial(_marks, candidate, reference, examiner)) or {}
    s_style = equations.s_style(marks.values()) if marks else None
    return known.model_copy(
        update={
            "residual": residual,
            "s_residual": residual.score,
            "style": marks,
            "s_style": s_style,
            "s_gavel": equations.s_gavel(known.alpha, residual.ratio, known.s_checklist, residual.score, s_style),
            "problems": tuple(problems),
        }
    )


def _asked(
    problems: list[ScoreProblem], part: Literal["residual", "style"], question: Callable[[], Found]
) -> Found | None:
    try:
        return question()
    except SolonError as error:
        if error.failure.cause is FailureCause.LOGIN:
            raise
        problems.append(ScoreProblem(part=part, cause=error.failure.cause, message=error.failure.message))
        return None


def _compared_facts(candidate: Side, reference: Side, by: Comparator, examiner: Examiner | None) -> Residual:
    """Compare the facts beyond the checklist.

    A work product without a word has none of them. Where the reference has no such fact, what is left of it is
    connecting words: r is then 0.

    Raises:
        SolonError: Nobody can take them out of the texts.
    """
    ratio = reference.ratio()
    if ratio == 0:
        return Residual(ratio=0.0)
    if candidate.empty():
        return Residual(ratio=ratio, score=0.0)
    if examiner is None:
        raise _untold(_NO_MODEL)
    if unread := next((e for e in candidate.filled.entries.values() if e.cause is not None), None):
        # what an unscored item would have covered is not beyond the checklist
        raise _untold(f"An item could not be read, and so what is beyond all items: {unread.message}", unread.cause)
    theirs = residual_facts(examiner, reference.passages())
    if not theirs:
        return Residual(ratio=0.0)
    ours = residual_facts(examiner, candidate.passages())
    matched = len(by.match(_BEYOND, ours, theirs).pairs) if ours else 0
    return Residual(
        ratio=ratio,
        reference=len(theirs),
        candidate=len(ours),
        matched=matched,
        score=equations.s_residual(matched, len(ours), len(theirs)),
    )


def _marks(candidate: Side, reference: Side, examiner: Examiner | None) -> dict[str, int]:
    if candidate.empty():
        return {aspect.id: 1 for aspect in aspects()}  # nothing is alike
    if examiner is None:
        raise _untold(_NO_MODEL)
    both: Sequence[str] = ["\n\n".join(side.texts.values()) for side in (candidate, reference)]
    return style_marks(examiner, aspects(), both[0], both[1])


def _untold(message: str, cause: FailureCause | None = None) -> SolonError:
    remedy = "judge with checklist+model:<profile>" if cause is None else ""
    kind = cause or FailureCause.POLICY
    return SolonError(Failure(cause=kind, stage="judging", subject="checklist", message=message, remedy=remedy))
