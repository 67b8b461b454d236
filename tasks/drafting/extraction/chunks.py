"""Chunk by chunk: the documents in order of time, with the findings so far carried from one to the next."""

from __future__ import annotations

from tasks.drafting.extraction.asking import ShownQuestion, room_for
from tasks.drafting.extraction.sheet import Sheet
from tasks.drafting.extraction.work import ItemPart, Work
from tasks.drafting.fences import fence_code, fenced, one_line
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.sources.records import Span

_LEAST = 200  # tokens: a smaller piece of a document is not worth a question


def chunk_by_chunk(work: Work, part: ItemPart) -> bool:
    """Fill a part while reading all documents once; return whether further parts are worth a try."""
    state, sheet = work.begin(part), work.sheet(part)
    if state:
        sheet.resume(state["sheet"])
    try:
        _read_on(work, part, sheet, list(state.get("at", ("", 0))))
    except SolonError as error:
        work.took(sheet)
        return work.failed(part, sheet, error)
    work.took(sheet)
    return True


def _read_on(work: Work, part: ItemPart, sheet: Sheet, at: list[object]) -> None:
    """Read on from the place in the state: after so many characters of this document."""
    names = work.papers.names
    first = names.index(str(at[0])) if at[0] in names else 0
    for name in names[first:]:
        done = int(str(at[1])) if name == at[0] else 0
        while done < len(work.papers.text(name)):
            span = _next(work, sheet, name, done)
            question = _question(work, sheet, span)
            question.ask()
            work.notes += [f"{part.name}: {one_line(name)}: {line}" for line in question.problems]
            done = span.end
            work.save(part.name, {"sheet": sheet.kept(), "at": [name, done]})


def _next(work: Work, sheet: Sheet, name: str, done: int) -> Span:
    """Return the next chunk: 16,000 tokens, or fewer where the window is smaller or much was found already."""
    room = work.papers.tokens(
        room_for(work, _prompt(work, sheet, Span(document=name, start=done, end=done), "", "0" * 16)) * 9 // 10
    )
    if room < _LEAST:
        message = "Checklist and what was found so far fill the context window."
        remedy = "Use a model with a larger one, or fill the checklist by groups or items."
        cause, subject = FailureCause.CAPACITY, work.clock.subject
        raise SolonError(Failure(cause=cause, stage="drafting", subject=subject, message=message, remedy=remedy))
    tokens = min(work.harness.agent.extraction.chunk, room)
    span = work.papers.piece(name, done, tokens)
    while tokens > _LEAST and work.papers.tokens(len(work.papers.shown(span))) > room * work.papers.swell:
        tokens = tokens * 9 // 10  # lines that are shorter than usual have more numbers
        span = work.papers.piece(name, done, tokens)
    return span


def _question(work: Work, sheet: Sheet, span: Span) -> ShownQuestion:
    text = work.papers.shown(span)
    code = fence_code([sheet.told(sheet.items), text])
    work.papers.served.add([span])
    return ShownQuestion(work, sheet, _prompt(work, sheet, span, fenced("CHUNK", text, code), code), [span])


def _prompt(work: Work, sheet: Sheet, span: Span, text: str, code: str) -> str:
    papers = work.papers
    return work.harness.prompts.extract_chunk.filled(
        title=work.checklist.title,
        definitions=sheet.definitions(),
        filled=fenced("RECORDED", sheet.told(sheet.items), code),
        document=one_line(span.document),
        start=str(papers.tokens(span.start)),
        end=str(papers.tokens(span.end)),
        length=str(papers.length(span.document)),
        text=text,
        code=code,
    )
