import { setImmediate } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'

import { type EnvironmentOptions, environmentLimits } from '#actors/registry/environment.ts'
import { startEnvironment } from '#actors/registry/open_environment.ts'
import {
  parseEntry,
  receiptKeyId,
  type ReceiptSigner,
  type SignedStatement,
} from '#actors/works/receipts/statement.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { admin, makeRegistry, register, tickSigner } from '#test/actors/_environment.ts'
import { FaultyStore } from '#test/contracts/_faulty_store.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const signers = [tickSigner(2), tickSigner(3), tickSigner(4)] as const
const [first, second, third] = signers

/** A registry that has all three keys, and signs with the one that the log names. */
function makeRotating(t: ExecutionContext, changes: Partial<EnvironmentOptions> = {}) {
  const receiptSigner = (publicKey = first.publicKey) => {
    const signer = signers.find((known) => known.publicKey === publicKey)
    if (signer === undefined) throw new Error(`there is no key ${publicKey}`)
    return signer
  }
  return makeRegistry(t, { ...changes, receiptSigner })
}

function statementsOf(log: LogReader): SignedStatement[] {
  return Array.from({ length: log.head().treeSize }, (_, leafIndex) => {
    const signed = parseEntry(log.entry(leafIndex))
    if ('type' in signed) throw new Error(signed.reason)
    return signed
  })
}

test('the old key announces the new one, which signs from then on', async (t) => {
  const registry = await makeRotating(t)
  const environment = await registry.open()
  const { receiptKeys, log } = environment
  t.deepEqual(receiptKeys.list(), [
    { public_key: first.publicKey, valid_from: null, valid_until: null },
  ])
  await register(environment, 'Before')
  const answer = await receiptKeys.rotate(second, admin)
  if (answer.type !== 'rotated') return t.fail(answer.type)
  t.is(answer.leafIndex, 1)
  t.is(receiptKeys.publicKey, second.publicKey)
  await register(environment, 'After')
  const [before, rotation, after] = statementsOf(log)
  t.is(before?.signature.public_key, first.publicKey)
  t.deepEqual(rotation?.statement, {
    statement: 'key_rotated',
    old_key_id: receiptKeyId(first.publicKey),
    new_key_id: receiptKeyId(second.publicKey),
    new_public_key: second.publicKey,
    timestamp: answer.at,
  })
  t.deepEqual(receiptKeys.rotations(), [1])
  t.is(rotation?.signature.public_key, first.publicKey)
  t.is(after?.signature.public_key, second.publicKey)
  t.true((before?.statement.timestamp ?? '~') < answer.at)
  t.true((after?.statement.timestamp ?? '') >= answer.at)
  t.deepEqual(receiptKeys.list(), [
    { public_key: first.publicKey, valid_from: null, valid_until: answer.at },
    { public_key: second.publicKey, valid_from: answer.at, valid_until: null },
  ])
  const { body: changes } = await environment.catalogue.changes({ cursor: 1, limit: 1 })
  t.like(JSON.parse(Buffer.from(changes).toString()).changes[0], {
    seq: 2,
    type: 'receipt_key.rotated',
    at: answer.at,
    source: { type: 'operator', id: 'operator', name: 'Operator', via: 'cli' },
    new_key_id: receiptKeyId(second.publicKey),
  })
  await environment.close()

  const again = await registry.open()
  t.is(again.receiptKeys.publicKey, second.publicKey)
  await again.receiptKeys.rotate(third, admin)
  t.deepEqual(again.receiptKeys.rotations(), [1, 3])
  t.deepEqual(
    again.receiptKeys.list().map(({ public_key }) => public_key),
    signers.map(({ publicKey }) => publicKey),
  )
  await again.close()
})

/** What each key has signed is logged, and dated, within its time. */
function assertOrder(t: ExecutionContext, log: LogReader): void {
  let inUse = 0
  let newestAt = ''
  for (const { statement, signature } of statementsOf(log)) {
    t.is(signature.public_key, signers[inUse]?.publicKey ?? 'no key')
    const isRotation = statement.statement === 'key_rotated'
    const { timestamp } = statement
    t.true(isRotation ? timestamp > newestAt : timestamp >= newestAt, timestamp)
    newestAt = timestamp
    if (isRotation) inUse += 1
  }
  t.is(inUse, 2)
}

const seeds = 8
const clocks = { runs: () => Date.now(), 'stands still': () => 1_800_000_000_000 }

/** Turns of the event loop that a thread takes to sign, at most. */
const signingTurnsMax = 6

/** Takes a while, each time another one: what is asked for first may be signed last. */
function slowly(signer: ReceiptSigner, random: () => number): ReceiptSigner {
  return {
    publicKey: signer.publicKey,
    async sign(message) {
      for (let turns = random() * signingTurnsMax; turns > 1; turns -= 1) await setImmediate()
      return signer.sign(message)
    },
  }
}

for (const [name, systemMs] of Object.entries(clocks)) {
  test(`what is signed during rotations is in time, by a clock that ${name}`, async (t) => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = seededRandom(seed)
      const registry = await makeRotating(t, { systemMs })
      const [one, two, three] = signers.map((signer) => slowly(signer, random))
      const options = { ...registry.options, receiptSigner: () => one ?? first }
      const environment = await startEnvironment(openMemoryStore(registry.disk), options)
      const works: Promise<unknown>[] = []
      const registerSome = async (part: string) => {
        for (let index = 0; index < 20; index += 1) {
          works.push(register(environment, `${part} ${seed} ${works.length}`))
          if (random() < 0.3) await setImmediate()
        }
      }
      for (const next of [two, three]) {
        await registerSome('before')
        const rotation = environment.receiptKeys.rotate(next ?? first, admin)
        await registerSome('meanwhile')
        t.like(await rotation, { type: 'rotated' }, `seed ${seed}`)
      }
      await Promise.all(works)
      t.is(environment.status().treeSize, 4 * 20 + 2)
      assertOrder(t, environment.log)
      await environment.close()
    }
  })
}

test('a rotation that finds no room changes nothing, and signing goes on', async (t) => {
  const limits = { ...environmentLimits, poolEntriesMax: 0 }
  const environment = await (await makeRotating(t, { limits })).open()
  t.deepEqual(await environment.receiptKeys.rotate(second, admin), {
    type: 'overloaded',
    message: 'too many writes are waiting',
  })
  t.is(environment.receiptKeys.publicKey, first.publicKey)
  // The works' actors got as far as signing: it is the sequencer that refuses them as well.
  await t.throwsAsync(register(environment, 'Refused'), { message: 'too many writes are waiting' })
  await environment.close()
})

for (const [outcome, expected] of [
  ['lost', first],
  ['kept', second],
] as const) {
  test(`a rotation that fails and is ${outcome} ends the process`, async (t) => {
    const registry = await makeRotating(t)
    await (await registry.open()).close()
    const fault = { operation: 'commit', nth: 1, outcome } as const
    const environment = await registry.open(new FaultyStore(openMemoryStore(registry.disk), fault))
    await t.throwsAsync(environment.receiptKeys.rotate(second, admin), {
      message: 'the outcome of a write is unknown',
    })
    t.is(registry.fatal.length, 1)
    // Until the end nothing more is signed, with either key.
    await t.throwsAsync(register(environment, 'Too late'), { code: 'lost' })
    await environment.close()

    const again = await registry.open()
    t.is(again.receiptKeys.publicKey, expected.publicKey)
    await register(again, 'Signed again')
    const newest = statementsOf(again.log).at(-1)
    t.is(newest?.signature.public_key, expected.publicKey)
    await again.close()
  })
}

test('a registry that lacks the key which the log names does not open', async (t) => {
  const registry = await makeRotating(t)
  const environment = await registry.open()
  await environment.receiptKeys.rotate(tickSigner(9), admin)
  await environment.close()
  await t.throwsAsync(registry.open(), { message: /^there is no key [0-9a-f]{64}$/ })
})
