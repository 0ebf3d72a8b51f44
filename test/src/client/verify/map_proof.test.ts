// The verifier of map proofs, beside the log's own: what either accepts, the other accepts.

import test from 'ava'
import fc from 'fast-check'

import { checkMapProof as checkByLog, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import {
  emptyNode,
  hashEntries,
  mapInnerHash,
  mapKey,
  type MapEntry,
  pathTo,
} from '#log/tlog/map/map_tree.ts'
import { encodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { decodeMapValue, encodeMapValue, type MapValue } from '#log/tlog/map/map_value.ts'
import { LogError } from '#log/tlog/errors.ts'
import { sha256 } from '#log/tlog/hash.ts'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { checkMapProof, parseMapLeaf, parseMapValue } from '#src/client/verify/map_proof.js'
import { toHex } from '#test/log/_vectors.ts'
import jmt from '#test/vectors/map/jmt.json' with { type: 'json' }

const arkOf = (name: string) => `ark:/99999/fk4${name}`

/** The value of key number `i` of the vectors (test/vectors/map/README.md). */
function valueOf(i: number, version: number): MapValue {
  return {
    state: i % 7 === 6 ? 'tombstoned' : 'registered',
    version,
    versionLeaf: 3 * i,
    newestLeaf: 3 * i + version,
    statements: version + 1,
    history: sha256(Buffer.from(`history ${i} ${version}`)),
  }
}

/** The maps of the vectors, after each of their batches. */
function* mapsOfVectors(): Generator<MapEntry[]> {
  const values = new Map<number, MapValue>()
  for (let batch = 0; batch < 20; batch += 1) {
    for (let i = 0; i < 150 * (batch + 1); i += 1) {
      const isNew = i >= 150 * batch
      if (isNew || (i + batch) % 5 === 0) values.set(i, valueOf(i, isNew ? 1 : batch + 1))
    }
    yield [...values]
      .map(([i, value]) => ({ key: mapKey(arkOf(`${i}`)), value: encodeMapValue(value) }))
      .toSorted((a, b) => Buffer.compare(a.key, b.key))
  }
}

const maps = [...mapsOfVectors()]
const newest = maps.at(-1) ?? []
const { hash: root } = hashEntries(newest)
const rootHash = new Uint8Array(root)
const known = new Map(newest.map(({ key, value }) => [toHex(key), toHex(value)]))

// Each byte that a key can begin with is that of several: the first 8 nodes of a way are kept.
const buckets = Array.from({ length: 256 }, (_, byte) =>
  newest.filter(({ key }) => key[0] === byte),
)
const tops = [buckets.map((entries) => hashEntries(entries, 8))]
for (let [below = []] = tops; below.length > 1; [below = []] = tops) {
  const pairs = below.filter((_, at) => at % 2 === 0).map((left, at) => [left, below[2 * at + 1]])
  tops.unshift(
    pairs.map(([left = emptyNode, right = emptyNode]) => {
      return { kind: 'inner', hash: mapInnerHash(left.hash, right.hash) }
    }),
  )
}

function prove(ark: string): Uint8Array<ArrayBuffer> {
  const key = mapKey(ark)
  const first = key[0] ?? 0
  const above = tops.slice(1).map((nodes, at) => nodes[(first >> (7 - at)) ^ 1] ?? emptyNode)
  const { siblings, entry } = pathTo(key, buckets[first] ?? [], 8)
  return new Uint8Array(encodeMapProof(key, { siblings: [...above, ...siblings], entry }))
}

/** What the two verifiers find: the value in hex, `absent`, or `refused`. */
async function findings(ark: string, proof: Uint8Array<ArrayBuffer>): Promise<string[]> {
  return [
    await judged(async () => {
      const value = await checkMapProof(ark, proof, rootHash)
      return value && toHex(encodeMapValue(value))
    }),
    await judged(async () => {
      const value = checkByLog(proof, mapKey(ark), root)
      return value && toHex(value)
    }),
  ]
}

async function judged(find: () => Promise<string | undefined>): Promise<string> {
  try {
    return (await find()) ?? 'absent'
  } catch (error) {
    if (error instanceof EvidenceError || error instanceof LogError) return 'refused'
    throw error
  }
}

test('maps have the roots that jmt gives', (t) => {
  t.deepEqual(
    maps.map((entries) => toHex(hashEntries(entries).hash)),
    jmt.roots,
  )
})

test('proofs of what is there and of what is not are those of jmt, and hold', async (t) => {
  for (const [names, digests] of [
    [(nth: number) => `${nth}`, jmt.present],
    [(nth: number) => `x${nth}`, jmt.absent],
  ] as const) {
    t.is(digests.length, 1_000)
    for (const [nth, digest] of digests.entries()) {
      const ark = arkOf(names(nth))
      const proof = prove(ark)
      t.is(toHex(sha256(proof)).slice(0, 32), digest, ark)
      const right = known.get(toHex(mapKey(ark))) ?? 'absent'
      t.deepEqual(await findings(ark, proof), [right, right], ark)
    }
  }
})

test('2,000 altered proofs, which jmt refuses, are refused', async (t) => {
  t.is(jmt.altered.length, 2_000)
  for (const [nth, [at = 0, mask = 0]] of jmt.altered.entries()) {
    const ark = arkOf(nth < 1_000 ? `${nth}` : `x${nth - 1_000}`)
    const proof = prove(ark)
    proof[at] = (proof[at] ?? 0) ^ mask
    t.deepEqual(await findings(ark, proof), ['refused', 'refused'], `${ark} ${at} ${mask}`)
  }
})

test('a proof that is cut, longer, of another kind or of another ARK proves nothing', async (t) => {
  const cases = fc.record({
    name: fc.integer({ min: 0, max: 3_500 }),
    cut: fc.integer({ min: 0, max: 600 }),
    more: fc.uint8Array({ maxLength: 3 }),
    kind: fc.integer({ min: 0, max: 4 }),
    depth: fc.integer({ min: 0, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ name, cut, more, kind, depth }) => {
      const ark = arkOf(`${name}`)
      const sound = prove(ark)
      const altered = [
        sound.slice(0, Math.min(cut, sound.length - 1)),
        new Uint8Array(Buffer.concat([sound, more, Buffer.of(0)])),
        new Uint8Array([kind === sound[0] ? 9 : kind, ...sound.subarray(1)]),
        new Uint8Array([kind, depth === sound[1] ? 200 : depth, ...sound.subarray(2)]),
      ]
      for (const proof of altered) t.deepEqual(await findings(ark, proof), ['refused', 'refused'])
      // What is empty is so for each key that leads there.
      const [byClient, byLog] = await findings(arkOf(`${name} `), sound)
      t.is(byClient, byLog)
      t.true(sound[0] === 2 || byClient === 'refused' || (sound[0] === 1 && byClient === 'absent'))
    }),
    { numRuns: 100 },
  )
})

test('an empty map and one of a single key prove what they have', async (t) => {
  const nothing = new Uint8Array(hashEntries([]).hash)
  t.is(await checkMapProof(arkOf('1'), Uint8Array.of(2, 0), nothing), undefined)
  const [one] = maps[0] ?? []
  if (one === undefined) return t.fail()
  const alone = new Uint8Array(hashEntries([one]).hash)
  const proof = (key: Uint8Array) => new Uint8Array(encodeMapProof(key, pathTo(key, [one])))
  const key = mapKey(arkOf('none'))
  t.is(await checkMapProof(arkOf('none'), proof(key), alone), undefined)
  t.is(toHex(checkByLog(proof(one.key), one.key, alone) ?? key), toHex(one.value))
})

test('a value and a map leaf are read as the log writes them, and nothing else is', (t) => {
  const value = { ...valueOf(6, 3), versionLeaf: 2 ** 48 - 1, newestLeaf: 2 ** 33 + 5 }
  const bytes = encodeMapValue(value)
  const read = parseMapValue(new Uint8Array(bytes))
  t.deepEqual(
    { ...read, history: toHex(read.history) },
    { ...value, history: toHex(value.history) },
  )
  for (let at = 0; at < 2; at += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      const other = new Uint8Array(bytes)
      other[at] = byte
      const isRead = decodeMapValue(other) !== undefined
      if (isRead) t.notThrows(() => parseMapValue(other))
      else t.throws(() => parseMapValue(other), { code: 'malformed_map' })
    }
  }
  t.throws(() => parseMapValue(bytes.subarray(1)), { code: 'malformed_map' })

  const leaf = { origin: 'registry.example/log', covers: 1_234, keys: 567, rootHash }
  const text = Buffer.from(encodeMapLeaf(leaf)).toString()
  t.deepEqual(parseMapLeaf(text), leaf)
  const others = [
    text.slice(0, -1),
    `${text}\n`,
    text.replace('v1', 'v2'),
    text.replace('1234', '01234'),
    text.replace('567', ''),
    text.replace('registry.example/log', 'a b'),
    text.replace(/=\n$/, '\n'),
  ]
  for (const other of others) t.throws(() => parseMapLeaf(other), { code: 'malformed_map' }, other)
})
