"""Papers that say the same thing differently, side by side: in the answer, and in a section of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from tasks.asks.records import Ask, AskAnswer, AskState, Entry
from tasks.drafting.extractive.differing.contrast import Beside, Contrast, Said, Standing
from tasks.drafting.extractive.differing.kin import Role
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.ways.stated import long_date, span_of
from tasks.legaltext.fold import quotable
from tasks.legaltext.markdown import verbatim

_WORDS = 60  # words of a sentence that settles which paper counts
_ENDINGS: Mapping[Standing, str] = MappingProxyType(
    {
        Standing.OUTRANKED: "The papers say which of them prevails",
        Standing.EARLIER: "It was sent before the paper that governs was signed, and does not change it.",
        Standing.UNFORMAL: "A message does not meet the form that the contract demands for a change",
        Standing.OPEN: "Settle which one counts",
    }
)


def heeding_contrasts(told: Told) -> tuple[AskAnswer, ...]:
    """Return the answers with what other papers say about the same: the governing one first, changed ones noted."""
    return tuple(_heeding(told, got) for got in told.answers.values())


def _heeding(told: Told, got: AskAnswer) -> AskAnswer:
    ask = next((a for a in told.asks.asks if a.ask_id == got.ask_id), None)
    for contrast in told.contrasts.get(got.ask_id, ()) if ask is not None else ():
        if contrast.differs and ask is not None:
            entries = [_noted(told, e, contrast) for e in got.entries]
            entries = entries if ask.each else _governing_first(entries, contrast)
            got = got.model_copy(update={"entries": tuple(entries)})
    return got


def _noted(told: Told, entry: Entry, contrast: Contrast) -> Entry:
    """Return an answer with what became of it; one that a message contradicts is to be verified."""
    if entry.document not in contrast.documents or entry.state is not AskState.ANSWERED:
        return entry
    beside = contrast.beside(entry.document)
    doubt = any(b.standing in (Standing.OPEN, Standing.UNFORMAL) for b in contrast.others)
    note = entry.note
    if beside is not None and beside.standing is Standing.CHANGED:
        changed = f"Changed to {contrast.governing.value.shown} {told.citation(contrast.governing.unit)}."
        note = f"{note} {changed}".strip()
    return entry.model_copy(update={"note": note, "certain": not doubt and (entry.certain or contrast.settled)})


def _governing_first(entries: Sequence[Entry], contrast: Contrast) -> list[Entry]:
    """Return the entries by rank; a governing paper that no search found is added."""
    top = contrast.governing.unit
    own = next((e for e in entries if e.document == top.document), None)
    lead = next(e for e in entries if e.document in contrast.documents)
    made = own or lead.model_copy(
        update={
            "document": top.document,
            "answer": f"“{quotable(top.text)}”",
            "support": (span_of(top),),
            "note": "",
            "day": "",
        }
    )
    return [made, *(e for e in entries if e is not own)]


def contrasted(told: Told, ask: Ask, got: AskAnswer) -> str:
    """Return the answer to an ask in one line, each value with its place; empty where no paper contradicts it.

    What is asked of each document is told of each, unless all that answer are of one deal.
    """
    found = [c for c in told.contrasts.get(ask.ask_id, ()) if c.differs]
    answered = {e.document for e in got.entries if e.state is AskState.ANSWERED}
    if ask.each and not any(answered <= c.documents for c in found):
        return ""
    return "; ".join(_line(told, c) for c in found)


def _line(told: Told, contrast: Contrast) -> str:
    doubt = "" if contrast.settled or not _doubtful(contrast) else " (to be verified)"
    said = [_placed(told, contrast.governing) + doubt]
    said += [_beside(told, b) for b in contrast.others if b.standing is not Standing.SAME]
    return "; ".join(said)


def _doubtful(contrast: Contrast) -> bool:
    return any(b.standing in (Standing.OPEN, Standing.UNFORMAL) for b in contrast.others)


def _beside(told: Told, beside: Beside) -> str:
    said = _placed(told, beside.said)
    if beside.standing is Standing.OUTRANKED and beside.rule is not None:
        return f"{said}, which gives way {told.citation(beside.rule)}"
    return f"before: {said}" if beside.standing is Standing.CHANGED else f"{_who(told, beside.said)} says {said}"


def _placed(told: Told, said: Said) -> str:
    return f"{said.value.shown} {told.citation(said.unit)}"


def _who(told: Told, said: Said) -> str:
    name = told.name(said.unit.document)
    if said.paper.role is not Role.MESSAGE:
        return f"the {name}"
    return f"a message of {told.days.prose(long_date(said.paper.day))}" if said.paper.day else name


def differences(told: Told) -> str:
    """Return what the papers of one deal say of the same thing: what governs, what it changed, what contradicts it.

    Two agreements each have their own days, and a limit is compared with no actual.
    """
    asks = {a.ask_id: a for a in told.asks.asks}
    lines = [
        f"- **{verbatim(told.label(asks[number]))}**: {verbatim(' '.join(_sentences(told, c)))}"
        for number, found in told.contrasts.items()
        for c in found
    ]
    return "\n".join(lines) + "\n" if lines else ""


def _sentences(told: Told, contrast: Contrast) -> Iterator[str]:
    top = contrast.governing
    changed = [b for b in contrast.others if b.standing is Standing.CHANGED]
    same = [b for b in contrast.others if b.standing is Standing.SAME]
    if changed:
        before = ", and before that ".join(_placed(told, b.said) for b in reversed(changed))
        yield f"{_placed(told, top)}, the later paper, changes what stood before: {before}."
    else:
        yield f"{_placed(told, top)}."
    for beside in same:
        yield f"{_placed(told, beside.said)} says the same."
    for beside in contrast.others:
        if beside.standing in _ENDINGS:
            who = _who(told, beside.said)
            yield f"{who[:1].upper()}{who[1:]} says {_placed(told, beside.said)}. {_ending(told, beside)}"


def _ending(told: Told, beside: Beside) -> str:
    said = _ENDINGS[beside.standing]
    if beside.rule is None:
        return said if said.endswith(".") else f"{said}: no paper says it."
    words = quotable(beside.rule.text).split()
    shown = " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
    return f"{said}: “{shown}” {told.citation(beside.rule)}"
