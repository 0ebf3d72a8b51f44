// Rotations of receipt keys in a registry in miniature, right ones and forged ones.

import canonicalize from 'canonicalize'
import { createHash, type KeyObject, sign } from 'node:crypto'

import { proveEntry, rawPublicKey, type Registry } from '#test/src/client/verify/_registry.ts'

/** The public key as receipts spell it. */
export function hexKey(key: KeyObject): string {
  return rawPublicKey(key).toString('hex')
}

/** The id of a public key of 64 hex digits. */
export function keyIdOf(publicKey: string): string {
  const spki = Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex')
  return createHash('sha256').update(spki).digest('hex').slice(0, 16)
}

/** How a rotation may differ from a right one. */
export type RotationChanges = {
  readonly statement?: Readonly<Record<string, unknown>>
  readonly signer?: KeyObject
  /** The registry whose log has it. */
  readonly log?: Registry
  readonly leafIndex?: number
}

/** The signed statement that one key replaces another, and the bytes of its log entry. */
export function signRotation(
  oldKey: KeyObject,
  newPublicKey: string,
  { statement: changes = {}, signer = oldKey }: RotationChanges = {},
) {
  const statement = {
    statement: 'key_rotated',
    old_key_id: keyIdOf(hexKey(oldKey)),
    new_key_id: keyIdOf(newPublicKey),
    new_public_key: newPublicKey,
    timestamp: '2026-02-01T00:00:00.000Z',
    ...changes,
  }
  const message = `svc-receipt-v1\n${canonicalize(statement)}`
  const signature = {
    algorithm: 'Ed25519',
    public_key: hexKey(signer),
    signature: sign(null, Buffer.from(message), signer).toString('hex'),
  }
  const signed = { ...statement, signature }
  return { signed, entry: Buffer.from(canonicalize(signed) ?? '') }
}

/** A rotation with its proof, as a list of keys has it. */
export function rotationOf(
  registry: Registry,
  newPublicKey: string,
  changes: RotationChanges = {},
): Record<string, unknown> {
  const { signed, entry } = signRotation(registry.receiptKey, newPublicKey, changes)
  const { log = registry, leafIndex = 2 } = changes
  return { ...signed, chain_proof: proveEntry(log, entry, { leafIndex, treeSize: 11 }) }
}
