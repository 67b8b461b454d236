"""Edits of a document for the changes that a brief states word for word; a reason for each that cannot be made so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from skills_repo.schema import Procedure
from tasks.asks.catalogue import Provision, generic
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.answers import Answer, answer
from tasks.drafting.extractive.brief import Topic, topics_named
from tasks.drafting.extractive.instructions import Instruction
from tasks.drafting.extractive.law import jurisdictions_named
from tasks.drafting.extractive.points import headed_sentences, point
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.number_words import spelled
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.records import Figure
from tasks.retrieval.records import Clause, Searcher

_SECTION = re.compile(
    r"\b(?:section|clause|article|paragraph|sec\.|§)\s*(\d+(?:\.\d+)*(?:\([a-z\d]{1,4}\))*|[IVXLC]+)\b", re.I
)
_LAST = 30  # words of the last sentence of a clause by which its end is found


@dataclass
class Marking:
    """The result of one instruction.

    Attributes:
        edits: Arguments of the ``redline`` tool.
        place: Where the change stands.
        reason: Why nothing was changed; empty where something was.
        check: What a lawyer must look at because of the change.
    """

    instruction: Instruction
    edits: list[dict[str, object]] = field(default_factory=list)
    place: str = ""
    reason: str = ""
    check: str = ""


@dataclass(frozen=True)
class Editor:
    """A document being edited."""

    reading: SentencedDocument
    clauses: Sequence[Clause]
    known: Sequence[Provision]
    index: Searcher | None
    settings: Procedure

    @property
    def text(self) -> str:
        """Return the wording."""
        return self.reading.text.text

    def carry_out(self, instruction: Instruction) -> Marking:
        """Return the edits for one instruction, or why there are none."""
        makers = {"replace": self._replace, "figure": self._figure, "delete": self._delete, "insert": self._insert}
        maker = makers.get(instruction.kind)
        if maker is None:
            return Marking(instruction, reason="needs drafting or judgment; the instruction gives no wording")
        return maker(instruction)

    def _replace(self, instruction: Instruction) -> Marking:
        clause = self._section(instruction.where)
        if instruction.where and _SECTION.search(instruction.where) and clause is None:
            return Marking(instruction, reason=f"the document has no {instruction.where.strip()}")
        start, end = (clause.start, clause.end) if clause else (0, len(self.text))
        hits = list(_loose(instruction.old).finditer(self.text, start, end))
        if not hits:
            there = "there" if clause else "in the document"
            return Marking(instruction, reason=f"the words “{instruction.old}” do not stand {there}")
        if len(hits) > 1 and not instruction.every:
            return Marking(
                instruction, reason=f"the words “{instruction.old}” stand more than once; it is not said which is meant"
            )
        if instruction.every and not clause:
            edits: list[dict[str, object]] = [{"find": hits[0][0], "replace": instruction.new, "every": True}]
            return Marking(instruction, edits, "throughout")
        return Marking(
            instruction, [self._edit(m.start(), m.end(), instruction.new) for m in hits], self._place(hits[0].start())
        )

    def _edit(self, start: int, end: int, new: str) -> dict[str, object]:
        """Return an edit that finds its words by their sentence, where they stand more than once."""
        left, right = start, end
        while len(list(_loose(self.text[left:right]).finditer(self.text))) > 1 and right - left < 600:
            left, right = max(0, left - 30), min(len(self.text), right + 30)
        return {"find": self.text[left:right], "replace": self.text[left:start] + new + self.text[end:right]}

    def _figure(self, instruction: Instruction) -> Marking:
        if not (
            scan_numbers(instruction.new)
            or scan_dates(instruction.new)
            or jurisdictions_named(instruction.new, self.reading.knowledge.jurisdictions)
        ):
            return Marking(instruction, reason="needs drafting or judgment; the instruction gives no wording")
        got = self._found(instruction.where)
        if got is None:
            return Marking(instruction, reason=f"no provision on {instruction.where!r} was found")
        if got.topic.provision.answer == "law" and not scan_numbers(instruction.new):
            return self._law(instruction, got)
        tried = [self._in_unit(instruction, got, unit) for unit in sorted(got.support, key=lambda u: -got.weight(u))]
        done = [m for m in tried if m.edits]
        nothing = Marking(instruction, reason=f"no provision on {instruction.where!r} was found")
        return next(iter([*done, *tried]), nothing)

    def _in_unit(self, instruction: Instruction, got: Answer, unit: Unit) -> Marking:
        """Change the only figure or date of a sentence that the instruction can mean."""
        start, end = unit.pieces[0][0], unit.pieces[-1][1]
        sentence = self.text[start:end]
        if days := scan_dates(instruction.new):
            told = {got.day.isoformat()} if got.day else set()
            wanted = {d.iso for d in scan_dates(instruction.old)} or told
            dates = [d for d in scan_dates(sentence) if d.precision == "day" and (not wanted or d.iso in wanted)]
            swaps = [(d.start, d.end, days[0].text) for d in dates]
            return self._swapped(instruction, unit, swaps, len({d.iso for d in dates}))
        new = next(iter(scan_numbers(instruction.new)), None)
        if new is None:
            return Marking(instruction, reason="the new wording is no figure and no date; it needs drafting")
        given = _value(instruction.old)
        old = [f for f in scan_numbers(sentence) if _alike(f, new) and given in {None, f.value}]
        same = [f for f in old if f.unit == new.unit] or old
        if any(f.pair and f.kind == "money" for f in same):
            return Marking(instruction, reason="the amount stands in words and in figures; change both by hand")
        swaps = [(f.start, f.end, _rewritten(f, new, instruction.new)) for f in same]
        return self._swapped(instruction, unit, swaps, len({f.value for f in same}))

    def _swapped(
        self, instruction: Instruction, unit: Unit, swaps: Sequence[tuple[int, int, str]], values: int
    ) -> Marking:
        at = unit.pieces[0][0]
        if values != 1:
            count = "more than one such figure" if values else "no such figure"
            return Marking(instruction, reason=f"{count} stands in the provision; the instruction does not say which")
        edits = [self._edit(at + a, at + b, new) for a, b, new in swaps]
        left = unit.text
        for a, b, _ in reversed(swaps):
            left = left.replace(self.text[at + a : at + b], "", 1)
        value = re.search(r"\d+", self.text[at + swaps[-1][0] : at + swaps[-1][1]])
        ordinal = re.search(rf"\b{value[0]}(?:st|nd|rd|th)\b(?: \w+){{0,4}}", left) if value else None
        check = f"the clause also says “{ordinal[0].strip()}”; conform it." if ordinal else ""
        return Marking(instruction, _joined(edits, self.text, at, swaps), place_of(unit), check=check)

    def _law(self, instruction: Instruction, got: Answer) -> Marking:
        new = re.sub(r"^(?:the )?laws? of (?:the )?|^the (?=state of)| law$", "", instruction.new, flags=re.I).strip()
        bare = re.sub(r"^state of (?:the )?", "", new, flags=re.I)
        known = self.reading.knowledge.jurisdictions
        old = jurisdictions_named(got.value, known)
        if len(old) != 1 or not jurisdictions_named(bare, known):
            return Marking(instruction, reason="the governing law, old or new, is not one named jurisdiction")
        unit = got.support[0]
        start, end = unit.pieces[0][0], unit.pieces[-1][1]
        state = bare in self.reading.knowledge.us_states
        pattern = rf"(?P<of>(?:the )?(?:State|Commonwealth) of )?{re.escape(old[0])}"
        hits = list(re.finditer(pattern, self.text[start:end]))
        if not hits:
            return Marking(instruction, reason="the clause does not name its law by its usual name")
        edits = [
            self._edit(start + m.start(), start + m.end(), (m["of"] or "") + bare if state else bare) for m in hits[:1]
        ]
        others = len(re.findall(rf"\b{re.escape(old[0])}\b", self.text)) - len(hits[:1])
        check = f"{old[0]} is named elsewhere too (courts, addresses, companies): left as it is." if others else ""
        return Marking(instruction, edits, place_of(unit), check=check)

    def _delete(self, instruction: Instruction) -> Marking:
        clause = self._section(instruction.where)
        if clause is None and not _SECTION.search(instruction.where):
            named = re.sub(r"\b(?:clause|provision|section|covenant|article)s?\b", "", instruction.where)
            got = self._found(named.strip(" ."))
            clause = self._clause_of(got) if got else None
        if clause is None:
            return Marking(instruction, reason=f"no one clause is {instruction.where.strip()!r}")
        number = clause.number.strip(" .()")
        referred = rf"\b(?:Section|Clause|Article|Paragraph)s?\s+{re.escape(number)}(?![\d.]\d)"
        check = "numbering and cross-references that follow are as they were."
        if number and re.search(referred, self.text[: clause.start] + self.text[clause.end :]):
            check += f" Other clauses refer to {clause.label}."
        words = self.text[clause.start : clause.end].strip()
        return Marking(instruction, [{"find": words, "replace": ""}], clause.label, check=check)

    def _insert(self, instruction: Instruction) -> Marking:
        quoted = re.search(r'"([^"]+)"', instruction.where)
        if quoted:
            hits = list(_loose(quoted[1]).finditer(self.text))
            if len(hits) != 1:
                return Marking(instruction, reason=f"the words “{quoted[1]}” do not stand just once")
            before = bool(re.match(r"\W*before\b", instruction.where, re.I))
            new = f"{instruction.new} {hits[0][0]}" if before else f"{hits[0][0]} {instruction.new}"
            return Marking(instruction, [self._edit(hits[0].start(), hits[0].end(), new)], self._place(hits[0].start()))
        clause = self._section(instruction.where)
        if clause is None and (
            got := self._found(re.sub(r"^.*?\b(?:after|of|to|in)\b", "", instruction.where).strip(" ."))
        ):
            clause = self._clause_of(got)
        if clause is None:
            return Marking(instruction, reason=f"no one place is {instruction.where.strip()!r}")
        body = self.text[clause.start : clause.end].rstrip()
        tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
        end = clause.start + len(body)
        apart = re.search(r"\b(?:after|following|new (?:paragraph|section|clause))\b", instruction.where, re.I)
        edit = self._edit(end - len(tail), end, tail + ("\n" if apart else " ") + instruction.new)
        return Marking(instruction, [edit], clause.label)

    def _section(self, where: str) -> Clause | None:
        """Return the clause that a brief names by its number."""
        match = _SECTION.search(where)
        if match is None:
            return None
        wanted = re.sub(r"\W+", "", match[1].lower())
        for clause in self.clauses:
            own = re.sub(r"^(?:article|section|clause)\s*", "", clause.number.lower())
            label = re.sub(r"^(?:article|section|clause|§)\s*", "", clause.label.lower())
            if wanted in {re.sub(r"\W+", "", own), re.sub(r"\W+", "", label)}:
                return clause
        return None

    def _found(self, words: str) -> Answer | None:
        """Return what the document says on a provision, or on other words."""
        if clause := self._section(words):
            units = tuple(u for u in self.reading.units if clause.start <= u.start < clause.end)
            topic = Topic(words, generic(words))
            got = Answer(topic, self.reading.document, "Yes", support=units, weights=(1.0,) * len(units))
            return got if units else None
        plain = re.sub(r"^(?:the|its|any|our|their)\s+", "", words, flags=re.I)
        for topic in topics_named(plain, self.known, cues_of(self.reading.knowledge)):
            got = answer(topic, self.reading, self.settings)
            if not got.found and (units := tuple(headed_sentences(topic.provision, self.reading))):
                got = Answer(topic, self.reading.document, "Yes", support=units, weights=(1.0,) * len(units))
            if got.found and got.support:
                return got
        got = point(Topic(plain, generic(plain)), self.reading, self.index, self.settings)
        return got if got.found and got.certain else None

    def _clause_of(self, got: Answer) -> Clause | None:
        """Return the smallest clause that holds the best sentence under a heading of its own."""
        best = max(got.support, key=got.weight)
        holding = [c for c in self.clauses if c.start <= best.start < c.end]
        titled = [c for c in holding if any(p.search(c.heading) for p in got.topic.provision.headings)]
        return min(titled or holding[-1:], key=lambda c: c.end - c.start, default=None)

    def _place(self, at: int) -> str:
        unit = next((u for u in reversed(self.reading.units) if u.start <= at), None)
        return place_of(unit) if unit else ""


def _joined(
    edits: list[dict[str, object]], text: str, at: int, swaps: Sequence[tuple[int, int, str]]
) -> list[dict[str, object]]:
    """Make one edit of the two sides of a figure: "thirty (30)"."""
    if len(swaps) < 2:
        return edits
    start, end = at + swaps[0][0], at + swaps[-1][1]
    new = text[start:end]
    for a, b, words in reversed(swaps):
        new = new[: at + a - start] + words + new[at + b - start :]
    left, right = start, end
    while len(list(_loose(text[left:right]).finditer(text))) > 1 and right - left < 600:
        left, right = max(0, left - 30), min(len(text), right + 30)
    return [{"find": text[left:right], "replace": text[left:start] + new + text[end:right]}]


def _value(said: str) -> Decimal | None:
    """Return the figure that a brief gives as the old one, also without its unit; None where it gives none."""
    found = next(iter(scan_numbers(said)), None)
    bare = re.search(r"\d+(?:\.\d+)?", said.replace(",", ""))
    return found.value if found else Decimal(bare[0]) if bare else None


def _alike(old: Figure, new: Figure) -> bool:
    if old.kind == new.kind == "duration":
        return True
    return old.kind == new.kind and (old.unit == new.unit or not new.unit)


def _rewritten(old: Figure, new: Figure, said: str) -> str:
    """Return the new figure in the form of the old: in words, in digits, or with its unit."""
    if old.pair or re.fullmatch(r"[\d,.]+", old.text):
        if re.match(r"[A-Za-z]", old.text):
            words = spelled(int(new.value))
            return words.capitalize() if old.text[:1].isupper() else words
        return f"{new.value:f}".rstrip("0").rstrip(".") if new.value != new.value.to_integral() else str(int(new.value))
    digits = re.match(r"\d+(?=\s+[a-z])", old.text)
    if digits and re.match(r"[a-z]", said, re.I) and new.unit == old.unit and new.value == new.value.to_integral():
        return f"{int(new.value)}{old.text[digits.end() :]}"
    return re.sub(r"^(?:a|an|the)\s+", "", said)


def _loose(words: str) -> re.Pattern[str]:
    """Match whole words, ignoring spacing and the shape of quotation marks."""
    parts = [re.escape(w) for w in straight(words).split()]
    inner = r"\s+".join(parts).replace('"', '["“”]').replace("'", "['‘’]") or r"(?!)"
    head = r"(?<!\w)" if words[:1].isalnum() else ""
    return re.compile(head + inner + (r"(?!\w)" if words[-1:].isalnum() else ""))
