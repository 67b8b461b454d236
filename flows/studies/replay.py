"""Causal replay: one mechanism over stored attempts, without a model: where it acts, what it recovers, what it harms.

A stored attempt is *good* where its own judge passed at least half of the criteria, or, where nobody judged it, where
every deliverable is there in its format and no stub. A mechanism *recovers* where it acts on an attempt that is not
good, or where a deliverable that was missing, unfit or a fragment is whole afterwards. It *would have done harm* where
it changes a deliverable that was there, in its format and no stub, so that words of it are lost; where a guard holds up
an attempt that is good (the price is a turn, and a redraft of what was right); where a shortened history lost the
brief, the last turns or the tie between a call and its result; or where a call that was understood is changed.
Where drafts are crossed, only what a mechanism does there and not on the attempt's own draft is of use, and to land the
draft of another matter never is; no such attempt is good, so that no guard can do harm there.
A choice among drafts is replayed over all attempts at a matter at once (:mod:`flows.studies.choosing`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from flows.studies.choosing import chosen, groups
from flows.studies.histories import harm_to_history, history_of
from flows.studies.stored import Stored, stored_attempts
from skills_repo.mechanism_settings import DeliverableSetting
from tasks.drafting.mechanisms.compaction import size_of
from tasks.drafting.mechanisms.outputs import LeftFile, found_in
from tasks.drafting.mechanisms.records import Compaction, Guard, Landing, Picks, Repair, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.mechanisms.switches import OPTION
from tasks.drafting.records import Cell
from tasks.harness import Harness
from tasks.matter.base import Record
from tasks.release.build.deliverable import BUILDERS, deliverable_bytes

GOOD: Final = 0.5  # pass rate from which stored work counts as good: more of its criteria passed than failed
_LOST: Final = 0.02  # of the words of a good work, from which a repair does harm: formatting loses a few; chosen by eye
ALL: Final = "all"
ROOM: Final = 24_000  # characters of a history that a small local model with a window of 8,192 tokens can hold
_OF_DOCUMENTS: Final = frozenset({"matter_fidelity", "entity_lock"})  # what nobody kept is missing from the papers


class Replayed(Record):
    """What a mechanism does to one stored attempt.

    Attributes:
        fires: How often it acts.
        recovers: Whether what it does is of use, as this module defines it.
        harms: Whether it would have done harm.
        told: False where the stored run cannot tell: documents that were kept in part, or, for a guard, a solver that
            did not stop by itself but was ended.
        note: What it saw and did.
    """

    attempt_id: str
    mechanism: str
    fires: int = 0
    recovers: bool = False
    harms: bool = False
    told: bool = True
    score: float | None = None
    note: str = ""


def replay(
    names: Sequence[str], runs: Path, harness: Harness, cache: Path, good: float = GOOD, crossed: bool = False
) -> list[Replayed]:
    """Replay mechanisms over the attempts below a folder; what is stored is not changed.

    Args:
        names: Of mechanisms, or ``all``.
        runs: A folder with attempts at any depth.
        harness: Whose settings they have.
        cache: Where canonical texts of documents are kept.
        good: Share of criteria from which an attempt was good.
        crossed: Give each attempt the work product of another matter: a draft that is astray.

    Raises:
        SolonError: No such mechanism, or no attempt below the folder (``input``).
    """
    chosen = harness.mechanisms.names() if ALL in names else tuple(names)
    cell = Cell(name="replay", runtime="basic", options={OPTION: dict.fromkeys(chosen, True)})
    acting = [m for m in mechanisms_of(cell, harness, built) if m.name in chosen]
    own = list(stored_attempts(runs, cache, harness))
    astray = list(_crossed(own)) if crossed else []
    attempts = astray or own
    known = schemas_of(attempts)
    setting = harness.mechanisms.deliverable
    single = [m for m in acting if not isinstance(m, Picks)]
    rows = [_replayed(m, attempt, known, setting, good) for attempt in attempts for m in single]
    if crossed:
        before = {one.attempt_id: one for one in own}
        rows = [
            _by_the_crossing(row, m, _replayed(m, before[row.attempt_id], known, setting, good))
            for row, m in zip(rows, [m for _ in attempts for m in single], strict=True)
        ]
    several = [m for m in acting if isinstance(m, Picks)]
    return rows + [_choice(m, group, setting, good) for m in several for group in groups(own, astray)]


def _by_the_crossing(row: Replayed, mechanism: Repair | Compaction | Guard | Landing, own: Replayed) -> Replayed:
    """Take away what is no use of a mechanism against a draft that is astray: see the module."""
    of_use = row.recovers and not isinstance(mechanism, Landing) and not own.fires
    return row.model_copy(update={"recovers": of_use})


def _choice(mechanism: Picks, group: Sequence[Stored], setting: DeliverableSetting, good: float) -> Replayed:
    def worth(stored: Stored, view: View) -> float:
        if stored.score is not None:
            return stored.score
        return float(is_good(stored, view, found_in(view.output, setting), setting, good))

    empty = Replayed(attempt_id=group[0].attempt_id, mechanism=mechanism.name, score=group[0].score)
    if len(group) == 1:
        return empty.model_copy(update={"told": False, "note": "no other attempt at its matter was kept"})
    got = chosen(mechanism, group, _view, worth)
    before, after = got.worth
    note = f"{after:.0%} by {got.taken.attempt_id}: {got.note}"[:500]
    fires = int(got.taken is not got.first)
    return empty.model_copy(
        update={"fires": fires, "recovers": after > before, "harms": after < before, "score": before, "note": note}
    )


def _crossed(attempts: Sequence[Stored]) -> Iterator[Stored]:
    """Yield the attempts, each with the work product of another brief."""
    for at, one in enumerate(attempts):
        others = [o for o in attempts if o.brief != one.brief and o.output.is_dir()]
        if others:
            other = others[at % len(others)]
            yield replace(one, output=other.output, wanted=other.wanted, score=0.0, made_by=other.steps)


def built(markdown: str, name: str) -> bytes:
    """Return the bytes of a deliverable."""
    return deliverable_bytes(markdown, None, PurePosixPath(name).suffix)


def schemas_of(attempts: Sequence[Stored]) -> dict[str, dict[str, Any]]:
    """Return the tools that stored calls show: their names, and the arguments that sound calls gave."""
    known: dict[str, dict[str, Any]] = {}
    for step in (step for attempt in attempts for step in attempt.steps):
        if "_raw" not in step.arguments and not step.failed:
            known.setdefault(step.tool, {"properties": {}})["properties"].update({key: {} for key in step.arguments})
    return known


def _replayed(
    mechanism: Repair | Compaction | Guard | Landing,
    stored: Stored,
    known: Mapping[str, Any],
    setting: DeliverableSetting,
    good: float,
) -> Replayed:
    empty = Replayed(attempt_id=stored.attempt_id, mechanism=mechanism.name, score=stored.score)
    if isinstance(mechanism, Repair):
        return _repair(mechanism, stored, known, empty)
    if isinstance(mechanism, Compaction):
        return _compaction(mechanism, stored, empty)
    if mechanism.name in _OF_DOCUMENTS and stored.partial:
        return empty.model_copy(update={"told": False, "note": "of the documents only parts were kept"})
    if isinstance(mechanism, Guard) and not stored.stopped:
        return empty.model_copy(update={"told": False, "note": "the solver did not stop by itself"})
    with TemporaryDirectory() as place:
        view = _view(stored, Path(place))
        before = found_in(view.output, setting)
        fine = is_good(stored, view, before, setting, good)
        if isinstance(mechanism, Guard):
            said = mechanism.objection(view)
            return empty.model_copy(
                update={"fires": bool(said), "recovers": bool(said) and not fine, "harms": bool(said) and fine,
                        "note": " ".join(said.split())[:300]}
            )  # fmt: skip
        return _landing(mechanism, view, before, setting, empty)


def _view(stored: Stored, place: Path) -> View:
    """Return an attempt with a copy of its files, which may be changed."""
    output, scratch = place / "output", place / "scratch"
    for source, target in ((stored.output, output), (stored.scratch, scratch)):
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        target.mkdir(exist_ok=True)
    _texts_to_files(stored, output)
    return View(
        brief=stored.brief,
        wanted=stored.wanted,
        documents=stored.documents,
        output=output,
        scratch=scratch,
        steps=stored.steps,
        said=stored.said,
        turn=max((s.turn for s in stored.steps), default=0),
        asks=stored.asks,
        demanded=stored.demanded,
    )


def _texts_to_files(stored: Stored, output: Path) -> None:
    """Build ``memo.docx`` where a public run stored its text as ``memo.docx.md`` and its solver wrote ``memo.docx``."""
    made_by = stored.steps if stored.made_by is None else stored.made_by
    wrote = {PurePosixPath(str(v)).name for s in made_by if not s.failed for v in s.arguments.values()}
    for path in output.glob("*.*.md"):
        name = path.name.removesuffix(".md")
        if (
            name in wrote
            and PurePosixPath(name).suffix in BUILDERS
            and not ((output / name).exists() or path.is_symlink())
        ):
            (output / name).write_bytes(built(path.read_text(encoding="utf-8"), name))
            path.unlink()


def is_good(
    stored: Stored, view: View, files: Sequence[LeftFile], setting: DeliverableSetting, good: float = GOOD
) -> bool:
    """Tell whether an attempt was good: by its judge, else by its files."""
    if stored.score is not None:
        return stored.score >= good
    sound = {f.name for f in files if f.fits(f.name) and f.words >= setting.stub_words}
    return set(view.wanted) <= sound if view.wanted else bool(sound)


def _landing(
    mechanism: Landing, view: View, before: Sequence[LeftFile], setting: DeliverableSetting, empty: Replayed
) -> Replayed:
    firings = mechanism.landed(view)
    after = {f.name: f for f in found_in(view.output, setting)}
    held = {f.name: f for f in before}
    recovers, harms = False, False
    for name in (name for firing in firings for name in firing.files):
        old, new = held.get(name), after.get(name)
        sound = new is not None and new.fits(name) and new.words >= setting.stub_words
        recovers |= sound and (old is None or not old.fits(name) or (new is not None and new.words > old.words))
        if old is not None and old.fits(name) and old.words >= setting.stub_words:
            lost = set(old.text.split()) - set(new.text.split() if new else ())
            harms |= len(lost) > _LOST * len(set(old.text.split()))
    note = "; ".join(f.note for f in firings)[:300]
    return empty.model_copy(update={"fires": len(firings), "recovers": recovers, "harms": harms, "note": note})


def _repair(mechanism: Repair, stored: Stored, known: Mapping[str, Any], empty: Replayed) -> Replayed:
    notes = []
    harms = False
    for tool, arguments, sound in _calls(stored, known):
        found = mechanism.repaired(tool, arguments, known)
        if found:
            notes.append(f"{tool or 'a message'}: {found[0]} {found[1][:80]}")
            harms |= sound
    return empty.model_copy(
        update={
            "fires": len(notes),
            "recovers": bool(notes) and not harms,
            "harms": harms,
            "note": "; ".join(notes)[:300],
        }
    )


def _calls(stored: Stored, known: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield tool, arguments and whether the call was understood; the last message may be a call that is written out."""
    for step in stored.steps:
        raw = step.arguments.get("_raw")
        sound = raw is None and step.tool in known
        yield step.tool, raw if isinstance(raw, str) else json.dumps(dict(step.arguments), ensure_ascii=False), sound
    if stored.said:
        yield "", stored.said, False


def _compaction(mechanism: Compaction, stored: Stored, empty: Replayed) -> Replayed:
    """Shorten the history as it was at the end, if it would not fit the window."""
    messages = history_of(stored)
    made = mechanism.compacted(messages, ROOM)
    if made is None:
        return empty
    harm, size = harm_to_history(messages, made), size_of(made)
    note = harm or f"{len(messages)} messages of {size_of(messages):,} characters in {size:,} of {ROOM:,}"
    return empty.model_copy(
        update={"fires": 1, "recovers": not harm and size <= ROOM, "harms": bool(harm), "note": note}
    )


def table(rows: Sequence[Replayed]) -> dict[str, Any]:
    """Return attempts, fires, recoveries and harm by mechanism, with the ids of the attempts it acted on."""
    counted: dict[str, Any] = {}
    for name in dict.fromkeys(row.mechanism for row in rows):
        own = [row for row in rows if row.mechanism == name]
        counted[name] = {
            "attempts": len(own),
            "cannot_tell": sum(not row.told for row in own),
            "fires": sum(row.fires > 0 for row in own),
            "recovers": sum(row.recovers for row in own),
            "harms": sum(row.harms for row in own),
            "acted_on": [
                row.model_dump(mode="json", exclude={"mechanism", "told"}) for row in own if row.fires
            ],
        }  # fmt: skip
    return counted


def render(counted: Mapping[str, Any]) -> str:
    """Return the table as lines."""
    lines = [f"{'mechanism':16} {'attempts':>8} {'cannot tell':>11} {'fires':>6} {'recovers':>8} {'harms':>6}"]
    for name, row in counted.items():
        counts = f"{row['attempts']:8} {row['cannot_tell']:11} {row['fires']:6} {row['recovers']:8} {row['harms']:6}"
        lines.append(f"{name:16} {counts}")
    for name, row in counted.items():
        for acted in row["acted_on"]:
            what = "harms" if acted["harms"] else "recovers" if acted["recovers"] else "acts"
            score = "not scored" if acted["score"] is None else f"{acted['score']:.0%}"
            lines.append(f"{name} {what}: {acted['attempt_id']} ({score}): {acted['note']}")
    return "\n".join(lines)
