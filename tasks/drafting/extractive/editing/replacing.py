"""Replace a value: which of the places where it could stand is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.asks.changing.record import Change
from tasks.asks.changing.words import LAW_OR_COURT, OPENS
from tasks.drafting.extractive.editing.marking import Marking, edit_of, marked, rewritten
from tasks.drafting.extractive.editing.occurrences import Occurrence, apart, occurrences, refers_back, verbatim
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.editing.words import ORDINALS, stems, things_of, words_of
from tasks.legaltext.names import FORM

AROUND = 60  # characters beside a value whose words tell which occurrence it is
_LAWS_OF = re.compile(
    r"\blaws?\s+(?:(?:rules|principles|provisions)\s+)?(?:of|in)\s+(?:the\s+)?(?:(?:State|Commonwealth|Province)\s+of\s+(?:the\s+)?)?$",
    re.I,
)
_ORDINAL = re.compile(
    rf"\bthe ({'|'.join(ORDINALS)})\s+(?:time\b|mention|occurrence|place\b|[$€£]?\d"
    r"|(?:[\w()$%,.-]+\s+){1,3}(?:days?|weeks?|months?|years?|per ?cent|dollars)\b)",
    re.I,
)


def replaced(paper: EditedPaper, change: Change, clause: tuple[int, int] | None) -> Marking:
    """Put the new value in place of the old one; change nothing if more than one place could be meant."""
    spans = [clause] if clause else _spans(paper, change)
    if party := _of_party(paper, change):
        return marked(paper, change, party, [edit_of(paper, o) for o in party], "throughout")
    found = [o for span in spans for o in _occurrences(paper, change, span)]
    if not found:
        sought = f"“{change.old}”" if change.old else f"a value that “{change.new}” could replace"
        where = "there" if clause else "in the document" if change.quoted or change.old else "in a provision on it"
        return Marking(change, reason=f"{sought} does not stand {where}")
    if change.every and not change.quoted and _longer(paper, change.old):
        return Marking(change, reason=f"“{change.old}” is also part of a longer name: “{_longer(paper, change.old)}”")
    governing = _governing(paper, found, change)
    if not change.every:
        found = governing or _counted(found, change) or _meant(paper, found, change)
    if all(rewritten(paper, o) == paper.text[o.start : o.end] for o in found):
        return Marking(change, reason=f"it already says: “{paper.text[found[0].start : found[0].end]}”")
    if not change.every and not governing and apart(found, paper.text):
        stands = f"“{change.old}” stands" if change.old else "values of this kind stand"
        return Marking(change, reason=f"{stands} more than once; it is not said which is meant")
    alike = len({rewritten(paper, o) for o in found}) == 1
    if change.every and alike and not clause and change.quoted | (len(found) > 1):
        return marked(
            paper,
            change,
            found,
            [{"find": paper.text[found[0].start : found[0].end], "replace": change.new, "every": True}],
            "throughout",
        )
    return marked(paper, change, found, [edit_of(paper, o) for o in found], paper.place(found[0].start))


def _occurrences(paper: EditedPaper, change: Change, span: tuple[int, int]) -> list[Occurrence]:
    if change.quoted or change.every:
        bare = change.old.replace(",", "")  # of "Acme, LLC", where the paper writes "Acme LLC"
        return verbatim(change.old, change.new, paper.text, span) or verbatim(bare, change.new, paper.text, span)
    return occurrences(change.old, change.new, paper.text, span, paper.reading.knowledge.jurisdictions)


def _spans(paper: EditedPaper, change: Change) -> list[tuple[int, int]]:
    """Return where a value may stand of which the brief does not name the section."""
    whole = [(0, len(paper.text))]
    if change.quoted or change.every:
        return whole
    if change.old:
        there = _occurrences(paper, change, whole[0])
        near = [o for o in there if paper.shared(change, paper.around(o.start))]
        if near or len(there) == 1 or not words_of(change.what, change):
            return whole
    got = paper.found(OPENS.sub("", change.what).strip(" .,"))
    units = sorted(got.support, key=lambda u: -got.weight(u)) if got else []
    spans = [(u.pieces[0][0], u.pieces[-1][1]) for u in units]
    told = next(([s] for s in spans if _occurrences(paper, change, s)), None)
    things = things_of(change)
    if told is not None and (got is None or got.topic.provision.headings or paper.named(things, told[0][0])):
        return told
    there = _occurrences(paper, change, whole[0])
    having = [paper.unit(o.start) for o in there if things and paper.named(things, o.start)]
    if not having and LAW_OR_COURT.search(change.new):
        return whole
    return list(dict.fromkeys((u.pieces[0][0], u.pieces[-1][1]) for u in having if u))


def _of_party(paper: EditedPaper, change: Change) -> list[Occurrence]:
    """Return where the party stands whose name changes, if the brief gives its old name in part or not at all."""
    if not change.renamed or change.quoted:
        return []
    bare = change.old.replace(",", "").casefold()
    full = re.search(rf"\b{FORM}\b", change.new) is not None
    first = change.new.split(" ")[0].casefold()
    named = [
        p
        for p in paper.reading.identity.parties
        if (p.replace(",", "").casefold().startswith(bare) and full if bare else p.split(" ")[0].casefold() == first)
    ]
    if len(named) != 1 or (bare and named[0].replace(",", "").casefold() == bare):
        return []
    old = re.compile(rf"(?<!\w){re.escape(named[0])}(?!\w)", re.I)
    return [
        Occurrence(((m.start(), m.end(), change.new.upper() if m[0].isupper() else change.new),))
        for m in old.finditer(paper.text)
    ]


def _longer(paper: EditedPaper, name: str) -> str:
    """Return a longer name that begins with a name; empty where there is none."""
    bare = re.escape(name.replace(",", ""))
    match = re.search(rf"\b{bare},? [A-Z][\w&-]*(?:,? [A-Z][\w&-]*){{0,3}},? {FORM}\b", paper.text)
    return match[0] if match else ""


def _counted(found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
    """Return the occurrence that the instruction counts to: "the first ninety days"; none where it counts none."""
    told = _ORDINAL.search(change.item)
    if told is None or len(found) < 2:
        return []
    number = ORDINALS.index(told[1].lower())
    return [found[-1]] if told[1].lower() == "last" else list(found[number : number + 1])


def _governing(paper: EditedPaper, found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
    """Return the occurrences behind "laws of" where the law is to change; a state is named in addresses too.

    A sentence that names the law twice changes twice. None where the law is not what changes.
    """
    if "law" not in stems(f"{change.what} {change.old}"):
        return []
    laws = [o for o in found if _LAWS_OF.search(paper.text[max(0, o.start - AROUND) : o.start])]
    return laws if len({id(paper.unit(o.start)) for o in laws}) == 1 else []


def _meant(paper: EditedPaper, found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
    """Return the occurrences that stand nearest to the words of the instruction: beside them, then by sentence."""

    def nearness(o: Occurrence) -> tuple[int, int, int]:
        ahead, behind = paper.text[max(0, o.start - AROUND) : o.start], paper.text[o.end : o.end + AROUND // 2]
        beside = paper.shared(change, f"{ahead} {behind}")
        return beside, paper.shared(change, ahead), paper.shared(change, paper.around(o.start))

    own = [o for n, o in enumerate(found) if not (n and refers_back(o, paper.text))]
    best = max(nearness(o) for o in own)
    meant: list[Occurrence] = []
    for at, o in enumerate(found):
        follows = bool(meant) and found[at - 1] is meant[-1]
        meant += [o] if (nearness(o) == best if o in own else follows) else []
    return meant
