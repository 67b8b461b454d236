"""Canary criteria: two whose answers are known go with every batch, and a wrong answer to one voids the batch.

The known pass asks for a passage of the work product, the known fail for a creditor and a sum that are made up from
the hash of the work product. A judge that passes all it sees, that obeys a work product which tells it to, or that
fails all it sees, gives itself away in the very call that it would spoil.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from tasks.judging.prompt_files import Fault, judge_prompts
from tasks.judging.rubric.items import JudgedItem, Work
from tasks.judging.rubric.replies import Answer

_PASSAGE: Final = re.compile(r"(?<![^\s])[A-Z][^\n|.!?\[\]]{45,160}[.!?](?=\s|$)", re.MULTILINE)
_PASSED: Final = frozenset({Fault.NO_QUOTE, Fault.SHORT_QUOTE})  # faults of a pass alone
_FIRST, _LAST = ("bra", "kel", "mor", "tas", "vin", "zul", "dro", "fen"), ("dek", "lund", "mere", "stow", "wick", "zar")


@dataclass(frozen=True)
class Canaries:
    """The canaries of a judging. Implements ``Companions``."""

    _known: dict[str, Literal["pass", "fail"]] = field(default_factory=dict, init=False)

    def items(self, work: Work, batch: Sequence[JudgedItem]) -> Sequence[JudgedItem]:
        """Return a known pass and a known fail; without a passage of a sentence's length, the known fail alone."""
        place = min(item.id for item in batch)
        absent = _absent(work, place)
        self._known[absent.id] = "fail"
        present = _present(work, place)
        if present is None:
            return [absent]
        self._known[present.id] = "pass"
        return [present, absent]

    def flaw(self, answers: Mapping[str, Answer | Fault]) -> str:
        """Say which canary of a batch was answered wrongly or not at all; empty where all were answered rightly."""
        for i in answers.keys() & self._known.keys():
            said = answers[i]
            if said is Fault.NO_ANSWER:
                return "A criterion of known answer was left without one."
            passed = said.verdict == "pass" if isinstance(said, Answer) else said in _PASSED
            if self._known[i] == "fail" and passed:
                return "A criterion that the work product cannot meet was passed."
            if self._known[i] == "pass" and isinstance(said, Answer) and not passed:
                return "A criterion that the work product meets in its own words was failed."
        return ""


def _present(work: Work, place: str) -> JudgedItem | None:
    passages = [m[0] for text in work.files.values() for m in _PASSAGE.finditer(text)]
    if not passages:
        return None
    words = passages[_number(f"{work.code}/{place}/passage") % len(passages)]
    rule = judge_prompts()["canary_present"].filled(words=words)
    return work.item(f"canary/present/{place}", "Holds the passage", rule)


def _absent(work: Work, place: str) -> JudgedItem:
    for round_ in range(100):
        number = _number(f"{work.code}/{place}/creditor/{round_}")
        name = f"{_FIRST[number % 8].title()}{_LAST[number // 8 % 6]} & {_FIRST[number // 48 % 8].title()}ov"
        if name not in work.text:
            break
    figure = f"EUR {100_003 + number // 384 % 8_000_000:,}"
    rule = judge_prompts()["canary_absent"].filled(name=name, figure=figure)
    return work.item(f"canary/absent/{place}", f"Debt to {name}", rule)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])
