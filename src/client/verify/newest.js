// @ts-check

import { openCheckpoint } from '#src/client/verify/checkpoint.js'
import { decodeBase64, decodeHex, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError, explained } from '#src/client/verify/evidence_error.js'
import { contradiction, unregistered } from '#src/client/verify/map_fraud.js'
import { checkMapProof, parseMapLeaf } from '#src/client/verify/map_proof.js'
import { checkInclusion, leafHash } from '#src/client/verify/merkle_tree.js'
import { closedFaults, inclusionProof } from '#src/client/verify/receipt_form.js'
import {
  demandQuorum,
  describeQuorum,
  openCosigned,
  quorumTime,
} from '#src/client/verify/witness_policy.js'

/**
 * @import {
 *   Bytes, Checkpoint, CosignedCheckpoint, MapLeaf, MapProof, MapValue, NewestDemand, NewestReport,
 *   NewestStep, Rules, Standing, TrustedKeys, UnverifiedReceipt, WitnessPolicy
 * } from '#src/client/verify/types.ts'
 */

const textCharactersMax = 1_000_000
// A proof of 128 siblings with another leaf has 4,178 bytes.
const proofCharactersMax = 6_000
// A witness may be ahead of this clock by as much as a registry lets it be.
const aheadMs = 300_000

/** @type {(charactersMax: number, right: string) => Rules[string]} */
function textUpTo(charactersMax, right) {
  return {
    test: (value) => typeof value === 'string' && value.length <= charactersMax,
    right,
  }
}

/** @type {Rules} */
const proofRules = {
  map_leaf: textUpTo(2_000, 'the text of a map leaf'),
  proof: textUpTo(proofCharactersMax, 'a proof in base64'),
  inclusion_proof: inclusionProof,
  checkpoint: textUpTo(textCharactersMax, 'the text of a signed checkpoint'),
}

/**
 * Verifies what the map of a log says of an ARK, offline: who signed the checkpoint, that it ends
 * with the map leaf, that this leaf covers all entries before it, and the way from the ARK to its
 * root; then how old it is and, where a receipt is given, how that stands. With a policy in `keys`
 * its quorum must have signed. The first step that failed says what is wrong.
 * @type {(value: unknown, keys: TrustedKeys, demand: NewestDemand) => Promise<NewestReport>}
 */
export async function verifyNewest(value, keys, demand) {
  const faults = closedFaults(value, proofRules, 'the map proof')
  /** @type {Draft} */
  const draft = { steps: [] }
  const whole = await attempt(draft, 'form', () => {
    if (faults.length > 0) throw new EvidenceError('malformed_proof', faults.join('; '))
    return 'every member has its right form'
  })
  if (whole) await proveState(/** @type {MapProof} */ (value), keys, demand, draft)
  return reportOf(draft, keys.witnesses, demand)
}

/**
 * What was found, step by step; `value` is null for an ARK that the map has not.
 * @typedef {object} Draft
 * @property {NewestStep[]} steps
 * @property {Checkpoint} [checkpoint]
 * @property {CosignedCheckpoint} [cosigned]
 * @property {MapLeaf} [leaf]
 * @property {MapValue | null} [value]
 * @property {number} [seconds]
 */

/** @type {(
 *   given: MapProof, keys: TrustedKeys, demand: NewestDemand, draft: Draft
 * ) => Promise<void>} */
async function proveState(given, { log, witnesses: policy }, demand, draft) {
  const steps = /** @type {const} */ ([
    ['checkpoint', () => readCheckpoint(given, log, draft)],
    ['witnesses', () => readWitnesses(given, log, policy, draft)],
    ['map_leaf', () => readLeaf(given, draft)],
    ['inclusion', () => checkLeaf(given, draft)],
    ['map_proof', () => readValue(given, demand, draft)],
    ['freshness', () => checkAge(policy, demand, draft)],
    ['receipt', () => checkReceipt(demand, draft)],
  ])
  for (const [step, check] of steps) {
    if (!(await attempt(draft, step, check))) return
  }
}

/** @type {(given: MapProof, log: TrustedKeys['log'], draft: Draft) => Promise<string>} */
async function readCheckpoint({ checkpoint }, log, draft) {
  draft.checkpoint = await openCheckpoint(checkpoint, log)
  return `the log ${log.name} signed a tree of ${draft.checkpoint.treeSize} entries`
}

/** @type {(
 *   given: MapProof, log: TrustedKeys['log'], policy: WitnessPolicy | undefined, draft: Draft
 * ) => Promise<string | undefined>} */
async function readWitnesses({ checkpoint }, log, policy, draft) {
  if (policy === undefined) return undefined
  draft.cosigned = await openCosigned(checkpoint, log, policy)
  demandQuorum(draft.cosigned, policy)
  if (policy.quorum !== undefined) {
    draft.seconds = quorumTime(draft.cosigned.signed, policy, 'latest')
  }
  const signed = draft.cosigned.signed.map(({ name }) => name).join(', ')
  return `the policy demands ${describeQuorum(policy)}: signed by ${signed || 'nobody'}`
}

const notLast = 'the map leaf is not the last entry of the checkpoint'

/** @type {(given: MapProof, draft: Draft) => string} */
function readLeaf({ map_leaf: text }, draft) {
  const leaf = parseMapLeaf(text)
  const { origin, treeSize } = /** @type {Checkpoint} */ (draft.checkpoint)
  if (leaf.origin !== origin) {
    const message = `${notLast}: it is of ${leaf.origin}, not ${origin}`
    throw new EvidenceError('proof_mismatch', message)
  }
  // An older map leaf is in the tree too, and would show what was true then.
  if (leaf.covers + 1 !== treeSize) {
    const message = `${notLast}: it covers ${leaf.covers}, and the tree has ${treeSize}`
    throw new EvidenceError('stale_map', message)
  }
  draft.leaf = leaf
  return `the map leaf covers all ${leaf.covers} entries before it: ${leaf.keys} ARKs`
}

/** @type {(given: MapProof, draft: Draft) => Promise<string>} */
async function checkLeaf({ map_leaf: text, inclusion_proof: hashes }, draft) {
  const { treeSize, rootHash } = /** @type {Checkpoint} */ (draft.checkpoint)
  const proof = hashes.map(decodeHex)
  const place = { leafIndex: treeSize - 1, treeSize, proof, rootHash }
  const hash = await leafHash(utf8(text))
  await explained(notLast, () => checkInclusion({ ...place, leafHash: hash }))
  return 'the map leaf is the last entry of the tree'
}

/** @type {(given: MapProof, demand: NewestDemand, draft: Draft) => Promise<string>} */
async function readValue({ proof }, { ark }, draft) {
  const bytes = decodeBase64(proof)
  if (bytes === undefined) {
    const message = 'not a proof of the map in its one form: it is not base64'
    throw new EvidenceError('malformed_proof', message)
  }
  const { rootHash } = /** @type {MapLeaf} */ (draft.leaf)
  const value = await checkMapProof(ark, bytes, rootHash)
  draft.value = value ?? null
  if (value === undefined) return `the map has nothing of ${ark}`
  return `the map has ${ark}: ${value.state}, version ${value.version}`
}

/** @type {(
 *   policy: WitnessPolicy | undefined, demand: NewestDemand, draft: Draft
 * ) => string | undefined} */
function checkAge(policy, { nowMs, withinMs = Infinity, treeSizeSeen = 0 }, draft) {
  const { treeSize } = /** @type {Checkpoint} */ (draft.checkpoint)
  if (treeSize < treeSizeSeen) {
    const message = `a tree of ${treeSizeSeen} entries was seen before, and this has ${treeSize}`
    throw new EvidenceError('stale_map', message)
  }
  const { seconds } = draft
  if (seconds === undefined) {
    if (withinMs === Infinity) return undefined
    const why = policy === undefined ? 'no policy of witnesses was given' : 'the policy names none'
    throw new EvidenceError('stale_map', `nobody but the registry says how old it is: ${why}`)
  }
  const ageMs = nowMs - seconds * 1_000
  const at = `the witnesses saw it at ${spellTime(seconds)}`
  if (-ageMs > aheadMs) throw new EvidenceError('stale_map', `${at}, which is in the future`)
  if (ageMs <= withinMs) return at
  throw new EvidenceError('stale_map', `${at}: ${Math.floor(ageMs / 1_000)} seconds ago`)
}

/** @type {(demand: NewestDemand, draft: Draft) => string | undefined} */
function checkReceipt({ receipt, ark, nowMs, withinMs = Infinity }, draft) {
  if (receipt === undefined) return undefined
  const { statement, chainProof } = receipt
  const { covers } = /** @type {MapLeaf} */ (draft.leaf)
  if (statement.ark !== ark) {
    throw new EvidenceError('proof_mismatch', `the receipt is of ${statement.ark}, not of ${ark}`)
  }
  if (chainProof.leaf_index >= covers) {
    const ageMs = nowMs - Date.parse(statement.timestamp)
    // A time that is still to come would say "not yet" for as long as its registry likes.
    const isAhead = -ageMs > aheadMs
    if (ageMs <= withinMs && !isAhead) return 'the receipt is younger than the newest map'
    const when = isAhead ? ', which is in the future' : ''
    const message = `no map covers the receipt, which is of ${statement.timestamp}${when}`
    throw new EvidenceError('stale_map', message)
  }
  const { statement: kind, version } = statement
  const fact = { ark, kind, version, leafIndex: chainProof.leaf_index }
  const value = draft.value ?? undefined
  const lie = contradiction(fact, value) ?? unregistered(fact, value)
  if (lie !== undefined) throw new EvidenceError('proof_mismatch', lie)
  return `the map covers the receipt, which is entry ${chainProof.leaf_index}`
}

/** @type {(
 *   draft: Draft, policy: WitnessPolicy | undefined, demand: NewestDemand
 * ) => NewestReport} */
function reportOf(draft, policy, { ark, receipt }) {
  const { steps, checkpoint, cosigned, leaf, value, seconds } = draft
  const valid = value !== undefined && steps.every(({ status }) => status !== 'failed')
  const signed = new Set(cosigned?.signed.map(({ name }) => name))
  const witnesses = policy?.witnesses ?? []
  const those = witnesses.filter(({ name }) => signed.has(name))
  return {
    valid,
    ark,
    standing: valid && leaf !== undefined ? standingOf(value, leaf, receipt) : undefined,
    version: valid ? (value?.version ?? null) : null,
    as_of: valid && seconds !== undefined ? spellTime(seconds) : null,
    // One witness may have two keys, each with a line of its own.
    seen_by: { signed: countNames(those), of: countNames(witnesses) },
    tree_size: valid ? (checkpoint?.treeSize ?? null) : null,
    value: valid ? (value ?? undefined) : undefined,
    steps,
  }
}

/** @type {(witnesses: WitnessPolicy['witnesses']) => number} */
function countNames(witnesses) {
  return new Set(witnesses.map(({ key }) => key.name)).size
}

/** @type {(
 *   value: MapValue | null, leaf: MapLeaf, receipt: UnverifiedReceipt | undefined
 * ) => Standing} */
function standingOf(value, { covers }, receipt) {
  if (value?.state === 'tombstoned') return 'withdrawn'
  if (value?.state === 'contradictory') return 'contradictory'
  if (receipt !== undefined && receipt.chainProof.leaf_index >= covers) return 'not_yet'
  if (value === null) return 'absent'
  return receipt !== undefined && receipt.statement.version < value.version
    ? 'superseded'
    : 'newest'
}

/** @type {(seconds: number) => string} */
function spellTime(seconds) {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}

/**
 * Adds a step: one that checked nothing gives undefined. Whether it may go on.
 * @type {(
 *   draft: Draft,
 *   step: NewestStep['step'],
 *   check: () => string | undefined | Promise<string | undefined>
 * ) => Promise<boolean>}
 */
async function attempt({ steps }, step, check) {
  try {
    const reason = await check()
    steps.push(
      reason === undefined
        ? { step, status: 'not_checked', reason: 'it was not asked for' }
        : { step, status: 'done', reason },
    )
    return true
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.code === 'crypto_unavailable') throw error
    steps.push({ step, status: 'failed', reason: error.message, code: error.code })
    return false
  }
}

/**
 * What was proven, as a sentence for people; `at` spells a time of the report for them. Without a
 * receipt it is about the ARK.
 * @param {NewestReport} report
 * @param {(time: string) => string} [at]
 * @returns {string}
 */
export function newestText(report, at = (time) => time) {
  const { standing, version, as_of: asOf, seen_by: seen } = report
  if (standing === undefined) return 'It is not proven which version is the newest.'
  const when = asOf === null ? 'as the registry says' : `as of ${at(asOf)}`
  const who = seen.of === 0 ? '' : `, seen by ${seen.signed} of ${seen.of} witnesses`
  switch (standing) {
    case 'newest':
      return `This is the newest version, ${when}${who}.`
    case 'superseded':
      return `Version ${version} is newer, ${when}${who}.`
    case 'withdrawn':
      return `Withdrawn, ${when}${who}.`
    case 'absent':
      return `No such ARK was ever registered here, ${when}${who}.`
    case 'not_yet':
      return `Not yet known: this version is younger than the newest map, which is ${when}${who}.`
    case 'contradictory':
      return `The log contradicts itself about this ARK, ${when}${who}.`
  }
}
