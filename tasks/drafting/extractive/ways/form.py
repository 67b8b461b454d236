"""Constraints on the form of the work product, checked on the draft itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.room import Room
from tasks.legaltext.names import name_words
from tasks.legaltext.tokens import terms

_PAGE_WORDS = 450  # words of a page as a memorandum is usually set
_NUMBER = re.compile(r"\b(\d[\d,]*|one|two|three|four|five|ten|a|single)[ -](?:single )?(words?|pages?|lines?)\b", re.I)
_SPELT = MappingProxyType({"a": 1, "single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10})
# What is to be cited is law, and no clause of the papers; and how a rule of law is cited.
_LAW = re.compile(
    r"\b(?:statut\w+|case ?law|case authority|authorit(?:y|ies)|regulations?|rules? of law|the law)\b", re.I
)
_CITED = re.compile(r"U\.S\.C\.|C\.F\.R\.|Fed\. R\.|§")
_ORDER = "the order wanted needs a judgment of weight; the draft keeps the order of the request"
_UNKNOWN = "whether this is observed is left to the reviewer: it cannot be checked mechanically"


@dataclass(frozen=True)
class _Draft:
    """The draft as the checks see it: what is wanted, its Markdown, the answers in it, whether a table goes with it.

    Attributes:
        markings: The instructed changes of a redline, and what became of each.
    """

    wanted: str
    text: str
    entries: tuple[Entry, ...]
    tabular: bool
    tells_missing: bool
    markings: tuple[Marking, ...]

    @property
    def words(self) -> int:
        """Return the length in words."""
        return len(name_words(self.text))

    def found(self) -> list[Entry]:
        """Return the entries that answer."""
        return [e for e in self.entries if e.state is AskState.ANSWERED]


def observed(room: Room, answers: Iterable[AskAnswer], text: str, *, tabular: bool) -> tuple[AskAnswer, ...]:
    """Return the outcome of each constraint: observed, if the draft shows it, else left open with the reason.

    Args:
        room: The work on the matter.
        answers: Those to the other asks.
        text: The memorandum as Markdown.
        tabular: Whether one of the deliverables is a table.
    """
    entries = tuple(e for a in answers for e in a.entries)
    tells = room.settings.not_found_statements
    asks = [a for a in room.job.asks.asks if a.kind is AskKind.CONSTRAINT]
    return tuple(
        _checked(ask, room, _Draft(ask.words, text, entries, tabular, tells, tuple(room.markings))) for ask in asks
    )


def _checked(ask: Ask, room: Room, draft: _Draft) -> AskAnswer:
    results = [_CHECKS[kind](draft) for kind, asked in room.cues.forms.items() if asked.search(ask.words)]
    met = bool(results) and all(good for good, _ in results)
    said = "; ".join(dict.fromkeys(told for good, told in results if good is met)) or _UNKNOWN
    room.log.look_up(f"Check the form: {ask.words}", "plan", {"ask": ask.ask_id}, said)
    if met:
        entry = Entry(state=AskState.ANSWERED, answer=said, basis="checked on the draft")
        return AskAnswer(ask_id=ask.ask_id, state=AskState.ANSWERED, answer=said, entries=(entry,))
    entry = Entry(state=AskState.NOT_ATTEMPTED, answer=said, reason=said)
    return AskAnswer(ask_id=ask.ask_id, state=AskState.NOT_ATTEMPTED, answer=said, entries=(entry,))


_Result = tuple[bool, str]


def _table(draft: _Draft) -> _Result:
    made = draft.tabular or any(f"## {name}" in draft.text for name in ("Table of answers", "Chronology"))
    return made, "the answers stand in a table" if made else "too little is answered for a table of answers"


def _citations(draft: _Draft) -> _Result:
    found = draft.found()
    if found and _LAW.search(draft.wanted) and not any(_CITED.search(e.basis) for e in found if not e.support):
        return False, "no statute or other authority is cited: none was found that answers"
    bare = sum(not (e.support or _CITED.search(e.basis)) for e in found)
    if not found:
        return False, "nothing is answered that could be cited"
    return not bare, f"{bare} answers rest on no passage" if bare else "every answer is cited with its place"


def _quotations(draft: _Draft) -> _Result:
    made = bool(draft.found()) and "“" in draft.text
    return made, "the operative words are quoted" if made else "nothing is answered that could be quoted"


def _length(draft: _Draft) -> _Result:
    match = _NUMBER.search(draft.wanted)
    if match is None:
        return False, f"the draft has {draft.words} words; no limit is given that could be checked"
    count = _SPELT.get(match[1].lower()) or int(match[1].replace(",", ""))
    unit = match[2].lower().rstrip("s")
    limit = count * {"word": 1, "page": _PAGE_WORDS, "line": 12}[unit]
    short = draft.words <= limit
    return short, f"the draft has {draft.words} words, {'within' if short else 'more than'} the limit ({match[0]})"


def _silence(draft: _Draft) -> _Result:
    absent = [e for e in draft.entries if e.state is AskState.NOT_FOUND]
    if absent and not (draft.tells_missing or draft.tabular):
        return False, "what was not found is not told"
    return True, "what was not found is listed" if absent else "there was nothing to report as missing"


def _untouched(draft: _Draft) -> _Result:
    """Tell whether none of the marked words is named by the constraint; unmarked words are unchanged."""
    changed = {t for m in draft.markings for old, _ in m.changed for t in terms(old)}
    named = sorted(changed & set(terms(draft.wanted)))
    if not draft.markings:
        return False, _UNKNOWN
    if named:
        return False, f"words that it names are marked: {', '.join(named)}"
    return True, "only the changes that are told here are marked; everything else stands as it was"


def _tracked(draft: _Draft) -> _Result:
    made = any(m.changed for m in draft.markings)
    return made, "every change is a tracked change" if made else "nothing is marked up"


def _product(draft: _Draft) -> _Result:
    return bool(draft.found()), "this work product" if draft.found() else "nothing is answered that would fill one"


_CHECKS: Mapping[str, Callable[[_Draft], _Result]] = MappingProxyType(
    {
        "table": _table,
        "citations": _citations,
        "quotations": _quotations,
        "length": _length,
        "order": lambda _: (False, _ORDER),
        "silence": _silence,
        "product": _product,
        "untouched": _untouched,
        "tracked": _tracked,
    }
)
