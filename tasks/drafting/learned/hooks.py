"""Where learned mechanisms act: before the text of a deliverable is made into its file, whatever runtime wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from skills_repo.learned import Learned
from tasks.drafting.learned.calling import FindSandbox, call
from tasks.drafting.mechanisms.records import Firing, Moment
from tasks.drafting.records import Toolbox
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import FailureCause, SolonError

BUILD: Final = "build_deliverable"
MOST_FINDINGS: Final = 20  # of one hook: a model answers no more, and a hook that finds more is wrong
_LONGEST: Final = 300  # characters of a finding


@dataclass
class Hooked:
    """A toolbox whose deliverables pass through the learned mechanisms. Implements ``Toolbox``.

    A mechanism is given the text and returns another (``text``), or sentences for whoever wrote it (``findings``). One
    that fails changes nothing, and that it failed is recorded; without a sandbox nothing is built.

    Attributes:
        firings: What the mechanisms did, in order.
    """

    toolbox: Toolbox
    mechanisms: Sequence[Learned]
    find: FindSandbox = find_sandbox
    firings: list[Firing] = field(default_factory=list)

    def names(self) -> Sequence[str]:
        """Return the names of the tools, sorted."""
        return self.toolbox.names()

    def schema(self, name: str) -> dict[str, Any]:
        """Return the JSON schema of a tool's arguments."""
        return self.toolbox.schema(name)

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool; of a deliverable, the text goes through the mechanisms first.

        Raises:
            SolonError: As the tool; or there is no sandbox for the mechanisms (``sandbox``).
        """
        text = arguments.get("markdown")
        if name != BUILD or not isinstance(text, str) or not text:
            return self.toolbox.call(name, arguments)
        file, findings = PurePath(str(arguments.get("path", ""))).name, list[str]()
        for mechanism in self.mechanisms:
            text = self._through(mechanism, text, file, findings)
        result = self.toolbox.call(name, {**arguments, "markdown": text})
        return {**result, "findings": findings} if findings else result

    def _through(self, mechanism: Learned, text: str, file: str, findings: list[str]) -> str:
        try:
            said = call(mechanism, text, self.find)
        except SolonError as error:
            if error.failure.cause is FailureCause.SANDBOX:
                raise
            self._fired(mechanism, f"{file}: {error.failure.message}; the text was left as it was", ())
            return text
        told = said.get("findings")
        found = [" ".join(f.split())[:_LONGEST] for f in told if isinstance(f, str)] if isinstance(told, list) else []
        new = said.get("text")
        changed = isinstance(new, str) and bool(new.strip()) and new != text
        findings += found[: MOST_FINDINGS - len(findings)]
        if changed or found:
            note = f"{file}: {len(text)} characters, {len(str(new))} after it" if changed else f"{file}: left as it was"
            self._fired(mechanism, f"{note}; {len(found)} findings", (file,) if changed else ())
        return str(new) if changed else text

    def _fired(self, mechanism: Learned, note: str, files: tuple[str, ...]) -> None:
        firing = Firing(mechanism=mechanism.called, moment=Moment.BUILD, note=note[:500], files=files)
        self.firings.append(firing)


def hooked(toolbox: Toolbox, learned: Sequence[Learned]) -> Hooked | None:
    """Return the toolbox behind the learned mechanisms; None where the harness has none."""
    mechanisms = [one for one in learned if one.moment == Moment.BUILD]
    return Hooked(toolbox, mechanisms) if mechanisms else None
