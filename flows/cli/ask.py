"""``solon ask``: questions about a folder of documents; or the asks of a brief, before anything is drafted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cli.common import DONE, FAILED, MISUSE, Subparsers, command, say, say_json, settable, settings_of

if TYPE_CHECKING:
    from flows.ask import Asking
    from flows.settings import Settings
    from tasks.asks.records import Ask, Asks
    from tasks.drafting.interrogator.records import Exchange
    from tasks.matter.records import Matter

_HELP = """Ask in your own words. Or:
  /report FILE   write the report on all questions (.docx, .md, .pdf, .txt)
  /sources       show every passage that the answers rest on
  /client NAME   say for whom you ask        /law PLACE   say which law governs
  /quit          end; the session is kept"""
_PROMPT = "ask> "


def register(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    example = 'solon ask ./deal-room --question "When does each lease end, and may the tenant assign it?"'
    purpose = "ask questions about a folder of documents, or show what a brief asks"
    parser = command(subparsers, "ask", purpose, example, run)
    parser.add_argument("folder", type=Path, metavar="DIR", help="any folder of documents, or a task directory")
    parser.add_argument(
        "--question",
        action="append",
        metavar="TEXT",
        help="answer this and end, instead of a dialogue; repeat for more",
    )
    parser.add_argument(
        "--session", default="", metavar="NAME", help="begin the session of this name, or go on with it"
    )
    parser.add_argument("--sessions", action="store_true", help="list the sessions about the folder")
    parser.add_argument("--model", default="", metavar="PROFILE", help="model profile that reviews and advises")
    parser.add_argument("--client", default="", metavar="NAME", help="for whom the questions are asked")
    parser.add_argument("--law", default="", metavar="PLACE", help="which law governs")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the report on all questions at the end")
    parser.add_argument("--ask", metavar="TEXT", help="only show what this brief asks, as it would be answered")
    settable(parser, "home", "harness")


def run(args: argparse.Namespace) -> int:
    """Run it: sessions listed, questions answered, the asks of a brief shown, or a dialogue."""
    from flows.runs.home import secure

    settings = settings_of(args)
    secure(settings)
    if args.sessions:
        return _sessions(args, settings)
    a_task = (args.folder / "task.json").is_file()
    if args.ask is not None or (a_task and not (args.question or args.session)):
        return _asks(args, settings)
    return _answer(args, settings)


# What a brief asks.


def _asks(args: argparse.Namespace, settings: Settings) -> int:
    from flows.runs.matters import open_matter
    from flows.runs.plan import open_harness
    from tasks.asks.parse import parse_asks
    from tasks.harness import parsed
    from tasks.sources.stage import inventory

    matter, harness = open_matter(args.folder, settings, args.ask, ()), parsed(open_harness(settings))
    asks = parse_asks(matter, inventory(matter, settings.cache, harness.knowledge), harness)
    if args.json:
        say_json(asks)
        return DONE
    for ask in asks.asks:
        print(_line(ask))
    for state, spans in (("background", asks.background), ("uncovered", asks.uncovered)):
        for start, end in spans:
            print(f"{'':4} {state:11} {_one_line(asks, start, end)}")
    return DONE


def _line(ask: Ask) -> str:
    papers = (" each of " if ask.each else " of ") + (", ".join(ask.documents) or "the data room")
    about = f" [{ask.subject}]" if ask.subject != " ".join(ask.words.split()) else ""
    return f"{ask.ask_id:>4} {ask.kind.value:11} {' '.join(ask.words.split())}{about} ·{papers}"


def _one_line(asks: Asks, start: int, end: int) -> str:
    return " ".join(asks.brief[start:end].split())


# Sessions.


def _sessions(args: argparse.Namespace, settings: Settings) -> int:
    from flows.runs.sessions import SessionStore

    found = SessionStore(settings.home, args.folder).listed()
    if args.json:
        say_json({"folder": str(args.folder), "sessions": found})
        return DONE
    for row in found:
        print(_plain(f"{row['session']:24} {row['questions']:3} questions  {row['at']}  {row['last'][:80]}"))
    if not found:
        say("no session about this folder is kept")
    return DONE


# Questions.


def _answer(args: argparse.Namespace, settings: Settings) -> int:
    from flows.runs.matters import open_matter
    from flows.runs.models import models_named
    from flows.runs.serving import served

    brief = None if (args.folder / "task.json").is_file() else "questions"
    matter = open_matter(args.folder, settings, brief, ())
    with served(models_named(args.model, settings), settings):
        return _talked(args, settings, matter)


def _talked(args: argparse.Namespace, settings: Settings, matter: Matter) -> int:
    from flows.ask import open_asking

    keeps = bool(args.session) or not args.question
    asking = open_asking(matter, args.folder, settings, name=args.session, profile=args.model, keeps=keeps)
    for about in ("client", "law"):
        if getattr(args, about):
            asking.tell(about, getattr(args, about))
    talk = _Talk(asking, args.json, interactive=not args.question and not args.json and sys.stdin.isatty())
    talk.hold(args.question)
    if args.report and talk.code == DONE:
        asking.report(args.report)
        say(f"report {args.report}")
    if args.json:
        say_json({"folder": str(args.folder), "session": asking.session.name if keeps else "", "exchanges": talk.told})
    elif keeps and asking.session.exchanges:
        say(f"session {asking.session.name} is kept; go on with --session {asking.session.name}")
    return talk.code


class _Talk:
    """One dialogue: questions from a terminal, from a pipe, or from the command line."""

    def __init__(self, asking: Asking, as_json: bool, *, interactive: bool) -> None:
        self.asking, self.as_json, self.interactive = asking, as_json, interactive
        self.told: list[dict[str, Any]] = []
        self.code = DONE
        self._put: set[str] = set()

    def hold(self, questions: list[str] | None) -> None:
        """Answer each question in turn; an error is printed, and the next question follows."""
        from tasks.matter.failures import FailureCause, SolonError

        if self.interactive:
            print(f"{len(self.asking.papers.job.texts)} documents are open. /help lists the commands.")
        for line in questions if questions else self._lines():
            try:
                if not self._take(line, commands=not questions):
                    return
            except SolonError as error:
                bad = MISUSE if error.failure.cause is FailureCause.INPUT else FAILED
                self.code = self.code if self.interactive else self.code or bad
                say(f"solon: {error}")

    def _lines(self) -> Iterator[str]:
        if not self.interactive:
            reconfigure = getattr(sys.stdin, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")
            yield from (line for line in sys.stdin if line.strip())
            return
        import readline  # noqa: F401  (input() then knows the lines before)

        while True:
            try:
                line = input(_PROMPT)
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if line.strip():
                yield line

    def _take(self, line: str, *, commands: bool) -> bool:
        """Take a line; return whether the dialogue goes on."""
        words = line.strip()
        name, _, rest = words.partition(" ")
        if not commands or not name.startswith("/"):
            self._ask(words)
            return True
        if name in ("/quit", "/exit"):
            return False
        if name == "/report" and rest.strip():
            self.asking.report(Path(rest.strip()))
            print(_plain(f"written: {rest.strip()}"))
        elif name == "/sources":
            self._sources()
        elif name in ("/client", "/law") and rest.strip():
            self.asking.tell(name[1:], rest)
        else:
            print(_HELP)
        return True

    def _ask(self, words: str) -> None:
        from tasks.drafting.interrogator.printing import json_of, lines_of

        exchange, told = self.asking.ask(words)
        if self.as_json:
            self.told.append(json_of(exchange, told))
            return
        if not self.interactive:
            print(_plain(f"> {' '.join(words.split())[:400]}"))
        for line in lines_of(exchange, told):
            print(_plain(line))
        self._missing(exchange)

    def _missing(self, exchange: Exchange) -> None:
        """Ask for what is missing, each thing once in a dialogue; no answer is required."""
        for missing in exchange.missing:
            if missing.question in self._put:
                continue
            self._put.add(missing.question)
            print(_plain(f"To answer better: {missing.question}"))
            if self.interactive and missing.about in ("client", "law"):
                said = input("  (Enter leaves it open) ").strip()
                if said:
                    self.asking.tell(missing.about, said)

    def _sources(self) -> None:
        rows = self.asking.sources()
        if self.as_json:
            self.told.append({"sources": rows})
        for row in rows if not self.as_json else ():
            print(_plain(f"[{row['title']} {row['clause']}] {row['document']}\n    “{row['words']}”"))
        if not rows and not self.as_json:
            print("no answer rests on a passage yet")


def _plain(text: str) -> str:
    """Return text without terminal control codes: a document must not control the screen."""
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)
