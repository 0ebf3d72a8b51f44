import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test from 'ava'

import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { batchOf, documentOf, put, queryOf, walk } from '#test/contracts/search_engine.ts'
import { testSearchPages } from '#test/contracts/search_pages.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const shared = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
test.after.always(() => rm(shared, { recursive: true }))

testSearchPages(
  test,
  async () => new EmbeddedEngine({ dir: shared, journal: 'x', queryMsMax: 60_000 }),
)

test.serial('a list of what was probably meant goes on, whatever is registered', async (t) => {
  const engine = new EmbeddedEngine({ dir: await makeTempDir(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const works = Array.from({ length: 5 }, (_, seq) => documentOf(seq, { title: 'Transformers' }))
  await put(engine, batchOf(works))
  for (const [nth, sort] of ['relevance', 'newest', 'title'].entries()) {
    const query = { ...queryOf(`transform${'r'.repeat(nth + 1)}s `), sort, limit: 2 }
    const { next, alsoSearchedFor } = await engine.search('works', query)
    t.deepEqual(alsoSearchedFor, ['transformers'])
    const typed = documentOf(10 + nth, { title: `Transform${'r'.repeat(nth + 1)}s` })
    await put(engine, batchOf([typed], 10 + nth))
    const more = await engine.search('works', { ...query, ...(next && { after: next }) })
    t.is(more.ids.length, 2, sort)
    t.false(more.ids.includes(typed.id), sort)
  }
})

test.serial('a list of what begins alike goes on, whatever words are commoner now', async (t) => {
  const dir = await makeTempDir(t)
  const open = () => {
    const engine = new EmbeddedEngine({ dir, journal: 'x', queryMsMax: 60_000 })
    t.teardown(() => engine.close())
    return engine
  }
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const words = letters.flatMap((letter) => [`zet${letter}o`, `zet${letter}u`])
  const works = words.map((title, seq) => documentOf(seq, { title }))
  const engine = open()
  await put(engine, batchOf(works))
  const query = queryOf('zet', { limit: 8 })
  const { total, next, ids } = await engine.search('works', query)
  t.is(total, 32)
  // The words that were rarest are the commonest now, as a process sees that has just begun.
  const others = words.slice(32).map((title, nth) => documentOf(100 + nth, { title }))
  await put(engine, batchOf(others, 2))
  await engine.close()
  const pages = await walk(open(), { ...query, ...(next && { after: next }) })
  const given = [...ids, ...pages.flatMap((page) => page.ids)]
  t.deepEqual(
    given.toSorted(),
    works
      .slice(0, 32)
      .map(({ id }) => id)
      .toSorted(),
  )
})
