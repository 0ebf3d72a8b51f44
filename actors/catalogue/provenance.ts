import { publicSource, workLinks } from '#actors/catalogue/representation.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Agent } from '#actors/values/agent.ts'
import { parseEntry, type SignedStatement } from '#actors/receipts/statement.ts'
import type { HistoryEvent, WorkEvent } from '#actors/works/events.ts'
import type { VersionRecord } from '#actors/works/record.ts'
import { contentReason } from '#actors/works/fixity_rules.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { type ByteText, decodeText } from '#actors/values/byte_text.ts'
import { assert } from '#log/base/errors.ts'

/** One version as lists of versions show it. */
export function describeVersion(record: VersionRecord, base: string): Record<string, unknown> {
  const { version, event, state, content } = record
  return {
    ark_identifier: state.identifier,
    version,
    kind: kindOf(event),
    created_at: event.at,
    receipt_id: event.data.receipt_id,
    metadata_hash: event.data.metadata_hash,
    content_hash: content.content_hash,
    fixity_status: content.fixity_status,
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    ...(event.type === 'WorkVersioned' && event.data.version_note !== undefined
      ? { version_note: event.data.version_note }
      : {}),
    source: publicSource(event.by),
    links: workLinks(base, state.identifier, version),
  }
}

function kindOf(event: VersionRecord['event']): string {
  return event.type === 'WorkRegistered' ? 'registered' : event.data.kind
}

/**
 * One event of a work as its history shows it; `state` is the work's version and receipt now. A
 * check is shown if it changed the fixity status (`isHistoryEvent`), with the status and what led
 * to it.
 */
export function describeEvent(
  event: JournalEvent & HistoryEvent,
  state: { readonly version: number; readonly receipt_id: string },
): Record<string, unknown> {
  return {
    seq: event.seq,
    at: event.at,
    type: eventNames[event.type],
    version: versionOf(event) ?? state.version,
    by: describeWriter(event.by),
    changed_fields: event.type === 'WorkVersioned' ? event.data.changed_fields : [],
    receipt_id: 'receipt_id' in event.data ? event.data.receipt_id : state.receipt_id,
    ...ownMembers(event),
  }
}

/** Who did something to a work, as its history names them. */
export type WorkWriter = Pick<Agent, 'type' | 'name'> & { readonly organization: string | null }

/** Who did something to a work; `organization` is its slug, null for anybody else. */
export function describeWriter({ type, id, name }: Agent): WorkWriter {
  return { type, name, organization: type === 'organization' ? id : null }
}

/** What a change of the fixity status, or an erasure, adds to the description of an event. */
export function ownMembers(event: WorkEvent): Record<string, unknown> {
  if (event.type === 'WorkErased' || event.type === 'MetadataLost') {
    return { reason: event.data.reason }
  }
  if (event.type !== 'FixityChecked' && event.type !== 'SupersededChecked') return {}
  const { status, reason, message } = event.data
  return { fixity_status: status, reason, message }
}

/** The version that an event is about; undefined if it is about the work. */
export function versionOf(event: WorkEvent): number | undefined {
  switch (event.type) {
    case 'WorkRegistered':
      return 1
    case 'WorkVersioned':
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FixityRequested':
      return event.data.version
    case 'WorkWithdrawn':
    case 'WorkErased':
    case 'MetadataLost':
      return undefined
  }
}

/** What clients call the events, in feeds and histories. */
export const eventNames = {
  WorkRegistered: 'work.registered',
  WorkVersioned: 'work.versioned',
  WorkWithdrawn: 'work.withdrawn',
  WorkErased: 'work.erased',
  MetadataLost: 'work.metadata_lost',
  FixityChecked: 'work.fixity_changed',
  SupersededChecked: 'work.fixity_changed',
} as const

/** A statement about a version, read from its log entry, with the JSON of its chain proof. */
export type ProvenStatement = { readonly entry: Uint8Array; readonly chainProof: ByteText }

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
    chain_proof: JSON.parse(decodeText(proven.chainProof)) as unknown,
  }
}

function parseLogged(entry: Uint8Array): SignedStatement {
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'an entry that was committed is a signed statement')
  return parsed
}

/** `content_proofs` of a version; `checks` are those of its content, oldest first. */
export function describeContent(
  { version, content }: VersionRecord,
  checks: readonly FixityCheck[],
): Record<string, unknown> {
  const { content_hash, checked } = content
  return {
    sha256: content_hash === null ? null : content_hash.slice('sha256:'.length),
    sha512: checked?.stable?.sha512 ?? null,
    ...contentReason(content),
    fixity_checks: checks.filter((check) => check.version <= version),
  }
}
