"""``solon judge``: score, or re-score, the ended attempts of a run."""

from __future__ import annotations

import argparse

from flows.cli.common import (
    DONE,
    FAILED,
    Subparsers,
    command,
    say,
    say_json,
    say_problems,
    settable,
    settings_of,
)


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon judge first --profile model:strict"
    parser = command(
        subparsers, "judge", "score the ended attempts of a run again, without touching them", example, run
    )
    parser.add_argument("run_id", metavar="RUN", help="id of the run")
    parser.add_argument(
        "--profile", required=True, metavar="P", help="judge: a name of [judges.X], anchor, model:<profile> …"
    )
    settable(parser, "home", "runs", "warehouse", "compute", "workers")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.judge import judge_run

    result = judge_run(args.run_id, args.profile, settings_of(args))
    say_problems(result.problems)
    for note in result.notes:
        say(note)
    if args.json:
        say_json(result)
    else:
        scored = result.criteria - result.unscored
        passed = f"{result.passed} of {scored} criteria passed" if scored else "not scored"
        version = f" (version {result.profile_version})" if result.profile_version else ""
        print(f"{result.attempts} attempts judged by {result.profile}{version}: {passed},")
        print(f"{result.unscored} unscored, {result.cost_usd:.2f} USD; `solon report {result.run_id}` shows them")
    return DONE if result.landed and not result.problems else FAILED
