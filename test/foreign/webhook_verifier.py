"""Verifies deliveries of webhooks with code that is none of ours: the symmetric signature with
standardwebhooks (PyPI), the asymmetric one with cryptography.

Reads JSON from standard input: the secret, the public key, and deliveries with headers and body.
Each is verified as it came, and refused when one thing of it is changed. Prints counts as JSON."""

import base64
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def changed(text, index):
    """The text with another character at some place."""
    at = (index * 7919) % len(text)
    return text[:at] + ("y" if text[at] == "x" else "x") + text[at + 1 :]


def mutations(headers, body, index):
    """The delivery with one thing changed, each in its turn."""
    yield headers, changed(body, index)
    yield {**headers, "webhook-id": changed(headers["webhook-id"], index)}, body
    later = str(int(headers["webhook-timestamp"]) + 1)
    yield {**headers, "webhook-timestamp": later}, body
    yield {**headers, "webhook-signature": broken(headers["webhook-signature"], index)}, body


def broken(signatures, index):
    """The signatures with another character in each of them, before what fills its end."""
    parts = [part.split(",", 1) for part in signatures.split(" ")]
    return " ".join(
        f"{scheme},{changed(signature[:40], index)}{signature[40:]}" for scheme, signature in parts
    )


def takes_symmetric(webhook, headers, body):
    try:
        webhook.verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


def takes_asymmetric(key, headers, body):
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    for part in headers["webhook-signature"].split(" "):
        scheme, signature = part.split(",", 1)
        if scheme != "v1a":
            continue
        try:
            key.verify(base64.b64decode(signature), content)
            return True
        except InvalidSignature:
            pass
    return False


def main():
    given = json.load(sys.stdin)
    webhook = Webhook(given["secret"])
    scheme, encoded = given["public_key"].split("_", 1)
    assert scheme == "whpk"
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(encoded))
    verifiers = {
        "symmetric": lambda headers, body: takes_symmetric(webhook, headers, body),
        "asymmetric": lambda headers, body: takes_asymmetric(key, headers, body),
    }
    counts = {}
    for name, takes in verifiers.items():
        accepted = mutated = refused = 0
        for index, delivery in enumerate(given["deliveries"]):
            headers, body = delivery["headers"], delivery["body"]
            accepted += takes(headers, body)
            for other_headers, other_body in mutations(headers, body, index):
                mutated += 1
                refused += not takes(other_headers, other_body)
        counts[name] = {"accepted": accepted, "mutated": mutated, "refused": refused}
    print(json.dumps(counts))


main()
