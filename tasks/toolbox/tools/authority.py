"""Look up authorities and deadline regimes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from knowledge_db.answering import answers_of
from tasks.retrieval.together import read_rows
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

_SECTION = r"(?:sections?|sec\.?|§+)\s?([\w.\-]+(?:\(\w+\))*)"
_BODIES = {"civ(?:il)?": "Civ.", "crim(?:inal)?": "Crim.", "app(?:ellate)?": "App.", "bankr(?:uptcy)?": "Bankr."}
# Spellings of daily use that stand in no document, and the one that the scanner of citations reads.
_SPELLINGS = (
    (r"\bu\.?\s?s\.?\s?(?:c\.?(?:\s?[as]\.?)?|code)(?!\w)", "U.S.C."),
    (r"\bunited\sstates\scode\b", "U.S.C."),
    (r"\bc\.?\s?f\.?\s?r\.?(?!\w)|\bcode\sof\sfederal\sregulations\b", "C.F.R."),
    *(
        (
            rf"\bfed(?:\.|eral)?\s?r(?:\.|ules?)?\s?(?:of\s)?{body}\.?\s?p(?:\.|roc\.?|rocedure)?(?!\w)",
            f"Fed. R. {proper} P.",
        )
        for body, proper in _BODIES.items()
    ),
    (r"\bfed(?:\.|eral)?\s?r(?:\.|ules?)?\s?(?:of\s)?evid(?:\.|ence)?(?!\w)", "Fed. R. Evid."),
    *(
        (rf"\b{name}\b", name)
        for name in ("FRCP", "FRE", "FRAP", "FRBP", "UCC", "GDPR", "TFEU", "TEU", "DGCL", "CPLR", "IRC")
    ),
    (rf"^{_SECTION},?\s(?:of\s)?title\s(\d+)$", r"\2 U.S.C. § \1"),
    (rf"^title\s(\d+),?\s{_SECTION}$", r"\1 U.S.C. § \2"),
    (rf"{_SECTION},?\sof\stitle\s(\d+),?\s(?:of\sthe\s)?(C\.F\.R\.|U\.S\.C\.)", r"\2 \3 § \1"),
    (rf"\btitle\s(\d+),?\s(?:of\sthe\s)?(C\.F\.R\.|U\.S\.C\.),?\s{_SECTION}", r"\1 \2 § \3"),
)
# One code under two names.
_SAME = (
    (r"^RCW ", "Wash. Rev. Code § "),
    (r"^NRS ", "Nev. Rev. Stat. § "),
    (r"^ORS ", "Or. Rev. Stat. § "),
    (r"^MCL ", "Mich. Comp. Laws § "),
    (r"^N\.J\.S\.A\. ", "N.J. Stat. § "),
    (r"^O\.C\.G\.A\. § ", "Ga. Code § "),
    (r"^A\.R\.S\. § ", "Ariz. Rev. Stat. § "),
    (r"^C\.R\.S\. § ", "Colo. Rev. Stat. § "),
    (r"^K\.S\.A\. ", "Kan. Stat. § "),
    (r"^K\.R\.S\. § ", "Ky. Rev. Stat. § "),
    (r"^C\.G\.S\. § ", "Conn. Gen. Stat. § "),
    (r"^(\w.*) Code Civ\. Proc\. ", r"\1 Civ. Proc. Code "),
    (r"(?<=\)) No ", " "),
    (r"^N\.Y\. C\.P\.L\.R\. § ", "N.Y. C.P.L.R. "),
)
_MOTION = re.compile(r"\b(?:frcp\s?|rule\s)?12\(?b\)?\(?([1-7])\)?(?![\w.-])", re.IGNORECASE)  # "Rule 12b6", as spoken
_PLACE = re.compile(
    r"(?<=[a-z.§ ])\d[\w.()/-]*$"
)  # the number of a provision, at the end of its citation in plain form
_PROVISION = re.compile(r"(?:ss?|arts?|rr?|regs?|pt|sch)\d|§")  # what follows the name of an act in plain form
_SUBDIVISION = re.compile(r"\(\w+\)$")


def authority(desk: Desk, query: str, *, jurisdiction: str = "", k: int = 10) -> dict[str, Any]:
    """Find the authorities and deadline regimes of the knowledge that answer a question, with scores and reasons.

    Of the place that the question names or implies, no other law is an answer; where it names none, the law of the
    United States comes before that of others. ``score`` is how likely a row is the answer. Where none is likely enough
    ``held`` is false, both lists are empty, and ``said`` and ``nearest`` tell what lies nearest and is no answer.

    A citation is found in any usual spelling ("15 USC 78j(b)", "§ 78j(b) of title 15"): its entry comes first, with
    score 1, or the entry of the section it is part of; ``cited`` says for each citation of the query whether the
    catalogue has it. An entry of the catalogue is no proof that the law is in force: ``standing`` says of each row as
    of when it was read, what is known to have changed since, and against what it was checked. Repeat it with the row.

    Args:
        desk: What the caller may look at.
        query: A topic in words, or a citation.
        jurisdiction: Whose law governs the matter ("New York", "EU"); it counts where the query names no place.
        k: How many of each (at most 50).
    """
    knowledge = desk.knows.knowledge
    k = max(1, min(k, _MOST))
    rows = [row.model_dump(mode="json") for row in knowledge.authorities]
    found = list(_cited(query, tuple(row["citation"] for row in rows)))
    first = {at: {**rows[at], "score": score, "reason": reason} for _, at, score, reason in found if at is not None}
    authorities, deadlines = answers_of(knowledge, read_rows).find(query, k + len(first), jurisdiction)
    taken = {row["citation"] for row in first.values()}
    others = [row for row in authorities.rows if row["citation"] not in taken]
    windows = deadlines.rows[:k]
    entries = sorted(first.values(), key=lambda row: -row["score"])
    if not first and any(_of_held_instrument(name, tuple(row["citation"] for row in rows)) for name, *_ in found):
        others, windows = [], []  # what it cites is not there, and no other provision is what was cited
    near = [{**row, "score": min(row["score"], _NOT_NAMED)} for row in others]
    held, told = bool(first or others or windows), knowledge.standings.told
    return {
        "query": query,
        "cited": [
            {"citation": name, "held": at is not None, "entry": rows[at]["citation"] if at is not None else ""}
            for name, at, _, _ in found
        ],
        "authorities": [told(row) for row in (*entries, *near)][:k],
        "windows": [told(row) for row in windows],
        "held": held,
        "nearest": [] if held else _nearest(authorities.nearest, deadlines.nearest),
        "said": "" if held or found else _nothing(rows),
    }


_SHOWN = 3  # rows that are shown as the nearest
_MOST = 50  # rows of each kind that one call gives, as the docstring of the tool says
_NOT_NAMED = 0.99  # most that a row scores which is like the citation that was asked for and is not it


def _nearest(*found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what lies nearest where nothing answers, each with its kind: never a row by which one could work."""
    return [
        {
            "citation": row.get("citation") or row["authority"],
            "about": row.get("title") or row["regime"],
            "jurisdiction": row["jurisdiction"],
            "score": row["score"],
        }
        for rows in found
        for row in rows[:_SHOWN]
    ]


def _nothing(rows: list[dict[str, Any]]) -> str:
    return (
        f"Nothing fits: not held. None of the {len(rows)} authorities held answers this; what is listed as nearest is "
        "no answer. That is no statement about the law."
    )


def _cited(query: str, catalogue: tuple[str, ...]) -> Iterator[tuple[str, int | None, float, str]]:
    """Yield each citation of a query with its entry: position, score and reason."""
    index = _index(catalogue)
    names = _names(query)
    if not names and _plain(query) in index:
        names = [query.strip()]
    for name in names:
        key, part = _plain(name), name
        if any(_PROVISION.match(form, len(key)) for form in index if form.startswith(key)):
            continue  # the name of a whole act says of what law a question is, and cites no provision
        while key not in index and _SUBDIVISION.search(part):
            part = _SUBDIVISION.sub("", part).rstrip()
            key = _plain(part)
        if key in index:
            whole = part == name
            reason = f"is {name}" if whole else f"holds {name}, which is part of it"
            yield name, index[key], 1.0 if whole else 0.95, reason
            continue
        below = next((at for form, at in index.items() if form.startswith(f"{_plain(name)}(")), None)
        yield name, below, 0.9, f"is part of {name}"


def _names(query: str) -> list[str]:
    """Return the citations of a query in normal form, whatever their spelling."""
    from tasks.legaltext.citations.scan import scan_citations

    query = _MOTION.sub(r"Fed. R. Civ. P. 12(b)(\1)", query)
    spelled = " ".join(query.split())
    for pattern, proper in _SPELLINGS:
        spelled = re.sub(pattern, proper, spelled, flags=re.IGNORECASE)
    for text in (query, spelled, _capitals(spelled), f"{spelled} (2000)"):
        found = [m.canonical for m in scan_citations(text) if m.canonical]
        if found:
            return list(dict.fromkeys(_one_name(name) for name in found))
    return []


def _of_held_instrument(name: str, catalogue: tuple[str, ...]) -> bool:
    """Whether other provisions of what a citation cites are held: it then names one that is not."""
    whole = _PLACE.sub("", _plain(name))
    return len(whole) > 2 and any(form.startswith(whole) for form in _index(catalogue))


def _capitals(query: str) -> str:
    """Give words their capitals back: "companies act 2006 s 172", "cal. civ. code § 1542"."""
    small = {"of", "the", "and", "or", "to", "for", "in", "on", "s", "ss", "art", "tit", "section", "sections", "sec"}
    return re.sub(
        r"[A-Za-z][\w.'’]*", lambda m: m[0] if m[0].rstrip(".") in small else m[0][0].upper() + m[0][1:], query
    )


def _one_name(canonical: str) -> str:
    for pattern, proper in _SAME:
        canonical = re.sub(pattern, proper, canonical)
    return canonical


def _plain(name: str) -> str:
    return re.sub(r"[^\w()/:§-]+", "", name.casefold())


@lru_cache(maxsize=2)
def _index(catalogue: tuple[str, ...]) -> Mapping[str, int]:
    """Map every entry, as written and in normal form, to its position; the first of equal ones counts."""
    from tasks.legaltext.citations.scan import scan_citations

    starts, at = [], 0
    for citation in catalogue:
        starts.append(at)
        at += len(citation) + 2
    forms: dict[int, list[str]] = {n: [] for n in range(len(catalogue))}
    place = 0
    for mention in scan_citations("\n\n".join(catalogue)):
        while place + 1 < len(starts) and starts[place + 1] <= mention.start:
            place += 1
        forms[place].append(_one_name(mention.canonical))
    index: dict[str, int] = {}
    for n, citation in enumerate(catalogue):
        index.setdefault(_plain(citation), n)
    for n, found in forms.items():
        if len(set(found)) == 1:
            index.setdefault(_plain(found[0]), n)
    return MappingProxyType(index)


TOOL = Tool(authority, stage="retrieval", example='"materiality of a misstatement"')
