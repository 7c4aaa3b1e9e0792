"""Whatever a child of the service writes to the log is a line of JSON."""

import json
import warnings

from chaffinch.service.work_queue import work
from chaffinch.workers import ChildPool


def test_a_warning_of_python_in_a_child_is_a_line_of_json(capfd):
    with ChildPool(work, warm_up=None) as pool:
        pool.call(warnings.warn, "rye is ripe")
    (line,) = map(json.loads, capfd.readouterr().err.splitlines())
    assert line["level"] == "warning"
    assert "UserWarning: rye is ripe" in line["message"]
