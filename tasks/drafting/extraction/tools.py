"""The six tools of an agent that fills a checklist. The first line of what each shows is its outcome in brief."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import Field

from skills_repo.agent_settings import ExtractionSettings
from tasks.drafting.agent.tools.finding import matching_lines
from tasks.drafting.agent.tools.records import AgentTool, Arguments, OwnTool, Shown, refused
from tasks.drafting.extraction.papers import Papers, shown_ranges
from tasks.drafting.extraction.patch import MOST_VALUES, Change, NumberedChange
from tasks.drafting.extraction.sheet import ChangeResult, Sheet
from tasks.drafting.fences import one_line
from tasks.sources.records import Span

_WHOLE = 0.99  # of a document's characters: white space at its end is never served


class ListDocuments(Arguments):
    """Arguments of ``list_documents``: none."""


class ReadDocument(Arguments):
    """Arguments of ``read_document``."""

    doc_name: str = Field(max_length=1000)
    start_token: int = Field(default=0, ge=0)
    end_token: int | None = Field(default=None, ge=1, description="left out: as far as one reading goes")


class SearchArguments(Arguments):
    """Arguments of ``search_document_regex``."""

    pattern: str = Field(description="regular expression, upper and lower case alike; matched line by line")
    doc_names: list[str] = Field(default_factory=list, max_length=2000, description="empty: all documents")
    top_k: int | None = Field(default=None, ge=1, description="most hits shown")
    context_tokens: int = Field(default=0, ge=0, description="tokens around a hit, 100 to 1,000")


class GetChecklist(Arguments):
    """Arguments of ``get_checklist``."""

    items: list[str] = Field(default_factory=list, max_length=500, description="ids; empty: all items")


class NumberedPatch(Arguments):
    """Arguments of the same where lines are named by their numbers."""

    patch: list[NumberedChange] = Field(min_length=1, max_length=MOST_VALUES)

    def said(self) -> list[Change]:
        """Return the changes, each with the lines as its quotations."""
        return [Change.model_validate(one.model_dump()) for one in self.patch]


class Patch(Arguments):
    """Arguments of ``append_checklist`` and ``update_checklist``."""

    patch: list[Change] = Field(min_length=1, max_length=MOST_VALUES)

    def said(self) -> list[Change]:
        """Return the changes."""
        return self.patch


def case_tools(papers: Papers, sheet: Sheet, settings: ExtractionSettings, most: int) -> list[AgentTool]:
    """Return the six tools.

    Args:
        papers: The documents.
        sheet: What they are to fill.
        settings: How much they show.
        most: Tokens that one result may have, as the model's window allows.
    """
    tools = _Tools(papers, sheet, settings, min(settings.read_most, int(most / papers.swell)))
    patch = NumberedPatch if papers.numbering else Patch
    return [
        OwnTool("list_documents", ListDocuments, tools.list_documents),
        OwnTool("read_document", ReadDocument, tools.read_document),
        OwnTool("search_document_regex", SearchArguments, tools.search),
        OwnTool("get_checklist", GetChecklist, tools.get_checklist),
        OwnTool("append_checklist", patch, tools.append_checklist),
        OwnTool("update_checklist", patch, tools.update_checklist),
    ]


def catalogue(papers: Papers, most: int) -> str:
    """Return the documents, one per line: tokens, kind, and which ranges were viewed.

    Args:
        papers: The documents.
        most: Characters; documents behind that are counted, not named.
    """
    lines, left = list[str](), most
    for at, name in enumerate(papers.names):
        length, viewed = papers.length(name), papers.viewed(name)
        whole = papers.served.share(name) > _WHOLE
        state = "fully viewed" if whole else f"viewed {shown_ranges(viewed)}" if viewed else "not viewed"
        kind = f", {one_line(papers.kinds[name])}" if papers.kinds.get(name) else ""
        line = f"- {one_line(name)}: {length} tokens{kind}; {state}"
        if lines and len(line) > left:
            lines.append(f"- and {len(papers.names) - at} more: list_documents names them")
            break
        left -= len(line) + 1
        lines.append(line)
    return "\n".join(lines)


@dataclass
class _Tools:
    papers: Papers
    sheet: Sheet
    settings: ExtractionSettings
    most: int
    listed: bool = False

    def list_documents(self, _given: ListDocuments) -> Shown:
        """List the documents of the case in the order of time: name, tokens, kind, and what was viewed."""
        names = self.papers.names
        told = catalogue(self.papers, self.papers.characters(self.most))
        return Shown(f"{len(names)} documents, {sum(map(self.papers.length, names))} tokens\n{told}")

    def read_document(self, given: ReadDocument) -> Shown:
        """Read a range of tokens of one document, at most 10,000 at a time."""
        name = self._document(given.doc_name)
        length = self.papers.length(name)
        if given.start_token >= length:
            raise refused("start_token", f"the document has {length} tokens", "give a smaller one")
        end = min(length, given.end_token or length)
        if end <= given.start_token:
            raise refused("end_token", "is not behind start_token", "give a larger one, or none")
        cut = min(end, given.start_token + self.most)
        span = self.papers.stretch(name, given.start_token, cut)
        self.papers.served.add([span])
        told = f"{one_line(name)}: tokens {given.start_token}-{cut} of {length}"
        told += f"; one reading shows {self.most}: go on at {cut}" if cut < end else ""
        return Shown(f"{told}\n{self.papers.shown(span)}", served=(span,))

    def search(self, given: SearchArguments) -> Shown:
        """Search one, several or all documents with a regular expression; shows the hits with the text around them."""
        names = [self._document(name) for name in given.doc_names] or self.papers.names
        hits = matching_lines(given.pattern, {name: self.papers.text(name) for name in names})
        around = min(self.settings.context_most, max(self.settings.context_least, given.context_tokens), self.most)
        most = min(self.settings.hits, given.top_k or self.settings.hits)
        spans = list(self._windows([(name, start + at) for name, _, start, _, at in hits], around))
        shown = spans[: max(1, min(most, self.most // around))]
        self.papers.served.add(shown)
        found = ", ".join(f"{one_line(n)} ({sum(h[0] == n for h in hits)})" for n in dict.fromkeys(h[0] for h in hits))
        told = f"{len(hits)} lines match in {len(names)} documents{': ' if hits else ''}{found}"
        if len(shown) < len(spans):
            told += f"; {len(shown)} of {len(spans)} places are shown: narrow the pattern or name documents"
        return Shown("\n".join([told, *map(self._placed, shown)]), served=tuple(shown))

    def get_checklist(self, given: GetChecklist) -> Shown:
        """Return what is recorded for some items or all, with the evidence."""
        keys = self._keys(given.items)
        empty = sum(item.id in keys for item in self.sheet.empty())
        told = self.sheet.told(keys)[: self.papers.characters(self.most)]
        return Shown(f"{len(keys)} items, {empty} of them empty\n{told}")

    def append_checklist(self, given: Patch | NumberedPatch) -> Shown:
        """Add values to items, each with its evidence; several items in one call."""
        return _outcome(self.sheet.append(given.said()))

    def update_checklist(self, given: Patch | NumberedPatch) -> Shown:
        """Put values in the place of all that is recorded for an item, or set it to Not Applicable, with evidence."""
        return _outcome(self.sheet.update(given.said()))

    def _document(self, name: str) -> str:
        if name not in self.papers.served.texts:
            near = next((n for n in self.papers.names if one_line(n).casefold() == one_line(name).casefold()), "")
            if not near:
                raise refused(one_line(name), "is no document of the case", "list_documents names them")
            return near
        return name

    def _keys(self, names: Sequence[str]) -> list[str]:
        keys = [self.sheet.key_of(name) for name in names] or list(self.sheet.items)
        if "" in keys:
            raise refused(one_line(names[keys.index("")]), "is no item here", f"items: {', '.join(self.sheet.items)}")
        return keys

    def _windows(self, places: Sequence[tuple[str, int]], around: int) -> Iterator[Span]:
        """Yield the text around places; a place inside the previous window gets none of its own."""
        last = Span(document="", start=0, end=0)
        for name, at in places:
            if name == last.document and at < last.end:
                continue
            token = self.papers.tokens(at)
            last = self.papers.stretch(name, max(0, token - around // 2), token + around - around // 2)
            yield last

    def _placed(self, span: Span) -> str:
        place = f"{self.papers.tokens(span.start)}-{self.papers.tokens(span.end)}"
        return f"--- {one_line(span.document)}, tokens {place}\n{self.papers.shown(span)}"


def _outcome(outcomes: Sequence[ChangeResult]) -> Shown:
    """Return the outcome of a patch; a call has failed if nothing of it was accepted."""
    refused = sum(len(one.refused) for one in outcomes)
    changed = ", ".join(one.key for one in outcomes if one.done)
    brief = f"changed: {changed or 'nothing'}" + (f"; {refused} refused" if refused else "")
    return Shown("\n".join([brief, *(one.line() for one in outcomes)]), failed=not changed)
