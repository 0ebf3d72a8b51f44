import type { TestFn } from 'ava'
import fc from 'fast-check'

import { indexShapes } from '#src/discovery/search/index_shape.ts'
import {
  type EngineQuery,
  rankedGivenMax,
  type SearchEngine,
  type SearchPlace,
} from '#src/discovery/search/search_engine.ts'
import {
  batchOf,
  documentOf,
  type Draft,
  type OpenEngine,
  put,
  queryOf,
  seqsOf,
  shareEngine,
} from '#test/contracts/search_engine.ts'

/** What is written between two pages; a work is named by how many were registered before it. */
const writeForm = fc.record({
  work: fc.nat(60),
  change: fc.constantFrom('add', 'add', 'change', 'unmatch', 'remove'),
  fillers: fc.nat(40),
  repeats: fc.integer({ min: 1, max: 4 }),
})

type Write = typeof writeForm extends fc.Arbitrary<infer W> ? W : never

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/**
 * A work that the queries below find: by a word that all have, by one of many that begin alike, by
 * one of two that one typing error may stand for. Nothing but its rank differs with a write.
 */
function foundDraft(seq: number, { fillers, repeats }: Omit<Write, 'work' | 'change'>): Draft {
  const begun = `zet${alphabet[seq % 26]}${alphabet[(seq * 7) % 5]}`
  const words = ['alpha', begun, seq % 2 === 0 ? 'gamma' : 'gamba']
  const text = words.flatMap((word) => Array<string>(repeats).fill(word))
  return {
    abstract: [...text, ...Array<string>(fillers).fill('filler')].join(' '),
    updated: seq % 9,
  }
}

/** Writes one by one, and tells which works were not found all the time. */
function writerOf(engine: SearchEngine, works: number) {
  let count = works
  let position = 1
  const away = new Set<number>()
  const write = async ({ work, change, ...draft }: Write) => {
    const seq = change === 'add' ? count : work % count
    if (change === 'add') count += 1
    else if (change === 'change' && away.has(seq)) return
    else if (change !== 'change') away.add(seq)
    const found = foundDraft(seq, draft)
    const document = documentOf(seq, change === 'unmatch' ? { ...found, abstract: '' } : found)
    const isRemoved = change === 'remove'
    position += 1
    await put(
      engine,
      batchOf(isRemoved ? [] : [document], position, isRemoved ? [document.id] : []),
    )
  }
  return { write, away }
}

/** What all pages give that follow one another, while something is written after each. */
async function walkWhile(
  engine: SearchEngine,
  query: EngineQuery,
  write: (page: number) => Promise<void>,
): Promise<number[]> {
  const given: number[] = []
  let after: SearchPlace | undefined
  for (let page = 0; page === 0 || after !== undefined; page += 1) {
    const found = await engine.search('works', { ...query, ...(after && { after }) })
    given.push(...seqsOf(found))
    after = found.next
    await write(page)
  }
  return given
}

/**
 * The contract of the pages of a SearchEngine, which hold while others write. The engine is
 * no other test's.
 */
export function testSearchPages(test: TestFn, open: OpenEngine): void {
  const filled = shareEngine(test, open)
  const queries = ['alpha ', 'alpha gamma ', 'zet', 'gamna ', '']
  const sorts = ['relevance', 'relevance', ...Object.keys(indexShapes.works.sorts)]
  const walkForm = fc.record({
    works: fc.integer({ min: 20, max: 60 }),
    text: fc.constantFrom(...queries),
    sort: fc.constantFrom(...sorts),
    limit: fc.integer({ min: 2, max: 9 }),
    writes: fc.array(fc.array(writeForm, { maxLength: 6 }), { maxLength: 12 }),
  })

  test.serial('what stands there is on one page, whatever is written between them', async (t) => {
    const check = fc.asyncProperty(walkForm, async ({ works, text, sort, limit, writes }) => {
      const drafts = Array.from({ length: works }, (_, seq) => {
        return foundDraft(seq, { fillers: (seq * 5) % 30, repeats: 1 + (seq % 3) })
      })
      const { engine } = await filled(t, drafts)
      const query = queryOf(text, { sort, limit })
      const first = await walkWhile(engine, query, () => Promise.resolve())
      const { write, away } = writerOf(engine, works)
      const given = await walkWhile(engine, query, async (page) => {
        for (const one of writes[page] ?? []) await write(one)
      })
      const seen = new Set(given)
      return seen.size === given.length && first.every((seq) => seen.has(seq) || away.has(seq))
    })
    await t.notThrowsAsync(fc.assert(check, { numRuns: 40 }))
  })

  test.serial('after the best by rank all others follow, newest first', async (t) => {
    const works = rankedGivenMax + 150
    const drafts = Array.from({ length: works }, (_, seq) => {
      return foundDraft(seq, { fillers: seq % 40, repeats: 1 })
    })
    const { engine } = await filled(t, drafts)
    const { write, away } = writerOf(engine, works)
    const query = queryOf('alpha ', { limit: 180 })
    const given = await walkWhile(engine, query, async (page) => {
      await write({ work: page * 37, change: 'change', fillers: 80, repeats: 1 })
      await write({ work: works - page, change: 'remove', fillers: 0, repeats: 1 })
      await write({ work: 0, change: 'add', fillers: page, repeats: 2 })
    })
    t.is(new Set(given).size, given.length)
    const others = given.slice(rankedGivenMax)
    t.deepEqual(
      others,
      others.toSorted((one, other) => other - one),
    )
    const stood = [...drafts.keys()].filter((seq) => !away.has(seq))
    t.deepEqual(new Set(stood).difference(new Set(given)), new Set())
  })
}
