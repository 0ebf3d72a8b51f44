"""Registers many works in batches through a registry that goes away in between, and reads all their
receipts, with a client made by openapi-python-client."""

import json
import sys
import time

import httpx
from arklog_client import AuthenticatedClient
from arklog_client.api.receipts import get_receipt
from arklog_client.api.works import create_works
from arklog_client.models import BulkReply, NewWork, NewWorks, WorkType

base_url, key, file, batches, batch_works = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)


def patiently(call):
    """The answer to a call once the registry is there."""
    while True:
        try:
            answer = call()
            if answer.status_code == 200:
                return answer
        except httpx.HTTPError:
            pass
        time.sleep(0.2)


def new_work(number):
    return NewWork(
        work_title=f"Work {number} of openapi-python-client",
        work_type=WorkType.ARTICLE,
        authors="Ox, Ada",
        work_url=f"https://press.example/openapi-python-client/{number}",
    )


arks = []
for batch in range(int(batches)):
    first = batch * int(batch_works)
    body = NewWorks(works=[new_work(first + index) for index in range(int(batch_works))])
    name = f"openapi-python-client-{batch}"
    reply: BulkReply = patiently(
        lambda: create_works.sync_detailed(client=client, body=body, idempotency_key=name),
    ).parsed
    arks += [result["ark_identifier"] for result in reply.results]
    print(f"batch {batch}", flush=True)

with open(file, "a", encoding="utf-8") as lines:
    for ark in arks:
        receipt = patiently(lambda: get_receipt.sync_detailed(ark, 1, client=client))
        # What was parsed spells times in another way than what was signed.
        lines.write(json.dumps(json.loads(receipt.content)) + "\n")
