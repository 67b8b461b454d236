"""From bytes to a reading: detect the media type, call its reader, turn every failure into a problem."""

from __future__ import annotations

import hashlib

from tasks.matter.failures import FailureCause
from tasks.matter.private import is_judging_file
from tasks.sources.builder import Reading, problem
from tasks.sources.limits import OverBudgetError, ReaderLimits, UnreadableError
from tasks.sources.line_numbers import without_line_numbers
from tasks.sources.readers import FORMATS, Source, extractor_of, reader_of
from tasks.sources.records import CanonicalText
from tasks.sources.reflow import reflow
from tasks.sources.sniff import media_of

_NO_READER = {
    "encrypted": ("The file is encrypted with a password.", "Save a copy without a password and run again."),
    "ole": ("This legacy Office file is cut off, or of a kind that is not read (.ppt).", "Save it as .docx or .pptx."),
    "odf": ("This is an OpenDocument file of a kind that is not read.", "Save it as .pptx or PDF and run again."),
    "ods": ("This is an OpenDocument spreadsheet.", "Save it as .xlsx and run again."),
    "zip": ("This is an archive, not a document.", "Unpack it into the data room and run again."),
    "binary": ("The bytes are of no known document format.", "Supply the document as PDF, Word or text."),
}
_IMAGE = ("This is an image.", "Supply the document as a PDF; scans in PDFs are recognised.")


def extract(
    data: bytes, name: str, limits: ReaderLimits | None = None, redlines: bool = False, tables: bool = False
) -> CanonicalText:
    """Read a document in this process. Use ``tasks.sources.texts`` outside of tests and of the worker."""
    limits = limits or ReaderLimits()
    media, reading = _reading(data, name, limits, 0, redlines, tables)
    return CanonicalText(
        document=name,
        sha256=hashlib.sha256(data).hexdigest(),
        extractor=extractor_of(media) + ("+redlines" if redlines and media == "docx" else ""),
        media=media,
        text=reading.text,
        segments=reading.segments,
        problems=reading.problems,
    )


def _reading(
    data: bytes, name: str, limits: ReaderLimits, depth: int, redlines: bool = False, tables: bool = False
) -> tuple[str, Reading]:
    def nested(inner: bytes, inner_name: str, at: int) -> Reading:
        if is_judging_file(inner_name):
            return _unread(FailureCause.POLICY, "It may hold a rubric or verdicts, by its name.", "Rename it.")
        return _reading(inner, inner_name, limits, at)[1]

    if not data:
        return "txt", _unread(FailureCause.INPUT, "The file is empty (0 bytes).", "Ask for the file again.")
    if len(data) > limits.file_bytes:
        return "binary", _unread(FailureCause.CAPACITY, f"The file has {len(data)} bytes.", "Split the document.")
    if depth > limits.depth:
        return "binary", _unread(FailureCause.CAPACITY, "Attachments are nested too deeply.", "Unpack them by hand.")
    media = media_of(data, name, limits)
    reader = reader_of(media)
    if reader is None:
        return media, _unread(FailureCause.INPUT, *_NO_READER.get(media, _IMAGE))
    try:
        reading = reader(Source(data, name, limits, depth, nested, redlines, tables))
    except UnreadableError as error:
        return media, _unread(FailureCause.INPUT, str(error), error.remedy)
    except OverBudgetError as error:
        return media, _unread(FailureCause.CAPACITY, str(error), "Ask for a smaller file, or split it.")
    except MemoryError:
        return media, _unread(
            FailureCause.CAPACITY, "Reading needs more memory than its budget.", "Split the document."
        )
    except RecursionError:
        return media, _unread(
            FailureCause.CAPACITY, "The file is nested too deeply.", "Save a simpler copy, or its parts."
        )
    except Exception as error:  # noqa: BLE001 - any parser may raise anything on hostile bytes
        message = f"The {media} reader failed: {type(error).__name__}: {str(error)[:200]}"
        return media, _unread(FailureCause.READER, message, "Open and save the file in its own program, or as PDF.")
    if not reading.text.strip() and not reading.problems:
        note = problem(FailureCause.INPUT, "The document holds no text.", "Look at the original.")
        return media, Reading("", (), (note,))
    flowing = FORMATS[media].pages and not tables
    return media, without_line_numbers(reflow(reading)) if flowing else reading


def _unread(cause: FailureCause, message: str, remedy: str) -> Reading:
    return Reading("", (), (problem(cause, message, remedy),))
