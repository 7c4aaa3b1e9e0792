"""The list of plug-ins with what their tests need, and what becomes of a page in each.

The tests of a plug-in drive its tool by a module of its own, ``drive_NAME``, which has

- ``text_of(page, url)``: the text that the tool has of a page with the plug-in, "" for none; it
  raises `PageFailed` where the tool reports an error in its own way;
- ``parts()``: objects of the plug-in that go to other processes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

import pytest


class PageFailed(Exception):  # noqa: N818  what happened, not an error of the tests
    """A page's error came out as the tool reports errors."""


@dataclass(frozen=True)
class PluginCase:
    """A plug-in and its tool.

    Attributes:
        name: of its file, docs page and driver.
        tools: packages that it needs, as they are imported.
        extra: that installs them.
        group: name of the environment of ``make plugins`` that has them.
        takes: whether the tool has pages as ``bytes`` or as ``text``.
    """

    name: str
    tools: tuple[str, ...]
    extra: str
    group: str
    takes: str = "bytes"

    def __str__(self) -> str:
        return self.name

    def driver(self):
        """Return the module that drives the tool; skips the test, loudly, without the tool."""
        missing = [tool for tool in self.tools if not is_there(tool)]
        if missing:
            words = f"{', '.join(missing)} not installed: pip install 'chaffinch[{self.extra}]'"
            if os.environ.get("CHAFFINCH_PLUGINS") == self.group:
                pytest.fail(words)
            pytest.skip(f"{words}, or run make plugins")
        return import_module(f"drive_{self.name}")


def is_there(tool):
    """Return whether a package is installed."""
    try:
        return find_spec(tool) is not None
    except ModuleNotFoundError:  # of the package that it is in
        return False


CASES = (
    PluginCase("datatrove", ("datatrove", "fastwarc"), "datatrove", "datatrove"),
    PluginCase("nemo_curator", ("nemo_curator", "pycld2"), "nemo-curator", "nemo"),
    PluginCase("scrapy", ("scrapy",), "scrapy", "scrapy"),
    PluginCase("markitdown", ("markitdown",), "markitdown", "markitdown"),
    PluginCase("langchain", ("langchain_core",), "langchain", "retrieval"),
    PluginCase("llama_index", ("llama_index.core",), "llama-index", "retrieval"),
    PluginCase("haystack", ("haystack",), "haystack", "retrieval"),
)


def case_of(name):
    """Return the case of a plug-in."""
    return next(one for one in CASES if one.name == name)
