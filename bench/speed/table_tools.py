"""What the plug-ins for tables cost beside the bare library: pages by processor time.

The bare library extracts each page in a loop and keeps the same values. Each plug-in gets the same
pages in one table. The processor time of this process and of the Python processes that it started
counts, which extract: neither other programs do, nor waiting, nor Spark's and Ray's own services.
The best of the rounds counts, which alternate. Tools that aren't installed are left out.

    CHAFFINCH_CORPORA=../shared python -m bench.speed.table_tools --markdown
"""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import logging
import os
import sys
import time
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click
import psutil
import pyarrow as pa

import chaffinch
from bench.lib.timing import machine, pages, versions
from chaffinch import arrow
from chaffinch.batch.row_values import VALUES
from chaffinch.lazy import load_module

if TYPE_CHECKING:
    from collections.abc import Callable

BARE = "the bare library"


def bare(table: pa.Table) -> list[dict[str, Any]]:
    """Return the rows, made in a loop."""
    rows = []
    for html in table.column("html").to_pylist():
        with contextlib.suppress(chaffinch.PageError):
            found = chaffinch.extract(html)
            rows.append({name: VALUES[name](found) for name in arrow.DEFAULT_COLUMNS})
    return rows


def of_polars(table: pa.Table) -> Callable[[], object]:
    """Return a run over a DataFrame of Polars."""
    frame = load_module("polars").from_arrow(table)
    return partial(load_module("chaffinch.plugins.polars").extract, frame)


def of_pandas(table: pa.Table) -> Callable[[], object]:
    """Return a run over a DataFrame of pandas."""
    return partial(load_module("chaffinch.plugins.pandas").extract, table.to_pandas())


def of_duckdb(table: pa.Table) -> Callable[[], object]:
    """Return a query of DuckDB."""
    connection = load_module("duckdb").connect(config={"threads": 1})
    load_module("chaffinch.plugins.duckdb").register(connection)
    connection.register("pages", table)
    return lambda: connection.sql("SELECT chaffinch(html) FROM pages").fetchall()


def of_ray(table: pa.Table) -> Callable[[], object]:
    """Return a run over a Dataset of Ray."""
    ray = load_module("ray")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    data = load_module("ray.data")
    logging.getLogger("ray.data").setLevel("ERROR")
    data.DataContext.get_current().enable_progress_bars = False
    rows = data.from_arrow(table).materialize()
    extract = load_module("chaffinch.plugins.ray").extract
    return lambda: extract(rows, batch_size=None).materialize()


def of_spark(table: pa.Table) -> Callable[[], object]:
    """Return a run over a DataFrame of Spark."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of its workers
    builder = load_module("pyspark.sql").SparkSession.builder.master("local[1]")
    settings = {
        "ui.enabled": "false",
        "driver.host": "127.0.0.1",
        "driver.memory": "4g",
    }
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", value)
    session = builder.getOrCreate()
    frame = session.createDataFrame(table).cache()
    frame.count()
    extract = load_module("chaffinch.plugins.spark").extract
    return lambda: extract(frame).collect()


TOOLS = {
    "polars": of_polars,
    "pandas": of_pandas,
    "duckdb": of_duckdb,
    "ray": of_ray,
    "pyspark": of_spark,
}


def spent(work: Callable[[], object]) -> float:
    """Return the processor seconds of a call in this process and the Python processes below it."""
    before, start = workers(), time.process_time()
    work()
    own = time.process_time() - start
    return own + sum(seconds - before.get(number, 0) for number, seconds in workers().items())


def workers() -> dict[int, float]:
    """Return the processor seconds so far of each Python process below this one."""
    seconds = {}
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if one.name().startswith(("python", "ray::")):
                times = one.cpu_times()
                seconds[one.pid] = times.user + times.system
    return seconds


@click.command(help=__doc__)
@click.option("--corpus", default="wcxb", show_default=True, help="pages of this corpus")
@click.option("--pages", "count", default=200, show_default=True, help="how many")
@click.option("--rounds", default=3, show_default=True)
@click.option("--tools", default=",".join(TOOLS), show_default=True, help="which")
@click.option("--markdown", is_flag=True, help="print the table of the docs")
def main(*, corpus: str, count: int, rounds: int, tools: str, markdown: bool) -> None:
    """Measure and print."""
    found = pages(corpus)
    table = pa.table({"html": found[:: max(1, len(found) // count)][:count]})
    systems: dict[str, Callable[[], object]] = {
        BARE: partial(bare, table),
        "chaffinch.arrow": partial(arrow.extract, table),
    }
    there = [name for name in tools.split(",") if find_spec(name)]
    systems |= {name: TOOLS[name](table) for name in there}
    best = dict.fromkeys(systems, float("inf"))
    for number in range(rounds + 1):
        for name, work in systems.items():
            gc.collect()
            seconds = spent(work)
            if number:  # the first round warms up
                best[name] = min(best[name], seconds)
    row = "| {} | {:,.0f} | {:.2f} |" if markdown else "{:20} {:8,.0f} {:6.2f}"
    if markdown:
        print("| | pages a second of processor time | of the bare library |\n|---|---|---|")
    for name, seconds in best.items():
        print(row.format(name, len(table) / seconds, best[BARE] / seconds))
    about = f"{len(table)} pages of {corpus}, the best of {rounds} rounds, one core"
    print(f"\n{about}; {versions('chaffinch', 'pyarrow', *there)}; {machine()}; {dt.date.today()}.")  # noqa: DTZ011


if __name__ == "__main__":
    main()
