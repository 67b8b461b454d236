"""Rows of the warehouse about the sessions of ``solon ask``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flows.runs.sessions import read_session
from tasks.asks.records import AskAnswer
from tasks.drafting.interrogator.records import Exchange, InterrogationSession
from warehouse.session_records import SessionAskRow


def session_rows(path: Path) -> Iterator[list[SessionAskRow]]:
    """Yield the rows of each question of a kept session; a question that was answered never changes.

    Raises:
        SolonError: The session cannot be read.
    """
    session = read_session(path)
    for exchange in session.exchanges:
        if exchange.answers:
            yield [_row(path.parent.parent.name, session, exchange, answer) for answer in exchange.answers]


def _row(room: str, session: InterrogationSession, exchange: Exchange, answer: AskAnswer) -> SessionAskRow:
    asked = next(ask for ask in exchange.asks.asks if ask.ask_id == answer.ask_id)
    return SessionAskRow(
        room=room,
        session=session.name,
        number=exchange.number,
        ask_id=answer.ask_id,
        asked_utc=exchange.asked_utc,
        profile=exchange.profile,
        question=exchange.question,
        kind=asked.kind,
        state=answer.state.value,
        words=asked.subject or asked.words,
        answer=answer.answer or "; ".join(entry.answer for entry in answer.entries if entry.answer),
        documents=len(session.documents),
        passages=len({span for entry in answer.entries for span in entry.support}),
        to_verify=sum(not entry.certain for entry in answer.entries),
        turns=sum(turn.need.ask_id == answer.ask_id for turn in exchange.dialogue.turns),
        missing=len(exchange.missing),
    )
