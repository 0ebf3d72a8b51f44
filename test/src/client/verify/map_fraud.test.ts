// Fraud proofs, judged by the client's code and, where there is Python, by the reader in it, which
// share none.

import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { mapFact } from '#actors/works/receipts/statement.ts'
import { judgeFraud, readFact } from '#src/client/verify/map_fraud.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import type { MapFraud, ProvenEntry } from '#src/client/verify/types.ts'
import { packFraud } from '#src/tlog_tools/monitor/map_evidence.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { MappedLog, registry } from '#test/src/client/verify/_mapped_log.ts'
import { keyListOf } from '#test/src/client/verify/_registry.ts'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)'])
const reader = path.join(import.meta.dirname, '../../../../src/verify/python/map_fraud.py')
const list = keyListOf(registry)
const { live: keys } = await parseKeyList(list)

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `ark:/12345/fk4${name}`) as [
  string,
  string,
  string,
  string,
]

/** A log that lies about these ARKs in its last map, or in none. */
function makeLog(lies = true) {
  const log = new MappedLog()
  log.state(a, 'registered', 1)
  log.state(b, 'registered', 1)
  log.addMapLeaf()
  log.state(a, 'registered', 2)
  log.state(b, 'tombstoned', 1)
  log.state(c, 'registered', 1)
  log.state(c, 'content', 1)
  log.add(Buffer.from('no statement'))
  log.addMapLeaf((right) => {
    if (!lies) return right
    const change = (ark: string, changes: object) => {
      const value = right.get(ark)
      if (value !== undefined) right.set(ark, { ...value, ...changes })
    }
    const other = right.get(c)
    if (other !== undefined) right.set(d, { ...other, versionLeaf: 7, newestLeaf: 7 })
    change(a, { version: 1, versionLeaf: 0 })
    change(b, { state: 'registered' })
    right.delete(c)
    return right
  })
  return log
}

function fraudOf(log: MappedLog, ark: string, entry: number | null, leaf = 8): MapFraud {
  const checkpoint = log.checkpoint()
  const proven = (leafIndex: number) => {
    const hashes = log.inclusionProof(leafIndex).map((hash) => Buffer.from(hash, 'hex'))
    const proof = Buffer.concat(hashes).toString('base64')
    return { leaf_index: leafIndex, text: String(log.entries[leafIndex]), proof }
  }
  return {
    format: 'arklog-map-fraud-v1',
    ark,
    checkpoint,
    map_leaf: proven(leaf),
    map_proof: log.prove(ark, checkpoint, leaf).proof,
    entry: entry === null ? null : proven(entry),
  }
}

/** What both readers say of each, in their order. */
async function judged(t: ExecutionContext, frauds: readonly unknown[]): Promise<string[]> {
  const folder = await makeTempDir(t)
  const files = frauds.map((_, nth) => path.join(folder, `${nth}.json`))
  // Packed as a monitor writes them, and as somebody has unpacked them.
  await Promise.all(
    frauds.map((fraud, nth) => {
      const bytes = nth % 2 === 0 ? packFraud(fraud as MapFraud) : JSON.stringify(fraud)
      return fs.writeFile(files[nth] ?? '', bytes)
    }),
  )
  const keyFile = path.join(folder, 'svc-keys.json')
  await fs.writeFile(keyFile, JSON.stringify(list))
  const { stdout } = await run('python3', ['-B', reader, '--keys', keyFile, ...files]).catch(
    (error: unknown) => error as { readonly stdout: string },
  )
  const byPython = stdout.trim().split('\n')
  const verdicts = await Promise.all(frauds.map((fraud) => judgeFraud(fraud, keys)))
  for (const [nth, { proven, reason }] of verdicts.entries()) {
    if (hasPython.status !== 0) continue
    const said = byPython[nth]?.slice(`${files[nth]}: `.length) ?? ''
    t.is(said.startsWith('proven'), proven, `${reason} / ${said}`)
    if (proven) t.is(said, `proven: ${reason}`)
  }
  return verdicts.map(({ proven, reason }) => (proven ? reason : 'nothing'))
}

test('what a map says falsely of an ARK is proven by an entry that it covers', async (t) => {
  const log = makeLog()
  const frauds = [
    fraudOf(log, a, 3),
    fraudOf(log, b, 4),
    fraudOf(log, c, 5),
    fraudOf(log, c, 6),
    fraudOf(log, d, 7),
  ]
  t.deepEqual(await judged(t, frauds), [
    'the map says version 1, and covers 2',
    'the map hides a withdrawal',
    'the map denies an ARK of which it covers a statement',
    'the map denies an ARK of which it covers a statement',
    'entry 7, which the map names for version 1, does not register it',
  ])
  for (const fraud of frauds) t.true(JSON.stringify(fraud).length < 4_096)
})

test('a fraud proof at ten million ARKs has less than 4 kB, whatever it proves', (t) => {
  const log = makeLog()
  const kinds = [fraudOf(log, a, 3), fraudOf(log, b, 4), fraudOf(log, c, 6)]
  // Hashes of nothing weigh as much. A log of 2^25 entries has 25 of them to its root, and the way
  // to an ARK among ten million is 28 long at the most: 26 nodes, and the value.
  const hashes = (count: number, of: string) =>
    Buffer.concat(
      Array.from({ length: count }, (_, at) => createHash('sha256').update(`${of} ${at}`).digest()),
    )
  for (const fraud of kinds) {
    const { map_leaf: leaf, entry } = fraud
    if (entry === null) return t.fail()
    const hash = (of: string) => `"sha256:${hashes(1, of).toString('hex')}"`
    const grown = ({ leaf_index: leafIndex, text, proof }: ProvenEntry): ProvenEntry => ({
      leaf_index: 33_000_000 + leafIndex,
      text: text
        .replace('"content_hash":null', `"content_hash":${hash(`content ${text}`)}`)
        .replace(/"sha256:(?:0a)+"/, hash(`metadata ${text}`))
        .replace(/}$/, `,"witnessed_checkpoint":${hash(`witnessed ${text}`)}}`),
      proof: hashes(25, proof + text).toString('base64'),
    })
    const mapProof = hashes(29, 'map').subarray(0, 885).toString('base64')
    const largest = { ...fraud, map_leaf: grown(leaf), map_proof: mapProof, entry: grown(entry) }
    t.true(JSON.stringify(largest).length > 4_096)
    const { length } = packFraud(largest)
    t.true(length < 3_500, `${length} bytes`)
  }
})

test('nothing is proven against a map that is right, by any entry', async (t) => {
  const log = makeLog(false)
  const indexes = [...log.entries.keys(), null]
  const frauds = [a, b, c, d].flatMap((ark) => indexes.map((entry) => fraudOf(log, ark, entry)))
  const older = [a, b, c].flatMap((ark) => indexes.map((entry) => fraudOf(log, ark, entry, 2)))
  const verdicts = await judged(t, [...frauds, ...older])
  t.deepEqual(new Set(verdicts), new Set(['nothing']))
})

test('a map leaf that is not at its own place, or of another log, proves itself', async (t) => {
  const frauds = [{ covers: 8 }, { covers: 11 }, { origin: 'other.example/log' }].map((changes) => {
    const log = makeLog(false)
    log.addMapLeaf(undefined, changes)
    return { ...fraudOf(log, a, null, 9), map_proof: null }
  })
  t.deepEqual(await judged(t, frauds), [
    'entry 9 says that its map covers 8 entries',
    'entry 9 says that its map covers 11 entries',
    'it is a map leaf of other.example/log',
  ])
  const log = makeLog(false)
  t.deepEqual(await judged(t, [{ ...fraudOf(log, a, null), map_proof: null }]), ['nothing'])
})

test('a value that names what is not covered proves itself', async (t) => {
  const log = makeLog(false)
  log.addMapLeaf((right) => {
    const value = right.get(a)
    if (value !== undefined) right.set(a, { ...value, newestLeaf: 9 })
    return right
  })
  t.deepEqual(await judged(t, [fraudOf(log, a, null, 9)]), [
    'the value names an entry that the map does not cover',
  ])
})

test('a map that has lost ARKs is proven by the map leaf before it', async (t) => {
  const log = makeLog(false)
  const leaf = log.addMapLeaf((right) => {
    right.delete(c)
    return right
  })
  const fraud = { ...fraudOf(log, a, 8, leaf), map_proof: null }
  t.deepEqual(await judged(t, [fraud, { ...fraud, entry: fraudOf(log, a, 2, leaf).entry }]), [
    'the map of entry 9 has 2 ARKs, and had 3 before',
    'nothing',
  ])
})

test('a map leaf that cannot be read proves itself', async (t) => {
  const log = makeLog(false)
  log.add(Buffer.from('arklog-map/v1\nno origin\n'))
  const fraud = { ...fraudOf(log, a, null, 8), map_proof: null }
  const { map_leaf: bad } = fraudOf(log, a, null, 9)
  t.deepEqual(
    await judged(t, [
      { ...fraud, map_leaf: bad },
      { ...fraud, entry: bad },
    ]),
    ['entry 9 is an unreadable map leaf', 'entry 9 is an unreadable map leaf'],
  )
})

test('a map that says that statements contradict each other accuses its log', async (t) => {
  const log = makeLog(false)
  log.state(b, 'registered', 2)
  log.addMapLeaf()
  t.deepEqual(await judged(t, [fraudOf(log, b, null, 10), fraudOf(log, a, null, 10)]), [
    'the map says itself that statements about the ARK contradict each other',
    'nothing',
  ])
})

test('a fraud proof of which anything is changed proves nothing', async (t) => {
  const sound = fraudOf(makeLog(), a, 3)
  const { map_leaf: leaf, entry } = sound
  if (entry === null) return t.fail()
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const changed: unknown[] = [
    { ...sound, more: 1 },
    { ...sound, format: 'arklog-map-fraud-v2' },
    { ...sound, ark: b },
    { ...sound, ark: 5 },
    { ...sound, map_proof: null },
    { ...sound, entry: null },
    { ...sound, entry: { ...entry, leaf_index: 4 } },
    { ...sound, entry: { ...entry, leaf_index: -1 } },
    { ...sound, entry: { ...entry, text: entry.text.replace('"version":2', '"version":3') } },
    { ...sound, entry: { ...entry, proof: '' } },
    { ...sound, entry: { ...entry, proof: entry.proof.slice(4) } },
    { ...sound, map_leaf: { ...leaf, text: leaf.text.replace('\n8\n', '\n9\n') } },
    { ...sound, map_leaf: { ...leaf, text: leaf.text.replace('v1', 'v2') } },
    { ...sound, checkpoint: sound.checkpoint.replace('\n9\n', '\n8\n') },
    null,
    [],
  ]
  for (let at = 0; at < (sound.map_proof ?? '').length; at += 7) {
    changed.push({ ...sound, map_proof: flip(sound.map_proof ?? '', at) })
  }
  for (let at = 0; at < entry.proof.length; at += 13) {
    changed.push({ ...sound, entry: { ...entry, proof: flip(entry.proof, at) } })
  }
  t.deepEqual(new Set(await judged(t, changed)), new Set(['nothing']))
})

test('an entry is a statement for the reader exactly if it is one for the registry', (t) => {
  const log = new MappedLog()
  for (const kind of ['registered', 'content', 'tombstoned']) log.state(a, kind, 1)
  const texts = log.entries.map(String)
  const spoiled = texts.flatMap((text) => [
    text,
    `${text} `,
    text.slice(1),
    text.replace('"version":1', '"version":1.0'),
    text.replace('"version":1', '"version":0'),
    text.replace('"version":1', '"version":9007199254740993'),
    text.replace('"version":1', '"version":1,"version":1'),
    text.replace('"version":1', `"version":1,"witnessed_checkpoint":"sha256:${'0b'.repeat(32)}"`),
    text.replace('"version":1', '"version":1,"witnessed_checkpoint":null'),
    text.replace('"content_hash"', '"by":"operator","content_hash"'),
    text.replace('"content_hash":null', `"content_hash":"sha256:${'0b'.repeat(32)}"`),
    text.replace('"content_hash":null', '"content_hash":"sha256:0b"'),
    text.replace('"receipt_id"', '"reason":"other","receipt_id"'),
    text.replace('rcpt_2026', 'rcpt_x026'),
    text.replace('Z"', '"'),
    text.replace('ark:/', 'ark:'),
    text.replace('fk4a', 'fk4 a'),
    text.replace('fk4a', 'fk4\u00e4'),
    text.replace('Ed25519', 'Ed448'),
    text.replace('"registered"', '"removed"'),
    text.replace('0a0a', '0A0a'),
  ])
  for (const text of spoiled) {
    const fact = mapFact(Buffer.from(text), 7)
    const known = fact && {
      kind: fact.kind,
      ark: fact.ark,
      version: fact.version,
      leafIndex: 7,
    }
    t.deepEqual(readFact({ leaf_index: 7, text }), known, text)
  }
})
