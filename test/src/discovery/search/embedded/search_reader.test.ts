import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { SearchReader } from '#src/discovery/search/embedded/search_reader.ts'
import { batchOf, documentOf, put, queryOf } from '#test/contracts/search_engine.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { makeEndless } from '#test/src/discovery/search/embedded/_endless_index.ts'

// Long for a query of a small index, however busy the machine is.
const queryMsMax = 8_000

/** The folder of an index of one work, in which organizations are searched without end. */
async function endless(t: ExecutionContext): Promise<string> {
  const dir = await makeTempDir(t)
  const engine = new EmbeddedEngine({ dir, journal: 'x', queryMsMax: 60_000 })
  await put(engine, batchOf([documentOf(0, { title: 'Entropy' })]))
  await engine.close()
  makeEndless(path.join(dir, 'index.db'), 'organizations')
  return dir
}

test('a query that takes too long is interrupted, and the next one is answered', async (t) => {
  const reader = new SearchReader({ dir: await endless(t), queryMsMax })
  t.teardown(() => reader.close())
  for (let round = 0; round < 2; round += 1) {
    await t.throwsAsync(() => reader.search('organizations', queryOf('')), {
      code: 'search_timeout',
      message: `the query took longer than ${queryMsMax} ms`,
    })
    t.is((await reader.search('works', queryOf('entropy'))).total, 1)
  }
})

test('a reader that is closed while it starts has nothing to complain of', async (t) => {
  const reader = new SearchReader({ dir: await makeTempDir(t), queryMsMax })
  const preparing = reader.prepare('works')
  await reader.close()
  await t.notThrowsAsync(preparing)
})

test('a query at work ends with its reader, which then answers no more', async (t) => {
  const reader = new SearchReader({ dir: await endless(t), queryMsMax: 60_000 })
  t.is((await reader.search('works', queryOf('entropy'))).total, 1)
  const searching = t.throwsAsync(() => reader.search('organizations', queryOf('')), {
    code: 'search_unavailable',
    message: /^the process that searches has ended/,
  })
  await reader.close()
  await searching
  await t.throwsAsync(() => reader.search('works', queryOf('entropy')), {
    code: 'search_unavailable',
    message: 'the index is closed',
  })
})

test('a process that closes a reader stays until that has ended', async (t) => {
  const script = new URL('./_closing_process.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, await endless(t)])
  t.is(stdout, 'closed')
})

test('an index is searched beside a query that takes long, and emptied after it', async (t) => {
  const engine = new EmbeddedEngine({ dir: await endless(t), journal: 'x', queryMsMax })
  t.teardown(() => engine.close())
  const long = t.throwsAsync(() => engine.search('organizations', queryOf('')), {
    code: 'search_timeout',
  })
  t.is((await engine.search('works', queryOf('entropy'))).total, 1)
  const emptied = engine.reset()
  const after = engine.search('organizations', queryOf(''))
  await long
  await emptied
  t.is((await after).total, 0)
})

test('searches wait for a reader that is free', async (t) => {
  const engine = new EmbeddedEngine({ dir: await endless(t), journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  const pages = await Promise.all(
    Array.from({ length: 20 }, () => engine.search('works', queryOf('entropy'))),
  )
  t.deepEqual(
    pages.map(({ total }) => total),
    pages.map(() => 1),
  )
})
