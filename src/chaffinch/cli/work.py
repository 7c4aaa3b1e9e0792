"""What is done to pages: how content is found, one page as a task, many pages through it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

import click

from chaffinch.assessment import shell
from chaffinch.caching import cached_property
from chaffinch.cli.options import Option, made, of_field, read_names, read_settings
from chaffinch.cli.outputs import FORMS, PageResult, StandardOutput, Target
from chaffinch.cli.pages import Reading, Source
from chaffinch.cli.site_pages import Beside, Siblings, read_siblings, require_siblings
from chaffinch.cli.streams import bug_line, print_error, print_note, progress
from chaffinch.decision.policy import Policy
from chaffinch.errors import PageError, SetupError, UnwantedPageError
from chaffinch.extraction import article_parts
from chaffinch.extraction.extract import PageFilter, extract
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import prepare_method
from chaffinch.lazy import lazy_module
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.output.options import OutputOptions
from chaffinch.page import Page, PageInput
from chaffinch.page.bounds import Limits
from chaffinch.page_work import PageWork
from chaffinch.site import site as sites
from chaffinch.verdict import Method, Verdict
from chaffinch.workers.pool import in_order

baselines = lazy_module("chaffinch.evaluate.baselines")
process = lazy_module("concurrent.futures.process")

FAILED: Final = 1
EMPTY: Final = 3
"""Exit codes: some page failed; none failed and none had content."""
FAVORS: Final = ("balanced", "precision", "recall")

WORKERS: Final = Option(
    "-w", "--workers", type=click.IntRange(min=1), default=1, metavar="N", heading="Work",
    help="Processes to use.",
)  # fmt: skip
POLICY: Final = (
    Option(
        "--favor", type=click.Choice(FAVORS), heading="What counts as content",
        help="Less noise (precision) or less missed (recall); default: balanced.",
    ),
    *(
        # --tables sets how tables are shown.
        of_field(
            Policy, one.name, "--data-tables" if one.name == "tables" else f"--{one.name}",
            heading="What counts as content",
        )
        for one in fields(Policy)
    ),
)  # fmt: skip
NAMED_METHOD: Final = (
    Option(
        "-m", "--method", default="auto", metavar="NAME",
        help="How the content is found; see 'chaffinch methods'.",
    ),
    Option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", reads=read_settings,
        heading="Method", help="A setting of the method, its value as in TOML; may be repeated.",
    ),
    *POLICY,
)  # fmt: skip
"""Options that name a method for single pages, and set what is content."""
SIBLINGS: Final = Option(
    "--siblings", multiple=True, metavar="DIR|FILE", heading="Method",
    help="Other pages of the site, for methods that compare: folders, pages, archives, JSON lines; "
    "may be repeated. 'auto' of 'extract' finds and fetches some.",
)  # fmt: skip
METHOD: Final = (
    *NAMED_METHOD,
    Option(
        "--site", "site_model", metavar="MODEL|DIR", type=click.Path(),
        help="A site model that 'chaffinch learn' made, in place of a method; or a folder of "
        "them, one a host.",
    ),
    SIBLINGS,
    Option(
        "--keep", multiple=True, metavar="CSS", heading="What counts as content",
        help="What a selector matches is content in any case; may be repeated.",
    ),
    Option(
        "--drop", multiple=True, metavar="CSS", heading="What counts as content",
        help="What a selector matches is noise in any case; stronger than --keep; may be repeated.",
    ),
)  # fmt: skip
"""Options that set how content is found."""
LANGUAGE: Final = of_field(
    PageFilter, "languages", "--language", metavar="CODES", reads=read_names,
    heading="Which pages",
)  # fmt: skip
URL_BLACKLIST: Final = of_field(PageFilter, "url_blacklist", metavar="URL", heading="Which pages")
FILTER: Final = (
    LANGUAGE,
    of_field(PageFilter, "only_with_metadata", heading="Which pages"),
    URL_BLACKLIST,
    Option(
        "--author-blacklist", multiple=True, metavar="NAME", heading="Which pages",
        help="A name that is no author's, such as an agency's; may be repeated.",
    ),
)  # fmt: skip
"""Options that set which pages are wanted at all."""


def policy_of(given: Mapping[str, Any]) -> dict[str, bool] | None:
    """Return what is to count as content and what not, by field of `Policy`; None for nothing."""
    values = {one.name: given.get(f"Policy__{one.name}") for one in fields(Policy)}
    return {name: value for name, value in values.items() if value is not None} or None


def require_page_level(option: str, given: Mapping[str, Any]) -> None:
    """Check that nothing is set that belongs to the default method for single pages."""
    if given["settings"]:
        raise click.UsageError(f"{option} goes without --set")
    if given["favor"] is not None:
        raise click.UsageError(f"{option} goes without --favor")


@dataclass(frozen=True, kw_only=True)
class PageTask:
    """Extracts a page and renders it: data that can be sent to worker processes."""

    form: str  # a name of `FORMS`
    shown: OutputOptions = field(default_factory=OutputOptions)  # what outputs show of the content
    # a name, a site model or another callable, as `chaffinch.extract` takes it
    method: str | Callable[[Page], Verdict] = "auto"
    # of the method: favor, policy, settings
    options: Mapping[str, Any] = field(default_factory=dict)
    siblings: Siblings = field(default_factory=Siblings)  # other pages of the site
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    wanted: PageFilter = field(default_factory=PageFilter)  # which pages are wanted
    author_blacklist: tuple[str, ...] = ()
    limits: Limits

    @classmethod
    def of(cls, form: str, given: Mapping[str, Any], reading: Reading) -> PageTask:
        method = given["method"]
        name = DEFAULT if method == "auto" else method
        if name not in METHODS and name in baselines.BASELINES:
            raise click.UsageError(
                f"{method} is another tool, not a method: 'chaffinch compare -m {method}' shows "
                f"what it keeps, 'chaffinch evaluate -m {method}' measures it"
            )
        require_siblings(name, given["siblings"], given["settings"])
        site = _site_of(given)
        task = cls(
            form=form,
            shown=made(OutputOptions, given),
            method=site or method,
            options={
                "favor": given["favor"],
                "policy": policy_of(given),
                "settings": given["settings"] or None,
            },
            siblings=read_siblings(given["siblings"], reading),
            keep=tuple(given["keep"]),
            drop=tuple(given["drop"]),
            wanted=made(PageFilter, given),
            author_blacklist=tuple(given.get("author_blacklist", ())),
            limits=reading.limits,
        )
        task.check()
        if site is not None:
            site.clear_usage()  # the check tried it on a page of its own
        return task

    def check(self) -> None:
        """Raise where no page could be extracted; nothing is fetched or started for a wrong call.

        Pages have a limit of time, but not this one, for which the method is loaded.
        """
        limits = replace(self.limits, seconds=None)
        self._extract("<p>To try options on.", None, limits)

    def extract(self, source: Source) -> Extract:
        """Read and extract a page; one without a URL has that which it calls its own."""
        self.wanted.require_url(source.url)
        with PageWork("reading", self.limits.seconds):
            page = addressed(source.as_page(self.limits), later=True)
            found = self._extract(page, source.path, self.limits)
            if source.parts:
                others = [self._extract(part, None, self.limits) for part in source.parts]
                found = article_parts.join_extracts([found, *others])
            headers = source.record.headers
            found = replace(found, headers=headers, author_blacklist=self.author_blacklist)
            self.wanted.require(found)
        return found

    @cached_property
    def prepared(self) -> Method:
        return prepare_method(self.method, siblings=self.siblings.pages, **self.options)

    def _extract(self, page: PageInput, path: Path | None, limits: Limits) -> Extract:
        method = self.prepared
        if self.siblings.pages:
            method = Beside(method, self.siblings, path)
        return extract(page, method=method, keep=self.keep, drop=self.drop, limits=limits)

    def __call__(self, source: Source) -> PageResult:
        done = replace(source.having(html=b"", headers=()), page=None, parts=())
        try:
            found = self.extract(source)
            form = FORMS[self.form]
            outputs = tuple(form.render(found, self.shown, source))
            missing = form.missing(found)
            if missing and shell.needs_browser(found.page):
                missing += "; its scripts build it: try --render auto"
            elif missing and (frames := found.page.having("src", found.page.is_tag("frame"))):
                missing += "; it is a set of frames: " + ", ".join(src for _, src in frames)
            return PageResult(done, "empty" if missing else "full", missing, outputs)
        except SetupError:
            raise
        except UnwantedPageError as error:
            return PageResult(done, "empty", f"left out: {error}")
        except PageError as error:
            return PageResult(done, "failed", str(error))
        except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
            return PageResult(done, "failed", bug_line(error))


def _site_of(given: Mapping[str, Any]) -> Any:
    if given.get("site_model") is None:
        return None
    if given["method"] != "auto" or given["siblings"]:
        raise click.UsageError("--site goes without --method and --siblings")
    require_page_level("--site", given)
    return sites.load_site(given["site_model"])


def report_changes(task: PageTask, given: Mapping[str, Any]) -> None:
    """Report on standard error what has changed since the site model, if any, was learned.

    Pages that worker processes took aren't counted.
    """
    if given["site_model"] is None:
        return
    site: Any = task.method
    for finding in site.named_findings():
        print_note(finding)


def extract_of(name: str, given: Mapping[str, Any]) -> Extract:
    """Return the extract of the one page that is named: by a URL, a file or ``-``."""
    reading = Reading.of(given)
    task = PageTask.of("json", given, reading)
    try:
        found = task.extract(reading.one(name))
    except PageError as error:
        raise PageError(f"{name}: {error}") from error
    report_changes(task, given)
    return found


# --- Many pages -------------------------------------------------------------------------------


def work_through(
    sources: Sequence[Source], task: PageTask, where: Target, reading: Reading, *, workers: int = 1
) -> int:
    """Work through ``sources`` and return the exit code.

    URLs are fetched, and pages rendered, one after the other by this process, whatever ``workers``
    is.
    """
    ready = reading.at_hand(sources)
    results = in_order(task, ready, workers=workers)
    # Archives hold any number of pages.
    count = None if any(one.kind == "archive" for one in sources) else len(sources)
    try:
        tally = _tally(results, count, where)
    except process.BrokenProcessPool as error:
        raise click.ClickException(
            "a worker process died, perhaps for want of memory; use fewer --workers"
        ) from error
    where.close()
    if tally["failed"]:
        return FAILED
    return 0 if tally["full"] else EMPTY


def _tally(results: Iterable[PageResult], count: int | None, where: Target) -> Counter[str]:
    tally: Counter[str] = Counter()
    is_mixed = isinstance(where, StandardOutput) and sys.stdout.isatty()
    of = "" if count is None else f"/{count}"
    with progress(is_wanted=count != 1 and not is_mixed) as draw:
        for result in results:
            outcome, said = result.outcome, result.said
            if result.outputs is not None:
                try:
                    where.write(result)
                except PageError as error:
                    outcome, said = "failed", str(error)
            if said and draw is not None:
                draw("")
            if outcome == "failed":
                print_error(f"{result.source.name}: {said}")
            elif said:
                print_note(f"{result.source.name}: {said}")
            tally[outcome] += 1
            if draw is not None:
                draw(f"{tally.total()}{of} pages")
    return tally
