import { parseDecimal } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import {
  formatType,
  isKnownType,
  isSoundKey,
  logKeyTypes,
  parseVkey,
  type VerifierKey,
  witnessKeyTypes,
} from '#log/tlog/note.ts'

/**
 * A log or a witness of a policy: its verifier key, read too, and where it is served. The key may
 * be of a type that is unknown here: then nothing of it is ever verified.
 */
export type PolicyKey = {
  readonly vkey: string
  readonly key: VerifierKey
  /** http or https, without a slash at its end. */
  readonly url: string | undefined
}

/** A witness; the policy's own name for it need not be that of its key. */
export type PolicyWitness = PolicyKey & { readonly name: string }

/** What must have signed: a witness, or so many of the members of a group. */
export type QuorumPart =
  | { readonly type: 'witness'; readonly name: string }
  | {
      readonly type: 'group'
      readonly name: string
      readonly threshold: number
      readonly members: readonly QuorumPart[]
    }

/**
 * Whose cosignatures a checkpoint must carry (C2SP tlog-policy). As text:
 *
 *     log registry.example/log+9c2dabef+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c
 *     witness one witness.example/w1+da2d62c5+BIs… https://witness.example
 *     witness two other.example/w+0a7e1b2c+BNq… https://other.example/witness
 *     group both all one two
 *     quorum both
 */
export type Policy = {
  /** The logs that it is for; a policy without any is for the log that its reader means. */
  readonly logs: readonly PolicyKey[]
  readonly witnesses: readonly PolicyWitness[]
  /** Undefined for `quorum none`: every checkpoint will do. */
  readonly quorum: QuorumPart | undefined
}

/** Characters of a policy at most: as many keys of 2,592 bytes (ML-DSA-87) as it may have. */
const policyLengthMax = 500_000

/** How many logs, witnesses and groups a policy may have. */
export const policyPartsMax = 64

/** A policy as far as it was read. */
type Draft = {
  readonly logs: PolicyKey[]
  readonly witnesses: PolicyWitness[]
  /** Everything that a group or the quorum can name. */
  readonly parts: Map<string, QuorumPart>
  /** Names that are members of a group already. */
  readonly members: Set<string>
  quorum: { readonly part: QuorumPart | undefined } | undefined
}

/** One line after its keyword. It refuses with a sentence that goes on from "line 3: ". */
type ReadLine = (words: readonly string[], draft: Draft) => void

const readers: Readonly<Record<string, ReadLine>> = {
  log: readLog,
  witness: readWitness,
  group: readGroup,
  quorum: readQuorum,
}

/**
 * Reads a policy. Strict: known keywords, canonical keys, each name and each public key once,
 * members that were defined before and are in one group only, and exactly one quorum. Anything else
 * is `malformed_policy`, whose message says in which line and what would be right. A key of a type
 * that is unknown here is kept: its witness never counts as one that has signed.
 */
export function parsePolicy(text: string): Policy {
  if (text.length > policyLengthMax) {
    throw malformed(`it has more than ${policyLengthMax} characters`)
  }
  const draft: Draft = {
    logs: [],
    witnesses: [],
    parts: new Map(),
    members: new Set(),
    quorum: undefined,
  }
  for (const [index, line] of text.split('\n').entries()) {
    try {
      readLine(line, draft)
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      throw malformed(`line ${index + 1}: ${error.message}`)
    }
  }
  if (draft.quorum === undefined) {
    throw malformed('no line says `quorum`, with the name of a witness or group, or `none`')
  }
  return { logs: draft.logs, witnesses: draft.witnesses, quorum: draft.quorum.part }
}

/** Whether those whose cosignatures were verified, by their names in the policy, are enough. */
export function reachesQuorum({ quorum }: Policy, signed: ReadonlySet<string>): boolean {
  return quorum === undefined || hasSigned(quorum, signed)
}

/** Whether the cosignatures of a witness are verified here; one whose are not never has signed. */
export function isVerifiable({ key }: Pick<PolicyWitness, 'key'>): boolean {
  return witnessKeyTypes.includes(key.type)
}

/** Of each witness whose key is of a type that is unknown here, that it counts as missing. */
export function describeUnverifiable({ witnesses }: Policy): string[] {
  return witnesses
    .filter((witness) => !isVerifiable(witness))
    .map(({ name, key: { type } }) => {
      const found = `witness ${name} has a key of an unknown type ${formatType(type)}`
      return `${found}; it counts as missing`
    })
}

/**
 * What a user of the policy should know: the witnesses that count as missing, and that its quorum
 * cannot be reached without them. `canSign` leaves out further witnesses, which nobody can ask.
 */
export function policyWarnings(
  policy: Policy,
  canSign: (witness: PolicyWitness) => boolean = () => true,
): string[] {
  const unverifiable = describeUnverifiable(policy)
  if (unverifiable.length === 0) return []
  const able = policy.witnesses.filter((witness) => isVerifiable(witness) && canSign(witness))
  if (reachesQuorum(policy, new Set(able.map(({ name }) => name)))) return unverifiable
  const quorum = `the quorum, ${describeQuorum(policy)}, cannot be reached because of that`
  return [...unverifiable, `${quorum}: no checkpoint will count as witnessed`]
}

/** What a policy demands, in words: `one`, or `2 of (one, two, 1 of (three, four))`. */
export function describeQuorum({ quorum }: Policy): string {
  return quorum === undefined ? 'no witness' : describePart(quorum)
}

/**
 * Writes a policy for one log in its shortest form, without addresses and without groups that its
 * quorum does not name: two policies are the same if they are written alike.
 */
export function formatPolicy({ witnesses, quorum }: Policy, logVkey: string): string {
  const lines = [`log ${logVkey}`, ...witnesses.map(({ name, vkey }) => `witness ${name} ${vkey}`)]
  if (quorum !== undefined) lines.push(...groupLines(quorum))
  return `${[...lines, `quorum ${quorum?.name ?? 'none'}`].join('\n')}\n`
}

function groupLines(part: QuorumPart): string[] {
  if (part.type === 'witness') return []
  const { name, threshold, members } = part
  const names = members.map((member) => member.name).join(' ')
  return [...members.flatMap(groupLines), `group ${name} ${threshold} ${names}`]
}

/** Whether a policy is for the log with this verifier key. */
export function isForLog({ logs }: Policy, vkey: string): boolean {
  return logs.length === 0 || logs.some((log) => log.vkey === vkey)
}

// Groups are no deeper than there are lines, of which each names only what stands before it.
function hasSigned(part: QuorumPart, signed: ReadonlySet<string>): boolean {
  if (part.type === 'witness') return signed.has(part.name)
  return part.members.filter((member) => hasSigned(member, signed)).length >= part.threshold
}

function describePart(part: QuorumPart): string {
  if (part.type === 'witness') return part.name
  return `${part.threshold} of (${part.members.map(describePart).join(', ')})`
}

// Those of ASCII but the tab, in comments too; what is above ASCII is opaque (C2SP tlog-policy).
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** What is wrong with one line. */
class LineError extends Error {}

function malformed(reason: string): LogError {
  return new LogError('malformed_policy', `not a policy of witnesses: ${reason}`)
}

function readLine(line: string, draft: Draft): void {
  if (line.endsWith('\r')) {
    throw new LineError('it ends with a carriage return; end lines with a line feed alone')
  }
  const at = line.search(controlCharacter)
  if (at >= 0) {
    const digits = line.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
    throw new LineError(
      `character ${at + 1} is the control character U+${digits}; of these only tabs may stand here`,
    )
  }
  const [keyword, ...words] = line.split(/[ \t]+/).filter((word) => word !== '')
  if (keyword === undefined || keyword.startsWith('#')) return
  const read = Object.hasOwn(readers, keyword) ? readers[keyword] : undefined
  if (read === undefined) {
    throw new LineError('it must begin with log, witness, group, quorum or #')
  }
  read(words, draft)
}

function readLog(words: readonly string[], draft: Draft): void {
  const [vkey, url, ...more] = words
  if (vkey === undefined || more.length > 0) throw new LineError('write `log <vkey> [<url>]`')
  if (draft.logs.length === policyPartsMax) throw new LineError(tooMany('logs'))
  const key = readKey(vkey, logKeyTypes, 'a log, of the type 01 or 06')
  checkNewKey(key, draft)
  draft.logs.push({ vkey, key, url: readUrl(url) })
}

function readWitness(words: readonly string[], draft: Draft): void {
  const [name, vkey, url, ...more] = words
  if (name === undefined || vkey === undefined || more.length > 0) {
    throw new LineError('write `witness <name> <vkey> [<url>]`')
  }
  if (draft.witnesses.length === policyPartsMax) throw new LineError(tooMany('witnesses'))
  const key = readKey(vkey, witnessKeyTypes, 'a witness, of the type 04 or 06')
  checkNewKey(key, draft)
  define({ type: 'witness', name }, draft)
  draft.witnesses.push({ name, vkey, key, url: readUrl(url) })
}

function readGroup(words: readonly string[], draft: Draft): void {
  const [name, thresholdText, ...names] = words
  if (name === undefined || thresholdText === undefined || names.length === 0) {
    throw new LineError('write `group <name> all|any|<number> <member>…`')
  }
  const groups = draft.parts.size - draft.witnesses.length
  if (groups === policyPartsMax) throw new LineError(tooMany('groups'))
  const threshold = readThreshold(thresholdText, names.length)
  const members = names.map((member) => readMember(member, draft))
  define({ type: 'group', name, threshold, members }, draft)
}

function readThreshold(text: string, members: number): number {
  if (text === 'all') return members
  if (text === 'any') return 1
  const threshold = parseDecimal(text)
  if (threshold !== undefined && threshold >= 1 && threshold <= members) return threshold
  throw new LineError(`"${text}" must be all, any or a number from 1 to ${members}, its members`)
}

function readMember(name: string, { parts, members }: Draft): QuorumPart {
  const part = parts.get(name)
  if (part === undefined) throw new LineError(undefinedName(name))
  if (members.has(name)) throw new LineError(`"${name}" is a member of a group already`)
  members.add(name)
  return part
}

function readQuorum(words: readonly string[], draft: Draft): void {
  const [name, ...more] = words
  if (name === undefined || more.length > 0) throw new LineError('write `quorum <name>|none`')
  if (draft.quorum !== undefined) throw new LineError('there is a quorum already')
  const part = draft.parts.get(name)
  if (part === undefined && name !== 'none') throw new LineError(undefinedName(name))
  draft.quorum = { part }
}

function define(part: QuorumPart, { parts }: Draft): void {
  if (part.name === 'none') throw new LineError('"none" is what a quorum of nobody is called')
  if (parts.has(part.name)) throw new LineError(`"${part.name}" is defined already`)
  parts.set(part.name, part)
}

function readKey(vkey: string, types: readonly number[], whose: string): VerifierKey {
  try {
    const key = parseVkey(vkey)
    if (!isKnownType(key.type)) return key
    if (types.includes(key.type) && isSoundKey(key)) return key
  } catch (error) {
    if (!(error instanceof LogError)) throw error
  }
  throw new LineError(`its key is not the verifier key <name>+<id>+<base64> of ${whose}`)
}

// One key under two names would count twice, and a log is no witness of itself.
function checkNewKey(key: VerifierKey, { logs, witnesses }: Draft): void {
  for (const { key: known } of [...logs, ...witnesses]) {
    if (Buffer.compare(known.publicKey, key.publicKey) === 0) {
      throw new LineError(`its public key stands in the line of ${known.keyName} already`)
    }
    if (known.keyName === key.keyName && known.keyId === key.keyId) {
      throw new LineError(`another key has the name ${known.keyName} and the same ID`)
    }
  }
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text)) {
    return text.replace(/\/+$/, '')
  }
  throw new LineError('its address must be http:// or https://, a host and a path, and no more')
}

function undefinedName(name: string): string {
  return `"${name}" is no witness or group of a line before`
}

function tooMany(what: string): string {
  return `there are more than ${policyPartsMax} ${what}`
}
