"""The memorandum: the answer first, the table of asks, then the clauses quoted and cited, then what was not found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tasks.asks.table import TITLE, ask_table
from tasks.drafting.extractive.render.contrasts import differences
from tasks.drafting.extractive.render.findings import chronology, findings
from tasks.drafting.extractive.render.follow_up import actions, ledger
from tasks.drafting.extractive.render.gaps import left_open, limits, missing
from tasks.drafting.extractive.render.overview import bottom_line, table
from tasks.drafting.extractive.render.told import Told
from tasks.legaltext.markdown import verbatim
from tasks.retrieval.records import Skeleton


def asked(told: Told) -> str:
    """Return the table of asks."""
    return ask_table(told.asks, told.answers.values()) + "\n" if told.asks.asks else ""


# The parts in their usual order, and how the form that a deliverable must have may call each.
_PARTS: Sequence[tuple[str, re.Pattern[str], Callable[[Told], str]]] = (
    (
        "Bottom line",
        re.compile(r"bottom line|summary|conclusion|(?:short|brief) answer|overview", re.I),
        bottom_line,
    ),
    (TITLE, re.compile(r"what was asked|questions? presented", re.I), asked),
    ("Table of answers", re.compile(r"\btable\b|matrix|comparison|side by side", re.I), table),
    (
        "Chronology",
        re.compile(r"chronolog|timeline|sequence of|(?:key|critical) dates", re.I),
        chronology,
    ),
    ("Where the papers differ", re.compile(r"conflict|inconsisten|discrepanc", re.I), differences),
    ("Findings", re.compile(r"findings?\b|analysis|discussion|key terms", re.I), findings),
    ("Recommended actions", re.compile(r"\bactions?\b|recommend|next steps?", re.I), actions),
    ("Left open", re.compile(r"left open|not attempted|for (?:the )?attorney", re.I), left_open),
    ("Not found", re.compile(r"not found|absent|missing|\bgaps?\b", re.I), missing),
    ("Figures and dates", re.compile(r"\bfigures\b|ledger|calculations?", re.I), ledger),
    ("Open points and limits", re.compile(r"open (?:points|items|issues)|limit|assumption|caveat", re.I), limits),
)
_ALONE = ("Bottom line", TITLE, "Left open", "Not found", "Open points and limits")  # where nothing was answered
_NOTHING = (
    "Nothing of what was asked is answered in this note: {at_work}, and what could be looked up was not"
    " found. It says what was searched for and shows the passages that come nearest."
)


def memorandum(told: Told, skeleton: Skeleton | None = None) -> str:
    """Return the memorandum as Markdown, its sections named and ordered as the skeleton asks.

    A section of the skeleton for which there is nothing to say is left out, and the gate reports it. Where nothing is
    answered there is no memorandum, but a note that says so.
    """
    titles, order = order_of(skeleton)
    if not told.found:
        order = [usual for usual in order if usual in _ALONE]
    bodies = {usual: body for usual, _, make in _PARTS if usual in order and (body := make(told))}
    written = [f"## {titles[usual]}\n\n{bodies[usual]}" for usual in order if usual in bodies]
    return "\n".join([header(told), *written])


def body_of(told: Told) -> str:
    """Return the memorandum without its head, to stand in a note."""
    made = memorandum(told)
    return made[made.find("\n## ") :]


def order_of(skeleton: Skeleton | None) -> tuple[dict[str, str], list[str]]:
    """Return how each part is called, and the order of the parts: the skeleton's, then the usual one.

    The bottom line comes first and the table of asks after it, whatever the skeleton says.
    """
    titles = {usual: usual for usual, *_ in _PARTS}
    named: list[str] = []
    for section in skeleton.sections if skeleton is not None else ():
        fits = (usual for usual, pattern, _ in _PARTS if usual not in named and pattern.search(section.title))
        if (usual := next(fits, None)) is not None and usual != TITLE:
            titles[usual] = section.title
            named.append(usual)
    usual_order = [usual for usual, *_ in _PARTS]
    order = list(dict.fromkeys([*usual_order[:2], *named]))
    for at in range(len(usual_order) - 1, -1, -1):
        if usual_order[at] not in order:  # it keeps its place ahead of what usually follows it
            after = next((usual for usual in usual_order[at + 1 :] if usual in order), None)
            order.insert(order.index(after) if after else len(order), usual_order[at])
    return titles, order


def header(told: Told) -> str:
    """Return the title, to whom and from whom the draft is, and what it is about."""
    lines = [
        "- To: Supervising attorney",
        f"- From: {verbatim(told.signature.by)}",
        "- Date: date of the run, to be set on review",
        *([f"- Subject: {verbatim(told.subject)}"] if told.subject != told.title else []),
        *([] if told.found else [f"\n{_NOTHING.format(at_work=told.signature.at_work)}"]),
    ]
    return f"# {verbatim(told.title)}\n\n**Draft for attorney review**\n\n" + "\n".join(lines) + "\n"
