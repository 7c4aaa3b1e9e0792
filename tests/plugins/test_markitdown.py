"""MarkItDown finds the plug-in by its entry point, and options act."""

from importlib.metadata import entry_points

import pytest
from markitdown import MarkItDown
from plugin_cases import plugin_of

pytestmark = pytest.mark.filterwarnings("default")
RYE = "<title>Rye</title><nav><a href=/a>Home</a></nav><h1>Rye</h1><p class=a>" + "Rye. " * 40


@pytest.fixture
def path(tmp_path):
    (tmp_path / "rye.html").write_text(RYE, encoding="utf-8")
    return tmp_path / "rye.html"


def test_the_entry_point_is_the_plugin(path):
    names = {one.value for one in entry_points(group="markitdown.plugin")}
    if "chaffinch.plugins.markitdown" not in names:
        pytest.skip("this checkout isn't installed: make plugins does it")
    with_plugin = MarkItDown(enable_plugins=True).convert(path)
    without = MarkItDown(enable_plugins=False).convert(path)
    assert "Home" in without.markdown
    assert "Home" not in with_plugin.markdown
    assert with_plugin.title == "Rye"
    dropped = MarkItDown(enable_plugins=True, chaffinch={"drop": ".a"}).convert(path)
    assert "Rye. Rye." not in dropped.markdown


def test_what_is_no_page_goes_to_the_next_converter(path):
    plugin = plugin_of("markitdown")
    tool = MarkItDown(enable_plugins=False)
    plugin.register_converters(tool)
    path.write_text("<?xml version='1.0'?><rss><channel><title>Feed</title></channel></rss>")
    assert "Feed" in tool.convert(path).markdown
