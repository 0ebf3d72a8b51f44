import { publicSource, fixityOf, type WorkRecord, workLinks } from '#actors/representation.ts'
import type { JournalEvent } from '#actors/journal.ts'
import { parseEntry, type SignedStatement } from '#actors/statement.ts'
import type { WorkEvent } from '#actors/work_events.ts'
import { assert } from '#log/errors.ts'

/** One version as lists of versions show it. */
export function describeVersion(record: WorkRecord, base: string): Record<string, unknown> {
  const { version, event, state } = record
  return {
    ark_identifier: state.identifier,
    version,
    kind: kindOf(event),
    created_at: event.at,
    receipt_id: event.data.receipt_id,
    metadata_hash: event.data.metadata_hash,
    content_hash: event.data.content_hash,
    fixity_status: fixityOf(version, state, event),
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    ...(event.type === 'WorkVersioned' && event.data.version_note !== undefined
      ? { version_note: event.data.version_note }
      : {}),
    source: publicSource(event.by),
    links: workLinks(base, state.identifier, version),
  }
}

function kindOf(event: JournalEvent & WorkEvent): string {
  switch (event.type) {
    case 'WorkRegistered':
      return 'registered'
    case 'WorkVersioned':
      return event.data.kind
    case 'WorkWithdrawn':
      return 'withdrawn'
  }
}

/** One event of a work as its history shows it. `version` is the work's version after it. */
export function describeEvent(
  event: JournalEvent & WorkEvent,
  state: { readonly version: number; readonly receipt_id: string },
): Record<string, unknown> {
  const { type, id, name } = event.by
  return {
    seq: event.seq,
    at: event.at,
    type: eventNames[event.type],
    version: versionOf(event) ?? state.version,
    by: { type, name, organization: type === 'organization' ? id : null },
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    receipt_id: event.type === 'WorkWithdrawn' ? state.receipt_id : event.data.receipt_id,
  }
}

/** The version that an event made; undefined if it made none. */
export function versionOf(event: JournalEvent & WorkEvent): number | undefined {
  switch (event.type) {
    case 'WorkRegistered':
      return 1
    case 'WorkVersioned':
      return event.data.version
    case 'WorkWithdrawn':
      return undefined
  }
}

/** What clients call the events, in feeds and histories. */
export const eventNames = {
  WorkRegistered: 'work.registered',
  WorkVersioned: 'work.versioned',
  WorkWithdrawn: 'work.withdrawn',
} as const

/** A statement about a version, read from its log entry, with the JSON of its chain proof. */
export type ProvenStatement = { readonly entry: Uint8Array; readonly chainProof: string }

/** `signatures[]` of the proofs of a version; `keyId` names the receipt key that signed. */
export function describeSignature(
  proven: ProvenStatement,
  keyId: (publicKey: string) => string,
): Record<string, unknown> {
  const { statement, signature } = parseLogged(proven.entry)
  assert(statement.statement !== 'key_rotated', 'a version has statements about a work')
  return {
    statement: statement.statement,
    receipt_id: statement.receipt_id,
    timestamp: statement.timestamp,
    algorithm: signature.algorithm,
    public_key: signature.public_key,
    key_id: keyId(signature.public_key),
    signature: signature.signature,
    chain_proof: JSON.parse(proven.chainProof) as unknown,
  }
}

function parseLogged(entry: Uint8Array): SignedStatement {
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'an entry that was committed is a signed statement')
  return parsed
}

/** `content_proofs` of a version whose content nobody has fetched yet. */
export function describeContent(record: WorkRecord): Record<string, unknown> {
  const { version, state, event } = record
  const hash = version === state.version ? state.content_hash : event.data.content_hash
  return {
    sha256: hash === null ? null : hash.slice('sha256:'.length),
    sha512: null,
    fixity_checks: [],
  }
}
