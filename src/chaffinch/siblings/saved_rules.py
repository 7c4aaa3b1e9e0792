"""Learned rules as JSON that people can read and edit.

The envelope names the kind and the version of the format; keys are sorted, a path and its share
are on one line. Invalid rules raise a `RulesError` that names the place.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from chaffinch.errors import OptionError, RulesError, require_between, require_whole
from chaffinch.saved_data import read_json
from chaffinch.siblings.block_rules import BlockFeatures, BlockRule, BlockRules
from chaffinch.siblings.clusters import Likeness

KIND: Final = "chaffinch cluster rules"
VERSION: Final = 1


def to_text(rules: BlockRules) -> str:
    """Return the rules as JSON; the same for the same rules."""
    likeness = rules.likeness
    envelope = {
        "kind": KIND,
        "version": VERSION,
        "site": rules.site,
        "date": rules.date,
        "pages": rules.pages,
        "alpha": rules.alpha,
        "threshold": likeness.threshold,
        "counts": likeness.counts,
        "blocks": list(likeness.blocks),
        "clusters": [_written(rule) for rule in rules.rules],
    }
    return json.dumps(envelope, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def from_text(text: str) -> BlockRules:
    """Return the rules that ``text`` holds.

    Raises:
        RulesError: it isn't JSON, of another kind or version, or something in it is missing or
            impossible.
    """
    try:
        saved = read_json(text)
    except ValueError as error:
        raise RulesError(f"the rules are not JSON: {error}") from error
    if not isinstance(saved, dict) or saved.get("kind") != KIND:
        raise RulesError(f"not a file of {KIND}")
    if saved.get("version") != VERSION:
        raise RulesError(f"rules of version {saved.get('version')!r}; this reads {VERSION}")
    try:
        require_between("alpha", saved["alpha"], 0, 10)
        likeness = Likeness(
            threshold=saved["threshold"], counts=saved["counts"], blocks=saved["blocks"]
        )
    except KeyError as error:
        raise RulesError(f"the rules lack {error}") from error
    except OptionError as error:
        raise RulesError(f"the rules are broken: {error}") from error
    clusters = _part(saved, "clusters", list, "the rules")
    return BlockRules(
        tuple(_read(one, f"cluster {number}") for number, one in enumerate(clusters)),
        likeness,
        saved["alpha"],
        _part(saved, "site", str, "the rules"),
        _part(saved, "date", str, "the rules"),
    )


def _written(rule: BlockRule) -> dict[str, Any]:
    out: dict[str, Any] = {
        "pages": rule.pages,
        "support": rule.support,
        "density": rule.density,
        "paths": dict(rule.paths),
    }
    if rule.features:
        features = rule.features
        out["content"] = {"id": features.id, "class": features.class_, "path": features.path}
    return out


def _read(saved: Any, where: str) -> BlockRule:
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is not a table")
    features = None
    if "content" in saved:
        content = _part(saved, "content", dict, where)
        named = f"content of {where}"
        features = BlockFeatures(
            *(_part(content, key, str, named) for key in ("id", "class", "path"))
        )
    paths = _part(saved, "paths", dict, where)
    for path in paths:
        _number(paths, path, where)
    pages = _count(saved, "pages", where, low=1)
    support = _count(saved, "support", where, high=pages)
    density = _number(saved, "density", where)
    return BlockRule(features, pages, support, density, tuple(sorted(paths.items())))


def _part(saved: dict[str, Any], key: str, kind: type, where: str) -> Any:
    value = saved.get(key)
    if not isinstance(value, kind):
        raise RulesError(f"{where}: {key} is missing or no {kind.__name__}")
    return value


def _number(saved: dict[str, Any], key: str, where: str) -> float:
    try:
        require_between(f"{key} of {where}", saved.get(key), 0)
    except OptionError as error:
        raise RulesError(str(error)) from error
    return float(saved[key])


def _count(
    saved: dict[str, Any], key: str, where: str, *, low: int = 0, high: float = math.inf
) -> int:
    try:
        require_whole(f"{key} of {where}", saved.get(key), low, high)
    except OptionError as error:
        raise RulesError(str(error)) from error
    return int(saved[key])
