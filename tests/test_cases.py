"""Pages, options and what must come out of them: each table of ``tests/cases`` by one test.

A file holds ``[[case]]`` tables. ``html`` is the page or, with ``frame`` (a name of
``frames.toml``), what stands in the place ``{body}`` of a whole page; ``head`` in ``{head}``.
``url`` and ``options`` (keyword arguments of ``extract``) are optional. The same must come out
where a page is written otherwise (`test_case`), but ``as_written``. Of what must come out:

- ``has``, ``has_not``, ``order``, ``once``: strings of the text; ``markdown_…``, ``html_…`` of
  those, ``named_…`` of text with named posts. White space is folded, but a string with a line
  break is sought line by line, and in Markdown with the indentation of its lines. A list in place
  of a string means any of its strings.
- ``title``, ``authors``, ``published``, ``modified``, ``language``, ``page_type``, ``price``:
  compared whole (dates: the day); "" or [] for none. ``dated``: published, or else modified.
- ``contributors``: a list of [role, name].
- ``images``, ``images_not``: addresses of images of the content.
- ``posts``, ``records``: ``count``; ``has``, ``has_not`` over their texts; of posts ``texts``,
  ``authors``, ``dates``, ``kinds``, ``replies`` (the number of the post replied to, 0 for none); of
  records ``titles`` and ``prices``.
"""

import re
import tomllib
from pathlib import Path

import pytest

import chaffinch

FOLDER = Path(__file__).parent / "cases"
FRAMES = tomllib.loads((FOLDER / "frames.toml").read_text("utf-8"))
WAYS = ("has", "has_not", "order", "once")
OTHER_KEYS = {"id", "about", "as_written", "frame", "head", "html", "options", "table", "url"}


def folded(text, *, by_line=False, indented=False):
    text = text.replace("\xa0", " ")
    if not by_line:
        return " ".join(text.split())
    lines = [line.rstrip() if indented else " ".join(line.split()) for line in text.split("\n")]
    lines = lines if indented else [line for line in lines if line]
    return "\n" + "\n".join(lines) + "\n"


def place(text, wanted, *, start=0, indented=False):
    """Return where a string, or the first of a list that is there, begins; -1 where none does."""
    for one in [wanted] if isinstance(wanted, str) else wanted:
        by_line = "\n" in one
        part = folded(one, by_line=by_line, indented=indented)
        found = folded(text, by_line=by_line, indented=indented).find(part, start)
        if found >= 0:
            return found
    return -1


def check_strings(text, wanted, *, indented=False):
    for one in wanted.get("has", ()):
        assert place(text, one, indented=indented) >= 0, f"{one!r} isn't in\n{text}"
    for one in wanted.get("has_not", ()):
        assert place(text, one, indented=indented) < 0, f"{one!r} is in\n{text}"
    for one in wanted.get("once", ()):
        count = folded(text).count(folded(one))
        assert count == 1, f"{one!r} stands {count} times in\n{text}"
    start = 0
    for one in wanted.get("order", ()):
        found = place(text, one, start=start)
        assert found >= 0, f"{one!r} isn't in, or not behind what stands before it:\n{text}"
        start = found + 1


def check_list(name, entries, wanted):
    check_strings("\n".join(one["texts"] for one in entries), wanted)
    if "count" in wanted:
        assert len(entries) == wanted["count"], entries
    for key in wanted.keys() - {*WAYS, "count"}:
        assert [one[key] for one in entries] == wanted[key], f"{key} of {name}"


def values_of(post):
    return {
        "texts": post.text, "authors": post.author, "dates": post.date[:10], "kinds": post.kind,
        "replies": post.reply_to or 0,
    }  # fmt: skip


def page_of(case):
    if "frame" not in case:
        return case["html"]
    frame = FRAMES[case["frame"]]
    return frame.replace("{head}", case.get("head", "")).replace("{body}", case["html"])


FIELDS = {
    "title": lambda page: page.title or "",
    "authors": lambda page: list(page.authors),
    "published": lambda page: (page.date or "")[:10],
    "modified": lambda page: day(page.metadata.modified),
    "dated": lambda page: day(page.metadata.published) or day(page.metadata.modified),
    "language": lambda page: page.language or "",
    "page_type": lambda page: page.page_type or "",
    "price": lambda page: str((page.metadata.value("product") or {}).get("price") or ""),
    "contributors": lambda page: [
        [*one.values()] for one in page.metadata.value("contributors") or ()
    ],
}
OUTPUTS = {
    "": lambda page: page.text,
    "markdown_": lambda page: page.markdown(),
    "html_": lambda page: page.html(),
    "named_": lambda page: page.plain(posts="named"),
}


def day(found):
    return str(found.value)[:10] if found else ""


def as_written(html):
    return html


def indented(html):
    """Return a page with white space between its blocks and around their text."""
    return re.sub(rf"<(?:{BLOCKS})\b[^>]*>|</(?:{BLOCKS})>", r"\n      \g<0>\n        ", html)


def in_form(html):
    """Return a page as WebForms make it: all of the body is in a form."""
    form = '<form method="post" id="aspnetForm"><input type="hidden" name="__VIEWSTATE">'
    inner = re.sub(r"(<body[^>]*>)", rf"\1{form}", html, count=1)
    return re.sub(r"</body>", "</form></body>", inner)


def in_table(html):
    """Return a page as sites laid them out before there were style sheets: all in a table."""
    inner = re.sub(r"(<body[^>]*>)", r'\1<table width="100%"><tr><td>', html, count=1)
    return re.sub(r"</body>", "</td></tr></table></body>", inner)


def in_spans(html):
    """Return a page whose plain paragraphs have their text in spans, as editors make them."""
    return re.sub(r"<p>([^<]+)</p>", r'<p><span style="font-size:16px">\1</span></p>', html)


def in_boxes(html):
    """Return a page whose plain paragraphs have a box each, as builders of pages make them."""
    return re.sub(
        r"<p>.*?</p>", r'<div class="block block-text">\g<0></div>', html, flags=re.DOTALL
    )


BLOCKS = "article|aside|div|footer|h[1-6]|header|li|main|nav|ol|p|section|table|td|th|tr|ul"


def cases():
    """Yield each case with each way to write its page that doesn't matter there."""
    for path in sorted(FOLDER.glob("*.toml")):
        if path.name != "frames.toml":
            for one in tomllib.loads(path.read_text("utf-8"))["case"]:
                case = {"table": path.stem, **one}
                for change in changes(case):
                    yield pytest.param(
                        case, change, id=f"{change.__name__}-{path.stem}-{one['id']}"
                    )


def changes(case):
    parts = "as_written" in case or "<form" in case["html"] or "<script" in case["html"]
    # Code is often in no pre: white space counts there.
    spaced = () if case["table"] == "code" else (indented,)
    return [as_written] if parts else [as_written, *spaced, in_form, in_table, in_spans, in_boxes]


@pytest.mark.parametrize(("case", "change"), [*cases()])
def test_case(case, change):
    """What comes out doesn't depend on how a system writes the same page."""
    known = {*OTHER_KEYS, *FIELDS, "images", "images_not", "posts", "records"}
    known |= {output + way for output in OUTPUTS for way in WAYS}
    assert not {*case} - known, "unknown keys"
    html = change(page_of(case)).encode()
    page = chaffinch.extract(html, url=case.get("url"), **case.get("options", {}))
    for output, render in OUTPUTS.items():
        wanted = {way: case[output + way] for way in WAYS if output + way in case}
        if wanted:
            check_strings(render(page), wanted, indented=output == "markdown_")
    for name, found in FIELDS.items():
        if name in case:
            assert found(page) == case[name], name
    sources = {one.url for one in page.images}
    for one in case.get("images", ()):
        assert sources & {*([one] if isinstance(one, str) else one)}, sources
    assert not sources & {*case.get("images_not", ())}
    if "posts" in case:
        check_list("posts", [*map(values_of, page.posts)], case["posts"])
    if "records" in case:
        found = [
            {"texts": " | ".join(str(f.value) for f in one.fields.values()),
             "titles": one.value("title"), "prices": one.value("price")} for one in page.records
        ]  # fmt: skip
        check_list("records", found, case["records"])
