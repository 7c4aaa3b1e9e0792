"""Drives pandas."""

import pandas as pd
from plugin_cases import PageFailed

from chaffinch.plugins import pandas as plugin


def text_of(page, url):
    frame = pd.DataFrame({"html": [page], "url": [url]})
    (row,) = plugin.extract(frame).to_dict("records")
    if row["error"]:
        raise PageFailed(row["error_detail"])
    return row["text"]


def parts():
    return [plugin.extract(pd.DataFrame({"html": [b"<p>Rye"]})), plugin.extract]
