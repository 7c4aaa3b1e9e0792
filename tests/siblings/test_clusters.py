"""Clusters of pages by block paths: worked out by hand, and against comparing all with all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import OptionError, parse
from chaffinch.siblings.block_rules import Likeness, cluster_pages, similarity

ARTICLE = "<div><article><div>x</div></article></div><ul></ul>"
LIST = "<table><tr><td><ul></ul></td></tr></table><section></section>"


def clusters(*bodies, **settings):
    return cluster_pages([parse(body) for body in bodies], likeness=Likeness(**settings))


def test_paths_are_those_of_blocks_alone():
    likeness, page = Likeness(), parse("<div><p>x</p><div></div></div><div></div>")
    rows = [page.body, page.first("div"), page.first("div div")]
    assert likeness.paths(page) == {int(page.path_hash[row]): 1 for row in rows}
    counted = Likeness(counts=True).paths(page)
    assert [counted[int(page.path_hash[row])] for row in rows] == [1, 2, 1]
    assert list(Likeness(blocks=["p"]).paths(page)) == [int(page.path_hash[page.first("p")])]


def test_similarity_of_two_pages_is_common_paths_of_all():
    one, two = Likeness().paths(parse(ARTICLE)), Likeness().paths(parse(ARTICLE + "<table>"))
    assert similarity(one, two) == pytest.approx(5 / 6)
    counted = Likeness(counts=True)
    one, two = counted.paths(parse("<ul></ul>" * 2)), counted.paths(parse("<ul></ul>" * 6))
    assert similarity(one, two) == pytest.approx((1 + 2) / (1 + 6))


def test_pages_built_alike_share_a_cluster():
    found = clusters(ARTICLE, LIST, ARTICLE + "<table>", LIST + "<ol>", ARTICLE)
    assert found.cluster.tolist() == [0, 1, 0, 1, 0]
    assert found.size.tolist() == [3, 2]
    assert found.pages_of(1).tolist() == [1, 3]


def test_a_cluster_is_the_mean_of_its_pages():
    found = clusters(ARTICLE, ARTICLE, ARTICLE + "<table>", ARTICLE)
    table = parse(ARTICLE + "<table>")
    path = int(table.path_hash[table.first("table")])
    assert found.means[0][path] == pytest.approx(1 / 4)
    # 5 paths in common and a quarter of the table's: 5.25 of 6.
    assert similarity(Likeness().paths(table), found.means[0]) == pytest.approx(5.25 / 6)


def test_pages_without_blocks_are_alike():
    assert clusters("x", ARTICLE, "y", blocks=["dl"]).cluster.tolist() == [0, 0, 0]
    assert clusters("x", "<dl>", "y", blocks=["dl"]).cluster.tolist() == [0, 1, 0]


def test_no_pages_no_clusters():
    assert len(clusters()) == 0


@pytest.mark.parametrize(
    "settings", [{"threshold": 1.1}, {"counts": 1}, {"blocks": "div"}, {"blocks": ["nope"]}]
)
def test_impossible_settings(settings):
    with pytest.raises(OptionError):
        Likeness(**settings)


bodies = st.lists(
    st.lists(
        st.sampled_from(["<div>", "<ul>", "</div>", "</ul>", "<table>", "<td>", "<ol></ol>"]),
        max_size=12,
    ).map("".join),
    max_size=12,
)


@given(bodies, st.sampled_from([0, 0.2, 0.5, 0.6, 0.8, 1]), st.booleans())
def test_leaving_out_far_clusters_changes_nothing(given_bodies, threshold, counts):
    """Compare with a plain reading that compares each page with the mean of every cluster."""
    likeness = Likeness(threshold=threshold, counts=counts)
    pages = [parse(body) for body in given_bodies]
    members: list[list[dict[int, float]]] = []
    plain = []
    for page in pages:
        paths = likeness.paths(page)
        best, most = len(members), threshold - 1e-9
        for number, cluster in enumerate(members):
            every = {path for one in cluster for path in one}
            mean = {p: sum(one.get(p, 0) for one in cluster) / len(cluster) for p in every}
            value = similarity(paths, mean)
            if value > most + 1e-9 or (most < threshold and value >= threshold - 1e-9):
                best, most = number, value
        if best == len(members):
            members.append([])
        members[best].append(paths)
        plain.append(best)
    found = cluster_pages(pages, likeness=likeness)
    assert found.cluster.tolist() == plain
    assert np.array_equal(found.size, np.bincount(plain, minlength=len(found)))
