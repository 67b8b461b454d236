"""Whether a model's view on a matter of judgment rests on what it was shown: what it names must stand there."""

from __future__ import annotations

import re

from tasks.drafting.guided.records import Conclusion
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import fold, straight
from tasks.legaltext.numbers.scan import scan_numbers

_QUOTED = re.compile(r"[\"“]([^\"“”]{3,})[\"”]")
_NAME = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’-]+")  # a word with a capital that opens no sentence
_WORD = re.compile(r"[\w'’-]+")
_FIGURE = re.compile(r"\d[\d.,/-]*")
_LINK = re.compile(r"https?:|www\.|\]\(|[<>|`]")
_MORE = re.compile(r"[.?!]\s+[A-Z]")  # a second sentence begins


def carried(view: Conclusion, question: str) -> bool:
    """Tell whether every figure, day, quotation and name of a view stands in its sentences or in the question.

    A view of more than one sentence, and one with a link or marks of markup in it, is not carried.
    """
    said = straight(view.conclusion)
    if _LINK.search(said) or _MORE.search(said):
        return False
    papers = [f"{u.heading} {u.text}" for u in view.units]
    ground = straight(" ".join([*papers, question]))
    folded = fold(ground)
    words = {fold(word) for word in _WORD.findall(ground)}
    return (
        all(fold(q) in folded for q in _QUOTED.findall(said))
        and {(f.kind, f.value, f.unit) for f in scan_numbers(said)}
        <= {(f.kind, f.value, f.unit) for f in scan_numbers(ground)}
        and {d.iso for d in scan_dates(said)} <= {d.iso for d in scan_dates(ground)}
        and _digits(said) <= _digits(ground)
        and all(fold(name) in words for name in _NAME.findall(said))
    )


def _digits(text: str) -> set[str]:
    return {digits.rstrip(".,/-") for digits in _FIGURE.findall(text)}


def stated(view: Conclusion) -> str:
    """Return a view as a draft shows it: marked as a model's, to be verified."""
    return f"The model's view, to be verified: {view.conclusion.rstrip('.')}."
