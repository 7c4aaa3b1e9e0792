"""Whatever a caller passes gives a result or an error of the project, none from deep inside."""

import inspect
from functools import partial

import numpy as np
import pytest

import chaffinch
from chaffinch import ChaffinchError, OptionError, Verdict
from chaffinch.loading.loader import Loader
from chaffinch.site import Statistics

HTML = "<title>Rye</title><h1>Rye</h1><p id=a>" + "Rye is a grass, grown for its grain. " * 9
PAGE = chaffinch.parse(HTML, url="https://grain.example/rye")
EXTRACT = chaffinch.extract(PAGE)
COMPARISON = chaffinch.compare(PAGE, methods=["learned", "block_density"])
SITE = chaffinch.Site.learn([PAGE, chaffinch.parse(HTML.replace("grass", "cereal"))])
CONTENT = EXTRACT.content


class Unlike:
    """An object of a class that no function knows; its name is the same in every process."""

    def __repr__(self) -> str:
        return "Unlike()"


VALUES = (
    None, 3, -1, 10**12, 0.5, [], [None], {}, {1: 2}, "", "?", b"", Unlike(), np.zeros(3), len,
)  # fmt: skip

COLUMNS = {"keep": np.zeros(9, bool), "score": np.zeros(9, np.float32), "why": np.zeros(9, np.int8)}
FUNCTIONS = {
    "parse": (chaffinch.parse, {"html": HTML}),
    "extract": (chaffinch.extract, {"html": HTML}),
    "is_readable": (chaffinch.is_readable, {"html": HTML}),
    "assess": (chaffinch.assess, {"html": HTML}),
    "compare": (chaffinch.compare, {"html": HTML, "methods": ["block_density"]}),
    "Comparison.table": (COMPARISON.table, {}),
    "Limits": (chaffinch.Limits, {}),
    "estimate_tokens": (chaffinch.estimate_tokens, {"text": HTML}),
    "OutputOptions": (chaffinch.OutputOptions, {}),
    "Policy": (chaffinch.Policy, {}),
    "PageFilter": (chaffinch.PageFilter, {}),
    "PageFilter.of": (chaffinch.PageFilter.of, {}),
    "Policy.of": (chaffinch.Policy.of, {"values": {}}),
    "Verdict": (Verdict, COLUMNS),
    "Verdict.empty": (Verdict.empty, {"rows": 3}),
    "Verdict.with_keep": (CONTENT.verdict.with_keep, {"keep": COLUMNS["keep"]}),
    "Content": (chaffinch.Content, {"page": PAGE, "verdict": CONTENT.verdict}),
    "Site.learn": (chaffinch.Site.learn, {"pages": [PAGE]}),
    "Site.of": (chaffinch.Site.of, {"statistics": SITE.statistics}),
    "Site.update": (SITE.update, {"pages": [PAGE]}),
    "Site.extract": (SITE.extract, {"page": PAGE}),
    "Site()": (SITE, {"page": PAGE}),
    "Site.template_of": (SITE.template_of, {"page": PAGE}),
    "Site.load": (chaffinch.Site.load, {"folder": "none"}),
    "Site.from_text": (chaffinch.Site.from_text, {"text": SITE.to_text()}),
    "Statistics.from_bytes": (Statistics.from_bytes, {"data": b""}),
}
"""Name → function, and the arguments that it needs."""

METHODS = {
    "Extract": (EXTRACT, {"path": "0", "quote": "Rye is a grass", "other": EXTRACT}),
    "Page": (PAGE, {"row": 1, "name": "id", "own": PAGE.own_length, "rows": PAGE.written,
                    "xpath": "/html", "selector": "p", "make": tuple}),
}  # fmt: skip
"""Class → something of it, all whose methods are tried, and arguments that they need by name."""


def listed(thing, given):
    """Yield each public method of ``thing`` with what it needs."""
    for name, function in inspect.getmembers(type(thing), inspect.isfunction):
        if not name.startswith("_"):
            wanted = inspect.signature(function).parameters
            method = getattr(thing, name)
            yield name, method, {key: value for key, value in given.items() if key in wanted}


def cases():
    """Yield a name, a function, what it needs and the parameter to try."""
    every = dict(FUNCTIONS)
    for kind, (thing, given) in METHODS.items():
        for name, method, needed in listed(thing, given):
            every[f"{kind}.{name}"] = (method, needed)
    for name, (function, given) in every.items():
        for key, one in inspect.signature(function).parameters.items():
            yield pytest.param(function, given, one, id=f"{name}-{key}")


def call(function, given, parameter, value):
    kinds = inspect.signature(function).parameters
    if parameter.kind is parameter.VAR_KEYWORD:
        return function(**given, more=value)
    arguments = {**given, parameter.name: value}
    first = [arguments.pop(key) for key, one in kinds.items() if key in arguments and one.kind in {
        one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD}]  # fmt: skip
    if parameter.kind is parameter.VAR_POSITIONAL:
        arguments.pop(parameter.name)
        return function(*first, value)
    return function(*first, **arguments)


@pytest.mark.parametrize(("function", "given", "parameter"), list(cases()))
def test_wrong_arguments_give_a_result_or_an_error_of_the_project(function, given, parameter):
    for value in VALUES:
        if value is len and parameter.name == "make":
            continue  # a function of the caller's that fails is the caller's
        try:
            found = call(function, given, parameter, value)
            if inspect.isgenerator(found):
                list(found)
        except ChaffinchError as error:
            assert str(error)  # noqa: PT017 - either will do


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_extract_many_takes_wrong_arguments_likewise(value):
    for options in (
        {"pages": value},
        *(
            {"pages": [HTML], name: value}
            for name in inspect.signature(chaffinch.extract).parameters
        ),
        {"pages": [HTML], "workers": 2.5 if value is VALUES[3] else value},
        {"pages": [HTML], "more": value},
        {"pages": [HTML, value]},
    ):
        try:
            list(chaffinch.extract_many(**options))
        except ChaffinchError as error:
            assert str(error)  # noqa: PT017 - either will do


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_load_takes_wrong_arguments_likewise(value, tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(HTML)
    for name in inspect.signature(chaffinch.load).parameters:
        given = {"source": path, name: value}
        try:
            assert chaffinch.load(**given).title == "Rye"
        except ChaffinchError as error:
            assert str(error)  # noqa: PT017 - either will do


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_paths_of_site_models(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for function in (SITE.save, partial(Loader(render="never").path)):
        try:
            function(value)
        except ChaffinchError as error:
            assert str(error)  # noqa: PT017 - either will do


@pytest.mark.parametrize("made", [None, 3, HTML, (), PAGE])
def test_a_method_that_returns_no_verdict(made):
    with pytest.raises(OptionError, match="a method returns a Verdict"):
        chaffinch.extract(HTML, method=lambda _: made)


def test_a_method_is_no_class():
    with pytest.raises(OptionError, match="a method is a name or a callable"):
        chaffinch.extract(HTML, method=chaffinch.Site)
