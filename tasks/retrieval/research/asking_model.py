"""A model that chooses the methods and phrases the answer. What it says counts as far as the sentences carry it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from knowledge_db.research import ResearchSettings
from skills_repo.prompt_files import Prompts
from tasks.legaltext.duties import duties
from tasks.legaltext.tokens import terms
from tasks.matter.failures import Failure, SolonError
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_object
from tasks.retrieval.research.choice import Chosen, MethodCues
from tasks.retrieval.research.records import Method, Question, Statement

_LONGEST: Final = 600  # characters of a sentence that a model is shown, and of a statement that it makes
_BINDING: Final = frozenset({"may", "must", "must_not", "free"})
_FIGURE: Final = re.compile(r"\d[\d,.]*\d|\d")
_METHODS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["methods"],
        "properties": {"methods": {"type": "array", "items": {"type": "string"}, "maxItems": 4}},
    }
)
_ANSWER: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["statements", "missing"],
        "properties": {
            "statements": {
                "type": "array",
                "maxItems": 12,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["text", "sentences"],
                    "properties": {
                        "text": {"type": "string"},
                        "sentences": {"type": "array", "items": {"type": "integer"}, "maxItems": 12},
                    },
                },
            },
            "missing": {"type": "string"},
        },
    }
)


@dataclass(frozen=True)
class Phrased:
    """What a model made of the sentences that it was shown.

    Attributes:
        statements: Those that the sentences carry which they cite.
        refused: How many are not carried.
        read: Whether the reply could be read at all.
        missing: What the model asks for.
        failure: Why it could not be asked; None where it could.
    """

    statements: tuple[Statement, ...] = ()
    refused: int = 0
    read: bool = True
    missing: str = ""
    failure: Failure | None = None


class ModelChoice:
    """Lets a model choose the methods; the cues of the harness choose where it gives no choice that can be read."""

    def __init__(self, client: ModelClient, prompts: Prompts, cues: MethodCues) -> None:
        """Take the model, the prompts of the harness, and its cues."""
        self._client, self._prompts, self._cues = client, prompts, cues

    def choose(self, question: Question, at_hand: Sequence[Method]) -> list[Chosen]:
        """Return the methods in the order in which they are tried; the papers are always looked at first."""
        others = [m for m in at_hand if m is not Method.HYBRID]
        if not others:
            return self._cues.choose(question, at_hand)
        asked = self._prompts.research_methods.filled(
            question=inert_text(question.text), methods=", ".join(m.value for m in others)
        )
        try:
            reply = find_object(self._client.complete(_messages(self._prompts, asked), _METHODS).text) or {}
        except SolonError:  # the model fails again, and is told of, where it is to phrase the answer
            reply = {}
        named = reply.get("methods")
        if not isinstance(named, list):
            return self._cues.choose(question, at_hand)
        chosen = [m for m in others if m.value in {str(n).strip().lower() for n in named}]
        first = [c for c in self._cues.choose(question, at_hand) if c.method is Method.HYBRID]
        return [*first, *(Chosen(m, f"chosen by the model {self._client.profile.name}") for m in chosen)]


class Phraser:
    """Lets a model say in its words what sentences answer, and verifies what it says."""

    def __init__(self, client: ModelClient, prompts: Prompts, settings: ResearchSettings) -> None:
        """Take the model, the prompts of the harness, and how much of a statement its sentences must carry."""
        self._client, self._prompts, self._settings = client, prompts, settings

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._client.profile.name

    def phrase(self, question: Question, found: Sequence[Statement], about: Mapping[str, str]) -> Phrased:
        """Return what the model makes of what was found.

        Args:
            question: What is asked.
            found: Statements in the words of their sources.
            about: What each of their papers is, in a line.
        """
        numbered = "\n".join(f"{i}. {_shown(s)}" for i, s in enumerate(found, start=1))
        papers = "\n".join(f"{_line(name)}: {_line(said)}" for name, said in about.items())
        code = hashlib.sha256(f"{papers}\0{numbered}".encode()).hexdigest()[:12]
        asked = self._prompts.research_answer.filled(
            question=inert_text(question.text),
            client=inert_text(question.client),
            law=inert_text(question.law),
            code=code,
            papers=papers,
            sentences=numbered,
        )
        try:
            reply = find_object(self._client.complete(_messages(self._prompts, asked), _ANSWER).text)
        except SolonError as error:
            return Phrased(read=False, failure=error.failure)
        rows = reply.get("statements") if reply is not None else None
        if reply is None or not isinstance(rows, list):
            return Phrased(read=False)
        made = [self._verified(row, found) for row in rows]
        kept = tuple(s for s in made if s is not None)
        return Phrased(kept, len(made) - len(kept), missing=_line(reply.get("missing")))

    def _verified(self, row: Any, found: Sequence[Statement]) -> Statement | None:
        """Return a statement with what it rests on; None where it cites nothing, or what it cites does not carry it."""
        text = _line(row.get("text")) if isinstance(row, dict) else ""
        numbers = row.get("sentences") if isinstance(row, dict) else None
        cited = (
            [found[n - 1] for n in numbers if isinstance(n, int) and 1 <= n <= len(found)]
            if isinstance(numbers, list)
            else []
        )
        if not text or not cited or not carried(text, [s.text for s in cited], self._settings.carried):
            return None
        foreign = next((s for s in cited if s.method is Method.EXTERNAL), None)
        law = next((s for s in cited if s.authority), None)
        told = foreign or law or cited[0]
        return told.model_copy(update={"text": text, "spans": tuple(dict.fromkeys(p for s in cited for p in s.spans))})


def carried(statement: str, sentences: Sequence[str], least: float) -> bool:
    """Tell whether sentences carry a statement: every figure stands in them, enough of its words, and its force.

    What is forbidden carries no statement that it may be done.

    Args:
        statement: What is said.
        sentences: What it is said to rest on.
        least: Share of the stems of the statement that must stand in them.
    """
    source = " ".join(sentences)
    said = frozenset(terms(statement))
    figures = set(_FIGURE.findall(statement)) - set(_FIGURE.findall(source))
    given = frozenset(force for sentence in sentences for force in _binding(sentence))
    forced = not given or _binding(statement) <= given
    return bool(said) and forced and not figures and len(said & frozenset(terms(source))) >= least * len(said)


def _binding(sentence: str) -> frozenset[str]:
    """Return whether a sentence allows, demands, forbids or frees."""
    return frozenset(duty.force for duty in duties(sentence)) & _BINDING


def _messages(prompts: Prompts, asked: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": prompts.research.filled()}, {"role": "user", "content": asked}]


def _shown(found: Statement) -> str:
    place = found.spans[0].document if found.spans else ""
    whose = found.source if found.method is Method.EXTERNAL else found.authority
    mark = {Method.EXTERNAL: "said by others", Method.KNOWLEDGE: "law that is held"}.get(found.method, "papers")
    head = ", ".join(part for part in (mark, inert_text(place or whose), found.verification) if part)
    return f"[{' '.join(head.split())}] {' '.join(inert_text(found.text).split())[:_LONGEST]}"


def _line(words: Any) -> str:
    return " ".join(inert_text(words).split())[:_LONGEST] if isinstance(words, str) else ""
