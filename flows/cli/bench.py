"""``solon bench``: measurements, printed with n."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flows.cli.common import DONE, FAILED, Subparsers, command, say_json, settable, settings_of

# Flags, each with what argparse is told of it; the help names the benches that read it.
_FLAGS: Mapping[tuple[str, ...], dict[str, Any]] = {
    ("name",): {"nargs": "?", "metavar": "NAME", "help": "name of the bench; without a name, list them"},
    ("--data",): {"type": Path, "metavar": "DIR", "help": "data to measure on"},
    ("--questions",): {"type": Path, "metavar": "FILE", "help": "questions of law with their answers, CSV (law)"},
    ("--titles",): {"type": Path, "metavar": "FILE", "help": "titles with area and work type, CSV (router)"},
    ("--planted",): {
        "type": Path,
        "metavar": "FILE",
        "help": 'errors planted by hand, JSON: [{"draft": ATTEMPT, "kind": …, "old": …, "new": …}] (gates)',
    },
    ("--limit",): {
        "type": int,
        "metavar": "N",
        "help": "at most N items; for learner: N simulated runs (default 10000)",
    },
    ("--rerank",): {
        "type": int,
        "metavar": "N",
        "help": "questions per data set asked with the cross-encoder (retrieval); 0: none",
    },
    ("--embedder",): {"default": "", "metavar": "NAME", "help": "embedding profile to measure (retrieval)"},
    ("--filter",): {
        "default": "",
        "metavar": "PROFILE",
        "help": "model profile that narrows passages to sentences (retrieval)",
    },
    ("--held-out",): {
        "nargs": "?",
        "const": "second",
        "default": "",
        "choices": (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "telephone"),
            *("redlines-open", "redlines"),
        ),
        "help": "a held-out set of requests, the second if none is named, or of questions of law (fourth, sixth, "
        "seventh, eighth, telephone): totals alone, but for the opened first and redlines-open",
    },
    ("--sample",): {
        "type": int,
        "metavar": "N",
        "help": "N of the requests, the first by the hash of their names (requests)",
    },
    ("--size",): {
        "default": "small",
        "choices": ("small", "paper"),
        "help": "how much is made up (warehouse): 1,000 attempts, or 12,510",
    },
    ("--quick",): {"action": "store_true", "help": "run only the quick cases (faults, sandbox)"},
    ("--only",): {
        "action": "append",
        "metavar": "WORD",
        "help": "cases whose group, name or compute holds WORD (faults, sandbox, nli, gavel; a surface for liveness, a "
        "runtime for gates)",
    },
    ("--labels",): {"type": Path, "metavar": "FILE", "help": "labels or votes to compare with (taxonomy, geval)"},
    ("--model",): {
        "default": "",
        "metavar": "PROFILE",
        "help": "model profile that is asked (nli, gavel, geval, extraction)",
    },
    (
        "--run",
        "--run-id",
    ): {
        "dest": "run_id",
        "default": "",
        "metavar": "ID",
        "help": "stored run whose reports are marked (geval); run that is gone on with (ablation)",
    },
    ("--longest",): {"type": int, "metavar": "N", "help": "agreements of at most N characters (nli)"},
    ("--pairs",): {"type": int, "metavar": "N", "help": "questions a model is asked, drawn by hash (nli)"},
    ("--items",): {"default": "", "metavar": "ITEM,...", "help": "items of the checklist to fill, by id (extraction)"},
    ("--seconds",): {"type": float, "metavar": "S", "help": "that a model has for a case and method (extraction)"},
    ("--trials",): {"type": int, "default": 1, "metavar": "N", "help": "how often by each strategy (nli)"},
    ("--chunks",): {
        "action": "append",
        "metavar": "KIND",
        "help": "chunks to measure beside those of the harness: node, ancestors, descendants, all; repeat (retrieval)",
    },
    ("--exemplars",): {
        "type": Path,
        "metavar": "DIR",
        "help": "labelled documents in ContractNLI's form to learn from (research)",
    },
    ("--make",): {"type": Path, "metavar": "DIR", "help": "write long cases there instead of measuring (extraction)"},
    ("--seed",): {"type": int, "default": 1, "metavar": "N", "help": "of the cases that are made (extraction)"},
    ("--bins",): {"default": "", "metavar": "B,...", "help": "length bins: 32K,64K,128K,256K,512K (extraction)"},
    ("--methods",): {"default": "", "metavar": "M,...", "help": "what fills the checklists: scan, ... (extraction)"},
    ("--cell",): {"action": "append", "metavar": "C", "help": "cells to compare (ablation, geval)"},
}


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon bench retrieval --data ../shared/data/legalbench_rag --limit 200"
    purpose = "measure a part; without a name, list what can be measured"
    parser = command(subparsers, "bench", purpose, example, run)
    for flags, told in _FLAGS.items():
        parser.add_argument(*flags, **told)
    settable(parser, "home")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.bench.registry import benches, measure, render
    from flows.bench.request import BenchRequest

    if not args.name:
        if args.json:
            say_json(benches())
        else:
            for name, purpose in benches().items():
                print(f"{name:12} {purpose}")
        return DONE
    ask = BenchRequest(
        settings_of(args),
        args.data,
        args.limit,
        args.cell or (),
        rerank=args.rerank,
        embedder=args.embedder,
        filter=args.filter,
        quick=args.quick,
        only=args.only or (),
        held_out=args.held_out,
        labels=args.labels,
        questions=args.questions,
        size=args.size,
        titles=args.titles,
        planted=args.planted,
        model=args.model,
        trials=args.trials,
        pairs=args.pairs,
        longest=args.longest,
        items=[one for one in args.items.split(",") if one],
        seconds=args.seconds,
        run=args.run_id,
        chunks=args.chunks or (),
        exemplars=args.exemplars,
        make=args.make,
        seed=args.seed,
        bins=[one for one in args.bins.split(",") if one],
        methods=[one for one in args.methods.split(",") if one],
        sample=args.sample,
    )
    result = measure(args.name, ask)
    if args.json:
        say_json(result)
    else:
        print(render(args.name, result))
    return FAILED if result.get("broke") else DONE
