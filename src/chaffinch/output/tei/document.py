"""The whole document: a header of what is known of the page, and the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.output.options import OutputOptions
from chaffinch.output.tei.body import body
from chaffinch.output.tei.tree import Node, written
from chaffinch.output.tei.xml import escaped, pair, pointer, when

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.output.tei.body import Posted
    from chaffinch.result import Content

_NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
_BODY: Final = frozenset("div p list quote table".split())
"""What a body must hold at least one of; figures and milestones may stand anywhere."""


def render(
    content: Content,
    *,
    options: OutputOptions | None = None,
    about: Mapping[str, Any] | None = None,
    posts: Sequence[Posted] = (),
) -> str:
    """Return what is kept as an XML document of TEI P5; "" where nothing is, and no post.

    Args:
        content: the page and what is kept of it.
        options: what is shown; ``rows`` gives each block an ``xml:id`` such as ``r12-17``.
        about: metadata as plain values, by the names of `chaffinch.metadata.FIELDS`.
        posts: posts of the page's discussion, each a ``div`` of type ``post`` where it stands, in
            place of the content there.
    """
    if not content and not posts:
        return ""
    text = body(content, options or OutputOptions(), posts)
    if not any(child.name in _BODY for child in text.children):
        text.put(Node("p"))
    known = {name: value for name, value in (about or {}).items() if value}
    language = known.get("language", "")
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        f'<TEI xmlns="{_NAMESPACE}">\n<teiHeader>\n',
        *_header(known, content.page.url or ""),
        f"</teiHeader>\n<text{pair('xml:lang', language) if language else ''}>\n",
    ]
    written(text, parts)
    parts.append("</text>\n</TEI>\n")
    return "".join(parts)


def _header(known: Mapping[str, Any], url: str) -> Iterator[str]:
    """Yield the parts of the header: the file, its source, the text's abstract, language, terms."""
    title = _element("title", known.get("title", ""))
    authors = "".join(_element("author", name) for name in known.get("authors", ()))
    editors = "".join(_element("editor", name) for name in known.get("editors", ()))
    others = "".join(
        f"<respStmt>{_element('resp', one['role'])}{_element('name', one['name'])}</respStmt>"
        for one in known.get("contributors", ())
        if one["role"] != "editor"
    )
    yield f"<fileDesc>\n<titleStmt>{title}{authors}{editors}{others}</titleStmt>\n"
    yield f"<publicationStmt>{_element('publisher', known.get('site_name', ''))}"
    for name in ("published", "modified"):
        if date := known.get(name):
            given = {"type": name} | when(date)
            more = "".join(pair(key, value) for key, value in given.items())
            yield f"<date{more}>{escaped(date)}</date>"
    if licence := known.get("licence"):
        target = pointer(licence) if "://" in licence else ""
        link = pair("target", target) if target else ""
        yield f"<availability><licence{link}>{_element('p', licence)}</licence></availability>"
    yield "</publicationStmt>\n"
    if product := known.get("product"):
        items = "".join(
            f"<item{pair('n', name)}>{escaped(str(value))}</item>"
            for name, value in product.items()
        )
        yield f'<notesStmt><note type="product"><list>{items}</list></note></notesStmt>\n'
    yield f"<sourceDesc><bibl>{title}"
    if source := known.get("original_source"):
        yield _element("publisher", source)
    for address in dict.fromkeys((known.get("canonical", ""), url)):
        if address and (target := pointer(address)):
            yield f"<ptr{pair('target', target)}/>"
    yield "</bibl></sourceDesc>\n</fileDesc>\n"
    yield "<encodingDesc><p>Main content of a web page, found by Chaffinch.</p></encodingDesc>\n"
    yield from _profile(known)


def _profile(known: Mapping[str, Any]) -> Iterator[str]:
    parts = []
    if description := known.get("description"):
        parts.append(f"<abstract>{_element('p', description)}</abstract>")
    if language := known.get("language"):
        parts.append(f"<langUsage><language{pair('ident', language)}/></langUsage>")
    terms = [
        f"<keywords{pair('n', name)}>{''.join(_element('term', one) for one in known[name])}"
        "</keywords>"
        for name in ("categories", "tags")
        if known.get(name)
    ]
    if terms:
        parts.append(f"<textClass>{''.join(terms)}</textClass>")
    if parts:
        yield f"<profileDesc>{''.join(parts)}</profileDesc>\n"


def _element(name: str, text: str) -> str:
    return f"<{name}>{escaped(' '.join(text.split()))}</{name}>"
