import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { ConnectionError, UsageError } from '#src/client/arklog.ts'
import type { UploadProgress } from '#src/client/upload.ts'
import { batchBytesMax, cutBatches, type WorkSource } from '#src/client/work_lines.ts'
import { serveRegistry, type ServedRegistry } from '#test/src/_served_registry.ts'
import { newClient } from '#test/src/client/_client.ts'
import { shared } from '#test/src/_shared_registry.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const registry = shared(() => serveRegistry())

function newWorks(name: string, count: number) {
  return Array.from({ length: count }, (_, number) => ({
    work_title: `${name} ${number}`,
    work_type: 'article' as const,
    authors: 'Ada Ox',
    work_url: `https://press.example/${name}/${number}`,
  }))
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

async function countOf(registered: ServedRegistry, name: string): Promise<number> {
  const client = await newClient(registered)
  const changes = await all(client.changes.follow({ limit: 10 }))
  return changes.filter((change) => JSON.stringify(change).includes(`"${name} `)).length
}

test('works are registered in their order, with progress, each verified', async (t) => {
  const client = await newClient(registry)
  const told: UploadProgress[] = []
  const onProgress = (progress: UploadProgress) => told.push(progress)
  const works = newWorks('order', 7)
  const results = await all(client.works.upload(works, { batchItems: 3, onProgress }))
  t.deepEqual(
    results.map(({ index, type }) => [index, type]),
    works.map((_, index) => [index, 'registered']),
  )
  for (const result of results) {
    if (result.type !== 'registered') return t.fail()
    t.is(result.receipt?.statement.ark, result.ark)
    t.false(result.replayed)
    const { work_title } = await client.works.get(result.ark)
    t.is(work_title, `order ${result.index}`)
  }
  t.deepEqual(
    told.map(({ done, registered }) => [done, registered]),
    [
      [3, 3],
      [6, 6],
      [7, 7],
    ],
  )
})

test('a file of JSON Lines is registered but for the lines that are no works', async (t) => {
  const folder = await makeTempDir(t)
  const file = path.join(folder, 'works.jsonl')
  const [first, second, third] = newWorks('füle', 3).map((work) => JSON.stringify(work))
  const lines = [first, '', '{"work_title":', second, '[]', '{"work_title":"No more"}', third]
  await writeFile(file, `\ufeff${lines.join('\r\n')}`)
  const client = await newClient(registry)
  // Chunks of a few bytes end within characters.
  const source = createReadStream(file, { highWaterMark: 7 })
  const results = await all(client.works.upload(source))
  t.deepEqual(
    results.map(({ index, line, type }) => [index, line, type]),
    [
      [0, 1, 'registered'],
      [1, 3, 'refused'],
      [2, 4, 'registered'],
      [3, 5, 'refused'],
      [4, 6, 'refused'],
      [5, 7, 'registered'],
    ],
  )
  t.like(results[1], {
    status: 400,
    error: 'bad_request',
    message: 'Line 3 is not one JSON object',
  })
  t.like(results[4], { status: 422, error: 'validation_failed' })
  const refused = results[4]
  t.true(refused?.type === 'refused' && refused.details.length > 1)
})

test('an interrupted upload goes on under its name, and registers none twice', async (t) => {
  const works = newWorks('again', 8)
  let calls = 0
  // The third answer is lost on its way: the works are registered, and nobody knows.
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const isLost = (input as string).includes('/bulk') && ++calls === 3
    if (!isLost) return response
    throw new TypeError('the connection broke')
  }
  const options = { batchItems: 2, concurrency: 1, run: 'spring' }
  const key = await registry.key({ scopes: ['works:write'] })
  const first = await newClient(registry, { key, fetch: losing, maxRetries: 0 })
  const interrupted = all(first.works.upload(works, options))
  await t.throwsAsync(interrupted, { instanceOf: ConnectionError })
  t.is(await countOf(registry, 'again'), 6)

  const second = await newClient(registry, { key })
  const results = await all(second.works.upload(works, options))
  const arks = results.map((result) => (result.type === 'registered' ? result.ark : result.error))
  t.is(new Set(arks).size, 8, String(arks))
  t.is(await countOf(registry, 'again'), 8)
  t.deepEqual(
    results.map((result) => result.type === 'registered' && result.replayed),
    [true, true, true, true, true, true, false, false],
  )

  t.like(await all(second.works.upload(works, options)), { length: 8 })
  t.is(await countOf(registry, 'again'), 8)
})

test('what is remembered of an upload outlives what the registry remembers of it', async (t) => {
  const works = newWorks('storage', 4)
  const storage = new Map<string, string>()
  const options = { batchItems: 2, run: 'kept' }
  const client = await newClient(registry, { storage })
  const results = await all(client.works.upload(works, options))
  let calls = 0
  const counting: typeof fetch = (input, init) => {
    calls += 1
    return fetch(input, init)
  }
  const later = await newClient(registry, { storage, fetch: counting })
  const again = await all(later.works.upload(works, options))
  t.is(calls, 0)
  t.deepEqual(
    again.map((result) => result.type === 'registered' && result.ark),
    results.map((result) => result.type === 'registered' && result.ark),
  )
})

test('an upload is verified later, all at once, if it is asked for', async (t) => {
  const client = await newClient(registry)
  const results = await all(client.works.upload(newWorks('later', 5), { verify: false }))
  const registered = results.filter((result) => result.type === 'registered')
  t.true(registered.every(({ receipt }) => receipt === null))
  const verified = await all(client.receipts.verifiedAll(registered))
  t.deepEqual(
    verified.map(({ statement }) => statement.ark),
    registered.map(({ ark }) => ark),
  )
})

test('an upload that nobody reads any more ends', async (t) => {
  const client = await newClient(registry)
  const works = newWorks('left', 40)
  for await (const { index } of client.works.upload(works, { batchItems: 1, concurrency: 1 })) {
    if (index === 1) break
  }
  t.true((await countOf(registry, 'left')) < 10)
})

test('an upload is refused whose options are not as they must be', async (t) => {
  const client = await newClient(registry)
  for (const options of [{ run: '' }, { run: 'a b' }, { batchItems: 0 }, { batchItems: 1_001 }]) {
    const upload = all(client.works.upload([], options))
    await t.throwsAsync(upload, { instanceOf: UsageError })
  }
  await t.throwsAsync(all(client.works.upload(Uint8Array.of(0x7b, 0xff, 0x0a))), {
    message: /not UTF-8/,
  })
  await t.throwsAsync(all(client.works.upload(7 as unknown as WorkSource)), { instanceOf: Error })
})

test('batches are of many works, and no more than a call takes', async (t) => {
  const long = { work_title: 'x'.repeat(3 * 1_048_576), work_type: 'other', authors: 'A' } as const
  const small = { work_title: 'x', work_type: 'other', authors: 'A' } as const
  const sizes = async (works: WorkSource, itemsMax = 1_000) =>
    (await all(cutBatches(works, { itemsMax, bytesMax: batchBytesMax }))).map(
      ({ works: cut }) => cut.length,
    )
  t.deepEqual(await sizes([long, long, long, long, small]), [2, 3])
  t.deepEqual(await sizes(Array.from({ length: 2_500 }, () => small)), [1_000, 1_000, 500])
  const many = { ...small, author_details: Array.from({ length: 30_000 }, () => ({ name: 'A' })) }
  t.deepEqual(await sizes([many, many, many, many, many]), [3, 2])
  t.deepEqual(await sizes([]), [])
  const names = async () => {
    const batches = await all(cutBatches([small, small], { itemsMax: 1, bytesMax: 100 }))
    return batches.map(({ name }) => name)
  }
  const [one, two] = await names()
  t.not(one, two, 'the same work twice is two works')
  t.deepEqual(await names(), [one, two])
})

test('works that are here are replaced by their DOIs, and changed by their ARKs', async (t) => {
  const client = await newClient(registry)
  const works = ['a', 'b', 'c'].map((name) => ({
    work_title: `Updated ${name}`,
    work_type: 'article' as const,
    authors: 'Ox, Ada',
    existing_doi: `10.5555/upload.${name}`,
  }))
  const upload = (source: readonly (typeof works)[number][]) =>
    Array.fromAsync(client.works.upload(source, { update: true, verify: false }))
  const outcomes = (results: Awaited<ReturnType<typeof upload>>) =>
    results.map((result) => (result.type === 'registered' ? result.outcome : result.error))
  const [first, second] = works
  if (first === undefined || second === undefined) throw new Error('there are three works')
  t.deepEqual(outcomes(await upload([first, second])), ['registered', 'registered'])
  const mended = [{ ...first, work_title: 'Mended' }, ...works.slice(1)]
  t.deepEqual(outcomes(await upload(mended)), ['changed', 'unchanged', 'registered'])
  const lines = JSON.stringify({
    ark: (await client.works.findByDoi(first.existing_doi)).works[0]?.ark_identifier,
    volume: '4',
  })
  const [named] = await Array.fromAsync(client.works.upload(lines, { verify: false }))
  t.like(named, { type: 'registered', outcome: 'changed', version: 3 })
})
