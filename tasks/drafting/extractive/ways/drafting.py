"""Asks for a change of a document: what became of each change that they instruct."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.room import Room
from tasks.drafting.redlines import redlines_of
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.tokens import terms

_OTHER = "the change that was made beside it is another one; no wording was found for this"
# A mere label ("Section 2", "Clause 7:") goes with whatever change stands under it, and so do words without wording.
_UNREAD = "it was not read as a change of wording; no wording was found for it"
_ASKS = re.compile(
    r"\W*(?:(?:also|and|then|please|finally|plus)\W+){0,3}"
    r"(?:(?:(?:by|from|until|on|to|for|in|at|under|with)\s+)?(?:who|whom|whose|what|when|where|which|why|how|whether)"
    r"|tell|say|list|explain|flag|note|identify|summari[sz]e|advise|report)\b",
    re.I,
)
_LABEL = re.compile(r"\b(?:section|clause|article|paragraph|para)s?\b\.?\s*[\w.()]+|§+\s*[\w.()]+", re.I)
# A condition behind the new value; "where it is stated" tells a place and is none.
_CONDITION = re.compile(
    r"[\w%)\"”]\s+(?P<told>(?:where|when|if|unless|in case|only for)\s+"
    r"(?!(?:it|that|they|(?:the|this|that) \w+)\s+(?:now\s+)?(?:say|read|stand|appear|provide|ha|is|are)\w*\b)[^,;]+)$",
    re.I,
)
_SHORT = 14  # words of the old and the new wording that the line shows


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Say what an instruction changed and where, or why it changed nothing; None if the ask instructs no change.

    Where nothing but redlines is delivered, what is no question instructs a change, and a quotation carries none out.
    """
    made = [m for m in room.markings if _instructs(ask, m)]
    if _ASKS.match(ask.words) and not any(m.edits for m in made):
        return None  # it asks, beside the changes, for what the paper says
    if not made and _wants_change(ask, room):
        return AskAnswer(
            ask_id=ask.ask_id,
            state=AskState.NOT_ATTEMPTED,
            answer=f"not done: {_UNREAD}",
            entries=(Entry(state=AskState.NOT_ATTEMPTED, reason=_UNREAD),),
        )
    if not made:
        return None
    own = [m for m in made if not _is_of_another(ask, m, room)]
    entries = tuple(_entry(m) for m in own) or (Entry(state=AskState.NOT_ATTEMPTED, reason=_OTHER),)
    told = "; ".join(e.answer or f"not done: {e.reason}" for e in entries)
    where = ", ".join(dict.fromkeys(m.place for m in made if m.place))
    room.log.look_up(f"Change: {ask.words}", "plan", {"ask": ask.ask_id}, told)
    return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), answer=told, where=where, entries=entries)


def _wants_change(ask: Ask, room: Room) -> bool:
    matter, asked = room.job.matter, room.job.asks.brief[ask.end : ask.end + 2]
    marked = redlines_of(matter)
    redline = bool(marked) and all(d.filename in marked for d in matter.deliverables)
    return redline and "?" not in asked and not _ASKS.match(ask.words)


def _instructs(ask: Ask, made: Marking) -> bool:
    """Tell whether an ask holds an instruction, or is a part of it: they share most of the words of one of them."""
    shared = min(ask.end, made.change.end) - max(ask.start, made.change.start)
    return shared * 2 > min(ask.end - ask.start, made.change.end - made.change.start)


def _is_of_another(ask: Ask, made: Marking, room: Room) -> bool:
    """Tell whether a change belongs to another ask, and this one names nothing of it."""
    wanted = _content(" ".join(new for _, new in made.changed)) or _content(f"{made.change.old} {made.change.what}")
    beside = [a for a in room.job.asks.asks if a is not ask and _instructs(a, made)]
    named = [bool(wanted & _content(a.words)) for a in (ask, *beside)]
    worded = '"' in ask.words or _figures(_LABEL.sub("", ask.words))
    return bool(worded) and not named[0] and any(named[1:])


def _content(words: str) -> set[str]:
    return set(terms(words)) | set(re.findall(r"\d+", words))


def _figures(words: str) -> set[object]:
    return {f.value for f in scan_numbers(words)}


def _entry(made: Marking) -> Entry:
    if made.absent and not made.edits:
        said = f"the paper holds nothing on “{_short(made.absent)}”: nothing was changed"
        return Entry(state=AskState.NOT_FOUND, answer=said, searched=(made.absent,), certain=False)
    if made.kept:
        return Entry(
            document=next(s.document for s in made.support),
            state=AskState.ANSWERED,
            answer=f"left as it is, {made.place}: “{_short(made.changed[0][0])}”",
            support=made.support,
        )
    if not made.edits:
        return Entry(state=AskState.NOT_ATTEMPTED, reason=made.reason)
    done = f"{made.place}: {'; '.join(dict.fromkeys(_told(made)))}"
    written = " ".join(new for _, new in made.changed)
    if made.change.kind != "insert" and _figures(made.change.new) - _figures(written):
        return Entry(
            document=next(s.document for s in made.support),
            state=AskState.NOT_ATTEMPTED,
            support=made.support,
            reason=f"done only in part: marked up, {done}; the rest of “{_short(made.change.item)}” was not",
        )
    condition = _CONDITION.search(made.change.item) if made.change.kind == "replace" else None
    bound = f"The change is not bound to “{condition['told']}”: it holds for all of the sentence." if condition else ""
    return Entry(
        document=next(s.document for s in made.support),
        state=AskState.ANSWERED,
        answer=f"marked up, {done}",
        support=made.support,
        note=" ".join(filter(None, (made.check.strip(), bound))),
        certain=not bound,
    )


def _told(made: Marking) -> Iterator[str]:
    for old, new in made.changed:
        if made.change.kind == "insert":
            yield f"“{_short(made.change.new)}” is added"
        elif made.change.kind == "mutual":
            yield "the same is added with the parties exchanged"
        else:
            yield f"“{_short(new)}” instead of “{_short(old)}”" if new.strip() else f"“{_short(old)}” is struck"


def _short(text: str) -> str:
    words = " ".join(text.split()).split(" ")
    return " ".join(words[:_SHORT]) + (" …" if len(words) > _SHORT else "")
