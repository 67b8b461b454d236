"""Sessions of questions, kept below the home: one folder each, written whole after every turn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.runs.attempts import write_json
from tasks.drafting.interrogator.records import Exchange, InterrogationSession
from tasks.matter.failures import Failure, FailureCause, SolonError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FILE, _TRACE = "session.json", "transcript.jsonl"


class SessionStore:
    """The sessions about one folder of documents."""

    def __init__(self, home: Path, folder: Path) -> None:
        """Take the home of Solon and the folder that is asked about."""
        self.folder = folder.resolve()
        known = hashlib.sha256(str(self.folder).encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self.root = home / "sessions" / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', self.folder.name)[:40]}-{known}"

    def open(self, name: str) -> InterrogationSession:
        """Return the session of a name, or a new one; without a name it is named after the time.

        Raises:
            SolonError: The name cannot be that of a folder, or what is kept of it cannot be read (``input``).
        """
        name = name or datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        if not _NAME.fullmatch(name):
            raise _misuse(name, "cannot be the name of a session", "use letters, digits and . _ -, at most 64")
        path = self.place(name) / _FILE
        return read_session(path) if path.is_file() else InterrogationSession(name=name, folder=str(self.folder))

    def place(self, name: str) -> Path:
        """Return the folder of a session."""
        return self.root / name

    def keep(self, session: InterrogationSession, rows: Sequence[str]) -> InterrogationSession:
        """Write a session with the rows that its last turn added to the trace; return it as it was written.

        The trace goes first, and its rows are counted in the session: those of a turn that never came to its end are
        cut off by the next one.
        """
        place = self.place(session.name)
        place.mkdir(parents=True, exist_ok=True)
        trace = place / _TRACE
        kept = trace.read_text(encoding="utf-8").splitlines()[: session.rows] if trace.is_file() else []
        part = trace.with_name(f".{_TRACE}.part")
        part.write_text("".join(f"{row}\n" for row in (*kept, *rows)), encoding="utf-8", errors="backslashreplace")
        part.replace(trace)
        done = session.model_copy(update={"rows": len(kept) + len(rows)})
        write_json(place / _FILE, done)
        return done

    def listed(self) -> list[dict[str, Any]]:
        """Return the sessions about the folder, by name: how many questions each has, and the last of them."""
        found = []
        for path in sorted(self.root.glob(f"*/{_FILE}")):
            session = self.open(path.parent.name)
            last = session.exchanges[-1].question if session.exchanges else ""
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
            found.append({"session": session.name, "questions": len(session.exchanges), "last": last, "at": changed})
        return found


def read_session(path: Path) -> InterrogationSession:
    """Return a session as it is kept in a file.

    Raises:
        SolonError: It cannot be read (``input``).
    """
    try:
        return InterrogationSession.model_validate_json(path.read_bytes())
    except ValidationError as error:
        message = f"the session kept at {path} cannot be read: {error.errors()[0]['msg']}"
        raise _misuse(path.parent.name, message, "start another with --session, or move that file away") from None


def continued(session: InterrogationSession, exchange: Exchange, client: str, law: str) -> InterrogationSession:
    """Return a session with one more exchange."""
    more = {"exchanges": (*session.exchanges, exchange), "client": client, "law": law}
    return session.model_copy(update=more)


def _misuse(name: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="session", subject=name, message=message, remedy=remedy))
