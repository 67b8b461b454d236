"""``solon bench research``: share of questions whose right place is among the spans of the answer, by method.

``data`` is a LegalBench-RAG folder, or ContractNLI's (whose statements are asked of its development documents, most of
which are silent on most of them). Each row is a researcher that always looks in the ways that it is named after; in the
row ``choice`` the cues of the harness choose. Exemplars are learned from ContractNLI's training file alone.

The result, one JSON object, per cent::

    {"rows": {"<data set>": {"<way>": {"n", "answered", "right", "interval", "first", "characters", "milliseconds",
                                       "silent": {"n", "said_so"}}}},
     "about": {"limit", "exemplars", "documents": {"<data set>": n}}}

``right``: of the questions that a lawyer answered, those with a span of the answer that shares a character with a place
that the lawyer marked; ``first``: the same of the first statement alone; ``characters``: of the answer, median;
``said_so``: of the questions on which the paper is silent, those that were not answered.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.bench.research.questions import PaperQuestion, PaperRoom, rooms
from flows.bench.retrieval.measures import touches
from tasks.harness import Harness
from tasks.retrieval.entail.corpus import TRAINING
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.research.choice import Chosen, cues_of
from tasks.retrieval.research.configured import ResearchProfile
from tasks.retrieval.research.looks import Looker
from tasks.retrieval.research.records import Answer, Method, Question
from tasks.retrieval.research.researcher import HouseResearcher, MethodChooser, ResearchPapers, looks_at_hand

WAYS: tuple[tuple[Method, ...], ...] = (
    (Method.HYBRID,),
    (Method.HYBRID, Method.GRAPH),
    (Method.HYBRID, Method.KNOWLEDGE),
    (Method.HYBRID, Method.EXEMPLARS),
)
CHOICE = "choice"
_NORMAL = 1.96  # standard deviations of a 95 % interval


class Always:
    """Chooses the same methods for every question."""

    def __init__(self, methods: Sequence[Method]) -> None:
        """Take the methods."""
        self._methods = methods

    def choose(self, question: Question, at_hand: Sequence[Method]) -> list[Chosen]:  # noqa: ARG002 (the form)
        """Return those that are at hand."""
        return [Chosen(method, "always") for method in self._methods if method in at_hand]


def measure_research(
    data: Path,
    harness: Harness,
    limit: int | None = None,
    exemplars: Path | None = None,
    say: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Ask the questions of a folder in every way.

    Args:
        data: The questions and their papers.
        harness: Of the researcher.
        limit: Questions of each data set at most, chosen by hash; all when None.
        exemplars: Folder whose ``train_truncated.json`` the exemplars are; no row for them when None.
        say: Takes a line of progress; ``str`` keeps silent.
    """
    rows: dict[str, Any] = {}
    found = rooms(data, limit)
    with tempfile.TemporaryDirectory() as place:
        training = _training(exemplars, Path(place)) if exemplars is not None else None
        for name, room in found.items():
            papers = ResearchPapers(MatterIndex(room.texts, Path(place) / "cache"), room.texts, harness.knowledge)
            looks = looks_at_hand(papers, ResearchProfile(exemplars=str(training or "")))
            rows[name] = {}
            for way, chooser in _choosers(looks, harness).items():
                say(f"{name}: {way}, {len(room.questions)} questions")
                rows[name][way] = _row(HouseResearcher(papers, looks, chooser), room)
    about = {
        "limit": limit,
        "exemplars": exemplars is not None,
        "documents": {name: len(room.texts) for name, room in found.items()},
    }
    return {"rows": rows, "about": about}


def render(result: Mapping[str, Any]) -> str:
    """Return the table."""
    lines = [f"{'data set':24} {'way':20} {'n':>5} {'answered':>9} {'right':>6} {'95 %':>13} {'first':>6} {'chars':>6} "
             f"{'ms':>5} {'silent':>7} {'said so':>8}"]  # fmt: skip
    for name, ways in result["rows"].items():
        for way, row in ways.items():
            low, high = row["interval"]
            lines.append(
                f"{name:24} {way:20} {row['n']:5} {row['answered']:9.1f} {row['right']:6.1f} "
                f"{f'{low:.1f} to {high:.1f}':>13} {row['first']:6.1f} {row['characters']:6} "
                f"{row['milliseconds']:5.0f} {row['silent']['n']:7} {row['silent']['said_so']:8.1f}"
            )
    return "\n".join(lines)


def _choosers(looks: Mapping[Method, Looker], harness: Harness) -> dict[str, MethodChooser]:
    always = {"+".join(way): Always(way) for way in WAYS if set(way) <= set(looks)}
    return {**always, CHOICE: cues_of(harness.knowledge)}


def _row(researcher: HouseResearcher, room: PaperRoom) -> dict[str, Any]:
    told: list[tuple[PaperQuestion, Answer]] = []
    started = time.perf_counter()
    for asked in room.questions:
        question = Question(text=asked.text, documents=(asked.document,), kind="fact")
        told.append((asked, researcher.answer(question)))
    seconds = time.perf_counter() - started
    spoken = [(asked, answer) for asked, answer in told if asked.gold]
    silent = [answer for asked, answer in told if not asked.gold]
    right = [_right(asked, answer, None) for asked, answer in spoken]
    sizes = [sum(b - a for _, a, b in _spans(answer, None)) for _, answer in spoken if answer.statements]
    return {
        "n": len(spoken),
        "answered": _per_cent([bool(_spans(answer, None)) for _, answer in spoken]),
        "right": _per_cent(right),
        "interval": _interval(right),
        "first": _per_cent([_right(asked, answer, 1) for asked, answer in spoken]),
        "characters": round(statistics.median(sizes)) if sizes else 0,
        "milliseconds": round(1000 * seconds / max(len(told), 1), 1),
        "silent": {"n": len(silent), "said_so": _per_cent([not _spans(answer, None) for answer in silent])},
    }


def _spans(answer: Answer, most: int | None) -> list[tuple[str, int, int]]:
    return [(s.document, s.start, s.end) for statement in answer.statements[:most] for s in statement.spans]


def _right(asked: PaperQuestion, answer: Answer, most: int | None) -> bool:
    return any(touches(span, asked.gold) for span in _spans(answer, most))


def _per_cent(hits: Sequence[bool]) -> float:
    return round(100 * sum(hits) / len(hits), 1) if hits else 0.0


def _interval(hits: Sequence[bool]) -> tuple[float, float]:
    """Return the Wilson interval of a share, 95 %."""
    n = len(hits)
    if not n:
        return (0.0, 0.0)
    share, z = sum(hits) / n, _NORMAL
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * ((share * (1 - share) + z * z / (4 * n)) / n) ** 0.5 / (1 + z * z / n)
    return (round(100 * max(0.0, middle - half), 1), round(100 * min(1.0, middle + half), 1))


def _training(exemplars: Path, place: Path) -> Path:
    """Return a folder with the training file alone: the development documents are those that are asked."""
    folder = place / "exemplars"
    folder.mkdir()
    (folder / TRAINING).write_bytes((exemplars / TRAINING).read_bytes())
    return folder
