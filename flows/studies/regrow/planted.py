"""Edits planted among those of a harness taken apart: they do harm or nothing, and a file that no loop reads says so.

Those that harm stand in the place of what they spoil: a provision with the cues of another, or with its own headings
above the cues of another, or with cues that every sentence meets; a skill whose procedure is turned off. Worse than
what they stand for, though not worse than nothing, are provisions with a threshold that no sentence reaches: they say
rightly what is absent, and keep the sound edit out.
Those that do nothing are sound in form: kinds of clause that nobody asks for, a synonym of another trade, a reworded
part of a skill.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

from flows.studies.regrow.apart import pieces
from flows.studies.regrow.drawing import Drawn
from skills_repo.router import FALLBACK
from tasks.harness import HarnessRef
from tasks.learning.knowledge.edits import added_patterns
from tasks.learning.knowledge.gates import MAX_PATTERNS
from tasks.learning.proposers.catalogue import CatalogueEdit
from tasks.learning.proposers.rules import set_procedure
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.reasons import Reason

_OFF: Final = {"passages_per_topic": 1, "quote_words": 10, "not_found_statements": False, "answer_first": False}
_WAYS: Final = 4  # of spoiling a provision
_DRAFTED: Final = "cues as drafters use them"
_HEADED: Final = "headings and fuller cues"
_HEADINGS: Final = re.compile(r"^headings = \[(?:.*\]|\n(?:\s.*\n)*\])\n", re.MULTILINE)
_CUES: Final = re.compile(r"^(?:headings|strong|support) = \[(?:.*\]|\n(?:\s.*\n)*\])\n", re.MULTILINE)
_IDLE: Final = (
    ("nautical almanac", "the ship carries an almanac", "almanac"),
    ("organ tuning", "the organ is tuned before each recital", "organ pipes"),
    ("falconry permit", "a falconer shows a permit", "falconry"),
    ("glacier survey", "a glacier is surveyed in spring", "glacier"),
)


def planted(empty: HarnessRef, apart: Sequence[CatalogueEdit], drawn: Drawn) -> list[tuple[str, CatalogueEdit]]:
    """Return planted edits, each with its label: ``harmful``, ``worse`` or ``nothing``.

    Args:
        empty: The empty harness, whose skill they spoil too.
        apart: The edits that lead from the one to the other.
        drawn: How they are drawn.

    Raises:
        SolonError: There are not so many provisions that can be spoilt (``input``).
    """
    seeds = range(drawn.seed, drawn.seed + drawn.rounds)
    edits = [pair for seed in seeds for pair in _round(empty, apart, seed, drawn.spoilt)]
    return list({one.rationale: (label, one) for label, one in edits}.values())


def _round(
    empty: HarnessRef, apart: Sequence[CatalogueEdit], seed: int, each: int
) -> Iterator[tuple[str, CatalogueEdit]]:
    order = random.Random(f"planted:{seed}")
    # A spoilt provision that nobody asks for would be idle: those with many cues, of contracts of any kind.
    first = [one for one in apart if _rich(one) and "within = " not in one.after and _CUES.search(one.after)]
    if len(first) <= _WAYS * each:
        raise _too_many(each, (len(first) - 1) // _WAYS)
    order.shuffle(first)
    swapped, never, always, headed = (first[at * each : (at + 1) * each] for at in range(_WAYS))
    others = first[_WAYS * each :]
    harmful = [
        *(_spoilt(one, _swapped(one.after, order.choice(others).after), _DRAFTED) for one in swapped),
        *(_spoilt(one, _headed(one.after, order.choice(others).after), _HEADED) for one in headed),
        *(_spoilt(one, _always(one.after), "cues that miss no clause") for one in always),
        *_skills(empty),
    ]
    worse = [_spoilt(one, _with(one.after, 20.0), "a firm threshold") for one in never]
    labelled = {"harmful": harmful, "worse": worse, "nothing": _idle(empty)}
    yield from ((label, one) for label, edits in labelled.items() for one in edits)


def _rich(one: CatalogueEdit) -> bool:
    whole = one.on("") if one.path.startswith("provisions/") and not one.before else None
    return whole is not None and len(added_patterns(whole)) > MAX_PATTERNS


def _too_many(each: int, most: int) -> SolonError:
    remedy = f"take --spoilt {most} and more --rounds"
    message = f"there are not {each} provisions for each way of spoiling them"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="study", subject="planted edits", message=message, remedy=remedy)
    )


def _spoilt(one: CatalogueEdit, after: str, told: str) -> CatalogueEdit:
    name = one.rationale.partition(":")[0]
    return one.model_copy(update={"after": after, "rationale": f"{name}: its words with {told}"})


def _swapped(text: str, other: str) -> str:
    kept = _CUES.sub("", text).rstrip()
    return pieces(f"{kept}\n" + "".join(found[0] for found in _CUES.finditer(other)))[0]


def _headed(text: str, other: str) -> str:
    """Return a provision that keeps its own headings above the cues of another."""
    own = _HEADINGS.search(text)
    body = _swapped(text, _HEADINGS.sub("", other)).rstrip()
    return f"{body}\n{own[0] if own else ''}"


def _always(text: str) -> str:
    return _with(f"{_CUES.sub('', text).rstrip()}\nstrong = ['\\bthe\\b', '\\bof\\b']\n", 0.5)


def _with(text: str, threshold: float) -> str:
    kept = re.sub(r"^threshold = .*\n", "", text, flags=re.MULTILINE).rstrip()
    return f"{kept}\nthreshold = {threshold}\n"


def _skills(empty: HarnessRef) -> list[CatalogueEdit]:
    """Return the router's default with its procedure turned off, and one skill that draws every matter to it."""
    where = f"skills/{FALLBACK}/SKILL.md"
    text = (empty.skills / where).read_text("utf-8")
    off = text
    for setting, value in _OFF.items():
        off = set_procedure(off, setting, value)
    greedy = re.sub(r"^priority = .*$", "priority = 3.0", off, flags=re.MULTILINE)
    greedy = greedy.replace('name = "General legal work product"', 'name = "Short answers"')
    greedy = greedy.replace("instructions = []", 'instructions = ["agreement*", "provision*"]')
    head, mark, _ = greedy.rpartition("\n+++\n")
    parts = [line for line in text.splitlines() if line.startswith("## ")]
    body = "\n".join(f"{part}\nAnswer in as few words as will do." for part in parts)
    given = {"surface": "skills", "reason": Reason.WORDS_NOT_CONVEYED}
    return [
        CatalogueEdit.model_validate({**given, "path": where, "before": _front(text), "after": _front(off),
                                      "rationale": "the general skill: shorter quotations and fewer statements"}),
        CatalogueEdit.model_validate({**given, "path": "skills/other/short-answers/SKILL.md",
                                      "after": f"{head}{mark}{body}\n",
                                      "rationale": "a skill for short answers on any agreement"}),
    ]  # fmt: skip


def _front(text: str) -> str:
    return text.partition("\n# ")[0]


def _idle(empty: HarnessRef) -> list[CatalogueEdit]:
    """Return edits that no matter of law meets."""
    file = "synonyms/concepts.csv"
    last = (empty.knowledge / file).read_text("utf-8").rstrip("\n").splitlines()[-1]
    text = (empty.skills / "skills" / FALLBACK / "SKILL.md").read_text("utf-8")
    line = next(row for row in text.splitlines() if row.startswith("- Questions of the brief"))
    made = [
        CatalogueEdit(
            surface="knowledge", path=f"provisions/99-other-{number:02}.toml", reason=Reason.WORDS_NOT_CONVEYED,
            after=f'[[provision]]\nname = "{name}"\nmeans = "{means}"\nanswer = "clause"\nstrong = [\'\\b{cue}\\b\']\n',
            rationale=f"the provision {name}: its words and cues",
        )
        for number, (name, means, cue) in enumerate(_IDLE)
    ]  # fmt: skip
    return [
        *made,
        CatalogueEdit(surface="skills", path=f"skills/{FALLBACK}/SKILL.md", before=line, after=f"{line} Read on.",
                      rationale="the general skill: a reminder to read on", reason=Reason.WORDS_NOT_CONVEYED),
        CatalogueEdit(surface="knowledge", path=file, before=last, after=f"{last}\n{_synonym(last)}",
                      rationale="a synonym of another trade", reason=Reason.WORDS_NOT_CONVEYED),
    ]  # fmt: skip


def _synonym(row: str) -> str:
    """Return a row of the same form as another, about falconry."""
    fields = row.split(",")
    return ",".join(["falconry bells", "hawk bells; falcon bells", *fields[2:]])
