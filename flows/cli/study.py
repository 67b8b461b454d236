"""``solon study``: cells compared by a frozen plan, and mechanisms replayed over stored runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of
from flows.studies.regrow.drawing import Drawn
from flows.studies.regrow.request import STUDIES as REGROW
from flows.studies.regrow.request import RegrowRequest, answer

if TYPE_CHECKING:
    from flows.studies.request import StudyRequest

REPLAY = "replay"
HARD = "hard-10"
ANSWERS = "answers"
_OF_ANSWERS = "fit the scorer that tells which sentence answers a question, and write its weights"
_MOST = 40  # rows of a question on a terminal
_HASH = 64  # characters of a content hash, of which the first say enough
_OF_HARD = "ten steps from an empty harness on the ten hardest matters of a corpus, by two solvers"
_OF_REPLAY = "one mechanism over stored attempts: where it acts, what it recovers, what it would have harmed"


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = (
        "solon study revision examples --cell extractive --values 0,1,2\n"
        "  solon study transfer examples --cell extractive --with learned/\n"
        "  solon study replay landing --runs ~/.solon/runs\n"
        "  solon study hard-10 CORPUS --cell extractive --cell guided --harness empty --proposer rules\n"
        "  solon study empty --to empty\n"
        "  solon study apart --to edits --seed 7\n"
        "  solon study answers ../shared/data --to knowledge_db/data/ranking/answers.toml\n"
        "  solon study regrown LEARN_ID --labels edits.labels.json --shipped CORPUS --harness empty"
    )
    parser = command(subparsers, "study", "compare cells by a frozen plan, or replay a mechanism", example, run)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the study; without a name, list them")
    parser.add_argument(
        "of", nargs="*", metavar="CORPUS|MECHANISM", help="folder of the corpus; for replay, mechanisms or all"
    )
    parser.add_argument("--cell", action="append", metavar="C", help="cell to begin with; repeat")
    parser.add_argument("--values", metavar="A,B", help="steps of what varies (effort, revision)")
    parser.add_argument(
        "--with", dest="harnesses", action="append", type=Path, metavar="DIR", help="a harness (transfer, rescue)"
    )
    parser.add_argument("--learned", default="", metavar="ID", help="the learning run (curve)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N matters")
    parser.add_argument("--epochs", type=int, default=1, metavar="N", help="attempts of each matter by each cell")
    parser.add_argument("--max-edits", type=int, default=1, metavar="N", help="edits of a step (hard-10; default 1)")
    parser.add_argument("--study-id", default="", metavar="ID", help="go on with the study of this name, or name it")
    parser.add_argument("--runs", type=Path, metavar="DIR", help="folder with stored attempts at any depth (replay)")
    parser.add_argument("--good", type=float, default=0.5, metavar="SHARE", help="criteria passed by a good attempt")
    parser.add_argument(
        "--crossed", action="store_true", help="give each attempt the work product of another matter (replay)"
    )
    parser.add_argument("--to", type=Path, metavar="DIR", help="new folder that is written (empty, apart)")
    parser.add_argument("--seed", type=int, default=0, help="which edits are spoilt, and how (apart; default 0)")
    parser.add_argument("--spoilt", type=int, default=5, metavar="N", help="provisions spoilt in each way (apart)")
    parser.add_argument(
        "--rounds", type=int, default=1, metavar="N", help="how often they are drawn (apart; default 1)"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="PREFIX", help="leave out edits of these paths (apart)"
    )
    parser.add_argument(
        "--asked-in", type=Path, metavar="CORPUS", help="leave out what no matter of a corpus calls for (apart)"
    )
    parser.add_argument("--labels", type=Path, metavar="FILE", help="what was planted (regrown)")
    parser.add_argument(
        "--shipped",
        type=Path,
        metavar="CORPUS",
        help="run the shipped harness on the held-out side of the run over this corpus, and tell the share of its gain "
        "that came back (regrown; --harness as the run began)",
    )
    settable(parser, "home", "harness", "compute", "workers", "judge", "prefect", "proposer", "catalogue")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    if not args.name:
        return _list(args.json)
    if args.name == REPLAY:
        return _replay(args)
    if args.name in REGROW:
        return _regrow(args)
    if args.name == ANSWERS:
        return _answers(args)
    from flows.studies.request import StudyRequest
    from flows.study import run_study

    if len(args.of) != 1 or not args.cell:
        say(f"name one corpus and at least one cell: solon study {args.name} CORPUS --cell C")
        return MISUSE
    ask = StudyRequest(
        args.name,
        settings_of(args),
        Path(args.of[0]),
        tuple(dict.fromkeys(args.cell)),
        values=tuple(filter(None, (args.values or "").split(","))),
        harnesses=tuple(args.harnesses or ()),
        learned=args.learned,
        limit=args.limit,
        epochs=args.epochs,
        edits=args.max_edits,
    )
    quiet = args.json or not sys.stderr.isatty()
    if args.name == HARD:
        return _hard(ask, args.study_id, as_json=args.json, quiet=quiet)
    result = run_study(ask, args.study_id, quiet=quiet)
    if args.json:
        say_json(result)
    else:
        print("\n".join(_lines(result.model_dump(mode="json"))))
    for line in filter(None, (arm.told for arm in result.arms)):
        say(line)
    return FAILED if result.never_finished else DONE


def _list(as_json: bool) -> int:
    from flows.study import studies

    told = {**studies(), HARD: _OF_HARD, REPLAY: _OF_REPLAY, ANSWERS: _OF_ANSWERS, **REGROW}
    if as_json:
        say_json(told)
    else:
        print("\n".join(f"{name:12} {purpose}" for name, purpose in told.items()))
    return DONE


def _lines(result: dict[str, Any]) -> list[str]:
    """Return the answers as text: each question with the columns in which its rows differ."""
    lines = [f"Study {result['study_id']}", f"plan         {result['plan']}", f"report       {result['report']}"]
    for question, rows in result["answers"].items():
        shown = [name for name in (rows[0] if rows else {}) if len(rows) == 1 or _tells(rows, name)]
        lines += ["", f"{question} ({len(rows)} rows)"]
        lines += ["  " + "  ".join(f"{name} {_told(row[name])}" for name in shown) for row in rows[:_MOST]]
        lines += [f"  … `solon sql {question}` has them all"] * (len(rows) > _MOST)
    return lines


def _tells(rows: list[dict[str, Any]], name: str) -> bool:
    """Tell whether a column is shown: names that are the same in every row are not; a gain that is, is the answer."""
    return isinstance(rows[0][name], (int, float)) or any(row[name] != rows[0][name] for row in rows)


def _told(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return value[:12] if isinstance(value, str) and len(value) == _HASH else str(value)


def _hard(ask: StudyRequest, study_id: str, *, as_json: bool, quiet: bool) -> int:
    from flows.runs.plan import new_run_id
    from flows.studies.hard_ten import lines, run_hard_ten

    result = run_hard_ten(ask, study_id or f"{HARD}-{new_run_id()}", quiet=quiet)
    if as_json:
        say_json(result)
    else:
        print("\n".join(lines(result)))
    return DONE


def _regrow(args: argparse.Namespace) -> int:
    drawn = Drawn(args.seed, args.spoilt, args.rounds)
    planted = drawn, args.without, args.labels, args.asked_in, args.shipped
    ask = RegrowRequest(args.name, settings_of(args), args.of, args.to, *planted)
    if ask.lacking:
        say(ask.lacking)
        return MISUSE
    result, told = answer(ask)
    if args.json:
        say_json(result)
    else:
        print("\n".join(told))
    return DONE


def _answers(args: argparse.Namespace) -> int:
    from flows.studies.answers.study import fit_answers

    if len(args.of) != 1 or args.to is None:
        say("name the folder of the shared data, and the file that is written with --to FILE")
        return MISUSE
    told = fit_answers(Path(args.of[0]), args.to, settings_of(args))
    if args.json:
        say_json({"weights": str(args.to), "told": told})
    else:
        print("\n".join(told))
    return DONE


def _replay(args: argparse.Namespace) -> int:
    if not args.of or args.runs is None:
        say("name a mechanism, or all, and the stored attempts with --runs DIR")
        return MISUSE
    from flows.runs.held_out import Seen, record_looks
    from flows.runs.plan import open_harness
    from flows.studies.replay import render, replay, table
    from flows.studies.stored import stored_matters
    from tasks.harness import parsed

    settings = settings_of(args)
    opened = open_harness(settings)
    seen = (Seen(of.matter_id, of.digest, opened.version, of) for of in stored_matters(args.runs))
    record_looks(seen, settings, "study replay")
    harness = parsed(opened)
    counted = table(replay(args.of, args.runs, harness, settings.cache, args.good, args.crossed))
    if args.json:
        say_json({"good": args.good, "crossed": args.crossed, "mechanisms": counted})
    else:
        print(render(counted))
    return DONE
