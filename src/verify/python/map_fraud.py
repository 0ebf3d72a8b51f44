#!/usr/bin/env python3
"""Judges fraud proofs of the maps of Arklog registries, offline, with nothing but Python 3.9.

    python3 map_fraud.py FILE... --keys svc-keys.json [--sandbox]

Written from docs/map.md. Of each file it says `proven` and which lie of the log it proves, or
`not proven` and why. Exit code: 0 all are proven, 1 one is not, 2 nothing could be read.
"""
import argparse, gzip, re, sys, zlib

import verify as reader
from verify import Refused, demand, is_like, sha256

TEXT, COUNT = reader.TEXT, lambda value: reader.COUNT(value) and value < 2**53
PROOF = {"leaf_index": COUNT, "text": TEXT, "proof": TEXT}
FRAUD = {"format": "arklog-map-fraud-v1", "ark": TEXT, "checkpoint": TEXT, "map_leaf": reader.ANY,
         "map_proof": (reader.NONE, TEXT), "entry": (reader.NONE, reader.ANY)}
STATEMENT = {"ark": r"ark:/[\x21-\x7e]{1,255}", "content_hash": (reader.NONE, reader.HASH),
             "metadata_hash": reader.HASH, "statement": "registered|content|tombstoned",
             "receipt_id": "rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_[0-9a-z]{12}",
             "timestamp": r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{3}Z",
             "version": lambda value: COUNT(value) and value > 0,
             "signature": lambda value: has_form(value, reader.FORMS["signature"])}
FURTHER = {"witnessed_checkpoint": reader.HASH, "reason": "[0-9a-z_]{1,64}", "by": "operator"}

def has_form(value, form):
    is_whole = isinstance(value, dict) and value.keys() == form.keys()
    return is_whole and all(is_like(rule, value[name]) for name, rule in form.items())

def demand_form(value, form, name):
    demand(has_form(value, form), "form", f"{name} has not its form")
    return value

def read_fact(text):
    """The statement of an entry, exactly as the function of the map reads it; None for others."""
    try:
        value = reader.read_json(text.encode())
    except (Refused, UnicodeError):
        return None
    if not isinstance(value, dict) or not STATEMENT.keys() <= value.keys():
        return None
    further = {name: FURTHER.get(name) for name in value.keys() - STATEMENT.keys()}
    is_gone, names = value["statement"] == "tombstoned", further.keys()
    is_right = all(is_like(rule, value[name]) for name, rule in STATEMENT.items())
    is_right = is_right and all(rule and is_like(rule, value[name]) for name, rule in further.items())
    is_right = is_right and is_gone == ("reason" in names) and (is_gone or "by" not in names)
    return value if is_right and reader.canonical(value) == text else None

def misnamed(ark, index, fact, value):
    """Why an entry that a value names is not what it is named for."""
    if value is None:
        return None
    version, is_of_it = value["version"], fact is not None and fact["ark"] == ark
    registers = is_of_it and (fact["statement"], fact["version"]) == ("registered", version)
    if version > 0 and value["version_leaf"] == index and not registers:
        return f"entry {index}, which the map names for version {version}, does not register it"
    if value["newest_leaf"] == index and not is_of_it:
        return f"entry {index}, which the map names as the newest statement, is none of the ARK"
    return None

def check_entry(entry, head):
    data = reader.unbase64(entry["proof"])
    is_right = len(data) % 32 == 0 and (data or not entry["proof"])
    demand(is_right, "form", "the proof of an entry is not base64 of hashes")
    path = [data[at : at + 32] for at in range(0, len(data), 32)]
    leaf = sha256(b"\0" + entry["text"].encode())
    is_there = reader.included(leaf, entry["leaf_index"], head[1], path, head[2])
    demand(is_there, "inclusion", "the hashes do not lead from an entry to the root")

def lost_keys(earlier, index, keys, head):
    """Why an entry is a map leaf that shows a later one to have lost ARKs; None if it is none."""
    if not earlier["text"].startswith(reader.LEAF):
        return None
    check_entry(earlier, head)
    before, at = reader.parse_leaf(earlier["text"]), earlier["leaf_index"]
    if before is None:
        return f"entry {at} is an unreadable map leaf"
    is_less = at < index and keys < before[2]
    return f"the map of entry {index} has {keys} ARKs, and had {before[2]} before" if is_less else None

def judge(fraud, vkey):
    """The lie that a fraud proof proves; Refused if it proves none."""
    demand_form(fraud, FRAUD, "the file")
    for name in ("map_leaf", *(["entry"] if fraud["entry"] is not None else [])):
        demand_form(fraud[name], PROOF, name)
    log = reader.parse_vkey(vkey, "keys")
    demand(reader.is_usable(log, (1, 6)), "keys", "not a key of a log")
    head, _ = reader.open_checkpoint(fraud["checkpoint"], log, None, "checkpoint")
    ark, leaf, entry = fraud["ark"], fraud["map_leaf"], fraud["entry"]
    check_entry(leaf, head)
    parsed = reader.parse_leaf(leaf["text"])
    if parsed is None:
        return f"entry {leaf['leaf_index']} is an unreadable map leaf"
    origin, covers, keys, root = parsed
    if origin != head[0]:
        return f"it is a map leaf of {origin}"
    if covers != leaf["leaf_index"]:
        return f"entry {leaf['leaf_index']} says that its map covers {covers} entries"
    lost = lost_keys(entry, leaf["leaf_index"], keys, head) if entry else None
    if lost:
        return lost
    proof = fraud["map_proof"]
    data = reader.unbase64(proof) if proof else b""
    demand(data, "map_leaf", "the map leaf is at its own place")
    value = reader.check_proof(ark, data, root)
    if value and max(value["version_leaf"], value["newest_leaf"]) >= covers:
        return "the value names an entry that the map does not cover"
    if value and value["state"] == "contradictory":
        return "the map says itself that statements about the ARK contradict each other"
    demand(entry is not None, "entry", "no entry contradicts the map")
    check_entry(entry, head)
    index, fact = entry["leaf_index"], read_fact(entry["text"])
    demand(index < covers, "entry", "the map does not cover the entry")
    lie = reader.contradiction(fact, index, value) if fact and fact["ark"] == ark else None
    lie = lie or misnamed(ark, index, fact, value)
    demand(lie, "entry", "the entry and the map agree")
    return lie

def read_file(file):
    """What is in a file, which a monitor packs by gzip; of at most a megabyte."""
    with open(file, "rb") as stored:
        is_packed = stored.read(2) == b"\x1f\x8b"
    with (gzip.open if is_packed else open)(file, "rb") as stored:
        return reader.read_json(stored.read(1 << 20))

def main():
    parser = argparse.ArgumentParser(description="judge fraud proofs of maps, offline")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--keys", required=True, help="the registry's key file, saved earlier")
    parser.add_argument("--sandbox", action="store_true", help="take the keys of the sandbox")
    options = parser.parse_args()
    worst = 0
    try:
        saved = reader.read_json(open(options.keys, "rb").read())
        vkey = (saved["sandbox"] if options.sandbox else saved)["log"]["vkey"]
        for file in options.files:
            try:
                lie = judge(read_file(file), vkey)
                print(f"{file}: proven: {lie}")
            except Refused as error:
                worst = 1
                print(f"{file}: not proven: {error.args[1]}")
    except (OSError, EOFError, zlib.error, KeyError, TypeError, Refused) as error:
        print(f"nothing could be checked: {error!r}", file=sys.stderr)
        worst = 2
    sys.exit(worst)

if __name__ == "__main__":
    main()
