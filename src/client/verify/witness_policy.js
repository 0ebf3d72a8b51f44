// @ts-check

import { parseCheckpoint } from '#src/client/verify/checkpoint.js'
import { equalBytes } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import {
  cosignatureSeconds,
  formatType,
  isBy,
  isKnownType,
  isSoundKey,
  logKeyTypes,
  parseNote,
  parseVkey,
  verifyNote,
  witnessKeyTypes,
} from '#src/client/verify/signed_note.js'

/**
 * @import {
 *   CosignedCheckpoint, Draft, NoteKey, ReadLine, SeenByWitness, Witness, WitnessPolicy
 * } from '#src/client/verify/types.ts'
 */

const charactersMax = 500_000
const partsMax = 64

// Those of ASCII but the tab, in comments too; what is above ASCII is opaque (C2SP tlog-policy).
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** @type {Readonly<Record<string, ReadLine>>} */
const readers = {
  log: readLog,
  witness: readWitness,
  group: readGroup,
  quorum: readQuorum,
}

/**
 * Reads a policy: lines of `log`, `witness`, `group` and `quorum`. Strict: canonical keys, each
 * name and each public key once, members that were defined before and are in one group only, and
 * exactly one quorum. A key of an unknown type is kept: its witness never has signed. Throws
 * EvidenceError `malformed_policy`, which names the line.
 * @type {(text: string) => Promise<WitnessPolicy>}
 */
export async function parsePolicy(text) {
  const lines = text.split('\n')
  if (text.length > charactersMax) throw malformed(lines.length)
  /** @type {Draft} */
  const draft = { logs: [], witnesses: [], groups: [], members: new Set(), quorums: [] }
  for (const [index, line] of lines.entries()) {
    if (!(await readLine(line, draft))) throw malformed(index + 1)
  }
  const { logs, witnesses, groups, quorums } = draft
  const [quorum] = quorums
  if (quorum === undefined) throw malformed(lines.length)
  return {
    logs,
    witnesses,
    groups,
    quorum: quorum === 'none' ? undefined : quorum,
  }
}

/** @type {(line: number) => EvidenceError} */
function malformed(line) {
  const message = `The policy of witnesses is wrong in line ${line}`
  return new EvidenceError('malformed_policy', message)
}

/** @type {(line: string, draft: Draft) => boolean | Promise<boolean>} */
function readLine(line, draft) {
  if (controlCharacter.test(line)) return false
  const [keyword = '#', ...words] = line.split(/[ \t]+/).filter((word) => word !== '')
  if (keyword.startsWith('#')) return true
  const read = Object.hasOwn(readers, keyword) ? readers[keyword] : undefined
  return read !== undefined && read(words, draft)
}

/** @type {(given: readonly string[], draft: Draft) => Promise<boolean>} */
async function readLog([vkey = '', url, ...more], draft) {
  const key = await readKey(vkey, logKeyTypes, draft)
  if (key === undefined || !isAddress(url) || more.length > 0) return false
  return draft.logs.push({ ...key, vkey }) <= partsMax
}

/** @type {(given: readonly string[], draft: Draft) => Promise<boolean>} */
async function readWitness([name = '', vkey = '', url, ...more], draft) {
  const key = await readKey(vkey, witnessKeyTypes, draft)
  if (key === undefined || !isAddress(url) || more.length > 0 || !isFree(name, draft)) return false
  return draft.witnesses.push({ name, key }) <= partsMax
}

/** @type {(given: readonly string[], draft: Draft) => boolean} */
function readGroup([name = '', wanted = '', ...members], draft) {
  const isNumber = /^[1-9]\d{0,3}$/.test(wanted)
  const words = new Map([
    ['all', members.length],
    ['any', 1],
  ])
  const threshold = isNumber ? Number(wanted) : words.get(wanted)
  if (threshold === undefined || members.length === 0 || threshold > members.length) return false
  for (const member of members) {
    if (!isDefined(member, draft) || draft.members.has(member)) return false
    draft.members.add(member)
  }
  if (!isFree(name, draft)) return false
  return draft.groups.push({ name, threshold, members }) <= partsMax
}

/** @type {(given: readonly string[], draft: Draft) => boolean} */
function readQuorum([name = '', ...more], draft) {
  if (more.length > 0 || (name !== 'none' && !isDefined(name, draft))) return false
  return draft.quorums.push(name) === 1
}

/** @type {(name: string, beside: Draft) => boolean} */
function isDefined(name, { witnesses, groups }) {
  return [...witnesses, ...groups].some((known) => known.name === name)
}

/** @type {(name: string, draft: Draft) => boolean} */
function isFree(name, draft) {
  return name !== '' && name !== 'none' && !isDefined(name, draft)
}

/**
 * A key of one of these types or of an unknown one, which no line before has.
 * @type {(vkey: string, types: readonly number[], beside: Draft) => Promise<NoteKey | undefined>}
 */
async function readKey(vkey, types, { logs, witnesses }) {
  /** @type {NoteKey} */
  let key
  try {
    key = await parseVkey(vkey)
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    return undefined
  }
  if (isKnownType(key.type) && !(types.includes(key.type) && isSoundKey(key))) {
    return undefined
  }
  // One key under two names would count twice, and a log is no witness of itself.
  const isTaken = [...logs, ...witnesses.map((witness) => witness.key)].some(
    (known) =>
      equalBytes(known.publicKey, key.publicKey) ||
      (known.name === key.name && known.keyId === key.keyId),
  )
  return isTaken ? undefined : key
}

// Whether somebody answers there, or could, is nothing to a verifier, who asks nobody.
/** @type {(url: string | undefined) => boolean} */
function isAddress(url) {
  return url === undefined || /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(url)
}

/**
 * Opens a checkpoint that a log has signed, and judges who has cosigned it. Lines of other keys are
 * ignored; one of a witness of the policy that is wrong condemns the whole note. Throws
 * EvidenceError `malformed_note`, `malformed_checkpoint`, `wrong_signature`, `unverified_note`.
 * @type {(note: string, log: NoteKey, policy: WitnessPolicy) => Promise<CosignedCheckpoint>}
 */
export async function openCosigned(note, log, policy) {
  const read = parseNote(note)
  const known = policy.witnesses.filter(isVerifiable)
  const verified = await verifyNote(read, [log, ...known.map(({ key }) => key)])
  const checkpoint = parseCheckpoint(read.text)
  if (!verified.some((line) => isBy(line, log)) || checkpoint.origin !== log.name) {
    const message = `the log ${log.name} has not signed the checkpoint`
    throw new EvidenceError('unverified_note', message)
  }
  const signed = known.flatMap(({ name, key }) => {
    const line = verified.find((signature) => isBy(signature, key))
    const seconds = line && cosignatureSeconds(line.bytes)
    return seconds === undefined ? [] : [{ name, seconds }]
  })
  const names = new Set(signed.map(({ name }) => name))
  const missing = policy.witnesses.map(({ name }) => name).filter((name) => !names.has(name))
  return { checkpoint, signed, missing, isWitnessed: reachesQuorum(policy, names) }
}

/**
 * Demands a checkpoint with its quorum: otherwise `quorum_missed`, which says who is missing.
 * @type {(given: CosignedCheckpoint, policy: WitnessPolicy) => void}
 */
export function demandQuorum({ signed, isWitnessed }, policy) {
  if (isWitnessed) return
  const names = signed.map(({ name }) => name).join(', ')
  const found = names === '' ? 'none of its witnesses has signed' : `only ${names} signed`
  const demanded = `the policy demands ${describeQuorum(policy)}`
  const missed = `too few witnesses have signed the checkpoint: ${demanded}, but ${found}`
  const reasons = unverifiable(policy).map(({ name, key: { type } }) => {
    const key = `witness ${name} has a key of an unknown type ${formatType(type)}`
    return `${key}; it counts as missing`
  })
  throw new EvidenceError('quorum_missed', [missed, ...reasons].join('; '))
}

/**
 * The demand of a policy, in words: `one`, or `2 of (one, two, 1 of (three, four))`.
 * @type {(given: WitnessPolicy) => string}
 */
export function describeQuorum({ quorum, groups }) {
  /** @type {(name: string) => string} */
  const describe = (name) => {
    const group = groups.find((known) => known.name === name)
    if (group === undefined) return name
    return `${group.threshold} of (${group.members.map(describe).join(', ')})`
  }
  return quorum === undefined ? 'no witness' : describe(quorum)
}

/**
 * The witnesses whose keys are of a type that is unknown here: they never have signed.
 * @type {(given: WitnessPolicy) => readonly Witness[]}
 */
export function unverifiable({ witnesses }) {
  return witnesses.filter((witness) => !isVerifiable(witness))
}

/** @type {(given: Witness) => boolean} */
function isVerifiable({ key }) {
  return witnessKeyTypes.includes(key.type)
}

/**
 * The time that a quorum of witnesses vouches for, in seconds of 1970: `earliest`, when enough of
 * them had signed, or `latest`, before which enough of them had not. The caller has seen that they
 * are as many as the policy demands.
 * @type {(
 *   signed: readonly SeenByWitness[],
 *   policy: WitnessPolicy,
 *   which: 'earliest' | 'latest'
 * ) => number}
 */
export function quorumTime(signed, policy, which) {
  const sign = which === 'earliest' ? 1 : -1
  const inOrder = [...signed].sort((left, right) => sign * (left.seconds - right.seconds))
  const names = new Set()
  for (const { name, seconds } of inOrder) {
    names.add(name)
    if (reachesQuorum(policy, names)) return seconds
  }
  throw new EvidenceError('quorum_missed', 'the witnesses that have signed are no quorum')
}

/** @type {(given: WitnessPolicy, signed: ReadonlySet<string>) => boolean} */
function reachesQuorum({ quorum, groups }, signed) {
  const reached = new Set(signed)
  for (const { name, threshold, members } of groups) {
    if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name)
  }
  return quorum === undefined || reached.has(quorum)
}
