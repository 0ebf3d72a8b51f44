import test from 'ava'
import fc from 'fast-check'
import type { WorkStep } from '#actors/works/events.ts'
import {
  doiKey,
  editionKey,
  indexDuplicates,
  indexWithdrawnDoi,
  newestOf,
  ownDoiKey,
  ownWithdrawnKey,
  withdrawnKey,
  worksOf,
} from '#actors/works/views.ts'
import type { ReadRow } from '#actors/journal/rows.ts'

type Edition = { readonly existing_doi?: string; readonly work_title: string }

/** What happens to works: each step gives a work another edition, or takes it away. */
type Step = { readonly ark: string; readonly edition: Edition | undefined }

const anyEdition = fc.record(
  {
    existing_doi: fc.constantFrom('10.5555/a', '10.5555/b'),
    work_title: fc.constantFrom('One', 'one', 'Two'),
  },
  { requiredKeys: ['work_title'] },
)

const anyStep: fc.Arbitrary<Step> = fc.record({
  ark: fc.constantFrom('12345/k2a', '12345/k2b', '12345/k2c', '12345/k2d'),
  edition: fc.option(anyEdition, { nil: undefined }),
})

const owner = { type: 'organization', id: 'press', name: 'A Press' } as const

/** What an event changes of a work, as far as it is looked at here. */
function step(
  type: 'WorkVersioned' | 'WorkWithdrawn' | 'WorkErased',
  ark: string,
  left: Edition | undefined,
  entered?: Edition,
): WorkStep {
  return { event: { type }, state: { ark, owner }, left, entered } as unknown as WorkStep
}

/** The rows after some steps, by key, and the order in which works entered each list. */
function follow(steps: readonly Step[]) {
  const rows = new Map<string, Uint8Array>()
  const read: ReadRow = (key) => rows.get(key)
  const editions = new Map<string, Edition | undefined>()
  const lists = new Map<string, string[]>()
  for (const { ark, edition } of steps) {
    const left = editions.get(ark)
    for (const operation of indexDuplicates(step('WorkVersioned', ark, left, edition), read)) {
      if (operation.type === 'put') rows.set(operation.key, operation.value)
      else rows.delete(operation.key)
    }
    const [from, to] = [listsOf(left), listsOf(edition)]
    for (const list of from.filter((key) => !to.includes(key))) {
      lists.set(
        list,
        (lists.get(list) ?? []).filter((other) => other !== ark),
      )
    }
    for (const list of to.filter((key) => !from.includes(key))) {
      lists.set(list, [...(lists.get(list) ?? []), ark])
    }
    editions.set(ark, edition)
  }
  return { rows, lists }
}

function listsOf(edition: Edition | undefined): string[] {
  if (edition?.existing_doi === undefined) return []
  const { existing_doi: doi, work_title: title } = edition
  return [doiKey(doi), editionKey(doi, title), ownDoiKey(owner, doi)]
}

function textsOf(rows: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries(
    [...rows].map(([key, row]) => [key, Buffer.from(row).toString()] as const),
  )
}

test('the row of a list names the work that entered it last and is still in it', (t) => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const { rows, lists } = follow(steps)
      for (const [key, works] of lists) {
        const row = rows.get(key)
        t.is(row && newestOf(row), works.at(-1))
        t.deepEqual([...worksOf(key, (name) => rows.get(name))], works.toReversed())
      }
    }),
  )
})

test('a work that was never anywhere, and one that has left, leave the same rows', (t) => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const erased = '12345/k2b'
      const left = follow([...steps, { ark: erased, edition: undefined }])
      const without = follow(steps.filter(({ ark }) => ark !== erased))
      t.deepEqual(textsOf(left.rows), textsOf(without.rows))
    }),
  )
})

test('a list of withdrawn works is as if an erased one had never been in it', (t) => {
  const rows = new Map<string, Uint8Array>()
  const read: ReadRow = (key) => rows.get(key)
  const work: Edition = { existing_doi: '10.5555/a', work_title: 'One' }
  const move = (type: 'WorkWithdrawn' | 'WorkErased', ark: string, left: Edition) => {
    for (const each of indexWithdrawnDoi(step(type, ark, left), read)) {
      if (each.type === 'put') rows.set(each.key, each.value)
      else rows.delete(each.key)
    }
  }
  move('WorkWithdrawn', '12345/k2a', work)
  const before = textsOf(rows)
  move('WorkWithdrawn', '12345/k2b', work)
  t.is(newestOf(rows.get(withdrawnKey('10.5555/a')) ?? new Uint8Array()), '12345/k2b')
  move('WorkErased', '12345/k2b', work)
  t.deepEqual(textsOf(rows), before)
  move('WorkErased', '12345/k2a', work)
  t.is(rows.size, 0)
  t.deepEqual(
    indexWithdrawnDoi(step('WorkWithdrawn', '12345/k2c', { work_title: 'One' }), read),
    [],
  )
})

test('lists of one owner hold no work of another one', (t) => {
  const other = { type: 'person', id: 'press' } as const
  t.not(ownDoiKey(owner, '10.5555/a'), ownDoiKey(other, '10.5555/a'))
  t.not(ownWithdrawnKey(owner, '10.5555/a'), ownWithdrawnKey(other, '10.5555/a'))
  const left: Edition = { existing_doi: '10.5555/a', work_title: 'One' }
  const rows = indexWithdrawnDoi(step('WorkWithdrawn', '12345/k2a', left), () => undefined)
  t.deepEqual(
    rows.map(({ key }) => key),
    [withdrawnKey('10.5555/a'), ownWithdrawnKey(owner, '10.5555/a')],
  )
})

test('keys do not name what they stand for, and fold the title', (t) => {
  t.regex(doiKey('10.5555/secret'), /^doi\/[0-9a-f]{32}$/)
  t.regex(editionKey('10.5555/secret', 'Hidden'), /^edition\/[0-9a-f]{32}$/)
  t.is(editionKey('10.5555/a', 'A  Title'), editionKey('10.5555/a', 'a title'))
  t.not(editionKey('10.5555/a', 'A title'), editionKey('10.5555/b', 'A title'))
})
