"""What a judge is asked: a work product, and items to decide on it. A criterion is an item, and so is a canary."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tasks.judging.prompt_files import judge_prompts
from tasks.matter.failures import visible
from tasks.matter.rubric import Criterion
from tasks.models.fencing import inert_text
from tasks.sources.records import CanonicalText


@dataclass(frozen=True)
class JudgedItem:
    """One question of a batch.

    Attributes:
        id: The name under which a reply must answer it. It hangs on every byte of the work product, so that the work
            product can neither know nor name it.
    """

    id: str
    title: str
    rule: str


@dataclass(frozen=True)
class Work:
    """The files that some criteria are judged on, as a judge is shown them: the prefix that all calls share.

    Attributes:
        task: Title of the task.
        files: Their inert texts, by name.
        redlines: Tracked changes are shown between marks.
    """

    task: str
    files: Mapping[str, str]
    redlines: bool = False

    @classmethod
    def of(cls, task: str, files: Sequence[str], texts: Mapping[str, CanonicalText], redlines: bool = False) -> Work:
        """Take the named files of the work product."""
        return cls(task, {f: inert_text(texts[f].text.strip()) for f in files}, redlines)

    @cached_property
    def text(self) -> str:
        """The files one after the other, each below its name."""
        return "\n\n".join(f"[File: {visible(f)}]\n{text}" for f, text in self.files.items())

    @cached_property
    def code(self) -> str:
        """A code that the work product cannot contain by design: it hangs on every byte of it."""
        for round_ in range(100):
            code = hashlib.sha256(f"{round_}/{self.text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
            if code not in self.text:
                return code
        raise AssertionError("no fence code is free of the text")

    @cached_property
    def quotable(self) -> str:
        """What may be quoted, folded: the files without headings of ours."""
        return fold_quotation("\n\n".join(self.files.values()))

    def item(self, key: str, title: str, rule: str) -> JudgedItem:
        """Return an item on this work product; ``key`` tells it from every other."""
        return JudgedItem(_hash(f"{self.code}/{key}")[:10], title, rule)

    def criterion(self, criterion: Criterion) -> JudgedItem:
        """Return the item of a criterion."""
        return self.item(f"criterion/{criterion.id}", criterion.title, criterion.match_criteria)


def shuffled(items: Sequence[JudgedItem], round_: int = 0) -> list[JudgedItem]:
    """Return items in the order of a hash of their ids: the same in every run, another in each round of votes."""
    return sorted(items, key=lambda item: _hash(f"{round_}/{item.id}"))


def question(work: Work, items: Sequence[JudgedItem]) -> list[dict[str, Any]]:
    """Return the messages of one call. The work product comes first and is marked: all batches share that prefix."""
    prompts = judge_prompts()
    asked = prompts["batch"].filled(
        task=work.task,
        redlines=prompts["redlines"].filled() if work.redlines else "",
        code=work.code,
        work=work.text,
        criteria="\n\n".join(prompts["criterion"].filled(id=i.id, title=i.title, rule=i.rule) for i in items),
    )
    opening = f"<<<{work.code}\n"
    shared = asked.index(opening) + len(opening) + len(work.text)
    return [
        {"role": "system", "content": prompts["judge"].filled()},
        {"role": "user", "content": asked, "cache": shared},
    ]


def fold_quotation(text: str) -> str:
    """Fold white space, case, and the typography of quotes and dashes, for comparing quotations."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub(r"[“”„\"'‘’`]", "", text)
    text = re.sub(r"[‐-―−]", "-", text)
    text = re.sub(r"\s+", " ", text)
    return text.strip(" .…")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
