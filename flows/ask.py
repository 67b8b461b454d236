"""Questions about a folder of documents: the folder is opened once, and every answer is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flows.runs.cells import resolve_cell
from flows.runs.home import secure
from flows.runs.models import models_of, require_callable
from flows.runs.plan import open_harness
from flows.runs.sessions import SessionStore, continued
from flows.settings import Settings
from tasks.asks.records import Asks
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.interrogator.papers import OpenPapers
from tasks.drafting.interrogator.records import Exchange, InterrogationSession, Turn
from tasks.drafting.records import DraftJob
from tasks.drafting.runtimes.interrogator import asker_of, interview_of
from tasks.harness import parsed
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Matter
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.retrieval.knowledge import gather
from tasks.retrieval.stage import build_index
from tasks.sources.stage import inventory
from tasks.sources.texts import load_texts
from tasks.toolbox import ToolRegistry

LONGEST = 20_000
"""Characters of a question."""
_WORD = {".docx": "a Word file", ".md": "Markdown", ".pdf": "a PDF", ".txt": "plain text"}


@dataclass
class Asking:
    """A folder that is open for questions, and the session that keeps them.

    Attributes:
        models: Account of the models, where one is asked.
        keeps: Whether the session is kept.
        written: Reports that were written in this process.
        heard: Told of every turn as it ends.
    """

    papers: OpenPapers
    store: SessionStore
    session: InterrogationSession
    models: ModelAccess
    keeps: bool = True
    heard: Callable[[Turn], None] = lambda turn: None  # noqa: ARG005  (the form of a listener)
    written: set[Path] = field(default_factory=set)

    def ask(self, question: str) -> tuple[Exchange, Told]:
        """Answer a question and keep the answer.

        Raises:
            SolonError: The question is empty or too long (``input``).
        """
        words = question.strip()
        if not words or len(words) > LONGEST:
            message = f"has {len(words):,} characters; at most {LONGEST:,} are read" if words else "is empty"
            raise _misuse("the question", message, "ask in a sentence or two; a long brief belongs in `solon matter`")
        session, log = self.session, Transcript()
        number = len(session.exchanges) + 1
        exchange, told = self.papers.ask(words, number, log, session.client, session.law, self.heard, session.exchanges)
        profile = self.papers.job.cell.profile or ""
        exchange = exchange.model_copy(update={"asked_utc": datetime.now(UTC), "profile": profile})
        log.say("; ".join(f"{a.ask_id}: {a.state.value}" for a in exchange.answers))
        self.session = continued(session, exchange, session.client, session.law)
        if self.keeps:
            self.session = self.store.keep(self.session, [json.dumps(r, ensure_ascii=False) for r in log.rows])
        return exchange, told

    def tell(self, about: str, words: str) -> None:
        """Note for whom the work is done (``client``) or which law governs (``law``)."""
        self.session = self.session.model_copy(update={about: " ".join(words.split())})
        if self.keeps:
            self.session = self.store.keep(self.session, [])

    def report(self, target: Path) -> None:
        """Write the report on all questions of the session, in the format of the file name.

        Raises:
            SolonError: Nothing was asked, or no such file can be written (``input``).
        """
        if target.suffix.lower() not in _WORD:
            known = ", ".join(f"{s} ({name})" for s, name in _WORD.items())
            raise _misuse(str(target), "is no report", f"name a file that ends in {known}")
        room = self.store.folder
        if target.exists() and target.resolve() not in self.written:
            raise _misuse(str(target), "exists already and is not a report of this session", "name another file")
        if target.resolve().is_relative_to(room):
            raise _misuse(str(target), "lies in the folder that is asked about", "name a file outside it")
        exchanges = [e for e in self.session.exchanges if e.answers]
        if not exchanges:
            raise _misuse(str(target), "there is nothing to report: no question was asked", "ask one first")
        told, interview = self.papers.together(exchanges)
        from tasks.release.build.deliverable import build_deliverable

        target.parent.mkdir(parents=True, exist_ok=True)
        build_deliverable(interview.write(told, None), None, target)
        self.written.add(target.resolve())

    def sources(self) -> list[dict[str, Any]]:
        """Return every passage that the answers of the session rest on, once, in the order of the papers."""
        from tasks.drafting.interrogator.printing import place_of

        told, _ = self.papers.together(self.session.exchanges)
        spans = {s for e in self.session.exchanges for a in e.answers for x in a.entries for s in x.support}
        ordered = sorted(spans, key=lambda s: (s.document, s.start))
        return [place for span in ordered if (place := place_of(told, span)) is not None]


def open_asking(
    matter: Matter, folder: Path, settings: Settings, *, name: str = "", profile: str = "", keeps: bool = True
) -> Asking:
    """Read a folder, or a task's documents, and open it for questions.

    Args:
        matter: The documents; its brief is not asked.
        folder: The folder as the user names it; sessions are kept by it.
        settings: What is in force.
        name: Of the session; a new one is called by its time when empty.
        profile: Model profile; without one the sources' own words answer.
        keeps: Whether the session is kept.

    Raises:
        SolonError: There is no such profile, its key is missing, or the session cannot be read.
    """
    secure(settings)
    store = SessionStore(settings.home, folder)
    session = store.open(name)
    cell = resolve_cell(f"interrogator:{profile}" if profile else "interrogator", settings)
    require_callable(models_of([cell], settings))
    harness = parsed(open_harness(settings))
    state = inventory(matter, settings.cache, harness.knowledge)
    texts = load_texts(matter, settings.cache)
    if not texts:
        said = "; ".join(f.line() for c in state.coverage for f in c.failures) or "no document has text"
        raise _misuse(str(folder), f"nothing in it could be read: {said}", "see `solon tool summarize_docs`")
    ledger = Ledger(matter.matter_id, cell.limits.max_tokens, cell.limits.max_usd)
    models = ModelAccess(
        ledger=ledger, cache=settings.cache / "models", mode=settings.model_cache, given=settings.models_file
    )
    index = build_index(matter, texts, settings.cache, knowledge=harness.knowledge, models=models)
    pack = gather(matter, state, harness)
    place = store.place(session.name)
    toolbox = ToolRegistry.for_matter(
        matter, state=state, texts=texts, index=index, pack=pack, workspace=place, cache=settings.cache, harness=harness
    )
    job = DraftJob(
        matter, state, texts, index, pack, cell, toolbox, place, harness, Asks(brief="", asks=()), models=models
    )
    now = {d.name: d.sha256 for d in matter.documents}
    _unchanged(session, now)
    papers = OpenPapers(job, lambda log: interview_of(job, asker_of(job, log)))
    return Asking(papers, store, session.model_copy(update={"documents": now}), models, keeps)


def _unchanged(session: InterrogationSession, now: dict[str, str]) -> None:
    """Refuse to continue a session about other papers: its answers cite the old ones."""
    other = sorted(n for n in {*now, *session.documents} if now.get(n) != session.documents.get(n))
    if session.exchanges and other:
        message = f"was held on other papers: {', '.join(other[:3])} changed since"
        raise _misuse(session.name, message, "start another with --session NAME")


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="ask", subject=subject, message=message, remedy=remedy))
