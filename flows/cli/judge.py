"""``solon judge``: score the ended attempts of a run, check a judge, or compare two."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import (
    DONE,
    FAILED,
    MISUSE,
    Subparsers,
    command,
    say,
    say_json,
    say_problems,
    settable,
    settings_of,
)

if TYPE_CHECKING:
    from flows.judge import JudgeResult
    from tasks.judging.agreement.comparing import Agreement
    from tasks.judging.agreement.repeats import Repeats
    from tasks.judging.trust.checking import CheckReport

_CHECK, _RUBRICS = "check", "rubrics"


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = (
        "solon judge first --profile model:strict\n  solon judge check model:strict\n"
        "  solon judge first --profile model:strict --repeat 3\n"
        "  solon judge first --profile model:strict --against anchor\n  solon judge rubrics CORPUS"
    )
    purpose = "score the ended attempts of a run again, without touching them; check a judge, or compare two"
    parser = command(subparsers, "judge", purpose, example, run)
    parser.add_argument(
        "run_id",
        metavar="RUN",
        help="id of the run; or check, which judges drafts of known worth; or rubrics, which looks for facts that a "
        "rubric rests on and no document holds",
    )
    parser.add_argument("subject", nargs="?", metavar="P|CORPUS", help="the judge to check, or the corpus to look at")
    parser.add_argument("--profile", metavar="P", help="judge: a name of [judges.X], anchor, model:<profile> …")
    repeat = "judge N times, asking the model again each time, and report how verdicts change"
    parser.add_argument("--repeat", type=int, metavar="N", help=repeat)
    parser.add_argument(
        "--against",
        metavar="P|FILE",
        help="judge nothing; compare the profile's verdicts with those of another, or of people "
        "(CSV: attempt_id, criterion_id, verdict)",
    )
    settable(parser, "home", "runs", "warehouse", "compute", "workers")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    if args.subject and args.run_id in (_CHECK, _RUBRICS):
        return _check(args) if args.run_id == _CHECK else _rubrics(args)
    if args.subject or not args.profile:
        say("use solon judge RUN --profile P, solon judge check P, or solon judge rubrics CORPUS")
        return MISUSE
    if args.repeat is not None and (args.repeat < 1 or args.against):
        say("--repeat takes 1 or more, and judges; --against judges nothing")
        return MISUSE
    return _compare(args) if args.against else _judge(args)


def _judge(args: argparse.Namespace) -> int:
    from flows.judge import judge_run

    result = judge_run(args.run_id, args.profile, settings_of(args), args.repeat or 0)
    say_problems(result.problems)
    for note in result.notes:
        say(note)
    if args.json:
        say_json(result)
    else:
        _show(result)
    if result.nothing_scored:
        say(result.nothing_scored)
    return DONE if result.landed and not result.problems and not result.nothing_scored else FAILED


def _show(result: JudgeResult) -> None:
    scored = result.criteria - result.unscored
    passed = f"{result.passed} of {scored} criteria passed" if scored else "not scored"
    version = f" (version {result.profile_version})" if result.profile_version else ""
    print(f"{result.attempts} attempts judged by {result.profile}{version}: {passed},")
    shown = f"; `solon report {result.run_id}` shows them" if result.attempts else ""
    print(f"{result.unscored} unscored, {result.cost_usd:.2f} USD{shown}")
    if result.repeats:
        _show_repeats(result.repeats)


def _show_repeats(of: Repeats) -> None:
    print(f"judged again  {_rate(of.judge_flips)} of {of.judge_pairs} pairs of judgements of one answer differ")
    print(f"done again    {_rate(of.answer_flips)} of {of.answer_pairs} pairs of attempts at one criterion differ")
    print(f"variance      judge {_figure(of.judge_variance)}, answer {_figure(of.answer_variance)}")


def _check(args: argparse.Namespace) -> int:
    from flows.trust import check_judge

    report = check_judge(args.subject, settings_of(args))
    if args.json:
        say_json(report)
    else:
        _show_check(report)
    return DONE if report.trusted else FAILED


def _show_check(report: CheckReport) -> None:
    print(f"{'draft':14}{'should':8}{'pass':>6}{'fail':>6}{'unscored':>10}")
    for one in report.drafts:
        told = "" if one.believed else "  wrong"
        print(f"{one.draft:14}{one.worth:8}{one.passed:>6}{one.failed:>6}{one.unscored:>10}{told}")
    for cause, number in report.causes.items():
        print(f"{number} criteria unscored: {cause}")
    verdict = "can be trusted" if report.trusted else "is not to be trusted"
    print(f"{report.profile} (version {report.profile_version}) {verdict}; {report.usage.cost_usd:.2f} USD")


def _rubrics(args: argparse.Namespace) -> int:
    from flows.trust import look_at_rubrics

    found, problems = look_at_rubrics(Path(args.subject), settings_of(args))
    say_problems(problems)
    if args.json:
        say_json([one.model_dump() for one in found])
    else:
        for one in found:
            print(f"{one.matter_id}  {one.criterion_id}  {one.what}  {one.fact}")
        criteria = len({(one.matter_id, one.criterion_id) for one in found})
        print(f"{criteria} criteria rest on facts that no document states: they must be computed, or they are wrong")
    return DONE


def _compare(args: argparse.Namespace) -> int:
    from flows.trust import compare_judges

    agreement = compare_judges(args.run_id, args.profile, args.against, settings_of(args))
    if args.json:
        say_json(agreement)
    else:
        _show_agreement(agreement)
    return DONE


def _show_agreement(of: Agreement) -> None:
    first, second = (
        f"{name} (version {version})" if version else name
        for name, version in ((of.first, of.first_version), (of.second, of.second_version))
    )
    print(f"{of.compared} criteria of {of.matters} matters scored by both {first} and {second}")
    print(f"{of.not_compared} scored by one of them alone, or by neither")
    print(f"accuracy  {_rate(of.accuracy)}{_range(of.accuracy_interval, 100, '%')}")
    print(f"kappa     {_figure(of.kappa)}{_range(of.kappa_interval)}")
    print(f"alpha     {_figure(of.alpha)}")
    print(f"passed    {_rate(of.passed_first)} and {_rate(of.passed_second)}, McNemar p {_figure(of.mcnemar_p)}")
    for verdicts, number in of.table.items():
        print(f"{verdicts:20}{number:>8}")


def _rate(share: float | None) -> str:
    return "no figure" if share is None else f"{share:.1%}"


def _figure(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def _range(ends: tuple[float, float] | None, scale: float = 1, unit: str = "") -> str:
    if ends is None:
        return "  (no interval: fewer than two matters)"
    low, high = (end * scale for end in ends)
    return f"  95 % interval {low:.1f} to {high:.1f} {unit}" if unit else f"  95 % interval {low:.3f} to {high:.3f}"
