import test from 'ava'
import fc from 'fast-check'

import { RecordCopy } from '#src/cli/oai_adapter/record_copy.ts'
import type { FeedPage } from '#src/cli/oai_adapter/change_source.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import {
  bornSecond,
  metadataOf,
  organized,
  pageOf,
  registered,
  withdrawn,
} from '#test/src/cli/oai_adapter/_feed.ts'

/** More bytes than any page of these tests has. */
const bytesEnough = 2 ** 30

const always = { from: 0, until: 4_000_000_000 }

async function copyOf(...pages: FeedPage[]): Promise<RecordCopy> {
  const copy = new RecordCopy(openMemoryStore())
  for (const page of pages) await copy.apply(page)
  return copy
}

async function arksOf(copy: RecordCopy, set?: string): Promise<string[]> {
  const range = { ...always, ...(set !== undefined && { set }) }
  return (await copy.records(range, { limit: 1_000, bytesEnough })).records.map(({ ark }) => ark)
}

test('a work is a record with all that its change says', async (t) => {
  const change = registered(2, '12345/a')
  const copy = await copyOf(pageOf([organized(1, 'demo', 'Demonstration'), change]))
  t.deepEqual(await copy.record('12345/a'), {
    ark: 'ark:/12345/a',
    datestamp: bornSecond + 2,
    position: 2,
    sets: ['demo'],
    work: {
      version: 1,
      metadata: Buffer.from(JSON.stringify(metadataOf('Work 2'))),
      createdAt: change.at,
      writtenAt: change.at,
      receiptId: change.receipt_id,
      metadataHash: change.metadata_hash,
      contentHash: null,
      source: change.source,
    },
  })
  t.is(await copy.record('12345/b'), undefined)
  t.is(copy.setName('demo'), 'Demonstration')
  t.is(copy.setName('none'), undefined)
  t.is(copy.earliest, bornSecond + 1)
})

test('a dated ARK is found by its undated form', async (t) => {
  const copy = await copyOf(pageOf([registered(1, '12345/21112026/a')]))
  t.is((await copy.record('12345/a'))?.ark, 'ark:/12345/21112026/a')
})

test('a work that changes moves to the end, and is there once', async (t) => {
  const copy = await copyOf(
    pageOf([registered(1, '12345/a'), registered(2, '12345/b')]),
    pageOf([registered(3, '12345/a', { version: 2, type: 'work.versioned' })]),
  )
  t.deepEqual(await arksOf(copy), ['ark:/12345/b', 'ark:/12345/a'])
  t.deepEqual(await arksOf(copy, 'demo'), ['ark:/12345/b', 'ark:/12345/a'])
  t.is(await copy.count(always), 2)
})

test('a withdrawn work is a record without metadata, for ever', async (t) => {
  const store = openMemoryStore()
  const copy = new RecordCopy(store)
  const secret = { metadata: metadataOf('A secret title') }
  await copy.apply(pageOf([registered(1, '12345/a', secret), registered(2, '12345/b', secret)]))
  await copy.apply(pageOf([withdrawn(3, '12345/a'), withdrawn(4, '12345/b')]))
  await copy.apply(pageOf([withdrawn(5, '12345/a', { type: 'work.erased' })]))
  t.deepEqual(await copy.record('12345/a'), {
    ark: 'ark:/12345/a',
    datestamp: bornSecond + 3,
    position: 3,
    sets: ['demo'],
  })
  t.is(await copy.count({ ...always, set: 'demo' }), 2)
  for await (const [key, row] of store.scan({})) {
    t.false(Buffer.from(row).includes('secret'), key)
  }
})

test('a registration whose metadata was erased since is deleted at once', async (t) => {
  const copy = await copyOf(pageOf([registered(1, '12345/a', { metadata: null })], 2))
  t.is((await copy.record('12345/a'))?.work, undefined)
})

test('only a check that finds another content hash changes a record', async (t) => {
  const check = { type: 'work.fixity_changed', source: { type: 'operator' } }
  const hash = `sha256:${'7'.repeat(64)}`
  const copy = await copyOf(pageOf([registered(1, '12345/a')]))
  await copy.apply(pageOf([registered(2, '12345/a', check)]))
  t.is((await copy.record('12345/a'))?.position, 1)
  const found = { content_hash: hash, content_type: 'application/pdf', content_size: 7 }
  await copy.apply(pageOf([registered(3, '12345/a', { ...check, ...found })]))
  const record = await copy.record('12345/a')
  t.is(record?.position, 3)
  t.is(record?.work?.contentHash, hash)
  t.is(record?.work?.source['type'], 'organization')
  t.is(record?.work?.receiptId, 'rcpt_2026_11_21_1')
  t.deepEqual(record?.work?.fetched, { mediaType: 'application/pdf', size: 7 })
  const next = { version: 2, type: 'work.versioned', content_hash: hash }
  await copy.apply(pageOf([registered(4, '12345/a', next)]))
  t.deepEqual((await copy.record('12345/a'))?.work?.fetched, record?.work?.fetched)
})

test('it is complete once the end of the feed was reached, and stays so', async (t) => {
  const copy = new RecordCopy(openMemoryStore())
  t.false(copy.state.complete)
  await copy.apply(pageOf([registered(1, '12345/a')], 9))
  t.false(copy.state.complete)
  await copy.apply(pageOf([registered(9, '12345/b')]))
  t.true(copy.state.complete)
  await copy.apply(pageOf([registered(10, '12345/c')], 20))
  t.true(copy.state.complete)
})

test('harvesters are told all up to the newest change, or a minute before silence', async (t) => {
  const copy = await copyOf(pageOf([registered(7, '12345/a')]))
  t.is(copy.horizon(), bornSecond + 7)
  copy.noteSilence(bornSecond + 30)
  t.is(copy.horizon(), bornSecond + 7)
  copy.noteSilence(bornSecond + 100)
  t.is(copy.horizon(), bornSecond + 40)
})

/** Any history of a few works in two organizations: of many changes, some in the same second. */
const anyHistory = fc
  .array(
    fc.record({
      work: fc.integer({ min: 0, max: 12 }),
      pause: fc.constantFrom(0, 0, 0, 1, 400),
      silent: fc.constantFrom(1, 1, 1_500),
      gone: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let [seq, second] = [0, bornSecond]
    const gone = new Set<number>()
    return steps.flatMap(({ work, pause, silent, gone: goes }) => {
      seq += silent
      second += pause
      if (gone.has(work)) return []
      if (goes) gone.add(work)
      const at = new Date(second * 1_000).toISOString()
      const more = { at, sets: [work % 2 === 0 ? 'even' : 'odd'] }
      return [(goes ? withdrawn : registered)(seq, `12345/w${work}`, more)]
    })
  })

test('any pages of any history give the same lists and counts as its last changes', async (t) => {
  const property = fc.asyncProperty(
    anyHistory,
    fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 60, maxLength: 60 }),
    fc.integer({ min: 1, max: 5 }),
    async (history, sizes, limit) => {
      const copy = new RecordCopy(openMemoryStore())
      for (let at = 0, page = 0; at < history.length; page += 1) {
        const size = sizes[page] ?? 1
        await copy.apply(pageOf(history.slice(at, at + size)))
        // The same page once more changes nothing.
        await copy.apply(pageOf(history.slice(at, at + size)))
        at += size
      }
      const last = new Map(history.map((change) => [change.ark, change]))
      const seconds = [bornSecond, ...history.map(({ at }) => Date.parse(at) / 1_000)]
      for (const [from, until] of [always, ...pairs(seconds)].map(rangeOf)) {
        for (const set of [undefined, 'even', 'odd', 'none']) {
          const expected = [...last.values()]
            .filter(({ sets }) => set === undefined || sets.includes(set))
            .filter(({ at }) => Date.parse(at) >= from * 1_000 && Date.parse(at) <= until * 1_000)
            .map(({ seq }) => seq)
            .toSorted((left, right) => left - right)
          const range = { from, until, ...(set !== undefined && { set }) }
          t.is(await copy.count(range), expected.length)
          t.deepEqual(await positionsOf(copy, range, limit), expected)
        }
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

function pairs(seconds: readonly number[]): { from: number; until: number }[] {
  return seconds.slice(0, 4).flatMap((from) => seconds.slice(-3).map((until) => ({ from, until })))
}

function rangeOf({ from, until }: { from: number; until: number }): [number, number] {
  return [from, until]
}

async function positionsOf(
  copy: RecordCopy,
  range: { readonly from: number; readonly until: number; readonly set?: string },
  limit: number,
): Promise<number[]> {
  const positions: number[] = []
  for (;;) {
    const after = positions.at(-1)
    const start = after === undefined ? {} : { after }
    const page = await copy.records(range, { limit, bytesEnough, ...start })
    positions.push(...page.records.map(({ position }) => position))
    if (!page.hasMore) return positions
  }
}

test('organizations are listed by slug, with their newest names', async (t) => {
  const copy = await copyOf(
    pageOf([organized(1, 'b', 'B'), organized(2, 'a-1', 'A'), organized(3, 'c', 'C')]),
    pageOf([organized(4, 'b', 'Bee')]),
  )
  t.deepEqual(await copy.sets({ limit: 2 }), [
    { slug: 'a-1', name: 'A' },
    { slug: 'b', name: 'Bee' },
  ])
  t.deepEqual(await copy.sets({ after: 'b', limit: 2 }), [{ slug: 'c', name: 'C' }])
})

test('a copy that is opened again goes on where it was', async (t) => {
  const store = openMemoryStore()
  await new RecordCopy(store).apply(pageOf([registered(1, '12345/a')]))
  const again = new RecordCopy(store)
  t.like(again.state, { next: 1, end: 1, complete: true })
  await again.apply(pageOf([registered(1, '12345/a'), registered(2, '12345/b')]))
  t.deepEqual(await arksOf(again), ['ark:/12345/a', 'ark:/12345/b'])
})
