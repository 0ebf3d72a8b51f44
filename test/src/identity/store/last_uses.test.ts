import test, { type ExecutionContext } from 'ava'

import { formatTimestamp } from '#actors/values/clock.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { AuditNotes, LastUses } from '#src/identity/store/last_uses.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

type Use = { readonly at: string; readonly by: string }

const owner = { type: 'person', id: 'p1' } as const
const startMs = Date.parse('2026-01-01T00:00:00.000Z')

async function open(t: ExecutionContext) {
  const store = await (await identityFixture(t)).open()
  const audit = new AuditLog(store)
  const gone = new Set<string>()
  const reported: unknown[] = []
  const fault: { error: Error | undefined } = { error: undefined }
  let commits = 0
  const uses = new LastUses<Use>({
    store: {
      isShared: false,
      inTurn: (change) => store.inTurn(change),
      commit(rows) {
        commits += 1
        return fault.error === undefined ? store.commit(rows) : Promise.reject(fault.error)
      },
    },
    notes: new AuditNotes(audit, 'grant_id'),
    report: (error) => reported.push(error),
    written: (id) => store.read<Use>(`use/${id}`),
    rowOf: (id, use) => (gone.has(id) ? undefined : putRow(`use/${id}`, use)),
  })
  const note = (id: string, by: string, afterMs = 0) =>
    uses.note(id, startMs + afterMs, () => {
      const at = formatTimestamp(startMs + afterMs)
      return { use: { at, by }, entry: { owner, at, grant_id: id, action: 'used' } }
    })
  return {
    store,
    fault,
    uses,
    gone,
    reported,
    note,
    commits: () => commits,
    noted: async () => (await audit.read(owner, { limit: 10 })).map(({ grant_id }) => grant_id),
    written: (id: string) => store.read<Use>(`use/${id}`)?.by,
  }
}

test('a use is known at once, and all that wait for their turn are written together', async (t) => {
  const { store, uses, note, written, commits, noted } = await open(t)
  for (const id of ['a', 'b', 'c']) note(id, 'first')
  t.is(uses.of('a')?.by, 'first')
  t.is(written('a'), undefined)
  await store.inTurn(() => Promise.resolve())
  t.is(commits(), 1)
  t.is(written('a'), 'first')
  t.deepEqual(await noted(), ['a', 'b', 'c'])
  note('a', 'too soon', 59_999)
  note('a', 'a minute later', 60_000)
  await store.inTurn(() => Promise.resolve())
  t.is(written('a'), 'a minute later')
  t.deepEqual(await noted(), ['a', 'b', 'c'])
})

test('of the uses on several threads the newest is told', async (t) => {
  const { store, uses, note, written } = await open(t)
  const writtenAfter = async (by: string, afterMs: number) => {
    const at = formatTimestamp(startMs + afterMs)
    await store.commit([putRow('use/a', { at, by })])
  }
  await store.inTurn(async () => {
    note('a', 'here')
    await writtenAfter('earlier elsewhere', -1_000)
    t.is(uses.of('a')?.by, 'here')
    await writtenAfter('later elsewhere', 1_000)
    t.is(uses.of('a')?.by, 'later elsewhere')
  })
  await store.inTurn(() => Promise.resolve())
  t.is(written('a'), 'later elsewhere')
})

test('of what has ended nothing is written', async (t) => {
  const { store, uses, gone, note, commits, noted } = await open(t)
  note('a', 'first')
  gone.add('a')
  await store.inTurn(() => Promise.resolve())
  t.is(commits(), 0)
  t.is(uses.of('a'), undefined)
  t.deepEqual(await noted(), [])
})

test('a use that could not be written is reported, and the next one is written', async (t) => {
  const { store, fault, uses, note, written, reported } = await open(t)
  fault.error = new Error('the disk is full')
  note('a', 'first')
  await store.inTurn(() => Promise.resolve())
  t.deepEqual(reported, [fault.error])
  t.is(uses.of('a'), undefined)
  fault.error = undefined
  note('a', 'next', 60_000)
  await store.inTurn(() => Promise.resolve())
  t.is(written('a'), 'next')
})
