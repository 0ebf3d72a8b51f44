// @ts-check

import { checkpointIn, openCheckpoint } from '#src/client/verify/checkpoint.js'
import { decodeHex, encodeHex, sha256, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError, explained } from '#src/client/verify/evidence_error.js'
import { followRotations } from '#src/client/verify/key_chain.js'
import { checkConsistency } from '#src/client/verify/merkle_tree.js'
import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import { nothingProven } from '#src/client/verify/proven_time.js'
import { examineReceipt } from '#src/client/verify/receipt.js'
import {
  closedFaults,
  hex32,
  inclusionProof,
  isObject,
  readReceipt,
  time,
} from '#src/client/verify/receipt_form.js'
import { parseTrustedKeys, withPolicy } from '#src/client/verify/trusted_keys.js'
import { demandQuorum, describeQuorum, openCosigned } from '#src/client/verify/witness_policy.js'

/**
 * @import {
 *   Checkpoint, EvidenceFile, EvidenceReport, EvidenceStep, EvidenceTrust, Examination,
 *   NewestReport, PolicySource, Rule, Rules, TrustedKeys, UnverifiedReceipt
 * } from '#src/client/verify/types.ts'
 */

const evidenceFormat = 'arklog-evidence-v1'
const receiptKeysMax = 1_000

/** @type {Readonly<Record<PolicySource, string>>} */
const policyWords = {
  given: 'the witnesses are those of your policy',
  key_file: 'the witnesses are those of the key file',
  file: 'the file itself names the witnesses, who may be invented',
  none: 'there are no witnesses',
}

/**
 * Whose the witnesses of evidence are, and whether it is of the sandbox, in the words that all
 * readers end their verdict with.
 * @type {(report: Pick<EvidenceReport, 'policy_source' | 'environment'>) => string}
 */
export function sourceText({ policy_source: source, environment }) {
  const isTrial = environment === 'sandbox'
  return (
    policyWords[source] + (isTrial ? ', and the file is of the sandbox, which is for trials' : '')
  )
}

/** @type {Rule} */
const object = { test: isObject, right: 'an object' }
/** @type {Rule} */
const text = {
  test: (value) => typeof value === 'string' && value.isWellFormed(),
  right: 'a string of whole characters',
}

/** @type {(rule: Rule) => Rule} */
function orNull({ test, right }) {
  return { test: (value) => value === null || test(value), right: `null or ${right}` }
}

/** @type {Rules} */
const fileRules = {
  format: { test: (value) => value === evidenceFormat, right: evidenceFormat },
  about: {
    test: (value) => Array.isArray(value) && value.every((line) => text.test(line)),
    right: 'a list of strings',
  },
  environment: {
    test: (value) => value === 'live' || value === 'sandbox',
    right: 'live or sandbox',
  },
  receipt: object,
  metadata: orNull(text),
  keys: object,
  policy: orNull(text),
  newest: orNull(object),
}

/** @type {Rules} */
const keysRules = {
  log: object,
  receipt_keys: {
    test: (value) => Array.isArray(value) && value.length > 0 && value.length <= receiptKeysMax,
    right: `a list of 1 to ${receiptKeysMax}`,
  },
}

/** @type {Rules} */
const logRules = { origin: text, vkey: text, url: text }

/** @type {Rules} */
const keyRules = {
  key_id: text,
  public_key: hex32,
  valid_from: time,
  valid_until: orNull(time),
  rotation: orNull(object),
}

/** @type {Rules} */
const newestRules = {
  checkpoint: text,
  consistency_proof: inclusionProof,
  map: {
    test: (value) => value === undefined || isObject(value),
    right: 'an object, if it is there',
  },
}

/** @type {Rules} */
const mapRules = { map_leaf: text, proof: text, inclusion_proof: inclusionProof }

/**
 * Whether parsed JSON is meant as an evidence file, whatever is wrong with it.
 * @type {(value: unknown) => value is Record<string, unknown>}
 */
export function isEvidenceFile(value) {
  return isObject(value) && 'receipt' in value && 'keys' in value && 'format' in value
}

/**
 * Verifies an evidence file (docs/evidence.md), as parsed JSON, offline. `trust` is what the
 * verifier has of their own: a key list that was saved earlier, and a policy; `contentHash` that of
 * a copy of the content. Without a key list
 * the file's own keys are taken: then it is only shown that all of it fits together. The steps are
 * those of its receipt, and before and after them those of the keys, of the newest checkpoint and
 * of its map; the first that failed says what is wrong.
 * @type {(
 *   value: unknown,
 *   trust?: EvidenceTrust,
 *   contentHash?: string
 * ) => Promise<EvidenceReport>}
 */
export async function verifyEvidence(value, trust = {}, contentHash) {
  const faults = formFaults(value)
  if (faults.length > 0) return refused([], { step: 'form', reason: faults.join('; ') })
  const file = /** @type {EvidenceFile} */ (value)
  /** @type {EvidenceStep} */
  const form = { step: 'form', status: 'done', reason: 'every member has its right form' }
  const keys = await attempt('keys', () => trustedKeys(file, trust))
  if ('status' in keys) return refused([form], keys)
  const demanded = await attempt('policy', () => demandWitnesses(keys, file, trust))
  if ('status' in demanded) return refused([form], demanded)
  const { report, receipt } = await examineReceipt(
    file.receipt,
    demanded,
    contentHash === undefined ? {} : { contentHash },
  )
  const [, ...steps] = report.steps
  const metadata = await metadataStep(file, report.statement)
  const newest = await newestStep(file, demanded)
  const map = await proveMap(file, demanded, newest.status === 'done' ? receipt : undefined)
  const policy_source = sourceOf(demanded, file, trust)
  const all = [
    form,
    ...steps.map((step) => (step.step === 'metadata_hash' ? metadata : step)),
    newest,
    mapStep(map),
  ]
  const valid = report.valid && all.every(({ status }) => status !== 'failed')
  const proven_time = valid ? report.proven_time : nothingProven
  const isTrusted = trust.keys !== undefined
  const standing = valid ? map?.standing : undefined
  const { origin, environment } = keys
  const about = { isTrusted, origin, environment, policy_source, standing }
  const facts = { ...report, valid, proven_time, steps: all, ...about }
  return receipt === undefined ? facts : { ...facts, receipt }
}

/** @type {(value: unknown) => string[]} */
function formFaults(value) {
  const faults = closedFaults(value, fileRules, 'the file')
  if (faults.length > 0) return faults
  const { receipt, keys, newest } = /** @type {EvidenceFile} */ (value)
  const { log, receipt_keys: listed } = keys
  const read = readReceipt(receipt)
  return [
    ...closedFaults(keys, keysRules, 'keys'),
    ...closedFaults(log, logRules, 'keys.log'),
    ...(Array.isArray(listed) ? listed : []).flatMap((key, index) =>
      closedFaults(key, keyRules, `keys.receipt_keys[${index}]`),
    ),
    ...(newest === null ? [] : closedFaults(newest, newestRules, 'newest')),
    ...(newest?.map === undefined ? [] : closedFaults(newest.map, mapRules, 'newest.map')),
    ...(read.type === 'malformed' ? read.reasons.map((reason) => `receipt: ${reason}`) : []),
  ]
}

/**
 * The keys that a verifier trusts, and those to which the rotations of the file lead from them.
 * @type {(file: EvidenceFile, trust: EvidenceTrust) => Promise<TrustedKeys>}
 */
async function trustedKeys({ environment, keys }, { keys: pinned }) {
  const listed = { ...keys, sandbox: keys }
  if (pinned === undefined) {
    const own = await parseTrustedKeys(listed, environment)
    const [first] = own.receiptKeys
    const receiptKeys = first === undefined ? [] : [{ ...first, validUntilMs: Infinity }]
    return followRotations({ ...own, receiptKeys }, listed)
  }
  const trusted = await parseTrustedKeys(pinned, environment)
  const { vkey, origin } = keys.log
  if (trusted.vkey === vkey && trusted.origin === origin) {
    // Keys that were saved after the file was made need nothing of it.
    const newest = /** @type {{ public_key: string }} */ (keys.receipt_keys.at(-1)).public_key
    const isKnown = trusted.receiptKeys.some(({ publicKey }) => publicKey === newest)
    return isKnown ? trusted : followRotations(trusted, listed)
  }
  const message = `the file is of another log than ${trusted.origin}, whose key is trusted`
  throw new EvidenceError('other_log', message)
}

/** @type {(keys: TrustedKeys, file: EvidenceFile, trust: EvidenceTrust) => Promise<TrustedKeys>} */
async function demandWitnesses(keys, file, { policy }) {
  if (policy !== undefined) return withPolicy(keys, policy)
  if (file.policy === null) return keys
  const demanded = await withPolicy(keys, file.policy)
  // The maker of the file could name a key of their own as the second one of the log.
  return file.policy === keys.namedPolicy ? demanded : { ...demanded, log: keys.log }
}

/** @type {(keys: TrustedKeys, file: EvidenceFile, trust: EvidenceTrust) => PolicySource} */
function sourceOf({ witnesses, namedPolicy }, file, { policy }) {
  if (witnesses?.quorum === undefined) return 'none'
  if (policy !== undefined) return 'given'
  return file.policy === namedPolicy ? 'key_file' : 'file'
}

const otherMetadata = 'the metadata is not that of the statement'

/** @type {(
 *   file: EvidenceFile,
 *   statement: Examination['report']['statement']
 * ) => Promise<EvidenceStep>} */
async function metadataStep({ metadata }, statement) {
  const step = 'metadata_hash'
  if (metadata === null) {
    return { step, status: 'not_checked', reason: 'the file has no metadata' }
  }
  const found = `sha256:${encodeHex(await sha256(utf8(metadata)))}`
  return found === statement?.metadata_hash
    ? { step, status: 'done', reason: 'the metadata is exactly that of the statement' }
    : { step, status: 'failed', reason: `${otherMetadata}: it has the hash ${found}` }
}

const notContinued = 'the newest checkpoint does not continue that of the receipt'

/** @type {(file: EvidenceFile, keys: TrustedKeys) => Promise<EvidenceStep>} */
async function newestStep({ newest, receipt }, keys) {
  const step = 'newest'
  if (newest === null) {
    return { step, status: 'not_checked', reason: 'the file has no newer checkpoint' }
  }
  const done = await attempt(step, async () => {
    const { log, witnesses: policy } = keys
    const { checkpoint, consistency_proof: proof } = newest
    const { treeSize: to, rootHash: toRoot } =
      policy === undefined
        ? await openCheckpoint(checkpoint, log)
        : await openWitnessed(checkpoint, keys, policy)
    const { treeSize: from, rootHash: fromRoot } = checkpointIn(receipt.chain_proof.checkpoint)
    const claim = { from, to, fromRoot, toRoot, proof: proof.map(decodeHex) }
    await explained(notContinued, () => checkConsistency(claim))
    const demand = policy === undefined ? '' : `, which ${describeQuorum(policy)} signed`
    return { reason: `the log went on from ${from} to ${to} entries${demand}` }
  })
  return 'status' in done ? done : { step, status: 'done', ...done }
}

/**
 * What the map of the newest checkpoint says of the version; undefined if there is nothing to say.
 * No clock is read: how old it may be is for the reader to judge.
 * @type {(
 *   file: EvidenceFile, keys: TrustedKeys, receipt: UnverifiedReceipt | undefined
 * ) => Promise<NewestReport | undefined>}
 */
async function proveMap({ newest }, keys, receipt) {
  if (newest?.map === undefined || receipt === undefined) return undefined
  const proof = { ...newest.map, checkpoint: newest.checkpoint }
  return verifyNewest(proof, keys, { ark: receipt.statement.ark, receipt, nowMs: Infinity })
}

/** @type {(map: NewestReport | undefined) => EvidenceStep} */
function mapStep(map) {
  const step = 'map_proof'
  if (map === undefined) return { step, status: 'not_checked', reason: 'the file has no map' }
  const failed = map.steps.find(({ status }) => status === 'failed')
  if (failed !== undefined) return { ...failed, step }
  return { step, status: 'done', reason: newestText(map).slice(0, -1) }
}

/** @type {(
 *   note: string,
 *   keys: TrustedKeys,
 *   policy: NonNullable<TrustedKeys['witnesses']>
 * ) => Promise<Checkpoint>} */
async function openWitnessed(note, { log }, policy) {
  const cosigned = await openCosigned(note, log, policy)
  demandQuorum(cosigned, policy)
  return cosigned.checkpoint
}

/**
 * What a part gives, or the step that failed.
 * @template T
 * @param {EvidenceStep['step']} step
 * @param {() => Promise<T>} work
 * @returns {Promise<T | EvidenceStep & { readonly status: 'failed' }>}
 */
async function attempt(step, work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EvidenceError) || error.code === 'crypto_unavailable') throw error
    return { step, status: 'failed', reason: error.message, code: error.code }
  }
}

/** @type {(
 *   before: readonly EvidenceStep[],
 *   failed: Omit<EvidenceStep, 'status'>
 * ) => EvidenceReport} */
function refused(before, failed) {
  return {
    valid: false,
    registered_on: undefined,
    statement: undefined,
    proven_time: nothingProven,
    steps: [...before, { ...failed, status: 'failed' }],
    isTrusted: false,
    origin: undefined,
    policy_source: 'none',
    environment: undefined,
  }
}
