"""How far the estimate of tokens is off, by language, against a real tokenizer.

The Markdown of pages of several corpora is counted by o200k_base (npm's gpt-tokenizer) and
estimated by `chaffinch.reading.tokens`. First comes the error with weights fitted on other
domains alone, five folds of whole domains; then that of the weights that are shipped.

    npm install gpt-tokenizer     # in any folder; node 18 or newer
    python -m training.token_estimate --node-modules FOLDER/node_modules
    python -m training.token_estimate --node-modules FOLDER/node_modules --fit

A page counts as much as any other, whatever its length. Error: of a page, |estimate - tokens| as a
share of the tokens; bias: the same with its sign.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.extraction.extract import extract
from chaffinch.reading import tokens as estimate

CORPORA = ("daniel", "zh_news", "fundus", "wcxb", "readability")
LEAST_CHARACTERS = 400
FOLDS = 5
OTHER = 3  # pages of a language, below which it is among the others
RIDGE = 1e-4  # of the fit, so that rare kinds of characters have no wild weights
SCRIPT = """
const { countTokens } = require(process.argv[1] + "/gpt-tokenizer/cjs/encoding/o200k_base.js");
const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\\n");
process.stdout.write(lines.map((line) => countTokens(JSON.parse(line))).join("\\n"));
"""
HOW = "node and gpt-tokenizer are needed: install node, then npm install gpt-tokenizer"


class Sample(NamedTuple):
    """A page's Markdown."""

    language: str
    domain: str
    text: str


def samples(limit: int) -> list[Sample]:
    """Return the Markdown of pages, at most ``limit`` of a language and a corpus."""
    found: list[Sample] = []
    taken: dict[tuple[str, str], int] = {}
    for corpus in CORPORA:
        for page in read_corpus(corpus):
            key = corpus, page.lang
            if taken.get(key, 0) >= limit:
                continue
            try:
                text = extract(page.html, url=page.url).markdown()
            except PageError:
                continue
            if len(text) >= LEAST_CHARACTERS:
                taken[key] = taken.get(key, 0) + 1
                found.append(Sample(page.lang or "?", page.domain or page.id, text))
    return found


def real_counts(texts: list[str], modules: Path) -> NDArray[np.float64]:
    """Return float64[texts]: the tokens of each by the tokenizer."""
    node = shutil.which("node")
    if node is None or not (modules / "gpt-tokenizer").is_dir():
        raise click.UsageError(HOW)
    lines = "\n".join(json.dumps(text) for text in texts)
    done = subprocess.run(
        [node, "-e", SCRIPT, str(modules.resolve())],
        input=lines, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return np.array([float(line) for line in done.stdout.split("\n")])


def fitted(features: NDArray[np.float64], tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights, none below 0, of least squared relative error (coordinate descent)."""
    relative = features / tokens[:, None]
    scale = np.maximum(relative.std(axis=0), 1e-9)
    gram = relative.T @ relative + RIDGE * len(tokens) * np.diag(scale**2)
    target = relative.T @ np.ones(len(tokens))
    weights = np.zeros(features.shape[1])
    for _ in range(4000):
        for at in range(len(weights)):
            if gram[at, at] > 0:
                rest = target[at] - gram[at] @ weights + gram[at, at] * weights[at]
                weights[at] = max(rest / gram[at, at], 0.0)
    return weights


def held_out(
    found: list[Sample], features: NDArray[np.float64], tokens: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the estimate of each text by weights fitted on the domains of other folds."""
    fold = np.array([zlib.crc32(one.domain.encode()) % FOLDS for one in found])
    out = np.zeros(len(found))
    for number in range(FOLDS):
        own = fold == number
        out[own] = features[own] @ fitted(features[~own], tokens[~own])
    return out


def table(
    found: list[Sample], tokens: NDArray[np.float64], given: dict[str, NDArray[np.float64]]
) -> None:
    """Print error and bias by language."""
    languages = [one.language for one in found]
    few = {name for name in set(languages) if languages.count(name) < OTHER}
    names = np.array(["others" if name in few else name for name in languages])
    heads = " | ".join(f"{name}: error | bias" for name in given)
    print(f"| language | pages | {heads} |\n|---|---:|" + "---:|---:|" * len(given))
    order = sorted(set(names), key=lambda name: (name == "others", -np.sum(names == name), name))
    for name in ["all", *order]:
        own = np.ones(len(names), dtype=bool) if name == "all" else names == name
        cells = []
        for guess in given.values():
            off = guess[own] / tokens[own] - 1
            cells += [f"{np.abs(off).mean():.1%}", f"{off.mean():+.1%}"]
        print(f"| {name} | {own.sum()} | {' | '.join(cells)} |")


@click.command(help=__doc__)
@click.option(
    "--node-modules", type=click.Path(path_type=Path), default=Path("node_modules"),
    help="The folder in which gpt-tokenizer stands.",
)  # fmt: skip
@click.option("--limit", default=150, show_default=True, help="Pages a language and a corpus.")
@click.option("--fit", "is_fit", is_flag=True, help="Write the weights anew, of all pages.")
def main(*, node_modules: Path, limit: int, is_fit: bool) -> None:
    """Print the table."""
    if shutil.which("node") is None or not (node_modules / "gpt-tokenizer").is_dir():
        sys.exit(HOW)
    found = samples(limit)
    texts = [one.text for one in found]
    tokens = real_counts(texts, node_modules)
    features = estimate.feature_counts(texts)
    if is_fit:
        weights = np.round(fitted(features, tokens), 4).tolist()
        saved = dict(zip(estimate.FEATURES, weights, strict=True))
        estimate.FILE.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
        estimate.weights.cache_clear()
    given = {"other domains": held_out(found, features, tokens)}
    table(found, tokens, given | {"shipped": estimate.estimates(texts)})


if __name__ == "__main__":
    main()
