"""Which question comes next: the asks of the client, then what is weakest, then what the answers raised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tasks.asks.records import Ask, AskAnswer
from tasks.drafting.interrogator.desk import LEFT_TO_A_LAWYER, is_weak
from tasks.drafting.interrogator.records import Dialogue, Need, Origin
from tasks.retrieval.research.records import Question

_ORDER = {origin: n for n, origin in enumerate(Origin)}
_WHY = {
    Origin.ASK: "the client asks it",
    Origin.DOUBT: "what was found does not answer it surely",
    Origin.USE: "a definition has no effect by itself, but by the clause that uses its term",
    Origin.CONDITION: "the answer holds only as far as this provision lets it",
    Origin.ATTACHMENT: "the clause rests on what this attachment says",
    Origin.START: "a period without its beginning gives no date",
    Origin.REFERENCE: "the clause refers to it",
    Origin.TERM: "the answer is as wide as this term is defined",
    Origin.MODEL: "the model expects it to improve the report",
}


def opened(asks: Sequence[Ask], client: str, law: str) -> tuple[Need, ...]:
    """Return the questions that a request begins with: its asks."""
    return tuple(Need(ask_id=a.ask_id, origin=Origin.ASK, question=_question(a, client, law)) for a in asks)


def _question(ask: Ask, client: str, law: str) -> Question:
    return Question(text=ask.subject, kind=ask.kind.value, documents=ask.documents, client=client, law=law)


def doubted(ask: Ask, got: AskAnswer, question: Question, asks: Callable[[str], bool]) -> list[Need]:
    """Return the question that looks for an ask once more, where what was found is weak.

    An order to write something is answered by no sentence, whatever words it shares with one.

    Args:
        ask: The ask.
        got: What is claimed of it.
        question: The question as it was put.
        asks: Tells whether words are a question.
    """
    weak = ask.kind in LEFT_TO_A_LAWYER or (asks(ask.words) and any(is_weak(e) for e in got.entries))
    return [Need(ask_id=ask.ask_id, origin=Origin.DOUBT, question=question)] if weak else []


def next_need(state: Dialogue) -> Need | None:
    """Return the question that would improve the report most; None where none is left.

    Every ask gets its first follow-up before any gets its second.
    """
    asked = Counter(t.need.ask_id for t in state.turns if t.need.origin not in (Origin.ASK, Origin.DOUBT))

    def rank(need: Need) -> tuple[int, int, int]:
        follows = need.origin not in (Origin.ASK, Origin.DOUBT)
        return (2 if follows else _ORDER[need.origin], asked[need.ask_id] if follows else 0, _ORDER[need.origin])

    return min(state.open, key=rank, default=None)


def reason(need: Need) -> str:
    """Return why a question is asked."""
    return _WHY[need.origin]


def kept_open(state: Dialogue, new: Iterable[Need], most: int) -> tuple[Need, ...]:
    """Return what is still to be asked with new questions added: none twice, few on one answer out of one document."""
    known = {t.need.key for t in state.turns} | {n.key for n in state.open}
    places = Counter(_place(n) for n in (*(t.need for t in state.turns), *state.open) if n.cause is not None)
    taken = list(state.open)
    for need in new:
        if need.key in known or (need.cause is not None and places[_place(need)] >= most):
            continue
        known.add(need.key)
        places[_place(need)] += 1
        taken.append(need)
    return tuple(taken)


def _place(need: Need) -> tuple[str, str]:
    return need.ask_id, need.cause.document if need.cause else ""
