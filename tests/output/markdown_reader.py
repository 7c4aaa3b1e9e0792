"""Markdown of a fragment, and how a reader of CommonMark takes it."""

import re

from markdown_it import MarkdownIt
from output_pages import content_of

from chaffinch.output import markdown
from chaffinch.output.options import OutputOptions

READER = MarkdownIt("commonmark", {"maxNesting": 2000}).enable(["table", "strikethrough"])


def written(html, **options):
    options = OutputOptions(**options)
    return markdown.render(content_of(html, url="https://example.org/d/p.html"), options=options)


def bare(source):
    return re.sub(r"\s+", "", source)


def outline(source):
    """The read-back structure: nested names of blocks, as (depth, name, text)."""
    out = []
    depth = 0
    for token in READER.parse(source):
        depth += min(token.nesting, 0)
        if token.type == "inline":
            name, _ = out[-1][1], out.pop()
            out.append((depth - 1, name, _words(token)))
        elif token.nesting == 1 and token.type not in ("thead_open", "tbody_open"):
            out.append((depth, token.tag, ""))
        elif token.nesting == 0:
            out.append((depth, token.tag, token.content))
        depth += max(token.nesting, 0)
    return out


def _words(token):
    return "".join(
        "\n" if child.type == "hardbreak" else child.content
        for child in token.children
        if child.type != "html_inline"
    )
