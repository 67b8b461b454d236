"""The checklist while it is being filled: nothing is entered without words that stand in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.drafting.extraction.papers import Papers
from tasks.drafting.extraction.patch import Change, Quotation, SaidValue
from tasks.drafting.fences import one_line
from tasks.legaltext.checklists.definition import Checklist, Item, none_words
from tasks.legaltext.checklists.entailing import head_day, unrelated, unsaid
from tasks.legaltext.checklists.entering import Intake, Texts
from tasks.legaltext.checklists.records import Entry, Evidence, Filled, Value
from tasks.legaltext.fold import fold

ABSENT = "Not Applicable"
_SHOWN = 160  # characters of a value in the summary and of refused words in an answer


@dataclass(frozen=True)
class ChangeResult:
    """What became of one change.

    Attributes:
        done: What was taken, in words; empty where nothing was.
        refused: What was not, and why.
    """

    key: str
    done: str = ""
    refused: tuple[str, ...] = ()

    def line(self) -> str:
        """Return it on one line."""
        return f"{self.key}: " + "; ".join([self.done or "unchanged", *(f"REFUSED {why}" for why in self.refused)])


@dataclass
class Sheet:
    """Items with what was found to them so far.

    Attributes:
        items: Those that may be filled here, by id.
        texts: What quotations are looked up in.
        entries: By the id of the item.
    """

    checklist: Checklist
    items: Mapping[str, Item]
    papers: Papers
    texts: Texts
    entries: dict[str, Entry] = field(default_factory=dict)
    intake: Intake = field(init=False)

    def __post_init__(self) -> None:
        self.intake = Intake(self.texts)

    def append(self, changes: Sequence[Change]) -> list[ChangeResult]:
        """Add values."""
        return self._each(changes, self._appended)

    def update(self, changes: Sequence[Change]) -> list[ChangeResult]:
        """Replace the recorded values, or say that an item does not apply."""
        return self._each(changes, self._updated)

    def empty(self) -> list[Item]:
        """Return the items without an entry, not even that they do not apply."""
        return [item for key, item in self.items.items() if not _settled(self.entries.get(key, Entry()))]

    def definitions(self) -> str:
        """Return what is looked for, one line per item."""
        return "\n".join(f"- {item.id} ({item.title}): {item.asks}" for item in self.items.values())

    def summary(self) -> str:
        """Return what was found so far, in brief."""
        return "\n".join(f"- {key}: {self._brief(self.entries.get(key, Entry()))}" for key in self.items)

    def told(self, keys: Iterable[str]) -> str:
        """Return everything found for some items, with the quoted words."""
        lines = []
        for key in keys:
            entry = self.entries.get(key, Entry())
            lines.append(f"{key}: {self._brief(entry, 0)}")
            for value in entry.values:
                lines += [f"  = {value.text}", *(f"    {self._cited(one)}" for one in value.evidence)]
            lines += [f"    {self._cited(one)}" for one in entry.excluded]
        return "\n".join(lines)

    def key_of(self, name: str) -> str:
        """Return the id of an item that may be filled here, by any of its names; empty if there is none."""
        found = self.checklist.by_name.get(fold(name), "")
        return found if found in self.items else ""

    def filled(self) -> Filled:
        """Return the filled checklist."""
        dropped = {"dropped_values": self.intake.dropped_values, "dropped_evidence": self.intake.dropped_evidence}
        return Filled(entries={key: self.entries[key] for key in self.items if key in self.entries}, **dropped)

    def kept(self) -> dict[str, Any]:
        """Return the state for a snapshot."""
        return self.filled().model_dump(mode="json", exclude={"usage"})

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Take a state over."""
        filled = Filled.model_validate(kept)
        self.entries = dict(filled.entries)
        self.intake.dropped_values, self.intake.dropped_evidence = filled.dropped_values, filled.dropped_evidence

    def _each(self, changes: Sequence[Change], change: Callable[[str, Change], ChangeResult]) -> list[ChangeResult]:
        return [change(key, one) if (key := self.key_of(one.key)) else self._unknown(one.key) for one in changes]

    def _unknown(self, name: str) -> ChangeResult:
        return ChangeResult(
            one_line(name)[:_SHOWN], "", (f"there is no such item; the items are {', '.join(self.items)}",)
        )

    def _appended(self, key: str, change: Change) -> ChangeResult:
        entry, refused = self._taken(key, change)
        before = self.entries.get(key, Entry())
        if entry.excluded:
            refused.append(f"{ABSENT!r} is not added: set it by an update of the whole item")
        if entry.values:
            self.entries[key] = Entry(values=_joined(before.values, entry.values))
        return ChangeResult(key, f"{len(entry.values)} added" if entry.values else "", tuple(refused))

    def _updated(self, key: str, change: Change) -> ChangeResult:
        entry, refused = self._taken(key, change)
        if entry.values:
            self.entries[key] = Entry(values=entry.values)
            return ChangeResult(key, f"{len(entry.values)} now recorded", tuple(refused))
        if entry.excluded:
            self.entries[key] = entry
            return ChangeResult(key, f"set to {ABSENT}", tuple(refused))
        return ChangeResult(key, "", tuple(refused) or ("what is recorded is replaced only by values with evidence",))

    def _taken(self, key: str, change: Change) -> tuple[Entry, list[str]]:
        """Return the values whose words were found, or the words that show that the item does not apply."""
        values: tuple[Value, ...] = ()
        excluded: tuple[Evidence, ...] = ()
        refused = []
        for said in change.extracted:
            quotations = [self._found(one) for one in said.evidence]
            if said.value.strip().casefold().rstrip(". ") in none_words():
                shown = self.intake.verified(quotations)
                excluded += shown
                refused += [] if shown else [self._why(said)]
                continue
            entry = self.intake.entry([(said.value, quotations)])
            if missing := self._unsaid(self.items[key], entry.values):
                self.intake.dropped_values += 1
                refused.append(missing)
                continue
            values = _joined(values, entry.values)
            if not entry.values or len(entry.values[0].evidence) < len(
                {(q.text, q.document, q.start) for q in quotations}
            ):
                refused.append(self._why(said))
        return Entry(values=values, excluded=excluded), refused

    def _unsaid(self, item: Item, values: Sequence[Value]) -> str:
        """Say which part of a value its quotations do not support; that part needs a quotation of its own."""
        for value in values:
            words = [one.text for one in value.evidence]
            shown = one_line(value.text)[:_SHOWN]
            if unrelated(value.text, words, f"{item.title} {item.asks}"):
                return f"{shown!r}: no word of it stands in its evidence: name the words that say it"
            heads = [head_day(self.texts.texts[one.document], one.start) for one in value.evidence]
            documents = [self.texts.texts[one.document] for one in value.evidence]
            if missing := unsaid(value.text, words + heads, documents):
                return f"{shown!r}: its quotations do not say {one_line(missing)!r}: quote the words that do as well"
        return ""

    def _found(self, said: Quotation) -> Evidence:
        """Return the line with a number, or the place of words; the words as given if they stand nowhere."""
        if said.line:
            return self.papers.line(said.line) or Evidence(document="", start=0, end=0, text="")
        name = said.source_document if said.source_document in self.papers.served.texts else ""
        after = self.papers.characters(max(0, said.token - 1))
        found = None
        if name:
            found = (self.texts.find(said.text, name, after) if after else None) or self.texts.find(said.text, name)
        return found or Evidence(document=said.source_document, start=0, end=0, text=said.text)

    def _why(self, said: SaidValue) -> str:
        """Say what is wrong with the evidence of a value."""
        value = one_line(said.value)[:_SHOWN]
        for one in said.evidence:
            if one.line:
                if self.papers.line(one.line) is None:
                    return f"{value!r}: no line {one.line} was shown to you"
                continue
            if one.source_document not in self.papers.served.texts:
                return f"{value!r}: there is no document {one_line(one.source_document)[:_SHOWN]!r}"
            if self.texts.find(one.text, one.source_document) is None:
                words = one_line(one.text)[:_SHOWN]
                return f"{value!r}: not word for word in {one_line(one.source_document)}: {words!r}"
        return f"{value!r}: it has no evidence" if value else "a value without words"

    def _cited(self, one: Evidence) -> str:
        numbering, words = self.papers.numbering, " ".join(one.text.split())
        if numbering:
            return f"[{numbering.numbers(one.document, one.start, one.end)[0]}] {words}"
        return f"“{words}” [{one_line(one.document)}, token {self.papers.tokens(one.start)}]"

    def _brief(self, entry: Entry, shown: int = _SHOWN) -> str:
        if entry.excluded:
            return ABSENT
        if not entry.values:
            return "EMPTY"
        words = "; ".join(" ".join(value.text.split()) for value in entry.values)
        told = words if len(words) <= shown else f"{words[:shown]} …"
        return f"{len(entry.values)} recorded" + (f": {told}" if shown else "")


def _settled(entry: Entry) -> bool:
    return bool(entry.values or entry.excluded)


def _joined(before: Sequence[Value], more: Sequence[Value]) -> tuple[Value, ...]:
    """Merge two lists of values; a value that is already there gets the further evidence."""
    kept = {value.text.casefold(): value for value in before}
    for value in more:
        key = value.text.casefold()
        first = kept.get(key, Value(text=value.text))
        kept[key] = first.model_copy(update={"evidence": tuple(dict.fromkeys((*first.evidence, *value.evidence)))})
    return tuple(kept.values())
