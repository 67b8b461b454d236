"""The checklist judge with a model: what it reads out of the texts that people read, and how it compares.

The text of a case is what people's quotations show of its summary, so that every value of theirs can be found in it. A
model fills the checklist from it; what it filled is compared with what people filled, once without a model and once by
the model. How well it compares is then asked where the answer is known: a value beside itself with its dates in another
form says the same, and two values that people listed as two do not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flows.bench.gavel.altered import rewritten
from flows.bench.gavel.human import HumanChecklist, load_checklists
from tasks.judging.checklist.asking import Examiner
from tasks.judging.checklist.comparing import Comparator, compare
from tasks.judging.checklist.equations import s_checklist
from tasks.judging.checklist.examining import ModelComparator, extract
from tasks.judging.checklist.offline import OfflineComparator
from tasks.judging.checklist.records import ItemScore, Relation
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.records import Filled
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient

Say = Callable[[str], None]
PAIRS: Final = 6
"""Pairs of each kind whose relation is known, of one case, that a model is asked; one an item."""


@dataclass(frozen=True)
class Known:
    """Two values whose relation is known."""

    item: Item
    one: str
    other: str
    same: bool


def measure_asked(
    folder: Path, client: ModelClient, only: Sequence[str] = (), limit: int | None = None, say: Say = print
) -> dict[str, Any]:
    """Return what a model reads and tells of each case.

    Args:
        folder: Holds ``human_checklists*.json``.
        client: The model.
        only: Cases by number; all when empty.
        limit: At most so many cases.
        say: Told how far it has come.

    Raises:
        SolonError: There is no such case, or the endpoint refuses the key.
    """
    checklist, humans = load_checklists(folder)
    chosen = [h for h in humans if not only or h.case in only][:limit]
    if not chosen:
        message, remedy = "is the number of no case", f"use some of {', '.join(h.case for h in humans)}"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="bench", subject=", ".join(only), message=message, remedy=remedy)
        )
    return {"model": client.profile.name, "asked": [_case(checklist, human, client, say) for human in chosen]}


def _case(checklist: Checklist, human: HumanChecklist, client: ModelClient, say: Say) -> dict[str, Any]:
    began, examiner = time.monotonic(), Examiner(client)
    say(f"case {human.case}: filling {sum(1 for _ in checklist.items())} items from {_words(human)} words")
    filled = extract(examiner, checklist, human.side.texts)
    took = [_took("filled", examiner.usage, time.monotonic() - began)]
    by_model = ModelComparator(Examiner(client))
    compared = {}
    for name, by in (("without a model", OfflineComparator()), ("by the model", by_model)):
        say(f"case {human.case}: compared {name}")
        began = time.monotonic()
        compared[name] = _compared(compare(checklist, filled, human.side.filled, by))
        took.append(_took(f"compared {name}", by.usage, time.monotonic() - began))
    pairs = list(known_pairs(checklist, human))
    say(f"case {human.case}: {len(pairs)} pairs whose relation is known")
    began, telling = time.monotonic(), ModelComparator(Examiner(client))
    told = {"without a model": _told(pairs, OfflineComparator()), "by the model": _told(pairs, telling)}
    took.append(_took("pairs", telling.usage, time.monotonic() - began))
    people = human.side.filled
    return {
        "case": human.case,
        "words": _words(human),
        "items": {"people": _applying(people), "model": _applying(filled), "both": _applying(people, filled)},
        "values": {"people": _values(people), "model": _values(filled), "dropped": filled.dropped_values},
        "unread": {i: e.message for i, e in filled.entries.items() if e.cause is not None},
        "compared": compared,
        "pairs": told,
        "took": took,
        "filled": {i: [v.text for v in e.values] for i, e in filled.entries.items() if e.values},
    }


def known_pairs(checklist: Checklist, human: HumanChecklist) -> Iterator[Known]:
    """Yield values whose relation is known: the same in another form, then different, at most so many of each."""
    items = {item.id: item for item in checklist.items()}
    firsts = [(items[i], e.values[0].text) for i, e in human.side.filled.entries.items() if e.values]
    same = [Known(item, rewritten(text), text, True) for item, text in firsts]
    yield from [one for one in same if one.one.rstrip(".") != one.other.rstrip(".")][:PAIRS]
    lists = [(items[i], [v.text for v in e.values]) for i, e in human.side.filled.entries.items()]
    yield from [Known(item, values[0], values[1], False) for item, values in lists if len(values) > 1][:PAIRS]


def _told(pairs: Sequence[Known], by: Comparator) -> dict[str, int]:
    """Count the pairs that are told right; what cannot be told is right nowhere."""
    counts = {"same": 0, "same_right": 0, "different": 0, "different_right": 0, "untold": 0}
    for pair in pairs:
        kind = "same" if pair.same else "different"
        counts[kind] += 1
        try:
            said = by.relation(pair.item, pair.one, pair.other)
        except SolonError as error:
            if error.failure.cause is FailureCause.LOGIN:
                raise
            counts["untold"] += 1
            continue
        counts[f"{kind}_right"] += (said is Relation.EQUAL) == pair.same
    return counts


def _compared(items: Sequence[ItemScore]) -> dict[str, Any]:
    scored = [item.score for item in items if item.score is not None]
    score = s_checklist(scored)
    return {
        "s_checklist": None if score is None else round(score, 1),
        "applicable": len(items),
        "unscored": len(items) - len(scored),
        "matched": sum(item.matched for item in items),
        "by_item": {item.item: item.score for item in items},
    }


def _applying(*filled: Filled) -> int:
    return sum(all(one.of(item).values for one in filled) for item in filled[0].entries)


def _values(filled: Filled) -> int:
    return sum(len(entry.values) for entry in filled.entries.values())


def _words(human: HumanChecklist) -> int:
    return sum(len(text.split()) for text in human.side.texts.values())


def _took(what: str, usage: Usage, seconds: float) -> dict[str, Any]:
    told = usage.model_dump(include={"input_uncached", "cache_read", "output", "calls", "cost_usd"})
    return {"what": what, "seconds": round(seconds, 1), **told}


def render(result: Mapping[str, Any]) -> str:
    """Return what was read and told of each case, in lines."""
    return "\n\n".join("\n".join(_lines(case)) for case in result["asked"])


def _lines(case: Mapping[str, Any]) -> Iterator[str]:
    items, values = case["items"], case["values"]
    yield f"case {case['case']}, {case['words']} words"
    yield f"items with a value: {items['people']} of people, {items['model']} of the model, {items['both']} of both"
    yield f"values: {values['people']} of people, {values['model']} of the model, {values['dropped']} without its words"
    yield from (f"not read: {item}: {why}" for item, why in case["unread"].items())
    for name, found in case["compared"].items():
        rest = f"{found['matched']} values matched, {found['unscored']} of {found['applicable']} items unscored"
        yield f"S_checklist {name}: {found['s_checklist']}; {rest}"
    for name, told in case["pairs"].items():
        same, other = (f"{told[f'{kind}_right']} of {told[kind]}" for kind in ("same", "different"))
        yield f"pairs told {name}: {same} that say the same, {other} that do not, {told['untold']} untold"
    for part in case["took"]:
        given = part["input_uncached"] + part["cache_read"]
        yield f"{part['what']}: {part['calls']} calls, {given:,} tokens in, {part['output']:,} out, {part['seconds']} s"
