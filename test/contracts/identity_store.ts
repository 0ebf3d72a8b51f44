import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'

import type { Operation } from '#log/store/store.ts'
import { followRows, type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'

/** Two stores that share one: what one commits, the other reads, and is told of. */
export type IdentityStorePair = readonly [IdentityStore, IdentityStore]

/** Gives a fresh pair to a test, and sees to its removal afterwards. */
export type MakePair = (t: ExecutionContext) => Promise<IdentityStorePair>

/** The contract of the IdentityStore port: what every adapter does alike, in every thread. */
export function testIdentityStore(test: TestFn, makePair: MakePair): void {
  testRows(test, makePair)
  testTurns(test, makePair)
  testNamedTurns(test, makePair)
  testFollowing(test, makePair)
  testInterleavings(test, makePair)
}

function testRows(test: TestFn, makePair: MakePair): void {
  test('what one has committed, both read and scan, in order and within bounds', async (t) => {
    const pair = await makePair(t)
    const [one, other] = pair
    await write(one, [putRow('row/b', { n: 2 }), putRow('row/a', { n: 1 }), putRow('rows', {})])
    await write(other, [putRow('row/c', null), { type: 'del', key: 'row/b' }])
    for (const store of pair) {
      t.deepEqual(store.read('row/a'), { n: 1 })
      t.is(store.read('row/b'), undefined)
      t.is(store.read('row/c'), null)
      const [a, c] = [
        ['row/a', { n: 1 }],
        ['row/c', null],
      ]
      t.deepEqual(await rowsOf(store, 'row/'), [a, c])
      t.deepEqual(await rowsOf(store, 'row/', { after: 'row/a' }), [c])
      t.deepEqual(await rowsOf(store, 'row/', { before: 'row/c' }), [a])
      t.deepEqual(await rowsOf(store, 'row/', { reverse: true, limit: 1 }), [c])
    }
  })

  test('both have the same secrets', async (t) => {
    const [one, other] = await makePair(t)
    t.deepEqual(one.deriveKey('csrf'), other.deriveKey('csrf'))
    t.notDeepEqual(one.deriveKey('csrf'), one.deriveKey('password'))
    t.deepEqual(one.hashKey('text'), other.hashKey('text'))
  })

  test('a purge changes nothing for those who read or follow', async (t) => {
    const [one, other] = await makePair(t)
    await write(one, [putRow('row/a', 1), putRow('row/b', 2)])
    await write(one, [{ type: 'del', key: 'row/a' }])
    const told = follow(other, 'row/')
    await other.inTurn(() => other.purge(['row/a', 'row/b']))
    for (const store of [one, other]) t.deepEqual(await rowsOf(store, 'row/'), [['row/b', 2]])
    other.catchUp()
    t.deepEqual(told, [])
  })
}

function testTurns(test: TestFn, makePair: MakePair): void {
  test('changes of both take turns, and one that fails does not hold up the next', async (t) => {
    const [one, other] = await makePair(t)
    const order: string[] = []
    const first = one.inTurn(async () => {
      await nextTurn()
      order.push('first')
      throw new Error('refused')
    })
    const second = one.inTurn(async () => void order.push('second'))
    let running = 0
    const rest = Array.from({ length: 20 }, (_, nth) =>
      (nth % 2 === 0 ? one : other).inTurn(async () => {
        running += 1
        t.is(running, 1)
        await nextTurn()
        running -= 1
        return nth
      }),
    )
    await t.throwsAsync(first, { message: 'refused' })
    await second
    t.deepEqual(await Promise.all(rest), [...rest.keys()])
    t.deepEqual(order, ['first', 'second'])
  })

  test('who has a turn reads, and was told, all that was committed in turns before', async (t) => {
    const pair = await makePair(t)
    const told = pair.map((store) => follow(store, 'count'))
    const adding = Array.from({ length: 40 }, (_, nth) => {
      const store = pair[nth % 2] as IdentityStore
      return store.inTurn(async () => {
        const count = store.read<number>('count') ?? 0
        t.is(told[nth % 2]?.length, count)
        await store.commit([putRow('count', count + 1)])
      })
    })
    await Promise.all(adding)
    for (const store of pair) t.is(store.read('count'), adding.length)
  })
}

function testNamedTurns(test: TestFn, makePair: MakePair): void {
  test('tasks of one name take turns, and those of another do not wait for them', async (t) => {
    const [one, other] = await makePair(t)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const order: string[] = []
    const first = one.inTurnAt('a', async () => {
      await held
      order.push('first')
      throw new Error('refused')
    })
    const second = one.inTurnAt('a', async () => void order.push('second'))
    await other.inTurnAt('b', async () => {
      await other.inTurn(() => other.commit([putRow('row/a', 1)]))
      order.push('another')
    })
    let running = 0
    const rest = Array.from({ length: 20 }, (_, nth) =>
      (nth % 2 === 0 ? one : other).inTurnAt('a', async () => {
        running += 1
        t.is(running, 1)
        await nextTurn()
        running -= 1
        return nth
      }),
    )
    release()
    await t.throwsAsync(first, { message: 'refused' })
    await second
    t.deepEqual(await Promise.all(rest), [...rest.keys()])
    t.deepEqual(order, ['another', 'first', 'second'])
  })
}

function testFollowing(test: TestFn, makePair: MakePair): void {
  test('who follows is told what was put and deleted, before the commit is answered', async (t) => {
    const [one] = await makePair(t)
    await write(one, [putRow('row/before', 0)])
    const told = follow(one, 'row/')
    const again = follow(one, 'row/a')
    await write(one, [putRow('row/a', { n: 1 }), putRow('rows', 2), putRow('ro', 3)])
    t.deepEqual(told.splice(0), [['row/a', { n: 1 }]])
    await write(one, [{ type: 'del', key: 'row/a' }, putRow('row/b', null), putRow('row/b', 4)])
    t.deepEqual(told, [
      ['row/a', undefined],
      ['row/b', null],
      ['row/b', 4],
    ])
    t.deepEqual(again, [
      ['row/a', { n: 1 }],
      ['row/a', undefined],
    ])
  })

  test('who has caught up was told what the other has committed', async (t) => {
    const [one, other] = await makePair(t)
    const told = follow(other, 'row/')
    for (let n = 0; n < 100; n += 1) {
      await write(one, [putRow(`row/${n}`, n)])
      other.catchUp()
      t.deepEqual(told.at(-1), [`row/${n}`, n])
    }
    other.catchUp()
    t.is(told.length, 100)
  })

  test('who begins to follow while others write misses none of it', async (t) => {
    const [one, other] = await makePair(t)
    const seen = new Map<string, unknown>()
    const writing = (async () => {
      for (let n = 0; n < 60; n += 1) {
        await write(one, [putRow(`row/${n % 7}`, n), { type: 'del', key: `row/${(n + 3) % 7}` }])
      }
    })()
    await nextTurn()
    await followRows(other, 'row/', (key, row) => keep(seen, key, row))
    await writing
    other.catchUp()
    t.deepEqual(sorted(seen), await rowsOf(other, 'row/'))
  })
}

/** A commit by one of two, of puts (numbers) and deletes (null) of a few rows. */
const anyWrite = fc.record({
  by: fc.constantFrom(0, 1),
  rows: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(9))), {
    minLength: 1,
    maxLength: 4,
  }),
  isWaitedFor: fc.boolean(),
})

function testInterleavings(test: TestFn, makePair: MakePair): void {
  test('both are told the same, in the same order, in any interleaving', async (t) => {
    const pair = await makePair(t)
    const told = pair.map((store) => follow(store, 'row/'))
    const seen = pair.map(() => new Map<string, unknown>())
    for (const [nth, store] of pair.entries()) {
      await followRows(store, 'row/', (key, row) =>
        keep(seen[nth] as Map<string, unknown>, key, row),
      )
    }
    const property = fc.asyncProperty(fc.array(anyWrite, { maxLength: 12 }), async (writes) => {
      let underWay: Promise<void>[] = []
      const compare = async () => {
        await Promise.all(underWay)
        underWay = []
        for (const [nth, store] of pair.entries()) {
          store.catchUp()
          t.deepEqual(sorted(seen[nth] as Map<string, unknown>), await rowsOf(store, 'row/'))
        }
      }
      for (const { by, rows, isWaitedFor } of writes) {
        underWay.push(write(pair[by], rows.map(operationOf)))
        if (isWaitedFor) await compare()
      }
      await compare()
      t.deepEqual(told[0], told[1])
    })
    await fc.assert(property, { numRuns: 30 })
  })
}

function operationOf([key, value]: readonly [string, number | null]): Operation {
  return value === null ? { type: 'del', key: `row/${key}` } : putRow(`row/${key}`, value)
}

function write(store: IdentityStore, operations: readonly Operation[]): Promise<void> {
  return store.inTurn(() => store.commit(operations))
}

function follow(store: IdentityStore, prefix: string): (readonly [key: string, row: unknown])[] {
  const told: (readonly [string, unknown])[] = []
  store.follow(prefix, (key, row) => void told.push([key, row]))
  return told
}

function keep(rows: Map<string, unknown>, key: string, row: unknown): void {
  if (row === undefined) rows.delete(key)
  else rows.set(key, row)
}

function sorted(rows: ReadonlyMap<string, unknown>): unknown[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function rowsOf(store: IdentityStore, ...wanted: Parameters<IdentityStore['scan']>) {
  const rows: unknown[] = []
  for await (const row of store.scan(...wanted)) rows.push(row)
  return rows
}
