"""Tells whether a part of a deliverable states a date, a value or a provision, or says that there is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from tasks.judging.anchors.names import content_words, word_list
from tasks.judging.anchors.roles import BRIEF_WORDS
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.names import name_words
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import in_digits

SPAN_THRESHOLD = 0.5  # share of the gold's content words; chosen by eye on development drafts
_UNITS = {"day": ("d", 1), "week": ("d", 7), "month": ("m", 1), "quarter": ("m", 3), "year": ("m", 12)}
_FILLER = frozenset(word_list("a an and the of state commonwealth province republic laws law successive period term"))
_SHORTEST_MISSPELT = 6  # letters; in shorter words a doubled letter makes another word
_BETWEEN = 8  # words, or half of those sought, that may stand among them; chosen by eye
_COUNTRIES = frozenset({"canada", "usa", "us", "united states", "united states america"})
# More dates or values than this in one answer is a list to choose from, not a statement.
_MOST_DATES = 6
_POLAR = frozenset({"yes", "no", "none", "true", "false"})
_POLARITY = re.compile(r"^\W*(?:(?:answer|finding|result)\W+)?(?:yes|no|none|true|false)\b", re.IGNORECASE)
# Where something stands is no answer: "[Supply Agreement § 7, p. 3]", "Section 9.1".
_REFERENCE = re.compile(
    r"\[[^\[\]\n]{0,300}\]|(?:§{1,2}|\b(?:sections?|sec|clauses?|articles?|art|paragraphs?|paras?|pages?|pp?|exhibit"
    r"|schedule|annex|appendix|item|no)\b\.?)\s*(?:\d|[IVXLC]+\b|[A-Z]\b)[\w.()-]*",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\b[A-Z][^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = " \t“\"‘'(*_>-"  # signs between the end of one sentence and the first word of the next
_LABEL = re.compile(r"^([^:]{1,60}):\s+\S")
# Capitalised words of memoranda and contracts that name no answer.
_NO_NAMES = _FILLER | frozenset(
    word_list(
        "yes no none not found see section article clause paragraph page schedule exhibit annex appendix agreement",
        "contract license licence amendment party parties term terms provision this that these it its each either both",
        "all any there state states law governed governing note comment high medium low confidence verified confirmed",
        "unclear unknown nearest answer answered quotation source clear likely express present absent",
        "to be as in on by for",
        "company licensor licensee seller buyer customer client distributor supplier vendor provider consultant board",
    )
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def dates_in(text: str) -> list[str]:
    """Return the calendar dates of ``text`` as ISO strings, in order of appearance."""
    return [d.iso for d in scan_dates(text) if d.precision == "day"]


def states_date(gold: str, text: str) -> bool:
    """Tell whether ``text`` states the date, and not merely within a long list of dates."""
    found = list(dict.fromkeys(dates_in(text)))
    return gold in found[:_MOST_DATES]


def answers_date(gold: str, text: str) -> bool:
    """Tell whether ``text`` gives a date at all, right or wrong. "June 2004" does not contradict a day in it."""
    found = (d for d in scan_dates(text) if d.precision in ("day", "month"))
    return any(d.precision == "day" or not gold.startswith(d.iso) for d in found)


@lru_cache(maxsize=256)
def value_tokens(text: str) -> tuple[str, ...]:
    """Normalise case, punctuation, number words, doubled numbers and durations."""
    words = [_singular(w) for w in name_words(_plain_numbers(text))]
    out: list[str] = []
    for word in words:
        if out and word.isdigit() and out[-1] == word:
            continue  # "one (1)"
        if word in _UNITS and out and out[-1].isdigit():
            kind, factor = _UNITS[word]
            out[-1] = f"{int(out[-1]) * factor}{kind}"
            continue
        out.append(word)
    return tuple(out)


def _singular(word: str) -> str:
    return word[:-1] if word[:-1] in _UNITS and word.endswith("s") else word


def _plain_numbers(text: str) -> str:
    """Replace number words by digits; "calendar" and "additional" do not part n from unit."""
    return re.sub(
        r"(\d\)?)[\s-]+(?:calendar|additional|successive|consecutive|full|further)\s+(?=(?:day|month|week|year))",
        r"\1 ",
        in_digits(_THOUSANDS.sub("", text)),
    )


def _is_filler(word: str) -> bool:
    """Tell whether a word adds nothing to a value, also where it is misspelt by a doubled letter."""
    return word in _FILLER or (len(word) >= _SHORTEST_MISSPELT and _undoubled(word) in _undoubled_fillers())


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


@cache
def _undoubled_fillers() -> frozenset[str]:
    return frozenset(_undoubled(word) for word in _FILLER)


def states_value(gold: str, text: str) -> bool:
    """Tell whether ``text`` contains the value, every part of a listed value included."""
    said = value_tokens(text)
    have = [w for w in said if not _is_filler(w)]
    parts = [p for p in re.split(r"\s*[;,]\s*", _THOUSANDS.sub("", gold)) if p.strip()]
    wanted = [[w for w in value_tokens(p) if not _is_filler(w)] for p in parts]
    wanted = [w for w in wanted if w]
    if not wanted:
        whole = value_tokens(gold)  # of words that mostly add nothing: "the State"
        return bool(whole) and _contains(said, whole)
    if len(wanted) > 1:
        # "Ontario, Canada": the country adds nothing to a province or state.
        wanted = [w for w in wanted if " ".join(w) not in _COUNTRIES] or wanted
    return all(_contains(have, w) for w in wanted)


def answers_value(gold: str, text: str, besides: Sequence[str] = ()) -> bool:
    """Tell whether ``text`` gives a value of the gold's kind, right or wrong: yes or no, a sum, a length, a name.

    Args:
        gold: What was asked for.
        text: An answer.
        besides: Names of the contract and of the topic: they are no answer.
    """
    if gold.strip(" .").lower() in _POLAR:
        return _POLARITY.match(text) is not None
    own = _without_places(text)
    if kinds := _kinds(gold):
        return not kinds.isdisjoint(_kinds(own))
    if not is_name(gold):
        return any(word.isdigit() for word in value_tokens(own))
    return _gives_name(own, frozenset(word for name in besides for word in name_words(name)))


def is_name(gold: str) -> bool:
    """Tell whether a value is told from other words by its capital alone: no yes or no, no sum, length or number."""
    polar = gold.strip(" .").lower() in _POLAR
    return not polar and not _kinds(gold) and not any(word.isdigit() for word in value_tokens(gold))


@lru_cache(maxsize=256)
def _gives_name(text: str, besides: frozenset[str]) -> bool:
    """Tell whether text gives a name: a capital within a sentence, or a line that holds a name and nothing else."""
    for line in text.split("\n"):
        short = len(name_words(line)) <= BRIEF_WORDS
        if short and (_other_words(line, besides) or _other_words(_LABEL.match(line), besides)):
            continue  # "Table of answers", "Risk: Low"
        for found in _CAPITAL.finditer(line):
            opens = not short and not line[: found.start()].rstrip(_OPENING)[-1:].isalnum()
            if not opens and any(word not in besides and word not in _NO_NAMES for word in name_words(found[0])):
                return True
    return False


def _other_words(text: str | re.Match[str] | None, besides: frozenset[str]) -> bool:
    """Tell whether a line has a word in small letters, or a label any word, that is neither the topic's nor common."""
    words = _WORD.findall(text) if isinstance(text, str) else _WORD.findall(text[1].lower()) if text else []
    return any(word.islower() and word not in besides and word not in _NO_NAMES for word in words)


@lru_cache(maxsize=256)
def _kinds(text: str) -> frozenset[str]:
    """Return the kinds of the quantities of a text; days and weeks are no months and years."""
    return frozenset(
        f"{found.kind} {_UNITS.get(found.unit, (found.unit, 1))[0]}" if found.kind == "duration" else found.kind
        for found in scan_numbers(text)
    )


@lru_cache(maxsize=256)
def _without_places(text: str) -> str:
    """Take out dates and references: neither is a value, and both hold figures and capitals."""
    for found in reversed(scan_dates(text)):
        text = text[: found.start] + " " + text[found.end :]
    return _REFERENCE.sub(" ", text)


def _contains(have: Sequence[str], want: Sequence[str]) -> bool:
    size = len(want)
    return any(list(have[i : i + size]) == list(want) for i in range(len(have) - size + 1))


def span_overlap(gold: str, text: str) -> float:
    """Return the share of the gold's content words found in the best window of ``text``."""
    need = Counter(content_words(gold))
    total = sum(need.values())
    if not total:
        return 0.0
    words = content_words(text)
    width = max(total + total // 2, total + _BETWEEN)
    best, seen, hits = 0, Counter[str](), 0
    for i, word in enumerate(words):
        if seen[word] < need[word]:
            hits += 1
        seen[word] += 1
        if i >= width:
            old = words[i - width]
            seen[old] -= 1
            if seen[old] < need[old]:
                hits -= 1
        best = max(best, hits)
    return best / total
