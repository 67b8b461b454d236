"""Errors that somebody planted by hand in drafts: each alone in its draft, caught or missed, and the clean flags."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from flows.bench.gates.drafts import edited
from flows.bench.gates.opened import OpenDraft, attempt_of, open_draft
from flows.bench.gates.plant import KINDS, MECHANICAL
from flows.bench.request import misuse, say
from tasks.harness import HarnessRef
from tasks.matter.base import Record
from tasks.reconcile.check import CheckJob
from tasks.reconcile.records import Finding
from tasks.reconcile.registry import GATES, run_check
from tasks.sources.records import CanonicalText

_TELLING = 3  # characters up to which what was planted stands in any finding


class PlantedError(Record):
    """One error: ``old`` of a draft is replaced by ``new``.

    Attributes:
        draft: An attempt folder, a folder above exactly one attempt, or a file; relative to the list's own folder.
        kind: One of the kinds of the bench.
        old: Words that stand once in the draft as it is read; a blank meets any white space.
        new: What stands there instead; may be empty. White space and words that both share stay as they are.
        sources: Folder of the documents, for a file that no attempt wrote.
        note: For its reader; not read here.
    """

    draft: str
    kind: str
    old: str
    new: str
    sources: str = ""
    note: str = ""


@dataclass(frozen=True)
class _Place:
    """Where an error goes: the draft, its deliverable, and the words that stand in ``[start, end)`` afterwards."""

    error: PlantedError
    draft: OpenDraft
    deliverable: str
    start: int
    end: int
    new: str


def measure_planted(listed: Path, harness: HarnessRef, cache: Path, scratch: Path) -> dict[str, Any]:
    """Plant each error of a list alone, and run all gates over the draft.

    Args:
        listed: JSON file: a list of errors.
        harness: The harness, whose gates judge.
        cache: Cache of the stages.
        scratch: An empty folder.

    Raises:
        SolonError: The list cannot be read, a draft cannot be opened, or ``old`` does not stand in it exactly once.
    """
    errors = read_errors(listed)
    drafts: dict[tuple[Path, str], OpenDraft] = {}
    for error in errors:
        key = _key(listed, error)
        if key not in drafts:
            sources = listed.parent / error.sources if error.sources else None
            drafts[key] = open_draft(key[0], sources, harness, cache, scratch / str(len(drafts)))
    places = _placed(listed, [(e, drafts[_key(listed, e)]) for e in errors])
    clean = {key: _flags(draft.job) for key, draft in drafts.items()}
    rows = []
    for n, place in enumerate(places, start=1):
        say(f"{n} of {len(places)}: {place.error.kind} in {place.error.draft}")
        rows.append(_tried(place, clean[_key(listed, place.error)]))
    told = [{"draft": str(key[0]), "flags": [_told(f) for f in found]} for key, found in clean.items()]
    return {**_counted(rows), "drafts": told, "records": rows}


def _key(listed: Path, error: PlantedError) -> tuple[Path, str]:
    """Return what tells the draft of an error from others: its attempt, and the folder of its documents."""
    place = listed.parent / error.draft
    return (place if error.sources else attempt_of(place)), error.sources


def read_errors(listed: Path) -> list[PlantedError]:
    """Read a list of errors.

    Raises:
        SolonError: It is no such list, or names a kind that there is not.
    """
    try:
        errors = TypeAdapter(list[PlantedError]).validate_json(listed.read_bytes())
    except OSError as exc:
        raise misuse(str(listed), f"cannot be read: {exc.strerror}", "name a JSON file with --planted") from exc
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        form = json.dumps([{"draft": "RUN/MATTER/CELL/1", "kind": "amount", "old": "$8,500", "new": "$9,500"}])
        raise misuse(str(listed), f"is no list of errors: {where}: {first['msg']}", f"write it as {form}") from exc
    unknown = sorted({e.kind for e in errors} - set(KINDS))
    if unknown or not errors:
        message = f"has kinds that there are not: {', '.join(unknown)}" if unknown else "holds no error"
        raise misuse(str(listed), message, f"the kinds are {', '.join(KINDS)}")
    return errors


def _placed(listed: Path, errors: Sequence[tuple[PlantedError, OpenDraft]]) -> list[_Place]:
    """Find the one place of each error; all that have none, or several, are refused together."""
    found, refused = [], []
    for n, (error, draft) in enumerate(errors, start=1):
        places = list(_places(error, draft))
        changes = error.old.split() != error.new.split()
        if len(places) == 1 and changes:
            found.append(places[0])
        else:
            why = f"stands {len(places)} times in it" if changes else "is replaced by itself"
            refused.append(f"record {n} ({error.draft}): “{error.old[:80]}” {why}")
    if refused:
        remedy = "give in `old` words that stand there exactly once, as the release report or the reader shows them"
        raise misuse(str(listed), "; ".join(refused), remedy)
    return found


def _places(error: PlantedError, draft: OpenDraft) -> Iterator[_Place]:
    words = error.old.split()
    pattern = re.compile(r"\s+".join(map(re.escape, words))) if words else None
    for name, text in draft.drafts.items():
        for match in pattern.finditer(text.text) if pattern else ():
            yield _Place(error, draft, name, *_change(match[0], match.start(), error.new))


def _change(found: str, at: int, new: str) -> tuple[int, int, str]:
    """Return the change of a place in as few words as it takes: what the words have in common stays as it is."""
    old, words = [(m.start(), m.end()) for m in re.finditer(r"\S+", found)], new.split()
    said = [found[a:b] for a, b in old]
    head = _common(said, words)
    tail = _common(said[head:][::-1], words[head:][::-1])
    first, last = head, len(said) - tail
    put = " ".join(words[head : len(words) - tail])
    if first < last:
        gap = 0 if put or last == len(old) else old[last][0] - old[last - 1][1]
        return at + old[first][0], at + old[last - 1][1] + gap, put
    here = old[first - 1][1] if first else 0
    return at + here, at + here, f" {put}" if first else f"{put} "


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words that both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _flags(job: CheckJob) -> list[Finding]:
    return [f for gate in GATES for f in run_check(gate, job).findings if f.severity != "note"]


def _tried(place: _Place, clean: Sequence[Finding]) -> dict[str, Any]:
    """Plant an error, check the draft, and tell which new findings lie on its line, and which elsewhere."""
    written, error = place.draft.drafts[place.deliverable], place.error
    text, moved = edited(written, [(place.start, place.end, place.new)])
    job = replace(place.draft.job, drafts={**place.draft.drafts, place.deliverable: text})
    before = [f.model_copy(update={"start": moved(f.start), "end": moved(f.end)}) for f in clean]
    line = _line(text, place.start, place.start + len(place.new))
    found = [f for f in _flags(job) if not any(_same(f, b) for b in before)]
    covering = [f for f in found if _covers(f, place.deliverable, line, place.new)]
    return {
        **error.model_dump(exclude={"sources"}),
        "caught": bool(covering),
        "findings": [_told(f) for f in covering],
        "elsewhere": [_told(f) for f in found if f not in covering],
    }


def _line(text: CanonicalText, start: int, end: int) -> tuple[int, int]:
    """Return the paragraph or row that holds a change."""
    stop = text.text.find("\n", max(start, end))
    return text.text.rfind("\n", 0, start) + 1, len(text.text) if stop < 0 else stop


def _same(finding: Finding, other: Finding) -> bool:
    """Say whether a finding was there before: of one kind, at one place or, where it has none, with one text."""
    if (finding.gate, finding.kind, finding.deliverable) != (other.gate, other.kind, other.deliverable):
        return False
    placed = finding.end and other.end
    return finding.start < other.end and other.start < finding.end if placed else finding.text == other.text


def _covers(finding: Finding, deliverable: str, line: tuple[int, int], new: str) -> bool:
    if finding.deliverable not in ("", deliverable):
        return False
    if finding.end:
        return finding.start < line[1] and line[0] < finding.end
    return len(new) > _TELLING and new in f"{finding.text} {finding.sentence}"


def _told(finding: Finding) -> dict[str, str]:
    told = {"flag": f"{finding.gate}.{finding.kind}", "deliverable": finding.deliverable, "text": finding.text[:200]}
    return {**told, "sentence": finding.sentence, "checked": finding.checked[:300]}


def _counted(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    def share(wanted: Callable[[str], bool]) -> dict[str, Any]:
        of = [bool(r["caught"]) for r in rows if wanted(r["kind"])]
        return {"planted": len(of), "caught": sum(of), "share": round(100 * sum(of) / len(of), 1) if of else None}

    return {
        "kinds": {k: share(lambda kind, k=k: kind == k) for k in KINDS},  # type: ignore[misc]
        "mechanical": share(lambda kind: kind in MECHANICAL),
        "others": share(lambda kind: kind not in MECHANICAL),
    }


def render_planted(result: Mapping[str, Any]) -> str:
    """Return the table of kinds, what was missed, and the flags of the clean drafts."""
    lines = [f"{'kind':18}{'planted':>9}{'caught':>8}{'%':>7}"]
    for name, of in {**result["kinds"], "mechanical": result["mechanical"], "others": result["others"]}.items():
        if of["planted"]:
            lines.append(f"{name:18}{of['planted']:>9}{of['caught']:>8}{of['share']:>7.1f}")
    for row in result["records"]:
        if not row["caught"]:
            lines.append(f"missed: {row['kind']}: “{row['old']}” -> “{row['new']}” ({row['draft']})")
    for draft in result["drafts"]:
        lines.append(f"flags of the clean draft {draft['draft']}: {len(draft['flags'])}")
        lines += [f"  {f['flag']} “{f['text']}” {f['checked']}" for f in draft["flags"]]
    return "\n".join(lines)
