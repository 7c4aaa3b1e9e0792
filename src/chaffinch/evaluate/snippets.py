"""Snippets that must and must not appear: for pages whose whole content nobody has labelled.

Source: the evaluation program of trafilatura (Barbaresi 2021, «Trafilatura: A Web Scraping
Library and Command-Line Tool for Text Discovery and Extraction», section 4). A wanted snippet
found is a true positive, one not found a false negative; an unwanted snippet found is a false
positive, one not found a true negative. The counts of all pages are added before precision,
recall, accuracy and F1 are taken, so a page with more snippets weighs more. White space is
folded on both sides; case and punctuation count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class SnippetCounts:
    """How many snippets of one page were found and missed."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int


def snippet_counts(extracted: str, wanted: Iterable[str], unwanted: Iterable[str]) -> SnippetCounts:
    """Look for snippets in an output.

    Args:
        extracted: the output.
        wanted: snippets of the content (``with`` in the corpora).
        unwanted: snippets of noise (``without`` in the corpora).
    """
    text = _folded(extracted)
    found = [_folded(snippet) in text for snippet in wanted]
    noise = [_folded(snippet) in text for snippet in unwanted]
    return SnippetCounts(
        true_positive=sum(found),
        false_positive=sum(noise),
        false_negative=len(found) - sum(found),
        true_negative=len(noise) - sum(noise),
    )


def _folded(text: str) -> str:
    return " ".join(text.split())
