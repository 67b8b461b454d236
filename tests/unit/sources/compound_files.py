"""Compound files (the container of .msg, .xls and .doc) made on the spot: storages, streams, sectors, tables."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Mapping
from typing import Any

_END, _FREE, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)

Tree = Mapping[str, Any]  # name -> bytes (a stream) or another tree (a storage)


def compound(tree: Tree) -> bytes:
    """A compound file that holds the tree."""
    entries: list[dict[str, Any]] = [{"name": "Root Entry", "type": 5, "left": _NONE, "right": _NONE, "child": _NONE}]
    _place(tree, 0, entries)
    mini, mini_fat, sectors, fat = bytearray(), list[int](), bytearray(), list[int]()

    def chain(data: bytes, size: int, store: bytearray, table: list[int]) -> int:
        if not data:
            return _END
        first, count = len(table), -(-len(data) // size)
        table.extend([*range(first + 1, first + count), _END])
        store.extend(data.ljust(count * size, b"\0"))
        return first

    for entry in entries[1:]:
        data = entry.get("data")
        if data is not None:
            entry["size"] = len(data)
            entry["start"] = (
                chain(data, _MINI, mini, mini_fat) if len(data) < _CUTOFF else chain(data, _SECTOR, sectors, fat)
            )
    entries[0]["start"], entries[0]["size"] = chain(bytes(mini), _SECTOR, sectors, fat), len(mini)
    table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    table += b"\xff" * (-len(table) % _SECTOR)
    mini_start = chain(table, _SECTOR, sectors, fat)
    directory = b"".join(_entry(e) for e in entries)
    directory_start = chain(directory.ljust(-(-len(directory) // _SECTOR) * _SECTOR, b"\0"), _SECTOR, sectors, fat)
    tables = 1
    while -(-(len(fat) + tables) * 4 // _SECTOR) > tables:
        tables += 1
    first_table = len(fat)
    fat.extend([0xFFFFFFFD] * tables)
    fat.extend([_FREE] * (tables * _SECTOR // 4 - len(fat)))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, tables, directory_start, 0, _CUTOFF,
                          mini_start, len(table) // _SECTOR, _END, 0, first_table)  # fmt: skip
    header += struct.pack("<108I", *range(first_table + 1, first_table + tables), *[_FREE] * (109 - tables))
    return header + bytes(sectors) + struct.pack(f"<{len(fat)}I", *fat)


def _place(tree: Tree, parent: int, entries: list[dict[str, Any]]) -> None:
    before = None
    for name in sorted(tree, key=lambda n: (len(n), n.upper())):
        number, content = len(entries), tree[name]
        entry: dict[str, Any] = {"name": name, "left": _NONE, "right": _NONE, "child": _NONE}
        entries.append(entry)
        if before is None:
            entries[parent]["child"] = number
        else:
            entries[before]["right"] = number
        before = number
        if isinstance(content, bytes):
            entry.update(type=2, data=content)
        else:
            entry.update(type=1)
            _place(content, number, entries)


def _entry(entry: Mapping[str, Any]) -> bytes:
    name = entry["name"].encode("utf-16-le")
    return (
        name.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(name) + 2, entry["type"], 1, entry["left"], entry["right"], entry["child"])
        + b"\0" * 36
        + struct.pack("<II4x", entry.get("start", 0), entry.get("size", 0))
    )


_TEXT, _BYTES, _NUMBER, _TIME, _OBJECT = 0x001F, 0x0102, 0x0003, 0x0040, 0x000D


def properties(values: Mapping[int, Any], header: int) -> dict[str, Any]:
    """The streams of a message, recipient or attachment from property ids; ``header`` is 32, 24 or 8 bytes."""
    streams: dict[str, Any] = {}
    rows = b""
    for pid, value in values.items():
        if isinstance(value, str):
            kind, data = _TEXT, value.encode("utf-16-le")
        elif isinstance(value, bytes):
            kind, data = _BYTES, value
        elif isinstance(value, datetime.datetime):
            rows += struct.pack("<HHIQ", _TIME, pid, 6, int((value - _EPOCH).total_seconds() * 10_000_000))
            continue
        elif isinstance(value, int):
            rows += struct.pack("<HHIII", _NUMBER, pid, 6, value, 0)
            continue
        else:
            streams[f"__substg1.0_{pid:04X}{_OBJECT:04X}"] = value
            rows += struct.pack("<HHIII", _OBJECT, pid, 6, 0, 0)
            continue
        streams[f"__substg1.0_{pid:04X}{kind:04X}"] = data
        rows += struct.pack("<HHIII", kind, pid, 6, len(data) + (2 if kind == _TEXT else 0), 0)
    return {**streams, "__properties_version1.0": b"\0" * header + rows}


def outlook(values: Mapping[int, Any], recipients: Any = (), attachments: Any = (), embedded: bool = False) -> Tree:
    """The tree of an Outlook message."""
    tree = properties({0x001A: "IPM.Note", 0x340D: 0x40000, **values}, 24 if embedded else 32)
    for number, recipient in enumerate(recipients):
        tree[f"__recip_version1.0_#{number:08X}"] = properties(recipient, 8)
    for number, attachment in enumerate(attachments):
        tree[f"__attach_version1.0_#{number:08X}"] = properties(attachment, 8)
    return tree


def workbook(sheets: Mapping[str, list[list[Any]]]) -> bytes:
    """A legacy .xls (BIFF8): text and numbers by sheet."""

    def record(kind: int, data: bytes = b"") -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    def name(text: str, wide: bool) -> bytes:
        return struct.pack("<H" if wide else "<B", len(text)) + b"\0" + text.encode("latin-1")

    bodies = []
    for rows in sheets.values():
        body = record(0x809, struct.pack("<HHHHII", 0x0600, 0x10, 0x0DBB, 0x07CC, 0, 6))
        for r, row in enumerate(rows):
            for c, value in enumerate(row):
                place = struct.pack("<HHH", r, c, 0)
                if isinstance(value, str):
                    body += record(0x204, place + name(value, True))
                else:
                    body += record(0x203, place + struct.pack("<d", value))
        bodies.append(body + record(0x0A))
    start = record(0x809, struct.pack("<HHHHII", 0x0600, 0x05, 0x0DBB, 0x07CC, 0, 6))
    names = [name(sheet, False) for sheet in sheets]
    at = len(start) + sum(4 + 6 + len(n) for n in names) + 4
    for sheet, body in zip(names, bodies, strict=True):
        start += record(0x85, struct.pack("<IH", at, 0) + sheet)
        at += len(body)
    return compound({"Workbook": (start + record(0x0A) + b"".join(bodies)).ljust(_CUTOFF, b"\0")})
