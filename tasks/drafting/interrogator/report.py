"""The report in five parts: topic, reasoning and findings, preliminary answer, gaps and questions, sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tasks.asks.records import Ask, AskKind, AskState
from tasks.asks.table import TITLE
from tasks.drafting.extractive.quoting import units_at
from tasks.drafting.extractive.render.contrasts import differences
from tasks.drafting.extractive.render.findings import chronology, findings
from tasks.drafting.extractive.render.follow_up import actions, ledger
from tasks.drafting.extractive.render.gaps import left_open, missing, unread
from tasks.drafting.extractive.render.memo import asked, header, order_of
from tasks.drafting.extractive.render.names import listed
from tasks.drafting.extractive.render.overview import bottom_line, table
from tasks.drafting.extractive.render.ties import Ties
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.interrogator.records import Dialogue, Origin, Turn
from tasks.legaltext.markdown import verbatim
from tasks.retrieval.records import Skeleton
from tasks.sources.records import Span

_LEADS: Mapping[Origin, str] = {
    Origin.USE: "“{about}” is used where it has this effect",
    Origin.CONDITION: "It holds only within {about}",
    Origin.ATTACHMENT: "{about}, which it names",
    Origin.START: "The period of {about} runs",
    Origin.REFERENCE: "It refers to {about}",
    Origin.TERM: "Defined term",
    Origin.MODEL: "Asked further: {about}",
}


def report(told: Told, dialogue: Dialogue, skeleton: Skeleton | None = None) -> str:
    """Return the report as Markdown, with the section titles of the skeleton where there is one.

    A part that has nothing to say is left out, except that every report says what is open and what it rests on.
    """
    names, _ = order_of(skeleton)
    parts: Sequence[tuple[str, Sequence[tuple[str, str]]]] = (
        (f"Topic and {_low(names['Bottom line'])}", (("", bottom_line(told)), (TITLE, asked(told)))),
        (
            f"Reasoning and {_low(names['Findings'])}",
            (
                (names["Table of answers"], table(told)),
                (names["Chronology"], chronology(told)),
                (names["Where the papers differ"], differences(told)),
                ("", findings(told)),
            ),
        ),
        (
            "Preliminary answer and directions",
            (("", preliminary(told, dialogue)), (names["Recommended actions"], actions(told))),
        ),
        (
            "Gaps and follow-up questions",
            (
                (names["Left open"], left_open(told)),
                (names["Not found"], missing(told)),
                ("Follow-up questions", questions(told, dialogue)),
                (names["Open points and limits"], unread(told)),
            ),
        ),
        ("Sources", (("", sources(told, dialogue)), (names["Figures and dates"], ledger(_without_quotations(told))))),
    )
    written = [header(told)]
    for number, (title, sections) in enumerate(parts, 1):
        bodies = [(sub, body) for sub, body in sections if body]
        if bodies:
            written.append(f"## {number}. {title}\n")
            written += [f"### {sub}\n\n{body}" if sub else body for sub, body in bodies]
    return "\n".join(written)


def _low(title: str) -> str:
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def ties_of(dialogue: Dialogue, told: Told) -> Ties:
    """Return lines on what each finding depends on; the key is the document and the number of the ask."""
    found: dict[tuple[str, str], list[str]] = {}
    for turn in dialogue.turns:
        key = _finding_of(turn, told)
        if key is not None and (line := tie(told, turn)):
            found.setdefault(key, []).append(line)
    return found


def _finding_of(turn: Turn, told: Told) -> tuple[str, str] | None:
    cause, number = turn.need.cause, turn.need.ask_id
    if cause is None or number not in told.answers:
        return None
    entries = [e for e in told.answers[number].entries if any(s.document == cause.document for s in e.support)]
    return (entries[0].document, number) if entries else None


def tie(told: Told, turn: Turn) -> str:
    """Return in one line what was said on something that a finding raised; for what nobody says, that it is open."""
    need, said = turn.need, turn.answer
    if said.state != "answered":
        return f"Open: {need.absent}" if need.absent else ""
    lead = _LEADS[need.origin].format(about=need.about)
    return f"{lead}: " + " ".join(f"{s.text} {cited(told, s.spans)}".rstrip() for s in said.statements)


def cited(told: Told, spans: Sequence[Span]) -> str:
    """Return the citation of the first place of some spans; empty where it is in no paper that was read."""
    for span in spans:
        reading = told.readings.get(span.document)
        units = units_at(reading, span) if reading else []
        if units:
            return told.citation(units[0])
    return ""


def preliminary(told: Told, dialogue: Dialogue) -> str:
    """Return how much of the request is answered, what stands under a reservation, and what is to be done about it."""
    states = Counter(got.state for _, got in told.asks_in(*AskState))
    counted = ", ".join(f"{states[s]} {s.value}" for s in AskState if states[s])
    total = sum(states.values())
    blocks = [f"Of {total} question{'' if total == 1 else 's'}: {counted}." if counted else "Nothing was asked."]
    held = {told.label(ask): _reservations(dialogue, ask) for ask, _ in told.asks_in(AskState.ANSWERED)}
    doubted = {told.label(p.ask) for p in told.found if not p.entry.certain}
    if firm := [label for label, reserved in held.items() if not reserved and label not in doubted]:
        blocks.append(f"As stated in the bottom line: {verbatim('; '.join(firm))}.")
    if limited := [f"- **{verbatim(label)}**: {verbatim('; '.join(r))}." for label, r in held.items() if r]:
        blocks.append("With a reservation:\n\n" + "\n".join(limited))
    if todo := list(dict.fromkeys(_directions(told, dialogue))):
        blocks.append("Next steps:\n\n" + "\n".join(f"{n}. {verbatim(step)}" for n, step in enumerate(todo, 1)))
    return "\n\n".join(blocks) + "\n"


def _reservations(dialogue: Dialogue, ask: Ask) -> list[str]:
    """Return what an answer stands under: other provisions, and what is not among the papers."""
    turns = dialogue.raised(ask.ask_id)
    under = [t.need.about for t in turns if t.need.origin is Origin.CONDITION and t.answer.state == "answered"]
    absent = [t.need.about for t in turns if t.need.absent and t.answer.state != "answered"]
    return [
        *([f"holds only within {listed(list(dict.fromkeys(under)))}"] if under else []),
        *([f"complete only with {listed(list(dict.fromkeys(absent)))}"] if absent else []),
    ]


def _directions(told: Told, dialogue: Dialogue) -> Iterator[str]:
    """Yield what is to be done: doubtful readings confirmed, what is missing brought, what is open decided."""
    for point in told.found:
        if not point.entry.certain:
            where = told.where(point) or "the law named"
            yield f"Read {where} and confirm or correct what is said on “{told.label(point.ask)}”."
    if any(t.answer.missing and t.answer.state != "answered" for t in dialogue.turns):
        yield "Bring what the follow-up questions name, and ask again."
    for ask, _ in told.asks_in(AskState.NOT_ATTEMPTED):
        yield f"Settle what is left open: “{told.label(ask)}”."


def questions(told: Told, dialogue: Dialogue) -> str:
    """Return the questions that only a person can answer, and those that were not asked for want of turns."""
    lines = [verbatim(t.answer.missing) for t in dialogue.turns if t.answer.missing and t.answer.state != "answered"]
    for ask, _ in told.asks_in(AskState.NOT_ATTEMPTED):
        if ask.kind is AskKind.JUDGMENT:
            lines.append(f"For the lawyer to decide: {verbatim(told.label(ask))}")
    lines += [f"Not asked for want of turns: {verbatim(n.question.text)}" for n in dialogue.open]
    return "".join(f"{n}. {line}\n" for n, line in enumerate(dict.fromkeys(lines), 1))


def sources(told: Told, dialogue: Dialogue) -> str:
    """Return the places that the report rests on, with what rests on each; then the law and its standing."""
    resting: dict[str, dict[str, list[str]]] = {}
    for label, span in _resting(told, dialogue):
        reading = told.readings.get(span.document)
        unit = next(iter(units_at(reading, span)), None) if reading else None
        if unit is not None:
            places = resting.setdefault(span.document, {})
            places.setdefault(told.place(unit), []).append(label)
    lines = [f"- {verbatim(told.name(d))}, file {verbatim(d)}: {_places(p)}." for d, p in resting.items()]
    laws = {x.authority: x.verification for t in dialogue.turns for x in t.answer.statements if x.authority}
    lines += [f"- {verbatim(law)}: {verbatim(standing or 'not verified')}." for law, standing in laws.items()]
    return "\n".join(lines or ["No place of the papers carries an answer."]) + "\n"


def _resting(told: Told, dialogue: Dialogue) -> Iterator[tuple[str, Span]]:
    yield from ((told.briefly(p.ask), s) for p in told.found for s in p.entry.support)
    for turn in dialogue.turns:
        if turn.need.cause is not None:
            yield from ((turn.need.about, s) for x in turn.answer.statements for s in x.spans)


def _without_quotations(told: Told) -> Told:
    """Return what was told without the answers that are whole sentences: those stand among the findings."""
    answers = [
        a.model_copy(update={"entries": tuple(e for e in a.entries if not e.answer.startswith("“"))})
        for a in told.answers.values()
    ]
    return told.with_answers(answers)


def _places(places: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{verbatim(p)} – {verbatim(', '.join(dict.fromkeys(on)))}" for p, on in places.items())
