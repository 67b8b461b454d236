"""Carry out one instructed change: find the place, find the old value there, put the new one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from skills_repo.schema import Procedure
from tasks.asks.catalogue import Provision, generic
from tasks.asks.change import LAW_OR_COURT, OPENS, Change, targets
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.answers import Answer, answer
from tasks.drafting.extractive.brief import Topic, topics_named
from tasks.drafting.extractive.points import headed_sentences, sentences_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.mirror import limb_of, mirrored, parties_called
from tasks.drafting.extractive.ways.occurrences import Occurrence, apart, loose, occurrences, refers_back, verbatim
from tasks.legaltext.fold import straight
from tasks.legaltext.names import FORM
from tasks.legaltext.parts_of_speech import tagged
from tasks.retrieval.records import Clause
from tasks.sources.records import Span

_SPOKEN = 2  # sentences by which the clause that speaks of a thing is known
_LAST = 30  # words of the last sentence of a clause by which its end is found
_AROUND = 60  # characters beside a value whose words tell which occurrence it is
_LONGEST = 600  # characters by which an edit finds its words
_LAWS_OF = re.compile(
    r"\blaws?\s+(?:(?:rules|principles|provisions)\s+)?(?:of|in)\s+(?:the\s+)?(?:(?:State|Commonwealth|Province)\s+of\s+(?:the\s+)?)?$",
    re.I,
)
_REFERS = re.compile(r"\W*(?:such|this|that|these|those|said)\b", re.I)
_KEPT = re.compile(
    r"\b(?:but (?:keep|leave|not)|except|save (?:for|that)|other than|while (?:keeping|leaving))\b", re.I
)
_NOUN = re.compile(r"\b(?:clause|provision|section|covenant|article|paragraph)s?\b", re.I)
_SIGNED = re.compile(r"\bIN WITNESS\b|\bBy:|\bName:.*\bTitle:|_{5}|/s/")
_PARTED = re.compile(r"\b(?:proviso|exception|carve-?out|sentence)\b", re.I)
_PROVISO = re.compile(
    r"[\s;,.]*\b(?:provided,?\s+(?:however|further),?\s+(?:that\b)?|provided that\b|except that\b|save that\b)[^.;]*"
)
_SMALL = frozenset(
    [
        "section",
        "clause",
        "with",
        "from",
        "that",
        "this",
        "instead",
        "rather",
        "place",
        "than",
        "should",
        "shall",
        "days",
    ]
).union(["week", "weeks", "month", "months", "year", "years"])
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "last")
_NTH_SENTENCE = re.compile(r"\b(first|second|third|fourth|fifth|last|final|1st|2nd|3rd|4th|5th)\s+sentence\b", re.I)
# What somebody has, not what it is about; a heading or a clause need not say these words.
_OF_KIND = re.compile(
    r"\b(?:rights?|ability|options?|obligations?|dut(?:y|ies)|powers?|requirements?|lets?|allows?|entitles?|makes?"
    r"|sentences?|caps?|limits?|periods?|amounts?|numbers?|dates?|levels?|figures?|cover|coverage|passages?|parts?|bits?|language|wording|whole|entire|about|which|clauses?|provisions?|sections?)\b",
    re.I,
)
_POWER = re.compile(r"\b(?:right|ability|option|power|obligation|duty)\b", re.I)
_HOLDER = re.compile(r"^\W*(?:the\s+)?([A-Z][\w&-]*)(?:'s|’s|s')\s")
_ORDINAL = re.compile(
    rf"\bthe ({'|'.join(_ORDINALS)})\s+(?:time\b|mention|occurrence|place\b|[$€£]?\d"
    r"|(?:[\w()$%,.-]+\s+){1,3}(?:days?|weeks?|months?|years?|per ?cent|dollars)\b)",
    re.I,
)


@dataclass
class Marking:
    """What became of one instruction.

    Attributes:
        edits: Arguments of the ``redline`` tool.
        place: Where the change stands.
        support: The words of the source that change.
        changed: Those words, and what is written there instead.
        reason: Why nothing was changed; empty where something was.
        check: What a lawyer must look at because of the change.
        absent: What was searched for, where the document holds nothing that could be changed so.
        kept: The words that stay as they are, because the instruction refuses a change of them.
    """

    change: Change
    edits: list[dict[str, object]] = field(default_factory=list)
    place: str = ""
    support: tuple[Span, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    check: str = ""
    absent: str = ""
    kept: bool = False


@dataclass(frozen=True)
class Editor:
    """A document being edited."""

    reading: SentencedDocument
    clauses: Sequence[Clause]
    known: Sequence[Provision]
    settings: Procedure

    @property
    def text(self) -> str:
        """Return the wording."""
        return self.reading.text.text

    def carry_out(self, change: Change) -> Marking:
        """Return the edits for one instruction, or why there are none."""
        if change.kind == "other":
            return Marking(change, reason="needs drafting or judgment; the instruction gives no wording")
        if change.kind == "keep":
            return self._kept(change)
        if change.added:
            return self._added(change)
        clause = self._section(change.place)
        if change.place and clause is None:
            return Marking(change, reason=f"no one clause is {change.place!r}")
        if change.beside and not change.place:
            made = self._replace(change, self._section(change.beside))
            if made.edits and self._speaks_of(made, change):
                return made
        makers = {
            "replace": self._replace,
            "delete": self._delete,
            "insert": self._insert,
            "mutual": self._mirrored,
        }
        made = makers[change.kind](change, clause)
        if not made.edits and change.kind != "insert" and not clause and not change.quoted and self._absent(change):
            made.absent = " ".join(_NOUN.sub("", change.what).split()).strip(" .,")
        return made

    def _kept(self, change: Change) -> Marking:
        """Say where stands what stays, because the brief refuses its change."""
        made = self.carry_out(replace(change, kind="replace" if change.new else "delete"))
        reason = made.reason and f"what it would change was not found: {made.reason}"
        return Marking(
            change, place=made.place, support=made.support, changed=made.changed, reason=reason, kept=not reason
        )

    def _speaks_of(self, made: Marking, change: Change) -> bool:
        """Tell whether the sentence that a change was made in shares a word with it, or holds the old value."""
        return bool(change.old) or any(self._shared(change, self._around(s.start)) for s in made.support)

    def _absent(self, change: Change) -> bool:
        """Tell whether the document has nothing of what is to be changed: no such provision, none of the words."""
        plain = _NOUN.sub("", change.what).strip(" .")
        topics = topics_named(plain, self.known, cues_of(self.reading.knowledge))
        if topics:
            found = [answer(t, self.reading, self.settings).found for t in topics]
            return not any(found) and not any(headed_sentences(t.provision, self.reading) for t in topics)
        there = _stems(self.text)
        return any(not any(t.startswith(w) or w.startswith(t) for w in there) for t in _things(change))

    def _replace(self, change: Change, clause: tuple[int, int] | None) -> Marking:
        spans = [clause] if clause else self._spans(change)
        if party := self._of_party(change):
            return self._done(change, party, [self._edit(o) for o in party], "throughout")
        found = [o for span in spans for o in self._occurrences(change, span)]
        if not found:
            sought = f"“{change.old}”" if change.old else f"a value that “{change.new}” could replace"
            where = "there" if clause else "in the document" if change.quoted or change.old else "in a provision on it"
            return Marking(change, reason=f"{sought} does not stand {where}")
        if change.every and not change.quoted and self._longer(change.old):
            return Marking(change, reason=f"“{change.old}” is also part of a longer name: “{self._longer(change.old)}”")
        governing = self._governing(found, change)
        if not change.every:
            found = governing or self._counted(found, change) or self._meant(found, change)
        if all(self._new(o) == self.text[o.start : o.end] for o in found):
            return Marking(change, reason=f"it says so already: “{self.text[found[0].start : found[0].end]}”")
        if not change.every and not governing and apart(found, self.text):
            stands = f"“{change.old}” stands" if change.old else "values of this kind stand"
            return Marking(change, reason=f"{stands} more than once; it is not said which is meant")
        alike = len({self._new(o) for o in found}) == 1
        if change.every and alike and not clause and change.quoted | (len(found) > 1):
            return self._done(
                change,
                found,
                [{"find": self.text[found[0].start : found[0].end], "replace": change.new, "every": True}],
                "throughout",
            )
        return self._done(change, found, [self._edit(o) for o in found], self._place(found[0].start))

    def _occurrences(self, change: Change, span: tuple[int, int]) -> list[Occurrence]:
        if change.quoted or change.every:
            bare = change.old.replace(",", "")  # of "Acme, LLC", where the paper writes "Acme LLC"
            return verbatim(change.old, change.new, self.text, span) or verbatim(bare, change.new, self.text, span)
        return occurrences(change.old, change.new, self.text, span, self.reading.knowledge.jurisdictions)

    def _spans(self, change: Change) -> list[tuple[int, int]]:
        """Return where a value may stand of which the brief does not name the section."""
        whole = [(0, len(self.text))]
        if change.quoted or change.every:
            return whole
        if change.old:
            there = self._occurrences(change, whole[0])
            near = [o for o in there if self._shared(change, self._around(o.start))]
            if near or len(there) == 1 or not _words(change.what, change):
                return whole
        got = self._found(OPENS.sub("", change.what).strip(" .,"))
        units = sorted(got.support, key=lambda u: -got.weight(u)) if got else []
        spans = [(u.pieces[0][0], u.pieces[-1][1]) for u in units]
        told = next(([s] for s in spans if self._occurrences(change, s)), None)
        things = _things(change)
        if told is not None and (got is None or got.topic.provision.headings or self._named(things, told[0][0])):
            return told
        there = self._occurrences(change, whole[0])
        having = [self._unit(o.start) for o in there if things and self._named(things, o.start)]
        if not having and LAW_OR_COURT.search(change.new):
            return whole
        return list(dict.fromkeys((u.pieces[0][0], u.pieces[-1][1]) for u in having if u))

    def _named(self, things: set[str], at: int) -> bool:
        """Tell whether all things that an instruction names stand in the sentence at a place, or in its heading."""
        there = _stems(self._around(at))
        return all(any(t.startswith(w) or w.startswith(t) for w in there) for t in things)

    def _of_party(self, change: Change) -> list[Occurrence]:
        """Return where the party stands whose name changes, if the brief gives its old name in part or not at all."""
        if not change.renamed or change.quoted:
            return []
        bare = change.old.replace(",", "").casefold()
        full = re.search(rf"\b{FORM}\b", change.new) is not None
        first = change.new.split(" ")[0].casefold()
        named = [
            p
            for p in self.reading.identity.parties
            if (
                p.replace(",", "").casefold().startswith(bare) and full if bare else p.split(" ")[0].casefold() == first
            )
        ]
        if len(named) != 1 or (bare and named[0].replace(",", "").casefold() == bare):
            return []
        old = re.compile(rf"(?<!\w){re.escape(named[0])}(?!\w)", re.I)
        return [
            Occurrence(((m.start(), m.end(), change.new.upper() if m[0].isupper() else change.new),))
            for m in old.finditer(self.text)
        ]

    def _longer(self, name: str) -> str:
        """Return a longer name that begins with a name; empty where there is none."""
        bare = re.escape(name.replace(",", ""))
        match = re.search(rf"\b{bare},? [A-Z][\w&-]*(?:,? [A-Z][\w&-]*){{0,3}},? {FORM}\b", self.text)
        return match[0] if match else ""

    def _counted(self, found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
        """Return the occurrence that the instruction counts to: "the first ninety days"; none where it counts none."""
        told = _ORDINAL.search(change.item)
        if told is None or len(found) < 2:
            return []
        number = _ORDINALS.index(told[1].lower())
        return [found[-1]] if told[1].lower() == "last" else list(found[number : number + 1])

    def _governing(self, found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
        """Return the occurrences behind "laws of" where the law is to change; a state is named in addresses too.

        A sentence that names the law twice changes twice. None where the law is not what changes.
        """
        if "law" not in _stems(f"{change.what} {change.old}"):
            return []
        laws = [o for o in found if _LAWS_OF.search(self.text[max(0, o.start - _AROUND) : o.start])]
        return laws if len({id(self._unit(o.start)) for o in laws}) == 1 else []

    def _around(self, at: int) -> str:
        """Return the sentence at a place under its heading, with the one before to which it refers."""
        unit = self._unit(at)
        if unit is None:
            return ""
        before = self._unit(unit.start - 1) if _REFERS.match(unit.text) and unit.start else None
        return f"{unit.heading} {before.text if before else ''} {unit.text}"

    def _unit(self, at: int) -> Unit | None:
        return next((u for u in reversed(self.reading.units) if u.start <= at), None)

    def _shared(self, change: Change, words: str) -> int:
        return len(_words(change.what, change) & _stems(words))

    def _meant(self, found: Sequence[Occurrence], change: Change) -> list[Occurrence]:
        """Return the occurrences that stand nearest to the words of the instruction: beside them, then by sentence."""

        def nearness(o: Occurrence) -> tuple[int, int, int]:
            ahead, behind = self.text[max(0, o.start - _AROUND) : o.start], self.text[o.end : o.end + _AROUND // 2]
            beside = self._shared(change, f"{ahead} {behind}")
            return beside, self._shared(change, ahead), self._shared(change, self._around(o.start))

        own = [o for n, o in enumerate(found) if not (n and refers_back(o, self.text))]
        best = max(nearness(o) for o in own)
        meant: list[Occurrence] = []
        for at, o in enumerate(found):
            follows = bool(meant) and found[at - 1] is meant[-1]
            meant += [o] if (nearness(o) == best if o in own else follows) else []
        return meant

    def _done(
        self, change: Change, found: Sequence[Occurrence], edits: list[dict[str, object]], place: str, check: str = ""
    ) -> Marking:
        spans = tuple(Span(document=self.reading.document, start=o.start, end=o.end) for o in found)
        changed = tuple(self._shown(o) for o in found)
        return Marking(change, edits, place, spans, changed, check=check or self._left(change, found))

    def _shown(self, found: Occurrence) -> tuple[str, str]:
        """Return the old and the new wording, with the bracket that closes "thirty (30)"."""
        old = self.text[found.start : found.end]
        rest = ")" if old.count("(") > old.count(")") and self.text[found.end : found.end + 1] == ")" else ""
        return old + rest, self._new(found) + rest

    def _new(self, found: Occurrence) -> str:
        """Return the new wording from the first to the last character that changes."""
        new, at = "", found.start
        for a, b, words in found.swaps:
            new, at = new + self.text[at:a] + words, b
        return new

    def _left(self, change: Change, found: Sequence[Occurrence]) -> str:
        """Say where the old value stands besides, and what the sentence still counts in ordinals."""
        if change.quoted or change.every:
            return ""
        words = self.text[found[0].swaps[-1][0] : found[0].swaps[-1][1]]
        if re.match(r"[A-Z][a-z]", words) and not re.search(r"\d", words):
            count = len(re.findall(rf"\b{re.escape(words)}\b", self.text)) - len(found)
            return f"{words} is named elsewhere too: left as it is." if count else ""
        value = re.search(r"\d+", words)
        unit = self._unit(found[0].start)
        again = re.search(rf"\b{value[0]}(?:st|nd|rd|th)\b(?: \w+){{0,4}}", unit.text) if value and unit else None
        return f"the clause also says “{again[0].strip()}”; conform it." if again else ""

    def _edit(self, found: Occurrence) -> dict[str, object]:
        """Return an edit that finds its words by their sentence, where they stand more than once."""
        start, end = found.start, found.end
        first, last = self.text.rfind("\n\n", 0, start) + 2, self.text.find("\n\n", end)
        first, last = first if first > 1 else 0, last if last > 0 else len(self.text)
        left, right = start, end
        while len(list(loose(self.text[left:right], whole=False).finditer(self.text))) != 1 and right - left < min(
            _LONGEST, last - first
        ):
            left, right = max(first, left - 30), min(last, right + 30)
        return {
            "find": self.text[left:right],
            "replace": self.text[left:start] + self._new(found) + self.text[end:right],
        }

    def _delete(self, change: Change, clause: tuple[int, int] | None) -> Marking:
        if _KEPT.search(change.what):
            return Marking(change, reason="a part of it is to stay; the words that go are not given")
        if _PARTED.search(change.what):
            return self._struck(change, clause)
        node = self._node(change.place) if clause else None
        sought = _stems(_OF_KIND.sub(" ", change.what))
        if node is None and not change.place:
            if _POWER.search(change.what) and (one := self._sentence(change, (0, len(self.text)), sought)):
                return one
            got = self._found(_NOUN.sub("", change.what).strip(" ."))
            node = self._clause_of(got) if got else None
            if (
                node
                and got
                and not (
                    self._is_one_of(node)
                    and self._is_about(node, got, sought, clause_meant=bool(_NOUN.search(change.what)))
                )
            ):
                one = self._sentence(change, (0, len(self.text)), sought) if len(sought) > 1 else None
                return one or Marking(change, reason=f"no one clause is {change.what.strip()!r}")
            if node and not _NOUN.search(change.what) and not self._shared(change, node.heading):
                if one := self._sentence(change, (node.start, node.end), sought):
                    return one
                reason = f"{node.label or 'the clause'} holds more than that; the words that go are not given"
                return Marking(change, reason=reason)
        elif clause and sought and len(inside := self._inside(clause)) > 1:
            heading = node.heading if node else inside[0].heading
            if not sought <= _stems(heading) and not (_NOUN.search(change.what) and sought & _stems(heading)):
                if one := self._sentence(change, clause, sought):
                    return one
                if sought & _stems(self.text[clause[0] : clause[1]]):
                    reason = f"§ {change.place} holds more than that; the words that go are not given"
                    return Marking(change, reason=reason)
        start, end = (
            (node.start, node.end)
            if node and (clause is None or clause == (node.start, node.end))
            else clause or (0, 0)
        )
        if not self.text[start:end].strip():
            return Marking(change, reason=f"no one clause is {change.what.strip() or change.place!r}")
        check = "numbering and cross-references that follow are as they were."
        number = node.number.strip(" .()") if node else ""
        referred = rf"\b(?:Section|Clause|Article|Paragraph)s?\s+{re.escape(number)}(?![\d.]\d)"
        if node and number and re.search(referred, self.text[:start] + self.text[end:]):
            check += f" Other clauses refer to {node.label}."
        words = self.text[start:end].strip()
        if _words(change.what, change) and not self._shared(change, words):
            check += f" It does not speak of {change.what!r}: see that it is the one meant."
        gone = Occurrence(((start, start + len(self.text[start:end].rstrip()), ""),))
        return self._done(
            change, [gone], [{"find": words, "replace": ""}], node.label if node else f"§ {change.place}", check
        )

    def _is_one_of(self, node: Clause) -> bool:
        """Tell whether a clause is one of several, and not the paper as a whole."""
        return any(c.start >= node.end or c.end <= node.start for c in self.clauses)

    def _is_about(self, node: Clause, got: Answer, sought: set[str], *, clause_meant: bool) -> bool:
        """Tell whether a clause is about what is to go: by its heading, or by all it says."""
        heading = _stems(node.heading)
        named = bool(sought & heading) if clause_meant else sought <= heading
        if named or any(p.search(node.heading) for p in got.topic.provision.headings):
            return True
        return len(self._inside((node.start, node.end))) == 1 and sought <= _stems(self.text[node.start : node.end])

    def _inside(self, span: tuple[int, int]) -> list[Unit]:
        return [u for u in self.reading.units if span[0] <= u.start < span[1]]

    def _sentence(self, change: Change, span: tuple[int, int], sought: set[str]) -> Marking | None:
        """Strike the one sentence of a clause that has all words of what goes; of two alike, its holder's own."""
        having = [u for u in self._inside(span) if sought and sought <= _stems(u.text)]
        holder = _HOLDER.match(change.what)
        if len(having) > 1 and holder:
            own = re.compile(rf"(?:[\W\d]*)(?:The\s+)?{re.escape(holder[1])}\b", re.I)
            having = [u for u in having if own.match(u.text)]
        if len(having) != 1:
            return None
        gone = Occurrence(((having[0].pieces[0][0], having[0].pieces[-1][1], ""),))
        place = self._place(having[0].start)
        return self._done(change, [gone], [self._edit(gone)], place, "read the rest of the clause.")

    def _struck(self, change: Change, clause: tuple[int, int] | None) -> Marking:
        """Strike a proviso or a sentence: the one that has the words of the instruction, or the one it counts to."""
        start, end = clause or (0, len(self.text))
        if re.search(r"\bsentence\b", change.what, re.I):
            parts = [(u.pieces[0][0], u.pieces[-1][1]) for u in self._inside((start, end))]
            if ordinal := _NTH_SENTENCE.search(change.what):
                clause = clause or self._called(_NTH_SENTENCE.sub(" ", change.what))
                if clause is None:
                    return Marking(change, reason="it is not said of which clause")
                parts = [(u.pieces[0][0], u.pieces[-1][1]) for u in self._inside(clause)]
                at = _counts_to(ordinal[1].lower(), len(parts))
                parts = parts[at : at + 1]
        else:
            parts = [m.span() for m in _PROVISO.finditer(self.text, start, end)]
        scored = [(self._shared(change, self.text[a:b]), a, b) for a, b in parts]
        best = [s for s in scored if s[0] == max(scored)[0]]
        if len(best) != 1 or (clause is None and not best[0][0]):
            return Marking(change, reason=f"no one such passage is {change.what.strip()!r}")
        gone = Occurrence(((best[0][1], best[0][2], ""),))
        return self._done(change, [gone], [self._edit(gone)], self._place(best[0][1]), "read the rest of the sentence.")

    def _called(self, words: str) -> tuple[int, int] | None:
        """Return the one clause whose heading has all the words by which a brief calls it."""
        sought = _stems(_OF_KIND.sub(" ", " ".join(targets(words))))
        called = [c for c in self.clauses if sought and sought <= _stems(c.heading)]
        called = [c for c in called if not any(o is not c and o.start <= c.start and c.end <= o.end for o in called)]
        if not called and (got := self._found(_NOUN.sub("", words).strip(" .,"))) and (node := self._clause_of(got)):
            called = [node] if self._is_about(node, got, sought, clause_meant=True) else []
        return (called[0].start, called[0].end) if len(called) == 1 else None

    def _mirrored(self, change: Change, clause: tuple[int, int] | None) -> Marking:
        """Add to a clause that binds one party the same with the two parties exchanged."""
        node = self._node(change.place)
        if clause is None and (got := self._found(_NOUN.sub("", change.what).strip(" ."))):
            node = self._clause_of(got)
            clause = (node.start, node.end) if node else None
        if clause is None:
            return Marking(change, reason=f"no one clause is {change.what.strip()!r}")
        body = self._unsigned(self.text[clause[0] : clause[1]]).rstrip()
        mirror = mirrored(body, node.heading if node else "", parties_called(self.text, self.reading.identity.parties))
        if not mirror:
            return Marking(change, reason="the clause does not bind one party alone to the other, by name")
        tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
        end = clause[0] + len(body)
        spot = Occurrence(((end - len(tail), end, f"{tail} {mirror}"),))
        check = "the same is added with the parties exchanged: see that each duty fits the other party."
        return self._done(change, [spot], [self._edit(spot)], self._place(end - 1), check)

    def _insert(self, change: Change, clause: tuple[int, int] | None) -> Marking:
        where = straight(change.what)
        if quoted := re.search(r'"([^"]+)"', where):
            hits = list(loose(quoted[1]).finditer(self.text, *(clause or (0, len(self.text)))))
            if len(hits) != 1:
                return Marking(change, reason=f"the words “{quoted[1]}” do not stand just once")
            before = bool(re.search(r"\bbefore\b", where, re.I))
            gap = "" if re.match(r"[,;.:)]", change.new) else " "
            new = f"{change.new} {hits[0][0]}" if before else f"{hits[0][0]}{gap}{change.new}"
            spot = Occurrence(((hits[0].start(), hits[0].end(), new),))
            return self._done(change, [spot], [self._edit(spot)], self._place(hits[0].start()), " ")
        if clause is None and (got := self._found(re.sub(r"^.*?\b(?:after|of|to|in)\b", "", where).strip(" ."))):
            node = self._clause_of(got)
            clause = (node.start, node.end) if node else None
        if clause is None:
            return Marking(change, reason=f"no one place is {where.strip()!r}")
        body = self._unsigned(self.text[clause[0] : clause[1]]).rstrip()
        tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
        end = clause[0] + len(body)
        apart_from = re.search(r"\b(?:after|following|new (?:paragraph|section|clause))\b", where, re.I)
        spot = Occurrence(((end - len(tail), end, tail + ("\n" if apart_from else " ") + change.new),))
        return self._done(change, [spot], [self._edit(spot)], self._place(end - 1), " ")

    def _added(self, change: Change) -> Marking:
        """Add a clause under a number of its own, behind the one that has the number before it."""
        head, _, last = change.added.rpartition(".")
        before = self._node(f"{head}.{int(last) - 1}" if head else str(int(last) - 1))
        if before is None:
            return Marking(change, reason=f"no clause stands before a new clause {change.added}")
        number, check = change.added, " "
        if self._node(change.added):
            number = f"{before.number.strip(' .()')}A"
            check = f"clause {change.added} stands already: the new one is {number}, and the numbers are as they were."
        body = self._unsigned(self.text[before.start : before.end]).rstrip()
        tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
        end = before.start + len(body)
        numbered = change.new if re.match(r"\W*\d", change.new) else f"{number}. {change.new}"
        spot = Occurrence(((end - len(tail), end, f"{tail}\n{numbered}"),))
        return self._done(change, [spot], [self._edit(spot)], f"{number} (new)", check)

    def _unsigned(self, body: str) -> str:
        """Return the words of a clause without the signatures, which the last clause of a document runs on into."""
        at = 0
        for line in body.splitlines(keepends=True):
            if at and _SIGNED.search(line):
                return body[:at]
            at += len(line)
        return body

    def _node(self, number: str) -> Clause | None:
        """Return the clause that bears a number."""
        wanted = _plain_number(number)
        matching = (c for c in self.clauses if wanted in {_plain_number(c.number), _plain_number(c.label)})
        return next(matching, None) if wanted else None

    def _section(self, number: str) -> tuple[int, int] | None:
        """Return the stretch of a numbered clause; of a subdivision that runs on within it where it has no own."""
        if node := self._node(number):
            return node.start, node.end
        above, _, below = number.rpartition("(")
        outer = self._section(above) if below else None
        return limb_of(self.text, outer, below.rstrip(")")) if outer is not None else None

    def _found(self, words: str) -> Answer | None:
        """Return what the document says on a provision, or on other words."""
        plain = re.sub(r"^(?:the|its|any|our|their)\s+", "", words, flags=re.I)
        for topic in topics_named(plain, self.known, cues_of(self.reading.knowledge)):
            got = answer(topic, self.reading, self.settings)
            if not got.found and (units := tuple(headed_sentences(topic.provision, self.reading))):
                got = Answer(topic, self.reading.document, "Yes", support=units, weights=(1.0,) * len(units))
            if got.found and got.support:
                return got
        told = sentences_of(plain, self.reading, min(_SPOKEN, self.settings.passages_per_topic))
        topic = Topic(plain, generic(plain))
        support, weights = tuple(told), tuple(told.values())
        return Answer(topic, self.reading.document, "Yes", support=support, weights=weights) if told else None

    def _clause_of(self, got: Answer) -> Clause | None:
        """Return the smallest clause that holds the best sentence under a heading of its own."""
        best = max(got.support, key=got.weight)
        holding = [c for c in self.clauses if c.start <= best.start < c.end]
        titled = [c for c in holding if any(p.search(c.heading) for p in got.topic.provision.headings)]
        return min(titled or holding[-1:], key=lambda c: c.end - c.start, default=None)

    def _place(self, at: int) -> str:
        unit = self._unit(at)
        return place_of(unit) if unit else ""


def _counts_to(ordinal: str, among: int) -> int:
    """Return the index that an ordinal names: "2nd", "second", "last"."""
    if ordinal in {"last", "final"}:
        return among - 1
    return int(ordinal[0]) - 1 if ordinal[0].isdigit() else _ORDINALS.index(ordinal)


def _plain_number(number: str) -> str:
    bare = re.sub(r"^(?:article|section|clause|§)\s*", "", number.lower())
    number = re.sub(r"[^\w.()]+", "", bare).rstrip(".")
    return number if "(" in number else number.rstrip(")")


def _things(change: Change) -> set[str]:
    """Return the nouns of an instruction that tell what is to be changed: "late fee" of "the late fee to $55"."""
    nouns = " ".join(w.text for w in tagged(" ".join(targets(change.what))) if w.tag.startswith("N"))
    return _stems(_OF_KIND.sub(" ", nouns)) - _stems(f"{change.old} {change.new}")


def _words(what: str, change: Change) -> set[str]:
    """Return the words of an instruction that tell its place, without those of the values."""
    return _stems(what) - (_stems(change.old) if change.quoted or change.every else set())


def _stems(text: str) -> set[str]:
    words = re.findall(r"[a-z]{3,}", straight(text).lower())
    return {w.removesuffix("s")[:5] for w in words if (len(w) > 3 and w not in _SMALL) or w == "law"}
