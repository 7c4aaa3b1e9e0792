"""Clusters of pages by block paths: worked out by hand, and against comparing all with all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.methods.cluster_rules import Likeness, cluster_pages, similarity

ARTICLE = "<div><article><div>x</div></article></div><ul></ul>"


def test_similarity_of_two_pages_is_common_paths_of_all():
    one, two = Likeness().paths(parse(ARTICLE)), Likeness().paths(parse(ARTICLE + "<table>"))
    assert similarity(one, two) == pytest.approx(5 / 6)
    counted = Likeness(counts=True)
    one, two = counted.paths(parse("<ul></ul>" * 2)), counted.paths(parse("<ul></ul>" * 6))
    assert similarity(one, two) == pytest.approx((1 + 2) / (1 + 6))


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
