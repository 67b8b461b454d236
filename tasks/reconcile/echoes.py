"""Words of the harness's own prompts in a deliverable: a model repeated what it was asked instead of answering."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from skills_repo.prompt_files import Prompts
from skills_repo.release_gates import CompletenessGate
from skills_repo.template import SLOT
from tasks.legaltext.fold import FoldedText, fold
from tasks.legaltext.sentences import DRAFT, sentences
from tasks.reconcile.check import CheckJob
from tasks.reconcile.records import Finding

_NUMBERING = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_AROUND = 80  # characters shown on each side


def prompt_sentences(prompts: Prompts, shortest: int) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the prompts, parted at their slots, each with the name of its file.

    Args:
        prompts: The prompts of the harness.
        shortest: Fewest words: shorter ones may be anybody's.
    """
    for prompt in fields(prompts):
        for part in SLOT.split(getattr(prompts, prompt.name).text):
            for start, end in sentences(part, DRAFT):
                words = _NUMBERING.sub("", part[start:end])
                if len(re.findall(r"\w+", words)) >= shortest:
                    yield words, prompt.name


def echoed_prompts(job: CheckJob) -> Iterator[Finding]:
    """Yield a finding for each sentence of a prompt in a deliverable, but those that the brief or a document has."""
    settings: CompletenessGate = job.harness.gates.completeness
    wanted = [(fold(words), name) for words, name in prompt_sentences(job.harness.prompts, settings.prompt_words)]
    given = [fold(job.matter.instructions)]
    for deliverable, draft in sorted(job.drafts.items()):
        text = FoldedText(deliverable, draft.text)
        for words, name in wanted:
            found = text.find(words)
            if (
                found is None
                or any(words in g for g in given)
                or any(words in fold(t.text) for t in job.texts.values())
            ):
                continue
            start, end = found
            yield Finding(
                gate="completeness",
                kind="prompt_text",
                deliverable=deliverable,
                text=draft.text[start:end],
                start=start,
                end=end,
                sentence=" ".join(draft.text[max(0, start - _AROUND) : end + _AROUND].split()),
                checked=f"These are words of the prompt {name}, with which the harness asked for the draft.",
                remedy="Strike them, and read what stands around them: the draft may be broken there.",
            )
