// Receipts of statements between the cosignatures of witnesses whose times a test chooses.

import { createHash } from 'node:crypto'

import { cosign, testWitness, thresholdPolicy } from '#test/log/_witnesses.ts'
import {
  createRegistry,
  issueReceipt,
  keyListOf,
  type ReceiptJson,
  signedCheckpoint,
} from '#test/src/client/verify/_registry.ts'

export const registry = createRegistry()
export const list = keyListOf(registry)
/** Two of three witnesses must have signed. */
export const policy = thresholdPolicy(2, 3)

const timestamp = '2026-03-04T05:06:07.089Z'

const sizeBefore = 4
export const before = signedCheckpoint(registry, sizeBefore, Buffer.alloc(32, 9))

/** Cosignatures so many seconds after a statement, of the first witness and so on. */
export function cosignAt(
  checkpoint: string,
  offsets: readonly number[],
  stated = timestamp,
): string {
  return offsets.reduce((note, offset, index) => {
    return cosign(note, [testWitness(index + 1)], Math.floor(Date.parse(stated) / 1_000 + offset))
  }, checkpoint)
}

/** Seconds after the statement at which witnesses signed, and what time the statement says. */
export type Made = {
  readonly before?: readonly number[]
  readonly after: readonly number[]
  readonly timestamp?: string
}

/** A checkpoint with a line that carries another one. */
export function carry(checkpoint: string, carried: string): string {
  const bytes = Buffer.concat([Buffer.from('\xff\xff\xff\xff', 'latin1'), Buffer.from(carried)])
  return `${checkpoint}\u2014 arklog/witnessed-before ${bytes.toString('base64')}\n`
}

/** A receipt of a statement between these cosignatures; without `before` it names none. */
export function receiptOf({
  before: earlier,
  after,
  timestamp: stated = timestamp,
}: Made): ReceiptJson {
  const named = earlier && cosignAt(before, earlier, stated)
  const digest = createHash('sha256')
    .update(named ?? '')
    .digest('hex')
  const changes = named === undefined ? {} : { witnessed_checkpoint: `sha256:${digest}` }
  const place = { leafIndex: 5, treeSize: 11 }
  const receipt = issueReceipt(registry, place, { ...changes, timestamp: stated })
  const { chain_proof: proof } = receipt
  const covering = cosignAt(proof.checkpoint, after, stated)
  const checkpoint = named === undefined ? covering : carry(covering, named)
  return { ...receipt, chain_proof: { ...proof, checkpoint } }
}
