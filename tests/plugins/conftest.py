"""Files of plug-ins' tools, collected where they are there; `test_plugin_groups.py` says which."""

from plugin_cases import THERE

FILES = {
    "test_datatrove.py": {"datatrove"},
    "test_markitdown.py": {"markitdown"},
    "test_retrieval_tools.py": {"langchain", "llama_index"},
    "test_scrapy_tools.py": {"scrapy"},
}
NAMES = {one.name for one in THERE}

collect_ignore = [file for file, needed in FILES.items() if not needed <= NAMES]
if not THERE:
    collect_ignore.append("test_plugin_promises.py")
