import assert from 'node:assert/strict'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import type { TrustedKeys } from '#src/client/verify/types.ts'
import { until } from '#test/_until.ts'
import type { Server } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

/** What the registry says of the content of one version, wherever it says anything of it. */
export type VersionView = {
  readonly status: string
  readonly reason: string | null
  readonly hash: string | null
  /** The statement of the receipt, which was verified, and the content hash that it names. */
  readonly receipt: readonly [statement: string, contentHash: string | null]
  /** The statements of the proofs, and the status of each check. */
  readonly statements: readonly string[]
  readonly checks: readonly string[]
  /** Every change of the state in the history, oldest first, with its reason. */
  readonly changes: readonly (readonly [status: string, reason: string | null])[]
  /** The state that the metrics count the work in. */
  readonly counted: readonly string[]
}

type Receipt = {
  readonly statement: string
  readonly content_hash: string | null
  readonly fixity_status: string
}

type Resolved = {
  readonly content: {
    readonly fixity_status: string
    readonly reason: string | null
    readonly hash: string | null
  }
  readonly receipt: Receipt
}

type Proofs = {
  readonly content_proofs: {
    readonly sha256: string | null
    readonly fixity_checks: readonly { readonly status: string }[]
  }
  readonly signatures: readonly { readonly statement: string }[]
}

type History = {
  readonly events: readonly {
    readonly type: string
    readonly fixity_status?: string
    readonly reason?: string | null
  }[]
}

/** A registry of one work. */
export type Followed = { readonly server: Server; readonly adminPort: number; readonly ark: string }

/** Reads all that is public about the first version of a work, and what the metrics say. */
export async function viewVersion({ server, adminPort, ark }: Followed): Promise<VersionView> {
  const { body: resolved } = await request<Resolved>(server, `/api/v1/resolve/${ark}`)
  const { body: receipt } = await request<Receipt>(server, `/api/v1/receipts/${ark}/v1`)
  const { body: proofs } = await request<Proofs>(server, `/api/v1/proofs/${ark}/v1`)
  const { body: history } = await request<History>(server, `/api/v1/resolve/${ark}/history`)
  assert.deepEqual(receipt, resolved.receipt, 'one receipt everywhere')
  const { valid, steps } = await verifyReceipt(receipt, await readKeys(server), {})
  assert(valid, JSON.stringify(steps))
  const { fixity_status: status, reason, hash } = resolved.content
  assert.equal(receipt.fixity_status, status)
  assert.equal(proofs.content_proofs.sha256 ?? null, hash?.slice('sha256:'.length) ?? null)
  const changes = history.events.filter(({ type }) => type === 'work.fixity_changed')
  return {
    status,
    reason,
    hash,
    receipt: [receipt.statement, receipt.content_hash],
    statements: proofs.signatures.map(({ statement }) => statement),
    checks: proofs.content_proofs.fixity_checks.map((check) => check.status),
    changes: changes
      .map((change) => [change.fixity_status ?? '', change.reason ?? null] as const)
      .toReversed(),
    counted: await readCounted(adminPort),
  }
}

async function readKeys(server: Server): Promise<TrustedKeys> {
  const { body } = await request(server, '/.well-known/svc-keys.json')
  return (await parseKeyList(JSON.stringify(body))).live
}

async function readCounted(adminPort: number): Promise<string[]> {
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const works = /^arklog_fixity_works\{environment="live",status="(?<status>\w+)"\} 1$/gm
  return [...metrics.matchAll(works)].map((match) => match.groups?.['status'] ?? '')
}

/** Waits until the work is in a state. */
export function untilStatus({ server, ark }: Followed, status: string): Promise<void> {
  const isSo = async () => {
    const { body } = await request<Resolved>(server, `/api/v1/resolve/${ark}`)
    return body.content.fixity_status === status
  }
  return until(`the content of ${ark} is ${status}`, isSo, { pauseMs: 50 })
}
