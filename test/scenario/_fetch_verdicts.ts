import assert from 'node:assert/strict'

import { untilGiven } from '#test/_until.ts'
import { newWork, type Server } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import type { FixityCheck } from '#actors/works/content.ts'

/** What a registry makes of a work with an address: a refusal at once, or its first check. */
export type FetchVerdict =
  | { readonly type: 'not_registered'; readonly status: number }
  | { readonly type: 'checked'; readonly check: FixityCheck }

/** Registers a work for each address and waits for its first check, as its depositor would. */
export async function judgeAddresses(
  server: Server,
  key: string,
  addresses: readonly string[],
): Promise<Map<string, FetchVerdict>> {
  // Several spell one address: without a number their works would be duplicates.
  const works = addresses.map((address, index) => ({
    ...newWork(`${index} ${address}`),
    work_url: address,
  }))
  const verdicts = await judgeWorks(server, key, works)
  return new Map(addresses.map((address, index) => [address, verdicts[index] as FetchVerdict]))
}

/** The same for works with all their fields; verdicts come in their order. */
export async function judgeWorks(
  server: Server,
  key: string,
  works: readonly Readonly<Record<string, string>>[],
): Promise<FetchVerdict[]> {
  type Item = { readonly status: number; readonly ark_identifier: string }
  const { body } = await request<{ results: Item[] }>(server, '/v1/works/bulk', {
    key,
    body: { works },
  })
  const verdicts: FetchVerdict[] = []
  for (const { status, ark_identifier: ark } of body.results) {
    if (status !== 201) verdicts.push({ type: 'not_registered', status })
    else verdicts.push({ type: 'checked', check: await firstCheck(server, ark) })
  }
  return verdicts
}

async function firstCheck(server: Server, ark: string): Promise<FixityCheck> {
  type Proofs = { readonly content_proofs: { readonly fixity_checks: readonly FixityCheck[] } }
  const give = async () => {
    const { status, body } = await request<Proofs>(server, `/api/v1/proofs/${ark}/v1`)
    assert.equal(status, 200, ark)
    return body.content_proofs.fixity_checks[0]
  }
  return untilGiven(`${ark} was checked`, give, { pauseMs: 50 })
}
