"""Records of WARC files are cut out one by one; what is broken costs only itself."""

import io

import pytest
from backports import zstd
from fastwarc.stream_io import GzipWriter, Lz4Writer, ZstdWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.web.warc import BLOCK, LONGEST, Window, frames

WRITERS = {"gzip": GzipWriter, "zstd": ZstdWriter, "lz4": Lz4Writer, "plain": None}
ENDINGS = {"gzip": ".gz", "zstd": ".zst", "lz4": ".lz4", "plain": ""}
SIGNS = (b"\x1f\x8b", b"\x04\x22", b"\x28\xb5", b"\x5d\x2a")  # what begins packed members
COUNT = 7


def record(number):
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{number} ".encode()
    body += bytes((number * 31 + at * at * 7) % 251 for at in range(600))
    made = WarcRecord()
    made.init_headers(WarcRecordType.response, content_length=len(body))
    made.headers["WARC-Target-URI"] = f"https://finch.example/{number}"
    made.set_bytes_content(body)
    return made


def packed(number, form):
    out = io.BytesIO()
    if WRITERS[form] is None:
        record(number).write(out)
        return out.getvalue()
    writer = WRITERS[form](out)
    record(number).write(writer)
    writer.finish()
    writer.flush()
    return out.getvalue()


MEMBERS = {form: [packed(number, form) for number in range(COUNT)] for form in WRITERS}
CONTENT = [packed(number, "plain").partition(b"\r\n\r\n")[2][:-4] for number in range(COUNT)]


def cut(data, form="gzip", **options):
    return list(frames(Window(io.BytesIO(data), **options), f"part.warc{ENDINGS[form]}"))


def numbers(found):
    """Return the numbers of the records that came whole."""
    bodies = [frame.data.partition(b"\r\n\r\n")[2] for frame in found if not frame.problem]
    return [CONTENT.index(body) for body in bodies if body in CONTENT]


@pytest.mark.parametrize("form", WRITERS)
def test_whole_files_come_whole(form):
    found = cut(b"".join(MEMBERS[form]), form)
    assert numbers(found) == list(range(COUNT))
    assert not any(frame.problem for frame in found)
    sizes = [len(member) for member in MEMBERS["gzip" if form == "gzip" else "plain"]]
    assert [frame.start for frame in found] == [sum(sizes[:n]) for n in range(COUNT)]


@given(which=st.integers(0, COUNT - 1), data=st.data())
def test_a_broken_member_costs_only_itself(which, data):
    members = list(MEMBERS["gzip"])
    at = data.draw(st.integers(0, len(members[which]) - 1))
    broken = bytearray(members[which])
    broken[at] ^= data.draw(st.integers(1, 255))
    members[which] = bytes(broken)
    found = cut(b"".join(members))
    others = [number for number in range(COUNT) if number != which]
    whole = numbers(found)
    assert [number for number in whole if number != which] == others
    if which not in whole:  # a byte of a header that says nothing may be another
        lost = [frame for frame in found if frame.problem]
        assert sum(frame.end - frame.start for frame in lost) == len(members[which])


@given(
    form=st.sampled_from(["gzip", "plain"]),
    where=st.integers(0, COUNT),
    garbage=st.binary(min_size=1, max_size=3000).filter(
        lambda data: not any(sign in data for sign in (*SIGNS, b"WARC/", b"filedesc:"))
    ),
)
def test_garbage_between_members_costs_none(form, where, garbage):
    garbage += b"\0"  # a record's version that stands in a word isn't one
    data = b"".join([*MEMBERS[form][:where], garbage, *MEMBERS[form][where:]])
    found = cut(data, form)
    assert numbers(found) == list(range(COUNT))
    assert sum(f.end - f.start for f in found if f.problem) == len(garbage) or form == "plain"
    assert any(frame.problem for frame in found)


@given(form=st.sampled_from(["gzip", "plain"]), left=st.integers(1, 200))
def test_a_cut_tail_is_noticed(form, left):
    whole = b"".join(MEMBERS[form][:-1])
    found = cut(whole + MEMBERS[form][-1][:left], form)
    assert numbers(found) == list(range(COUNT - 1))
    assert found[-1].problem
    assert found[-1].start == len(whole)


DICTIONARY = b"\x5d\x2a\x4d\x18"
ZSTD = b"\x28\xb5\x2f\xfd"


@given(st.one_of(st.binary(max_size=5000), st.binary(max_size=40).map(DICTIONARY.__add__)))
def test_any_bytes_end(data):
    found = cut(data)
    if not data.startswith((b"\x04\x22\x4d\x18", DICTIONARY, ZSTD)):  # places are of the file
        assert sum(frame.end - frame.start for frame in found) == len(data)


def test_a_file_of_nothing_is_passed_with_little_memory():
    data = io.BytesIO(b"no archive at all " * (8 * BLOCK // 18))
    window = Window(data)
    assert all(frame.problem for frame in frames(window))
    assert window.end == len(data.getvalue())


def test_a_bomb_is_no_record():
    out = io.BytesIO()
    with GzipWriter(out, compression_level=9) as writer:
        for _ in range(2 + (LONGEST >> 24)):
            writer.write(bytes(1 << 24))
    found = cut(out.getvalue() + MEMBERS["gzip"][0])
    assert numbers(found) == [0]
    assert "longer than" in found[0].problem
    assert [one.start for one in found] == [0, len(out.getvalue())]


@pytest.mark.parametrize("form", WRITERS)
def test_the_bound_of_a_record_is_the_callers(form):
    data = b"".join(MEMBERS[form])
    sizes = [len(packed(number, "plain")) for number in range(COUNT)]
    assert numbers(cut(data, form, longest=max(sizes))) == list(range(COUNT))
    assert numbers(cut(data, form, longest=min(sizes) // 2)) == []


@pytest.mark.parametrize("is_packed", [False, True])
def test_zstd_with_a_dictionary_of_the_file(is_packed):
    trained = zstd.train_dict([packed(number, "plain") for number in range(COUNT)] * 20, 2000)
    said = trained.dict_content
    said = zstd.compress(said) if is_packed else said
    head = DICTIONARY + len(said).to_bytes(4, "little") + said
    records = (zstd.compress(one, zstd_dict=trained) for one in MEMBERS["plain"])
    found = cut(head + b"".join(records))
    assert numbers(found) == list(range(COUNT))
    broken = cut(head[:-9])
    assert broken[-1].problem
