"""The extract of one page, the main object of the public interface.

An Extract is a page with a verdict; text, Markdown, metadata and the rest are made on first use,
each within the limits of the extract.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, TypeVar

from chaffinch import kernels, metadata, record
from chaffinch.assessment import assessment
from chaffinch.caching import cached_property
from chaffinch.decision import discussions, policy_parts
from chaffinch.elements import listed
from chaffinch.errors import OptionError, require_flag, require_whole
from chaffinch.extraction import plan
from chaffinch.lists import discussion, entries, labelled
from chaffinch.model import method_confidence
from chaffinch.output import html, markdown, table_forms, tei, text, whole_page
from chaffinch.output.options import OutputOptions
from chaffinch.page import tags
from chaffinch.page_work import PageWork, begin_stage
from chaffinch.reading import blocks, difference, quotes, reader
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings import pagination
from chaffinch.verdict import ArticlePart
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from chaffinch.assessment.assessment import Assessment
    from chaffinch.decision.policy import Policy
    from chaffinch.elements.listed import CodeBlock, Embed, Formula, Image
    from chaffinch.kernels.arrays import Floats, Mask, Reasons
    from chaffinch.lists.discussion import Post
    from chaffinch.lists.entry_fields import Entry
    from chaffinch.metadata import FieldValue, Metadata
    from chaffinch.output.table_forms import Table
    from chaffinch.page import Page
    from chaffinch.page.bounds import Limits
    from chaffinch.reading.blocks import Block, Link
    from chaffinch.reading.difference import Difference
    from chaffinch.reading.quotes import Passage, Status
    from chaffinch.reading.reader import Chunk, Document, OutlineEntry
    from chaffinch.reading.tokens import TokenCounter
    from chaffinch.record import MadeBy
    from chaffinch.verdict import Content, Method, Notes

_SHOWN: Final = ("links", "images", "tables", "emphasis", "rows", "posts")
"""Options that Markdown differs by."""
Given = ParamSpec("Given")
Made = TypeVar("Made")


def limited(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate a method of an Extract that makes an output: each call has the whole ``seconds``.

    An output that needs another one makes it within its own time.
    """
    stage = make.__name__

    @wraps(make)
    def within(*args: Given.args, **options: Given.kwargs) -> Made:
        extract: Any = args[0]
        limits: Limits | None = extract.limits
        with PageWork(stage, None if limits is None else limits.seconds):
            return make(*args, **options)

    return within


def made_once(make: Callable[[Any], Made]) -> cached_property[Made]:
    """Decorate a method of an Extract that makes an output without options, and keep that."""
    return cached_property(limited(make))


class Headed(NamedTuple):
    """A title and the content below it, for outputs with headings: once, and nowhere else in them.

    Attributes:
        title: the heading; "" for none.
        body: the content without the rows that are the title.
        has_row: whether there are such rows among the kept ones.
    """

    title: str
    body: Content
    has_row: bool = False


def _headed(content: Content, title: FieldValue[str] | None, *, headline: bool | None) -> Headed:
    """Return the content with its title apart; there is none without content.

    ``headline`` is False for no heading; see `chaffinch.Policy`.
    """
    if title is None or not content:
        return Headed("", content)
    above = "" if headline is False else title.value
    page, keep = content.page, content.verdict.keep
    of_page = text_blocks(page)
    heads = kernels.nearest(page.parent, tags.HEADING.take(page.tag))
    among = heads.take(of_page.first) >= 0  # what is dropped in no heading heads nothing
    kept = of_page.block[keep]
    among[kept[kept >= 0]] = True
    rows = of_page.spread(policy_parts.of_title(of_page, title, among))
    marked, around = rows.copy(), heads[rows]
    marked[around[around >= 0]] = True  # all of the headings that it stands in
    rows = (rows | page.inside(marked)) & keep
    if not rows.any():
        return Headed(above, content)
    return Headed(above, replace(content, verdict=content.verdict.with_keep(keep & ~rows)), True)


def _opener(content: Content) -> tuple[str, int, str] | None:
    """Return who wrote the first post of a page, the row of that, and its date.

    None for a comment below what is kept.
    """
    first = next(iter(discussion.whole_thread(content.page)), None)
    above = (content.kept & content.page.written)[: first.rows[0] if first else 0]
    if first is None or (first.kind == "comment" and above.any()):
        return None
    return first.author, first.rows[0], first.date


@dataclass(frozen=True, eq=False, repr=False)
class Extract:
    """The main content extracted from one page, and what was dropped.

    Attributes:
        content: the page and the verdict on it. Where the content is only in the JSON-LD or
            embedded state of the page that was given, this is a page made of that, all of it kept.
        method: name of the method.
        replaced: where `content` is a page made of data, the page that was given with the verdict
            on its rows, which keeps those whose text is also in the content; else None.
        headers: of the HTTP response that had the page, as far as they are known; metadata read the
            opt-outs among them.
        headline: whether the headline is in the text. None: the title is a heading of level 1 at
            the head of Markdown, HTML and the first chunk, and not in the text; False: nowhere.
        limits: those that the page was extracted with; their ``seconds`` are each output's, too.
        article_parts: the pages it was joined of, in order; empty for one page by itself.
        found_by: the method itself, which `explain` calls; None where it isn't at hand, as in
            another process than the one that extracted: it isn't pickled, since a site's model may
            be bigger than the page.
        author_blacklist: names that are no author's, as they were given to `extract`.
    """

    content: Content
    method: str
    replaced: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    headline: bool | None = None
    limits: Limits | None = None
    article_parts: tuple[ArticlePart, ...] = ()
    found_by: Method | None = None
    author_blacklist: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        method: Method,
        page: Page,
        name: str,
        *,
        forced: Reasons | None = None,
        limits: Limits | None = None,
    ) -> Extract:
        """Return the extract of a parsed page by a method.

        Args:
            method: the method.
            page: the page.
            name: of the method, as the extract has it.
            forced: int8[n], rows that a caller selects, as of `Verdict`; None for none.
            limits: of the extract's outputs.
        """
        content, replaced = plan.decided(method, page, forced)
        own = {"headline": method.headline, "limits": limits, "found_by": method}
        return cls(content, name, replaced, **own)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        kept = int(self.page.own_length[self.content.kept].sum())
        return f"<Extract by {self.method}: {kept} characters of {self.in_rows.page!r}>"

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"found_by": None}

    def __bool__(self) -> bool:
        """Return whether any content was found."""
        return bool(self.content)

    @property
    def page(self) -> Page:
        """The page as a table: that of `keep`, `score`, `why` and all rows that outputs name."""
        return self.content.page

    @property
    def given(self) -> Page | None:
        """The page as it was given, where `page` was made of its data; None if they are one."""
        return None if self.replaced is None else self.replaced.page

    @property
    def in_rows(self) -> Content:
        """The page as it was given, with the verdict on its own rows."""
        return self.content if self.replaced is None else self.replaced

    @property
    def keep(self) -> Mask:
        """bool[n]: rows that belong to the content."""
        return self.content.verdict.keep

    @property
    def score(self) -> Floats:
        """float32[n] in 0..1: how much each row looks like content to the method."""
        return self.content.verdict.score

    @property
    def why(self) -> Reasons:
        """int8[n]: which step decided; an index into `reasons`."""
        return self.content.verdict.why

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the codes in `why`."""
        return self.content.reasons

    @property
    def url(self) -> str | None:
        """Address of the page: as it was given, else the canonical one; None for neither."""
        return self.in_rows.page.url or None

    @property
    def made_by(self) -> MadeBy:
        """The version, and the learned weights, that made this."""
        return {"version": __version__, "weights": self.content.verdict.weights}

    @property
    def page_type(self) -> str | None:
        """The page type that the method predicts; None where it predicts none.

        What the page declares is ``declared_type`` of the metadata.
        """
        return self.content.verdict.page_type

    @cached_property
    def confidence(self) -> float | None:
        """Word F1 to expect of the text, 0..1; None where nothing is known of the method.

        Made when it is requested, where the verdict has none of its own.
        """
        verdict = self.content.verdict
        if verdict.confidence is not None or self.replaced is not None:
            return verdict.confidence
        return method_confidence.expected_f1(self.content, self.method)

    @property
    def source(self) -> str | None:
        """Where in the page's data the content is; None where it is in its rows."""
        return self.content.verdict.source

    @property
    def notes(self) -> Notes | None:
        """What else the method found, in typed fields of its own; None for nothing."""
        return self.content.verdict.notes

    @limited
    def redecide(
        self, *, favor: str | None = None, policy: Policy | Mapping[str, bool | None] | None = None
    ) -> Extract:
        """Return the extract of the same page by another favour or policy.

        Nothing is read or parsed anew; selectors, settings and siblings stay as they were.

        Args:
            favor: as of `chaffinch.extract`; None for the one that it has.
            policy: the same; it takes the place of the one before as a whole.

        Raises:
            OptionError: the method has no favour, a value is impossible, this is an article in
                parts, or the method isn't at hand, as in another process than the one that
                extracted.
        """
        if self.found_by is None:
            raise OptionError("the method isn't at hand: it doesn't leave the process it ran in")
        if self.article_parts:
            raise OptionError(
                "an article in parts is decided part by part: redecide each, then join"
            )
        method, given = plan.with_options(self.found_by, favor, policy), self.in_rows
        made = Extract.of(
            method, given.page, self.method, forced=given.verdict.forced, limits=self.limits
        )
        return replace(made, headers=self.headers, author_blacklist=self.author_blacklist)

    @made_once
    def metadata(self) -> Metadata:
        """Title, authors, dates and more, each with its provenance."""
        content = self.content if self.replaced is None else None
        shown = self.in_rows
        return metadata.read_metadata(
            shown.page,
            content,
            self.headers,
            roles=shown.verdict.roles,
            title_boilerplate=shown.verdict.title_boilerplate,
            author_blacklist=self.author_blacklist,
            opener=partial(_opener, shown),
        )

    @property
    def title(self) -> str:
        """The title of the content, without the site's name; "" if unknown."""
        return self.metadata.value("title") or ""

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.value("authors") or ()

    @property
    def author(self) -> str:
        """The authors' names, joined by "; "."""
        return "; ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, ISO 8601; "" if unknown."""
        return self.metadata.value("published") or ""

    @property
    def site_name(self) -> str:
        """Name of the site; "" if unknown."""
        return self.metadata.value("site_name") or ""

    @property
    def description(self) -> str:
        """The description that the page declares; "" for none."""
        return self.metadata.value("description") or ""

    @property
    def language(self) -> str:
        """BCP 47 code of the language; "" if unknown."""
        return self.metadata.value("language") or ""

    @cached_property
    def headed(self) -> Headed:
        """The title that heads outputs with headings, and the content below it."""
        title = self.metadata.title
        if title is not None and self.replaced is not None:  # its row is one of another page
            title = replace(title, row=-1)
        return _headed(self.content, title, headline=self.headline)

    @property
    def _title_is_added(self) -> bool:
        """Whether the text begins with a title that no kept row is."""
        return bool(self.headline and self.content and self.title) and not self.headed.has_row

    # Outputs

    @made_once
    def text(self) -> str:
        """The plain text of what is kept, blocks on lines of their own; "" for no content.

        With ``headline`` it begins with the title, where no kept row is the title.
        """
        body = text.render(self.content)
        return f"{self.title}\n{body}" if self._title_is_added else body

    @made_once
    def noise(self) -> str:
        """The plain text of what was dropped of the page given, blocks on lines of their own."""
        return text.render(self.in_rows.noise)

    @limited
    def difference(self, other: Extract, *, links: bool = True) -> Difference:
        """Return what of the content was added, removed and changed from this version to another.

        By its lines: navigation and advertisements that were dropped, what moved, and counters and
        dates from now that stand apart from prose don't count. Images and looks aren't compared.

        Args:
            other: the later version of the page, extracted likewise.
            links: whether a link that leads elsewhere counts, its words being the same; tracking
                keys and session ids don't.

        Raises:
            OptionError: it is no Extract.
        """
        if not isinstance(other, Extract):
            raise OptionError(f"other must be an Extract, not {type(other).__name__}")
        require_flag("links", links)
        versions = [(one.headed.body, one.title) for one in (self, other)]
        changes = difference.changes(*versions, links=links)
        return difference.Difference(self.url, other.url, tuple(changes))

    @limited
    def markdown(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as Markdown (CommonMark and GFM tables).

        Args:
            options: what is shown.
            **changes: fields of `chaffinch.OutputOptions` that differ from ``options``.

        Raises:
            OptionError: a field is unknown or its value impossible.
            PageError: the page has no such section, or more than one; the message lists them.
        """
        chosen = OutputOptions.of(options, changes)
        above = self.front_matter() if chosen.front_matter else ""
        return self._with_front_matter(self._markdown(chosen, above), chosen)

    @limited
    def outline(self, options: OutputOptions | None = None, **changes: Any) -> list[OutlineEntry]:
        """Return the content's headings with number, path, id, and size of what stands below.

        Sizes are those of Markdown, of which ``section`` gives one; arguments and errors are those
        of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        return reader.outline_of(self._document(chosen, chosen.counter))

    @limited
    def html(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as clean HTML; arguments and errors are those of `markdown`."""
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("HTML")
        return self._with_front_matter(self._fragment(chosen), chosen)

    @limited
    def plain(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return `text` with posts named, and behind front matter, where these are requested.

        Arguments are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("text")
        written = self.text
        if chosen.posts == "named":
            body = text.render(self.content, named=True)
            written = f"{self.title}\n{body}" if self._title_is_added else body
        return self._with_front_matter(written, chosen)

    @limited
    def tei(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as XML-TEI P5, its header from the metadata; "" for no content.

        Arguments and errors are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("TEI")
        about = self.metadata.to_dict(fields=metadata.FIELDS)
        return tei.render(self.content, options=chosen, about=about)

    @limited
    def front_matter(self) -> str:
        """Return the metadata as front matter (YAML between two lines of dashes)."""
        return text.front_matter({"url": self.url, **self.metadata.to_dict()})

    def _with_front_matter(self, output: str, options: OutputOptions) -> str:
        return self.front_matter() + output if options.front_matter and output else output

    @limited
    def clean(self) -> str:
        """Return the whole page as HTML, minus its noise.

        Where the content is only in the page's data, it is the body of the page given.
        """
        return whole_page.whole_page(self.content, around=self.given)

    @limited
    def chunks(
        self,
        *,
        max_length: int = 1000,
        max_tokens: int | None = None,
        counter: TokenCounter | None = None,
    ) -> list[Chunk]:
        """Cut the content for retrieval along its headings, as Markdown.

        What a chunk holds and where it is cut: `chaffinch.reading.reader`.

        Args:
            max_length: most characters of a chunk.
            max_tokens: most tokens of a chunk, in place of characters.
            counter: counts them; None for the estimate of `chaffinch.estimate_tokens`.

        Raises:
            OptionError: a value is impossible.
        """
        require_whole("max_length", max_length, 1)
        options = OutputOptions(max_tokens=max_tokens, counter=counter)
        most, counts = (max_length, len) if max_tokens is None else (max_tokens, options.counter)
        found = reader.chunks(self._document(OutputOptions(), counts), most)
        ids = blocks.block_ids(self.headed.body)
        title, url, language = self.title, self.url, self.language
        return [
            replace(one, title=title, url=url, language=language, ids=ids.within(one.rows))
            for one in found
        ]

    @limited
    def to_dict(self, options: OutputOptions | None = None, **changes: Any) -> dict[str, Any]:
        """Return url, metadata, text, Markdown and method as plain values for JSON.

        The fields are documented in `chaffinch.record.PageRecord` and published as a JSON schema
        (docs/record.schema.json, ``chaffinch extract --schema``). Those named in ``parts`` are
        added; the other arguments, and errors, are those of `markdown`.
        """
        fields = self._fields(OutputOptions.of(options, changes))
        return {name: record.plain_values(value) for name, value in fields.items()}

    def _fields(self, options: OutputOptions) -> dict[str, Any]:
        """Return what `to_dict` holds, as dataclasses where it has any."""
        if options.selects or {"outline", "chunks"}.isdisjoint(options.parts):
            written = self._markdown(options)
        else:  # which these parts need anyway
            written = self._document(options, options.counter).whole
        return {
            "version": record.VERSION,
            "url": self.url,
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": written,
            "method": self.method,
            "made_by": self.made_by,
            **self.content.verdict.facts(),
            "confidence": self.confidence,
            "encoding": self.in_rows.page.encoding,
            **({"article_parts": [*self.article_parts]} if self.article_parts else {}),
            **({"fields": own} if (own := self.fields(options.fields)) or options.fields else {}),
            **{name: self._part(name, options) for name in options.parts},
        }

    def _part(self, name: str, options: OutputOptions) -> Any:
        """Return one of `chaffinch.output.options.PARTS`."""
        begin_stage(name)
        match name:
            case "outline":
                return self.outline(options)
            case "html":
                return self._fragment(options)
            case "tables":
                return [record.table_values(one) for one in self.tables]
            case "metadata":
                return {name: self.metadata.field_dict(name) for name in metadata.FIELDS}
            case "chunks" if (most := options.chunk_tokens) is not None:
                return self.chunks(max_tokens=most, counter=options.counter)
        found = getattr(self, name)
        return found() if callable(found) else found

    def _markdown(self, options: OutputOptions, above: str = "") -> str:
        if options.selects:
            return reader.read(self._document(options, options.counter), options, above)
        return markdown.render(self.headed.body, options=options, title=self.headed.title)

    def _document(self, options: OutputOptions, counter: TokenCounter | None) -> Document:
        """Return the content as Markdown, block by block; the last one is kept.

        Who reads an outline reads sections next.
        """
        shown = tuple(getattr(options, name) for name in _SHOWN)
        found: Document | None
        last, found = vars(self).get("_last_document", (None, None))
        if found is None or last != shown:
            found = reader.document(self.headed.body, options, self.headed.title, counter)
        elif found.counter is not counter:
            found = replace(found, counter=counter)
        vars(self)["_last_document"] = shown, found
        return found

    def _fragment(self, options: OutputOptions) -> str:
        return html.render(self.headed.body, options=options, title=self.headed.title)

    @limited
    def to_json(
        self, options: OutputOptions | None = None, *, indent: int | None = None, **changes: Any
    ) -> str:
        """Return `to_dict` as JSON, Unicode kept as it is; errors are those of `markdown`."""
        if indent is not None:
            require_whole("indent", indent, 0, 80)
        return record.json_text(self._fields(OutputOptions.of(options, changes)), indent)

    # Parts

    @made_once
    def blocks(self) -> list[Block]:
        """Where on the page each block of the text came from, and where in the text it stands."""
        return blocks.blocks(self.content, self.title if self._title_is_added else "")

    @limited
    def locate(self, quote: str) -> Passage | None:
        """Return the passage of the content that a quote is from; None where it isn't there.

        An exact one where there is any, the first of several; else the most similar one.

        Args:
            quote: text, as plain text or as Markdown; it may go over several blocks.

        Raises:
            OptionError: it is no text.
        """
        title = "" if self.headed.has_row else self.title
        return quotes.locate(
            self.content, quote, title=title, url=self.url, language=lambda: self.language
        )

    def verify(self, quote: str) -> Status:
        """Return whether the content has a quote.

        ``exact``: the same in NFKC with white space folded. ``changed``: of the words of both, in
        their order, at least 0.8 are the same (twice those in common by those of both).
        ``contradicted``: so, but a number, date, name or negation is another. Else ``absent``.
        Errors are those of `locate`, which gives the place.
        """
        found = self.locate(quote)
        return "absent" if found is None else found.status

    def part_of(self, row: int) -> ArticlePart:
        """Return the part of the article that a row of `page` came from.

        Blocks, chunks, tables, images and the rest name rows, so this gives the part of each.

        Raises:
            OptionError: the page has no such row.
        """
        require_whole("row", row, 0, len(self.page) - 1)
        for part in self.article_parts[1:]:
            if part.rows[0] <= row < part.rows[1]:
                return part
        if self.article_parts:
            return self.article_parts[0]
        return ArticlePart(1, self.url, (0, len(self.page)))

    @made_once
    def next_part(self) -> str:
        """The address of a next part that the page shows and that isn't joined; "" for none."""
        known = frozenset(one.url for one in self.article_parts if one.url)
        return pagination.shown_next(self.in_rows.page, known)

    @made_once
    def links(self) -> list[Link]:
        """The links of the page given, in document order: text, address, whether in the content."""
        return blocks.links(self.in_rows)

    @made_once
    def tables(self) -> list[Table]:
        """The content's data tables and definition lists, as Markdown, HTML, CSV or records."""
        return table_forms.tables(self.content)

    @made_once
    def images(self) -> list[Image]:
        """The images of the content, in document order, with caption, credit and size."""
        return listed.images(self.content)

    @made_once
    def code_blocks(self) -> list[CodeBlock]:
        """The content's blocks of code: exact text and language."""
        return listed.code_blocks(self.content)

    @made_once
    def formulas(self) -> list[Formula]:
        """The content's formulas as TeX, where the page has it; each once."""
        return listed.formulas(self.content)

    @made_once
    def posts(self) -> list[Post]:
        """The posts of the page's discussion, kept or not; on a board with that which opens it."""
        return discussion.whole_thread(self.in_rows.page, self.page_type)

    @made_once
    def comments(self) -> list[Post]:
        """What readers wrote below the text, kept or not, in document order; [] for none.

        The posts of a thread are its content and no comments: `posts` has both.
        """
        blocks = text_blocks(self.in_rows.page)
        return discussions.posts_below(blocks, self.in_rows.verdict.keep[blocks.first], self.posts)

    @made_once
    def embeds(self) -> list[Embed]:
        """The videos, sounds and frames of the content, in document order."""
        return listed.embeds(self.content)

    @made_once
    def records(self) -> list[Entry]:
        """The entries of the lists that the page shows, each with its fields; [] for no list.

        Where a site model has rules for records, the elements that these select.
        """
        return entries.entries(self.in_rows)

    @limited
    def fields(
        self, wanted: Iterable[str] | Mapping[str, str | Iterable[str]] = ()
    ) -> dict[str, FieldValue[str]]:
        """Return name → value of fields of one's own, by the labels that they have on the page.

        First come those for which the site model has rules (``field:NAME``), wanted or not.

        Args:
            wanted: texts such as ``"isbn=ISBN,ISBN-13"`` or a label alone, or name → labels. Case,
                width and punctuation of labels don't count.

        Returns:
            Those that the page has; values in the content come before
            others. The source says by which label, and whether it stands in a table, among terms,
            in a pair of elements or in a line.

        Raises:
            OptionError: a name or a label is empty, or something else was given.
        """
        rows = self.in_rows
        by_labels = labelled.wanted_fields(wanted)
        by_rules = labelled.fields_by_rules(rows.page, rows.verdict.roles)
        if not by_labels:
            return by_rules
        return labelled.read_fields(rows.page, rows.kept, by_labels) | by_rules

    @made_once
    def assessment(self) -> Assessment:
        """Whether the page given is content at all, or a shell, a wall, an error in its place."""
        return assessment.assess_page(self.in_rows.page)

    @limited
    def explain(self) -> list[plan.Explained]:
        """Return why each text block of the page was kept or dropped, in order.

        The default, and site models, give the evidence for and against each block, and which rule
        decided. That is made now, and takes several times as long as the extraction.

        Where the content is only in the page's data, its blocks come first, then those of the
        given page that were dropped; selectors of each are of the page it is on.
        """
        method = self.found_by
        if self.replaced is None:
            return plan.explained(self.content, method)
        of_page = plan.explained(self.replaced, method)
        return [*plan.explained(self.content), *(one for one in of_page if not one.keep)]
