"""The ten error classes of failed criteria: by what the anchor judge found, else by words in a fixed order of priority.

After appendix B.3 of the Parthenon paper: quantities and dates first, then grounding, remediation, materiality,
cross-document work, form, legal rules, coverage and missing facts; the rest is ``other``. What decides is data:
``data/error_classes.toml`` (words) and ``data/outcome_classes.toml`` (outcomes).
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from tasks.legaltext.sentences import BRIEF, sentences
from tasks.matter.base import Record
from tasks.matter.reasons import ErrorClass, MatchKind, Outcome


class ClassWords(Record):
    """The words that lead to one class.

    Attributes:
        acts: What a title asks to be done, at its beginning; those of every class are tried before any pattern.
        ignores: Taken out of a text before this class reads it: what looks like its matter and only names something.
        patterns: Tried against what the judge says is lacking, then the title, then all words.
        weak: Tried against all words alone, when no pattern of any class fired.
        exact: As ``patterns``, in the case as written.
        unless: Where one fires too, the class steps back; where all words are read, in the title.
        examples: Titles with what a judge said, each of this class.
    """

    name: ErrorClass
    acts: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = Field(min_length=1)

    def fires(self, text: str) -> bool:
        """Tell whether the words of a text that speaks of the failure alone lead to this class."""
        text = self._read(text)
        said = _any(self.patterns, text) or _any(self.exact, text, re.NOFLAG)
        return said and not _any(self.unless, text)

    def hints(self, text: str, title: str) -> bool:
        """Tell whether all that is said of a failure hints at this class."""
        return _any(self.weak, self._read(text)) and not _any(self.unless, title)

    def _read(self, text: str) -> str:
        for pattern in self.ignores:
            text = _compiled(pattern, re.IGNORECASE).sub(" ", text)
        return text


class OutcomeClass(Record):
    """The class of a failure that an anchor decided.

    Attributes:
        kinds: Kinds of anchors it holds for; all when empty.
        title: The class holds only where the words of the title lead to this class; any title when empty.
        why: Why this class.
    """

    outcomes: tuple[Outcome, ...]
    kinds: tuple[MatchKind, ...] = ()
    title: ErrorClass | Literal[""] = ""
    name: ErrorClass
    why: str


class Taxonomy(Record):
    """All that decides the class of a failure, in the order in which it is tried.

    Attributes:
        label: The number of a criterion at the beginning of its title.
        subject: Who is to do it, at the beginning of a title: the work product, mostly.
        herald: What only says that something failed, at the beginning of a sentence: what follows is read as a title.
        passed_over: Sentences of a judge that do not say what is lacking.
        lack: Sentences that do.
        conditions: Of them, those that say what would be lacking: what a title asks to be done goes before them.
    """

    label: str
    subject: str
    herald: str
    passed_over: tuple[str, ...]
    lack: tuple[str, ...]
    conditions: tuple[str, ...]
    classes: tuple[ClassWords, ...] = Field(alias="class")
    outcomes: tuple[OutcomeClass, ...] = Field(alias="outcome")

    def by_words(self, title: str, reasoning: str) -> ErrorClass:
        """Return the class that the words of a failure lead to."""
        title, reasoning = " ".join(title.split()), " ".join(reasoning.split())
        title = _compiled(self.label, re.IGNORECASE).sub("", title)
        found, feared, asked = self._lacking(reasoning)
        acts = (self._asked(one) for one in asked)
        act = next((name for name in acts if name is not None), None)
        heralded = act or self._fired("\n".join(asked))
        readings = (self._fired(found), heralded, self._asked(title), self._fired(title), self._fired(feared))
        if told := next((name for name in readings if name is not None), None):
            return told
        whole = "\n".join([title, *asked]) if asked else f"{title}\n{reasoning}"
        return next((words.name for words in self.classes if words.hints(whole, title)), ErrorClass.OTHER)

    def _asked(self, title: str) -> ErrorClass | None:
        """Return the class of what a title asks to be done; None where its verb may ask for anything."""
        act = _compiled(self.subject, re.IGNORECASE).sub("", title)
        return next((words.name for words in self.classes if _any(words.acts, act)), None)

    def _fired(self, text: str) -> ErrorClass | None:
        return next((words.name for words in self.classes if words.fires(text)), None)

    def by_outcome(self, title: str, kind: MatchKind | Literal[""], outcome: Outcome) -> ErrorClass | None:
        """Return the class of what an anchor found; None where none is said to be its class."""
        for row in self.outcomes:
            told = outcome in row.outcomes and (not row.kinds or kind in row.kinds)
            if told and (not row.title or self.by_words(title, "") is row.title):
                return row.name
        return None

    def _lacking(self, reasoning: str) -> tuple[str, str, list[str]]:
        """Return the sentences that say what lacks, those that say what would, and what only is said to have failed."""
        told = [reasoning[start:end] for start, end in sentences(reasoning, BRIEF)]
        herald = _compiled(self.herald, re.IGNORECASE)
        asked = [s[m.end() :] for s in told if (m := herald.match(s))]
        plain = (s for s in told if not herald.match(s))
        lacking = [s for s in plain if _any(self.lack, s) and not _any(self.passed_over, s)]
        feared = [s for s in lacking if _any(self.conditions, s)]
        return "\n".join(s for s in lacking if s not in feared), "\n".join(feared), asked


def classify(
    title: str, reasoning: str, match_kind: MatchKind | Literal[""] = "", outcome: Outcome | Literal[""] = ""
) -> ErrorClass:
    """Return the error class of a failed criterion.

    Args:
        title: Title of the criterion.
        reasoning: Why the judge failed it.
        match_kind: Kind of the anchor, where one decided.
        outcome: What the anchor judge found, where an anchor decided: it goes before all words.
    """
    found = taxonomy().by_outcome(title, match_kind, outcome) if outcome else None
    return found or taxonomy().by_words(title, reasoning)


@lru_cache(maxsize=1)
def taxonomy() -> Taxonomy:
    """Return the taxonomy as its files say it."""
    folder = files("tasks.judging").joinpath("data")
    words, outcomes = (
        tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("error_classes", "outcome_classes")
    )
    return Taxonomy.model_validate({**words, **outcomes})


def _any(patterns: tuple[str, ...], text: str, flags: re.RegexFlag = re.IGNORECASE) -> bool:
    return any(_compiled(pattern, flags).search(text) for pattern in patterns)


@lru_cache(maxsize=1000)
def _compiled(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(pattern, flags)
