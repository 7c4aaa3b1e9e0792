"""The list of plug-ins with what their tests need, and what becomes of a page in each.

The tests of a plug-in drive its tool by a module of its own, ``drive_NAME``, which has

- ``text_of(page, url)``: the text that the tool has of a page with the plug-in, "" for none; it
  raises `PageFailed` where the tool reports an error in its own way;
- ``parts()``: objects of the plug-in that go to other processes.
"""

from dataclasses import dataclass
from importlib import import_module

from elsewhere import missing


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
        """Return the module that drives the tool."""
        return import_module(f"drive_{self.name}")


CASES = (
    PluginCase("datatrove", ("datatrove", "fastwarc"), "datatrove", "datatrove"),
    PluginCase("scrapy", ("scrapy",), "scrapy", "scrapy"),
    PluginCase("markitdown", ("markitdown",), "markitdown", "markitdown"),
    PluginCase("langchain", ("langchain_core",), "langchain", "retrieval"),
    PluginCase("llama_index", ("llama_index.core",), "llama-index", "retrieval"),
)
THERE = [one for one in CASES if not missing(*one.tools)]


def plugin_of(name):
    """Return the module of a plug-in."""
    return import_module(f"chaffinch.plugins.{name}")
