import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'

import { parseArk } from '#actors/values/ark.ts'
import { parseJson } from '#actors/values/serialization.ts'
import { LogError } from '#log/tlog/errors.ts'
import { parsePolicy, policyWarnings } from '#log/tlog/policy.ts'
import { openSource } from '#src/cli/import_source.ts'
import { readLines } from '#src/cli/line_reader.ts'
import {
  addCommand,
  failUnusable,
  print,
  printable,
  UnusableError,
  warn,
} from '#src/cli/program.ts'
import { isFraudProof, judgeFraud } from '#src/client/verify/map_fraud.js'
import { isEvidenceFile, sourceText, verifyEvidence } from '#src/client/verify/evidence.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { foundVersionText } from '#src/client/verify/found_version.js'
import { followRotations } from '#src/client/verify/key_chain.js'
import { openCheckpoint } from '#src/client/verify/checkpoint.js'
import { examineReceipt, spellHash, verifyReceipt } from '#src/client/verify/receipt.js'
import { isObject } from '#src/client/verify/receipt_form.js'
import { parseTrustedKeys, withPolicy } from '#src/client/verify/trusted_keys.js'
import type {
  Evidence,
  EvidenceReport,
  FoundVersion,
  NewestReport,
  SignedStatement,
  TrustedKeys,
  UnverifiedReceipt,
  VerificationReport,
} from '#src/client/verify/types.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { HttpError } from '#src/edge/errors.ts'
import { checkDump } from '#src/discovery/dump/dump_check.ts'
import { DumpError } from '#src/discovery/dump/logged_works.ts'
import {
  getBytes,
  isHttpAddress,
  readKeyListOf,
  SourceError,
} from '#src/tlog_tools/monitor/log_source.ts'
import { logVerifier } from '#log/tlog/cosignature.ts'
import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import { httpMapFiles, proveFromFiles } from '#src/tlog_tools/mirror/map_files.ts'
import { readMapProof } from '#src/tlog_tools/monitor/map_evidence.ts'
import { registryOf } from '#src/tlog_tools/monitor/watch.ts'

/** One receipt of a file: parsed, or undefined if it is not strict JSON. `line` counts from 1. */
type ReceiptLine = { readonly line: number; readonly value: unknown }

// A receipt has a few kilobytes, evidence some more; its checkpoints may carry many cosignatures.
const receiptBytesMax = 4_194_304

/**
 * The receipts of a stream: JSON lines with one receipt each or, if the first line is not JSON by
 * itself, one receipt spread over all lines.
 */
export async function* readReceipts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReceiptLine> {
  const spread: Buffer[] = []
  let first = true
  for await (const lines of readLines(chunks, receiptBytesMax, { keepsMark: true })) {
    for (const { number, bytes = Buffer.of() } of lines) {
      // What is parted between lines stays so: no JSON has half a text or number on each.
      if (spread.length > 0 || (first && !isJson(bytes))) spread.push(bytes, newline)
      else yield { line: number, value: readJson(bytes) }
      first = false
    }
    if (spread.reduce((sum, part) => sum + part.length, 0) > receiptBytesMax) break
  }
  if (spread.length > 0) yield { line: 1, value: readJson(Buffer.concat(spread)) }
}

const newline = Buffer.from('\n')

function isJson(bytes: Buffer): boolean {
  return parseJson(bytes.toString('utf8')) !== undefined
}

// Strict, so that the receipt proven here is the receipt that any other program reads.
function readJson(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return /^\s*</.test(bytes.toString('latin1', 0, 256)) ? webPage : undefined
  }
}

/** What stands for a text that is no JSON but begins as a web page does. */
const webPage = Symbol('a web page')

/** What somebody saved in place of a receipt: the answer of a server that has none. */
function errorReply(value: unknown): string | undefined {
  if (value === webPage) {
    return 'it is a web page, not a receipt: perhaps the error page of a server'
  }
  if (!isObject(value)) return undefined
  const { error, message } = value
  if (typeof error !== 'string' || typeof message !== 'string') return undefined
  return `it is the error that a server replied, not a receipt: ${error}: ${message}`
}

const marks = { done: 'done', failed: 'FAILED', not_checked: 'not checked' } as const

/** Whether a file proves that the log has signed a wrong map, and which lie, or why not. */
type FraudReport = { readonly valid: boolean; readonly fraud: string }

/** Why a file is neither. */
type NoReceipt = { readonly valid: false; readonly reason: string }

type Report = VerificationReport | EvidenceReport | FraudReport | NoReceipt

/** A verification report for people: what the receipt says, every step, and the verdict. */
function formatReport(place: string, report: Report): string {
  if (!('steps' in report)) return formatVerdict(place, report)
  return printable([formatVerdict(place, report), ...report.steps.map(formatStep)].join('\n'))
}

type ReportedStep = {
  readonly step: string
  readonly status: keyof typeof marks
  readonly reason: string
}

function formatStep({ step, status, reason }: ReportedStep): string {
  return `  ${marks[status].padEnd(12)} ${step.padEnd(14)} ${reason}`
}

/** One line: whether the receipt or the evidence at a place is proven, and what it says. */
function formatVerdict(place: string, report: Report): string {
  if ('reason' in report) return printable(`${place}: NOT PROVEN: ${report.reason}`)
  if ('fraud' in report) {
    const said = report.valid ? 'proven: the log has signed a wrong map' : 'NOT PROVEN'
    return printable(`${place}: ${said}: ${report.fraud}`)
  }
  const { statement, registered_on: day } = report
  const right = isUntrusted(report) ? 'CONSISTENT, by keys of its own' : 'proven'
  const verdict = report.valid ? right : 'NOT PROVEN'
  if (statement === undefined) return `${place}: ${verdict}`
  const { ark, version, statement: kind, timestamp, receipt_id: receiptId } = statement
  const before = `${day}, as the registry says`
  const times = kind === 'registered' ? timestamp : `${before}, ${laterEvents[kind]} ${timestamp}`
  const said = `${ark} v${version} registered ${times} (${receiptId})`
  if (!report.valid) return `${place}: ${verdict}: ${said}`
  const whose = 'policy_source' in report ? `; ${sourceText(report)}` : ''
  return `${place}: ${verdict}: ${said}; ${formatTime(report)}${whose}`
}

/** Whether the keys were none that the verifier has: then something only fits together. */
function isUntrusted(report: Report): boolean {
  return 'isTrusted' in report && !report.isTrusted
}

/** Who says when the statement of a receipt was made, in words. */
function formatTime({
  proven_time: { not_before: from, not_after: to },
}: Pick<VerificationReport, 'proven_time'>): string {
  if (to === null) return 'the time is the registry’s word'
  if (from === null) return `made before ${to}; how long before is the registry’s word`
  return `made between ${from} and ${to}`
}

/** What a statement says of a version after its registration, whose day alone it says. */
const laterEvents: Readonly<Record<Exclude<SignedStatement['statement'], 'registered'>, string>> = {
  content: 'content confirmed',
  tombstoned: 'withdrawn',
}

type VerifyOptions = {
  readonly keys?: string
  readonly newest: boolean
  readonly within?: number
  readonly registry?: string
  readonly dump?: string
  readonly rotations?: string
  readonly metadata?: string
  readonly policy?: string
  readonly sandbox: boolean
  readonly json: boolean
}

/** At least one receipt is not proven; the steps that failed have been printed. */
class NotProvenError extends Error {
  readonly code = 'not_proven'

  constructor(refused: number, total: number) {
    super(total === 1 ? 'the receipt is not proven' : `${refused} of ${total} are not proven`)
    this.name = 'NotProvenError'
  }
}

/** All evidence fits together, and nobody has said whose keys to trust. */
class OwnKeysError extends Error {
  readonly code = 'own_keys'

  constructor() {
    super('the keys are those that the evidence brings along: give your own with --keys')
    this.name = 'OwnKeysError'
  }
}

/** No version of the registry has the content; what was looked for has been said. */
class UnknownContentError extends Error {
  readonly code = 'unknown_content'
}

const notes = `
An evidence file (arklog evidence) has a receipt, its metadata, keys and policy. The keys in
--keys prove it. Without --keys the command only shows that its parts fit together. In a folder,
every file with a name that ends in .json is verified.

--rotations: if your keys were saved before a receipt key was rotated, this leads to the newer
keys. Each rotation must be signed by the key before it, and must be in the log of the key file.

--policy: the checkpoint of each receipt must have the cosignatures of the policy's quorum. A
receipt has them about a second after the registry made it. One that you saved earlier is not
proven. The time is then proven too: not before the witnesses signed the checkpoint that the
statement names, and not after they signed the first one that covers it. Without --policy the time
of a receipt is the registry’s word. Evidence names a policy of its own: the verdict says so, since
its maker may have invented the witnesses, unless your key file names the same policy.

--registry: the file is the content of a work, not a receipt. The registry says which version it
belongs to, when that was registered, and whether it is the newest one, withdrawn, retracted or
corrected.

--dump: no receipt is read. The manifest of a dump, from /data of the registry, must be in one
folder with its files. They must have every work of the log up to the checkpoint of the manifest,
once and as registered, and no other. This proves only what is in the log: not the name of the
registry in the manifest, nor when the dump was made.

--newest: the registry is asked for its map proof of the ARK, or of the work of the receipt. It
proves which version is the newest, that the work was withdrawn, or that there is no such ARK
(docs/map.md). Without --policy and --within only the registry says how old that is.

A fraud proof (fraud.json.gz), which a monitor writes when a map is wrong, is verified like a
receipt.

Exit code: 0 every receipt or fraud is proven, the file is known, or the version is the newest; 1 at
least one is not; 2 nothing could be verified.`

/** Adds `verify`, which checks receipts offline against a key file that was saved once. */
export function defineVerify(program: Command): void {
  addCommand(program, 'verify', 'verify receipts offline, trusting only a saved key file')
    .argument(
      '[receipt]',
      'a receipt or evidence as JSON, or many as JSON lines or a folder;\n' +
        '- reads standard input; ' +
        'with --registry, the content of a work',
    )
    .argument('[file]', 'the content of the work, to compare with the content hash')
    .option('--keys <file>', 'the registry’s /.well-known/svc-keys.json, saved earlier')
    .option('--rotations <list>', 'a newer svc-keys.json, or the registry’s address; not trusted')
    .option('--metadata <file>', 'the metadata as JSON, or a resolve reply that holds it')
    .option('--policy <file>', 'witnesses and quorum that must have signed (C2SP tlog-policy)')
    .option('--dump <manifest>', 'prove that a dump has all works of the log, as registered')
    .option('--sandbox', 'trust the keys of the sandbox instead of the live ones', false)
    .option('--newest', 'prove whether a receipt, or an ARK, is the newest version', false)
    .option('--within <time>', 'how old that may be: 90s, 30m, 2h, 1d', parseWithin)
    .option(
      '--registry <url>',
      'ask this registry which work a file belongs to; only its hash is sent',
    )
    .addHelpText('after', notes)
    .action(verify)
}

async function verify(
  receipts: string | undefined,
  file: string | undefined,
  options: VerifyOptions,
): Promise<void> {
  try {
    if (options.dump !== undefined) return await verifyDump(options.dump, options)
    if (receipts === undefined) throw new UnusableError('give a receipt, or a dump with --dump')
    if (options.newest) return await findNewest(receipts, options)
    if (options.registry !== undefined)
      return await findContent(receipts, options.registry, options)
    const evidence = {
      ...(file === undefined ? {} : { contentHash: await hashFile(file) }),
      ...(options.metadata === undefined ? {} : { metadata: await readMetadata(options.metadata) }),
    }
    await verifyAll(readPlaces(receipts), await openVerifier(options, evidence), options)
  } catch (error) {
    const isVerdict = [NotProvenError, OwnKeysError, UnknownContentError, NotNewestError].some(
      (kind) => error instanceof kind,
    )
    if (isVerdict) throw error
    if (error instanceof DumpError && error.code === 'dump_not_proven') throw error
    failUnusable(error, options.json)
  }
}

/** A receipt or evidence, and where it was found. */
type Found = { readonly place: string; readonly line: number; readonly value: unknown }

/** What is in a file, plain or packed, in standard input (`-`), or in the files of a folder. */
async function* readPlaces(source: string): AsyncGenerator<Found> {
  if (source === '-' || !(await stat(source)).isDirectory()) {
    const input = source === '-' ? process.stdin : (await openSource(source)).text
    for await (const { line, value } of readReceipts(input)) {
      yield { place: `line ${line}`, line, value }
    }
    return
  }
  const names = (await readdir(source)).filter((name) => name.endsWith('.json')).sort()
  for (const name of names) {
    const bytes = await readFile(path.join(source, name))
    yield { place: name, line: 1, value: bytes.length > receiptBytesMax ? 0 : readJson(bytes) }
  }
}

/** Verifies what was read, by keys that are read once. */
type Verifier = (value: unknown) => Promise<Report>

async function openVerifier(options: VerifyOptions, evidence: Evidence): Promise<Verifier> {
  const { keys, policy } = options
  const trusted = keys === undefined ? undefined : await chooseKeys(keys, options)
  const demanded = trusted && (await demandWitnesses(trusted, options))
  const trust = {
    ...(keys !== undefined && { keys: await readFile(keys, 'utf8') }),
    ...(policy !== undefined && { policy: await readFile(policy, 'utf8') }),
  }
  return async (value) => {
    const reason = errorReply(value)
    if (reason !== undefined) return { valid: false, reason }
    if (isEvidenceFile(value)) return verifyEvidence(value, trust, evidence.contentHash)
    if (isFraudProof(value) && trusted !== undefined) {
      const { proven: valid, reason: fraud } = await judgeFraud(value, trusted)
      return { valid, fraud }
    }
    if (demanded !== undefined) return verifyReceipt(value, demanded, evidence)
    throw new UnusableError('--keys is required to check a receipt; a file alone needs --registry')
  }
}

async function chooseKeys(
  keys: string,
  { sandbox, rotations }: VerifyOptions,
): Promise<TrustedKeys> {
  const environment = sandbox ? 'sandbox' : 'live'
  const trusted = await parseTrustedKeys(await readFile(keys, 'utf8'), environment)
  if (rotations === undefined) return trusted
  const list = isHttpAddress(rotations)
    ? await readKeyListOf(rotations, new AbortController().signal)
    : await readFile(rotations, 'utf8')
  return followRotations(trusted, list)
}

async function demandWitnesses(keys: TrustedKeys, { policy }: VerifyOptions): Promise<TrustedKeys> {
  if (policy === undefined) return keys
  try {
    const text = await readFile(policy, 'utf8')
    // The reader of the log says what is wrong with a line, and what to know of what is right.
    const warnings = policyWarnings(parsePolicy(text))
    const demanded = await withPolicy(keys, text)
    warnings.forEach(warn)
    return demanded
  } catch (error) {
    if (!(error instanceof LogError || error instanceof EvidenceError)) throw error
    throw new UnusableError(`${policy}: ${error.message}`)
  }
}

/** Proves how an ARK, or the receipt in a file, stands in the newest map of its registry. */
async function findNewest(subject: string, options: VerifyOptions): Promise<void> {
  if (options.keys === undefined) throw new UnusableError('--keys is required to prove a map')
  const keys = await chooseKeys(options.keys, options)
  const demanded = await demandWitnesses(keys, options)
  const parsed = parseArk(subject)
  if (parsed.type === 'ark') return proveNewest({ ark: `ark:/${parsed.ark}` }, demanded, options)
  for await (const { value } of readPlaces(subject)) {
    const { report, receipt } = await examineReceipt(value, keys)
    if (receipt === undefined || !report.valid) {
      print(options, report, formatReport(subject, report))
      throw new NotProvenError(1, 1)
    }
    return proveNewest({ ark: receipt.statement.ark, receipt }, demanded, options)
  }
  throw new UnusableError('there is no receipt in the input')
}

/** Proves a dump against the log whose key was saved. */
async function verifyDump(manifestFile: string, options: VerifyOptions): Promise<void> {
  const { keys } = options
  if (keys === undefined) throw new UnusableError('--keys is required to prove a dump')
  const { log } = await chooseKeys(keys, options)
  const { manifest, tables } = await checkDump(manifestFile, (note) => openCheckpoint(note, log))
  const { counts, log: tree } = manifest
  const text =
    `proven: all ${counts.works} works of ${tree.origin} up to entry ${tree.tree_size}, ` +
    `${counts.withdrawn} of them withdrawn, ${counts.without_metadata} erased; ` +
    `${tables.length} of ${manifest.tables.length} tables are there and say the same`
  print(options, { proven: true, ...counts, tree_size: tree.tree_size, tables }, printable(text))
}

async function verifyAll(
  found: AsyncIterable<Found>,
  verifier: Verifier,
  { json }: { readonly json: boolean },
): Promise<void> {
  let total = 0
  let refused = 0
  let untrusted = 0
  for await (const { place, line, value } of found) {
    const report = await verifier(value)
    total += 1
    if (!report.valid) refused += 1
    else if (isUntrusted(report)) untrusted += 1
    // Step by step: the first receipt, and each that is not proven. The others on one line.
    const inFull = total === 1 || !report.valid
    const text = inFull ? formatReport(place, report) : formatVerdict(place, report)
    print({ json }, { line, ...report }, text)
  }
  if (total === 0) throw new UnusableError('there is no receipt in the input')
  const proven = total - refused - untrusted
  if (total > 1 && !json) print({ json }, {}, `${proven} of ${total} are proven`)
  if (refused > 0) throw new NotProvenError(refused, total)
  if (untrusted > 0) throw new OwnKeysError()
}

const foundBytesMax = 4_194_304

/** Says of which versions of a registry a file is the content; only its hash is sent. */
async function findContent(
  file: string,
  registry: string,
  { json }: Pick<VerifyOptions, 'json'>,
): Promise<void> {
  if (!isHttpAddress(registry))
    throw new UnusableError('--registry must be an http or https address')
  const hash = await hashFile(file)
  const url = `${registry.replace(/\/+$/, '')}/api/v1/content/${hash}`
  const bytes = await getBytes(url, foundBytesMax, new AbortController().signal)
  const { versions = [] } = parseStrictJson(Buffer.from(bytes)) as {
    readonly versions?: FoundVersion[]
  }
  for (const found of versions) {
    const name = `${found.ark_identifier}/v${found.version}`
    const text = `${name} ${found.work_title ?? ''}: this is the file of ${foundVersionText(found)}`
    print({ json }, found, printable(text))
  }
  if (versions.length > 0) return
  throw new UnknownContentError(`${registry} has no work with this file, ${hash}`)
}

// A file may be larger than the memory, so it is hashed as it is read.
async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return spellHash(hash.digest())
}

// A resolve reply holds the metadata as a member; no metadata field has that name.
async function readMetadata(file: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isObject(value) && isObject(value['metadata']) ? value['metadata'] : value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UnusableError(`${file} is not JSON`)
  }
}

/** The ARK (`ark:/naan/name`) that is asked about, or a receipt of it that was verified. */
type NewestSubject = { readonly ark: string; readonly receipt?: UnverifiedReceipt }

/** Where a map proof is read, and how old it may be. */
type NewestOptions = {
  readonly registry?: string
  /** Milliseconds. */
  readonly within?: number
  readonly json: boolean
}

/** It is proven to be withdrawn, superseded, or not there, or nothing is proven at all. */
class NotNewestError extends Error {
  readonly code = 'not_newest'
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a time such as `90s`, `30m`, `2h` or `1d`, in milliseconds. */
function parseWithin(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * unitMs[unit as keyof typeof unitMs]
  throw new InvalidArgumentError('It must be a time such as 90s, 30m, 2h or 1d.')
}

/**
 * Asks a registry, or a mirror that serves its map, how an ARK stands, and proves the answer by
 * keys that are trusted. Throws NotNewestError unless it is proven to be the newest version.
 */
async function proveNewest(
  { ark, receipt }: NewestSubject,
  keys: TrustedKeys,
  { registry = registryOf(keys.url), within, json }: NewestOptions,
): Promise<void> {
  if (!isHttpAddress(registry))
    throw new UnusableError('--registry must be an http or https address')
  const { signal } = new AbortController()
  const proof = await readMapProof(registry, ark, signal).catch((error: unknown) => {
    if (!(error instanceof SourceError) || error.code !== 'missing') throw error
    return proveByMirror(registry, ark, keys, error)
  })
  const report = await verifyNewest(proof, keys, {
    ark,
    nowMs: Date.now(),
    ...(within === undefined ? {} : { withinMs: within }),
    ...(receipt && { receipt }),
  })
  const { value: _, ...facts } = report
  print({ json }, { ...facts, text: newestText(report) }, printable(formatNewest(report)))
  if (report.valid && report.standing === 'newest') return
  throw new NotNewestError(`${ark}: ${newestText(report)}`)
}

/** The map proof by the files of a mirror; what is no mirror either has no map. */
async function proveByMirror(
  url: string,
  ark: string,
  { vkey }: TrustedKeys,
  noRegistry: SourceError,
): Promise<unknown> {
  const files = httpMapFiles(url, new AbortController().signal)
  return proveFromFiles(files, logVerifier(vkey), ark).catch((error: unknown) => {
    throw error instanceof SourceError && error.code === 'missing' ? noRegistry : error
  })
}

function formatNewest(report: NewestReport): string {
  const { ark, valid, steps } = report
  const said = `${ark}: ${valid ? 'proven' : 'NOT PROVEN'}: ${newestText(report)}`
  return [said, ...steps.map(formatStep)].join('\n')
}
