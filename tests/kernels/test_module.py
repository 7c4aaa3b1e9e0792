"""The extension is loaded once for each interpreter, and keeps nothing between calls."""

import re
import sys
from importlib import import_module

import pytest
from signatures import SOURCES

from chaffinch.errors import SetupError
from chaffinch.kernels.compiled import native

LOCAL = re.compile(
    r"\b(?:to(?:low|upp)er|is(?:al|dig|spac|low|upp|punc|xdig)\w+|strto\w+|ato[dfil]|\w*scanf"
    r"|str\w*(?:coll|casecmp)|setlocale)\s?\("
)
COUNT = f"""
import importlib.util
spec = importlib.util.spec_from_file_location({native.__name__!r}, {native.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert module.is_plain(b"<p><b>") == 1
assert module.pairs(bytes(8), b"", bytes(4), b"", b"", (), 0) == {{}}
"""


def test_a_library_of_other_sources_says_so():
    with pytest.raises(SetupError, match="compile them anew"):
        _ = native.no_such_kernel


def test_no_kernel_goes_by_the_locale():
    """In Turkish «I» in lower case isn't «i», in German «1.5» is no number."""
    for path in SOURCES.glob("*.[ch]"):
        assert LOCAL.findall(path.read_text("utf-8")) == [], path.name


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="CPython's own modules")
def test_interpreters_have_their_own():
    interpreters = import_module(
        "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    )
    for _ in range(3):
        own = interpreters.create()
        try:
            failed = interpreters.run_string(own, COUNT)
            assert failed is None, failed
        finally:
            interpreters.destroy(own)
