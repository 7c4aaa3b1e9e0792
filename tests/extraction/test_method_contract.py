"""What the trip of a page uses of a method: of one by name, of a subclass, of a plain callable."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import chaffinch
from chaffinch import Method
from chaffinch.verdict import Content, Verdict

PAGE = "<p>The miller mills rye.<p>And oats."


def everything(page, why=0):
    rows = len(page)
    return Verdict(np.ones(rows, bool), np.ones(rows, np.float32), np.full(rows, why, np.int8))


@dataclass(frozen=True)
class Own(Method):
    data: str = ""

    reasons = ("outside", "inside")

    def __call__(self, page):
        return everything(page, why=1)

    def elsewhere(self, page, verdict):
        assert verdict.keep.all()
        assert len(verdict.keep) == len(page)
        found = chaffinch.parse(self.data)
        return Content(found, everything(found), ("in the data",)) if self.data else None


def test_a_subclass_has_its_reasons_and_its_name():
    found = chaffinch.extract(PAGE, method=Own())
    assert found.method == "Own"
    assert {one.reason for one in found.explain()} == {"inside"}
    assert found.replaced is None


def test_a_subclass_may_find_content_in_the_data():
    found = chaffinch.extract(PAGE, method=Own("<p>Only in the data."))
    assert found.text == "Only in the data."
    assert found.replaced is not None
    assert {one.reason for one in found.explain() if one.keep} == {"in the data"}


def test_names_of_plain_callables():
    class Callable:
        def __call__(self, page):
            return everything(page)

    def named(page):
        return everything(page)

    assert chaffinch.extract(PAGE, method=named).method == "named"
    assert chaffinch.extract(PAGE, method=partial(everything, why=0)).method == "partial"
    assert chaffinch.extract(PAGE, method=Callable()).method == "Callable"
    named.name, named.reasons = "by attribute", ["kept"]
    found = chaffinch.extract(PAGE, method=named)
    assert found.method == "by attribute"
    assert found.reasons == ("kept",)


def test_a_function_to_a_mask_keeps_subtrees():
    def second(page):
        return page.is_tag("p") & (np.arange(len(page)) == page.select("p")[1])

    found = chaffinch.extract("<p>Rye.<p>Oats <b>and</b> barley.", method=second)
    assert (found.text, found.method) == ("Oats and barley.", "second")
    assert found.redecide(policy={"headline": True}).text == found.text
    for wrong in (lambda page: page.is_tag("p")[1:], lambda page: page.length):
        with pytest.raises(chaffinch.OptionError, match="a mask of the page is bool"):
            chaffinch.extract(PAGE, method=wrong)
