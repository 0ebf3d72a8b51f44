"""Writes the names of items in CSL-JSON as citeproc-py does, by a style, as a list of texts in
their order: csl_names.py STYLE ITEMS"""

import json
import sys
import warnings

from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle
from citeproc import formatter
from citeproc.source.json import CiteProcJSON

warnings.simplefilter("ignore")
style_path, items_path = sys.argv[1:]
with open(items_path, encoding="utf-8") as file:
    items = json.load(file)
style = CitationStylesStyle(style_path, validate=False)
bibliography = CitationStylesBibliography(style, CiteProcJSON(items), formatter.plain)
for item in items:
    bibliography.register(Citation([CitationItem(item["id"])]))
written = dict(zip(bibliography.keys, (str(each) for each in bibliography.bibliography())))
json.dump([written[item["id"]] for item in items], sys.stdout)
