"""Reads a BibTeX file with a program of others, and prints what it says of each entry, as JSON.

    python bibtex_readers.py pybtex|bibtexparser|biber|pandoc FILE

Facts are texts by the names of fields; names are parted by "; ". Readers that leave LaTeX as it is
(pybtex, bibtexparser, biber) have it read by pylatexenc.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from pylatexenc.latex2text import LatexNodes2Text

# A program that it starts ends with it: what is ended from outside would leave it behind.
READ_SECONDS_MAX = 100

program, path = sys.argv[1], os.path.abspath(sys.argv[2])
decoder = LatexNodes2Text(keep_braced_groups=False, strict_latex_spaces=False)


def text(latex):
    """LaTeX as text; a value that pylatexenc cannot read says nothing."""
    try:
        return decoder.latex_to_text(str(latex)).strip()
    except Exception:
        return ""


def first(fields, *names):
    return next((str(fields[name]) for name in names if fields.get(name)), "")


def facts(fields, names):
    """What fields of BibTeX say: `names` are of authors, in pairs of family and given names."""
    return {
        "title": text(first(fields, "title")),
        "year": first(fields, "date", "year")[:4],
        "doi": first(fields, "doi"),
        "families": "; ".join(text(family) for family, _ in names),
        "given": "; ".join(text(given) for _, given in names),
        "container": text(first(fields, "journaltitle", "journal", "booktitle")),
        "volume": text(first(fields, "volume")),
        "issue": text(first(fields, "number")),
        "pages": text(first(fields, "pages")),
        "publisher": text(first(fields, "publisher")),
    }


def pybtex():
    from pybtex.database import parse_file
    from pybtex.errors import set_strict_mode

    set_strict_mode(False)
    for key, entry in parse_file(path, "bibtex").entries.items():
        fields = {name.lower(): value for name, value in entry.fields.items()}
        names = [
            (
                " ".join(one.prelast_names + one.last_names),
                " ".join(one.first_names + one.middle_names),
            )
            for one in entry.persons.get("author", [])
        ]
        yield key, facts(fields, names)


def bibtexparser():
    import bibtexparser as reader
    from bibtexparser import middlewares as m

    parts = [m.SeparateCoAuthors(), m.SplitNameParts()]
    for entry in reader.parse_file(path, append_middleware=parts).entries:
        fields = {name.lower(): field.value for name, field in entry.fields_dict.items()}
        given = fields.get("author", [])
        names = [(" ".join(one.von + one.last), " ".join(one.first)) for one in given]
        yield entry.key, facts(fields, names)


space = "{http://biblatex-biber.sourceforge.net/biblatexml}"


def part(name, kind):
    """A part of a name, whose words may be elements of their own."""
    found = name.find(f"{space}namepart[@type='{kind}']")
    return "" if found is None else " ".join(" ".join(found.itertext()).split())


def biber():
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/out.xml"
        words = ["--tool", "--quiet", "--nolog", "--output-format=biblatexml"]
        command = ["biber", *words, f"--output-file={output}", path]
        subprocess.run(command, cwd=folder, check=False, timeout=READ_SECONDS_MAX)
        entries = xml.parse(output).getroot().findall(f"{space}entry")
    for entry in entries:
        fields = {}
        for field in entry:
            items = [" ".join(item.itertext()).strip() for item in field.iter(f"{space}item")]
            one = " and ".join(items) if items else " ".join(field.itertext()).strip()
            fields[field.tag.removeprefix(space)] = one
        ranges = entry.findall(f"{space}pages//{space}item")
        fields["pages"] = ", ".join(
            "-".join(filter(None, (end.text for end in one))) or (one.text or "") for one in ranges
        )
        names = [
            (f"{part(one, 'prefix')} {part(one, 'family')}".strip(), part(one, "given"))
            for one in entry.findall(f"{space}names[@type='author']/{space}name")
        ]
        yield entry.get("id"), facts(fields, names)


def pandoc():
    command = ["pandoc", "-f", "biblatex", "-t", "csljson", path]
    items = subprocess.run(
        command, capture_output=True, check=True, timeout=READ_SECONDS_MAX
    ).stdout
    plain = lambda item, name: re.sub(r"</?[a-z]+[^<>]*>", "", str(item.get(name, "")))
    for item in json.loads(items):
        people = item.get("author", [])
        particles = ("dropping-particle", "non-dropping-particle", "family")
        family = lambda one: " ".join(filter(None, (one.get(name) for name in particles)))
        dates = item.get("issued", {}).get("date-parts") or [[""]]
        yield item["id"], {
            "title": plain(item, "title"),
            "year": str(dates[0][0]),
            "doi": str(item.get("DOI", "")),
            "families": "; ".join(one.get("literal") or family(one) for one in people),
            "given": "; ".join(one.get("given", "") for one in people),
            "container": plain(item, "container-title"),
            "volume": plain(item, "volume"),
            "issue": plain(item, "issue") or plain(item, "number"),
            "pages": plain(item, "page"),
            "publisher": plain(item, "publisher"),
        }


readers = {one.__name__: one for one in (pybtex, bibtexparser, biber, pandoc)}
# Of entries with one key, the first counts.
print(json.dumps(dict(reversed(list(readers[program]())))))
