"""Drives Spark, in a session of this machine that ends with the tests."""

import os
import sys
from functools import cache

from plugin_cases import PageFailed
from pyspark.sql import SparkSession

from chaffinch.plugins import spark as plugin


def text_of(page, url):
    frame = session().createDataFrame([(bytearray(page), url)], "html binary, url string")
    (row,) = plugin.extract(frame).collect()
    if row.error:
        raise PageFailed(row.error_detail)
    return row.text


@cache
def session():
    """Return the session, started once."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of its workers
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    return builder.config("spark.driver.host", "127.0.0.1").getOrCreate()


def parts():
    return [plugin.extract]
