"""The work product as a judge sees it, and the verdicts that need no judging."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tasks.judging.records import Verdict
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.rubric import Criterion
from tasks.sources.records import CanonicalText

# Causes that are ours, not the drafter's: they leave a criterion unscored instead of failing it.
OUR_FAULT = frozenset(
    {
        FailureCause.CHANGED,
        FailureCause.READER,
        FailureCause.TIMEOUT,
        FailureCause.CAPACITY,
        FailureCause.SANDBOX,
        FailureCause.UNKNOWN,
    }
)


def read_deliverables(output: Path) -> dict[str, CanonicalText]:
    """Read every file of the work product with the judge's reader, by name relative to ``output``."""
    from tasks.sources.texts import read_file

    files = sorted(p for p in output.rglob("*") if p.is_file() and not p.is_symlink()) if output.is_dir() else []
    names = {p.relative_to(output).as_posix(): p for p in files}
    return {name: read_file(path, name) for name, path in names.items()}


def read_redlines(output: Path, names: Iterable[str]) -> dict[str, CanonicalText]:
    """Read the Word files of the work product with their tracked changes between marks."""
    from tasks.sources.texts import read_file

    return {n: read_file(output / n, n, redlines=True) for n in names if n.lower().endswith(".docx")}


def files_of(criterion: Criterion, texts: Mapping[str, CanonicalText]) -> list[str]:
    """Return the present files that a criterion is judged on."""
    return [f for f in criterion.deliverables or sorted(texts) if f in texts]


def our_problems(files: Sequence[str], texts: Mapping[str, CanonicalText]) -> list[Failure]:
    """Return the failures of our own reader on these files."""
    return [p for f in files for p in texts[f].problems if p.cause in OUR_FAULT]


def verdict_without_judge(criterion: Criterion, texts: Mapping[str, CanonicalText]) -> Verdict | None:
    """Return the verdict that needs no judge: nothing was delivered, it is empty, or we cannot read it."""
    files = files_of(criterion, texts)
    if not files:
        wanted = ", ".join(criterion.deliverables) or "any file"
        return failed_verdict(criterion, f"Missing deliverable: {wanted} was not produced.")
    if any(texts[f].text.strip() for f in files):
        return None
    problems = our_problems(files, texts)
    if problems:
        return unread(criterion, problems[0])
    return failed_verdict(criterion, f"The deliverable is empty: {', '.join(files)}.")


def failed_verdict(criterion: Criterion, reasoning: str) -> Verdict:
    """Return a failed criterion."""
    return Verdict(criterion_id=criterion.id, title=criterion.title, status="fail", reasoning=reasoning)


def unread(criterion: Criterion, problem: Failure) -> Verdict:
    """Return a criterion that is unscored because a file could not be read."""
    message = f"The judge's reader could not read all of the work product: {problem.line()}"
    return unscored_verdict(criterion, FailureCause.READER, message)


def unscored_verdict(criterion: Criterion, cause: FailureCause, reasoning: str) -> Verdict:
    """Return a criterion that could not be judged, with its cause."""
    return Verdict(
        criterion_id=criterion.id, title=criterion.title, status="unscored", reasoning=reasoning, cause=cause
    )
