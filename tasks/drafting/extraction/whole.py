"""End to end: the whole case in one prompt, one question for each part of the checklist."""

from __future__ import annotations

from tasks.drafting.extraction.asking import Question, first_messages, room_for
from tasks.drafting.extraction.sheet import Sheet
from tasks.drafting.extraction.work import Part, Work
from tasks.drafting.fences import fence_code, fenced
from tasks.matter.failures import SolonError
from tasks.sources.records import Span

_MARKS = 120  # characters of the fence lines around a document
_FITTINGS = 4  # a tokenizer may make more of the whole than of the sample
_GAP = "\n[…]\n"


def end_to_end(work: Work, part: Part) -> bool:
    """Fill a part from the whole case; return whether further parts are worth a try.

    The documents come first and are the same for every part: an endpoint that keeps prefixes reads them once.
    """
    state, sheet = work.begin(part), work.sheet(part)
    if state:
        sheet.resume(state["sheet"])
    else:
        try:
            question = _question(work, sheet)
            question.ask()
            work.notes += [f"{part.name}: {line}" for line in question.problems]
        except SolonError as error:
            work.took(sheet)
            return work.failed(part, sheet, error)
        work.save(part.name, {"sheet": sheet.kept()})
    work.took(sheet)
    return True


def _question(work: Work, sheet: Sheet) -> Question:
    """Return the question; where the case does not fit, each document loses the same share.

    How much fits is reckoned with the whole checklist, so that every part is asked behind the same documents.
    """
    every = work.sheet(Part("all", {item.id: item for item in work.checklist.items()}))
    marks = sum(len(name) + _MARKS for name in work.papers.names)
    room = max(0, room_for(work, _prompt(work, every, "", "")) - marks)
    for _ in range(_FITTINGS):
        documents, code, spans = _shown(work, room)
        tokens = work.client.tokens_of(first_messages(work, _prompt(work, every, documents, code)))
        if tokens <= work.client.prompt_budget:
            break
        room = int(room * 0.98 * work.client.prompt_budget / tokens)
    left_out = 1 - sum(s.end - s.start for s in spans) / max(1, sum(map(len, work.papers.texts.values())))
    work.papers.served.add(spans)
    user = _prompt(work, sheet, documents, code, f"{left_out:.0%}" if left_out > 0 else "")
    if left_out > 0 and (note := f"{left_out:.0%} of the case did not fit the model's window") not in work.notes:
        work.notes.append(note)
    return Question(work, sheet, user, spans)


def _shown(work: Work, room: int) -> tuple[str, str, list[Span]]:
    """Return the documents within so many characters, the code of their fences, and what of them is shown."""
    cut = dict(work.papers.cut(room, work.harness.agent.extraction.head))
    code = fence_code([*work.papers.texts.values()])
    shown = "\n\n".join(fenced("DOCUMENT", _text(work, found), code, name) for name, found in cut.items() if found)
    return shown, code, [span for found in cut.values() for span in found]


def _text(work: Work, spans: list[Span]) -> str:
    return _GAP.join(map(work.papers.shown, spans))


def _prompt(work: Work, sheet: Sheet, documents: str, code: str, cut: str = "100%") -> str:
    return work.harness.prompts.extract_case.filled(
        title=work.checklist.title, definitions=sheet.definitions(), documents=documents, code=code, cut=cut
    )
