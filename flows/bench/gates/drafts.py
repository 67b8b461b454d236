"""Drafts of the bench: what a runtime wrote, with errors planted in some of its lines."""

from __future__ import annotations

import bisect
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flows.bench.gates.plant import KINDS, DraftStatement, plant
from flows.bench.gates.prose import statements, true_denials
from flows.bench.gates.scene import Scene
from tasks.legaltext.names import name_words
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.names import DocumentNames
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import CanonicalText

_SECTION = re.compile(r"§ ?([\w.()]+)")
_APART = 3  # of so many lines of a runtime's draft at most one is altered
_EACH = 2  # statements of a kind that are retold for a matter
_LEAST_WORDS = 5  # words of a line that says something; shorter ones are labels


@dataclass(frozen=True)
class Planted:
    """A line of a draft, ``[start, end)``, and the kind of error planted in it; empty for a clean one."""

    start: int
    end: int
    text: str
    kind: str = ""


@dataclass(frozen=True)
class BenchDraft:
    """A draft whose errors are known."""

    runtime: str
    scene: Scene
    text: CanonicalText
    lines: tuple[Planted, ...]


def prose_drafts(scene: Scene) -> Iterator[BenchDraft]:
    """Yield two memoranda in prose: all of it true, and every other statement altered."""
    rng = random.Random(f"prose:{scene.matter.matter_id}")
    told = list(statements(scene, rng, 2 * _EACH))
    denials = list(true_denials(scene, rng, 2 * _EACH))
    rng.shuffle(told)
    yield _written("prose", scene, [(of, "") for _, of in told] + [(of, "") for of in denials])
    mixed, seen = [], Counter[str]()
    for kind, of in told:
        seen[kind] += 1
        changed = plant(kind, scene, of, rng) if seen[kind] % 2 else None
        mixed.append((changed, kind) if changed else (of, ""))
    yield _written("prose", scene, mixed + [(of, "") for of in denials])


def _written(runtime: str, scene: Scene, told: Sequence[tuple[DraftStatement, str]]) -> BenchDraft:
    name, lines, text = "memo.md", [], "# Memorandum\n\n## Findings\n\n"
    for of, kind in told:
        lines.append(Planted(len(text), len(text) + len(of.text), of.text, kind))
        text += of.text + "\n\n"
    canonical = CanonicalText(document=name, sha256="0" * 64, extractor="bench/1", media="md", text=text)
    return BenchDraft(runtime, scene, canonical, tuple(lines))


def runtime_drafts(scene: Scene, runtime: str, written: CanonicalText) -> Iterator[BenchDraft]:
    """Yield what a runtime wrote as it is, and with errors planted in some lines."""
    clean = [Planted(a, b, written.text[a:b]) for a, b in _lines(written)]
    yield BenchDraft(runtime, scene, written, tuple(clean))
    rng = random.Random(f"{runtime}:{scene.matter.matter_id}:{written.document}")
    changes = _changes(scene, written, clean, rng)
    yield BenchDraft(runtime, scene, *_altered(written, clean, changes))


def _lines(text: CanonicalText) -> list[tuple[int, int]]:
    heads = {s.start for s in text.segments if s.kind == "heading"}
    found, at = [], 0
    for line in text.text.split("\n"):
        if at not in heads and len(line.split()) >= _LEAST_WORDS:
            found.append((at, at + len(line)))
        at += len(line) + 1
    return found


def _changes(
    scene: Scene, written: CanonicalText, lines: Sequence[Planted], rng: random.Random
) -> dict[int, tuple[str, str]]:
    """Choose lines and errors, the kinds that are rare so far first; by number of the line."""
    view = DraftView(written, DocumentNames.of(scene.matter, scene.state, scene.texts))
    topics = {name: p.name for p in catalogue_of(scene.harness.knowledge) if p.strong for name in p.names}
    made: Counter[str] = Counter()
    chosen: dict[int, tuple[str, str]] = {}
    numbers = list(range(len(lines)))
    rng.shuffle(numbers)
    for n in numbers:
        if len(chosen) * _APART >= len(lines):
            break
        of = _read(scene, view, lines[n], topics)
        for kind in sorted(KINDS, key=lambda k: (made[k], rng.random())) if of else ():
            changed = plant(kind, scene, of, rng) if of else None
            if changed is not None:
                chosen[n], made[kind] = (changed.text, kind), made[kind] + 1
                break
    return chosen


def _read(scene: Scene, view: DraftView, line: Planted, topics: dict[str, str]) -> DraftStatement | None:
    """Read a line as a statement about one document; None where it is about none."""
    about = [d for d in view.cited_near(line.start) if d in scene.documents]
    if len(about) != 1:
        return None
    sections = _SECTION.findall(line.text)
    at = bisect.bisect_right(view.headings, (line.start, 0)) - 1
    heading = " ".join(name_words(re.sub(r"\(.*", "", view.text[slice(*view.headings[at])]))) if at >= 0 else ""
    denying = re.match(r"(?:No|None)\b", line.text) is not None
    cited = sections[0] if len(sections) == 1 else ""
    return DraftStatement(line.text, about[0], cited, "" if denying or not sections else topics.get(heading, ""))


def _altered(
    written: CanonicalText, lines: Sequence[Planted], changes: dict[int, tuple[str, str]]
) -> tuple[CanonicalText, tuple[Planted, ...]]:
    """Put changed lines in the place of the old ones, and move what lies behind them."""
    text, moved = edited(written, [(lines[n].start, lines[n].end, new) for n, (new, _) in sorted(changes.items())])
    told = (changes.get(n, (line.text, "")) for n, line in enumerate(lines))
    spans = ((at := moved(line.start), at + len(new), new, kind) for line, (new, kind) in zip(lines, told, strict=True))
    return text, tuple(Planted(*span) for span in spans)


def edited(
    written: CanonicalText, changes: Sequence[tuple[int, int, str]]
) -> tuple[CanonicalText, Callable[[int], int]]:
    """Put other words in places of a text.

    Args:
        written: The text.
        changes: Start and end of each place, in order, and the words that stand there instead.

    Returns:
        The text with its segments, and where an offset that lies in no changed place has gone.
    """
    text, edges, at = "", [(0, 0)], 0
    for start, end, new in changes:
        text += written.text[at:start] + new
        at = end
        edges.append((end, len(text) - end))
    text += written.text[at:]

    def moved(offset: int) -> int:
        return offset + edges[bisect.bisect_right(edges, (offset, len(text) + offset)) - 1][1]

    segments = tuple(s.model_copy(update={"start": moved(s.start), "end": moved(s.end)}) for s in written.segments)
    return written.model_copy(update={"text": text, "segments": segments}), moved
