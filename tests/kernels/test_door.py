"""Which kernels are in use, and how that is chosen."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

from chaffinch import kernels
from chaffinch.errors import OptionError, SetupError
from chaffinch.kernels.plain import rows
from chaffinch.page import parse

PRINT = "from chaffinch import kernels; print(kernels.backend(), kernels.why_plain(), sep=':')"


def told(code, switch):
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, kernels.SWITCH: switch},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.strip() or run.stderr.strip().splitlines()[-1]


def test_a_variable_chooses(plainly):
    del plainly
    assert told(PRINT, "plain") == "plain:switched off by CHAFFINCH_KERNELS=plain"
    assert told(PRINT, "native") == told(PRINT, "auto") == told(PRINT, "") == "native:"
    assert "unknown CHAFFINCH_KERNELS 'c'; known: auto, native, plain" in told(PRINT, "c")


def test_where_the_extension_is_missing():
    hidden = "import importlib.util as u; u.find_spec = lambda name: None; "
    assert told(hidden + PRINT, "auto") == "plain:the extension isn't built"
    assert "CHAFFINCH_KERNELS=native, but the extension isn't built" in told(
        hidden + PRINT, "native"
    )


def test_using_others_for_a_while(plainly):
    del plainly
    usual = kernels.inside
    with kernels.using("plain"):
        assert kernels.backend() == "plain"
        assert kernels.why_plain() == "switched off for a while"
        assert kernels.inside is rows.inside
        with kernels.using("native", plainly=["inside"]):
            assert kernels.backend() == "native"
            assert kernels.inside is rows.inside
            assert kernels.around is not rows.around
    assert kernels.inside is usual
    assert (kernels.backend(), kernels.why_plain()) == ("native", "")


def test_what_cannot_be_used(monkeypatch):
    with (
        pytest.raises(OptionError, match="no kernels: grain"),
        kernels.using("plain", plainly=["grain"]),
    ):
        pass
    monkeypatch.setattr(kernels, "_IS_64_BIT", False)
    with pytest.raises(SetupError, match="32-bit"), kernels.using("native"):
        pass


def test_all_functions_take_the_same(plainly):
    del plainly
    for name in kernels.__all__:
        with kernels.using("plain"):
            plain = getattr(kernels, name)
        assert plain.__doc__, name
        with kernels.using("native"):
            native = getattr(kernels, name)
        assert native.__module__.startswith("chaffinch.kernels.")
        assert not native.__module__.startswith("chaffinch.kernels.plain"), name
        if not inspect.isbuiltin(native):
            assert inspect.signature(native) == inspect.signature(plain), name
        kinds = {one.kind for one in inspect.signature(plain).parameters.values()}
        assert kinds == {inspect.Parameter.POSITIONAL_ONLY}, name


def test_a_single_plain_function_gives_the_same(plainly):
    del plainly
    page = parse("<p>a<b>c</b>")
    for name in kernels.__all__:
        with kernels.using("native", plainly=[name]):
            again = parse("<p>a<b>c</b>")
            assert np.array_equal(again.own_length, page.own_length), name


def test_the_plain_back_end_is_told_once(tmp_path, plainly):
    del plainly
    page = tmp_path / "owls.html"
    page.write_text("<p>" + "The owls have been here since the barn stands. " * 9)
    hidden = (
        "import importlib.util as u, sys; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: (\n"
        "    None if name.endswith('_native') else find(name, *more))\n"
    )
    call = "from chaffinch.cli import main; main(sys.argv[1:])"

    def run(code, switch, *arguments):
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env={**os.environ, kernels.SWITCH: switch},
            capture_output=True,
            text=True,
            check=True,
        )

    twice = run(hidden + call, "auto", "extract", page, page)
    assert twice.stderr.count("kernels aren't compiled (the extension isn't built)") == 1
    for code, switch, more in (
        (hidden + call, "plain", ()),
        (hidden + call, "auto", ("--quiet",)),
        ("import sys; " + call, "auto", ()),
    ):
        assert run(code, switch, "extract", page, *more).stderr == ""
    logged = "import logging, chaffinch; logging.basicConfig(); print(chaffinch.backend())"
    assert run(hidden + logged, "auto").stderr.count("pages take about 4 times as long") == 1
    assert run(hidden + logged, "auto").stdout == "plain\n"
    assert run(hidden + "import chaffinch; chaffinch.backend()", "auto").stderr == ""
