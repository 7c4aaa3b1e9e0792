"""What a crawl of the example web asked for and wrote."""

from warcio.archiveiterator import ArchiveIterator


def asked(web, host):
    """Return what a host was asked for, its rules left out."""
    rules = ("/robots.txt", "/.well-known/tdmrep.json")
    return [
        line["target"] for line in web.asked if line["host"] == host and line["target"] not in rules
    ]


def by_url(visits):
    return {visit.url.partition(".test")[2].partition("/")[2]: visit for visit in visits}


def records(out, *kinds):
    with out.open("rb") as file:
        return [
            (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"))
            for record in ArchiveIterator(file)
            if record.rec_type in kinds
        ]
