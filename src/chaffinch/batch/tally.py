"""Counts of the pages of shards: small, and added up in any order to those of the run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

BINS: Final = 20
"""Bins of the confidence, 0 to 1."""

_HOSTS: Final = 100  # hosts of a shard with counts of their own, those with the most pages


Uses = dict[str, dict[str, dict[str, float]]]
"""Host → template of its model ("" for none) → sums of `chaffinch.site.model.TemplateUse`."""


@dataclass
class Tally:
    """Counts of the pages of a shard or a run; its field names are stored in markers.

    Attributes:
        rows: rows written, those with errors included.
        bytes: of HTML processed.
        seconds: of processing in children.
        peak: largest resident size of a child, KiB.
        errors: rows by kind of error.
        skipped: records that are no page, by reason.
        left_out: pages that the recipe excludes, by reason.
        truncated: pages by why they aren't whole.
        languages: pages by language.
        page_types: pages by predicted type, "" for none.
        declared_types: pages by declared type, "" for none.
        methods: pages by method.
        states: pages by the state that their assessment gives, where they were assessed.
        confidence: pages by bin of their confidence, "0" to "19".
        hosts: pages by host, of each shard those with the most.
        templates: pages by "host template", of the same hosts.
        uses: counts of use of site models, of the same hosts, from which drift is computed.
    """

    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0
    peak: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    truncated: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    page_types: Counter[str] = field(default_factory=Counter)
    declared_types: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    confidence: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)
    uses: Uses = field(default_factory=dict)

    def count(self, row: Mapping[str, Any]) -> None:
        """Count a row of the output."""
        self.rows += 1
        self.hosts[row["host"]] += 1
        if row["truncated"]:
            self.truncated[row["truncated"]] += 1
        if row.get("assessment"):
            self.states[row["assessment"]["state"]] += 1
        if row["error"]:
            self.errors[row["error"]] += 1
            return
        self.languages[row.get("language") or ""] += 1
        self.page_types[row.get("page_type") or ""] += 1
        self.declared_types[row.get("declared_type") or ""] += 1
        self.methods[row.get("method") or ""] += 1
        if row.get("template"):
            self.templates[f"{row['host']} {row['template']}"] += 1
        if row.get("uses"):
            self._add_uses({row["host"]: row["uses"]})
        if row.get("confidence") is not None:
            self.confidence[str(min(BINS - 1, int(row["confidence"] * BINS)))] += 1

    def add(self, other: Self) -> None:
        """Add the counts of another tally."""
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif one.name == "uses":
                self._add_uses(theirs)
            elif one.name == "peak":
                self.peak = max(mine, theirs)
            else:
                setattr(self, one.name, mine + theirs)

    def _add_uses(self, other: Uses) -> None:
        for host, templates in other.items():
            for template, sums in templates.items():
                mine = self.uses.setdefault(host, {}).setdefault(template, {})
                for name, value in sums.items():
                    mine[name] = mine.get(name, 0) + value

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; of a long list of hosts those with the most pages."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        hosts = dict(self.hosts.most_common(_HOSTS))
        templates = {
            name: count for name, count in self.templates.items() if name.split(" ")[0] in hosts
        }
        uses = {host: found for host, found in self.uses.items() if host in hosts}
        plain = {name: dict(v) if isinstance(v, Counter) else v for name, v in values.items()}
        return {**plain, "hosts": hosts, "templates": templates, "uses": uses}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return a tally from the values of `to_dict`.

        Raises:
            ValueError: a count is none.
            LookupError, TypeError, AttributeError: they are something else.
        """
        blank = cls()
        made: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(getattr(blank, name), Counter):
                made[name] = Counter({key: _number(count) for key, count in value.items()})
            elif name == "uses":
                made[name] = {
                    host: {
                        template: {key: _number(total) for key, total in sums.items()}
                        for template, sums in templates.items()
                    }
                    for host, templates in value.items()
                }
            else:
                made[name] = _number(value)
        return cls(**made)


def _number(value: Any) -> Any:
    """Return a count or a sum.

    Raises:
        ValueError: it is no number from 0 on.
    """
    if not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"a count must be a number from 0 on, not {value!r:.80}")
    return value
