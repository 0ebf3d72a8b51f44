// @ts-check

import { encodeHex, equalBytes, sha256, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { parseNote } from '#src/client/verify/signed_note.js'
import { openCosigned, quorumTime } from '#src/client/verify/witness_policy.js'

/**
 * @import {
 *   CosignedCheckpoint, ProvenTime, TrustedKeys, UnverifiedReceipt
 * } from '#src/client/verify/types.ts'
 *
 * What witnesses prove of the time of a statement: the interval, and a sentence about it, or why
 * the statement is not to be believed.
 * @typedef {object} Finding
 * @property {ProvenTime} time
 * @property {'done' | 'failed' | 'not_checked'} status
 * @property {string} reason
 * @property {string} [code]
 */

// The name of the signature line by which a receipt carries the checkpoint that it names.
const carriedName = 'arklog/witnessed-before'

/**
 * The interval of a statement of which nobody but the registry says when it was made.
 * @type {ProvenTime}
 */
export const nothingProven = { not_before: null, not_after: null }

/**
 * Tells when the statement of a receipt was made, by the clocks of witnesses alone. It is younger
 * than the checkpoint that it names with all of its cosignatures, which nobody could know before
 * they were made; and older than the cosignatures of the checkpoint that covers it. Its own time is
 * the registry's word, and must lie between. `cosigned` is the latter checkpoint, as it was opened.
 * @type {(
 *   receipt: UnverifiedReceipt,
 *   keys: TrustedKeys,
 *   cosigned: CosignedCheckpoint | undefined
 * ) => Promise<Finding>}
 */
export async function proveTime(receipt, keys, cosigned) {
  const { witnesses: policy } = keys
  if (policy?.quorum === undefined || cosigned === undefined || !cosigned.isWitnessed) {
    const reason = 'nobody but the registry says when it was made: no quorum of witnesses was shown'
    return { time: nothingProven, status: 'not_checked', reason }
  }
  const notAfter = quorumTime(cosigned.signed, policy, 'earliest')
  try {
    const before = await readBefore(receipt, keys)
    return judge(receipt.statement.timestamp, before, notAfter)
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.code === 'crypto_unavailable') throw error
    return { time: nothingProven, status: 'failed', reason: error.message, code: error.code }
  }
}

/**
 * When witnesses had signed what the statement names, in seconds of 1970; or why that is not known.
 * @type {(receipt: UnverifiedReceipt, keys: TrustedKeys) => Promise<number | string>}
 */
async function readBefore({ statement, chainProof }, { log, witnesses: policy }) {
  const { witnessed_checkpoint: named } = statement
  const note = carriedNote(chainProof.checkpoint)
  if (named === undefined || policy === undefined) return 'it names no witnessed checkpoint'
  if (note === undefined) return 'the receipt lacks the checkpoint that the statement names'
  if (`sha256:${encodeHex(await sha256(utf8(note)))}` !== named) {
    const message = 'the carried checkpoint is not the one that the statement names'
    throw new EvidenceError('other_checkpoint', message)
  }
  const { signed, isWitnessed } = await openCosigned(note, log, policy)
  if (isWitnessed) return quorumTime(signed, policy, 'latest')
  return 'the checkpoint that it names has not the quorum of this policy'
}

/**
 * The checkpoint that stands in the signature line of a key that nobody has, so that verifiers of
 * any release pass over it.
 * @type {(checkpoint: string) => string | undefined}
 */
function carriedNote(checkpoint) {
  const line = parseNote(checkpoint).signatures.find(({ name }) => name === carriedName)
  if (line === undefined) return undefined
  const note = new TextDecoder('utf-8', { ignoreBOM: true }).decode(line.bytes)
  // Other bytes may read as the same text, and are not what the statement names.
  return equalBytes(utf8(note), line.bytes) ? note : ''
}

/** @type {(timestamp: string, before: number | string, notAfter: number) => Finding} */
function judge(timestamp, before, notAfter) {
  const atMs = Date.parse(timestamp)
  // A witness tells whole seconds: it may have signed until just before the next one.
  const endMs = (notAfter + 1) * 1_000
  const not_before = typeof before === 'number' ? spell(before) : null
  const time = { not_before, not_after: spell(notAfter + 1) }
  const until = `not after ${time.not_after}`
  if (typeof before === 'number' && before > notAfter) {
    const reason = `the witnesses signed what it names after what covers it: at ${not_before}`
    return { time, status: 'failed', reason }
  }
  const interval = not_before === null ? until : `not before ${not_before} and ${until}`
  if (atMs >= endMs || (typeof before === 'number' && atMs < before * 1_000)) {
    const made = `it was made ${interval}, and says ${timestamp}`
    const reason = `its own time is not in the proven interval: ${made}, so a clock was wrong`
    return { time, status: 'failed', reason }
  }
  const within = `${timestamp}, which it says itself, lies in there`
  if (typeof before === 'number') {
    return {
      time,
      status: 'done',
      reason: `witnesses prove that it was made ${interval}: ${within}`,
    }
  }
  const rest = `how long before is the registry’s word, for ${before}`
  return { time, status: 'done', reason: `witnesses prove that it was made ${interval}; ${rest}` }
}

/** @type {(seconds: number) => string} */
function spell(seconds) {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}
