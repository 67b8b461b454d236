"""The memorandum on a request in prose: what the documents say about it, in the sections that its form requires.

Where no list of points is asked, this runtime cannot reason to an answer. It says so, and gives what a reviewer needs
to reach one: the papers, events, figures, periods, contradictions, and the passages nearest the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.table import TITLE
from tasks.drafting.extractive.digest import Conflict, Digest, DigestLine
from tasks.legaltext.fold import quotable
from tasks.retrieval.records import Passage, Skeleton
from tasks.sources.records import CoverageEntry

# Which part of the survey a section of the skeleton calls for; the first that fits, each part once.
PARTS = (
    ("bottom", re.compile(r"bottom line|executive|summary|conclusion|short answer|brief answer|overview", re.I)),
    ("conflicts", re.compile(r"conflict|inconsisten|discrepan|deviation|variance|comparison", re.I)),
    ("events", re.compile(r"chronolog|timeline|sequence|history|key dates|critical dates", re.I)),
    ("figures", re.compile(r"figure|financ|calculat|damages|econom|quantum|ledger|valuation|amounts?|price", re.I)),
    (
        "periods",
        re.compile(r"deadline|obligation|covenant|calendar|notice|timing|conditions?|tracker|requirement", re.I),
    ),
    ("terms", re.compile(r"defin|defined terms|glossary", re.I)),
    ("papers", re.compile(r"background|facts|papers|documents|parties|scope|record|introduction", re.I)),
    ("actions", re.compile(r"recommend|next step|action|closing|remediation|response", re.I)),
    ("open", re.compile(r"open|limit|assumption|gaps in the record|caveat|missing", re.I)),
    (
        "passages",
        re.compile(
            r"analysis|finding|issue|discussion|argument|risk|question|review|exposure|matrix|register|gaps?\b", re.I
        ),
    ),
)
TITLES = {
    "bottom": "Bottom line",
    "conflicts": "Where the papers differ",
    "passages": "Passages that bear on the request",
    "figures": "Key figures",
    "periods": "Periods, deadlines and obligations",
    "events": "Chronology",
    "terms": "Definitions that matter",
    "papers": "The papers",
    "actions": "Next steps",
    "open": "Open points and limits",
}
NOT_DETERMINED = (
    "Not determined by this runtime: legal analysis, conclusions and recommendations on the law. No model was used;"
    " what follows is taken from the papers word for word, with its place, for the attorney to judge."
)


@dataclass(frozen=True)
class Asked:
    """A part of the request and the passages nearest to it."""

    words: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Survey:
    """What a work product on a request in prose is written from.

    Attributes:
        table: The table of asks, as Markdown.
        papers: File, kind, title, date and people of each document.
        computed: Ratios and floors recomputed from the sheets, each with its operands.
    """

    title: str
    table: str
    request: str
    papers: tuple[tuple[str, str, str, str, str], ...]
    digest: Digest
    asked: tuple[Asked, ...]
    coverage: tuple[CoverageEntry, ...]
    set_aside: tuple[tuple[str, str], ...] = ()
    computed: tuple[str, ...] = ()


def survey_markdown(survey: Survey, skeleton: Skeleton | None, found: dict[str, tuple[Passage, ...]]) -> str:
    """Return the memorandum as Markdown, its sections named and ordered as the skeleton asks.

    ``found`` holds the passages for sections that no part of the survey fits, by section title.
    """
    parts: list[str] = [_header(survey), f"## {TITLE}\n\n{survey.table}\n"]
    used: set[str] = set()
    for title, kind in planned(skeleton):
        body = _body(kind, survey) if kind else _quoted(found.get(title, ()))
        used.add(kind)
        parts.append(f"## {title}\n\n{body or _nothing_found(kind)}\n")
    for kind, title in TITLES.items():
        body = "" if kind in used else _body(kind, survey)
        if body:
            parts.append(f"## {title}\n\n{body}\n")
    return "\n".join(parts)


def with_record(markdown: str, skeleton: Skeleton | None, digest: Digest) -> str:
    """Add the chronology and conflicts that the form requires to a memorandum on points, after its first section."""
    bodies = {
        "events": _lines(digest.events),
        "conflicts": "\n".join(f"- {c.label}: {_values(c)}." for c in digest.conflicts),
    }
    wanted = [(title, kind) for title, kind in planned(skeleton) if kind in bodies and f"## {title}" not in markdown]
    added = "".join(f"## {title}\n\n{bodies[kind] or _nothing_found(kind)}\n\n" for title, kind in wanted)
    first = markdown.find("\n## ")
    at = markdown.find("\n## ", first + 1) + 1 if first >= 0 else 0
    return f"{markdown[:at]}{added}{markdown[at:]}" if at else f"{markdown}\n{added}"


def planned(skeleton: Skeleton | None) -> list[tuple[str, str]]:
    """Return the sections of a skeleton with the part of the survey that fills each; empty where none does."""
    sections = [s.title for s in skeleton.sections] if skeleton is not None else []
    rows: list[tuple[str, str]] = []
    used: set[str] = set()
    for title in sections:
        kind = next((k for k, pattern in PARTS if k not in used and pattern.search(title)), "")
        used.add(kind)
        rows.append((title, kind))
    return rows if "bottom" in used else [(TITLES["bottom"], "bottom"), *rows]


def survey_tables(survey: Survey) -> list[dict[str, object]]:
    """Return the survey as tables of a workbook."""
    digest = survey.digest
    tables = [
        _table("Chronology", ("Date", "Event", "Document", "Place"), [_row(e) for e in digest.events]),
        _table("Figures", ("Figure", "Sentence", "Document", "Place"), [_row(e) for e in digest.figures]),
        _table("Obligations", ("Period", "Sentence", "Document", "Place"), [_row(e) for e in digest.periods]),
        _table("Conflicts", ("What", "Values"), [[c.label, _values(c)] for c in digest.conflicts]),
        _table("Documents", ("Document", "Kind", "Title", "Date", "People"), [list(p) for p in survey.papers]),
        _table(
            "Open points", ("Point", "Document", "Place"), [[e.says, e.document, e.place] for e in digest.unsettled]
        ),
    ]
    filled = [t for t in tables if t["rows"]]
    return filled or tables[4:5]


def _table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, object]:
    return {"name": name, "columns": [{"name": c, "type": "text"} for c in columns], "rows": [list(r) for r in rows]}


def _row(entry: DigestLine) -> list[str]:
    return [entry.key, entry.says, entry.document, entry.place]


def _header(survey: Survey) -> str:
    return (
        f"# {survey.title}\n\n**Draft for attorney review**\n\n- To: Supervising attorney\n"
        "- From: Solon, extractive runtime (no model)\n- Date: date of the run, to be set on review\n"
        f"- Subject: {survey.title}\n"
    )


def _body(kind: str, survey: Survey) -> str:
    digest = survey.digest
    writers = {
        "bottom": lambda: "\n".join(_bottom(survey)),
        "papers": lambda: "\n".join(_papers(survey)),
        "events": lambda: _lines(digest.events),
        "figures": lambda: "\n".join([*(f"- {c}" for c in survey.computed), _lines(digest.figures)]).strip(),
        "periods": lambda: _lines(digest.periods),
        "terms": lambda: _lines(digest.terms),
        "conflicts": lambda: "\n".join(f"- {c.label}: {_values(c)}." for c in digest.conflicts),
        "passages": lambda: "\n".join(_lines_on_request(survey)),
        "actions": lambda: "\n".join(_actions(survey)),
        "open": lambda: "\n".join(_open(survey)),
    }
    return writers[kind]()


def _nothing_found(kind: str) -> str:
    if kind == "conflicts":
        return "No figure or date was found to which two papers give different values under the same name."
    return "No passage could be placed here without legal judgment; the record is in the sections below."


def _lines(entries: Sequence[DigestLine]) -> str:
    return "\n".join(f"- **{e.key}**: {e.says} [{e.document}, {e.place}]" for e in entries)


def _values(conflict: Conflict) -> str:
    return "; ".join(f"{e.key} [{e.document}, {e.place}]" for e in conflict.entries)


def _bottom(survey: Survey) -> Iterator[str]:
    digest = survey.digest
    yield f"Asked: {' '.join(survey.request.split())[:400]}\n"
    yield f"{NOT_DETERMINED}\n"
    yield f"- Read: {len(survey.papers)} documents."
    for conflict in digest.conflicts[:4]:
        yield f"- The papers differ on {conflict.label}: {_values(conflict)}. Decide which controls."
    yield from (f"- Recomputed: {c}" for c in survey.computed[:4])
    for entry in sorted(digest.periods, key=lambda e: -e.weight)[:2]:
        yield f"- Period to watch: {entry.key} [{entry.document}, {entry.place}]."
    if digest.events:
        first, last = digest.events[0], digest.events[-1]
        yield f"- Events run from {first.key} [{first.document}] to {last.key} [{last.document}]."
    unread = [c.document for c in survey.coverage if c.status != "read"]
    if unread:
        yield f"- Not or only partly read: {', '.join(unread)}."


def _papers(survey: Survey) -> Iterator[str]:
    yield "| Document | Kind | Title | Date | People |\n|---|---|---|---|---|"
    for row in survey.papers:
        yield "| " + " | ".join(cell.replace("|", "/") or "–" for cell in row) + " |"


def _lines_on_request(survey: Survey) -> Iterator[str]:
    for part in survey.asked:
        if part.passages:
            yield f"### {part.words}\n\n{_quoted(part.passages)}\n"


def _quoted(passages: Sequence[Passage]) -> str:
    return "\n".join(f"- “{_short(p.text)}” [{p.span.document}{', ' + p.label if p.label else ''}]" for p in passages)


def _short(text: str, words: int = 38) -> str:
    flat = quotable(text).split()
    return " ".join(flat[:words]) + (" …" if len(flat) > words else "")


def _actions(survey: Survey) -> Iterator[str]:
    for conflict in survey.digest.conflicts:
        yield f"- Settle which value of {conflict.label} controls ({_values(conflict)}). Owner: responsible attorney."
    for entry in sorted(survey.digest.periods, key=lambda e: -e.weight)[:3]:
        yield f"- Fix the trigger and the end of: {entry.key} [{entry.document}, {entry.place}]. Owner: docketing."
    for entry in survey.digest.unsettled[:4]:
        yield f"- Obtain what is outstanding: {entry.says} [{entry.document}, {entry.place}]."
    yield "- Supply the legal analysis that the request asks for; this draft gives the record only."


def _open(survey: Survey) -> Iterator[str]:
    yield f"- {NOT_DETERMINED}"
    for entry in survey.digest.unsettled:
        yield f"- {entry.says} [{entry.document}, {entry.place}]"
    for item in survey.coverage:
        if item.status != "read":
            reason = item.failures[0].message if item.failures else "no text"
            yield f"- {item.document} was {'read in part' if item.status == 'partial' else 'not read'}: {reason}"
    for name, why in survey.set_aside:
        yield f"- {name}: set aside; {why}."
