"""``solon skills``: the skills of the harness, and their export for agent programs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.common import DONE, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from skills_repo.schema import Skill


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = "solon skills list\n  solon skills export --to ~/.claude/skills"
    parser = command(
        subparsers, "skills", "list the skills, show one, or export them in Agent Skills form", example, run
    )
    parser.add_argument("action", choices=("list", "show", "export"), help="what to do")
    parser.add_argument("name", nargs="?", metavar="NAME", help="skill to show: its folder, e.g. key-terms")
    parser.add_argument("--to", type=Path, metavar="DIR", help="export: folder that gets one folder for each skill")
    settable(parser, "harness")


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from flows.runs.plan import open_harness
    from tasks.harness import parsed

    skills = parsed(open_harness(settings_of(args))).skills
    if args.action == "export":
        return _export(skills, args)
    if args.action == "show":
        return _show(skills, args)
    if args.json:
        say_json([{"skill_id": s.skill_id, "name": s.name, "description": s.description} for s in skills])
        return DONE
    for skill in skills:
        print(f"{skill.skill_id:50} {skill.description}")
    return DONE


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

    found = next((s for s in skills if args.name in (s.skill_id, slug_of(s.skill_id))), None)
    if found is None:
        known = ", ".join(slug_of(s.skill_id) for s in skills)
        say(f"solon: {args.name or 'no name'}: is no skill; there are {known}")
        return MISUSE
    text = agent_skill(found.skill_id, found.name, when(found), found.body)
    if args.json:
        say_json({"skill_id": found.skill_id, "text": text, **found.model_dump(mode="json", exclude={"skill_id"})})
    else:
        print(text, end="")
    return DONE
