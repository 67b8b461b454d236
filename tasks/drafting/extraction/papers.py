"""The documents of a case addressed by tokens: their lengths, stretches, chunks, and what was viewed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tasks.drafting.agent.tools.serving import Served
from tasks.drafting.extraction.records import Documents
from tasks.legaltext.checklists.numbering import SentenceNumbering
from tasks.legaltext.checklists.records import Evidence
from tasks.models.client import ModelClient
from tasks.sources.records import CanonicalText, Span

_SAMPLE = 4_000  # characters of each document, and of at most so many, that tell how long a token is
_SAMPLED = 20  # papers that tell what a set of papers is
_WORD = 40  # characters that a border may be moved by, so that it cuts no word


class Papers:
    """The documents in the order of time, addressed by tokens.

    A token has the same number of characters everywhere (``scale``): what counts is that a place has one number and
    that nothing has more tokens than the model would count, not where the model's own tokens end.

    Attributes:
        served: What of each document was shown.
        kinds: What each document is, in a lawyer's words, where that is known.
        numbering: Of their lines, where the model names numbers; None where it copies words.
    """

    def __init__(
        self,
        texts: Mapping[str, CanonicalText],
        scale: float,
        kinds: Mapping[str, str],
        numbering: SentenceNumbering | None = None,
    ) -> None:
        self.served = Served(texts)
        self.scale = scale
        self.kinds = kinds
        self.numbering = numbering

    def unseen(self) -> Papers:
        """Return the same documents as not yet viewed, for another agent."""
        return Papers(self.served.texts, self.scale, self.kinds, self.numbering)

    def plain(self) -> Papers:
        """Return the same documents without numbers, for a model that need not say what a value rests on."""
        return Papers(self.served.texts, self.scale, self.kinds)

    @property
    def names(self) -> list[str]:
        """Return the names of the documents in their order."""
        return list(self.served.texts)

    @property
    def texts(self) -> Documents:
        """Return the texts by name."""
        return {name: text.text for name, text in self.served.texts.items()}

    def tokens(self, characters: int) -> int:
        """Return how many tokens so many characters are."""
        return int(characters / self.scale)

    def characters(self, tokens: int) -> int:
        """Return how many characters so many tokens are."""
        return int(tokens * self.scale)

    def length(self, name: str) -> int:
        """Return the tokens of a document: the number of its last one, counted from 0, plus one."""
        return self.tokens(max(0, len(self.text(name)) - 1)) + 1

    def text(self, name: str) -> str:
        """Return the text of a document."""
        return self.served.texts[name].text

    @property
    def swell(self) -> float:
        """Return how much longer documents are as they are shown, as a factor."""
        return self.numbering.swell if self.numbering else 1.0

    def shown(self, span: Span) -> str:
        """Return a stretch as a model is shown it."""
        if self.numbering:
            return self.numbering.shown(span.document, span.start, span.end)
        return self.text(span.document)[span.start : span.end]

    def line(self, number: int) -> Evidence | None:
        """Return a line by its number; None if there is none or it was not shown."""
        line = self.numbering.line(number) if self.numbering else None
        seen = self.served.spans().get(line.document, ()) if line else ()
        return line if line and any(start < line.end and line.start < end for start, end in seen) else None

    def stretch(self, name: str, start: int, end: int) -> Span:
        """Return the characters that a range of tokens is, with whole words at both borders."""
        text = self.text(name)
        low, high = (min(len(text), self.characters(at)) for at in (start, end))
        if end >= self.length(name):
            high = len(text)
        return Span(document=name, start=_border(text, low), end=_border(text, high))

    def piece(self, name: str, start: int, tokens: int) -> Span:
        """Return the stretch of a document from a character on that has so many tokens, at the most."""
        text, end = self.text(name), start + max(1, self.characters(tokens))
        border = _border(text, end)
        return Span(document=name, start=start, end=border if border > start else min(len(text), end))

    def view(self, name: str, spans: Iterable[Sequence[int]]) -> None:
        """Take note of stretches that were shown, as (start, end)."""
        if name in self.served.texts:
            self.served.add(Span(document=name, start=start, end=end) for start, end in spans)

    def viewed(self, name: str) -> list[tuple[int, int]]:
        """Return the ranges of tokens that were shown."""
        return [(self.tokens(start), self.tokens(end)) for start, end in self.served.spans().get(name, ())]

    def cut(self, characters: int, head: float) -> Iterator[tuple[str, list[Span]]]:
        """Yield what of each document is shown where all of them together may have so many characters.

        Each document keeps the same share of its length: its beginning, which says what it is, and its end, which says
        what is ordered or agreed.

        Args:
            characters: Of all documents.
            head: Share of what is kept that is the beginning.
        """
        whole = sum(len(text) for text in self.texts.values())
        share = min(1.0, characters / max(1, whole))
        for name, text in self.texts.items():
            if share == 1.0:
                yield name, [Span(document=name, start=0, end=len(text))]
                continue
            kept = int(len(text) * share)
            first = _border(text, int(kept * head))
            last = _border(text, len(text) - (kept - int(kept * head)))
            spans = (Span(document=name, start=0, end=first), Span(document=name, start=last, end=len(text)))
            yield name, [span for span in spans if span.start < span.end]


def papers_of(texts: Mapping[str, CanonicalText], client: ModelClient, kinds: Mapping[str, str]) -> Papers:
    """Return documents by the tokens of a client's model."""
    sample = "\n".join(text.text[:_SAMPLE] for text in list(texts.values())[:_SAMPLED])
    counted = client.tokens_of([{"role": "user", "content": sample}]) if sample else 0
    plain = {name: text.text for name, text in texts.items()}
    numbering = SentenceNumbering(plain) if client.profile.quotes == "numbers" else None
    return Papers(texts, max(1.0, len(sample) / max(1, counted)), kinds, numbering)


def shown_ranges(ranges: Sequence[tuple[int, int]]) -> str:
    """Return ranges of tokens in words."""
    return ", ".join(f"{start}-{end}" for start, end in ranges)


def _border(text: str, at: int) -> int:
    """Return the nearest place before this one that cuts no word; this place itself if the word is very long."""
    if at >= len(text):
        return len(text)
    for back in range(at, max(0, at - _WORD), -1):
        if text[back].isspace() or text[back - 1 : back].isspace():
            return back
    return at
