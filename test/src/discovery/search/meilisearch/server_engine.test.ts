import { randomBytes } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import { rankedGivenMax } from '#src/discovery/search/search_engine.ts'
import { ServerEngine } from '#src/discovery/search/meilisearch/server_engine.ts'
import {
  batchOf,
  documentOf,
  queryOf,
  testSearchEngine,
  walk,
} from '#test/contracts/search_engine.ts'
import { testSearchPages } from '#test/contracts/search_pages.ts'
import {
  recordRequests,
  type RecordingServer,
  startRecordingServer,
} from '#test/src/discovery/search/meilisearch/_recording_server.ts'
import { requestShapes } from '#test/src/discovery/search/meilisearch/_request_shapes.ts'

const { MEILI_URL: url, MEILI_KEY: key } = process.env
const prefix = `arklog_test_${randomBytes(4).toString('hex')}_`
const journal = 'registry.example/log'

if (url === undefined) {
  test.skip('a real server keeps the contract (skipped: MEILI_URL names none)', (t) => t.pass())
} else {
  const options = { url, prefix, journal, ...(key !== undefined && { key }) }
  testSearchEngine(test, async () => new ServerEngine(options))
  const others = { ...options, prefix: `${prefix}pages_` }
  testSearchPages(test, async () => new ServerEngine(others))
}

test('every request has the shape that is written down, and every shape is used', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  const used = new Set<object>()
  for (const { method, path, query, authorization, body } of await recordRequests()) {
    const name = `${method} ${path}`
    t.is(authorization, 'Bearer secret', name)
    const shape = requestShapes.find((one) => one.method === method && one.path.test(path))
    if (shape === undefined) {
      t.fail(`${name} is no shape of ours`)
      continue
    }
    used.add(shape)
    for (const parameter of Object.keys(query)) t.true(shape.query?.includes(parameter), name)
    t.is(body === undefined, shape.body === undefined, name)
    if (shape.body !== undefined) t.true(ajv.validate(shape.body, body), ajv.errorsText())
  }
  t.is(used.size, requestShapes.length)
})

test('what is typed and filtered is told in the language of the server', async (t) => {
  const requests = await recordRequests()
  const searches = requests.filter(({ path }) => path.endsWith('/search'))
  t.deepEqual(
    searches.map(({ body }) => body),
    [
      {
        q: 'one "two three" -four ',
        filter: [
          'type IN ["article", "a \\"b\\" \\\\"]',
          'year >= 2019',
          'year <= 2021',
          'authors_words = "ada"',
          'authors_words = "lovelace"',
        ],
        limit: 51,
        matchingStrategy: 'all',
        attributesToRetrieve: ['id', 'seq'],
        facets: ['type'],
      },
      {
        q: ' ',
        filter: [
          'type IN ["article", "a \\"b\\" \\\\"]',
          'year >= 2019',
          'year <= 2021',
          'authors_words = "ada"',
          'authors_words = "lovelace"',
          '(sort_title > "alpha" OR (sort_title = "alpha" AND seq > 7))',
        ],
        limit: 51,
        matchingStrategy: 'all',
        attributesToRetrieve: ['id', 'seq', 'sort_title'],
        sort: ['sort_title:asc', 'seq:asc'],
      },
      {
        q: 'one',
        filter: ['seq < 7', 'seq NOT IN [3, 7]'],
        limit: 51,
        matchingStrategy: 'all',
        attributesToRetrieve: ['id', 'seq'],
        sort: ['seq:desc'],
      },
    ],
  )
})

test('the position of the journal is written after all that it stands for', async (t) => {
  const requests = await recordRequests()
  const writes = requests.filter(({ path }) => path.includes('/documents'))
  const batch = writes.findIndex(({ query }) => query['customMetadata'] === 'seq:9')
  const [put, remove, state] = writes.slice(batch)
  t.is(put?.path, '/indexes/arklog_works/documents')
  const [document] = (put?.body ?? []) as readonly object[]
  t.like(document, {
    id: '12345_k2w3',
    seq: 3,
    type: 'article',
    year: 2020,
    title_words: ['work', '3'],
  })
  t.deepEqual(remove?.body, ['12345_k2w1'])
  t.deepEqual(state?.body, [
    { id: 'state', position: 9, schema: 10, journal: 'registry.example/log' },
  ])
})

test('what is committed together is sent in one request, with one position', async (t) => {
  const { engine, requests } = await open(t)
  const old = documentOf(2, { title: 'Old' })
  await engine.write(batchOf([documentOf(1), old], 2, ['12345_k2w5']), 'current')
  await engine.write(batchOf([documentOf(3)], 3, ['12345_k2w1']), 'current')
  await engine.write(batchOf([documentOf(2), documentOf(5)], 5), 'current')
  t.is(requests.length, 0)
  await engine.commit('current')
  const writes = requests.filter(({ method }) => method === 'POST')
  t.deepEqual(
    writes.map(({ path }) => path),
    [
      '/indexes/arklog_works/documents',
      '/indexes/arklog_works/documents/delete-batch',
      '/indexes/arklog_state/documents',
    ],
  )
  const [sent, removed, state] = writes.map(({ body }) => body)
  const documents = sent as readonly { readonly id: string; readonly title: string }[]
  t.deepEqual(documents.map(({ id }) => id).toSorted(), ['12345_k2w2', '12345_k2w3', '12345_k2w5'])
  t.not(documents.find(({ id }) => id === '12345_k2w2')?.title, 'old')
  t.deepEqual(removed, ['12345_k2w1'])
  t.like((state as readonly object[])[0], { position: 5 })
  await engine.commit('current')
  t.is(requests.filter(({ method }) => method === 'POST').length, writes.length)
})

test('what a commit could not send is not sent later: the journal is read again', async (t) => {
  const { engine, replies, requests } = await open(t)
  await engine.write(batchOf([documentOf(1)], 1), 'current')
  const path = 'POST /indexes/arklog_works/documents'
  replies.set(path, { status: 503, body: error('busy') })
  await t.throwsAsync(() => engine.commit('current'), { code: 'search_unavailable' })
  replies.delete(path)
  await engine.open()
  const before = requests.length
  await engine.commit('current')
  t.is(requests.length, before)
})

async function open(t: ExecutionContext): Promise<RecordingServer & { engine: ServerEngine }> {
  const server = await startRecordingServer()
  t.teardown(server.close)
  return { ...server, engine: new ServerEngine({ url: server.url, prefix: 'arklog_', journal }) }
}

const error = (code: string) => ({ message: `This is ${code}.`, code, type: 'x', link: '' })

test('an index goes on where its state says, if it is of this journal and shape', async (t) => {
  const { engine, replies, requests } = await open(t)
  const state = { id: 'state', position: 12, schema: 10, journal }
  const path = 'GET /indexes/arklog_state/documents/state'
  replies.set(path, { status: 200, body: state })
  t.is(await engine.open(), 12)
  t.is(requests.length, 2)
  replies.set(path, { status: 200, body: { ...state, schema: 2 } })
  t.is(await engine.open(), 0)
  replies.set(path, { status: 200, body: { ...state, journal: 'other' } })
  t.is(await engine.open(), 0)
})

test('a server that is too old, busy or gone is not available, and says why', async (t) => {
  const { engine, replies, close } = await open(t)
  replies.set('GET /version', { status: 200, body: { pkgVersion: '1.12.3' } })
  await t.throwsAsync(() => engine.open(), {
    code: 'search_unavailable',
    message: 'the search server is Meilisearch 1.12.3; 1.30 or newer is needed',
  })
  const path = 'POST /indexes/arklog_works/search'
  replies.set(path, { status: 503, body: error('too_many_search_requests') })
  await t.throwsAsync(() => engine.search('works', queryOf('x')), {
    code: 'search_unavailable',
    message: /^the search server answers 503: /,
  })
  replies.set(path, { status: 404, body: error('index_not_found') })
  await t.throwsAsync(() => engine.search('works', queryOf('x')), { code: 'search_index_damaged' })
  replies.set(path, { status: 400, body: error('invalid_search_filter') })
  await t.throwsAsync(() => engine.search('works', queryOf('x')), { code: 'search_failed' })
  await close()
  await t.throwsAsync(() => engine.search('works', queryOf('x')), {
    code: 'search_unavailable',
    message: /^the search server cannot be reached: /,
  })
})

test('a task that fails is a batch that was not written', async (t) => {
  const { engine, replies, requests } = await open(t)
  const failed = { uid: 1, status: 'failed', type: 'indexCreation', error: error('internal') }
  replies.set('GET /tasks/1', { status: 200, body: failed })
  await t.throwsAsync(() => engine.beginNext(), {
    code: 'search_failed',
    message: 'the search server has failed at indexCreation: This is internal.',
  })
  t.false(requests.some(({ path }) => path.endsWith('/documents')))
})

test('more hits than can be ranked are asked for again, newest first', async (t) => {
  const { engine, replies, requests } = await open(t)
  const hits = [3, 2].map((seq) => ({ id: `12345_k2w${seq}`, seq }))
  const body = { hits, estimatedTotalHits: 10_001 }
  replies.set('POST /indexes/arklog_works/search', { status: 200, body })
  const page = await engine.search('works', queryOf('common', { limit: 1 }))
  t.like(page, { ids: ['12345_k2w3'], sort: 'newest', total: 10_000, isExact: false })
  t.like(page.next, { sort: 'newest', ranked: [], last: { value: 3, seq: 3 } })
  const sorts = requests.map((request) => (request.body as { sort?: unknown }).sort)
  t.deepEqual(sorts, [undefined, ['seq:desc']])
})

type SearchBody = { readonly filter: string[]; readonly limit: number; readonly sort?: string[] }

/**
 * Answers searches with works of which each is a hit, as filters on `seq` and their order ask, and
 * by relevance in another order each time: so little may a page rely on the one before.
 */
function searchOf(works: () => readonly number[], orderAnew: (seqs: number[]) => number[]) {
  return ({ body }: { readonly body: unknown }) => {
    const { filter, limit, sort } = body as SearchBody
    const without = new Set<number>()
    let below = Infinity
    for (const condition of filter) {
      const [, list] = /^seq NOT IN \[([\d, ]+)\]$/.exec(condition) ?? []
      const [, bound] = /^seq < (\d+)$/.exec(condition) ?? []
      if (list === undefined && bound === undefined) throw new Error(`unknown: ${condition}`)
      for (const seq of list?.split(', ') ?? []) without.add(Number(seq))
      if (bound !== undefined) below = Number(bound)
    }
    const all = works()
    const hits = all.filter((seq) => seq < below && !without.has(seq))
    const ordered =
      sort === undefined ? orderAnew(hits) : hits.toSorted((one, other) => other - one)
    const found = ordered.slice(0, limit).map((seq) => ({ id: `12345_k2w${seq}`, seq }))
    return { status: 200, body: { hits: found, estimatedTotalHits: all.length } }
  }
}

test('what stands there is on one page, however hits are ranked anew for each', async (t) => {
  const { engine, replies } = await open(t)
  const walkForm = fc.record({
    works: fc.integer({ min: 0, max: rankedGivenMax + 400 }),
    limit: fc.integer({ min: 40, max: 200 }),
    // After each search: how many works are added, and which ones are removed.
    writes: fc.array(fc.tuple(fc.nat(30), fc.array(fc.nat(), { maxLength: 30 })), {
      maxLength: 10,
    }),
    salt: fc.nat(),
  })
  const check = fc.asyncProperty(walkForm, async ({ works, limit, writes, salt }) => {
    const standing = new Set(Array.from({ length: works }, (_, seq) => seq))
    let [count, searches] = [works, 0]
    const stood = new Set(standing)
    const orderAnew = (seqs: number[]) => {
      const placeOf = (seq: number) => ((seq + 1) * (salt + 7919 * searches + 1)) % 10_007
      return seqs.toSorted((one, other) => placeOf(one) - placeOf(other))
    }
    const answer = searchOf(() => [...standing], orderAnew)
    replies.set('POST /indexes/arklog_works/search', (asked) => {
      const answered = answer(asked)
      const [added, removed] = writes[searches] ?? [0, []]
      searches += 1
      for (const each of removed) {
        standing.delete(each % count)
        stood.delete(each % count)
      }
      for (let more = 0; more < added; more += 1, count += 1) standing.add(count)
      return answered
    })
    const pages = await walk(engine, queryOf('alpha', { limit }))
    const given = pages.flatMap(({ ids }) => ids)
    const isComplete = [...stood].every((seq) => given.includes(`12345_k2w${seq}`))
    return isComplete && new Set(given).size === given.length
  })
  await t.notThrowsAsync(fc.assert(check, { numRuns: 30 }))
})
