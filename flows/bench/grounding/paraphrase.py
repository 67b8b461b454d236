"""Plain paraphrases of contract sentences: what a memorandum makes of a clause, by template and without a model."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers

_PLAIN: Final = MappingProxyType(
    {
        "prior written notice": "advance notice in writing",
        "written notice": "notice in writing",
        "in the event that": "if",
        "in the event of": "on",
        "in connection with": "relating to",
        "in accordance with": "under",
        "with respect to": "regarding",
        "pursuant to": "under",
        "prior to": "before",
        "subsequent to": "after",
        "in excess of": "over",
        "as set forth in": "stated in",
        "shall be entitled to": "may",
        "shall be required to": "must",
        "is obligated to": "must",
        "shall not": "may not",
        "shall be": "is",
        "shall": "must",
        "commence": "begin",
        "commencing": "starting",
        "terminate": "end",
        "expiration": "end",
        "provide": "give",
        "provided that": "but only if",
        "notwithstanding": "despite",
        "thereafter": "after that",
        "hereunder": "under the agreement",
        "hereof": "of the agreement",
        "herein": "in the agreement",
        "thereof": "of it",
        "following": "after",
        "during": "in",
        "upon": "on",
        "each": "every",
        "any": "a",
        "such": "that",
        "said": "that",
        "purchase": "buy",
        "obtain": "get",
        "maintain": "keep",
        "additional": "further",
        "immediately": "at once",
        "promptly": "without delay",
        "remit": "pay",
        "receipt": "receiving",
    }
)
_SYNONYM: Final = re.compile(rf"(?i)\b(?:{'|'.join(sorted(_PLAIN, key=len, reverse=True))})\b")
_ARTICLES: Final = re.compile(r"(?i)\b(?:the|an|a|such|said|hereby|therefor|thereto|herewith)\s+(?=\w)")
_STOP: Final = re.compile(r"[;:.]\s|,\s|\s\(|\)\s|[“”\"]")
_OPENINGS: Final = (
    "According to the documents, ",
    "We note that ",
    "In summary, ",
    "The parties agreed as follows: ",
    "On our reading, ",
)
_REACH = 15  # words kept on either side of the figure
_LEAST = 4  # words that a side keeps where a comma would cut it shorter
_WHOLE = 7  # words of a paraphrase that still says what is asked


def paraphrase(
    sentence: str, rng: random.Random, anchors: Callable[[str], Sequence[tuple[int, int]]] | None = None
) -> str | None:
    """Say the clause around one figure or date in other words; None where too little of it is left.

    Word/figure pairs become one figure, legal words plain ones, the clause is cut loose from its sentence,
    and it is put as a reported statement, a note without articles, or a point of a list.

    Args:
        sentence: The sentence.
        rng: Chooses place and manner.
        anchors: Finds what else than a figure or a date the clause is cut around.
    """
    text = _one_of_pairs(sentence)
    spans = sorted(set(anchors(text))) if anchors else _quantities(text)
    if not spans:
        return None
    start, end = rng.choice(spans)
    begin, stop = _clause(text, start, end, [*spans, *_quantities(text)])
    before, said, after = text[begin:start], text[start:end], text[end:stop]
    style = rng.randrange(3)
    before, after = _plain(before, articles=style != 1), _plain(after, articles=style != 1)
    clause = f"{before}{said}{after}".strip(' ,;:()“”"')
    if len(clause.split()) < _WHOLE:
        return None
    if style == 0:
        return f"{rng.choice(_OPENINGS)}{_lowered(clause)}."
    if style == 1:
        return f"Note: {clause}."
    return f"{clause[:1].upper()}{clause[1:]}, as we read it."


def _one_of_pairs(text: str) -> str:
    """Turn "thirty (30) days" into "30 days" and "Two Dollars ($2.00)" into "$2.00"."""
    pairs = [f for f in scan_numbers(text) if f.pair and not f.disagrees]
    for first, second in reversed(list(zip(pairs[::2], pairs[1::2], strict=False))):
        if first.end <= second.start and text[second.end : second.end + 1] in (")", "]"):
            text = f"{text[: first.start]}{second.text}{text[second.end + 1 :]}"
    return text


def _quantities(text: str) -> list[tuple[int, int]]:
    spans = [(f.start, f.end) for f in scan_numbers(text) if f.kind not in ("number", "count")]
    return sorted(set(spans + [(d.start, d.end) for d in scan_dates(text)]))


def _clause(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the bounds of the clause of a figure: at punctuation, a few words away at least and at most."""
    inner = [(a, b) for a, b in spans if (a, b) != (start, end)]
    begin, stop = 0, len(text)
    for match in _STOP.finditer(text):
        if any(a < match.end() and match.start() < b for a, b in inner):
            continue
        if match.end() <= start and len(text[match.end() : start].split()) >= _LEAST:
            begin = match.end()
        if match.start() >= end and len(text[end : match.start()].split()) >= _LEAST:
            stop = match.start()
            break
    words = [m.start() for m in re.finditer(r"\S+", text[begin:start])]
    if len(words) > _REACH:
        begin += words[-_REACH]
    words = [m.end() for m in re.finditer(r"\S+", text[end:stop])]
    if len(words) > _REACH:
        stop = end + words[_REACH - 1]
    for a, b in inner:  # a figure is kept or left out, never cut
        begin = b if a < begin < b else begin
        stop = a if a < stop < b else stop
    return begin, stop


def _plain(text: str, articles: bool) -> str:
    text = _SYNONYM.sub(lambda m: _PLAIN[m[0].lower()], text)
    return text if articles else _ARTICLES.sub("", text)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() and not text[:1].isdigit() else text
