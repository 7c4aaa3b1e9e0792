"""Samples of pages as versions before wrote them."""

import io
import json

import numpy as np


def older_sample(data, *, version, fields):
    """Return a sample's bytes as of a version that kept so many fields of each page's header."""
    with np.load(io.BytesIO(data)) as file:
        arrays = dict(file)
    header = json.loads(arrays["header"].tobytes())
    header["version"] = version
    header["kept"] = [kept[:fields] for kept in header["kept"]]
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()
