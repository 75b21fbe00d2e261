import asyncio
import base64
import json

import pytest

from service.audit import exported
from service.audit.exported import Exported
from service.audit.trouble import Differs, Unusable
from service.audit.verify import verify
from tests.audit.games import play, small


@pytest.fixture(scope="module")
def log() -> Exported:
    return asyncio.run(small()).log


@pytest.fixture(scope="module")
def data(log: Exported) -> bytes:
    return exported.write(log)


def noticed(data: bytes) -> bool:
    try:
        verify(data)
    except (Differs, Unusable):
        return True
    return False


def test_a_file_holds_what_was_written(log: Exported, data: bytes) -> None:
    assert exported.read(data) == log
    assert exported.write(exported.read(data)) == data


def test_the_manifest_says_what_the_file_holds(log: Exported, data: bytes) -> None:
    manifest = json.loads(data.splitlines()[0])
    *_, head = log.heads()
    assert manifest["format"] == "stammtisch-log/1"
    assert (manifest["table_id"], manifest["game"], manifest["rules"]) == (
        log.table_id,
        "double_tricks",
        "double_tricks/1",
    )
    assert (manifest["entries"], manifest["head_version"], manifest["head_hash"]) == (7, 7, head.hash.hex())
    assert (manifest["status"], manifest["sealed"]) == ("finished", 0)


def test_any_single_flipped_bit_is_noticed(data: bytes) -> None:
    unnoticed = [
        (place, bit)
        for place in range(len(data))
        for bit in range(8)
        if not noticed(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
    ]
    assert len(data) > 3_000
    assert unnoticed == []


async def test_flipped_bytes_all_over_a_long_game_are_noticed() -> None:
    data = exported.write((await play()).log)
    places = range(0, len(data), len(data) // 200)
    assert all(noticed(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]) for place in places)


def test_a_file_cut_anywhere_is_noticed(data: bytes) -> None:
    assert [length for length in range(len(data)) if not noticed(data[:length])] == []


def test_any_byte_left_out_or_doubled_is_noticed(data: bytes) -> None:
    for place in range(len(data)):
        assert noticed(data[:place] + data[place + 1 :]), place
        assert noticed(data[:place] + data[place : place + 1] + data[place:]), place


@pytest.mark.parametrize("garbage", [b"\n", b" ", b"\0", b"{}\n", b"garbage", b"garbage\n", b"\xff\n"])
def test_anything_appended_is_noticed(data: bytes, garbage: bytes) -> None:
    assert noticed(data + garbage)
    assert noticed(garbage + data)


def test_other_line_ends_are_noticed(data: bytes) -> None:
    with pytest.raises(Differs, match="the manifest"):
        verify(data.replace(b"\n", b"\r\n"))
    manifest, rest = data.split(b"\n", 1)
    with pytest.raises(Differs, match="version 1: the line is not written as `export` writes it"):
        verify(manifest + b"\n" + rest.replace(b"\n", b"\r\n"))


def test_swapped_lines_are_noticed(data: bytes) -> None:
    lines = data.splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    with pytest.raises(Differs, match="version 3: the line says it is another version"):
        verify(b"".join(lines))


def test_a_missing_line_is_noticed(data: bytes) -> None:
    lines = data.splitlines(keepends=True)
    with pytest.raises(Differs, match="version 4: the line says it is another version"):
        verify(b"".join(lines[:4] + lines[5:]))
    with pytest.raises(Differs, match="the manifest: it says 7 for entries, the entries 6"):
        verify(b"".join(lines[:-1]))


def test_a_doubled_line_is_noticed(data: bytes) -> None:
    lines = data.splitlines(keepends=True)
    with pytest.raises(Differs, match="version 5: the line says it is another version"):
        verify(b"".join((*lines[:5], lines[4], *lines[5:])))


def test_a_changed_entry_is_named(data: bytes) -> None:
    lines = data.splitlines(keepends=True)
    line = json.loads(lines[5])
    entry = bytearray(base64.b64decode(line["entry"]))
    entry[-1] ^= 1
    line["entry"] = base64.b64encode(entry).decode()
    lines[5] = json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    with pytest.raises(Differs, match="version 5: its hash does not continue the chain"):
        verify(b"".join(lines))


@pytest.mark.parametrize(
    "line",
    [
        b'{"entry":"AAA","hash":"","version":1}',
        b'{"entry":"A\\u00e4==","hash":"","version":1}',
        b'{"entry":null,"hash":"","version":1}',
        b'{"entry":["AAAA"]}',
        b"[1]",
        b"null",
        b"",
        b"9" * 10_000,
        b"[" * 100_000,
        b'{"entry":' * 100_000,
        b'"\\ud800"',
    ],
)
def test_a_line_that_is_no_entry_is_named(data: bytes, line: bytes) -> None:
    lines = data.split(b"\n")
    lines[2] = line
    with pytest.raises(Differs, match="version 2: the line is no entry"):
        verify(b"\n".join(lines))


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[]", b"null", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"format":"stammtisch-log/2"}']
)
def test_a_file_of_another_kind_is_unusable(data: bytes, line: bytes) -> None:
    with pytest.raises(Unusable, match="no manifest of a stammtisch-log/1 file"):
        verify(b"\n".join((line, *data.split(b"\n")[1:])))


def test_a_file_of_a_size_that_no_log_has_is_unusable() -> None:
    with pytest.raises(Unusable, match="larger than"):
        verify(bytes(exported.FILE_BYTES_MAX + 1))
