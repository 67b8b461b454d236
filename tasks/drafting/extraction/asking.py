"""One question without tools: the answer is entered in the sheet; the model is told what could not be entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from skills_repo.prompt_files import Prompts
from tasks.drafting.extraction.papers import Papers
from tasks.drafting.extraction.patch import MOST_VALUES, Answer, read_answer
from tasks.drafting.extraction.sheet import ChangeResult, Sheet
from tasks.drafting.extraction.work import Work
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_object
from tasks.sources.records import Span

_TEXT: Final = {"type": "string"}
# Choices of one field: the list costs tokens in every request.
_MOST_NAMES: Final = 100
_SHAPES: Final = ('[{"text": "exact words", "source_document": "name of the document"}]', "[number of the line]")


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": [*fields], "properties": fields}


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "maxItems": MOST_VALUES, "items": of}


def form(items: Sequence[str], documents: Sequence[str], lines: tuple[int, int] | None = None) -> dict[str, Any]:
    """Return the JSON schema of an answer that can name only these items, documents and lines.

    A small model copies what the form says of a name ("id of the item") where it is free to write any.

    Args:
        items: By id.
        documents: By name.
        lines: The first and the last number of a line, for a model that names numbers.
    """
    number = {"type": "integer", "minimum": lines[0], "maximum": lines[1]} if lines else None
    words = number or _object(text=_TEXT, source_document=_named(documents))
    value = _object(value=_TEXT, evidence=_list(words))
    changes = _list(_object(key=_named(items), extracted=_list(value)))
    return _object(reasoning=_TEXT, append=changes, update=changes)


def _named(names: Sequence[str]) -> Mapping[str, Any]:
    """Return a schema for one of these names; for any text if there are more names than an endpoint may accept."""
    return {"type": "string", "enum": list(names)} if 0 < len(names) <= _MOST_NAMES else _TEXT


@dataclass
class ShownQuestion:
    """A question about what the model is shown.

    Attributes:
        user: The user message.
        served: What of the documents it shows.
        shared: Characters of the message that further questions share; a further try at this one shares all of it.
    """

    work: Work
    sheet: Sheet
    user: str
    served: Sequence[Span]
    shared: int = 0
    problems: list[str] = field(default_factory=list)

    def ask(self) -> None:
        """Ask until the whole answer can be entered, or the tries are used up; ``problems`` keeps what was refused.

        Raises:
            SolonError: A limit is met, or the model cannot be asked.
        """
        system, user = first_messages(self.work, self.user)
        messages = [system, {**user, "cache": self.shared or True}]
        schema = form(list(self.sheet.items), self._documents(), self._lines())
        for _ in range(self.work.harness.agent.extraction.tries):
            reply = self.work.client_now().complete(messages, schema=schema)
            self.work.trace.assistant(reply, self.served)
            self.problems = self._taken(read_answer(find_object(reply.text)))
            if not self.problems:
                return
            refused = inert_text("\n".join(f"- {line}" for line in self.problems))
            again = self.work.harness.prompts.extract_again.filled(refused=refused)
            said = reply.text.encode("utf-8", "replace").decode("utf-8") or "(nothing)"
            messages = [*messages, {"role": "assistant", "content": said}, {"role": "user", "content": again}]

    def _documents(self) -> list[str]:
        """Return the documents that the model is shown, and those that its earlier values rest on."""
        told = [one.document for e in self.sheet.entries.values() for v in e.values for one in v.evidence]
        told += [one.document for e in self.sheet.entries.values() for one in e.excluded]
        return list(dict.fromkeys([*(span.document for span in self.served), *told]))

    def _lines(self) -> tuple[int, int] | None:
        """Return the first and last line number that the model was shown; None if it copies words instead."""
        numbering, seen = self.work.papers.numbering, self.work.papers.served.spans()
        if numbering is None:
            return None
        ends = [numbering.numbers(name, *span) for name, spans in seen.items() for span in spans]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def _taken(self, answer: Answer | str) -> list[str]:
        if isinstance(answer, str):
            return [answer]
        done: list[ChangeResult] = [*self.sheet.append(answer.append), *self.sheet.update(answer.update)]
        return [one.line() for one in done if one.refused]


def first_messages(work: Work, user: str) -> list[dict[str, Any]]:
    """Return the messages that a question begins with."""
    prompts = work.harness.prompts
    evidence = evidence_rule(prompts, work.papers)
    system = prompts.extract.filled(evidence=evidence, form=_SHAPES[work.papers.numbering is not None])
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def evidence_rule(prompts: Prompts, papers: Papers) -> str:
    """Return how a model says what a value rests on."""
    return (prompts.extract_numbers if papers.numbering else prompts.extract_words).filled()


def room_for(work: Work, user: str) -> int:
    """Return the characters of documents that may be added to a user message."""
    left = work.client.prompt_budget - work.client.tokens_of(first_messages(work, user))
    return int(max(0, left) * work.papers.scale / work.papers.swell)
