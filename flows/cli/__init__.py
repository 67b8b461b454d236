"""The ``solon`` command. Exit codes: 0 done, 1 failed, 2 misuse."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

_COMMANDS = (
    "doctor",
    "run",
    "matter",
    "ask",
    "judge",
    "import",
    "export",
    "learn",
    "land",
    "report",
    "sql",
    "knowledge",
    "skills",
    "tool",
    "bench",
    "study",
    "serve",
    "mcp",
    "models",
    "config",
)
_FOR_THE_USER = ("tool", "mcp", "skills", "export")  # they write where the user says, under the user's own umask


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; returns its exit code."""
    from tasks.matter.collecting import collect_seldom

    collect_seldom()
    from flows.compute.protocol import QUIET
    from flows.prefect.ending import ended_by_signals, leave_soon, open_standard_streams
    from tasks.matter.secrets import redacted_stderr

    os.environ.update(QUIET)  # before any library reads it
    open_standard_streams()
    args = build_parser().parse_args(argv)
    if args.run.__module__.rpartition(".")[2] not in _FOR_THE_USER:
        os.umask(0o077)  # what lies below home is for its user alone, and so is what a server or worker of ours writes
    with ended_by_signals(), redacted_stderr():
        code = _run(args)
    if argv is None:  # this process has nothing else to do
        leave_soon(code)
    return code


def _run(args: argparse.Namespace) -> int:
    from flows.cli.common import settings_of
    from flows.runs.progress import write_status
    from tasks.matter.failures import FailureCause, SolonError
    from warehouse.disk import REMEDY, full_place, is_full

    try:
        code = int(args.run(args))
        if sys.stdout:
            sys.stdout.flush()  # here, where a reader that has gone is no error
        return code
    except SolonError as exc:
        write_status(f"solon: {exc}")
        return 2 if exc.failure.cause is FailureCause.INPUT else 1
    except KeyboardInterrupt:
        write_status("solon: interrupted" + "; start it again with the same --run-id to continue" * _resumable(args))
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader of our output has gone (`| head`)
        return 1
    except OSError as exc:
        goes_on = "; start it again with the same --run-id to continue" * _resumable(args)
        if is_full(exc):
            write_status(f"solon: {full_place(exc, settings_of(args).home)} [capacity] Remedy: {REMEDY}{goes_on}")
            return 1
        if exc.filename is None:
            raise  # of no file: not the user's disk, but a defect of ours
        write_status(f"solon: {exc.filename}: {exc.strerror} [input] Remedy: repair it, or name another place{goes_on}")
        return 1
    except MemoryError:
        goes_on = "; start it again with the same --run-id to continue" * _resumable(args)
        write_status(f"solon: out of memory [capacity] Remedy: free some, or raise the limit (`ulimit -v`){goes_on}")
        return 1


def _resumable(args: argparse.Namespace) -> bool:
    return bool(getattr(args, "run_id", None)) or args.run.__module__.endswith(".run")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser with every sub-command; what the commands do is not imported yet."""
    parser = argparse.ArgumentParser(
        prog="solon",
        description="An auditable legal-agent pipeline: source-grounded drafts, release gates, scores in SQL.",
        epilog="example:\n  solon run examples --cell extractive",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in _COMMANDS:
        import_module(f"flows.cli.{name}").register(subparsers)
    return parser


if __name__ == "__main__":
    sys.exit(main())
