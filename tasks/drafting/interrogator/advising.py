"""A model that advises: which question comes next, or that the report is sufficient. It is believed within bounds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from skills_repo.prompt_files import Prompts
from tasks.asks.records import Ask
from tasks.drafting.guided.asking import Asker
from tasks.drafting.interrogator.records import Dialogue, Need, Origin, Stop
from tasks.models.fencing import inert_text

ROLE: Final = "interrogator"  # of the account: who asks for the next question
_OFFERED = 6  # questions among which a model chooses
_LONGEST = 200  # characters of a question of its own
_ASKED = 12  # of the last questions that it is reminded of
_LINE = 240  # characters of what is told of an answer
_NEXT: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["next", "question"],
        "properties": {
            "next": {"type": "string", "enum": ["offered", "own", "enough"]},
            "number": {"type": "integer"},
            "question": {"type": "string", "maxLength": _LONGEST},
        },
    }
)


@dataclass
class ModelAdvisor:
    """Lets a model choose among the open questions, put one of its own, or end the asking.

    The code keeps the state: a question of the model is answered by the researcher out of the papers, none is put
    twice, and what the client asked has had its second search before the model may call the report sufficient.
    A reply that cannot be read leaves the choice to the policy.
    """

    asker: Asker
    prompts: Prompts

    def choose(self, state: Dialogue, proposed: Need | None, asks: Sequence[Ask]) -> tuple[Need | None, Stop]:
        """Return the next question, or why there is none."""
        if proposed is not None and proposed.origin is Origin.DOUBT:
            return proposed, ""
        offered = ([proposed] if proposed else []) + [n for n in state.open if n is not proposed]
        said = self._asked(state, offered[:_OFFERED], asks)
        if said.get("next") == "enough":
            return None, "sufficient in the model's judgment"
        if said.get("next") == "offered":
            number = said.get("number")
            if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(offered[:_OFFERED]):
                return offered[number - 1], ""
        own = self._own(state, said.get("question"), asks) if said.get("next") == "own" else None
        return (own or proposed), ("" if own or proposed else "sufficient")

    def _own(self, state: Dialogue, question: object, asks: Sequence[Ask]) -> Need | None:
        """Return a question of the model, as one on the first ask; None where it is none or was put already."""
        words = " ".join(question.split())[:_LONGEST] if isinstance(question, str) else ""
        if len(words.split()) < 3 or not asks:  # a word or two ask nothing
            return None
        first = asks[0]
        known = next((t.need.question for t in state.turns if t.need.ask_id == first.ask_id), None)
        if known is None:
            return None
        put = known.model_copy(update={"text": words, "kind": "", "documents": ()})
        need = Need(ask_id=first.ask_id, origin=Origin.MODEL, question=put, about=words)
        return None if any(t.need.key == need.key for t in state.turns) else need

    def _asked(self, state: Dialogue, offered: Sequence[Need], asks: Sequence[Ask]) -> dict[str, Any]:
        report = "\n".join(_told(state, ask) for ask in asks)
        listed = "\n".join(f"[{n}] {inert_text(need.question.text)}" for n, need in enumerate(offered, 1))
        put = "\n".join(f"- {inert_text(t.need.question.text)}" for t in state.turns[-_ASKED:])
        code = hashlib.sha256(f"{report}{listed}{put}".encode("utf-8", "replace")).hexdigest()[:8]
        told = self.prompts.interrogator_next.filled(report=report, asked=put, offered=listed or "(none)", code=code)
        messages = [
            {"role": "system", "content": self.prompts.interrogator.filled()},
            {"role": "user", "content": told},
        ]
        found, _ = self.asker.ask(messages, _NEXT, role=ROLE)
        self.asker.read += bool(found)
        return found


def _told(state: Dialogue, ask: Ask) -> str:
    """Return what the report says of an ask so far."""
    got = state.claim_of(ask.ask_id)
    if got is None:
        return f"- {inert_text(ask.words)}: not asked"
    said = "; ".join(e.answer or e.reason for e in got.entries)
    doubt = "" if all(e.certain for e in got.entries) else " (to be verified)"
    return f"- {inert_text(ask.words)}: {got.state.value}{doubt}: {inert_text(said)[:_LINE]}"
