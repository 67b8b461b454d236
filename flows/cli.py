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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns its exit code."""
    from flows.commands.common import settings_of
    from flows.support.compute import QUIET
    from tasks.matter.failures import FailureCause, SolonError
    from warehouse.disk import REMEDY, full_place, is_full

    os.environ.update(QUIET)  # before any library reads it
    signal.signal(signal.SIGTERM, _interrupt)
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        return int(args.run(args))
    except SolonError as exc:
        print(f"solon: {exc}", file=sys.stderr)
        return 2 if exc.failure.cause is FailureCause.INPUT else 1
    except KeyboardInterrupt:
        print("solon: interrupted" + "; the same --run-id goes on from here" * _resumable(args), file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader of our output has gone (`| head`)
        return 1
    except OSError as exc:
        if not is_full(exc):
            raise
        goes_on = "; the same --run-id goes on from here" * _resumable(args)
        print(f"solon: {full_place(exc, settings_of(args).home)} [capacity] Remedy: {REMEDY}{goes_on}", file=sys.stderr)
        return 1


def _resumable(args: argparse.Namespace) -> bool:
    return getattr(args, "run_id", None) is not None or args.run.__module__.endswith(".run")


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
