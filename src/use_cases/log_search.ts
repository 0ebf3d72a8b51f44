import { parseArk } from '#actors/values/ark.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'

/**
 * What a text names in a log: the entries of a version or of a hash; or why none, in sentences. A
 * text that has no form that names entries is `unknown`.
 */
export type LogFinding =
  | { readonly type: 'found'; readonly what: string; readonly leaves: readonly number[] }
  | { readonly type: 'missing' | 'unknown'; readonly reason: string }

/** Characters of what is looked for. */
const searchCharactersMax = 300

/** Versions of a work whose entries are listed: the newest ones. */
const versionsMax = 10

const hexHash = /^(?:sha256:)?([0-9a-f]{64})$/i
const base64Hash = /^[A-Za-z0-9+/_-]{43}=?$/
const receiptForm = /^rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{12}$/

const forms =
  'It is found by its number, counted from 0; by its hash, 64 hexadecimal digits or base64 of 32 ' +
  'bytes; by the id of a receipt, which begins with rcpt_; or by an ARK, with ark:/'

/**
 * Finds entries by their leaf index, a leaf hash (hex or base64), a receipt id, or an
 * ARK with or without its version. It costs the same for a log of any size.
 */
export async function findInLog(
  environment: ServedEnvironment,
  asked: string,
): Promise<LogFinding> {
  const text = asked.trim()
  if (text.length > searchCharactersMax) {
    return { type: 'unknown', reason: `What is that long names no entry. ${forms}.` }
  }
  const leafHash = readHash(text)
  if (leafHash !== undefined) return findHash(environment, leafHash)
  if (/^[\d,]+$/.test(text)) return findIndex(environment, text.replaceAll(',', ''))
  if (text.startsWith('rcpt_')) return findReceipt(environment, text)
  if (/^(?:https?:\/\/[^/]+\/)?ark:/i.test(text)) return findArk(environment, text)
  return { type: 'unknown', reason: `“${text}” is no name of an entry. ${forms}.` }
}

function readHash(text: string): Buffer | undefined {
  const [, digits] = hexHash.exec(text) ?? []
  if (digits !== undefined) return Buffer.from(digits, 'hex')
  return base64Hash.test(text) ? Buffer.from(text, 'base64') : undefined
}

async function findHash({ log }: ServedEnvironment, leafHash: Buffer): Promise<LogFinding> {
  const leafIndex = await log.findLeaf(leafHash)
  const hex = leafHash.toString('hex')
  if (leafIndex !== undefined) {
    return { type: 'found', what: `the hash ${hex}`, leaves: [leafIndex] }
  }
  const reason =
    `No entry of this log has the hash ${hex}. The hash of an entry is SHA-256 of a zero byte ` +
    'and the entry; the hash of metadata or content, which a receipt names, is another one.'
  return { type: 'missing', reason }
}

function findIndex({ log }: ServedEnvironment, digits: string): LogFinding {
  const leafIndex = parseDecimal(digits)
  const { treeSize } = log.head()
  if (leafIndex === undefined) {
    const reason = `A number is written as 0 or 1234; ${digits} is none of an entry.`
    return { type: 'unknown', reason }
  }
  if (leafIndex < treeSize) {
    return { type: 'found', what: `entry ${leafIndex}`, leaves: [leafIndex] }
  }
  const there =
    treeSize === 0 ? 'it has none yet' : `its ${treeSize} entries are 0 to ${treeSize - 1}`
  return { type: 'missing', reason: `This log has no entry ${leafIndex} yet: ${there}.` }
}

function findReceipt({ catalogue }: ServedEnvironment, text: string): LogFinding {
  if (!receiptForm.test(text)) {
    const reason =
      `“${text}” begins as the id of a receipt and does not go on as one: ` +
      'rcpt_2026_01_31_ and twelve letters and digits.'
    return { type: 'unknown', reason }
  }
  const place = catalogue.findReceipt(text)
  const leaves = place && catalogue.leaves(place.ark, place.version)
  if (leaves !== undefined && leaves.length > 0) {
    return { type: 'found', what: `the receipt ${text}`, leaves }
  }
  return { type: 'missing', reason: `This registry has issued no receipt ${text}.` }
}

function findArk({ catalogue }: ServedEnvironment, text: string): LogFinding {
  const [, bare = text, digits] = /^(.+)\/v(\d+)$/.exec(text) ?? []
  const parsed = parseArk(bare)
  if (parsed.type === 'malformed') {
    return { type: 'unknown', reason: `“${text}” is no ARK: ${parsed.reason}.` }
  }
  const { ark, components, variants } = parsed
  const state = catalogue.state(ark)
  if (state === undefined || components !== '' || variants !== '') {
    const named = `ark:/${ark}${components}${variants}`
    return { type: 'missing', reason: `This registry has no work ${named}.` }
  }
  const { identifier, version: newest } = state
  const count = Math.min(newest, versionsMax)
  const versions =
    digits === undefined ? Array.from({ length: count }, (_, age) => newest - age) : [+digits]
  const leaves = versions.flatMap((version) => catalogue.leaves(ark, version) ?? [])
  if (leaves.length > 0) {
    const what = digits === undefined ? identifier : `${identifier}, version ${digits}`
    return { type: 'found', what, leaves: leaves.toSorted((a, b) => a - b) }
  }
  const reason = `The work ${identifier} has the versions 1 to ${newest}, and no version ${digits}.`
  return { type: 'missing', reason }
}
