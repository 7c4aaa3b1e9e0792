"""Markup that runs, or that would once it is read again: single pages, and templates × carriers."""

import html
import itertools
import tomllib
from pathlib import Path

import chaffinch

TABLE = tomllib.loads(Path(__file__).with_name("injections.toml").read_text("utf-8"))
RAW, CARRIERS, BODIES = TABLE["raw"], TABLE["carriers"], TABLE["bodies"]
MUTATED = {name: own.replace("{deep}", "<div>" * 507) for name, own in TABLE["mutated"].items()}
HIT = BODIES["image"]
SWALLOWERS = (
    "style xmp noembed noframes iframe noscript textarea title plaintext script select math "
    "foreignobject".split()
)
MUTATIONS = {
    f"{root}, {name}": around.replace("{}", f"<{name}><a title='</{name}>{HIT}'>b")
    for (root, around), name in itertools.product(TABLE["roots"].items(), SWALLOWERS)
} | {
    f"{root}, comment": around.replace("{}", f"<style><!--</style><a title='--&gt;{HIT}'>b")
    for root, around in TABLE["roots"].items()
}
"""Attributes and comments that turn to markup where another reader takes them for text, or back."""


NOT_SHOWN = {
    ("focus", "in a description"),
    ("focus", "in a title of svg"),
    ("click", "in an object"),
}


def running():
    """Return name → page, of pages that run as they are."""
    found = {f"raw: {name}": own for name, own in RAW.items()}
    found |= {f"{body}, {carrier}": around.replace("{}", own)
              for (n, (body, own)), (m, (carrier, around))
              in itertools.product(enumerate(BODIES.items()), enumerate(CARRIERS.items()))
              if not n or ((n + m) % 4 == 0 and (body, carrier) not in NOT_SHOWN)}  # fmt: skip
    spellings, addresses = TABLE["spellings"], TABLE["addresses"]
    found |= {f"{kind}, {spelled}": around.replace("{}", own)
              for (spelled, own), (kind, around)
              in itertools.product(spellings.items(), addresses.items())}  # fmt: skip
    return found | {f"clobbers {name}": own for name, own in TABLE["clobbers"].items()}


def mutating():
    """Return name → page, of pages that may run once an output is read by another reader."""
    deep = "<div>" * 508
    return {
        f"mutated: {name}": own.replace("{deep}", deep)
        for name, own in (MUTATED | MUTATIONS).items()
    }


def escaped(source):
    """Return markup as the text of a page."""
    return html.escape(source, quote=True)


def packed(vectors, together):
    """Return pages (markup of a body) that hold some vectors each, none of which swallows the next.

    Those that do stand alone.

    Args:
        vectors: name → markup.
        together: how many a page holds at most.
    """
    alone, others = [], []
    for own in vectors.values():
        tree = chaffinch.parse(f"<!DOCTYPE html><body><p>words</p>{own}<hr id=end>")
        ends = [row for row, value in tree.having("id") if value == "end"]
        is_over = [tree.name(int(tree.parent[row])) for row in ends] == ["body"]
        (others if is_over else alone).append(own)
    groups = [others[start : start + together] for start in range(0, len(others), together)]
    return ["<hr>".join(group) for group in groups] + alone
