"""Strike a clause, a sentence of it or a proviso."""

from __future__ import annotations

import re

from tasks.asks.changing.record import Change
from tasks.drafting.extractive.editing.marking import Marking, edit_of, marked
from tasks.drafting.extractive.editing.occurrences import Occurrence
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.editing.words import NOUN, OF_KIND, counts_to, stems, words_of
from tasks.retrieval.records import Clause

_KEPT = re.compile(
    r"\b(?:but (?:keep|leave|not)|except|save (?:for|that)|other than|while (?:keeping|leaving))\b", re.I
)
_PARTED = re.compile(r"\b(?:proviso|exception|carve-?out|sentence)\b", re.I)
_PROVISO = re.compile(
    r"[\s;,.]*\b(?:provided,?\s+(?:however|further),?\s+(?:that\b)?|provided that\b|except that\b|save that\b)[^.;]*"
)
_NTH_SENTENCE = re.compile(r"\b(first|second|third|fourth|fifth|last|final|1st|2nd|3rd|4th|5th)\s+sentence\b", re.I)
_POWER = re.compile(r"\b(?:right|ability|option|power|obligation|duty)\b", re.I)
_HOLDER = re.compile(r"^\W*(?:the\s+)?([A-Z][\w&-]*)(?:'s|’s|s')\s")


def struck(paper: EditedPaper, change: Change, clause: tuple[int, int] | None) -> Marking:
    """Strike the clause that the instruction means, or the part of it that has its words."""
    if _KEPT.search(change.what):
        return Marking(change, reason="a part of it is to stay; the words that go are not given")
    if _PARTED.search(change.what):
        return _passage(paper, change, clause)
    sought = stems(OF_KIND.sub(" ", change.what))
    node = paper.node(change.place) if clause else None
    if node is None and not change.place:
        node, made = _clause_meant(paper, change, sought)
    else:
        made = _part_of(paper, change, clause, node, sought) if clause else None
    return made or _whole(paper, change, clause, node)


def _clause_meant(paper: EditedPaper, change: Change, sought: set[str]) -> tuple[Clause | None, Marking | None]:
    """Return the clause that is meant where no number is given, or what was made of it already."""
    whole = (0, len(paper.text))
    if _POWER.search(change.what) and (one := _sentence(paper, change, whole, sought)):
        return None, one
    got = paper.found(NOUN.sub("", change.what).strip(" ."))
    node = paper.clause_of(got) if got else None
    if node is None or got is None:
        return None, None
    clause_meant = bool(NOUN.search(change.what))
    if not (paper.is_one_of(node) and paper.is_about(node, got, sought, clause_meant=clause_meant)):
        one = _sentence(paper, change, whole, sought) if len(sought) > 1 else None
        return node, one or Marking(change, reason=f"no one clause is {change.what.strip()!r}")
    if not clause_meant and not paper.shared(change, node.heading):
        reason = f"{node.label or 'the clause'} holds more than that; the words that go are not given"
        return node, _sentence(paper, change, (node.start, node.end), sought) or Marking(change, reason=reason)
    return node, None


def _part_of(
    paper: EditedPaper, change: Change, clause: tuple[int, int], node: Clause | None, sought: set[str]
) -> Marking | None:
    """Strike the sentence of a numbered clause that is meant; None if the whole clause is meant."""
    inside = paper.inside(clause)
    if not sought or len(inside) < 2:
        return None
    heading = stems(node.heading if node else inside[0].heading)
    if sought <= heading or (NOUN.search(change.what) and sought & heading):
        return None
    if one := _sentence(paper, change, clause, sought):
        return one
    reason = f"§ {change.place} holds more than that; the words that go are not given"
    return Marking(change, reason=reason) if sought & stems(paper.text[clause[0] : clause[1]]) else None


def _whole(paper: EditedPaper, change: Change, clause: tuple[int, int] | None, node: Clause | None) -> Marking:
    """Strike a clause; say what refers to it, and whether it is about what is to be struck."""
    own = node if node and clause in (None, (node.start, node.end)) else None
    start, end = (own.start, own.end) if own else clause or (0, 0)
    if not paper.text[start:end].strip():
        return Marking(change, reason=f"no one clause is {change.what.strip() or change.place!r}")
    check = "later numbering and cross-references are unchanged."
    number = node.number.strip(" .()") if node else ""
    referred = rf"\b(?:Section|Clause|Article|Paragraph)s?\s+{re.escape(number)}(?![\d.]\d)"
    if node and number and re.search(referred, paper.text[:start] + paper.text[end:]):
        check += f" Other clauses refer to {node.label}."
    words = paper.text[start:end].strip()
    if words_of(change.what, change) and not paper.shared(change, words):
        check += f" It does not speak of {change.what!r}: see that it is the one meant."
    gone = Occurrence(((start, start + len(paper.text[start:end].rstrip()), ""),))
    place = node.label if node else f"§ {change.place}"
    return marked(paper, change, [gone], [{"find": words, "replace": ""}], place, check)


def _sentence(paper: EditedPaper, change: Change, span: tuple[int, int], sought: set[str]) -> Marking | None:
    """Strike the one sentence of a clause that has all words of what goes; of two alike, its holder's own."""
    having = [u for u in paper.inside(span) if sought and sought <= stems(u.text)]
    holder = _HOLDER.match(change.what)
    if len(having) > 1 and holder:
        own = re.compile(rf"(?:[\W\d]*)(?:The\s+)?{re.escape(holder[1])}\b", re.I)
        having = [u for u in having if own.match(u.text)]
    if len(having) != 1:
        return None
    gone = Occurrence(((having[0].pieces[0][0], having[0].pieces[-1][1], ""),))
    place = paper.place(having[0].start)
    return marked(paper, change, [gone], [edit_of(paper, gone)], place, "read the rest of the clause.")


def _passage(paper: EditedPaper, change: Change, clause: tuple[int, int] | None) -> Marking:
    """Strike a proviso or a sentence: the one that has the words of the instruction, or the one it counts to."""
    start, end = clause or (0, len(paper.text))
    if re.search(r"\bsentence\b", change.what, re.I):
        parts = [(u.pieces[0][0], u.pieces[-1][1]) for u in paper.inside((start, end))]
        if ordinal := _NTH_SENTENCE.search(change.what):
            clause = clause or paper.called(_NTH_SENTENCE.sub(" ", change.what))
            if clause is None:
                return Marking(change, reason="it is not said of which clause")
            parts = [(u.pieces[0][0], u.pieces[-1][1]) for u in paper.inside(clause)]
            at = counts_to(ordinal[1].lower(), len(parts))
            parts = parts[at : at + 1]
    else:
        parts = [m.span() for m in _PROVISO.finditer(paper.text, start, end)]
    scored = [(paper.shared(change, paper.text[a:b]), a, b) for a, b in parts]
    best = [s for s in scored if s[0] == max(scored)[0]]
    if len(best) != 1 or (clause is None and not best[0][0]):
        return Marking(change, reason=f"no one such passage is {change.what.strip()!r}")
    gone = Occurrence(((best[0][1], best[0][2], ""),))
    return marked(
        paper, change, [gone], [edit_of(paper, gone)], paper.place(best[0][1]), "read the rest of the sentence."
    )
