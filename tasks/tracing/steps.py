"""The calls of a trace, whole, as measures and defects look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tasks.drafting.mechanisms.records import Step
from tasks.sources.records import Span
from tasks.tracing import values
from tasks.tracing.buckets import plain_name, shell_command
from tasks.tracing.names import trace_names
from tasks.tracing.records import Bucket
from tasks.tracing.shell import command_bucket, redirects_into_a_file, simple_commands

MAX_SPANS = 10_000  # of one call


@dataclass(frozen=True)
class TracedStep(Step):
    """One call of the trace, whole.

    Attributes:
        internal: A look-up of the runtime itself.
        served: Stretches of documents that the runtime says it showed.
    """

    bucket: Bucket = "other"
    internal: bool = False
    served: tuple[Span, ...] = ()

    @cached_property
    def name(self) -> str:
        """Plain name of the tool."""
        return plain_name(self.tool)

    @cached_property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        """The simple commands that a shell ran for it, verbs first."""
        line = shell_command(self.tool, self.arguments)
        return tuple(tuple(words) for words in simple_commands(line)) if line else ()

    @property
    def looks_only(self) -> bool:
        """Whether it looked for files, or at their names and sizes, and opened none."""
        names = trace_names()
        if self.commands:
            return all(words[0] in names.verbs.listing for words in self.commands)
        return self.name in names.tools.listing

    @property
    def drafts(self) -> bool:
        """Whether it wrote, and not only made room for a draft."""
        if self.bucket != "write" or self.failed:
            return False
        arranging = trace_names().verbs.arranging
        if not self.commands or redirects_into_a_file(shell_command(self.tool, self.arguments)):
            return True
        return any(words[0] not in arranging and command_bucket(words) == "write" for words in self.commands)

    def calls_of(self, tools: frozenset[str]) -> Iterator[str]:
        """Yield the tools of the toolbox, of those named, that it called: by name, or as ``solon tool NAME``."""
        if self.name in tools:
            yield self.name
        for words in self.commands:
            name = plain_name(words[words.index("tool") + 1]) if "tool" in words[:-1] and "solon" in words[0] else ""
            if name in tools:
                yield name


def spans_told(told: Any) -> tuple[Span, ...]:
    """Return the stretches that a trace says were shown, each ``[document, start, end]``; others are passed over."""
    found = []
    for entry in map(values.items, values.items(told)[:MAX_SPANS]):
        document, start, end = (*entry, None, None, None)[:3]
        begin, stop = values.count(start), values.count(end)
        if isinstance(document, str) and begin < stop:
            found.append(Span(document=values.bounded_text(document, 1_000), start=begin, end=stop))
    return tuple(found)
