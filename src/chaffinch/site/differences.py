"""What differs between two models of one site, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.page_sketch import likeness
from chaffinch.site.slot_paths import slot_paths
from chaffinch.site.template_leaders import SAME_TEMPLATE
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.page.arrays import Mask
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_SHIFT: Final = 0.1
"""Least change of a share that is reported."""
_SAME_TEXTS: Final = 0.3
"""Share of the texts that returned in a removed template only, from which a new template that holds
them is reported as the same one, rebuilt."""
_LONGEST: Final = 3
"""Slots that a line names."""
_MOVED: Final = 3.0
"""Least change of a slot's mean log-odds, across zero, that is counted."""


def differences(before: SiteModel, after: SiteModel) -> list[str]:
    """Return what changed from one model to the other, a line each; [] for nothing.

    Templates are paired by the Jaccard similarity of their sketches. A template that is gone and a
    new one that holds many of its returning texts are reported as the same one, rebuilt.
    """
    out = list(_versions(before, after))
    out += _rule_changes(before.rules, after.rules, "all pages")
    pairs = _paired(before, after)
    met = {id(two) for _, two in pairs if two is not None}
    gone = [one for one, two in pairs if two is None]
    names = slot_paths(before) | slot_paths(after)
    for one, two in pairs:
        if two is None:
            out.append(f"template {one.name} is gone ({counted(one.pages, 'page')} before)")
        else:
            out += _changes(one, two, names)
    for template in after.templates:
        if id(template) not in met:
            out.append(f"template {template.name} is new ({counted(template.pages, 'page')})")
            out += _rebuilt(template, gone, before)
    return out


def _versions(before: SiteModel, after: SiteModel) -> Iterator[str]:
    if before.name != after.name:
        yield f"site: {before.name or 'unknown'} became {after.name or 'unknown'}"
    if before.mode != after.mode:
        yield f"mode: {before.mode} became {after.mode}"
    old, new = ({one.date: one.pages for one in site.history} for site in (before, after))
    for date in sorted(old.keys() | new.keys()):
        if old.get(date) != new.get(date):
            counts = f"{counted(new.get(date, 0), 'page')}, not {old.get(date, 0)}"
            yield f"learned on {date or 'no date'}: {counts}"


def _rebuilt(template: Template, gone: Sequence[Template], before: SiteModel) -> Iterator[str]:
    """Yield which of the templates that are gone a new one corresponds to.

    Menus and footers stand on all templates of a site: only texts of a single template count.
    """
    for one in gone:
        others = [other.texts.hashes[1] for other in before.templates if other is not one]
        returned = one.texts.hashes[1][one.texts.counts[1] > 1]
        returned = returned[~np.isin(returned, np.concatenate([*others, returned[:0]]))]
        share = float(np.isin(returned, template.texts.hashes[1]).mean()) if len(returned) else 0.0
        if share >= _SAME_TEXTS:
            yield (
                f"template {template.name} holds {share:.0%} of the texts that returned in "
                f"{one.name} alone: the same one, rebuilt"
            )


def _paired(before: SiteModel, after: SiteModel) -> list[tuple[Template, Template | None]]:
    """Pair templates by likeness, the most similar first."""
    if not before.templates or not after.templates:
        return [(template, None) for template in before.templates]
    sketches = np.stack([template.sketch for template in after.templates])
    alike = np.stack([likeness(one.sketch, sketches) for one in before.templates])
    found: dict[int, int] = {}
    for flat in np.argsort(-alike, axis=None, kind="stable").tolist():
        one, two = divmod(flat, len(after.templates))
        if alike[one, two] < SAME_TEMPLATE:
            break
        if one not in found and two not in found.values():
            found[one] = two
    return [
        (template, after.templates[found[number]] if number in found else None)
        for number, template in enumerate(before.templates)
    ]


def _changes(before: Template, after: Template, names: Mapping[int, str]) -> Iterator[str]:
    here = f"template {before.name}"
    if before.name != after.name:
        yield f"{here} is called {after.name} now"
    if before.pages != after.pages:
        yield f"{here}: learned from {counted(after.pages, 'page')}, not {before.pages}"
    for wording, old, new in (
        ("of the text is content", before.kept, after.kept),
        ("of the site's pages", before.share, after.share),
        ("likeness of its pages", before.likeness, after.likeness),
    ):
        if abs(new - old) > _SHIFT:
            yield f"{here}: {new:.0%} {wording}, not {old:.0%}"
    yield from _rule_changes(before.rules, after.rules, here)
    yield from _slot_changes(before, after, here, names)


def _rule_changes(before: Sequence[Rule], after: Sequence[Rule], here: str) -> Iterator[str]:
    old = {(rule.kind, rule.select): rule for rule in before}
    new = {(rule.kind, rule.select): rule for rule in after}
    lost = [rule for key, rule in old.items() if key not in new]
    won = [rule for key, rule in new.items() if key not in old]
    for rule in lost:
        heirs = [one for one in won if one.kind == rule.kind]
        if len(heirs) == 1 == len([one for one in lost if one.kind == rule.kind]):
            won.remove(heirs[0])
            yield f"{here}: {rule.kind} {rule.select} became {heirs[0].select}{_by(heirs[0])}"
        else:
            yield f"{here}: no longer {rule.kind} {rule.select}{_by(rule)}"
    for rule in won:
        yield f"{here}: now {rule.kind} {rule.select}{_by(rule)}"
    for key in (key for key in old if key in new):
        one, two = old[key], new[key]
        subject = f"{here}: {two.kind} {two.select} is"
        if one.by_hand != two.by_hand:
            yield f"{subject} {'by hand' if two.by_hand else 'learned'} now"
        elif abs(one.confidence - two.confidence) > _SHIFT:
            yield f"{subject} {two.confidence:.0%} sure, not {one.confidence:.0%}"


def _by(rule: Rule) -> str:
    return " (by hand)" if rule.by_hand else ""


def _slot_changes(
    before: Template, after: Template, here: str, names: Mapping[int, str]
) -> Iterator[str]:
    """Yield which slots changed between content and noise, and the share of text in other slots."""
    at = after.slots.indices(before.slots.slots)
    both = at >= 0
    old, new = before.slots.log_odds[both], after.slots.log_odds[at[both]]
    far = np.abs(old - new) >= _MOVED
    for wording, changed in (
        ("from noise to content", far & (old < 0) & (new >= 0)),
        ("from content to noise", far & (old >= 0) & (new < 0)),
    ):
        slots = before.slots.slots[both][changed].tolist()
        if slots:
            named = [names[slot] for slot in slots if slot in names][:_LONGEST]
            such = f", such as {'; '.join(named)}" if named else ""
            count = f"{len(slots)} place{'s' * (len(slots) > 1)}"
            yield f"{here}: {count} turned {wording}{such}"
    lost = _text_in(before, ~both)
    won = _text_in(after, before.slots.indices(after.slots.slots) < 0)
    if max(lost, won) > _SHIFT:
        yield f"{here}: {lost:.0%} of the text stood in places that are gone, {won:.0%} in new ones"


def _text_in(template: Template, chosen: Mask) -> float:
    """Return the share (0..1) of a template's text in some of its slots, bool[s]."""
    length = template.slots.blocks * template.slots.length
    return float(length[chosen].sum() / max(float(length.sum()), 1.0))
