"""The release report on one page, as a supervising lawyer reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tasks.asks.records import TO_BE_VERIFIED, AskOutcome, AskState
from tasks.reconcile.records import Finding
from tasks.reconcile.registry import KINDS
from tasks.release.gates import ordered
from tasks.release.records import ReleaseReport

_STATUS = {
    "released": "Released",
    "released_with_open_asks": "Released with open asks",
    "released_with_flags": "Released with flags",
    "not_answered": "Not answered",
    "blocked": "Blocked",
}
_SHOWN = 12  # findings of a severity on the one page of the report
_ODD = 10  # documents that could not be read whole, on the same page


def render_report(report: ReleaseReport) -> str:
    """Render a release report as one page of Markdown."""
    findings = ordered(f for g in report.gates for f in g.findings)
    lines = [f"# Release report: {headline(report)}", "", f"Matter: {_inline(report.matter_id)}", ""]
    lines.extend(_summary(report, findings))
    lines.extend(_asks(report))
    for severity, title in (("block", "Blocks the release"), ("flag", "Needs a lawyer's eye"), ("note", "Notes")):
        chosen = [f for f in findings if f.severity == severity]
        if chosen:
            lines.extend(["", f"## {title} ({len(chosen)})", ""])
            lines.extend(_findings(chosen, _SHOWN if severity != "note" else 5))
    lines.extend(["", "## Gates", "", "| Gate | Result | Checked | Verified | Flags |", "|---|---|---:|---:|---:|"])
    for gate in report.gates:
        flags = sum(f.severity != "note" for f in gate.findings)
        lines.append(f"| {gate.gate} | {gate.status} | {gate.checked:,} | {gate.verified:,} | {flags:,} |")
    lines.extend(["", "## Coverage", "", *_coverage(report)])
    return "\n".join(lines) + "\n"


def headline(report: ReleaseReport) -> str:
    """Return the release in one line: its status, and what is open, to be verified or unread.

    Where no answer is certain the word "released" is not said: nothing is finished that a lawyer may pass on.
    """
    answered = [a for a in report.asks if a.state is not AskState.NOT_ATTEMPTED]
    doubtful = sum(a.doubtful for a in answered)
    unread = sum(c.status == "unread" for c in report.coverage)
    left = len(report.asks) - len(answered)
    counted = (
        (left and answered, f"{left} of {_number(len(report.asks), 'ask')} left open"),
        (doubtful, f"{doubtful} of {_number(len(answered), 'answer')} to be verified"),
        (unread, f"{_number(unread, 'document')} not read"),
    )
    told = "; ".join(words for holds, words in counted if holds)
    uncertain = answered and doubtful == len(answered) and report.status.startswith("released")
    status = "To be verified" if uncertain else _STATUS[report.status]
    return f"{status}: {told}" if told else status


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _summary(report: ReleaseReport, findings: list[Finding]) -> Iterator[str]:
    traced = [g for g in report.gates if g.gate != "asks"]
    checked = sum(g.checked for g in traced)
    verified = sum(g.verified for g in traced)
    blocks = sum(f.severity == "block" for f in findings)
    flags = sum(f.severity == "flag" for f in findings)
    yield (
        f"{_counted(report)}. {blocks} blocking, {flags} flagged; {verified:,} of {checked:,} figures, dates, "
        "citations and parts that the gates looked at were traced to a source, which does not say that an "
        "answer is right; "
        f"{len(report.deliverables)} deliverable(s) reopened: {', '.join(map(_inline, report.deliverables)) or 'none'}."
    )


def _counted(report: ReleaseReport) -> str:
    states = Counter(_state(a) for a in report.asks)
    told = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
    return f"{_number(len(report.asks), 'ask')}: {told}" if told else "No ask was found in the brief"


def _state(told: AskOutcome) -> str:
    """Return the state of an ask in words, with a note if it must be checked."""
    return f"{told.state.value}, {TO_BE_VERIFIED}" if told.doubtful else told.state.value


def _asks(report: ReleaseReport) -> Iterator[str]:
    """Show every ask with its state, open ones first."""
    if not report.asks:
        return
    yield from ("", "## What was asked", "", "| No. | Asked | State | Answer, or why not |", "|---|---|---|---|")
    for told in sorted(report.asks, key=lambda a: a.state is not AskState.NOT_ATTEMPTED):
        said = told.problem or told.answer or next((e.reason for e in told.entries if e.reason), "")
        yield f"| {told.ask.ask_id} | {_inline(told.ask.words)} | {_state(told)} | {_inline(said)} |"


_UNVERIFIED = "unverified_answer"


def _findings(findings: list[Finding], shown: int) -> Iterator[str]:
    """List flags; the same thing said in several places, or by two gates, is one flag.

    What the draft itself calls uncertain is one flag too, and the last: it hides no other.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in sorted(findings, key=lambda f: f.kind == _UNVERIFIED):
        text = "" if finding.kind == _UNVERIFIED else finding.text.lower()
        groups.setdefault((finding.deliverable, finding.kind, text), []).append(finding)
    for n, group in enumerate(list(groups.values())[:shown], start=1):
        finding = group[0]
        where = f"{_inline(finding.deliverable)}: " if finding.deliverable else ""
        texts = [f"“{_inline(t, 100)}”" for t in dict.fromkeys(f.text for f in group) if t]
        what = f"{'; '.join(texts)} " if texts else ""
        places = len({f.start for f in group})
        often = f" (in {places} places)" if places > 1 else ""
        yield f"{n}. **{where}{what}{KINDS[finding.kind]}{often}.** {_inline(finding.checked, 300)}"
        if finding.sentence:
            yield f"   Sentence: “{_inline(finding.sentence, 220)}”"
        if finding.remedy:
            yield f"   Remedy: {_inline(finding.remedy, 200)}"
    rest = Counter(KINDS[key[1]] for key in list(groups)[shown:])
    if rest:
        counted = ", ".join(f"{n} {kind}" for kind, n in rest.most_common())
        yield f"{shown + 1}. … and {sum(rest.values())} more: {counted}"


def _coverage(report: ReleaseReport) -> Iterator[str]:
    counts = Counter(c.status for c in report.coverage)
    yield (
        f"{len(report.coverage)} documents: {counts['read']} read, {counts['partial']} read in part, "
        f"{counts['unread']} not read."
    )
    odd = [c for c in report.coverage if c.status != "read"]
    for entry in odd[:_ODD]:
        why = _inline(entry.failures[0].message, 160) if entry.failures else "no reason recorded"
        yield f"- {_inline(entry.document)} ({entry.status}): {why}"
    if len(odd) > _ODD:
        yield f"- … and {len(odd) - _ODD} more"


def _inline(text: str, limit: int = 160) -> str:
    """Fit foreign text on one line, without characters that would open Markdown structure."""
    flat = " ".join(text.split())
    flat = flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
    for mark in "\\`*_<>[]|#":
        flat = flat.replace(mark, "\\" + mark)
    return flat
