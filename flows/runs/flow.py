"""The information-flow log of an attempt's folder, checked against its account."""

from __future__ import annotations

from pathlib import Path

from flows.runs.attempts import work_of
from flows.runs.orders import SPENT_NAME
from tasks.drafting.mechanisms.records import Moment
from tasks.matter.failures import OWN_ENDS, Outcome
from tasks.models.flow import FLOW_NAME, FlowEntry, read_flow
from tasks.models.ledger import LedgerEntry
from tasks.models.lines import read_lines
from tasks.tracing.flow import FlowCheck, check_flow
from tasks.tracing.stage import MAX_BYTES


def checked_flow(folder: Path, outcome: Outcome, failures: int) -> FlowCheck:
    """Check what the roles of an attempt were sent.

    Args:
        folder: The attempt's folder.
        outcome: Its outcome: an attempt that was cut off may leave any request without a reply.
        failures: How many failures it tells of.
    """
    log = logged(folder)
    product = work_of(folder)
    shortened = sum(f.moment is Moment.CONTEXT for f in product.firings) if product else 0
    told = failures + shortened if outcome in OWN_ENDS else len(log)
    return check_flow(log, account(folder), told)


def logged(folder: Path) -> tuple[FlowEntry, ...]:
    """Return the log of an attempt's folder."""
    return log_at(folder / FLOW_NAME)


def log_at(file: Path) -> tuple[FlowEntry, ...]:
    """Return a log; a link, or a file that is too large, is no log."""
    return read_flow(file) if _readable(file) else ()


def account(folder: Path) -> tuple[LedgerEntry, ...]:
    """Return what an attempt was charged with, in order; a link is no account."""
    spent = folder / SPENT_NAME
    return tuple(read_lines(spent.read_bytes(), LedgerEntry)) if _readable(spent) else ()


def _readable(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and file.stat().st_size <= MAX_BYTES
