"""The ledger of what model calls of every kind have spent, with the limit of the budget."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.lines import add_line, read_lines
from tasks.models.profile import Kind


class LedgerEntry(Record):
    """One call on the account.

    Attributes:
        profile: The profile that answered.
        role: On whose behalf: solver, judge, chooser, …
        key: Content key of the request.
        replayed: The reply was a recorded one: its tokens were not requested again.
        charged_utc: When it was charged; None where the account is in no file, and in one of an earlier version.
    """

    kind: Kind
    profile: str
    role: str = "solver"
    key: str = ""
    replayed: bool = False
    usage: Usage
    charged_utc: AwareDatetime | None = None


@dataclass
class Ledger:
    """Adds up the usage of chat, embedding and rerank calls; refuses the next call when a limit is reached.

    Attributes:
        subject: What the account is for, e.g. a matter.
        max_tokens: All tokens of all kinds, in and out; None for no limit.
        max_usd: US dollars; None for no limit.
        file: JSON lines that the entries are added to, so that the stages of an attempt share one account whatever
            process each runs in, and an attempt that fails leaves its account behind. None keeps them in memory.
    """

    subject: str
    max_tokens: int | None = None
    max_usd: float | None = None
    file: Path | None = None
    _used: Usage = field(default_factory=Usage, init=False)
    _tokens: int = field(default=0, init=False)
    _keys: set[str] = field(default_factory=set, init=False)
    _roles: dict[str, Usage] = field(default_factory=dict, init=False)
    _calls: Counter[str] = field(default_factory=Counter, init=False)
    _read_to: int = field(default=0, init=False)

    @property
    def used(self) -> Usage:
        """What all replies used, with the tokens of replayed ones; the cost is what was spent."""
        self._catch_up()
        return self._used

    @property
    def by_role(self) -> dict[str, Usage]:
        """The same by the role that asked; the roles add up to ``used``."""
        self._catch_up()
        return dict(self._roles)

    @property
    def tokens(self) -> int:
        """Tokens of all kinds that were actually requested."""
        self._catch_up()
        return self._tokens

    def holds(self, key: str) -> bool:
        """Whether the call with this key is already on the account, so that its replay costs nothing."""
        self._catch_up()
        return key in self._keys

    def charge(
        self, kind: Kind, profile: str, usage: Usage, key: str = "", replayed: bool = False, role: str = "solver"
    ) -> None:
        """Add the usage of a reply; ``profile`` is the name of the one that answered."""
        entry = LedgerEntry(kind=kind, profile=profile, role=role, key=key, replayed=replayed, usage=usage)
        if self.file is None:
            self._add(entry)
            return
        add_line(self.file, entry.model_copy(update={"charged_utc": datetime.now(UTC)}))

    def _add(self, entry: LedgerEntry) -> None:
        self._used = self._used + entry.usage
        self._roles[entry.role] = self._roles.get(entry.role, Usage()) + entry.usage
        self._tokens += 0 if entry.replayed else entry.usage.tokens
        self._keys.add(entry.key)
        self._calls[entry.kind] += entry.usage.calls

    def _catch_up(self) -> None:
        """Read what this process or another has added to the file since the last reading."""
        if self.file is None or not self.file.is_file():
            return
        with self.file.open("rb") as stream:
            stream.seek(self._read_to)
            added = stream.read()
        whole = added[: added.rfind(b"\n") + 1]
        self._read_to += len(whole)
        for entry in read_lines(whole, LedgerEntry):
            self._add(entry)

    def check(self) -> None:
        """Refuse a further call once a limit is reached.

        Raises:
            SolonError: With cause ``budget``.
        """
        tokens, usd = self.tokens, self.used.cost_usd
        if self.max_tokens is not None and tokens >= self.max_tokens:
            raise self._over(f"{tokens} of {self.max_tokens} tokens are spent")
        if self.max_usd is not None and usd >= self.max_usd:
            raise self._over(f"${usd:.4f} of ${self.max_usd:.2f} are spent")

    def _over(self, what: str) -> SolonError:
        by_kind = ", ".join(f"{n} {kind}" for kind, n in sorted(self._calls.items()))
        return SolonError(
            Failure(
                cause=FailureCause.BUDGET,
                stage="models",
                subject=self.subject,
                message=f"The budget of model calls is used up: {what} (calls: {by_kind or 'none'}).",
                remedy="Raise max_tokens or max_usd in the limits of the cell.",
            )
        )
