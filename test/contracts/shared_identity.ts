import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionContext, TestFn } from 'ava'
import fc from 'fast-check'

import { type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'

/** One of several stores that share their rows; `caughtUp` as `OpenedIdentityStore` has it. */
export type SharingStore = { readonly store: IdentityStore; caughtUp(): Promise<void> }

/** Gives a test two or more that share, and sees to their removal afterwards. */
export type MakeSharing = (t: ExecutionContext) => Promise<readonly SharingStore[]>

/**
 * The contract of identity stores that share their rows, be it threads of one node or nodes of a
 * cluster: what one has changed all have, and of all that want the same thing one gets it.
 */
export function testSharedIdentity(test: TestFn, make: MakeSharing): void {
  testChanges(test, make)
  testSingleUse(test, make)
  testAppends(test, make)
  testInterleavings(test, make)
}

function testChanges(test: TestFn, make: MakeSharing): void {
  test('what any has changed all read, and are told of in the same order', async (t) => {
    const all = await make(t)
    const told = all.map(({ store }) => follow(store, 'row/'))
    for (const [nth, { store }] of all.entries()) {
      await store.inTurn(() => store.commit([putRow('row/a', nth), putRow(`row/${nth}`, 'here')]))
    }
    await at(all, 0).inTurn(() => at(all, 0).commit([{ type: 'del', key: 'row/1' }]))
    for (const [nth, each] of all.entries()) {
      await each.caughtUp()
      t.is(each.store.read('row/a'), all.length - 1)
      t.is(each.store.read('row/0'), 'here')
      t.is(each.store.read('row/1'), undefined)
      t.deepEqual(told[nth], told[0])
    }
    t.is(told[0]?.length, 2 * all.length + 1)
  })

  test('a change of three mebibytes is there whole, or not at all', async (t) => {
    const all = await make(t)
    const [one, other] = [at(all, 0), at(all, 1)]
    const rows = Array.from({ length: 3_000 }, (_, nth) => putRow(`long/${nth}`, 'é'.repeat(500)))
    const seen = new Set<number>()
    let counted = 0
    other.follow('long/', () => (counted += 1))
    const long = one.inTurn(() => one.commit(rows))
    const short = other.inTurn(() => other.commit([putRow('short', 1)]))
    const over = Promise.all([long, short]).then(() => true)
    while (!(await Promise.race([over, nextTurn(false)]))) {
      other.catchUp()
      seen.add(counted)
    }
    await Promise.all(all.map((each) => each.caughtUp()))
    seen.add(counted)
    t.true([...seen].every((count) => count === 0 || count === rows.length))
    for (const { store: each } of all) {
      t.is((await rowsOf(each, 'long/')).length, rows.length)
      t.is(each.read('short'), 1)
    }
  })

  test('a purge changes nothing for those who read', async (t) => {
    const all = await make(t)
    const [one, other] = [at(all, 0), at(all, 1)]
    await one.inTurn(() => one.commit([putRow('row/a', 1), putRow('row/b', 2)]))
    await other.inTurn(async () => {
      await other.commit([{ type: 'del', key: 'row/a' }])
      await other.purge(['row/a', 'row/b'])
    })
    for (const each of all) {
      await each.caughtUp()
      t.deepEqual(await rowsOf(each.store, 'row/'), [['row/b', 2]])
    }
  })
}

function testSingleUse(test: TestFn, make: MakeSharing): void {
  test('of all who use a thing at once, one does', async (t) => {
    const all = await make(t)
    for (let round = 0; round < 8; round += 1) {
      const key = `thing/${round}`
      await at(all, 0).inTurn(() => at(all, 0).commit([putRow(key, 'good')]))
      const outcomes = await Promise.all(all.flatMap((each) => [use(each, key), use(each, key)]))
      t.is(outcomes.filter((isUsed) => isUsed).length, 1, outcomes.join(' '))
    }
  })

  test('of all who want a name at once, one has it, and the others are told so', async (t) => {
    const all = await make(t)
    for (let round = 0; round < 8; round += 1) {
      const key = `name/${round}`
      const holders = await Promise.all(all.map(({ store: each }, nth) => take(each, key, nth)))
      t.is(new Set(holders).size, 1, holders.join(' '))
      await at(all, 1).inTurn(async () => t.is(at(all, 1).read(key), holders[0]))
    }
  })

  test('whoever refuses does so on all that was acknowledged before', async (t) => {
    const all = await make(t)
    for (let round = 0; round < 12; round += 1) {
      const [one, other] = [at(all, round % all.length), at(all, (round + 1) % all.length)]
      await one.inTurn(() => one.commit([putRow('newest', round)]))
      // No commit: the answer alone has to be of now.
      t.is(await other.inTurn(async () => other.read('newest')), round)
    }
  })

  test('a change that fails is not made, and holds up nobody', async (t) => {
    const all = await make(t)
    const failing = all.map(({ store: each }) => {
      return each.inTurn(async () => {
        await nextTurn()
        throw new Error('refused')
      })
    })
    for (const outcome of failing) await t.throwsAsync(outcome, { message: 'refused' })
    await Promise.all(all.map(({ store: each }) => add(each, 'count')))
    for (const each of all) {
      await each.caughtUp()
      t.is(each.store.read('count'), all.length)
    }
  })
}

function testAppends(test: TestFn, make: MakeSharing): void {
  test('what is appended goes beside turns, and neither loses anything', async (t) => {
    const all = await make(t)
    const appending = all.flatMap(({ store: each }, nth) => {
      return Array.from({ length: 30 }, (_, n) => each.append([putRow(`note/${nth}/${n}`, n)]))
    })
    const adding = all.flatMap(({ store: each }) => {
      return Array.from({ length: 5 }, () => add(each, 'count'))
    })
    await Promise.all([...appending, ...adding])
    for (const each of all) {
      await each.caughtUp()
      t.is(each.store.read('count'), adding.length)
      t.is((await rowsOf(each.store, 'note/')).length, appending.length)
    }
  })
}

/** What one of several does: adds to a count, uses a thing up, appends, or looks. */
const anyStep = fc.record({
  by: fc.nat(2),
  what: fc.constantFrom('add', 'use', 'append', 'look' as const),
  thing: fc.constantFrom('a', 'b', 'c'),
  isWaitedFor: fc.boolean(),
})

function testInterleavings(test: TestFn, make: MakeSharing): void {
  test('in any interleaving all end with the same rows, and nothing is done twice', async (t) => {
    const all = await make(t)
    let begun = 0
    const property = fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
      const round = (begun += 1)
      const things = ['a', 'b', 'c'].map((thing) => putRow(`${round}/${thing}`, 'good'))
      await at(all, 0).inTurn(() => at(all, 0).commit(things))
      const used: string[] = []
      let added = 0
      let underWay: Promise<unknown>[] = []
      for (const [nth, { by, what, thing, isWaitedFor }] of steps.entries()) {
        const each = all[by % all.length] as SharingStore
        const key = `${round}/${thing}`
        if (what === 'add') {
          added += 1
          underWay.push(add(each.store, `${round}/count`))
        } else if (what === 'use') {
          underWay.push(use(each, key).then((isUsed) => isUsed && used.push(thing)))
        } else if (what === 'append') {
          underWay.push(each.store.append([putRow(`${round}/note/${nth}`, nth)]))
        } else underWay.push(each.store.inTurn(async () => each.store.read(key)))
        if (isWaitedFor) await Promise.all(underWay.splice(0))
      }
      await Promise.all(underWay)
      underWay = []
      t.is(used.length, new Set(used).size)
      await Promise.all(all.map((each) => each.caughtUp()))
      const rows = await Promise.all(all.map((each) => rowsOf(each.store, `${round}/`)))
      for (const own of rows) t.deepEqual(own, rows[0])
      t.is(at(all, 0).read(`${round}/count`), added === 0 ? undefined : added)
    })
    await fc.assert(property, { numRuns: 15 })
  })
}

function at(all: readonly SharingStore[], nth: number): IdentityStore {
  const found = all[nth]
  if (found === undefined) throw new Error(`there is no store ${nth}`)
  return found.store
}

function add(to: IdentityStore, key: string): Promise<void> {
  return to.inTurn(async () => {
    const count = to.read<number>(key) ?? 0
    await nextTurn()
    await to.commit([putRow(key, count + 1)])
  })
}

/** True: it was good, and is used up by this. */
function use({ store }: SharingStore, key: string): Promise<boolean> {
  return store.inTurn(async () => {
    if (store.read(key) === undefined) return false
    await nextTurn()
    await store.commit([{ type: 'del', key }])
    return true
  })
}

/** Gives who has the name afterwards. */
function take(store: IdentityStore, key: string, holder: number): Promise<number> {
  return store.inTurn(async () => {
    const known = store.read<number>(key)
    if (known !== undefined) return known
    await store.commit([putRow(key, holder)])
    return holder
  })
}

function follow(store: IdentityStore, prefix: string): (readonly [key: string, row: unknown])[] {
  const told: (readonly [string, unknown])[] = []
  store.follow(prefix, (key, row) => void told.push([key, row]))
  return told
}

async function rowsOf(store: IdentityStore, prefix: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of store.scan(prefix)) rows.push(row)
  return rows
}
