"""Lists of terms go with kept text above them, and with such lists directly above."""

import numpy as np

from chaffinch import parse
from chaffinch.decision.structure import data_lists
from chaffinch.segment.text_blocks import text_blocks

LIST = "<dl><dt>Weight<dd>6 kg<dt>Width<dd>12 cm</dl>"


def test_where_a_list_of_terms_is_kept():
    blocks = text_blocks(parse(f"{LIST}<p>a<p>b<p>c<p>d{LIST}{LIST}<nav>{LIST}</nav>"))
    keep = np.zeros(len(blocks), dtype=bool)
    assert data_lists(blocks, keep, reach=3) is None
    keep[7] = True  # the paragraph above the second list
    assert data_lists(blocks, keep, reach=3).nonzero()[0].tolist() == list(range(8, 16))
