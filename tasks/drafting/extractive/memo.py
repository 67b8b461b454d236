"""The memorandum: the answer first, then the clause quoted and cited, then what was not found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skills_repo.schema import Procedure
from tasks.asks.table import TITLE
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.bottom_line import bottom_line, document_numbers, papers_differ
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.quoting import Quote, citation, place_of, quote
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.retrieval.records import Skeleton
from tasks.sources.records import CoverageEntry

# Parts of a memorandum: how a skeleton may call each, and the usual title; the order is the usual one.
PARTS = (
    ("bottom", re.compile(r"bottom line|summary|conclusion|short answer", re.I), "Bottom line"),
    ("table", re.compile(r"table|matrix", re.I), "Table of answers"),
    ("findings", re.compile(r"finding|analysis|discussion", re.I), "Findings"),
    ("actions", re.compile(r"action|recommend|next step", re.I), "Recommended actions"),
    ("missing", re.compile(r"not found|absent|missing", re.I), "Not found"),
    ("ledger", re.compile(r"figures|ledger", re.I), "Figures and dates"),
    ("limits", re.compile(r"open points|limits|assumption|caveat", re.I), "Open points and limits"),
)

_GATE = re.compile(r"\bbefore (?:closing|signing|approval)\b", re.I)
_SIDE_BY_SIDE = 4  # documents that a table of a page's width sets side by side
_LONG_TITLE = 60  # characters; a longer title names its parties


@dataclass(frozen=True)
class Report:
    """What a work product says of a matter.

    Attributes:
        answers: Answers by document, in the order of the topics.
        set_aside: Documents that were read and set aside, with the reason.
        extra: Further lines of the bottom line.
        dependencies: Lines on what a finding depends on, by document and name of the provision.
        asked: The table of asks, as Markdown.
        quiet: Documents without an answer that share one line: those that are no agreements, and supplements to one.
    """

    title: str
    request: str
    readings: tuple[SentencedDocument, ...]
    topics: tuple[Topic, ...]
    answers: Mapping[str, tuple[Answer, ...]]
    settings: Procedure
    coverage: tuple[CoverageEntry, ...] = ()
    set_aside: tuple[tuple[str, str], ...] = ()
    quiet: frozenset[str] = frozenset()
    asked: str = ""
    extra: tuple[str, ...] = field(default=())
    dependencies: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    @property
    def asks(self) -> bool:
        """Tell whether the brief asks questions rather than for a list of points."""
        return all(t.question for t in self.topics)

    def quotes(self, answer: Answer, reading: SentencedDocument, limit: int) -> list[Quote]:
        """Return the quotations of an answer, in reading order, within a limit on their total words.

        The sentence that best supports the answer is quoted first, in case the limit leaves no room for the others.
        """
        ranked = sorted(answer.support, key=lambda u: -answer.weight(u))
        kept: list[Quote] = []
        left = limit
        for unit in ranked:
            if kept and left < min(unit.words, 25):
                continue
            made = quote(unit, answer.topic.provision, reading.text, min(self.settings.quote_words, max(left, 30)))
            kept.append(made)
            left -= made.words
        if answer.topic.question:
            return kept  # a question is answered by the best sentence first
        return sorted(kept, key=lambda q: q.unit.start)

    def limit(self, answer: Answer, budget: int) -> int:
        """Return the words that the quotations of an answer may take when its document has ``budget`` for all."""
        wanted = [self._wanted(a) for a in self.answers[answer.document] if a.found]
        level = _level(wanted, budget)
        return min(self._wanted(answer), level)

    def _wanted(self, answer: Answer) -> int:
        if answer.topic.provision.answer != "clause":
            return min(60, self.settings.quote_words)
        return sum(min(u.words, self.settings.quote_words) for u in answer.support)


def memorandum(report: Report, skeleton: Skeleton | None = None) -> str:
    """Return the memorandum as Markdown, its sections named and ordered as the skeleton asks."""
    sections = list(skeleton.sections) if skeleton is not None else []
    titles = {
        kind: next((s.title for s in sections if pattern.search(s.title)), usual) for kind, pattern, usual in PARTS
    }
    order = [kind for s in sections for kind, pattern, _ in PARTS if pattern.search(s.title)]
    order = list(dict.fromkeys([*order, *(kind for kind, _, _ in PARTS)]))
    bodies = {kind: _body(kind, report) for kind in order}
    written = [f"## {titles[kind]}\n\n{bodies[kind]}" for kind in order if bodies[kind]]
    return "\n".join([_header(report), f"## {TITLE}\n\n{report.asked}\n", *written])


def _body(kind: str, report: Report) -> str:
    makers = {
        "bottom": _bottom_line,
        "table": _table,
        "findings": _findings,
        "missing": _not_found,
        "actions": _actions,
        "ledger": _ledger,
        "limits": _limits,
    }
    return makers[kind](report)


def _findings(report: Report) -> str:
    return "\n".join(_document(report, n, r) for n, r in enumerate(report.readings, 1))


def _actions(report: Report) -> str:
    """Return the recommended actions on what was found, one per topic, with their owners."""
    if not report.settings.recommend_actions:
        return ""
    rows = []
    for topic, answers in _by_topic(report):
        found = [n for n, a in answers if a.found]
        if found and topic.provision.action:
            gating = bool(_GATE.search(topic.provision.owner))
            rate = ("**High.** " if gating else "**Medium.** ") if report.settings.severity_ratings else ""
            said = (
                f"{topic.words} ({document_numbers(found)}): {topic.provision.action} Owner: {topic.provision.owner}."
            )
            rows.append((not gating and report.settings.severity_ratings, f"- {rate}{said}"))
    lines = [said for _, said in sorted(rows, key=lambda r: r[0])]
    if lines and report.settings.severity_ratings:
        lines.append("\nHigh: to be settled before closing, signing or approval. Medium: to be managed afterwards.")
    return "\n".join(lines) + "\n" if lines else ""


def _header(report: Report) -> str:
    return (
        f"# {report.title}\n\n"
        "**Draft for attorney review**\n\n"
        "- To: Supervising attorney\n- From: Solon, extractive runtime (no model)\n"
        f"- Date: date of the run, to be set on review\n- Subject: {report.title}\n"
    )


def _short_answers(report: Report) -> str:
    """Return what each document answers to each question, in a line with its place."""
    lines, asked = [], ""
    for topic, answers in _by_topic(report):
        question = topic.question if topic.question != asked else ""
        asked = topic.question
        lines.append(f"{question}\n\n**{topic.heading}**\n".lstrip())
        for (number, answer), reading in zip(answers, report.readings, strict=True):
            said = _escape(answer.value) if answer.found else f"no {topic.words} provision was found"
            said = f"**{said}** [{place_of(best_of(answer))}]" if answer.found and answer.support else said
            doubt = "" if answer.certain or not answer.found else " (to be verified)"
            lines.append(f"- No. {number}, {_escape(_distinctive_name(reading))}: {said}{doubt}.")
        lines.append("")
    lines.extend(report.extra)
    return "\n".join(lines).rstrip() + "\n"


def _distinctive_name(reading: SentencedDocument) -> str:
    """Return the name that distinguishes a document from others: its title and its first party."""
    title = reading.identity.title or reading.document
    parties = [p for p in dict.fromkeys(reading.identity.parties) if p.lower() not in title.lower()][:2]
    return f"{title} ({'; '.join(parties)})" if parties and len(title) < _LONG_TITLE else title


def best_of(answer: Answer) -> Unit:
    """Return the sentence that best supports an answer."""
    return max(answer.support, key=lambda u: (answer.weight(u), -u.start))


def _bottom_line(report: Report) -> str:
    if report.asks:
        return _short_answers(report)
    lines = []
    total = len(report.readings)
    lines.append(
        f"{total} document{'s' if total != 1 else ''} answer{'s' if total == 1 else ''} the request, numbered as"
        f" below.\n"
    )
    for topic, answers in _by_topic(report):
        differs = papers_differ(answers, report.quiet)
        if topic.provision.answer == "clause" or differs:
            told = bottom_line(topic.words, answers)
            lines.append(f"{told}. The papers give different answers; reconcile them." if differs else told)
    lines.extend(report.extra)
    return "\n".join(lines) + "\n"


def _by_topic(report: Report) -> Iterator[tuple[Topic, list[tuple[int, Answer]]]]:
    for index, topic in enumerate(report.topics):
        yield topic, [(n, report.answers[r.document][index]) for n, r in enumerate(report.readings, 1)]


def _table(report: Report) -> str:
    if report.asks:
        return ""  # the short answers say it
    if report.settings.compare_documents and 1 < len(report.readings) <= _SIDE_BY_SIDE:
        return _side_by_side(report)
    lines = ["| Document | Topic | Answer | Clause |", "|---|---|---|---|"]
    for reading in report.readings:
        for answer in report.answers[reading.document]:
            if not answer.found and reading.document in report.quiet:
                continue
            place = place_of(best_of(answer)) if answer.support and answer.found else "–"
            lines.append(f"| {reading.document} | {answer.topic.words} | {cell(answer)} | {_escape(place)} |")
    return "\n".join(lines) + "\n"


def _side_by_side(report: Report) -> str:
    """Return a table with one row per topic and one column per document."""
    names = [f"No. {n}: {_escape(_distinctive_name(r))}" for n, r in enumerate(report.readings, 1)]
    lines = [f"| Topic | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for topic, answers in _by_topic(report):
        cells = [
            f"{cell(a)} [{_escape(place_of(best_of(a)))}]" if a.found and a.support else cell(a) if a.found else "–"
            for _, a in answers
        ]
        lines.append(f"| {_escape(topic.words)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\nA dash stands where the document was searched and has none.\n"


def cell(answer: Answer) -> str:
    """Return the answer as a cell of a table."""
    return _escape(answer.value) if answer.found else "None found"


def _escape(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ")


def _document(report: Report, number: int, reading: SentencedDocument) -> str:
    lines = [f"### {number}. {_escape(reading.identity.heading)}\n"]
    told = [a for a in report.answers[reading.document] if a.found or reading.document not in report.quiet]
    silent = [a.topic.words for a in report.answers[reading.document] if a not in told]
    if silent:
        said = "It leaves to the instrument that it supplements" if reading.identity.agreement else "It is silent on"
        lines.append(f"{said}: {', '.join(silent)}.\n")
    for answer in told:
        lines.append(f"#### {answer.topic.heading}\n")
        lines.extend(_finding(report, reading, answer))
    return "\n".join(lines)


def _finding(report: Report, reading: SentencedDocument, answer: Answer) -> Iterator[str]:
    if not answer.found:
        yield _none(answer, reading) + "\n"
        return
    quotes = report.quotes(answer, reading, report.limit(answer, report.settings.memo_words))
    lead = _lead(answer)
    quoted = [f"{q.text} {citation(q.unit, reading.identity)}" for q in quotes]
    if not report.settings.answer_first:
        quoted, lead = quoted[1:], (quoted[0] + " " + lead if quoted else lead)
    yield " ".join([lead, *quoted[:1]]) + "\n"
    for text in quoted[1:]:
        yield text + "\n"
    for tie in report.dependencies.get((reading.document, answer.topic.provision.name), ()):
        yield tie + "\n"


def _level(wanted: Sequence[int], budget: int) -> int:
    """Return the bound on each share that keeps the total within the budget."""
    left, shares = budget, sorted(wanted)
    for index, share in enumerate(shares):
        even = left // (len(shares) - index)
        if share > even:
            return max(even, 40)
        left -= share
    return max([*shares, 40])


def _lead(answer: Answer) -> str:
    doubt = "" if answer.certain else " (to be verified)"
    if answer.topic.provision.answer == "clause":
        return f"**{answer.value}**{doubt}."
    note = f" {answer.note}" if answer.note else doubt
    return f"**{answer.value}**.{note}"


def _none(answer: Answer, reading: SentencedDocument) -> str:
    plain = f"No {answer.topic.words} provision was found"
    if not answer.denials:
        return f"{plain}."
    return f"{plain}; it is expressly ruled out {citation(answer.denials[0], reading.identity)}."


def _not_found(report: Report) -> str:
    if not report.settings.not_found_statements or report.asks:
        return ""
    lines = []
    for reading in report.readings:
        missing = [a.topic.words for a in report.answers[reading.document] if not a.found]
        if missing and reading.document not in report.quiet:
            lines.append(f"- {reading.document}: {', '.join(missing)}.")
    if not lines:
        return "Every point was found in each agreement; the other papers are told in their own sections.\n"
    return (
        "Every sentence of each document was searched for the usual words of each topic.\n\n" + "\n".join(lines) + "\n"
    )


def _ledger(report: Report) -> str:
    if not report.settings.ledger:
        return ""
    rows = []
    for reading in report.readings:
        for answer in report.answers[reading.document]:
            if answer.found and (answer.day or answer.topic.provision.answer in {"renewal", "renewal_notice"}):
                source = place_of(answer.support[0]) if answer.support else "–"
                how = answer.note or "as stated"
                rows.append(
                    f"| {reading.document} | {answer.topic.words} | {_escape(answer.value)} | {_escape(source)} "
                    f"| {_escape(how)} |"
                )
    if not rows:
        return ""
    head = "| Document | What | Value | Source | How |\n|---|---|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _limits(report: Report) -> str:
    lines = []
    for topic, answers in _by_topic(report):
        weak = [str(n) for n, a in answers if a.found and not a.certain]
        if weak:
            lines.append(f"- {topic.words}: verify the reading of No. {', '.join(weak)} against the document.")
    for entry in report.coverage:
        if entry.status != "read":
            reason = entry.failures[0].message if entry.failures else "no text"
            lines.append(
                f"- {entry.document} was {'read in part' if entry.status == 'partial' else 'not read'}:"
                f" {_escape(reason)}"
            )
    lines.extend(f"- {name}: set aside; {why}" for name, why in report.set_aside)
    lines.append("- Exhibits and agreements referred to but not in the data room were not reviewed.")
    return "\n".join(lines) + "\n"


def short_quotes(report: Report, answer: Answer, reading: SentencedDocument) -> Sequence[Quote]:
    """Return the quotations for one row of a matrix."""
    return report.quotes(answer, reading, report.limit(answer, report.settings.matrix_words))
