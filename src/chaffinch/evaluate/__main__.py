"""``python -m chaffinch.evaluate``: the evaluation from the command line."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chaffinch.errors import SetupError
from chaffinch.evaluate import EvaluateOptions, Report, dump, peer_names, plot, render, run

if TYPE_CHECKING:
    from collections.abc import Sequence


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chaffinch.evaluate", description=__doc__)
    parser.add_argument("corpora", nargs="+", help="names (wcxb, sites/NAME) or files")
    parser.add_argument("--method", action="append", default=[], help="a method; may be repeated")
    parser.add_argument("--peers", default="", help="names with commas between, or all")
    parser.add_argument("--limit", type=int, help="pages a corpus, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw and the intervals")
    parser.add_argument("--draws", type=int, default=1000, help="bootstrap samples; 0 for none")
    parser.add_argument("--worst", type=int, default=0, help="list so many worst pages")
    parser.add_argument("--dump", type=Path, help="write the worst pages to this folder")
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    parser.add_argument("--json", type=Path, help="write the report to this file")
    parser.add_argument("--plot", type=Path, help="write the picture to this file (.svg, .png)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 2 for a call that can't work, else 0."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(given)
    try:
        evaluation = run(
            EvaluateOptions(
                corpora=tuple(options.corpora),
                methods=tuple(options.method),
                peers=tuple(peer_names(options.peers)),
                limit=options.limit,
                seed=options.seed,
                draws=options.draws,
                worst=max(options.worst, 10 if options.dump else 0),
                command=shlex.join(["python", "-m", "chaffinch.evaluate", *given]),
            )
        )
        report = Report.of(evaluation)
        if options.plot:
            plot(report, options.plot)
    except SetupError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(render(report, style=options.format, worst=options.worst))
    if options.json:
        options.json.write_text(report.to_json(), encoding="utf-8")
    if options.dump:
        dump(evaluation.worst, options.dump)
    return 0


if __name__ == "__main__":
    sys.exit(main())
