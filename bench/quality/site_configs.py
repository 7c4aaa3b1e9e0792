"""Imported site configs on labelled pages of their hosts: word F1 beside the default's.

``python -m bench.quality.site_configs FOLDER CORPUS…`` imports the configs of a folder, prints how
many of their lines are taken over, and scores the pages of the corpora
whose host has one: by the default, and by the model that the config became.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import chaffinch
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.site.reasons import SiteReason
from chaffinch.site.site_configs import (
    ConfigLine,
    config_files,
    read_site_config,
    summary_lines,
)
from chaffinch.site.site_folder import SiteFolder


def imported(configs: Path, models: Path) -> None:
    """Write the models of a folder of configs, and print what was taken over."""
    lines: list[ConfigLine] = []
    files = list(config_files([configs]))
    for file in files:
        name = file.name.removesuffix(".txt")
        config = read_site_config(file.read_text("utf-8", "replace"), name)
        lines += config.lines
        config.site.save(models / f"{name}.toml")
    print(f"{len(files)} files")
    print("\n".join(summary_lines(lines)))


def main() -> None:
    """Print the lines that were taken over, and a row for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("configs", type=Path)
    parser.add_argument("corpora", nargs="*")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        imported(given.configs, Path(folder))
        sites = SiteFolder.load(folder)
        print("| corpus | pages | hosts | default | config | body matches | default | config |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for corpus in given.corpora:
            print(row_of(corpus, sites))


def row_of(corpus: str, sites: SiteFolder) -> str:
    """Return the row of a corpus; its last columns are of pages on which a body line matches."""
    hosts, scores, matched = set(), [], []
    for one in read_corpus(corpus):
        site = sites.site_of(one.url)
        if not (one.gold_text and site.rules):
            continue
        gold = tokenize(one.gold_text)
        try:
            found = chaffinch.extract(one.html, url=one.url, method=sites)
            default = chaffinch.extract(one.html, url=one.url)
        except PageError:
            continue
        hosts.add(site.name)
        scores.append([word_score(tokenize(each.text), gold).f1 for each in (default, found)])
        matched.append(bool((found.content.verdict.why == SiteReason.CONTENT_BY_HAND).any()))
    table, hit = np.array(scores).reshape(-1, 2), np.array(matched, dtype=bool)
    if not len(table):
        return f"| {corpus} | 0 | 0 | | | | | |"
    every, those = table.mean(axis=0), table[hit].mean(axis=0) if hit.any() else (0.0, 0.0)
    return (
        f"| {corpus} | {len(table)} | {len(hosts)} | {every[0]:.3f} | {every[1]:.3f} | {hit.sum()} "
        f"| {those[0]:.3f} | {those[1]:.3f} |"
    )


if __name__ == "__main__":
    main()
