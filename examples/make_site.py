"""Write the example site: `python examples/make_site.py OUT_DIR`."""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from site_maker import write


def main() -> None:
    """Read the folder's name, write the site, say what was written."""
    parser = argparse.ArgumentParser(description="Write the bilingual example site.")
    parser.add_argument("folder", type=Path, help="where to write it; made if missing")
    folder = parser.parse_args().folder
    rows = write(folder)
    counts = Counter(row["template"] for row in rows)
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print(f"{len(rows)} pages in {folder} ({kinds})")


if __name__ == "__main__":
    main()
