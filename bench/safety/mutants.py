"""How many small faults in a file the tests that are named for it find.

    python -m bench.safety.mutants src/chaffinch/output/tei.py … [--count 5] [--seed 1] > found.json

Of all the places where a comparison, a condition, a constant or the middle of a function could be
wrong ``--count`` are chosen of each file, by the seed and by what stands there, so that the same
ones are chosen while the code stays. Each is written to the file, the tests are run until the first
fails, and the file is as it was: run it in a clone of its own. Printed is a JSON object, a file
each: place → "died" or "lived". With ``--only found.json`` the places are those of an earlier run.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
TESTS: Final = ("tests/test_cases.py", "tests/{room}")
TIMEOUT: Final = 900
"""Seconds of a run of the tests, after which a mutant that loops is dead."""
_SWAPPED: Final = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield (kind, what stands in its place) of each fault of a node."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[first, *_]):
            new.ops[0] = _SWAPPED[type(first)]()
            yield "comparison", new
        case ast.BoolOp(values=[*values]):
            for at in (0, -1):
                yield f"without {at}", values[at - 1] if len(values) == 2 else values[at]
        case ast.UnaryOp(op=ast.Not()):
            yield "not", new.operand
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)
        case ast.If(body=body) if ast.unparse(new.test) != "TYPE_CHECKING":
            yield "always", ast.If(ast.Constant(value=True), body, [])
            yield "never", ast.If(ast.Constant(value=False), body, new.orelse)
        case ast.FunctionDef(body=[_, _, _, *_]):
            new.body[len(new.body) // 2 :] = [ast.Return(ast.Constant(None))]
            yield "ends early", new
        case ast.AugAssign():
            yield "without", ast.Pass()


def mutants(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each place of a file while the tree has a fault there."""
    turns: Counter[str] = Counter()
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        parent, name = waiting.pop()
        for field, held in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list"}:
                continue
            nodes = held if isinstance(held, list) else [held]
            for at, node in enumerate(nodes):
                if not isinstance(node, ast.AST):
                    continue
                own = f"{name}.{node.name}" if isinstance(node, _NAMED) else name
                for kind, new in changes(node):
                    key = f"{own.strip('.')}: {kind}: {ast.unparse(node)[:100]}"
                    turns[key] += 1
                    setattr(
                        parent,
                        field,
                        [*nodes[:at], new, *nodes[at + 1 :]] if nodes is held else new,
                    )
                    yield f"{key} #{turns[key]}"
                    setattr(parent, field, held)
                waiting.append((node, own))


_NAMED: Final = (ast.FunctionDef, ast.ClassDef)


def find(path: Path, wanted: list[str] | None, count: int, seed: int) -> dict[str, str]:
    """Return place → "died" or "lived" of the mutants of a file; "gone" where no such place is."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)

    def turn(key: str) -> bytes:
        return hashlib.sha256(f"{seed} {key}".encode()).digest()

    chosen = sorted(mutants(tree), key=turn)[:count] if wanted is None else wanted
    every = {
        key: ast.unparse(ast.fix_missing_locations(tree)) for key in mutants(tree) if key in chosen
    }
    tests = [each.format(room=path.parent.name) for each in TESTS]
    out: dict[str, str] = {}
    for key in chosen:
        if key not in every:
            out[key] = "gone"
            continue
        try:
            path.write_text(every[key], "utf-8")
            out[key] = "died" if fails(tests) else "lived"
        finally:
            path.write_text(source, "utf-8")
        print(f"{path.stem}: {out[key]}: {key}", file=sys.stderr, flush=True)
    return out


def fails(tests: list[str]) -> bool:
    """Return whether one of the tests fails."""
    options = "-q -x -p no:xdist -p no:cacheprovider --hypothesis-seed=0".split()
    command = [sys.executable, "-m", "pytest", *options, "-m", "not slow", *tests]
    try:
        run = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return True
    return run.returncode > 0


def main() -> None:
    """Print what became of the mutants of files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=Path, help="JSON of an earlier run, whose places are tried")
    given = parser.parse_args()
    known = json.loads(given.only.read_text("utf-8")) if given.only else {}
    paths = given.files or [Path(name) for name in known]
    found = {
        str(path): find(path, [*known[str(path)]] if known else None, given.count, given.seed)
        for path in paths
    }
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
