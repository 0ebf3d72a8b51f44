"""Counts the uses in an access log by itself: COUNTER 5.1, robots and double clicks left out,
and what is more than 30 of a kind from one address (an IPv6 one with its /64) on a day.

Lines are tab-separated: milliseconds since 1970, address, method, target, Accept, status, user
agent. Prints JSON: counts by ARK, day (UTC) and kind."""

import datetime
import ipaddress
import json
import re
import sys
from collections import defaultdict
from urllib.parse import parse_qs, unquote, urlsplit

robot = re.compile(r"bot|crawl|spider", re.IGNORECASE)


def use(method, target, accept):
    """The kind of use and the ARK, if a request is a use."""
    parts = urlsplit(target)
    path = unquote(parts.path)
    if parts.path.endswith("/oai"):
        query = parse_qs(parts.query)
        if query.get("verb") == ["GetRecord"]:
            return "harvests", query["identifier"][0].split("ark:/")[1]
        return None
    if method == "POST":
        found = re.fullmatch(r"/v1/receipts/ark:/(\d+/\w+)/v\d+/verify", path)
        return found and ("verifications", found.group(1))
    if method != "GET":
        return None
    found = re.fullmatch(r"/v1/resolve/ark:/(\d+/\w+)(?:/v\d+)?", path)
    if found:
        return "resolutions", found.group(1)
    found = re.fullmatch(r"/ark:/(\d+/\w+)", path)
    if found:
        page = parts.query == "" and ("text/html" in accept or accept in ("", "*/*"))
        return ("landings" if page else "resolutions"), found.group(1)
    return None


def client(address):
    if ":" not in address:
        return address
    return str(ipaddress.ip_network(address + "/64", strict=False))


last = {}
uses = defaultdict(int)
counts = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
for line in sys.stdin:
    ms, address, method, target, accept, status, agent = line.rstrip("\n").split("\t")
    found = use(method, target, accept)
    if not found or int(status) >= 400:
        continue
    kind, ark = found
    if kind != "harvests" and robot.search(agent):
        continue
    ms = int(ms)
    day = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc).strftime("%Y-%m-%d")
    source = (kind, ark, client(address), day)
    click = (source, agent)
    before = last.get(click)
    last[click] = ms
    if before is not None and ms - before <= 30_000:
        continue
    uses[source] += 1
    if uses[source] <= 30:
        counts[ark][day][kind] += 1
json.dump(counts, sys.stdout)
