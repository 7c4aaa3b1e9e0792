"""Records of WARC files are read as they were written, by this program and by others."""

import io

import pytest
from fastwarc.warc import WarcRecordType
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from chaffinch.web.warc import Window, frames, gzip_member, new_record, read_record, warc_fields

NAMES = st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=12)
VALUES = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), max_size=40)


@given(st.lists(st.tuples(NAMES, st.binary(max_size=300)), min_size=1, max_size=4))
def test_what_is_written_is_read(given_records):
    members = [
        gzip_member(new_record(WarcRecordType.metadata, {"WARC-Target-URI": name}, block))
        for name, block in given_records
    ]
    data = b"".join(members)
    found = list(frames(Window(io.BytesIO(data))))
    assert [frame.end - frame.start for frame in found] == [len(member) for member in members]
    again = []
    for record in (read_record(frame.data) for frame in found):
        assert record.verify_block_digest()
        again.append((record.headers["WARC-Target-URI"], record.reader.read()))
    assert again == given_records
    others = ArchiveIterator(io.BytesIO(data), check_digests="raise")
    assert [record.content_stream().read() for record in others] == [b for _, b in given_records]


@given(st.lists(st.tuples(NAMES, VALUES)))
def test_fields_are_read_as_they_stand(pairs):
    block = "".join(f"{name}: {value}\r\n" for name, value in pairs).encode()
    assert list(warc_fields(block)) == pairs


@pytest.mark.parametrize("block", [b"", b"no colon\r\n", b"\xff\r\n"])
def test_lines_without_a_name_are_passed_over(block):
    assert list(warc_fields(block)) == []
