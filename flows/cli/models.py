"""``solon models``: lists the models, and checks whether one can be evaluated before money is spent on a corpus."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from tasks.models.evaluability import Evaluability
    from tasks.models.profile import ModelProfile

_MARKS = {"ok": "ok    ", "weak": "weak  ", "failed": "FAILED"}


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = command(
        subparsers, "models", "list the models, or check whether one can be evaluated", "solon models check local", run
    )
    parser.add_argument("action", choices=("list", "check"), help="what to do")
    parser.add_argument("profile", nargs="?", metavar="PROFILE", help="chat profile to check")
    parser.add_argument("--times", type=int, default=5, metavar="N", help="how often the same is asked (check)")
    parser.add_argument(
        "--tokens", type=int, default=32_768, metavar="N", help="longest prompt that is sent and paid for (check)"
    )
    settable(parser, "home")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    return _check(args) if args.action == "check" else _list(args)


def _list(args: argparse.Namespace) -> int:
    from tasks.models.access import ModelAccess

    settings = settings_of(args)
    profiles = ModelAccess(settings.models_file).profiles
    rows = [_row(profile) for profile in profiles.values()]
    if args.json:
        say_json({"models": rows, "routes": sorted(settings.routing)})
        return DONE
    for row in rows:
        print(f"{row['name']:16} {row['kind']:10} {row['model']:44} {row['where']:28} {row['lacks']}")
    for name, table in sorted(settings.routing.items()):
        print(f"{'route:' + name:16} {'route':10} among {', '.join(table.get('among', ()))}")
    return DONE


def _row(profile: ModelProfile) -> dict[str, str]:
    from tasks.models.transports.hosted import missing_key

    asked_at = "started by Solon" if profile.serve else profile.api_base or "its provider"
    lacking = missing_key(profile) if profile.model != "scripted" else ""
    return {
        "name": profile.name,
        "kind": profile.kind,
        "model": profile.model,
        "where": asked_at if profile.hosted else "embedded",
        "lacks": f"key missing: {lacking}" if lacking else "",
    }


def _check(args: argparse.Namespace) -> int:
    from flows.runs.models import require_callable
    from flows.runs.serving import served
    from tasks.matter.failures import Failure, FailureCause, SolonError
    from tasks.models.access import ModelAccess
    from tasks.models.evaluability import check_model

    settings = settings_of(args)
    access = ModelAccess(settings.models_file)
    if not args.profile or args.times < 1 or args.tokens < 1:
        message = "The check needs a profile, and numbers above 0."
        remedy = "solon models check PROFILE; `solon models list` names them"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="models", subject="models", message=message, remedy=remedy)
        )
    profile = access.profile(args.profile, "chat")
    require_callable([profile])
    with served([profile], settings):
        found = check_model(access.client(args.profile, role="check"), args.times, args.tokens)
    if args.json:
        say_json(found)
    else:
        print(_table(found))
        if found.usage.cost_usd:
            free = profile.prices.cost(found.usage.model_copy(update={"cache_read": 0})) if profile.prices else None
            also = f"; ${free:.4f} with cached reads free" if free is not None else ""
            say(f"the check cost ${found.usage.cost_usd:.4f}{also}")
    return DONE if found.evaluable else FAILED


def _table(found: Evaluability) -> str:
    lines = [f"{_MARKS[p.state]} {p.name:16} {p.found}" for p in found.probes]
    return "\n".join([*lines, f"{found.profile} ({found.model}) {found.verdict}"])
