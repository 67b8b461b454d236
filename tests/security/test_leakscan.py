"""The scan for rubrics among documents, asked directly: each encoding, each bound, and what is no rubric."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path

import pytest

from tasks.matter import leakscan
from tasks.matter.leakscan import RubricScan, ScanResult, fold_letters

GOLD = "PASS if the memo says that the lessor of the vineyard renewed for nine years."
PLAIN = b"The rent is $900. The memo says that the lessor renewed. " * 3


def leaks(tmp_path: Path, data: bytes, *gold: str) -> bool:
    path = tmp_path / "document"
    path.write_bytes(data)
    return RubricScan(gold or (GOLD,)).leaks(path)


def zipped(*members: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as into:
        for n, data in enumerate(members):
            into.writestr(f"m{n}", data)
    return buffer.getvalue()


def packed(times: int, data: bytes) -> bytes:
    for _ in range(times):
        data = zipped(data)
    return data


def encoded(times: int, data: bytes) -> bytes:
    for _ in range(times):
        data = base64.encodebytes(data)
    return data


GOLD_BYTES = GOLD.encode()
HIDDEN = {
    "in the plain bytes of a PDF": b"%PDF-1.7 " + GOLD_BYTES,
    "as it is": GOLD_BYTES,
    "in other layout": GOLD.upper().replace(" ", "\n\t ").replace(".", " !!").encode(),
    "in the middle": PLAIN + GOLD_BYTES + PLAIN,
    "in UTF-16 with its mark": GOLD.encode("utf-16"),
    "in big-endian UTF-16": b"\xfe\xff" + GOLD.encode("utf-16-be"),
    "in UTF-16 without a mark": GOLD.encode("utf-16-le"),
    "in big-endian UTF-16 without a mark": GOLD.encode("utf-16-be"),
    "between tags": "".join(f"<b class='x'>{word}</b> " for word in GOLD.split()).encode(),
    "behind entities": "".join(f"&#{ord(c)};" for c in GOLD).encode(),
    "in JSON escapes": "".join(f"\\u{ord(c):04X}" for c in GOLD).encode(),
    "quoted-printable": "".join(f"={ord(c):02X}" for c in GOLD).encode() + b"=\n",
    "quoted-printable of Windows": "".join(f"={ord(c):02X}" for c in GOLD).encode() + b"=\r\n",
    "base64": base64.encodebytes(GOLD_BYTES),
    "base64 behind a letter": PLAIN + b"\n\n" + base64.encodebytes(GOLD_BYTES),
    "base64 thrice": encoded(3, GOLD_BYTES),
    "an archive in base64": base64.encodebytes(zipped(GOLD_BYTES)),
    "an archive": zipped(PLAIN, GOLD_BYTES),
    "an archive stored": zipped(GOLD_BYTES, method=zipfile.ZIP_STORED),
    "archives four deep": packed(4, GOLD_BYTES),
    "tags in an archive": zipped("".join(f"<w:t>{word}</w:t>" for word in GOLD.split()).encode()),
    "the field alone": b"x match_criteria: 1",
    "the field in UTF-16": "x match_criteria: 1".encode("utf-16"),
    "the field in UTF-16 without a mark": "x match_criteria: 1".encode("utf-16-le"),
    "the field in big-endian UTF-16": "x match_criteria: 1".encode("utf-16-be"),
    "the field in quotes": b"{'match_criteria' = 1",
    "plainly in a PDF": b"%PDF-1.7 " + GOLD_BYTES,
    "the field in double quotes": b'{"match_criteria" : 1',
}


@pytest.mark.parametrize("data", HIDDEN.values(), ids=HIDDEN)
def test_a_rubric_is_found(tmp_path, data):
    assert leaks(tmp_path, data)


HARMLESS = {
    "nothing": b"",
    "prose": PLAIN,
    "part of a criterion": GOLD_BYTES[:50],
    "the field's words": b"the match criteria: rent",
    "no archive though it says so": b"PK\x03\x04 " + GOLD_BYTES,
    "an archive of prose": zipped(PLAIN),
    "letters that are no base64": b"A" * 41 + b"=",
    "broken utf": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("data", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_rubric_is_left(tmp_path, data):
    assert not leaks(tmp_path, data)


def test_short_criteria_are_no_needles(tmp_path):
    """ "States the rent" stands in many a lease: a criterion counts from forty letters and digits."""
    long, short = "a1" * 20, "a1" * 19 + "a"
    assert leaks(tmp_path, long.encode(), long)
    assert not leaks(tmp_path, short.encode(), short)
    assert leaks(tmp_path, long.encode(), "x", long, "y" * 50)
    assert not leaks(tmp_path, b"", "")


def test_folding_keeps_letters_and_digits():
    assert fold_letters("The Rent, §9 — is\n$900.") == "therent9is900"


@pytest.mark.parametrize("deeper", [packed(5, GOLD_BYTES), encoded(4, GOLD_BYTES)])
def test_nesting_is_followed_to_a_depth_and_no_further(tmp_path, deeper):
    assert not leaks(tmp_path, deeper)


def test_unpacking_stops_at_the_budget(tmp_path):
    """Of all members together: a bomb is not unpacked, and what lies behind it is not searched."""

    def leaks(folder: Path, data: bytes) -> bool:
        (folder / "document").write_bytes(data)
        return RubricScan([GOLD]).leaks(folder / "document", ScanResult(left=1_000))

    assert leaks(tmp_path, zipped(b"x" * 800, GOLD_BYTES))
    assert not leaks(tmp_path, zipped(b"x" * 1_000, GOLD_BYTES))
    assert not leaks(tmp_path, zipped(b"x" * 50_000_000, GOLD_BYTES))
    blocks = [base64.encodebytes(b"\x01" * 600), b"\n!\n", base64.encodebytes(GOLD_BYTES)]
    assert leaks(tmp_path, b"".join(blocks))
    assert not leaks(tmp_path, b"".join([blocks[0], b"\n!\n", *blocks]))


def test_what_is_read_of_a_document_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(leakscan, "_BUDGET", 1_000)
    assert leaks(tmp_path, b"x" * 900 + GOLD_BYTES)
    assert not leaks(tmp_path, b"x" * 1_000 + GOLD_BYTES)


def test_an_encrypted_member_is_left_to_the_reader(tmp_path):
    data = bytearray(zipped(GOLD_BYTES, method=zipfile.ZIP_STORED))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert not leaks(tmp_path, bytes(data))
