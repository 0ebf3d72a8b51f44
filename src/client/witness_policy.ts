import type { UnverifiedCheckpoint } from '#src/client/checkpoint.ts'
import { isStrictPublicKey, verifyStrict } from '#src/client/ed25519.ts'
import {
  type Bytes,
  concatBytes,
  decodeBase64,
  encodeHex,
  sha256,
  utf8,
} from '#src/client/encoding.ts'
import { VerificationError } from '#src/client/errors.ts'

// Those of ASCII but the tab: no others may stand in a policy, in comments too.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f]/

type Witness = {
  readonly name: string
  readonly keyName: string
  readonly keyId: string
  readonly publicKey: Bytes
  /** Whether its key is of a type that is verified here; another never has signed. */
  readonly isKnown: boolean
}

/** A group of witnesses and groups, by their names: so many of them must have signed. */
type Group = {
  readonly name: string
  readonly threshold: number
  readonly members: readonly string[]
}

/** Whose cosignatures a checkpoint must carry (C2SP tlog-policy). */
export type WitnessPolicy = {
  readonly witnesses: readonly Witness[]
  /** Each after those that it names. */
  readonly groups: readonly Group[]
  /** The name of a witness or group; undefined if nobody must have signed. */
  readonly quorum: string | undefined
}

/** A witness that has signed a checkpoint, and when, by its own clock. */
export type WitnessSignature = { readonly name: string; readonly signedAtMs: number }

const ed25519Type = 1
const cosignatureType = 4
const timeBytes = 8
const linesMax = 1_000

/**
 * Reads a policy: lines of `log`, `witness`, `group` and `quorum`. Its logs are left to the caller,
 * who has trusted the key of one. Throws VerificationError `policy`, which names the line.
 */
export async function parseWitnessPolicy(text: string): Promise<WitnessPolicy> {
  const witnesses: Witness[] = []
  const groups: Group[] = []
  const members = new Set<string>()
  const quorums: string[] = []
  const lines = text.split('\n')
  if (lines.length > linesMax) throw malformed(linesMax + 1)
  for (const [index, line] of lines.entries()) {
    if (controlCharacter.test(line)) throw malformed(index + 1)
    const [keyword = '#', ...words] = line.split(/[ \t]+/).filter((word) => word !== '')
    const names = new Set([...witnesses, ...groups].map(({ name }) => name))
    const isFree = (name: string) => name !== 'none' && !names.has(name)
    if (keyword.startsWith('#') || keyword === 'log') continue
    const witness = keyword === 'witness' ? await readWitness(words) : undefined
    const group = keyword === 'group' ? readGroup(words) : undefined
    const [quorum = ''] = words
    if (witness !== undefined && isFree(witness.name) && !hasKey(witnesses, witness)) {
      witnesses.push(witness)
    } else if (group?.members.every((name) => names.has(name) && !members.has(name)) === true) {
      if (!isFree(group.name)) throw malformed(index + 1)
      for (const name of group.members) members.add(name)
      groups.push(group)
    } else if (keyword === 'quorum' && words.length === 1 && quorums.length === 0) {
      if (quorum !== 'none' && !names.has(quorum)) throw malformed(index + 1)
      quorums.push(quorum)
    } else throw malformed(index + 1)
  }
  if (quorums.length === 0) throw malformed(lines.length)
  return { witnesses, groups, quorum: quorums[0] === 'none' ? undefined : quorums[0] }
}

/**
 * The witnesses of a policy that have signed a checkpoint. Throws VerificationError `witnesses` if
 * they are not enough, or if a signature of one of them is wrong.
 */
export async function demandWitnesses(
  checkpoint: UnverifiedCheckpoint,
  { witnesses, groups, quorum }: WitnessPolicy,
): Promise<readonly WitnessSignature[]> {
  const signed: WitnessSignature[] = []
  for (const witness of witnesses) {
    const signedAtMs = await cosignedAt(checkpoint, witness)
    if (signedAtMs !== undefined) signed.push({ name: witness.name, signedAtMs })
  }
  const reached = new Set(signed.map(({ name }) => name))
  for (const { name, threshold, members } of groups) {
    if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name)
  }
  if (quorum === undefined || reached.has(quorum)) return signed
  const who = signed.length === 0 ? 'nobody' : signed.map(({ name }) => name).join(', ')
  const message = `of the witnesses of the policy ${who} has signed its checkpoint: too few`
  const unknown = witnesses
    .filter(({ isKnown }) => !isKnown)
    .map(({ name }) => `; the key of ${name} is of an unknown type, so it counts as missing`)
  throw new VerificationError('witnesses', message + unknown.join(''))
}

async function cosignedAt(
  { text, signatures }: UnverifiedCheckpoint,
  { keyName, keyId, publicKey, isKnown }: Witness,
): Promise<number | undefined> {
  if (!isKnown) return undefined
  const own = signatures.filter((one) => one.name === keyName && one.keyId === keyId)
  let signedAtMs: number | undefined
  for (const { bytes } of own) {
    const isLong = bytes.length > timeBytes
    const seconds = isLong ? new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) : 0n
    const message = utf8(`cosignature/v1\ntime ${seconds}\n${text}`)
    if (seconds === 0n || !(await verifyStrict(message, bytes.slice(timeBytes), publicKey))) {
      throw new VerificationError('witnesses', `the signature of ${keyName} is wrong`)
    }
    signedAtMs ??= Number(seconds) * 1_000
  }
  return signedAtMs
}

async function readWitness(words: readonly string[]): Promise<Witness | undefined> {
  const [name, vkey = '', , ...more] = words
  const [, keyName, keyId, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(.*)$/.exec(vkey) ?? []
  const bytes = decodeBase64(encoded)
  if (name === undefined || keyName === undefined || keyId === undefined) return undefined
  const [type] = bytes ?? []
  if (bytes === undefined || bytes.length < 2 || more.length > 0) return undefined
  const publicKey = bytes.slice(1)
  const isKnown = type === cosignatureType
  // How the ID and the key of an unknown type are made is not known either.
  if (!isKnown && type !== ed25519Type) return { name, keyName, keyId, publicKey, isKnown }
  if (!isKnown || bytes.length !== 33) return undefined
  const digest = await sha256(concatBytes(utf8(`${keyName}\n`), bytes))
  const isRight = encodeHex(digest.subarray(0, 4)) === keyId && isStrictPublicKey(publicKey)
  return isRight ? { name, keyName, keyId, publicKey, isKnown } : undefined
}

function readGroup(words: readonly string[]): Group | undefined {
  const [name, wanted = '', ...members] = words
  const isList = members.length > 0 && new Set(members).size === members.length
  if (name === undefined || !isList) return undefined
  const counts = new Map([
    ['all', members.length],
    ['any', 1],
  ])
  const threshold = /^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : counts.get(wanted)
  if (threshold === undefined || threshold > members.length) return undefined
  return { name, threshold, members }
}

// One key under two names would count twice.
function hasKey(witnesses: readonly Witness[], { publicKey }: Witness): boolean {
  return witnesses.some((known) => encodeHex(known.publicKey) === encodeHex(publicKey))
}

function malformed(line: number): VerificationError {
  return new VerificationError('policy', `The policy of witnesses is wrong in line ${line}`)
}
