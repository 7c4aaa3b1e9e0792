"""Drives Ray Data, on a cluster of this machine that ends with the tests."""

import logging

import pyarrow as pa
import ray
from plugin_cases import PageFailed

from chaffinch.plugins import ray as plugin


def text_of(page, url):
    start()
    rows = ray.data.from_arrow(pa.table({"html": [page], "url": [url]}))
    (row,) = plugin.extract(rows).take_all()
    if row["error"]:
        raise PageFailed(row["error_detail"])
    return row["text"]


def start():
    """Start Ray, unless it runs."""
    if not ray.is_initialized():
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        logging.getLogger("ray.data").setLevel("ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False


def parts():
    return [plugin.extract]
