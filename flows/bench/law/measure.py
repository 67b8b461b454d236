"""Put questions of law to the ``authority`` tool and count what it puts first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from flows.bench.law.matching import match, same_period
from flows.bench.law.questions import LawQuestion

Outcome = Literal["right", "act", "wrong", "not held"]
Tool = Callable[[str, str], dict[str, Any]]
"""A question and the law district of its matter, which may be empty, to what is found."""

CONFIDENT: Final = 0.5
"""Score from which an answer is given with confidence: more likely right than wrong, as the score is meant."""
# Edges of the bands of scores whose share of right answers is told; narrow at the top, where most scores lie.
BINS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)
DEPTH: Final = 5  # first rows of an answer among which a lawyer would still see the right one


class LawVerdict(BaseModel):
    """What the tool answered to one question.

    Attributes:
        authority: What its first authority is: ``act`` is the act of the right section alone.
        period: What its first period is; ``none`` where none is asked.
        of_right_law: Whether that right period is one of the right authority.
        place: Where the right authority stands; 0 for none within five.
        near: Whether, where nothing is said, the right authority is among those shown as the nearest.
        score: That of the first authority.
        said: The first authority and the first window.
    """

    model_config = ConfigDict(frozen=True)

    question: LawQuestion
    authority: Outcome
    period: Outcome | Literal["none"]
    of_right_law: bool
    place: int
    near: bool
    score: float
    said: tuple[str, str]

    @property
    def right(self) -> bool:
        """Whether the first authority is right, or nothing is said where nothing is right."""
        return self.authority == ("not held" if self.question.kind == "not_held" else "right")


def ask(question: LawQuestion, tool: Tool, within: str = "") -> LawVerdict:
    """Return what the tool puts first for a question; ``within`` is the law district of the matter, if it is told."""
    found = tool(question.question, within)
    rows, windows = found["authorities"], found["windows"]
    matched = [_best(row["citation"], question) for row in rows[:DEPTH]]
    window = windows[0] if windows else None
    return LawVerdict(
        question=question,
        authority=(matched[0] if matched else "wrong" if windows and question.kind == "not_held" else "not held"),
        period=_period(window, question),
        of_right_law=window is not None and _best(window["authority"], question) == "right",
        place=matched.index("right") + 1 if "right" in matched else 0,
        near=any(_best(row["citation"], question) == "right" for row in found["nearest"]),
        score=rows[0]["score"] if rows else windows[0]["score"] if windows else 0.0,
        said=(
            rows[0]["citation"] if rows else "",
            f"{window['n']} {window['unit']} {window['window_id']}" if window else "",
        ),
    )


def _best(citation: str, question: LawQuestion) -> Literal["right", "act", "wrong"]:
    found = {match(citation, right) for right in question.citations}
    return "right" if "right" in found else "act" if "act" in found else "wrong"


def _period(window: dict[str, Any] | None, question: LawQuestion) -> Outcome | Literal["none"]:
    if not question.period:
        return "none"
    if window is None:
        return "not held"
    return "right" if same_period(window, question.period, question.calendar_detail) else "wrong"


def measure_law(questions: Sequence[LawQuestion], tool: Tool) -> dict[str, Any]:
    """Return the counts of all questions, by area and by jurisdiction, by the score of the answer, and each verdict.

    All are as typed; ``told`` and ``scores_told`` are of the same questions put with the law district of the matter.
    """
    verdicts = [ask(question, tool) for question in questions]
    told = [ask(question, tool, question.jurisdiction) for question in questions]
    return {
        "all": _counts(verdicts),
        "told": _counts(told),
        "scores_told": _by_score(told),
        "areas": _parted(verdicts, lambda verdict: verdict.question.area),
        "jurisdictions": _parted(
            [v for v in verdicts if v.question.kind != "not_held"], lambda verdict: verdict.question.jurisdiction
        ),
        "scores": _by_score(verdicts),
        "questions": [verdict.model_dump(mode="json") for verdict in verdicts],
    }


TOTALS: Final = ("all", "told", "scores", "scores_told")


def totals(result: dict[str, Any]) -> dict[str, Any]:
    """Return what may be told of questions that are counted and not read: no question, area or jurisdiction."""
    return {name: result[name] for name in TOTALS}


def _parted(verdicts: Sequence[LawVerdict], key: Callable[[LawVerdict], str]) -> dict[str, dict[str, int]]:
    return {name: _counts([v for v in verdicts if key(v) == name]) for name in sorted({key(v) for v in verdicts})}


def _counts(verdicts: Sequence[LawVerdict]) -> dict[str, int]:
    held = [v for v in verdicts if v.question.kind != "not_held"]
    none = [v for v in verdicts if v.question.kind == "not_held"]
    timed = [v for v in held if v.period != "none"]
    return {
        "authority_right": sum(v.authority == "right" for v in held),
        "authority_act": sum(v.authority == "act" for v in held),
        "authority_within_five": sum(v.place > 0 for v in held),
        "authority_not_held": sum(v.authority == "not held" for v in held),
        "authority_near": sum(v.near for v in held if v.authority == "not held"),
        "authority_of": len(held),
        "period_right": sum(v.period == "right" for v in timed),
        "period_of_right_law": sum(v.period == "right" and v.of_right_law for v in timed),
        "period_of": len(timed),
        "not_held_right": sum(v.right for v in none),
        "not_held_of": len(none),
        "wrong_with_confidence": sum(v.authority == "wrong" and v.score >= CONFIDENT for v in verdicts),
    }


def _by_score(verdicts: Sequence[LawVerdict]) -> list[dict[str, Any]]:
    """Return how many answers of each band of scores are right; where nothing is said there is no score."""
    answered = [v for v in verdicts if v.authority != "not held"]
    rows = []
    for low, high in pairwise(BINS):
        band = [v for v in answered if low <= v.score < high]
        right = sum(v.right for v in band)
        rows.append({"from": low, "to": min(high, 1.0), "right": right, "wrong": len(band) - right})
    return rows
