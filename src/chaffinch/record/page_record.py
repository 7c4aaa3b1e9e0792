"""The fields of a record. Their types and descriptions are the source of the published JSON schema.

A change that breaks readers (a field removed, or with another meaning) needs a new `VERSION`; an
added field doesn't.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, TypedDict

from chaffinch.assessment.assessment import Assessment
from chaffinch.citation.blocks import Block
from chaffinch.elements.parts import CodeBlock, Embed, Formula, Image
from chaffinch.lists.discussion import Post
from chaffinch.lists.entry_fields import Entry
from chaffinch.metadata import FieldValue
from chaffinch.output.article_part import ArticlePart
from chaffinch.output.chunks import Chunk
from chaffinch.reading.keywords import Keyword
from chaffinch.reading.sections import OutlineEntry

if TYPE_CHECKING:
    from chaffinch.output.table import Table

VERSION: Final = 2


class TableValues(TypedDict):
    """A table or definition list of the content."""

    kind: Annotated[
        Literal["table", "grid", "definition list"], "grid is a table made of other elements"
    ]
    caption: Annotated[str, "its caption; empty if it has none"]
    row: Annotated[int, "its row on the page"]
    headers: Annotated[int, "lines at the top that name the columns"]
    names: Annotated[list[str], "names of the columns, all different"]
    cells: Annotated[
        list[list[str]], "the text at each place, header lines included; spans have it in each"
    ]
    records: Annotated[
        list[dict[str, str]], "a line each, by names; of keys and values one record of all"
    ]


class MadeBy(TypedDict):
    """What made a record; its settings aside, two of the same have the same content for a page."""

    version: Annotated[str, "version of Chaffinch"]
    weights: Annotated[
        str | None,
        "digest of the learned weights that found the content; null where none did",
    ]


class PageRecord(TypedDict):
    """What was extracted from one page; rows are rows of the page's table, see architecture.md."""

    version: Annotated[Literal[2], "version of this schema"]
    url: Annotated[str | None, "address of the page; null if unknown"]
    file: NotRequired[
        Annotated[
            str,
            "what the command line read it from: a file, the address of a fetched page, or -",
        ]
    ]
    member: NotRequired[Annotated[str, "its name there, within an archive of files; else empty"]]
    offset: NotRequired[
        Annotated[int, "where it begins there: byte of an archive, line or row of a table, from 0"]
    ]
    title: Annotated[str | None, "title of what the page is about, without the site's name"]
    authors: Annotated[list[str] | None, "names of the authors, in the page's order"]
    published: Annotated[str | None, "when it was published: ISO 8601, a date or a time"]
    site_name: Annotated[str | None, "name of the site"]
    description: Annotated[str | None, "the page's own description"]
    language: Annotated[str | None, "primary subtag of BCP 47, such as en or zh"]
    text: Annotated[str, "the content as plain text, a line a block; empty for no content"]
    markdown: Annotated[str, "the content as Markdown (CommonMark with GFM tables)"]
    method: Annotated[str, "name of the method that found it"]
    made_by: Annotated[MadeBy, "what made this record"]
    page_type: Annotated[str | None, "kind of page that the method takes it for; null for none"]
    confidence: Annotated[
        float | None,
        "word F1 that the method expects of the text, 0..1; null where it expects none",
    ]
    source: Annotated[
        str | None, "where in the page's data the content is; null where it is in its rows"
    ]
    notes: Annotated[
        dict[str, Any], "what else the method found: the fields of its notes; empty for nothing"
    ]
    encoding: Annotated[str | None, "encoding of the page's bytes; null if it was given as text"]
    article_parts: NotRequired[
        Annotated[list[ArticlePart], "the pages that an article in parts was joined of, in order"]
    ]
    metadata: NotRequired[
        Annotated[
            dict[str, FieldValue[Any] | None],
            "every field of metadata with where it came from; the value of product has fields of "
            "its own, each in this form",
        ]
    ]
    outline: NotRequired[
        Annotated[list[OutlineEntry], "the headings of the content, and the sizes below them"]
    ]
    assessment: NotRequired[
        Annotated[Assessment, "whether the page is content, or a wall or an error in its place"]
    ]
    blocks: NotRequired[Annotated[list[Block], "where on the page each block of the text is from"]]
    chunks: NotRequired[Annotated[list[Chunk], "the content cut along its headings"]]
    html: NotRequired[Annotated[str, "the content as clean HTML"]]
    images: NotRequired[Annotated[list[Image], "the images of the content, in order"]]
    tables: NotRequired[Annotated[list[TableValues], "the tables of the content, in order"]]
    code_blocks: NotRequired[Annotated[list[CodeBlock], "the blocks of code, in order"]]
    formulas: NotRequired[Annotated[list[Formula], "the formulas of the content, in order"]]
    embeds: NotRequired[
        Annotated[list[Embed], "the videos, sounds and frames of the content, in order"]
    ]
    posts: NotRequired[Annotated[list[Post], "the posts of the page's discussion, kept or not"]]
    comments: NotRequired[
        Annotated[list[Post], "those of the posts that readers wrote below the text, in order"]
    ]
    keywords: NotRequired[
        Annotated[list[Keyword], "words and phrases of the text that characterize it, best first"]
    ]
    records: NotRequired[Annotated[list[Entry], "the entries of the page's lists, in order"]]


def table_values(table: "Table") -> TableValues:
    """Return a table as plain values."""
    return {
        "kind": table.kind,
        "caption": table.caption,
        "row": table.row,
        "headers": table.headers,
        "names": table.names,
        "cells": table.texts,
        "records": table.records(),
    }
