import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import {
  addSignatures,
  type CheckpointVerifiers,
  checkpointVerifiers,
} from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureSigner, cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { type Ed25519Key, ed25519Keys } from '#log/tlog/ed25519.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { cosignatureType, formatVkey, parseNote } from '#log/tlog/note.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { rootHash } from '#log/tlog/tree.ts'
import { makeEntries, origin, signer, verifier } from '#test/log/_log.ts'
import { readLeaves } from '#test/log/_trees.ts'

/** A witness of the tests. */
export type TestWitness = {
  readonly name: string
  readonly key: Ed25519Key
  readonly vkey: string
}

/** The witness of a number, `w1` and so on, whose key is always the same. */
export function testWitness(number: number): TestWitness {
  const key = ed25519Keys.fromSeed(Buffer.alloc(32, 100 + number))
  const name = `w${number}`
  return { name, key, vkey: formatVkey(`${name}.example`, cosignatureType, key.publicKey) }
}

/** A verifier key of a type that is unknown here, that of RFC 6962 (0x05). */
export function unknownVkey(keyName: string): string {
  return formatVkey(keyName, 0x05, Buffer.alloc(1_312, keyName))
}

/** The lines of a policy that name so many witnesses. */
export function witnessLines(count: number): string {
  const witnesses = Array.from({ length: count }, (_, index) => testWitness(index + 1))
  return witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}\n`).join('')
}

/** A policy of so many witnesses, of whom `threshold` must sign. */
export function thresholdPolicy(threshold: number, count: number): string {
  const names = Array.from({ length: count }, (_, index) => `w${index + 1}`).join(' ')
  return `${witnessLines(count)}group g ${threshold} ${names}\nquorum g\n`
}

/** What judges checkpoints of the log of the tests by a policy. */
export function verifiersOf(policy: string): CheckpointVerifiers {
  return checkpointVerifiers(verifier, parsePolicy(policy), cosignatureVerifier)
}

/** The checkpoint of the log of the tests at a size. */
export function checkpointOf(treeSize: number): string {
  const read = readLeaves(makeEntries(0, treeSize).map(leafHash))
  return signCheckpoint({ origin, treeSize, rootHash: rootHash(treeSize, read) }, signer)
}

/** A checkpoint with cosignatures of these witnesses, each made at `timestamp`. */
export function cosign(
  checkpoint: string,
  witnesses: readonly TestWitness[],
  timestamp = 1_772_600_767,
): string {
  const text = Buffer.from(parseNote(checkpoint).unverifiedText)
  const signatures = witnesses.map(({ vkey, key }) => {
    const cosigner = cosignatureSigner(vkey.slice(0, vkey.indexOf('+')), key, timestamp)
    return { keyName: cosigner.keyName, keyId: cosigner.keyId, bytes: cosigner.sign(text) }
  })
  return addSignatures(checkpoint, signatures)
}
