"""Asks a model one statement of one agreement by a strategy, and reads its label."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from flows.bench.nli.reports import Reports
from flows.bench.nli.strategies import Premise, Strategy
from skills_repo.template import PromptTemplate, load_templates
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_object
from tasks.retrieval.entail.corpus import AnsweredAgreements
from tasks.retrieval.entail.records import LABELS, Example, Hypothesis, Label, Passages
from tasks.retrieval.entail.unknown import WordSearch

_SHOWN = 3  # passages that a model is shown

_SLOTS: Final[Mapping[str, tuple[str, ...]]] = {
    "naive": (),
    "optimised": (),
    "case": ("code", "premise", "statement", "reasoned"),
    "reasoned": (),
    "because": ("evidence", "label"),
    "because_silent": (),
}
_SHORTEST = 200  # characters below which a premise is cut no more


@lru_cache(maxsize=1)
def prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts of the bench by file name."""
    return load_templates(files("flows.bench.nli").joinpath("prompts"), _SLOTS)


@dataclass
class AskingCost:
    """What asking took.

    Attributes:
        unreadable: Replies without a label; they count as neutral.
        cut: Premises of which the end was left out, as they do not fit the model's context.
    """

    usage: Usage = field(default_factory=Usage)
    questions: int = 0
    unreadable: int = 0
    cut: int = 0


@dataclass
class StrategyAsker:
    """Asks one model by one strategy.

    Attributes:
        learned: Answered agreements, from which examples are drawn.
        search: Finds the sentences nearest to a statement.
        reports: The researcher over the agreements asked of; strategies that show a report read it.
        seed: Of the examples drawn; another one is another trial.
        pairs: Questions of the sample, half as many of which it is weighed by; all of those held back when None.
    """

    client: ModelClient
    strategy: Strategy
    learned: AnsweredAgreements
    search: WordSearch
    reports: Reports
    seed: int = 0
    pairs: int | None = None
    asked: AskingCost = field(default_factory=AskingCost)

    def label(self, document: Passages, statement: Hypothesis, evidence: Sequence[int] = ()) -> Label:
        """Return the model's label.

        Args:
            document: The agreement.
            statement: What is asked.
            evidence: The sentences that a lawyer named; read by the bound of isolated spans alone.

        Raises:
            SolonError: The model cannot be asked.
        """
        system = prompts()[self.strategy.system].filled()
        messages = [{"role": "system", "content": system}, *self._examples(document, statement)]
        premise = self._premise(document, statement, evidence, self.strategy.premise)
        reply = self.client.complete(self._fitting(messages, premise, statement), schema=self._schema())
        self.asked.usage = self.asked.usage + reply.usage
        self.asked.questions += 1
        said = str((find_object(reply.text) or {}).get("label", "")).strip().lower()
        for label in LABELS:
            if said == label:
                return label
        self.asked.unreadable += 1
        return "neutral"

    def _fitting(self, messages: list[dict[str, Any]], premise: str, statement: Hypothesis) -> list[dict[str, Any]]:
        """Return the conversation; of a premise that does not fit, the end is left out."""
        whole = len(premise)
        while True:
            question = {"role": "user", "content": self._case(premise, statement)}
            if self.client.tokens_of([*messages, question]) <= self.client.prompt_budget or len(premise) < _SHORTEST:
                break
            premise = premise[: len(premise) * 4 // 5]
        self.asked.cut += len(premise) < whole
        return [*messages, question]

    def _case(self, premise: str, statement: Hypothesis) -> str:
        code = hashlib.sha256(premise.encode()).hexdigest()[:12]
        reasoned = prompts()["reasoned"].filled() if self.strategy.reasoned else ""
        return prompts()["case"].filled(code=code, premise=premise, statement=statement.text, reasoned=reasoned)

    def _examples(self, document: Passages, statement: Hypothesis) -> list[dict[str, Any]]:
        """Return answered questions of other agreements, as turns of the conversation."""
        by_key = {one.key: one for one in self.learned.statements}
        papers = {one.document: one for one in self.learned.documents}
        found = []
        for example in self._drawn(document, statement):
            paper, asked = papers[example.document], by_key[example.statement]
            premise = self._premise(paper, asked, example.evidence, self.strategy.shown)
            found.append({"role": "user", "content": self._case(premise, asked)})
            found.append({"role": "assistant", "content": self._answer(paper, example)})
        return found

    def _drawn(self, document: Passages, statement: Hypothesis) -> list[Example]:
        """Draw the examples: one of each label where the strategy keeps to the statement and they are to be had.

        Questions on one statement, or else on one agreement, are shown the same ones: a server that keeps the beginning
        of a prompt reads them once.
        """
        if not self.strategy.shots:
            return []
        draw = random.Random(f"{self.seed}:{statement.key if self.strategy.same else document.document}")
        pool = [e for e in self.learned.examples if e.document != document.document]
        if self.strategy.same:
            pool = [e for e in pool if e.statement == statement.key]
        draw.shuffle(pool)
        if not self.strategy.same:
            return pool[: self.strategy.shots]
        firsts = [next((e for e in pool if e.label == label), None) for label in LABELS]
        chosen = [e for e in firsts if e is not None]
        rest = [e for e in pool if e not in chosen]
        return [*chosen, *rest][: self.strategy.shots]

    def _premise(self, document: Passages, statement: Hypothesis, evidence: Sequence[int], kind: Premise) -> str:
        if kind == "document":
            return inert_text(document.text)
        if kind == "report":
            return inert_text(self.reports.on(document, statement).words)
        said = document.said()
        places = sorted(evidence) if kind == "evidence" and evidence else self.found(document, statement)
        return inert_text("\n\n".join(said[place] for place in places))

    def found(self, document: Passages, statement: Hypothesis) -> list[int]:
        """Return the sentences nearest to a statement, or those that the report cites, in reading order."""
        if self.strategy.premise == "report":
            return self.reports.on(document, statement).positions
        return sorted(self.search.nearest(document, statement)[:_SHOWN])

    def _answer(self, paper: Passages, example: Example) -> str:
        if not self.strategy.reasoned:
            return f'{{"label": "{example.label}"}}'
        return _json({"reason": _reason(paper, example), "label": example.label})

    def _schema(self) -> dict[str, Any]:
        label = {"type": "string", "enum": list(LABELS)}
        properties = {"reason": {"type": "string"}, "label": label} if self.strategy.reasoned else {"label": label}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }


def _reason(paper: Passages, example: Example) -> str:
    if not example.evidence:
        return prompts()["because_silent"].filled()
    said = paper.said()
    words = " ".join(said[place] for place in example.evidence)
    return prompts()["because"].filled(evidence=" ".join(words.split()), label=example.label)


def _json(value: Mapping[str, str]) -> str:
    return json.dumps(value, ensure_ascii=False)
