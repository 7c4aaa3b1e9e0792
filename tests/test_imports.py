"""What `import chaffinch` and a plain extraction load, and that every name means one thing."""

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import chaffinch
import chaffinch.corpus
from chaffinch.errors import MissingExtraError

HEAVY = (
    "numpy", "selectolax", "chardet", "cssselect", "idna", "urllib3", "ssl", "email",
    "multiprocessing", "concurrent.futures", "chaffinch.page", "chaffinch.methods",
    "chaffinch.extraction", "chaffinch.site", "pyarrow",
)  # fmt: skip
"""Modules that the import of the package alone must not load."""

UNUSED = (
    "pyarrow", "chardet", "cssselect.parser", "email.parser", "email.utils", "urllib3", "ssl",
    "multiprocessing", "chaffinch.page.charsets", "chaffinch.metadata",
    "chaffinch.lists.discussion", "chaffinch.site.site", "chaffinch.evaluate.comparison",
    "chaffinch.render.renderer", "chaffinch.web.client", "chaffinch.record",
    "chaffinch.output.tei", "chaffinch.output.markdown", "chaffinch.output.html",
    "chaffinch.methods.anchor_blocks", "chaffinch.methods.sibling_subtrees",
)  # fmt: skip
"""Modules that the text of a page in UTF-8, found by the default, doesn't need."""


def loaded(code):
    """Return the modules that are loaded in a new interpreter after some code."""
    say = (
        "import sys; sys.stderr.write(' '.join(name for name, module in sys.modules.items()"
        " if type(module).__name__ != '_LazyModule'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{say}"], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def modules():
    """Return the names of all modules of the package that can be imported here."""
    found = pkgutil.walk_packages(chaffinch.__path__, "chaffinch.")
    return [one.name for one in found if not one.name.endswith(("__main__", "._native"))]


def test_the_import_alone_loads_next_to_nothing():
    there = loaded("import chaffinch")
    assert "chaffinch.lazy" in there
    assert not there & set(HEAVY)


def test_the_text_of_a_page_loads_what_it_needs():
    there = loaded("import chaffinch; chaffinch.extract('<p>Rye is a grass. ' * 9).text")
    assert "chaffinch.methods.learned" in there
    assert not there & set(UNUSED)


def test_the_command_line_loads_the_verb_that_is_called(tmp_path):
    page = tmp_path / "rye.html"
    page.write_text("<p>" + "Rye is a grass, grown for its grain. " * 9)
    there = loaded(
        "from chaffinch.cli import main\n"
        f"try:\n    main(['extract', {str(page)!r}])\n"
        "except SystemExit: pass"
    )
    assert "chaffinch.cli.extract" in there
    assert not there & {"chaffinch.cli.crawl", "chaffinch.cli.evaluate", *UNUSED}


@pytest.mark.parametrize("package", [chaffinch, chaffinch.corpus])
def test_every_public_name_is_there(package):
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
        assert name in dir(package)
    with pytest.raises(AttributeError, match="has no attribute 'chaff'"):
        _ = package.chaff


@pytest.mark.parametrize("name", modules())
def test_no_module_hides_behind_another_name(name):
    try:
        module = import_module(name)
    except MissingExtraError:  # of a plug-in whose tool isn't there: `plugins/` tests it elsewhere
        assert name.startswith("chaffinch.plugins.")
        return
    above, _, leaf = name.rpartition(".")
    assert getattr(sys.modules[above], leaf) is module
