"""Rules as tables of a saved site model, and back; what a model's tables must have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from chaffinch.errors import OptionError, RulesError
from chaffinch.page import hashing, parse
from chaffinch.saved_data import LARGEST
from chaffinch.site.roles import ROLES
from chaffinch.site.rule_examples import LONGEST_ADDRESS, shown_words
from chaffinch.site.rules import Rule

_EXAMPLE: Final = ("example", "example_page")
_KEYS: Final = frozenset(
    {"kind", "select", "support", "confidence", "mark", "taught", "share", *_EXAMPLE}
)
_SOME_PAGE: Final = parse("<p>To try selectors on.")


def mark_of(kind: str, select: str) -> str:
    """Return the checksum that distinguishes a learned rule from one that a person changed."""
    return f"{hashing.hash_string(f'{kind} {select}') & 0xFFFFFFFF:08x}"


def saved_rule(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table; a taught one has its date and share.

    A learned one has its mark, and its example where one is known.
    """
    out: dict[str, Any] = {"kind": rule.kind, "select": rule.select}
    if rule.taught:
        out |= {"taught": rule.taught, "share": rule.share}
    if not rule.by_hand:
        mark = mark_of(rule.kind, rule.select)
        out |= {"support": rule.support, "confidence": rule.confidence, "mark": mark}
        out |= {key: value for key in _EXAMPLE if (value := getattr(rule, key))}
    return out


def rules_of(saved: dict[str, Any], where: str, *, by_hand: bool = False) -> tuple[Rule, ...]:
    """Return the rules of a template or, all ``by_hand``, of the site.

    Raises:
        RulesError: one is broken; the message says which.
    """
    rules = part_of(saved, "rule", list, where) if "rule" in saved else []
    read = [_read_rule(one, f"rule {n} of {where}") for n, one in enumerate(rules, start=1)]
    return tuple(replace(rule, by_hand=True) if by_hand else rule for rule in read)


def _read_rule(saved: Any, where: str) -> Rule:
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is not a table")
    unknown = set(saved) - _KEYS
    if unknown:
        raise RulesError(f"{where}: unknown {min(unknown)!r}; known: kind, select")
    kind, select = (part_of(saved, key, str, where) for key in ("kind", "select"))
    require_selector(select, where, computed=kind in ROLES)
    try:
        rule = Rule(kind=kind, select=select, by_hand=True)
    except RulesError as error:
        raise RulesError(f"{where}: {error}") from error
    if saved.get("mark") != mark_of(kind, select):
        taught = part_of(saved, "taught", str, where) if "taught" in saved else ""
        return replace(rule, taught=taught, share=share_of(saved, "share", where))
    support = part_of(saved, "support", int, where)
    text, page = (part_of(saved, key, str, where) if key in saved else "" for key in _EXAMPLE)
    return Rule(
        kind=kind,
        select=select,
        support=support,
        confidence=share_of(saved, "confidence", where),
        example=shown_words(text),
        example_page=shown_words(page, LONGEST_ADDRESS),
    )


def require_selector(select: Any, where: str, *, computed: bool = False) -> None:
    """Check that a selector is one; that of a field may be an XPath that computes a text.

    Raises:
        RulesError: it is none.
    """
    try:
        _SOME_PAGE.selected(select) if computed else _SOME_PAGE.select(select)
    except (OptionError, TypeError) as error:
        raise RulesError(f"{where}: {error}") from error


def share_of(saved: dict[str, Any], key: str, where: str) -> float:
    """Return the share (0..1) at a key of a table; 0 where it is missing.

    Raises:
        RulesError: it is something else.
    """
    value = saved.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RulesError(f"{where}: {key} must be a number from 0 to 1, not {value!r}")
    return float(value)


def part_of(saved: Any, key: str, kind: type, where: str) -> Any:
    """Return what stands at a key of a table, which must be of a kind.

    Raises:
        RulesError: it is missing, or of another kind.
    """
    value = saved.get(key) if isinstance(saved, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RulesError(f"{where}: {key} is missing or no {kind.__name__}")
    if isinstance(value, int) and abs(value) > LARGEST:
        raise RulesError(f"{where}: {key} must be at most {LARGEST:,}")
    return value
