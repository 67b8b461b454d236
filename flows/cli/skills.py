"""``solon skills``: the skills of the harness, where they come from, what speaks against them, and their export."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from skills_repo.schema import Skill
    from tasks.harness import Harness, HarnessRef

_ACTIONS = ("list", "show", "diff", "audit", "export")


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = (
        "solon skills list\n  solon skills show key-terms\n  solon skills diff --from OLD_HARNESS\n"
        "  solon skills audit --titles index.csv\n  solon skills export --to ~/.claude/skills"
    )
    purpose = "list the skills with their lineage, show one, compare two harnesses, audit, or export them"
    parser = command(subparsers, "skills", purpose, example, run)
    parser.add_argument("action", choices=_ACTIONS, help="what to do")
    parser.add_argument("name", nargs="?", metavar="NAME", help="skill to show: its folder, e.g. key-terms")
    parser.add_argument("--to", type=Path, metavar="DIR", help="export: folder that gets one folder for each skill")
    parser.add_argument(
        "--from", dest="base", type=Path, metavar="DIR", help="diff: the harness before; else as shipped"
    )
    parser.add_argument(
        "--titles", type=Path, metavar="FILE", help="audit: titles of matters that no skill may be about, CSV"
    )
    settable(parser, "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.plan import open_harness
    from tasks.harness import parsed

    if args.name and args.action != "show":
        say(f"solon: {args.action} takes no {args.name!r}; folders are named with --from, --to and --harness")
        return MISUSE
    ref = open_harness(settings_of(args))
    harness = parsed(ref)
    if args.action == "export":
        return _export(harness.skills, args)
    if args.action == "show":
        return _show(harness.skills, args)
    if args.action == "diff":
        return _diff(ref, args)
    return _audit(harness, ref, args) if args.action == "audit" else _list(harness, ref, args)


def _list(harness: Harness, ref: HarnessRef, args: argparse.Namespace) -> int:
    from skills_repo.matter_classes import classes_without_a_skill
    from tasks.learning.lineage import lineage_of

    lineage = {one.skill_id: one for one in lineage_of(ref)}
    without = classes_without_a_skill(harness.skills, harness.classes)
    if args.json:
        say_json(
            [
                {
                    "skill_id": s.skill_id,
                    "name": s.name,
                    "description": s.description,
                    "classes": list(s.classes),
                    "authorities": len(s.law),
                    **lineage[s.skill_id].model_dump(mode="json", exclude={"skill_id"}),
                }
                for s in harness.skills
            ]
        )
        return DONE
    for skill in harness.skills:
        one = lineage[skill.skill_id]
        by = f" ({one.edits[-1].learn_id}, step {one.edits[-1].step})" if one.edits else ""
        print(f"{skill.skill_id:62} {one.version} {one.origin}{by}  {skill.description}")
    known = sum(len(s.classes) for s in harness.skills)
    print(f"{known} matter classes have a skill; {len(without)} have none: {', '.join(without) or '-'}")
    return DONE


def _diff(ref: HarnessRef, args: argparse.Namespace) -> int:
    from tasks.harness import find_harness
    from tasks.learning.lineage import differences

    base = find_harness(args.base)
    if not (base.skills / "skills").is_dir():
        say(f"solon: --from {args.base}: holds no skills_repo/skills; name the root of a harness")
        return MISUSE
    found = differences(base, ref)
    if args.json:
        say_json([one.model_dump(mode="json") for one in found])
        return DONE
    for one in found:
        print(f"{one.change}: {one.skill_id}\n{one.diff}")
    print(f"{len(found)} skills differ")
    return DONE


def _audit(harness: Harness, ref: HarnessRef, args: argparse.Namespace) -> int:
    from tasks.learning.skill_audit import audit_skills, titles_of

    try:
        titles = titles_of(args.titles) if args.titles else ()
    except (OSError, KeyError) as error:
        say(f"solon: --titles {args.titles}: no CSV with a column title: {error}")
        return MISUSE
    found = audit_skills(harness, ref, titles)
    if args.json:
        say_json({"skills": len(harness.skills), "findings": [one.model_dump(mode="json") for one in found]})
    else:
        for one in found:
            print(f"{one.skill_id}: {one.gate}: {one.message}")
        print(f"{len(harness.skills)} skills, {len(found)} findings")
    return FAILED if found else DONE


def _export(skills: tuple[Skill, ...], args: argparse.Namespace) -> int:
    from skills_repo.agent_skills import export_skills
    from skills_repo.schema import SkillError

    if args.to is None:
        say("solon: export needs --to DIR, e.g. --to .agents/skills")
        return MISUSE
    try:
        written = export_skills(skills, args.to)
    except SkillError as error:
        say(f"solon: {error}")
        return MISUSE
    if args.json:
        say_json({"folder": str(args.to), "files": [str(p) for p in written]})
    else:
        print(f"{len(written)} skills in {args.to}")
    return DONE


def _show(skills: tuple[Skill, ...], args: argparse.Namespace) -> int:
    from skills_repo.agent_skills import agent_skill, slug_of, when
    from skills_repo.matter_classes import whole_body

    found = next((s for s in skills if args.name in (s.skill_id, slug_of(s.skill_id), *s.classes)), None)
    if found is None:
        known = [slug_of(s.skill_id) for s in skills]
        near = get_close_matches(args.name or "", known, n=3, cutoff=0.0)
        hint = f", the nearest are {', '.join(near)}" if args.name else ""
        say(f"solon: {args.name or 'no name'}: is no skill; there are {len(known)}{hint}; solon skills list names all")
        return MISUSE
    text = agent_skill(found.skill_id, found.name, when(found), whole_body(found))
    if args.json:
        say_json({"skill_id": found.skill_id, "text": text, **found.model_dump(mode="json", exclude={"skill_id"})})
    else:
        print(text, end="")
    return DONE
