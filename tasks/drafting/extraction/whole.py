"""End to end: the whole case in one prompt, one question for each part of the checklist."""

from __future__ import annotations

from tasks.drafting.extraction.asking import ShownQuestion, first_messages
from tasks.drafting.extraction.fitting import WholeCase, fitted
from tasks.drafting.extraction.sheet import Sheet
from tasks.drafting.extraction.work import ItemPart, Work
from tasks.matter.failures import SolonError


def end_to_end(work: Work, part: ItemPart) -> bool:
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


def _question(work: Work, sheet: Sheet) -> ShownQuestion:
    """Return the question; if the case does not fit, each document loses the same share.

    How much fits is reckoned with the whole checklist, so that every part is asked behind the same documents.
    """
    every = work.sheet(ItemPart("all", {item.id: item for item in work.checklist.items()}))
    head = work.harness.agent.extraction.head
    case = fitted(work.papers, work.client, head, lambda shown: first_messages(work, _prompt(work, every, shown)))
    work.papers.served.add(case.spans)
    if case.cut and (note := f"{case.cut} of the case did not fit the model's window") not in work.notes:
        work.notes.append(note)
    asked = _prompt(work, sheet, case)
    return ShownQuestion(work, sheet, asked, case.spans, asked.index(case.text) + len(case.text))


def _prompt(work: Work, sheet: Sheet, case: WholeCase) -> str:
    return work.harness.prompts.extract_case.filled(
        title=work.checklist.title,
        definitions=sheet.definitions(),
        documents=case.text,
        code=case.code,
        cut=case.cut,
    )
