"""What is claimed of an answer once a model was heard: the rules and the model, weighed against each other.

Agreement makes an answer certain. Where one of them is sure and the other denies it, the answer is shown as to be
verified, with what both say. Nothing is taken from a model but which sentences answer, and values that stand in them.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_repo.schema import Procedure
from tasks.asks.records import AskState, Entry
from tasks.drafting.extractive.points import first_words
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.stated import span_of
from tasks.drafting.guided.records import Conclusion, Following, Opinion, StatedValue, Sum
from tasks.drafting.guided.views import stated
from tasks.sources.records import Span

ALONE = "Found by the model alone, in these words; the search by rules found none."
DENIED = "The model reads no such provision in the sentences that were found."
WORKED = "Worked out of figures that the model chose; each stands in the sentence cited, or in the request."
FOLLOWS = "Whether it follows from these sentences is the model's reading."
_MORE = 2  # sentences of a model that are quoted beside those of the rules
_EVEN = 0.5  # above it, a yes is more likely than a no


def heard(entry: Entry, said: Opinion, settings: Procedure) -> Entry:
    """Return what is claimed of whether a provision stands in a document."""
    yes, no = _sides(said, settings)
    if entry.state is AskState.NOT_FOUND:
        return _found_alone(entry, said) if yes else _by(entry, "both" if no else "rules")
    if yes:
        spans = _with(entry.support, said.units)
        same = any(_touch(s, u) for s in entry.support for u in said.units)
        return entry.model_copy(
            update={"certain": entry.certain or same, "support": spans, "vouched": "both" if same else "rules"}
        )
    if no and entry.certain:
        return entry.model_copy(update={"certain": False, "note": _noted(entry.note, DENIED), "vouched": "rules"})
    return _not_there(entry) if no else _by(entry, "rules")


def with_value(entry: Entry, value: StatedValue | None) -> Entry:
    """Return what is claimed of a typed answer that the rules did not find, or were not sure of."""
    if value is None:
        return _by(entry, "rules")
    span = span_of(value.unit)
    if entry.state is not AskState.ANSWERED:
        note = _noted(value.note, ALONE)
        told = {"answer": value.said, "day": value.day, "support": (span,), "note": note, "certain": False}
        return _answered(entry, told)
    if value.said == entry.answer or (value.day and value.day == entry.day):
        support = entry.support or (span,)
        return entry.model_copy(update={"certain": True, "support": support, "vouched": "both"})
    note = _noted(entry.note, f"The model reads {value.said} in this document.")
    return entry.model_copy(update={"note": note, "support": _with(entry.support, [value.unit]), "vouched": "rules"})


def gathered(entry: Entry, said: Opinion) -> Entry:
    """Return an ask that is left to a lawyer with the sentences that bear on it first among those shown."""
    spans = tuple(map(span_of, said.units))
    if not spans or said.so is None or said.so <= _EVEN:
        return entry
    kept = tuple(n for n in entry.nearest if not any(_touch(n, u) for u in said.units))
    return entry.model_copy(update={"nearest": (*spans, *kept), "vouched": "model"})


def viewed(entry: Entry, view: Conclusion) -> Entry:
    """Return an ask that is left to a lawyer with what a model concludes, marked as that; it stays open."""
    spans = tuple(map(span_of, view.units))
    kept = tuple(n for n in entry.nearest if not any(_touch(n, u) for u in view.units))
    note = _noted(entry.note, stated(view))
    return entry.model_copy(update={"nearest": (*spans, *kept), "note": note, "vouched": "model"})


def worked(made: Sum) -> Entry:
    """Return what was worked out, with its working, to be verified."""
    document = made.units[0].document if len({u.document for u in made.units}) == 1 else ""
    return Entry(
        document=document,
        state=AskState.ANSWERED,
        answer=made.value,
        support=tuple(map(span_of, made.units)),
        basis=made.working,
        day=made.day,
        note=WORKED,
        certain=False,
        vouched="model",
    )


def followed(said: Following, quotes: Sequence[str]) -> Entry:
    """Return a yes or no with the sentences that a model reads it in, to be verified."""
    units = said.units[:_MORE]
    return Entry(
        document=units[0].document if len({u.document for u in units}) == 1 else "",
        state=AskState.ANSWERED,
        answer=f"{said.answer.capitalize()}: {' '.join(quotes[:_MORE])}",
        support=tuple(map(span_of, units)),
        note=FOLLOWS,
        certain=False,
        vouched="model",
    )


def by_rules(entry: Entry) -> Entry:
    """Return an answer that a model does not change."""
    return _by(entry, "rules")


def _sides(said: Opinion, settings: Procedure) -> tuple[bool, bool]:
    """Tell whether a model says yes, and whether it says no; a yes that names no sentence is none."""
    if said.so is None:
        return False, False
    return said.so >= settings.guided_yes and bool(said.units), said.so <= settings.guided_no


def _found_alone(entry: Entry, said: Opinion) -> Entry:
    chosen = said.units[:_MORE]
    told = f"Yes: {first_words(chosen[0])}"
    return _answered(entry, {"answer": told, "support": tuple(map(span_of, chosen)), "note": ALONE, "certain": False})


def _answered(entry: Entry, told: dict[str, object]) -> Entry:
    blank = {"state": AskState.ANSWERED, "searched": (), "nearest": (), "reason": "", "basis": "", "vouched": "model"}
    return entry.model_copy(update={**blank, **told})


def _not_there(entry: Entry) -> Entry:
    """Deny what rests on weak cues and what the model denies, too; the sentences are still shown."""
    return Entry(
        document=entry.document,
        state=AskState.NOT_FOUND,
        answer=f"no {entry.topic} provision was found",
        searched=(entry.topic,),
        topic=entry.topic,
        nearest=entry.support[:1],
        note=f"The cues of the rules are weak there. {DENIED}",
        vouched="model",
    )


def _by(entry: Entry, who: str) -> Entry:
    return entry.model_copy(update={"vouched": who})


def _noted(before: str, said: str) -> str:
    return f"{before} {said}".strip()


def _with(spans: Sequence[Span], units: Sequence[Unit]) -> tuple[Span, ...]:
    """Return the spans with those of sentences that none of them touches."""
    new = [span_of(u) for u in units if not any(_touch(s, u) for s in spans)]
    return (*spans, *new[:_MORE])


def _touch(span: Span, unit: Unit) -> bool:
    return span.document == unit.document and span.start < unit.pieces[-1][1] and unit.pieces[0][0] < span.end
