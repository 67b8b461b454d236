"""``solon learn``: steps of the self-evolving loop."""

from __future__ import annotations

import argparse
from pathlib import Path

from flows.cli.common import DONE, Subparsers, command, say, say_json, settable, settings_of


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon learn examples --steps 1 --minibatch 4 --cell extractive"
    parser = command(subparsers, "learn", "improve the harness from its own scored failures", example, run)
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="folder of task directories")
    parser.add_argument("--steps", type=int, default=1, metavar="N", help="steps to take (default 1)")
    parser.add_argument("--cell", default="extractive", metavar="C", help="cell that solves (default extractive)")
    parser.add_argument("--minibatch", type=int, default=4, metavar="N", help="matters per step (default 4)")
    parser.add_argument(
        "--holdout",
        type=float,
        default=0.25,
        metavar="SHARE",
        help="share of matters never learned from (default 0.25)",
    )
    parser.add_argument(
        "--surface",
        action="append",
        choices=["skills", "knowledge", "agents", "tools"],
        help="what edits may change, in this order (default: skills, then knowledge; repeatable)",
    )
    parser.add_argument(
        "--confirm",
        type=float,
        metavar="SHARE",
        help="share of matters that candidates are compared on and no proposer sees (default 0.4 with "
        "paired_sequential, else 0)",
    )
    parser.add_argument(
        "--trials", type=int, metavar="N", help="attempts of a matter (default 3 with a model; 1 without one)"
    )
    parser.add_argument(
        "--candidates", type=int, default=10, metavar="N", help="comparisons planned for the run (default 10)"
    )
    parser.add_argument(
        "--best-of", type=int, default=3, metavar="N", help="held-out attempts that best-of-k chooses among (default 3)"
    )
    parser.add_argument(
        "--giant-tokens", type=int, default=1_000_000, metavar="N", help="from here on a matter is reported apart"
    )
    parser.add_argument("--max-edits", type=int, default=1, metavar="N", help="edits per step (default 1)")
    parser.add_argument(
        "--together",
        type=int,
        default=0,
        metavar="N",
        help="compare up to N edits of a step as one, then take each back (with a policy that draws pairs)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of split and minibatches (default 0)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N matters")
    parser.add_argument(
        "--learn-id",
        metavar="ID",
        help="name of the learning run; an existing one goes on, under the same cell, judge, policy and sizes",
    )
    settable(parser, "proposer", "proposer_model", "proposer_agent", "proposer_usd", "catalogue", "policy", "judge")
    settable(parser, "home", "runs", "warehouse", "harness", "compute", "workers")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.learn import learn_corpus

    result = learn_corpus(
        args.corpus,
        settings_of(args),
        cell=args.cell,
        steps=args.steps,
        minibatch=args.minibatch,
        holdout=args.holdout,
        max_edits=args.max_edits,
        seed=args.seed,
        limit=args.limit,
        learn_id=args.learn_id,
        surfaces=tuple(args.surface or ("skills", "knowledge")),
        confirm=args.confirm,
        trials=args.trials,
        candidates=args.candidates,
        best_of=args.best_of,
        giant_tokens=args.giant_tokens,
        together=args.together,
    )
    if args.json:
        say_json(result)
        return DONE
    for step in result.steps:
        print(step)
    print(f"harness now  {result.harness_version[:12]} at {result.harness}")
    print(f"ledger       {result.ledger}")
    say(f"learner inputs, redacted, for audit: {result.inputs}")
    return DONE
