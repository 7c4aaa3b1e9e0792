"""Makes the kept files anew: ``python tests/earlier/make.py tests/earlier/VERSION``.

Everything is made by the commands of the version that runs, from pages of the example site and the
example web. The commands stand in the README that is written beside the files.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kept_files import (
    EXAMPLES,
    PAGE,
    PORT,
    RUNS,
    SOURCES,
    WORK,
    crawl_options,
    date_sources,
    run_options,
    shard_names,
)

import chaffinch
from chaffinch.methods import ClusterRules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HAND_RULE = '[[template.rule]]\nkind = "drop"\nselect = "p.byline"\n\n'
HALF_A_GROUP = 40
"""Bytes that are cut off the killed crawl, as a full disk does it."""

ABOUT = """\
# Files that Chaffinch {version} wrote

Later versions must load or resume them; the tests in the folder above do. All were made from pages
of the example site and the example web (`examples/`), by

    python tests/earlier/make.py tests/earlier/{version}

which runs these commands of version {version} in `{work}` (the example web is served by
`python examples/serve_web.py --port {port}`):

```sh
{commands}
```

- `sources`: pages, JSON lines to learn from and HTML files to extract; one is in both.
- `site`: a model (`.toml`) with a rule by hand, its sample (`.pages`), its counts of use
  (`.counts`), and what it makes of the pages.
- `rules`: learned rules of the method `cluster_rules`, and the text that they find.
- `crawl`: a crawl that its limit of pages ended, a whole one, and one that was killed, its last
  record torn.
- `batch.tar.xz`: runs to Parquet, to JSON lines and by site models, each whole and killed; the
  models of both.
- `record.json`: the record of a page, as `docs/record.schema.json` describes it.
"""


class Maker:
    """Runs commands in `WORK` and writes them down."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def run(self, *arguments: str, to: str = "", good: Sequence[int] = (0,)) -> None:
        """Run ``chaffinch``; its output goes to the file ``to``."""
        self._note(arguments, f" > {to}" if to else "")
        done = subprocess.run(self._started(arguments), cwd=WORK, capture_output=True, check=False)
        if done.returncode not in good:
            sys.exit(f"{self.commands[-1]}\n{done.stderr.decode()}")
        if to:
            Path(WORK, to).write_bytes(done.stdout)

    def kill(self, *arguments: str, once: Callable[[], bool]) -> None:
        """Run ``chaffinch`` and kill it as soon as ``once`` holds."""
        self._note(arguments, "  # killed (SIGKILL)")
        process = subprocess.Popen(self._started(arguments), cwd=WORK, stdout=subprocess.DEVNULL)
        while process.poll() is None and not once():
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        if process.wait() != -signal.SIGKILL:
            sys.exit(f"{self.commands[-1]}: it ended before it could be killed; try again")

    def note(self, said: str) -> None:
        """Write down what is done beside the commands."""
        self.commands.append(f"# {said}")

    def _note(self, arguments: Sequence[str], more: str) -> None:
        self.commands.append(f"chaffinch {shlex.join(arguments)}{more}")

    @staticmethod
    def _started(arguments: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "chaffinch", *arguments]


def make_sources() -> None:
    """Write pages of the example site: English of two kinds, and one in Chinese, in GBK."""
    sys.path.insert(0, str(EXAMPLES))
    from site_maker import pages  # noqa: PLC0415 found only after the line above

    rows: list[dict[str, Any]] = pages()
    articles = [row for row in rows if row["template"] == "article"]
    english = [row for row in articles if row["lang"] == "en"]
    threads = [row for row in rows if row["template"] == "thread" and row["lang"] == "en"]
    chinese = [row for row in articles if row["encoding"] == "gbk"]
    lines = [
        {"url": row["url"], "html": row["html"].encode("latin-1").decode(row["encoding"])}
        for row in (*english[:8], *threads)
    ]
    Path(WORK, "sources").mkdir()
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    Path(WORK, "sources", "grain.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    for row in (english[0], english[8], english[9], chinese[0]):
        name = row["url"].rpartition("/")[2]
        Path(WORK, "sources", name).write_bytes(row["html"].encode("latin-1"))


def make_site(maker: Maker) -> None:
    """Learn a model, add a rule by hand, use it, keep what it makes of pages."""
    Path(WORK, "site").mkdir()
    model = "site/grain.toml"
    learn = ("learn", "sources/grain.jsonl.gz", "--save", model, "--date", "2026-11-01")
    maker.run(*learn)
    maker.note(f"by hand, to the first template of {model}: drop p.byline")
    text = Path(WORK, model).read_text(encoding="utf-8")
    before, mark, after = text.partition("[template.data]")
    Path(WORK, model).write_text(f"{before}{HAND_RULE}{mark}{after}", encoding="utf-8")
    for mode in ("full", "rules"):
        for page in sorted(Path(WORK, "sources").glob("*.html")):
            to = f"site/{page.stem}.{mode}.txt"
            given = (f"sources/{page.name}", "--site", model, "--site-mode", mode)
            maker.run("extract", *given, to=to)
    used = ("extract", "sources", "--site", model, "--save-counts", "-o", "texts")
    maker.run(*used)
    shutil.rmtree(WORK / "texts")
    maker.run("site", "report", model, "--format", "json", to="site/report.json")


def make_rules(maker: Maker) -> None:
    """Learn cluster rules, which no command saves."""
    Path(WORK, "rules").mkdir()
    with gzip.open(Path(WORK, "sources", "grain.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    pages = [chaffinch.parse(row["html"], url=row["url"]) for row in rows]
    learned = ClusterRules.learn(pages)
    Path(WORK, "rules", "grain.json").write_text(learned.to_text(), encoding="utf-8")
    found = chaffinch.extract(Path(WORK, PAGE).read_bytes(), method=learned)
    Path(WORK, "rules", Path(PAGE).stem).with_suffix(".txt").write_text(
        found.text, encoding="utf-8"
    )
    maker.note("Python: ClusterRules.learn(pages of sources/grain.jsonl.gz, …).to_text()")


def make_crawls(maker: Maker) -> None:
    """Crawl the example web: to a limit of pages, whole, and killed in the middle."""
    Path(WORK, "crawl").mkdir()
    serve = [sys.executable, str(EXAMPLES / "serve_web.py"), "--port", str(PORT)]
    with subprocess.Popen(serve, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            docs, opted = (f"http://{host}.test:{PORT}/" for host in ("docs", "opted"))
            manual = ("crawl", docs, "--pages", "10", "--out", "crawl/docs.warc.gz")
            maker.run(*manual, *crawl_options("docs.test"), good=(1,))  # some links lead nowhere
            whole, cut = (WORK / "crawl" / f"opted{end}.warc.gz" for end in ("", "-cut"))
            options = crawl_options("opted.test")
            maker.run("crawl", opted, "--out", f"crawl/{whole.name}", *options)
            half = whole.stat().st_size // 2
            maker.kill(
                "crawl", opted, "--out", f"crawl/{cut.name}", *options,
                once=lambda: cut.exists() and cut.stat().st_size > half,
            )  # fmt: skip
            cut.write_bytes(cut.read_bytes()[:-HALF_A_GROUP])
            maker.note(f"the last {HALF_A_GROUP} bytes of crawl/{cut.name} cut off")
        finally:
            server.kill()


def make_runs(maker: Maker) -> None:
    """Run the batch verb in each of its forms, whole, and killed when one shard is done."""
    Path(WORK, "batch").mkdir()
    date_sources(WORK)
    for kind in RUNS:
        markers = "seen" if kind == "sites" else "done"
        for end in ("", "-cut"):
            out = f"batch/{kind}{end}"
            given = ("run", *SOURCES, "--out", out, *run_options(kind, f"batch/models{end}"))
            if not end:
                maker.run(*given)
                continue
            folder = WORK / out / markers
            maker.kill(*given, once=lambda folder=folder: any(folder.glob("*.json")))
            if len(list(folder.glob("*.json"))) == len(shard_names(WORK)):
                sys.exit(f"{out}: all shards were done when it was killed; try again")
    for kind in RUNS:
        maker.run("report", f"batch/{kind}-cut", "--format", "json", to=f"batch/{kind}-cut.json")
    made = {path.stem for path in Path(WORK, "batch", "jsonl", "done").glob("*.json")}
    if made != set(shard_names(WORK)):
        sys.exit("shards have other names than kept_files.py says")


def pack(folder: Path) -> None:
    """Pack a folder into a file beside it: nine tenths of small Parquet files are their footers."""
    with tarfile.open(folder.with_name(f"{folder.name}.tar.xz"), "w:xz") as packed:
        packed.add(folder, folder.name, filter=_anonymous)
    shutil.rmtree(folder)


def _anonymous(one: tarfile.TarInfo) -> tarfile.TarInfo:
    """Take out who made a file."""
    one.uid = one.gid = 0
    one.uname = one.gname = ""
    return one


def main() -> None:
    """Make all files and put them where the command says."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, help="must not be there")
    folder: Path = options.parse_args().folder
    if folder.exists():
        sys.exit(f"{folder} is there already")
    WORK.mkdir()
    try:
        maker = Maker()
        make_sources()
        make_site(maker)
        make_rules(maker)
        make_crawls(maker)
        make_runs(maker)
        maker.run("extract", PAGE, "--format", "json", to="record.json")
        about = ABOUT.format(
            version=chaffinch.__version__, work=WORK, port=PORT, commands="\n".join(maker.commands)
        )
        Path(WORK, "README.md").write_text(about, encoding="utf-8")
        pack(WORK / "batch")
        shutil.copytree(WORK, folder)
    finally:
        shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
