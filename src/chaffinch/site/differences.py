"""What differs between two models of one site, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.layout import likeness
from chaffinch.site.templates import LIKE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.site.learning import Template
    from chaffinch.site.site import Site

_SHIFT: Final = 0.1
"""Change of a share that is worth a line."""
_MOVED: Final = 3.0
"""Change of a slot's mean log-odds, across zero, that is worth counting."""


def differences(before: Site, after: Site) -> list[str]:
    """Return what changed from one model to the other, a line each; [] for nothing."""
    out = []
    if before.name != after.name:
        out.append(f"site: {before.name or 'unknown'} became {after.name or 'unknown'}")
    pairs = _paired(before, after)
    met = {id(two) for _, two in pairs if two is not None}
    for one, two in pairs:
        if two is None:
            out.append(f"template {one.name} is gone ({one.pages} pages before)")
        else:
            out += _changes(one, two)
    out += [
        f"template {template.name} is new ({template.pages} pages)"
        for template in after.templates
        if id(template) not in met
    ]
    return out


def _paired(before: Site, after: Site) -> list[tuple[Template, Template | None]]:
    """Pair templates by how alike they are built, the most alike first."""
    if not before.templates or not after.templates:
        return [(template, None) for template in before.templates]
    layouts = np.stack([template.layout for template in after.templates])
    alike = np.stack([likeness(one.layout, layouts) for one in before.templates])
    found: dict[int, int] = {}
    for place in np.argsort(-alike, axis=None, kind="stable").tolist():
        one, two = divmod(place, len(after.templates))
        if alike[one, two] < LIKE:
            break
        if one not in found and two not in found.values():
            found[one] = two
    return [
        (template, after.templates[found[number]] if number in found else None)
        for number, template in enumerate(before.templates)
    ]


def _changes(before: Template, after: Template) -> Iterator[str]:
    here = f"template {before.name}"
    if before.name != after.name:
        yield f"{here} is called {after.name} now"
    if before.pages != after.pages:
        yield f"{here}: learned from {after.pages} pages, not {before.pages}"
    if abs(after.kept - before.kept) > _SHIFT:
        yield f"{here}: {after.kept:.0%} of the text is content, not {before.kept:.0%}"
    if abs(after.share - before.share) > _SHIFT:
        yield f"{here}: {after.share:.0%} of the site's pages, not {before.share:.0%}"
    yield from _rule_changes(before, after, here)
    moved = _moved(before, after)
    if moved:
        yield f"{here}: {moved} places turned from content to noise, or back"


def _rule_changes(before: Template, after: Template, here: str) -> Iterator[str]:
    old = {(rule.kind, rule.select): rule for rule in before.rules}
    new = {(rule.kind, rule.select): rule for rule in after.rules}
    for (kind, select), rule in old.items():
        if (kind, select) not in new:
            yield f"{here}: no longer {kind} {select}"
        elif rule.by_hand != new[kind, select].by_hand:
            who = "by hand" if new[kind, select].by_hand else "learned"
            yield f"{here}: {kind} {select} is {who} now"
    for (kind, select), rule in new.items():
        if (kind, select) not in old:
            yield f"{here}: now {kind} {select}{' (by hand)' if rule.by_hand else ''}"


def _moved(before: Template, after: Template) -> int:
    """Return how many slots changed sides."""
    at = after.slots.places(before.slots.slots)
    both = at >= 0
    old, new = before.slots.log_odds[both], after.slots.log_odds[at[both]]
    return int(((np.sign(old) != np.sign(new)) & (np.abs(old - new) >= _MOVED)).sum())
