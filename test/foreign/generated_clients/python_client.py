"""Registers, reads, updates and verifies with a client made by openapi-python-client."""

import json
import sys

from arklog_client import AuthenticatedClient
from arklog_client.api.receipts import get_receipt, verify_receipt, verify_version
from arklog_client.api.works import create_work, get_work, update_work, validate_work
from arklog_client.models import (
    CreatedWork,
    Error,
    NewWork,
    Receipt,
    ReceiptVerification,
    ValidWork,
    VerificationResult,
    Work,
    WorkChange,
    WorkType,
    WorkUpdate,
)

base_url, key, content_hash = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)


def held(kind, answer):
    if not isinstance(answer, kind):
        raise SystemExit(f"{kind.__name__} was expected: {answer}")
    return answer


work = NewWork(
    work_title="Made by openapi-python-client",
    work_type=WorkType.ARTICLE,
    authors="Ox, Ada; Pen, Bo",
    work_url="https://press.example/openapi-python-client.pdf",
    content_hash=content_hash,
)
held(ValidWork, validate_work.sync(client=client, body=work))
name = "openapi-python-client"
created = held(CreatedWork, create_work.sync(client=client, body=work, idempotency_key=name))
ark = created.ark_identifier

read = get_work.sync_detailed(ark, client=client)
shown = held(Work, read.parsed)
change = held(
    WorkChange,
    update_work.sync(
        ark,
        client=client,
        body=WorkUpdate(description="An abstract."),
        if_match=read.headers["etag"],
    ),
)

receipt = held(Receipt, get_receipt.sync(ark, change.version, client=client))
body = ReceiptVerification(receipt_id=receipt.receipt_id, content_hash=content_hash)
result = held(VerificationResult, verify_receipt.sync(client=client, body=body))
# Without a hash the content would be read now.
held(VerificationResult, verify_version.sync(ark, change.version, client=client))
refused = held(Error, get_work.sync("k2nothing", client=client))
print(
    json.dumps(
        {
            "title": shown.work_title,
            "version": change.version,
            "valid": result.valid,
            "refusal": refused.error,
        }
    )
)
