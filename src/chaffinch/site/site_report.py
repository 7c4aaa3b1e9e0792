"""Report of a site model: templates, rules, returning texts, drift."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from chaffinch.site.page_groups import group_words
from chaffinch.site.report_page import as_html
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template


@dataclass(frozen=True, eq=False)
class SiteReport:
    """A report of a site model."""

    site: SiteModel

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
        site = self.site
        return {
            "site": site.name,
            "mode": site.mode,
            "learned": [asdict(one) for one in site.history],
            "title_boilerplate": list(site.title_boilerplate),
            "rules": [asdict(rule) for rule in site.rules],
            "templates": [_values(template) for template in site.templates],
            "usage": site.uses.to_dict(),
            "findings": site.findings(),
        }

    def to_text(self) -> str:
        """Return the report as lines of text."""
        site = self.site
        times = ", ".join(
            f"{counted(one.pages, 'page')} on {one.date or 'no date'}" for one in site.history
        )
        learned = f", learned from {times}" if times else ""
        lines = [f"{site.name or 'site'}: {counted(len(site.templates), 'template')}{learned}"]
        if site.title_boilerplate:
            lines.append(f"  left out of titles: {'; '.join(site.title_boilerplate)}")
        if site.rules:
            lines += ["", "on all pages:", *_rule_lines(site.rules)]
        for template in site.templates:
            lines += ["", *_lines(template)]
        if site.findings():
            lines += ["", "changed since:", *(f"  {one}" for one in site.findings())]
        return "\n".join(lines)

    def to_html(self, pages: Iterable[Page] = ()) -> str:
        """Return the report as a page that needs nothing else: no scripts, no resources.

        Args:
            pages: pages of the site, taken one by one: of each template the one that the model
                names as its example, or else the most similar one, is drawn as a heat map.
        """
        return as_html(self.site, pages)


def _values(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "pages": template.pages,
        "share": template.share,
        "page": template.page,
        "likeness": template.likeness,
        "kept": template.kept,
        "in_doubt": bool(template.doubt),
        "signs": list(template.signs),
        "rules": [asdict(rule) for rule in template.rules],
        "slots": len(template.slots),
        "returning_texts": template.returning(2),
        "groups": [{"name": name, "pages": group.pages} for name, group in template.groups.items()],
    }


def _lines(template: Template) -> list[str]:
    pages, texts = counted(template.pages, "page"), counted(template.returning(2), "returning text")
    lines = [f"{template.name}: {pages} ({template.share:.0%} of the site)"]
    lines[0] += f", {template.kept:.0%} of the text is content, {texts}"
    if template.page:
        lines.append(f"  such as {template.page}")
    if not template.usable and not template.rules:
        lines.append("  too few pages: the page-level default answers")
    elif template.doubt:
        lines.append(f"  in doubt: {template.doubt}; in place of its rules the full model answers")
    if template.groups:
        apart = (f"{group_words(name)} ({own.pages})" for name, own in template.groups.items())
        lines.append(f"  pages read apart: {'; '.join(apart)}")
    return lines + _rule_lines(template.rules)


def _rule_lines(rules: Sequence[Rule]) -> list[str]:
    width = max((len(rule.kind) for rule in rules), default=0)
    origins = (
        "by hand" if rule.by_hand else f"{counted(rule.support, 'page')}, {rule.confidence:.0%}"
        for rule in rules
    )
    return [
        line
        for rule, origin in zip(rules, origins, strict=True)
        for line in (
            f"  {rule.kind:{width}}  {rule.select}  ({origin})",
            *([f"  {'':{width}}    {_example(rule)}"] if rule.example else ()),
        )
    ]


def _example(rule: Rule) -> str:
    where = f" on {rule.example_page}" if rule.example_page else ""
    return f"«{rule.example}»{where}"
