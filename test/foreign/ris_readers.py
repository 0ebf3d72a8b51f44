"""Reads a file of RIS as another reader does, and prints the fields of each record, by its ID:
ris_readers.py rispy|bibutils FILE. Bibutils is Debian's package; it gets a bounded memory."""

import json
import re
import resource
import subprocess
import sys

memory_max = 2 << 30


def rispy_records(path):
    import rispy

    with open(path, encoding="utf-8") as file:
        entries = rispy.load(file)
    for entry in entries:
        authors = entry.get("authors") or entry.get("first_authors") or []
        year = entry.get("year") or entry.get("publication_year") or ""
        pages = [entry.get("start_page"), entry.get("end_page")]
        titles = ["title", "primary_title"]
        places = ["journal_name", "secondary_title", "alternate_title3"]
        yield entry.get("id"), {
            "title": next((entry[one] for one in titles if entry.get(one)), ""),
            "families": "; ".join(one.split(",")[0].strip() for one in authors),
            "year": year[:4],
            "doi": entry.get("doi", ""),
            "container": next((entry[one] for one in places if entry.get(one)), ""),
            "volume": entry.get("volume", ""),
            "issue": entry.get("number", ""),
            "pages": "-".join(filter(None, pages)),
            "publisher": entry.get("publisher", ""),
        }


def bibutils_records(path):
    from lxml import etree

    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory_max, memory_max))
    call = ["ris2xml", "-i", "utf8", "-o", "utf8", path]
    done = subprocess.run(call, capture_output=True, check=True, preexec_fn=limit)
    root = etree.fromstring(done.stdout.removeprefix(b"\xef\xbb\xbf"))
    names = {"m": "http://www.loc.gov/mods/v3"}
    for record in root.iterfind("m:mods", names):
        first = lambda path: next(iter(record.xpath(path, namespaces=names)), "")
        people = record.xpath("m:name[m:role/m:roleTerm[.='author']]", namespaces=names)
        part = "m:namePart[@type='family' or not(@type)]/text()"
        families = [next(iter(one.xpath(part, namespaces=names)), "") for one in people]
        parts = ("title", "subTitle")
        title = [first(f"m:titleInfo[1]/m:{one}/text()") for one in parts]
        host = "m:relatedItem[@type='host']/m:titleInfo[1]"
        held = [first(f"{host}/m:{one}/text()") for one in parts]
        detail = lambda kind: first(f".//m:part/m:detail[@type='{kind}']/m:number/text()")
        pages = ".//m:part/m:extent[@unit='page']"
        extent = [first(f"{pages}/m:{end}/text()") for end in ("start", "end")]
        issued = first(".//m:originInfo/m:dateIssued/text()")
        yield record.get("ID"), {
            "title": ": ".join(filter(None, title)),
            "families": "; ".join(families),
            "year": (issued or first(".//m:part/m:date/text()"))[:4],
            "doi": first("m:identifier[@type='doi']/text()"),
            "container": ": ".join(filter(None, held)),
            "volume": detail("volume"),
            "issue": detail("issue") or detail("number"),
            "pages": "-".join(filter(None, extent)),
            "publisher": first(".//m:originInfo/m:publisher/text()"),
        }


readers = {"rispy": rispy_records, "bibutils": bibutils_records}
json.dump(dict(readers[sys.argv[1]](sys.argv[2])), sys.stdout)
