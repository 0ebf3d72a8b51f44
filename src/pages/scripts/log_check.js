// @ts-check

import { checkpointIn, openCheckpoint } from '#src/client/verify/checkpoint.js'
import { encodeHex, equalBytes, utf8 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { checkConsistency, climb, leafHash } from '#src/client/verify/merkle_tree.js'
import { isSignedBy } from '#src/client/verify/receipt.js'
import { isObject } from '#src/client/verify/receipt_form.js'
import { logKeyTypes, parseUsableVkey } from '#src/client/verify/signed_note.js'
import { openCosigned } from '#src/client/verify/witness_policy.js'
import { isNoCrypto, noCrypto, trustOf, witnessedBy } from '#src/pages/scripts/published_trust.js'

/**
 * @import { Bytes, EnvironmentName, NoteKey, TrustedKeys } from '#src/client/verify/types.ts'
 *
 * The trusted keys of a check: those of an environment in the published key file, and the verifier
 * key of the log that the reader has kept, or nothing.
 * @typedef {object} Trust
 * @property {unknown} published
 * @property {EnvironmentName} environment
 * @property {string} ownVkey
 *
 * What a page shows of an entry: its text, what the page says of it by the names of its members,
 * the checkpoint, and the path to it. `climbed` is told of each step of the path, and tells whether
 * the page shows the same hash there.
 * @typedef {object} ShownEntry
 * @property {string} entry
 * @property {readonly (readonly [member: string, said: string])[]} words
 * @property {number} leafIndex
 * @property {readonly Bytes[]} proof
 * @property {string} checkpoint
 * @property {(step: number, hash: string) => Promise<boolean>} climbed
 *
 * A checkpoint that was kept, what is shown, and what asks for the proof between two sizes.
 * @typedef {object} Kept
 * @property {string} kept
 * @property {string} shown
 * @property {(from: number, to: number) => Promise<readonly Bytes[]>} ask
 *
 * @typedef {'words' | 'statement' | 'path' | 'older' | 'checkpoint' | 'witnesses' |
 *   'consistency' | 'kept'} StepName
 * @typedef {import('#src/pages/scripts/check_list.js').Step<StepName>} Step
 */

/** Something is not as it must be; the message says what. */
class Failure extends Error {}

/**
 * Makes one step of a check, which gives what it has found.
 * @param {StepName} step
 * @param {() => Promise<string | { status: Step['status'], reason: string }>} check
 * @returns {Promise<Step>}
 */
async function attempt(step, check) {
  try {
    const found = await check()
    return typeof found === 'string' ? { step, status: 'done', reason: found } : { step, ...found }
  } catch (error) {
    if (isNoCrypto(error)) return { step, status: 'not_checked', reason: noCrypto }
    const code = error instanceof EvidenceError ? { code: error.code } : {}
    return { step, status: 'failed', reason: error instanceof Error ? error.message : '', ...code }
  }
}

/**
 * Checks a checkpoint: the signature of its log and, if the log has witnesses, theirs.
 * @param {string} checkpoint
 * @param {Trust} trust
 * @param {StepName} [name] What the step of the log's signature is called.
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkHead(checkpoint, trust, name = 'checkpoint') {
  /** @type {{ keys: TrustedKeys, log: NoteKey } | undefined} */
  let trusted
  yield await attempt(name, async () => {
    const { keys, log, whose } = await logKeyOf(trust)
    trusted = { keys, log }
    const { treeSize } = await openCheckpoint(checkpoint, log)
    return `${whose} of ${log.name} (${log.keyId}) signed the root of ${treeSize} entries`
  })
  const policy = trusted?.keys.witnesses
  // A log without published witnesses has nothing to say here.
  if (trusted === undefined || policy === undefined || name === 'older') return
  const { log } = trusted
  yield await attempt('witnesses', async () => {
    return witnessedBy(await openCosigned(checkpoint, log, policy), policy)
  })
}

/**
 * Checks an entry as a page shows it, from its bytes to the signature of the log.
 * @param {ShownEntry} shown
 * @param {Trust} trust
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkEntry(shown, trust) {
  yield await attempt('words', async () => checkWords(shown))
  // The map of the registry is signed with the checkpoint alone.
  if (!isMapLeaf(shown.entry)) {
    yield await attempt('statement', async () => {
      const { signature, ...statement } = readEntry(shown.entry)
      if (!isObject(signature)) throw new Failure('the entry has no signature')
      const trusted = await trustOf(trust.published, trust.environment)
      return demandReceiptKey(statement, signature, trusted)
    })
  }
  yield await attempt('path', () => checkPath(shown))
  yield* checkHead(shown.checkpoint, trust)
}

/**
 * Checks that the log of one checkpoint begins with that of an older one.
 * @param {{ older: string, newer: string, proof: () => Promise<readonly Bytes[]> }} shown
 * @param {Trust} trust
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkContinuation({ older, newer, proof }, trust) {
  yield* checkHead(older, trust, 'older')
  for await (const step of checkHead(newer, trust)) {
    // An old checkpoint was shown before its witnesses had signed it.
    if (step.status !== 'not_checked') yield step
  }
  yield await attempt('consistency', () => demandContinuation({ older, newer, proof }))
}

/**
 * Checks that a log continues a checkpoint that was kept of it, or had come as far before: a page
 * may be older than what another one has shown.
 * @param {Kept} heads
 * @returns {Promise<Step>}
 */
export function checkSinceKept({ kept, shown, ask }) {
  return attempt('kept', async () => {
    const keptSize = checkpointIn(kept).treeSize
    const shownSize = checkpointIn(shown).treeSize
    const isNewer = shownSize >= keptSize
    const [older, newer] = isNewer ? [kept, shown] : [shown, kept]
    const [from, to] = isNewer ? [keptSize, shownSize] : [shownSize, keptSize]
    // Equal sizes need no proof, and of the empty tree there is none.
    const proof = async () => (from === to || from === 0 ? [] : ask(from, to))
    return demandContinuation({ older, newer, proof })
  })
}

/** @param {{ older: string, newer: string, proof: () => Promise<readonly Bytes[]> }} shown */
async function demandContinuation({ older, newer, proof }) {
  const from = checkpointIn(older)
  const to = checkpointIn(newer)
  if (from.origin !== to.origin) {
    throw new Failure(`one is of ${from.origin}, the other of ${to.origin}`)
  }
  const hashes = await proof()
  await checkConsistency({
    from: from.treeSize,
    to: to.treeSize,
    fromRoot: from.rootHash,
    toRoot: to.rootHash,
    proof: hashes,
  })
  const grown = to.treeSize - from.treeSize
  if (grown === 0) return `both are of the same ${to.treeSize} entries, with the same root`
  const kept = `the ${from.treeSize} entries of the older one are still there, unchanged`
  return `${hashes.length} hashes prove that ${kept}; ${grown} came after them`
}

/**
 * The published keys, and the key of the log that is trusted.
 * @param {Trust} trust
 */
async function logKeyOf({ published, environment, ownVkey }) {
  const keys = await trustOf(published, environment)
  if (ownVkey === '') return { keys, log: keys.log, whose: 'the published key' }
  const log = await parseUsableVkey(ownVkey, logKeyTypes)
  return { keys, log, whose: 'the key that you gave' }
}

/**
 * Demands that a published key, which was in use at that time, has signed a statement: says which.
 * @param {Record<string, unknown>} statement
 * @param {Record<string, unknown>} signature
 * @param {TrustedKeys} keys
 */
async function demandReceiptKey(statement, signature, { receiptKeys }) {
  const key = receiptKeys.find(({ publicKey }) => publicKey === signature['public_key'])
  if (key === undefined) throw new Failure('the key of the receipt is none of the published keys')
  const atMs = Date.parse(String(statement['timestamp']))
  // The last that a key signs is what announces the next one.
  const isLast = statement['statement'] === 'key_rotated' && atMs === key.validUntilMs
  if (!(atMs >= key.validFromMs && (atMs < key.validUntilMs || isLast))) {
    throw new Failure('the key was not in use at that time')
  }
  const { publicKey } = key
  const own = /** @type {const} */ ({ algorithm: 'Ed25519', public_key: publicKey })
  if (!(await isSignedBy(statement, { ...own, signature: String(signature['signature']) }, key))) {
    throw new Failure('the signature is not one by the published key')
  }
  return `the published key ${publicKey.slice(0, 16)}… signed exactly this statement`
}

/** @param {ShownEntry} shown */
function checkWords({ entry, words }) {
  const said = isMapLeaf(entry) ? mapMembers(entry) : statementMembers(entry)
  for (const [member, word] of words) {
    const written = spell(Object.entries(said).find(([name]) => name === member)?.[1])
    if (word !== written) {
      throw new Failure(`the page says ${word} where the entry says ${written}`)
    }
  }
  if (words.length === 0) {
    return { status: /** @type {const} */ ('not_checked'), reason: 'the page says nothing of it' }
  }
  return `the ${words.length} members that the page shows are those of the entry below`
}

/** @param {string} entry */
function isMapLeaf(entry) {
  return entry.startsWith('arklog-map/v1\n')
}

/**
 * @param {string} entry
 * @returns {Record<string, unknown>}
 */
function mapMembers(entry) {
  const [, origin, covers, keys, root] = entry.split('\n')
  return { origin, covers, keys, root }
}

/**
 * @param {string} entry
 * @returns {Record<string, unknown>}
 */
function statementMembers(entry) {
  const { signature, ...statement } = readEntry(entry)
  return { ...statement, ...(isObject(signature) ? signature : {}) }
}

/**
 * A member as pages write it.
 * @param {unknown} value
 */
function spell(value) {
  if (value === null) return 'none'
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : 'nothing like it'
}

/** @param {ShownEntry} shown */
async function checkPath({ entry, leafIndex, proof, checkpoint, climbed }) {
  const { treeSize, rootHash } = checkpointIn(checkpoint)
  let hash = await leafHash(utf8(entry))
  let step = 0
  /** @type {number | undefined} */
  let otherwise
  for await (const next of climb(hash, { leafIndex, treeSize, proof })) {
    hash = next
    step += 1
    if (!(await climbed(step - 1, encodeHex(hash)))) otherwise ??= step
  }
  if (!equalBytes(hash, rootHash)) {
    throw new Failure(
      `from these bytes the path leads to ${encodeHex(hash)}, and the log has signed ` +
        encodeHex(rootHash),
    )
  }
  if (otherwise !== undefined) {
    throw new Failure(`the page shows another hash after step ${otherwise} than its proof makes`)
  }
  const bytes = `the bytes of entry ${leafIndex}`
  return `${step} hashes lead from ${bytes} to the root in the checkpoint`
}

/**
 * @param {string} entry
 * @returns {Record<string, unknown>}
 */
function readEntry(entry) {
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(entry)
  } catch {
    throw new Failure('the entry is no JSON')
  }
  if (!isObject(value)) throw new Failure('the entry is no JSON object')
  return value
}
