// Three readers of evidence that share no code: the client's, one in Python and one in Go. They say
// the same of sound evidence, of hundreds of spoiled files, and of all vectors.

import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import canonicalize from 'canonicalize'
import test, { type ExecutionContext } from 'ava'

import { sourceText, verifyEvidence } from '#src/client/verify/evidence.js'
import { HttpError } from '#src/edge/errors.ts'
import { parseStrictJson } from '#src/edge/json_body.ts'
import { checkReceipt } from '#src/pages/scripts/receipt_check.js'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { MappedLog, type MapTable, registry } from '#test/src/client/verify/_mapped_log.ts'
import { issueReceipt, keyListOf, metadata } from '#test/src/client/verify/_registry.ts'
import {
  list,
  type Made,
  policy,
  receiptOf,
  registry as timedRegistry,
} from '#test/src/client/verify/_timed_receipt.ts'
import {
  type Evidence,
  makeEvidence,
  spellingsOf,
  spoiledOnes,
} from '#test/src/verify/_evidence.ts'

const run = promisify(execFile)
const readers = path.join(import.meta.dirname, '../../../src/verify')

function has(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', cwd: path.join(readers, 'go') })
    return true
  } catch {
    return false
  }
}

const hasPython = has('python3', '-c', 'import sys; assert sys.version_info >= (3, 9)')
// Its packages must be there, too, or be fetched by it.
const hasGo = has('go', 'vet', '-mod=readonly', './...')

type Reader = {
  readonly name: string
  /** Reads all vectors, and says what it reads otherwise than they want. */
  vectors(): Promise<string[]>
  readonly isThere: boolean
  /** What it says of each file, in their order. */
  read(t: ExecutionContext, files: readonly string[], args: readonly string[]): Promise<string[]>
}

async function said(command: string, args: readonly string[]): Promise<string[]> {
  const options = { maxBuffer: 2 ** 26 }
  const { stdout } = await run(command, args, options).catch(
    (error: unknown) => error as { readonly stdout: string },
  )
  return stdout.trim().split('\n')
}

const python: Reader = {
  name: 'Python',
  vectors: () => said('python3', ['-B', path.join(import.meta.dirname, '_vectors.py')]),
  isThere: hasPython,
  read: (_t, files, args) => {
    return said('python3', ['-B', path.join(readers, 'python/verify.py'), ...args, ...files])
  },
}

const go: Reader = {
  name: 'Go',
  vectors: () => said('go', ['-C', path.join(readers, 'go'), 'test', '-count=1', './...']),
  isThere: hasGo,
  read: async (_t, files, args) => said(path.join(await goFolder, 'verify'), [...args, ...files]),
}

/** Where the program in Go is, which all tests use. */
const goFolder = buildGo()

async function buildGo(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const build = ['build', '-o', path.join(folder, 'verify'), '.']
  if (hasGo) await run('go', build, { cwd: path.join(readers, 'go') })
  return folder
}

test.after.always(async () => fs.rm(await goFolder, { recursive: true }))

/**
 * Seconds by which the clocks of a registry, of its three witnesses (of which two must sign) and of
 * a verifier are ahead, where the witnesses signed ten seconds before a statement and five after.
 * Nobody reads the clock of the verifier: one that is years away is shown evidence of other years.
 */
type Skew = {
  readonly registry?: number
  readonly witnesses?: readonly number[]
  readonly verifier?: number
}

const year = 365 * 86_400

const skews: readonly (readonly [name: string, isProven: boolean, skew: Skew])[] = [
  ['none', true, {}],
  ['a registry eight seconds behind', true, { registry: -8 }],
  ['a registry a minute behind', false, { registry: -60 }],
  ['a registry four seconds ahead', true, { registry: 4 }],
  ['a registry a minute ahead', false, { registry: 60 }],
  ['a witness a day ahead', true, { witnesses: [0, 86_400, 0] }],
  ['a witness a day behind', true, { witnesses: [-86_400, 0, 0] }],
  ['one ahead, one behind', true, { witnesses: [-86_400, 0, 86_400] }],
  ['a quorum a minute behind', false, { witnesses: [-60, -60, 0] }],
  ['a quorum a minute ahead', false, { witnesses: [60, 0, 60] }],
  ['a verifier ten years behind', true, { verifier: -10 * year }],
  ['a verifier a year ahead, a registry a minute', false, { registry: 60, verifier: year }],
]

/** Evidence that was made with such clocks. */
function evidenceBetween({
  registry: registryAhead = 0,
  witnesses = [0, 0, 0],
  verifier = 0,
}: Skew) {
  const stated = new Date(Date.parse('2027-03-04T05:06:07.089Z') - verifier * 1_000)
  const made: Made = {
    before: witnesses.map((ahead) => ahead - registryAhead - 10),
    after: witnesses.map((ahead) => ahead - registryAhead + 5),
    timestamp: stated.toISOString(),
  }
  const receipt = receiptOf(made)
  const keys = {
    ...list,
    receipt_keys: list.receipt_keys.map((key) => ({ ...key, rotation: null })),
  }
  return {
    format: 'arklog-evidence-v1',
    about: [],
    environment: 'live',
    receipt,
    metadata: canonicalize(metadata) ?? '',
    keys,
    policy,
    newest: null,
  }
}

/** Writes files of a folder as JSON; gives where each is. */
function jsonWriter(folder: string) {
  return async (file: string, value: unknown): Promise<string> => {
    await fs.writeFile(path.join(folder, file), JSON.stringify(value))
    return path.join(folder, file)
  }
}

test('a receipt outside of its interval is proven nowhere: twelve skews of clocks', async (t) => {
  t.timeout(600_000)
  const files = skews.map(([, , skew]) => evidenceBetween(skew))
  const expected = skews.map(([name, isProven]) => `${name}: ${isProven ? 'proven' : 'time'}`)
  const compare = (who: string, found: readonly (string | undefined)[]) => {
    t.deepEqual(
      skews.map(([name], index) => `${name}: ${found[index]}`),
      expected,
      who,
    )
  }
  const reports = await Promise.all(files.map((file) => verifyEvidence(file, { keys: list })))
  compare(
    'the client',
    reports.map(({ valid, steps }) => {
      return valid ? 'proven' : steps.find(({ status }) => status === 'failed')?.step
    }),
  )
  const published = { ...list, log: { ...list.log, witness_policy: policy } }
  const shown = await Promise.all(
    files.map(({ receipt }) => checkReceipt({ receipt, published, environment: 'live', metadata })),
  )
  compare(
    'the page of a work',
    shown.map(({ steps }) => steps.find(({ status }) => status === 'failed')?.step ?? 'proven'),
  )
  const write = jsonWriter(await makeTempDir(t))
  const keys = await write('keys', list)
  const names = await Promise.all(files.map((file, index) => write(`${index}.json`, file)))
  for (const reader of [python, go].filter(({ isThere }) => isThere)) {
    const lines = await reader.read(t, names, ['--keys', keys])
    compare(
      reader.name,
      lines.map((line) => / (proven): |: refused: (\w+): /.exec(line)?.slice(1).find(Boolean)),
    )
  }
})

/** What a registry could sign, and what all readers say of it. */
const statements: readonly (readonly [changes: Record<string, unknown>, verdict: string])[] = [
  [{ more: '\b\t\n\f\r\u0001\u001f\u007f\u0080"\\/<>&\u2028\u2029' }, 'proven'],
  [{ '\u{1f600}': 'x', '\ufffd': 'y', '\ue000': 'z', '\n"': '', '': 'e\u0301' }, 'proven'],
  [{ constructor: 'x', toString: 'y', A: 'x', _: 'y', Z: null }, 'proven'],
  [{ version: 2 ** 53 - 1, content_hash: null, statement: 'tombstoned' }, 'proven'],
  [{ statement: 'content' }, 'proven'],
  [{ ark: `ark:/${'~'.repeat(255)}` }, 'proven'],
  [{ more: 'x'.repeat(64_000) }, 'proven'],
  [{ more: '\u00e9'.repeat(33_000) }, 'entry'],
  [{ timestamp: '2026-03-04T24:00:00.000Z' }, 'proven'],
  [{ timestamp: '2026-04-31T12:00:00.000Z' }, 'proven'],
  [{ timestamp: '9999-12-31T23:59:59.999Z' }, 'proven'],
  [{ timestamp: '2026-01-01T00:00:00.000Z' }, 'proven'],
  [{ timestamp: '2025-12-31T23:59:59.999Z' }, 'receipt_key'],
  [{ timestamp: '0000-02-29T00:00:00.000Z' }, 'receipt_key'],
  [{ timestamp: '2026-03-04T24:00:00.001Z' }, 'form'],
  [{ timestamp: '2026-03-04T23:59:60.000Z' }, 'form'],
  [{ version: 0 }, 'form'],
]

test('whatever a registry signs is read alike by all', async (t) => {
  t.timeout(600_000)
  const write = jsonWriter(await makeTempDir(t))
  const right = evidenceBetween({})
  const files = statements.map(([changes]) => {
    return { ...right, policy: null, receipt: issueReceipt(timedRegistry, undefined, changes) }
  })
  const expected = statements.map(([, verdict]) => verdict)
  const reports = await Promise.all(files.map((file) => verifyEvidence(file, { keys: list })))
  const found = reports.map(({ valid, steps }) => {
    return valid ? 'proven' : steps.find(({ status }) => status === 'failed')?.step
  })
  t.deepEqual(found, expected)
  const keys = ['--keys', await write('keys', list)]
  const names = await Promise.all(files.map((file, index) => write(`${index}.json`, file)))
  for (const reader of [python, go].filter(({ isThere }) => isThere)) {
    const lines = await reader.read(t, names, keys)
    const steps = lines.map((line) => / (proven): |: refused: (\w+): /.exec(line)?.slice(1))
    t.deepEqual(
      steps.map((parts) => parts?.find(Boolean)),
      expected,
      reader.name,
    )
    // A time is never that of a registration if it is that of something else.
    for (const happened of ['withdrawn', 'content confirmed']) {
      // The day of its registration is in no interval of witnesses.
      const ones = lines.filter((line) =>
        line.includes(`, as the registry says, ${happened} 2026-`),
      )
      t.is(ones.length, 1, `${reader.name}: ${happened}`)
    }
  }
})

/** How a map lies about the first of two ARKs, and what a reader says of it. */
const mapLies: readonly (readonly [lie: (right: MapTable, ark: string) => void, reason: string])[] =
  [
    [() => undefined, 'proven'],
    [(table, ark) => table.delete(ark), 'the map denies an ARK of which it covers a statement'],
    ...(
      [
        [{ newestLeaf: 0 }, 'the map leaves out a statement that it covers'],
        [{ version: 1 }, 'the map says version 1, and covers 2'],
        [{ versionLeaf: 0 }, 'the map names another entry for this version'],
        [{ state: 'contradictory' }, 'proven'],
        [{ state: 'tombstoned' }, 'proven'],
      ] as const
    ).map(([changes, reason]) => {
      const lie = (table: MapTable, ark: string) => {
        const value = table.get(ark)
        if (value !== undefined) table.set(ark, { ...value, ...changes })
      }
      return [lie, reason] as const
    }),
  ]

/** Evidence of the second version of a work, of a withdrawal after it, or of neither. */
function mappedEvidence(
  lie: (right: MapTable, ark: string) => void,
  last: 'registered' | 'tombstoned' | 'content' = 'registered',
) {
  const log = new MappedLog()
  const ark = 'ark:/12345/fk4a'
  log.state(ark, 'registered', 1)
  log.state('ark:/12345/fk4b', 'registered', 1)
  const second = log.state(ark, 'registered', 2)
  // Content of a version that was never registered is a lie of the log, by a right map.
  const stated = last === 'registered' ? second : log.state(ark, last, last === 'content' ? 3 : 2)
  log.addMapLeaf((table) => {
    lie(table, ark)
    return table
  })
  const { checkpoint, ...map } = log.prove(ark, log.checkpoint())
  const keys = keyListOf(registry)
  return {
    format: 'arklog-evidence-v1',
    about: [],
    environment: 'live',
    receipt: log.receipt(stated, log.entries.length),
    metadata: null,
    keys: { ...keys, receipt_keys: keys.receipt_keys.map((key) => ({ ...key, rotation: null })) },
    policy: null,
    newest: { checkpoint, consistency_proof: [], map },
  }
}

test('a map that its receipt contradicts is refused by all, for one reason', async (t) => {
  t.timeout(600_000)
  const hides = (table: MapTable, ark: string) => {
    const value = table.get(ark)
    if (value !== undefined) table.set(ark, { ...value, state: 'registered' })
  }
  const files = [
    ...mapLies.map(([lie]) => mappedEvidence(lie)),
    mappedEvidence(() => undefined, 'tombstoned'),
    mappedEvidence(hides, 'tombstoned'),
    mappedEvidence(() => undefined, 'content'),
  ]
  const reasons = [
    ...mapLies.map(([, reason]) => reason),
    'proven',
    'the map hides a withdrawal',
    'the map says version 2, and covers 3',
  ]
  const keys = keyListOf(registry)
  const reports = await Promise.all(files.map((file) => verifyEvidence(file, { keys })))
  t.deepEqual(
    reports.map(({ steps }) => {
      const failed = steps.find(({ status }) => status === 'failed')
      return failed === undefined ? 'proven' : `${failed.step}: ${failed.reason}`
    }),
    reasons.map((reason) => (reason === 'proven' ? reason : `map_proof: ${reason}`)),
  )
  const standings = ['newest', 'contradictory', 'withdrawn', 'withdrawn']
  t.deepEqual(
    reports.flatMap(({ standing }) => standing ?? []),
    standings,
  )
  const write = jsonWriter(await makeTempDir(t))
  const saved = await write('keys', keys)
  const names = await Promise.all(files.map((file, index) => write(`${index}.json`, file)))
  for (const reader of [python, go].filter(({ isThere }) => isThere)) {
    const lines = await reader.read(t, names, ['--keys', saved])
    t.deepEqual(
      lines.map((line) => / (proven): |: refused: (.*)$/.exec(line)?.slice(1).find(Boolean)),
      reasons.map((reason) => (reason === 'proven' ? reason : `map_proof: ${reason}`)),
      reader.name,
    )
    t.deepEqual(
      // No witness says when.
      lines.flatMap((line) => /; newest at \?: (.*)$/.exec(line)?.[1] ?? []),
      ['v2, registered', 'v2, contradictory', 'v2, tombstoned', 'v2, tombstoned'],
      reader.name,
    )
  }
})

/**
 * A policy that counts ML-DSA-44 alone, of the log and of the witness that signs with it; the same
 * with the other key of the log; and the evidence without that signature of the log.
 */
function mldsaPolicy(evidence: Evidence, keysNow: unknown) {
  const { log } = keysNow as { readonly log: Readonly<Record<string, string>> }
  const witness = /^witness w2 .*$/m.exec(evidence.policy ?? '')?.[0]
  const policyBy = (vkey = '') => `log ${vkey}\n${witness}\nquorum w2\n`
  const without = structuredClone(evidence)
  const { chain_proof: proof } = without.receipt
  const [first = '', second = ''] = proof.checkpoint.match(/\u2014 registry\S+ \S+\n/g) ?? []
  // What somebody could make who has a receipt key, and a key of their own for that of the log.
  const forged = structuredClone({ ...evidence, policy: policyBy(log['mldsa_vkey']) })
  forged.receipt.chain_proof.checkpoint = proof.checkpoint.replace(first, '')
  proof.checkpoint = proof.checkpoint.replace(second, '')
  return { policy: policyBy(log['mldsa_vkey']), other: policyBy(log['vkey']), without, forged }
}

async function demandMldsa(
  t: ExecutionContext,
  evidence: Evidence,
  { policy: demanded, other, without, forged }: ReturnType<typeof mldsaPolicy>,
  keys: unknown,
): Promise<void> {
  t.like(await verifyEvidence(forged, { keys, policy: demanded }), { valid: true })
  const { steps } = await verifyEvidence(forged, { keys })
  t.is(steps.find(({ status }) => status === 'failed')?.step, 'checkpoint')
  t.like(await verifyEvidence(evidence, { keys, policy: demanded }), { valid: true })
  t.like(await verifyEvidence(without, { keys, policy: demanded }), { valid: false })
  t.like(await verifyEvidence(without, { keys, policy: other }), { valid: true })
  t.like(await verifyEvidence(without, { keys }), { valid: true })
}

/** Holds that a reader, and the client, take the spellings of strict JSON, and no others. */
async function readSpellings(
  t: ExecutionContext,
  evidence: Evidence,
  keys: unknown,
  read: Reader['read'],
): Promise<void> {
  const folder = await makeTempDir(t)
  const write = async (file: string, bytes: string | Buffer) => {
    await fs.writeFile(path.join(folder, file), bytes)
    return path.join(folder, file)
  }
  const pinned = ['--keys', await write('keys', JSON.stringify(keys))]
  const spellings = spellingsOf(evidence)
  const files = await Promise.all(spellings.map(({ bytes }, index) => write(`${index}`, bytes)))
  const lines = await read(t, files, pinned)
  for (const [index, { name, isSound, bytes }] of spellings.entries()) {
    t.regex(lines[index] ?? '', isSound ? /: proven: ark:/ : /: refused: form: /, name)
    const value = strictJson(bytes)
    const { valid, steps } = await verifyEvidence(value, { keys })
    t.is(
      valid ? '' : steps.find(({ status }) => status === 'failed')?.step,
      isSound ? '' : 'form',
      name,
    )
  }
  const reply = { error: 'not_found', message: 'There is no such work', request_id: 'req_1' }
  const [ofReply] = await read(t, [await write('reply', JSON.stringify(reply))], [])
  t.regex(ofReply ?? '', /: refused: form: .* a server replied, not evidence: not_found$/)
}

/** What the commands read of bytes; undefined for what is not strict JSON. */
function strictJson(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

/** Holds that a reader, and the client, tell whose the witnesses of proven evidence are. */
async function tellWhose(
  t: ExecutionContext,
  evidence: Evidence,
  keys: unknown,
  read: Reader['read'],
): Promise<void> {
  const folder = await makeTempDir(t)
  const write = async (file: string, text: string) => {
    await fs.writeFile(path.join(folder, file), text)
    return path.join(folder, file)
  }
  const own = evidence.policy ?? ''
  const pinned = ['--keys', await write('keys', JSON.stringify(keys))]
  const demanded = ['--policy', await write('policy', own)]
  const cases = [
    ['file', own, [], {}],
    ['file', `${own}# invented\n`, pinned, { keys }],
    ['key_file', own, pinned, { keys }],
    ['given', null, [...pinned, ...demanded], { keys, policy: own }],
    ['none', null, pinned, { keys }],
  ] as const
  for (const [index, [source, fileOwn, args, trust]] of cases.entries()) {
    const environment = index % 2 === 0 ? 'live' : 'sandbox'
    const file = { ...evidence, policy: fileOwn, environment }
    const [line = ''] = await read(t, [await write('file.json', JSON.stringify(file))], args)
    const report = await verifyEvidence(file, trust)
    t.like(report, { valid: true, policy_source: source, environment })
    t.is(line.split('; ')[1], sourceText(report), line)
    t.is(line.includes('the file is of the sandbox'), environment === 'sandbox', line)
  }
}

/**
 * Holds that a reader has the client's reason, which may go on. Of a form the client tells all that
 * is wrong; and of a rotation, how it leads nowhere.
 */
function sameReason(
  t: ExecutionContext,
  way: string,
  line = '',
  { step, reason }: { step?: string; reason?: string } = {},
): void {
  const [, wrong = ''] = / refused: \w+: (.*)$/.exec(line) ?? []
  const known = wrong.replace(/(?<=^the rotations do not follow from the key file: ).*/, '')
  t.not(known, '', way)
  if (step !== 'form') t.is(reason?.slice(0, known.length), known, way)
}

/** Evidence, the same spoiled, and what the client says of it, which all readers are held to. */
async function makeJudged(t: ExecutionContext) {
  const made = await makeEvidence(t)
  const spoiled = spoiledOnes(made.evidence)
  const ofClient = await Promise.all(
    spoiled.map(async ({ value }) => {
      const { steps } = await verifyEvidence(value, { keys: made.keys })
      return steps.find(({ status }) => status === 'failed')
    }),
  )
  return { ...made, spoiled, ofClient }
}

let judged: ReturnType<typeof makeJudged> | undefined

for (const { name, isThere, read, vectors } of [python, go]) {
  const reading = isThere ? test : test.skip
  const why = isThere ? '' : ` (skipped: ${name} or a package of it is not installed)`
  reading(`the reader in ${name} reads all vectors as they want${why}`, async (t) => {
    t.timeout(600_000)
    const [only, ...more] = await vectors()
    t.regex(only ?? '', /^(?:\d{3} vectors|ok .*)$/)
    t.deepEqual(more, [])
  })
  reading(`the reader in ${name} says what the client says of evidence${why}`, async (t) => {
    t.timeout(600_000)
    judged ??= makeJudged(t)
    const { early, first, evidence, again, keys, keysNow, spoiled, ofClient } = await judged
    t.deepEqual(again, evidence)
    const folder = await makeTempDir(t)
    const write = jsonWriter(folder)
    const pinned = await write('keys', keys)
    t.true(spoiled.length >= 640, `${spoiled.length} are spoiled`)
    const names = await Promise.all(
      [first, evidence, ...spoiled.map(({ value }) => value)].map((value, index) =>
        write(`${index}.json`, value),
      ),
    )
    const [ofFirst, ofEvidence, ...ofSpoiled] = await read(t, names, ['--keys', pinned])
    t.regex(ofFirst ?? '', /: proven: ark:/)
    t.regex(ofEvidence ?? '', /: proven: ark:.*; newest at \d+: v1, registered$/)
    const [own] = await read(t, names.slice(1, 2), [])
    t.regex(own ?? '', /: consistent: ark:/)
    await tellWhose(t, evidence, keys, read)
    await readSpellings(t, evidence, keys, read)
    // Keys that were saved after a rotation, for evidence from before it.
    const later = ['--keys', await write('keys-now', keysNow)]
    const old = await read(t, [await write('early.json', early), ...names.slice(0, 2)], later)
    t.true(
      old.every((line) => / proven: ark:/.test(line)),
      old.join('\n'),
    )
    for (const value of [early, first, evidence]) {
      t.like(await verifyEvidence(value, { keys: keysNow }), { valid: true, isTrusted: true })
    }
    const ofMldsa = mldsaPolicy(evidence, keysNow)
    const demand = path.join(folder, 'policy')
    await fs.writeFile(demand, ofMldsa.policy)
    const strict = [names[1] ?? '', await write('without.json', ofMldsa.without)]
    const [lasting, broken] = await read(t, strict, ['--keys', pinned, '--policy', demand])
    t.regex(lasting ?? '', /: proven: ark:/)
    t.regex(broken ?? '', /: refused: checkpoint: /)
    const forged = [await write('forged.json', ofMldsa.forged)]
    t.regex((await read(t, forged, ['--keys', pinned])).join(), /: refused: checkpoint: /)
    await demandMldsa(t, evidence, ofMldsa, keys)
    const stepIn = (line = '') => /: refused: (\w+): /.exec(line)?.[1] ?? line
    const expected = spoiled.map(({ name: way, step }) => `${way}: ${step}`)
    t.deepEqual(
      spoiled.map(({ name: way }, index) => `${way}: ${ofClient[index]?.step}`),
      expected,
    )
    t.deepEqual(
      spoiled.map(({ name: way }, index) => `${way}: ${stepIn(ofSpoiled[index])}`),
      expected,
    )
    for (const [index, { name: way }] of spoiled.entries()) {
      sameReason(t, way, ofSpoiled[index], ofClient[index])
    }
    const times = /\[(\d+), (\d+)\].*; newest at (\d+):/.exec(ofEvidence ?? '')?.slice(1)
    const { proven_time, steps } = await verifyEvidence(evidence, { keys })
    const [asOf] = /(?<=as of )[^,]+/.exec(steps.at(-1)?.reason ?? '') ?? []
    const spelled = times?.map((seconds) => new Date(Number(seconds) * 1_000).toISOString())
    t.deepEqual(spelled, [proven_time.not_before, proven_time.not_after, asOf])
  })
}
