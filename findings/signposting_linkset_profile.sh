#!/usr/bin/env bash
# RFC 9264 (section 4.2.4.3) has attributes of a link that are not those of RFC 8288 as arrays in JSON:
# `"profile": ["https://…"]`. The link sets of FAIR Signposting carry such a profile. The Python library
# signposting 0.9.9 takes a text only: with the array that the RFC asks for it raises an error, with a bare
# text, which is no link set by the RFC, it reads the link. So a landing page serves one or the other.
# Seen with Python 3.11; the link set is served on loopback by the script. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check signposting==0.9.9
cat >seen.py <<'PY'
import json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from signposting.linkset import find_signposting_linkset

profile = 'https://example.org/profile'

class LinkSets(BaseHTTPRequestHandler):
    def do_GET(self):
        said = [profile] if self.path == '/array' else profile
        link = {'href': 'https://example.org/work.json', 'type': 'application/json', 'profile': said}
        body = json.dumps({'linkset': [{'anchor': 'https://example.org/work', 'describedby': [link]}]})
        self.send_response(200)
        self.send_header('Content-Type', 'application/linkset+json')
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass

server = HTTPServer(('127.0.0.1', 0), LinkSets)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path in ['text', 'array']:
    try:
        found = find_signposting_linkset('http://127.0.0.1:%d/%s' % (server.server_port, path))
        print(path, sorted(str(link.target) for link in found.signposts))
    except Exception as error:
        print(path, type(error).__name__)
PY
seen=$(venv/bin/python seen.py 2>/dev/null)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
text ['https://example.org/work.json']
array AttributeError
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
