"""The whole case within a context window: all documents in order of time, each cut by the same share if needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.drafting.extraction.papers import Papers
from tasks.drafting.fences import fence_code, fenced
from tasks.models.client import ModelClient
from tasks.sources.records import Span

_MARKS = 120  # characters of the fence lines around a document
_FITTINGS = 4  # a tokenizer may make more of the whole than of the sample
_GAP = "\n[…]\n"
_SHRINK = 0.98  # a little less than what would fit: the next text may have more tokens a character


@dataclass(frozen=True)
class WholeCase:
    """The documents as a model is shown them.

    Attributes:
        text: All of them, fenced.
        code: Of the fences.
        spans: What of each is shown.
        left_out: The share of all characters that had to be left out.
    """

    text: str = ""
    code: str = ""
    spans: Sequence[Span] = ()
    left_out: float = 0.0

    @property
    def cut(self) -> str:
        """Say which share is left out; empty if nothing is."""
        return f"{self.left_out:.0%}" if self.left_out > 0 else ""


def fitted(
    papers: Papers, client: ModelClient, head: float, asked: Callable[[WholeCase], Sequence[dict[str, Any]]]
) -> WholeCase:
    """Return as much of the documents as fits the window together with a question.

    Args:
        papers: The documents.
        client: The model, with its window.
        head: The share of what is kept of a document that is its beginning.
        asked: Returns the messages with the question about some documents.
    """
    fixed = client.tokens_of(asked(WholeCase(left_out=1.0)))
    marks = sum(len(name) + _MARKS for name in papers.names)
    room = max(0, int(max(0, client.prompt_budget - fixed) * papers.scale / papers.swell) - marks)
    for _ in range(_FITTINGS):
        case = _within(papers, room, head)
        tokens = client.tokens_of(asked(case))
        if tokens <= client.prompt_budget:
            break
        room = int(room * _SHRINK * client.prompt_budget / tokens)
    return case


def _within(papers: Papers, room: int, head: float) -> WholeCase:
    """Return the documents within so many characters."""
    cut = dict(papers.cut(room, head))
    code = fence_code([*papers.texts.values()])
    text = "\n\n".join(
        fenced("DOCUMENT", _GAP.join(map(papers.shown, spans)), code, name) for name, spans in cut.items() if spans
    )
    spans = [span for found in cut.values() for span in found]
    left_out = 1 - sum(s.end - s.start for s in spans) / max(1, sum(map(len, papers.texts.values())))
    return WholeCase(text, code, spans, left_out)
