"""The extension is loaded once for each interpreter, and keeps nothing between calls."""

import ast
import importlib.util
import sys
from importlib import import_module
from pathlib import Path

import pytest

native = pytest.importorskip("chaffinch.kernels._native")

COUNT = f"""
import importlib.util
spec = importlib.util.spec_from_file_location({native.__name__!r}, {native.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert module.count_tags(b"<p><b>") == 2
assert module.all_pairs(bytes(4), b"", bytes(4), b"", b"", ()) == {{}}
"""


def test_modules_are_apart():
    spec = importlib.util.spec_from_file_location(native.__name__, native.__file__)
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again is not native
    assert dir(again) == dir(native)
    del again.count_tags
    assert native.count_tags(b"<p>") == 1


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


def test_the_stub_names_what_is_there():
    stub = Path(native.__file__).with_name("_native.pyi").read_text(encoding="utf-8")
    named = [one.name for one in ast.parse(stub).body if isinstance(one, ast.FunctionDef)]
    assert sorted(named) == [name for name in dir(native) if not name.startswith("__")]
