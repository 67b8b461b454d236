"""The changes that a brief instructs, in its order: how the brief is split into pieces of one change each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tasks.asks.changing.reader import read_change
from tasks.asks.changing.record import COMPLETE, Change
from tasks.asks.changing.words import LAW_OR_COURT, OPENS, STOP, VERBS, targets
from tasks.asks.cues import BriefCues
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers

_HARD = re.compile(
    r"\s*\n+\s*|\s*;\s*|(?<=[a-z\x01)\d%])[.!?]\s+(?=(?-i:[A-Z])|[(\d\x01-])|(?:(?<=[:;,.]\s)|(?<=\band\s))\(?\d{1,2}[.)]\s+(?=[A-Za-z])"
    rf"|(?<=[:;,\s])\([a-z]\)\s+(?=(?:{VERBS})\b)|(?<=\x01)\s+(?=(?-i:[A-Z]))(?=(?:{VERBS})\b)",
    re.I,
)
_SOFT = re.compile(r"[,:]\s+(?:and\s+|then\s+|so\s+|but\s+|with\s+)?|\s+(?:and|then)\s+|\s+[-–—]{1,2}\s+", re.I)
_STOPPED = re.compile(r"\b(?:sec|para|art|cl|s|no|nos|approx|incl)\.(?=\s*\d)|\b(?:Dr|Mr|Mrs|Ms|Prof|St)\.(?=\s)", re.I)
# What goes on with the piece before it, whatever it holds: the old value, a bound, a condition.
_GOES_ON = re.compile(
    r"\W*(?:not|instead of|rather than|in place of|in lieu of|as opposed to|(?:up |down )?from|currently|now"
    r"|minimum|maximum|at least|at most|no (?:more|less) than|up to|or|except|unless|if|provided|compounded|as|since"
    r"|because|which|who|where|make (?:it|that|this|them))\b",
    re.I,
)
_KEPT = re.compile(r"\W*(?:keep|leave|do not|don't|nothing else|no other|make no other)\b", re.I)
_OPENING = re.compile(
    r"^.*?\b(?:redline|mark[ -]?up|black-?line)\b[^:;.\n]*?(?::\s*|\bto\s+(?=(?:in|at|after)\b|"
    + VERBS
    + r")|\bso that\s+|\bas follows:?\s*)"
    r"|^[^\x01\d]*?\b(?:update|amend|revise|change|edit|conform|adjust|turn)\b[^\x01\d:;\n]{3,120}:\s*",
    re.I | re.S,
)
_LONGEST = 500  # characters of a piece; no lawyer's instruction runs on further, and no brief can make the parting slow
_AHEAD = 4  # commas that are looked behind for where the next piece ends
_SO_THAT = re.compile(r"\bso that\s+$", re.I)


def read_changes(brief: str, cues: BriefCues, *, wanted: bool = False) -> list[Change]:
    """Return what a brief asks to be changed, in its order.

    Args:
        brief: Its words.
        cues: How briefs speak.
        wanted: All of it says what is to be, as a numbered point of a message does.
    """
    plain = straight(brief)
    for match in cues.output.finditer(plain):
        plain = plain[: match.start()] + "\n" * len(match[0]) + plain[match.end() :]
    masked = re.sub(r"\"[^\"]{1,2000}\"|(?<![\w'])'[^'\n]{2,400}'(?!\w)", lambda m: "\x01" * len(m[0]), plain)
    for day in scan_dates(plain):  # the comma of "February 1, 2019" parts nothing
        masked = masked[: day.start] + masked[day.start : day.end].replace(",", STOP) + masked[day.end :]
    # What is quoted with its full stop ends a sentence: 'add: "Notices are in writing." The term is two years.'
    masked = re.sub(
        r"\x01\s(?=[A-Z])", lambda m: m[0][0] + ("\n" if plain[m.start() - 1] in ".!?" else m[0][1]), masked
    )
    masked = re.sub(r"(?<=[^\S\n]{3})[^\S\n]", STOP, masked)  # no form is looked for in long runs of blanks
    masked = _STOPPED.sub(lambda m: m[0][:-1] + STOP, masked)  # nor the stop of "s. 2.1"
    opening = _OPENING.match(masked)
    said = bool(opening and _SO_THAT.search(opening[0]))
    found: list[Change] = []
    for start, end in _pieces(masked, opening.end() if opening else 0):
        place = ""
        for a, b in _parts(masked, plain, start, end, wanted=wanted or said):
            change = read_change(masked, plain, a, b, wanted=wanted or said)
            if place and not change.place and change.kind == "replace":
                change = replace(change, beside=place)
            place = change.place or place
            if change.kind != "none":
                found.append(change)
        said = False
    return found


def _pieces(masked: str, start: int) -> Iterator[tuple[int, int]]:
    for match in _HARD.finditer(masked, start):
        yield start, match.start()
        start = match.end()
    yield start, len(masked)


def _parts(masked: str, plain: str, start: int, end: int, *, wanted: bool) -> Iterator[tuple[int, int]]:
    """Part a sentence into its changes: at a comma or an "and" on both sides of which something is complete."""
    at = start
    for match in _SOFT.finditer(masked, start, end):
        if match.start() - at > _LONGEST:
            yield at, match.start()
            at = match.end()
            continue
        if _GOES_ON.match(masked, match.end(), end) or _joins_names(masked, match):
            continue
        done = read_change(masked, plain, at, match.start(), wanted=wanted)
        if done.kind in {"none", "other"} and not (done.kind == "other" and OPENS.match(done.item)):
            continue
        if _KEPT.match(masked, match.end(), end) or _begins(masked, plain, match.end(), end, done, wanted=wanted):
            yield at, match.start()
            at = match.end()
    if at < end or at == start:
        yield at, end


def _joins_names(masked: str, match: re.Match[str]) -> bool:
    """Tell whether an "and" stands between two names: "Portugal and Spain"."""
    if match[0].strip() != "and":
        return False
    after = re.match(
        r"[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*(?=\s*(?:[.,;)]|$|rather|instead|not\b|in\b))", masked[match.end() :][:80]
    )
    return after is not None and re.search(r"\b[A-Z][\w'’-]*$", masked[: match.start()][-40:]) is not None


def _begins(masked: str, plain: str, start: int, end: int, done: Change, *, wanted: bool) -> bool:
    """Tell whether a change of its own begins at ``start``: its own verb, or a value with what is to have it."""
    stop = _next(masked, plain, start, end, wanted=wanted)
    then = read_change(masked, plain, start, stop, wanted=wanted)
    if then.kind == "other" or (then.kind in COMPLETE and OPENS.match(then.item)):
        return done.kind != "other" or bool(OPENS.match(then.item))
    if done.kind == "other":
        return False
    if then.kind == "replace" and not then.quoted:
        return bool(then.place or then.old or LAW_OR_COURT.search(then.new) or targets(_without_values(then)))
    return then.kind in COMPLETE


def _without_values(change: Change) -> str:
    text = change.item
    for figure in reversed(scan_numbers(text)):
        text = text[: figure.start] + " " + text[figure.end :]
    return text.replace(change.new, " ") if change.new[:1].isupper() else text


def _next(masked: str, plain: str, start: int, end: int, *, wanted: bool) -> int:
    """Return where the part ends that begins at ``start``: at the first comma behind which its sense is complete."""
    end = min(end, start + _LONGEST)
    for match in islice(_SOFT.finditer(masked, start, end), _AHEAD):
        if read_change(masked, plain, start, match.start(), wanted=wanted).kind not in {"none", "other"}:
            return match.start()
    return end
