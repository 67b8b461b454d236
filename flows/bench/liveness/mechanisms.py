"""The settings of the mechanisms: each is changed, and an attempt on which it depends is taken through again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from flows.bench.liveness.gates import bounds
from flows.bench.liveness.records import Leaf, moved, without
from flows.bench.liveness.witness import witness
from skills_repo.mechanism_settings import MechanismSettings
from tasks.asks.records import Asks
from tasks.drafting.calling import client_of
from tasks.drafting.mechanisms.fidelity import signs
from tasks.drafting.mechanisms.outputs import found_in
from tasks.drafting.mechanisms.records import Firing, Moment, Step, View
from tasks.drafting.mechanisms.registry import mechanisms_of
from tasks.drafting.mechanisms.switches import OPTION
from tasks.drafting.records import Cell, DraftJob, WorkProduct
from tasks.drafting.several import draft_with_choice
from tasks.harness import Harness
from tasks.matter.records import Matter
from tasks.models.access import ModelAccess
from tasks.sources.records import MatterState

_MEMO = "memo.md"
_LEASE = (
    'LEASE between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant"). The Base Rent and '
    "the Security Deposit are due on the Permitted Date; the Common Areas, the Premises and the Roof are kept."
)
_ASTRAY = (
    "Zephyrline Logistics Corporation and Brightmoor Staffing Partners and Quillfeather Bakery, Inc. face an action. "
    "The Hostile Work Environment, the Retaliatory Discharge, the Back Pay, the Front Pay, the Equal Employment "
    "Charge, the Personnel File, the Common Areas, the Staffing Order and the Joint Employer are assessed; rent and "
    "deposit matter little. We weigh pretext, causation, proximity and mitigation, and say who has the burden of each. "
    "The supervisor denied a promotion, and the employee was moved to another shift before she left the company. "
    "The answer is due, and defenses should be pleaded with care by counsel for both of them."
)


def mechanisms(harness: Harness) -> Iterator[Leaf]:
    """Turn each switch, and move each threshold, word and pattern of ``mechanisms.toml``."""
    settings = harness.mechanisms
    for section in MechanismSettings.model_fields:
        part: BaseModel = getattr(settings, section)
        for field in type(part).model_fields:
            value = getattr(part, field)
            where = f"{section}.{field}"
            if field == "on":
                yield Leaf("mechanisms", where, _names(harness) != _names(_with(harness, section, field, not value)))
            elif isinstance(value, tuple):
                yield from _items(harness, section, field)
            else:
                yield Leaf("mechanisms", where, _moves(harness, section, field))


def _items(harness: Harness, section: str, field: str) -> Iterator[Leaf]:
    """Leave out each pattern of a list, and let the mechanism meet what the pattern is about."""
    part: BaseModel = getattr(harness.mechanisms, section)
    for position, pattern in enumerate(getattr(part, field)):
        word = witness(pattern.replace("{place}", "Delaware")) or ""
        other = _with(harness, section, field, without(getattr(part, field), position))
        alive = bool(word) and _MEETS[section](harness, word) != _MEETS[section](other, word)
        yield Leaf("mechanisms", f"{section}.{field}: {pattern}", alive)


def _moves(harness: Harness, section: str, field: str) -> bool:
    """Tell whether another value of a setting changes what is done."""
    part: BaseModel = getattr(harness.mechanisms, section)
    before = _OUTCOMES[section](harness)
    for value in (*moved(getattr(part, field)), *bounds(part, field)):
        try:
            type(part).model_validate({**part.model_dump(), field: value})
        except ValidationError:
            continue  # out of range: another value decides
        if _OUTCOMES[section](_with(harness, section, field, value)) != before:
            return True
    return False


def _with(harness: Harness, section: str, field: str, value: Any) -> Harness:
    part: BaseModel = getattr(harness.mechanisms, section)
    other = part.model_copy(update={field: value})
    return replace(harness, mechanisms=harness.mechanisms.model_copy(update={section: other}))


def _names(harness: Harness) -> list[str]:
    return [m.name for m in mechanisms_of(Cell(name="bench", runtime="basic"), harness)]


def _made(harness: Harness, name: str) -> Any:
    cell = Cell(name="bench", runtime="basic", options={OPTION: {name: True}})
    return next(m for m in mechanisms_of(cell, harness) if m.name == name)


def _view(place: Path, files: Mapping[str, str], **rest: Any) -> View:
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    given: dict[str, Any] = {
        "brief": "Rent, deposit, roof, repair, term, insurance, assignment, renewal and notices under the lease.",
        "wanted": (_MEMO,),
        **rest,
    }
    return View(output=place, scratch=place / "none", **{"documents": {}, **given})


def _told(name: str, times: int) -> tuple[Firing, ...]:
    return (Firing(mechanism=name, moment=Moment.FINISH, note="x"),) * times


def _deliverable(harness: Harness, word: str = "") -> Any:
    """Return how many words count, and what the gate says of drafts of one to sixty words."""
    work = harness.mechanisms.deliverable
    with TemporaryDirectory() as place:
        if word:
            _view(Path(place), {_MEMO: f"The rent is due.\n{word}\n"})
            return [f.words for f in found_in(Path(place), work)]
        said = []
        for length in (5, 15, 30, 60):
            view = _view(Path(place), {_MEMO: "rent " * length})
            said.append(_made(harness, "completion").objection(view))
        return said


def _call_repair(harness: Harness) -> Any:
    known: dict[str, dict[str, Any]] = {"summarize": {"properties": {}}}
    return [_made(harness, "call_repair").repaired("summarize"[:n], "{}", known) for n in range(1, 9)]


def _compaction(harness: Harness) -> Any:
    """Return what is left of histories with long results, with long texts, written or said, and with many turns."""
    made = _made(harness, "compaction")
    scenes = (([1500] * 8, 0, 14_000), ([10] * 8, 1500, 12_000), ([400] * 60, 0, 9_000), ([700, 900] * 6, 0, 10_300))
    talk = [*_history([400], 0), {"role": "assistant", "content": "t" * 9_000}, {"role": "user", "content": "u"}]
    return [
        *(made.compacted(_history(results, written), room) for results, written, room in scenes),
        made.compacted(talk, 4_000),
    ]


def _history(results: list[int], written: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "s"}, {"role": "user", "content": "b"}]
    for number, length in enumerate(results):
        function = {"name": "read", "arguments": json.dumps({"path": str(number), "content": "w" * written})}
        call = {"id": str(number), "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(number), "content": "r" * length})
    return messages


def _finish(harness: Harness, word: str = "") -> Any:
    guard = _made(harness, "finish_guard")
    with TemporaryDirectory() as place:
        view = _view(Path(place), {}, said=word, steps=() if word else (_TODO,))
        return [guard.objection(replace(view, fired=_told(guard.name, n))) for n in range(6)]


_TODO = Step(1, "todo_write", {"todos": [{"content": "Write", "status": "pending"}]})


def _completion(harness: Harness) -> Any:
    from tasks.asks.records import Ask, AskKind

    ask = Ask(ask_id="1", words="Rent?", start=0, end=5, kind=AskKind.FACT, subject="rent")
    with TemporaryDirectory() as place:
        view = _view(Path(place), {_MEMO: "rent " * 60}, asks=Asks(brief="Rent?", asks=(ask,)))
        return _made(harness, "completion").objection(view)


def _mandatory(harness: Harness) -> Any:
    with TemporaryDirectory() as place:
        return _made(harness, "mandatory_tools").objection(_view(Path(place), {}, demanded=("authority",)))


def _fidelity(harness: Harness) -> Any:
    """Return the signs and the objections to a draft astray, whole and cut short."""
    guard = _made(harness, "matter_fidelity")
    with TemporaryDirectory() as place:
        said = []
        for text in (_ASTRAY, _ASTRAY[:460]):
            view = _view(Path(place), {_MEMO: text}, documents={"lease.txt": _LEASE})
            said += [guard.objection(replace(view, fired=_told(guard.name, n))) for n in range(6)]
            said.append(str(signs(view, text, harness.mechanisms.matter_fidelity, guard.places)))
        return said


def _entity_lock(harness: Harness, word: str = "") -> Any:
    guard = _made(harness, "entity_lock")
    strangers = ", ".join(f"{chr(65 + n)}zanzibar{chr(97 + n)} Estates LLC" for n in range(26))
    with TemporaryDirectory() as place:
        view = _view(Path(place), {_MEMO: word or strangers}, documents={"lease.txt": _LEASE})
        return [guard.objection(replace(view, fired=_told(guard.name, n))) for n in range(6)]


def _landing(harness: Harness) -> Any:
    with TemporaryDirectory() as place:
        return _made(harness, "landing").landed(_view(Path(place), {"other.md": "rent " * 60}))


def _reassembly(harness: Harness) -> Any:
    """Return what becomes of a fragment that is a quarter of the whole."""
    head, tail = "# Lease\n\n" + "rent " * 60, "## 2. Term\n\n" + "term " * 18
    steps = [Step(n, "write", {"path": _MEMO, "content": text}) for n, text in enumerate((head, tail))]
    with TemporaryDirectory() as place:
        return _made(harness, "reassembly").landed(_view(Path(place), {_MEMO: tail}, steps=steps))


def _vote(harness: Harness) -> Any:
    """Return how warm the model is that is asked for each draft."""
    warm: list[float | None] = []

    def made(job: DraftJob) -> WorkProduct:
        warm.append(client_of(job).profile.temperature)
        return WorkProduct(files=(), outcome="finished")

    nothing: Any = None  # no draft is made, so nothing is searched or built
    cell = Cell(name="bench", runtime="api", profile="m", options={OPTION: {"vote": True}})
    with TemporaryDirectory() as place:
        job = DraftJob(
            matter=Matter(matter_id="m", title="m", area="m", instructions="m", deliverables=(), documents=()),
            state=MatterState(matter_id="m", documents=(), coverage=()), texts={}, index=nothing, pack=nothing,
            cell=cell, toolbox=nothing, workspace=Path(place), harness=harness, asks=Asks(brief="m", asks=()),
            models=ModelAccess({"m": {"model": "scripted"}}),
        )  # fmt: skip
        draft_with_choice(lambda folder: replace(job, workspace=folder), Path(place), made)
    return warm


_OUTCOMES: Mapping[str, Callable[[Harness], Any]] = MappingProxyType(
    {
        "deliverable": _deliverable,
        "call_repair": _call_repair,
        "compaction": _compaction,
        "finish_guard": _finish,
        "completion": _completion,
        "mandatory_tools": _mandatory,
        "matter_fidelity": _fidelity,
        "entity_lock": _entity_lock,
        "landing": _landing,
        "reassembly": _reassembly,
        "vote": _vote,
    }
)
"""What shows that a setting acts, by section of the file."""
_MEETS: Mapping[str, Callable[[Harness, str], Any]] = MappingProxyType(
    {"deliverable": _deliverable, "finish_guard": _finish, "entity_lock": _entity_lock}
)
"""What shows that an item of a list acts on the words that it is about."""
