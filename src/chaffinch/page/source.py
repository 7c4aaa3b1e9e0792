"""What a page is made of: bytes, text, a path, an archive, a tree; and markup that is no HTML."""

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from html import escape
from os import PathLike, fsdecode
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from chaffinch.errors import OptionError, PageError
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.page.bounds import Limits
from chaffinch.page.decoding import GZIP, unpacked
from chaffinch.page.page import Page
from chaffinch.wording import failing_as

messages = lazy_module("email.parser")
lxml_trees = lazy_module("lxml.etree")
trees = lazy_module("xml.etree.ElementTree")

_RAW: Final = frozenset("script style xmp iframe noembed noframes plaintext noscript".split())
"""Elements whose text a parser doesn't read as markup: it is left out, but for sources of data."""
_FIRST_BREAK: Final = frozenset({"pre", "listing", "textarea"})
_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_:.")
_NO_NAME: Final = frozenset(" \t\n\f\r\"'<>/=\0")


def page_source(page: Page) -> bytes:
    """Return a page as HTML in UTF-8; parsed again, it has the same text and elements.

    Where a browser's scripts built what no source could (a paragraph in a paragraph), a parser
    puts it otherwise.
    """
    parts, open_elements = ["<!DOCTYPE html>"], list[tuple[int, str]]()
    raw = 0  # row up to which text is left out
    for row, tag in enumerate(page.tag.tolist()):
        while open_elements and open_elements[-1][0] <= row:
            parts.append(f"</{open_elements.pop()[1]}>")
        if tag == tags.TEXT:
            if row >= raw:
                parts.append(escape(page.text_of(row), quote=False))
            continue
        name = page.name(row)
        if not _NAME.issuperset(name):
            continue
        parts.append(f"<{name}{_attributes(page, row)}>")
        if tags.VOID[tag]:
            continue
        open_elements.append((int(page.end[row]), name))
        if name in _RAW:
            raw = max(raw, int(page.end[row]))
            parts.append(page.sources.get(row, "").replace("</", "<\\/"))
        elif name in _FIRST_BREAK:
            parts.append("\n")
    parts += [f"</{name}>" for _, name in reversed(open_elements)]
    return "".join(parts).encode("utf-8", "replace")


def _attributes(page: Page, row: int) -> str:
    return "".join(
        f' {name}="{escape(value)}"' if value else f" {name}"
        for name, value in page.attributes(row).items()
        if name and _NO_NAME.isdisjoint(name)
    )


_HEAD: Final = 16_384  # bytes in which the header ends
_TYPES: Final = ("text/html", "application/xhtml+xml")
_FIRST_LINE: Final = re.compile(
    rb"\A(?:From|Subject|Date|MIME-Version|Content-Type|Snapshot-[\w-]+):"
)
_IS_MULTIPART: Final = re.compile(
    rb"^content-type:[ \t]*multipart/(?:related|mixed|alternative)\b", re.IGNORECASE | re.MULTILINE
)


def is_web_archive(data: bytes) -> bool:
    """Return whether bytes are MHTML: they begin with the header of a message of several parts."""
    if not _FIRST_LINE.match(data):
        return False
    head = data[:_HEAD]
    ends = [at for at in (head.find(b"\r\n\r\n"), head.find(b"\n\n")) if at >= 0]
    return bool(_IS_MULTIPART.search(head[: min(ends, default=_HEAD)]))


def main_part(data: bytes) -> tuple[bytes, str | None, str | None]:
    """Return the page that MHTML holds, its charset and its address; None where they aren't given.

    The page is the part of type HTML that comes first; a `PageError` is raised for none.
    """
    message = messages.BytesParser().parsebytes(data)
    for part in message.walk():
        if part.get_content_type() in _TYPES:
            html = part.get_payload(decode=True)
            if isinstance(html, bytes):
                url = str(part["Content-Location"] or message["Snapshot-Content-Location"]).strip()
                is_web = url.lower().startswith(("http://", "https://"))  # not ``cid:…``
                return html, part.get_content_charset(), url if is_web else None
    raise PageError("not HTML: MHTML without a page")


_HEAD_MARKUP: Final = 4_096  # characters in which the root element begins
_SHORT: Final = 512  # characters that hold the root element of most pages
_BEFORE_ROOT: Final = re.compile(
    r"\A\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*", re.DOTALL
)
_ROOT: Final = re.compile(r"<([A-Za-z][\w:.-]*)([^>]*)", re.ASCII)
_USUAL: Final = re.compile(
    rb"\A\s*+(?>(?:<!doctype[^<>]*+>\s*+)?)<(?:html|head|meta)[\s>]", re.IGNORECASE
)
"""How most pages begin: no root element of another kind follows."""
_KINDS: Final = {
    "rss": "RSS feed",
    "rdf:rdf": "RSS feed (RDF)",
    "feed": "Atom feed",
    "urlset": "site map",
    "sitemapindex": "index of site maps",
    "opml": "list of feeds (OPML)",
    "svg": "SVG image",
}
_NEEDS: Final = {"rdf:rdf": "purl.org/rss", "feed": "w3.org/2005/atom", "svg": "w3.org/2000/svg"}
"""Root → what its attributes must hold."""

_MARKUP: Final = re.compile(
    r"<(?:!doctype|/?html|/?head|/?body|/style|/script)(?![\w-])", re.IGNORECASE
)
"""What a page has whose first lines are a script or style by somebody's mistake."""
_COMMENTS: Final = r"\A(?>(?:\s|/\*(?>(?:[^*]++|\*(?!/))*)\*/|//[^\n]*+\n)*)"
_JSON: Final = re.compile(
    r"""\A\s*+(?:\)\]\}',?\s*+|while\(1\);|for\s?\(;;\);)?(?:\{\s*+(?:"|\})|\[\s*+(?:["\[{\]]|-?\d[\d.]{0,30}\s*+,))"""
)
_CODE: Final = {
    "script": re.compile(
        _COMMENTS
        + r"""(?:["']use\ strict["']|[!+;(\s]{0,4}(?:async\s+)?function\b\s*+[\w$]*+\s*+\(
        |\(?\([\w$,\ ]*+\)\s*+=>
        |(?:var|let|const)\s+(?:[\w$]++(?>(?:\s*+,\s*+[\w$]++)*)\s*+[=;]|[{\[])
        |[!+;(]?(?:window|document|self|globalThis|module|exports)(?:\.[\w$]|\[["'])|(?:jQuery|\$)\(
        |import\s*+(?:["'{(*]|[\w$]++\s+from\b)|export\s+(?:default|const|function|class|\{)
        |if\s?\((?:!\s?)?(?:typeof|window|document|self|navigator|location)\b|try\s*\{
        |(?:[\w$]{1,60}\.){0,8}[\w$]{1,60}\s*+=\s*+(?:function\b|new\s|["'{\[(]|[\w$.]{1,80}\|\|)
        |(?:define|require|importScripts)\((?:\s*+["'\[]|function\b)|[\w$.]{1,80}\(\s*+[{\[]\s*+["\[{\]}])""",
        re.VERBOSE,
    ),
    "style sheet": re.compile(
        _COMMENTS
        + r"""(?:@charset\s*+["']|@import\s*+(?:url\(|["'])|@font-face\s*+\{
        |@(?:media|supports|layer|keyframes|-webkit-keyframes)\b[^{}<;]{0,300}\{
        |(?:[.\#][\w-]|[\w*:\[&])[^{}<;]{0,400}\{\s*+(?:/\*[^*]{0,400}\*/\s*+)?(?:\}|[\w-]{1,60}\s*+:[^{}]))""",
        re.VERBOSE,
    ),
}

_ENDS: Final = {"script": frozenset("};/)]'\"`"), "style sheet": frozenset("};/")}
"""What code ends with, and text hardly ever does after such a beginning."""

_FIRST_TAGS: Final = (
    "html head body title meta link base script style noscript iframe div p h1 h2 table font a b br"
    " center main article section header nav ul span img"
)
_PAGE: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>(?:\s++|<!--.*?-->|<\?[^>]*+>)*)<(?:!doctype\s+html|(?:%s)[\s>/])"
    % _FIRST_TAGS.replace(" ", "|").encode(),
    re.IGNORECASE | re.DOTALL,
)


def begins_as_page(html: bytes) -> bool:
    """Return whether bytes of a type that nobody says begin as a page does."""
    return _PAGE.match(html, 0, _HEAD_MARKUP) is not None


def refuse_other_markup(html: bytes | str) -> None:
    """Raise a `PageError` that names the kind where ``html`` is data, code or other markup.

    An ``svg`` counts only behind an XML declaration: pages may begin with a picture.
    """
    if isinstance(html, bytes) and _USUAL.match(html):
        return
    text, root = _begin(html, _SHORT)
    if root is None or root.end() == len(text):
        text, root = _begin(html, _HEAD_MARKUP)
    if text and not text.lstrip().startswith("<"):
        _refuse_code(html, text)
    name = root[1].lower() if root else ""
    if root is None or name not in _KINDS or _NEEDS.get(name, "") not in root[2].lower():
        return
    if name == "svg" and "<?xml" not in text[: root.start()]:
        return
    raise PageError(f"not HTML: {_KINDS[name]}")


def _refuse_code(html: bytes | str, text: str) -> None:
    """Raise a `PageError` where what begins with ``text``, and no tag, is data, script or style."""
    end = html[-_SHORT:]
    last = (end if isinstance(end, str) else end.decode("utf-8", "replace")).rstrip()[-1:]
    if last in "}]" and _JSON.match(text):
        raise PageError("not HTML: JSON")
    for kind, pattern in _CODE.items():
        if last in _ENDS[kind] and pattern.match(text):
            whole = html if isinstance(html, str) else html.decode("utf-8", "replace")
            if not _MARKUP.search(whole):
                raise PageError(f"not HTML: {kind}")


def _begin(html: bytes | str, length: int) -> tuple[str, re.Match[str] | None]:
    """Return the first ``length`` characters, and the root element as far as they have it."""
    head = html[:length]
    text = head if isinstance(head, str) else head.decode("utf-8", "replace")
    before = _BEFORE_ROOT.match(text)
    return text, _ROOT.match(text, before.end() if before else 0)


class Readable(Protocol):
    """An open file of bytes or text."""

    def read(self, size: int = -1, /) -> bytes | str:
        """Return at most ``size`` bytes or characters."""
        ...


class Element(Protocol):
    """An element of lxml or of `xml.etree`."""

    tag: Any
    attrib: Any


class ElementTree(Protocol):
    """A tree of lxml or of `xml.etree`."""

    def getroot(self) -> Any: ...


PageInput: TypeAlias = (
    bytes | bytearray | memoryview | str | PathLike[str] | Readable | Element | ElementTree | Page
)
"""A page: its bytes (best: their encoding is found) or text, a path, an open file, an element or
tree of lxml, or a page that is parsed. Bytes and files may be packed by gzip, or hold MHTML."""

_MOST_OF_A_NAME: Final = 2_048  # characters
_ADDRESS: Final = re.compile(r"\A\s*+(?:https?|file)://[^\s<]+\s*", re.IGNORECASE)
_FILE_NAME: Final = re.compile(r"\A[^\s<]+\.(?:[xs]?html?|mht|mhtml)(?:\.gz)?\s*", re.IGNORECASE)


class PageSource(NamedTuple):
    """A page as it stands in a file, or was sent."""

    html: bytes | str  # its bytes or text
    encoding: str | None = None  # label of the encoding that came with it, if any
    url: str | None = None  # address that came with it, if any


def read_source(given: object, *, limits: Limits) -> PageSource:
    """Return the bytes or text of a page that isn't parsed."""
    html = contents(given, limits.max_bytes)
    if isinstance(html, str):
        return PageSource(html)
    limits.check_size(len(html))
    if html.startswith(b"<"):  # nearly all
        return PageSource(html)
    if html.startswith(GZIP):
        html = unpacked(html, max_bytes=limits.max_bytes)
    return PageSource(*main_part(html)) if is_web_archive(html) else PageSource(html)


def is_tree(given: object) -> bool:
    """Return whether ``given`` is an element or a tree of lxml or `xml.etree`."""
    if isinstance(given, bytes | str | type):
        return False
    is_element = hasattr(getattr(given, "attrib", None), "items") and hasattr(given, "tag")
    return is_element or callable(getattr(given, "getroot", None))


def page_list(name: str, given: object) -> Iterable[Any]:
    """Return ``given``, which is several pages."""
    if isinstance(given, tuple | list):
        return given
    is_one = isinstance(given, str | bytes | bytearray | memoryview | PathLike | Page | Mapping)
    if is_one or not isinstance(given, Iterable) or is_tree(given) or is_file(given):
        kind = type(given).__name__
        raise OptionError(f"{name} are several pages, in a list or another iterable, not {kind}")
    return given


def require_page(page: object) -> None:
    """Raise an `OptionError` where a method was given no page that is parsed."""
    if not isinstance(page, Page):
        raise OptionError(f"a parsed Page is wanted, not {type(page).__name__}; parse makes one")


def sendable(pages: Iterable[Any], *, limits: Limits) -> Iterator[Any]:
    """Yield pages in a form that can be sent to another process: files are read, trees written.

    What can't be read is its `PageError`.
    """
    for given in pages:
        try:
            if is_tree(given) or is_file(given) or isinstance(given, memoryview):
                yield contents(given, limits.max_bytes)
            else:
                yield given
        except PageError as error:
            yield error


def is_file(given: object) -> bool:
    """Return whether ``given`` is an open file."""
    return callable(getattr(given, "read", None)) and not isinstance(given, type)


def contents(given: object, most: int) -> bytes | str:
    """Return the bytes or text of a source; of a file ``most`` and one more at most."""
    if isinstance(given, str):
        _refuse_name(given)
        return given
    if isinstance(given, bytes | bytearray | memoryview):
        return bytes(given)
    if isinstance(given, PathLike):
        return _of_path(given, most)
    if is_tree(given):
        return _of_tree(given)
    if is_file(given):
        return _of_file(given, most)
    raise OptionError(
        "a page is bytes, text, a path, an open file, an lxml tree or a Page, "
        f"not {type(given).__name__}"
    )


def _refuse_name(text: str) -> None:
    """Raise an `OptionError` that names the call to make for an address or the name of a file."""
    if len(text) > _MOST_OF_A_NAME or "<" in text:
        return
    name = text.strip()
    if _ADDRESS.fullmatch(text):
        raise OptionError(f"{name!r} is a URL, not a page: chaffinch.load({name!r}) fetches it")
    if _FILE_NAME.fullmatch(text):
        raise OptionError(
            f"{name!r} is the name of a file, not a page: give pathlib.Path({name!r}), "
            f"or chaffinch.load({name!r})"
        )


def _of_tree(tree: Any) -> str:
    """Return a tree of lxml or `xml.etree` as HTML, its names without namespaces."""
    root = deepcopy(tree.getroot() if callable(getattr(tree, "getroot", None)) else tree)
    if not hasattr(getattr(root, "attrib", None), "items"):
        raise OptionError(f"an element or a tree with one is wanted, not {tree!r}")
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    root.tail = None
    library: Any = lxml_trees if type(root).__module__.startswith("lxml") else trees
    html: str = library.tostring(root, encoding="unicode", method="html")
    return html


def _of_path(path: PathLike[Any], most: int) -> bytes:
    unread = failing_as(PageError, f"{fsdecode(path)} can't be read")
    try:
        with unread, open(path, "rb") as file:  # noqa: PTH123  any path-like will do
            return file.read(most + 1)
    except ValueError as error:
        raise PageError(f"{fsdecode(path)!r} can't be read: {error}") from error


def _of_file(file: Any, most: int) -> bytes | str:
    try:
        with failing_as(PageError, "the file can't be read"):
            found = file.read(most + 1)
    except UnicodeDecodeError as error:
        raise PageError(
            f"the file isn't text in its encoding; open it in binary: {error}"
        ) from error
    except ValueError as error:
        raise OptionError(f"the file can't be read: {error}") from error
    if isinstance(found, str) and len(found) > most:
        raise PageError(f"page too big: more than {most:,} characters")
    if not isinstance(found, bytes | str):
        raise OptionError(f"read() of a file gives bytes or text, not {type(found).__name__}")
    return found
