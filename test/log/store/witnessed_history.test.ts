import test from 'ava'

import { audit } from '#log/store/audit.ts'
import { checkWitnessed } from '#log/store/guard.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import {
  type Cosigned,
  type CosignedHead,
  cosignedRows,
  readCosigned,
  uncosigned,
} from '#log/store/witnessed_history.ts'
import { del, growLog, origin, put, verifier } from '#test/log/_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { checkpointOf, cosign, testWitness } from '#test/log/_witnesses.ts'
import { toHex } from '#test/log/_vectors.ts'

const sizes = [1, 2, 5, 255, 256, 257, 400]
const witnesses = [testWitness(1)]

/** Keeps the checkpoint of a size as one that has reached the quorum of the policy `p1`. */
async function witness(store: Store, log: LogReader, treeSize: number, policy = 'p1') {
  const checkpoint = cosign(log.checkpointAt(treeSize) ?? '', witnesses)
  const head: CosignedHead = { treeSize, checkpoint }
  const known = log.cosigned()
  const first = known.policy === policy ? known.first : known.count
  const next: Cosigned = { ...known, count: known.count + 1, first, policy, witnessed: head }
  await store.commit(cosignedRows(next, head))
  log.publishCosigned(next)
  return head
}

test('a leaf is proven by the oldest witnessed checkpoint that covers it', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  t.is(log.provingHead(0), log.head())
  const kept = []
  for (const size of [2, 5, 256, 257]) kept.push(await witness(store, log, size))
  const [ofTwo, ofFive, of256, of257] = kept
  for (const [leafIndex, head] of [
    [0, ofTwo],
    [1, ofTwo],
    [2, ofFive],
    [4, ofFive],
    [5, of256],
    [255, of256],
    [256, of257],
  ] as const) {
    const proving = log.provingHead(leafIndex)
    t.is(proving.checkpoint, head?.checkpoint ?? '', `leaf ${leafIndex}`)
    t.is(log.provingHead(leafIndex), proving)
    const { treeSize, rootHash } = proving
    const proof = log.inclusion(leafIndex, treeSize)
    checkInclusion({
      leafHash: leafHash(log.entry(leafIndex)),
      leafIndex,
      treeSize,
      proof,
      rootHash,
    })
    t.deepEqual(log.inclusionTexts(leafIndex, treeSize), proof.map(toHex))
  }
  t.is(log.provingHead(257), log.head())
})

test('what is known is read again at a start, but for what no quorum signed', async (t) => {
  const dir = await makeTempDir(t)
  const store = await openLevelStore(dir, { create: true })
  const log = await growLog(store, sizes)
  t.deepEqual(readCosigned(store), uncosigned)
  const head = await witness(store, log, 256)
  const marks = [{ vkey: 'w', treeSize: 256, timestamp: 7 }]
  const next = { ...log.cosigned(), latest: head, witnesses: marks }
  await store.commit(cosignedRows(next, undefined))
  await store.close()
  const again = await openLevelStore(dir, { create: false })
  t.teardown(() => again.close())
  t.deepEqual(readCosigned(again), { ...next, latest: undefined })
  const reader = new LogReader(again, log.head())
  t.is(reader.provingHead(0).checkpoint, head.checkpoint)
})

test('with a new policy a leaf is proven by what that demands, once there is one', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  const older = [await witness(store, log, 2), await witness(store, log, 5)]
  t.is(log.provingHead(0).checkpoint, older[0]?.checkpoint ?? '')
  log.publishCosigned({ ...log.cosigned(), policy: 'p2', first: 2 })
  t.is(log.provingHead(4).checkpoint, older[1]?.checkpoint ?? '')
  const newer = await witness(store, log, 256, 'p2')
  for (const leafIndex of [0, 4, 255]) {
    t.is(log.provingHead(leafIndex).checkpoint, newer.checkpoint)
  }
  t.is(log.provingHead(256), log.head())
})

test('the newest checkpoint is shown with its cosignatures', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  const latest = { treeSize: 400, checkpoint: cosign(log.head().checkpoint, witnesses) }
  log.publishCosigned({ ...uncosigned, latest })
  t.is(log.newestCheckpoint(), latest)
  log.publishCosigned({ ...uncosigned, latest: { ...latest, treeSize: 257 } })
  t.is(log.newestCheckpoint().checkpoint, log.head().checkpoint)
})

test('a witnessed checkpoint that is missing is damage of the store', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  await witness(store, log, 5)
  await store.commit([del('witnessed/000000000000')])
  const reader = new LogReader(store, log.head())
  t.throws(() => reader.provingHead(0), { code: 'store_corrupt' })
})

test('a log that is shorter than what witnesses signed, or another, is not opened', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  const head = await witness(store, log, 257)
  t.notThrows(() => checkWitnessed(log))
  const known = log.cosigned()
  const longer = { ...known, witnessed: { ...head, treeSize: 401 } }
  t.throws(() => checkWitnessed(new LogReader(store, log.head(), longer)), {
    code: 'log_rolled_back',
    message: /^the store holds 400 entries, but witnesses have signed a checkpoint of 401, /,
  })
  const other = { ...known, witnessed: { ...head, treeSize: 256 } }
  t.throws(() => checkWitnessed(new LogReader(store, log.head(), other)), {
    code: 'log_inconsistent',
    message: /^the store has another root for 256 entries than the checkpoint that witnesses /,
  })
})

test('among many witnessed checkpoints the right one is found', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const grown = Array.from({ length: 300 }, (_, index) => 3 * index + 1)
  const log = await growLog(store, grown)
  for (const size of grown) await witness(store, log, size)
  const fresh = new LogReader(store, log.head(), log.cosigned())
  for (let leafIndex = 0; leafIndex < 898; leafIndex += 1) {
    t.is(fresh.provingHead(leafIndex).treeSize, 3 * Math.ceil(leafIndex / 3) + 1)
  }
})

test('an audit finds a witnessed checkpoint that is not one of the log', async (t) => {
  const store = await openLevelStore(await makeTempDir(t), { create: true })
  t.teardown(() => store.close())
  const log = await growLog(store, sizes)
  for (const size of [2, 5, 256]) await witness(store, log, size)
  const options = { origin, verifier }
  t.deepEqual((await audit(store, options)).problems, [])
  const [head] = [log.provingHead(2)]
  await store.commit([put('witnessed/000000000002', head.checkpoint.replace('\n5\n', '\n6\n'))])
  await store.commit([put('witnessed/000000000000', checkpointOf(256))])
  t.deepEqual((await audit(store, options)).problems, [
    'witnessed checkpoint 1: it is smaller than the one before it',
    'witnessed checkpoint 2: the signature of log.example/test is wrong',
  ])
})
