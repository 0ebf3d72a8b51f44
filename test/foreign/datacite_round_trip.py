"""Writes DataCite's JSON as its XML, by PyPI's datacite: a record a line in, a text of JSON a line out."""

import json
import sys

from datacite import schema45

for line in sys.stdin:
    record = json.loads(line)
    try:
        print(json.dumps(schema45.tostring(record)))
    except Exception as fault:  # What it cannot write is told, and the next one is written.
        print(json.dumps({"error": f"{type(fault).__name__}: {fault}"[:300]}))
