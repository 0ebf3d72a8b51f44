// @ts-check

import { toHex, utf8 } from '#src/pages/browser/bytes.js'
import { demandSignedByLog, readCheckpoint } from '#src/pages/browser/checkpoint.js'
import { climb, demandConsistency, leafHash } from '#src/pages/browser/merkle_proof.js'
import { demandReceiptKey, logOf } from '#src/pages/browser/receipt_check.js'
import { isObject } from '#src/pages/browser/receipt_form.js'
import { logKeyType, readNote, readVkey } from '#src/pages/browser/signed_note.js'
import { attempt, Failure, NotChecked } from '#src/pages/browser/verdict.js'
import { demandQuorum } from '#src/pages/browser/witness_quorum.js'

/**
 * Whom a check trusts: one environment's part of the published key file, and the verifier key of
 * the log that the reader has kept, or nothing.
 * @typedef {object} Trust
 * @property {unknown} keys
 * @property {string} ownVkey
 *
 * What a page shows of an entry: its text, what the page says of it by the names of its members,
 * the checkpoint, and the path to it. `climbed` is told of each step of the path, and tells whether
 * the page shows the same hash there.
 * @typedef {object} ShownEntry
 * @property {string} entry
 * @property {readonly (readonly [member: string, said: string])[]} words
 * @property {number} leafIndex
 * @property {readonly Hash[]} proof
 * @property {string} checkpoint
 * @property {(step: number, hash: string) => Promise<boolean>} climbed
 *
 * A checkpoint that was kept, what is shown, and what asks for the proof between two sizes.
 * @typedef {object} Kept
 * @property {string} kept
 * @property {string} shown
 * @property {(from: number, to: number) => Promise<readonly Hash[]>} ask
 *
 * @typedef {'words' | 'statement' | 'path' | 'older' | 'checkpoint' | 'witnesses' |
 *   'consistency' | 'kept'} StepName
 * @typedef {import('#src/pages/browser/verdict.js').Step<StepName>} Step
 * @typedef {import('#src/pages/browser/merkle_proof.js').Hash} Hash
 */

/**
 * Checks a checkpoint: the signature of its log and, if the log has witnesses, theirs.
 * @param {string} checkpoint
 * @param {Trust} trust
 * @param {StepName} [name] What the step of the log's signature is called.
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkHead(checkpoint, trust, name = 'checkpoint') {
  yield await attempt(name, async () => {
    const { treeSize } = await openCheckpoint(checkpoint, trust)
    const { key, whose } = await logKeyOf(trust)
    return `${whose} of ${key.name} (${key.keyId}) signed the root of ${treeSize} entries`
  })
  const policy = logOf(trust.keys)['witness_policy']
  // A log without published witnesses has nothing to say here.
  if (typeof policy !== 'string' || name === 'older') return
  yield await attempt('witnesses', () => demandQuorum(readNote(checkpoint), policy))
}

/**
 * Checks an entry as a page shows it, from its bytes to the signature of the log.
 * @param {ShownEntry} shown
 * @param {Trust} trust
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkEntry(shown, trust) {
  yield await attempt('words', async () => checkWords(shown))
  yield await attempt('statement', async () => {
    const { signature, ...statement } = readEntry(shown.entry)
    if (!isObject(signature)) throw new Failure('the entry has no signature')
    const { public_key: publicKey, signature: signed } = signature
    const own = { public_key: String(publicKey), signature: String(signed) }
    return demandReceiptKey(statement, own, trust.keys)
  })
  yield await attempt('path', () => checkPath(shown))
  yield* checkHead(shown.checkpoint, trust)
}

/**
 * Checks that the log of one checkpoint begins with that of an older one.
 * @param {{ older: string, newer: string, proof: () => Promise<readonly Hash[]> }} shown
 * @param {Trust} trust
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkContinuation({ older, newer, proof }, trust) {
  yield* checkHead(older, trust, 'older')
  for await (const step of checkHead(newer, trust)) {
    // What is long past was shown before its witnesses had signed it.
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
  return attempt('kept', () => {
    const keptSize = readCheckpoint(readNote(kept)).treeSize
    const shownSize = readCheckpoint(readNote(shown)).treeSize
    const isNewer = shownSize >= keptSize
    const [older, newer] = isNewer ? [kept, shown] : [shown, kept]
    const [from, to] = isNewer ? [keptSize, shownSize] : [shownSize, keptSize]
    // Equal sizes need no proof, and of the empty tree there is none.
    const proof = async () => (from === to || from === 0 ? [] : ask(from, to))
    return demandContinuation({ older, newer, proof })
  })
}

/** @param {{ older: string, newer: string, proof: () => Promise<readonly Hash[]> }} shown */
async function demandContinuation({ older, newer, proof }) {
  const from = readCheckpoint(readNote(older))
  const to = readCheckpoint(readNote(newer))
  if (from.origin !== to.origin) {
    throw new Failure(`one is of ${from.origin}, the other of ${to.origin}`)
  }
  const hashes = await proof()
  await demandConsistency(from, to, hashes)
  const grown = to.treeSize - from.treeSize
  if (grown === 0) return `both are of the same ${to.treeSize} entries, with the same root`
  const kept = `the ${from.treeSize} entries of the older one are still there, unchanged`
  return `${hashes.length} hashes prove that ${kept}; ${grown} came after them`
}

/**
 * The size of a checkpoint that the log has signed.
 * @param {string} checkpoint
 * @param {Trust} trust
 */
async function openCheckpoint(checkpoint, trust) {
  const { key, whose } = await logKeyOf(trust)
  const note = readNote(checkpoint)
  const head = readCheckpoint(note)
  if (head.origin !== key.name) {
    throw new Failure(`the checkpoint is of ${head.origin}, the key of ${key.name}`)
  }
  await demandSignedByLog(note, key, whose)
  return head
}

/** @param {Trust} trust */
async function logKeyOf({ keys, ownVkey }) {
  const vkey = ownVkey === '' ? String(logOf(keys)['vkey']) : ownVkey
  const whose = ownVkey === '' ? 'the published key' : 'the key that you gave'
  return { key: await readVkey(vkey, logKeyType), whose }
}

/** @param {ShownEntry} shown */
function checkWords({ entry, words }) {
  const { signature, ...statement } = readEntry(entry)
  const said = { ...statement, ...(isObject(signature) ? signature : {}) }
  for (const [member, word] of words) {
    const written = spell(Object.entries(said).find(([name]) => name === member)?.[1])
    if (word !== written) {
      throw new Failure(`the page says ${word} where the entry says ${written}`)
    }
  }
  if (words.length === 0) throw new NotChecked('the page says nothing of it')
  return `the ${words.length} members that the page shows are those of the entry below`
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
  const { treeSize, root } = readCheckpoint(readNote(checkpoint))
  let hash = await leafHash(utf8.encode(entry))
  let step = 0
  /** @type {number | undefined} */
  let otherwise
  for await (const next of climb(hash, { leafIndex, treeSize, proof })) {
    hash = next
    step += 1
    if (!(await climbed(step - 1, toHex(hash)))) otherwise ??= step
  }
  if (toHex(hash) !== toHex(root)) {
    throw new Failure(
      `from these bytes the path leads to ${toHex(hash)}, and the log has signed ${toHex(root)}`,
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
