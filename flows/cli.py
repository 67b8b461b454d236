"""The ``solon`` command. Exit codes: 0 done, 1 failed, 2 misuse."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

_COMMANDS = (
    "doctor",
    "run",
    "matter",
    "judge",
    "learn",
    "land",
    "report",
    "sql",
    "knowledge",
    "tool",
    "bench",
    "serve",
    "mcp",
    "config",
)
_FOR_THE_USER = ("tool", "mcp")  # they write deliverables where the user says, under the user's own umask


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns its exit code."""
    from flows.support.compute import QUIET
    from tasks.matter.failures import FailureCause, SolonError
    from tasks.matter.secrets import redacted_stderr

    os.environ.update(QUIET)  # before any library reads it
    signal.signal(signal.SIGTERM, _interrupt)
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.run.__module__.rpartition(".")[2] not in _FOR_THE_USER:
        os.umask(0o077)  # what lies below home is for its user alone, and so is what a server or worker of ours writes
    try:
        with redacted_stderr():
            return int(args.run(args))
    except SolonError as exc:
        print(f"solon: {exc}", file=sys.stderr)
        return 2 if exc.failure.cause is FailureCause.INPUT else 1
    except KeyboardInterrupt:
        resumable = getattr(args, "run_id", None) is not None or args.run.__module__.endswith(".run")
        print("solon: interrupted" + "; the same --run-id goes on from here" * resumable, file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader of our output has gone (`| head`)
        return 1


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Let a termination end like Ctrl-C: workers and server are stopped, what ended stays."""
    raise KeyboardInterrupt


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every sub-command; none of their work is imported yet."""
    parser = argparse.ArgumentParser(
        prog="solon",
        description="An auditable legal-agent pipeline: source-grounded drafts, release gates, scores in SQL.",
        epilog="example:\n  solon run examples --cell extractive",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in _COMMANDS:
        import_module(f"flows.commands.{name}").register(subparsers)
    return parser


if __name__ == "__main__":
    sys.exit(main())
