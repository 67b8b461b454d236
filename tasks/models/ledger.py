"""The ledger of what model calls of every kind have spent, and the end of the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.profile import Kind


class Entry(Record):
    """One call on the account.

    Attributes:
        profile: The profile that answered.
        key: Content key of the request.
        replayed: The reply was a recorded one: its tokens were not asked for anew.
    """

    kind: Kind
    profile: str
    key: str = ""
    replayed: bool = False
    usage: Usage


@dataclass
class Ledger:
    """Adds up the usage of chat, embedding and rerank calls; refuses the next call when a limit is reached.

    Attributes:
        subject: What the account is for, e.g. a matter.
        max_tokens: All tokens of all kinds, in and out; None for no limit.
        max_usd: US dollars; None for no limit.
        file: JSON lines that the entries are added to, so that the stages of an attempt share one account whatever
            process each runs in, and an attempt that fails leaves its account behind. None keeps them in memory.
        used: What all replies used, with the tokens of replayed ones; the cost is what was spent.
        tokens: Tokens of all kinds that were asked for anew.
    """

    subject: str
    max_tokens: int | None = None
    max_usd: float | None = None
    file: Path | None = None
    used: Usage = field(default_factory=Usage, init=False)
    tokens: int = field(default=0, init=False)
    _keys: set[str] = field(default_factory=set, init=False)
    _calls: Counter[str] = field(default_factory=Counter, init=False)

    def __post_init__(self) -> None:
        """Go on with the account that is there."""
        for entry in _read(self.file):
            self._add(entry)

    def holds(self, key: str) -> bool:
        """Whether the call of a key is on the account, so that its replay costs nothing more."""
        return key in self._keys

    def charge(self, kind: Kind, profile: str, usage: Usage, key: str = "", replayed: bool = False) -> None:
        """Add the usage of a reply; ``profile`` is the name of the one that answered."""
        entry = Entry(kind=kind, profile=profile, key=key, replayed=replayed, usage=usage)
        self._add(entry)
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as stream:
                stream.write(entry.model_dump_json() + "\n")

    def _add(self, entry: Entry) -> None:
        self.used = self.used + entry.usage
        self.tokens += 0 if entry.replayed else entry.usage.tokens
        self._keys.add(entry.key)
        self._calls[entry.kind] += entry.usage.calls

    def check(self) -> None:
        """Refuse a further call once a limit is reached.

        Raises:
            SolonError: With cause ``budget``.
        """
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise self._over(f"{self.tokens} of {self.max_tokens} tokens are spent")
        if self.max_usd is not None and self.used.cost_usd >= self.max_usd:
            raise self._over(f"${self.used.cost_usd:.4f} of ${self.max_usd:.2f} are spent")

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


def _read(file: Path | None) -> Iterator[Entry]:
    """Yield the entries of an account; a last line that a killed process left torn is passed over."""
    if file is None:
        return
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield Entry.model_validate_json(line)
        except ValidationError:
            continue
