import { randomBytes } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import test, { type ExecutionContext } from 'ava'

import { ServerEngine } from '#src/search/meilisearch/server_engine.ts'
import { queryOf, testSearchEngine } from '#test/contracts/search_engine.ts'
import {
  recordRequests,
  type RecordingServer,
  startRecordingServer,
} from '#test/src/search/meilisearch/_recording_server.ts'
import { requestShapes } from '#test/src/search/meilisearch/_request_shapes.ts'

const { MEILI_URL: url, MEILI_KEY: key } = process.env
const prefix = `arklog_test_${randomBytes(4).toString('hex')}_`
const journal = 'registry.example/log'

if (url === undefined) {
  test.skip('a real server keeps the contract (skipped: MEILI_URL names none)', (t) => t.pass())
} else {
  const options = { url, prefix, journal, ...(key !== undefined && { key }) }
  testSearchEngine(test, async () => new ServerEngine(options))
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
        offset: 0,
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
        offset: 0,
        matchingStrategy: 'all',
        attributesToRetrieve: ['id', 'seq', 'sort_title'],
        sort: ['sort_title:asc', 'seq:asc'],
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
    { id: 'state', position: 9, schema: 3, journal: 'registry.example/log' },
  ])
})

async function open(t: ExecutionContext): Promise<RecordingServer & { engine: ServerEngine }> {
  const server = await startRecordingServer()
  t.teardown(server.close)
  return { ...server, engine: new ServerEngine({ url: server.url, prefix: 'arklog_', journal }) }
}

const error = (code: string) => ({ message: `This is ${code}.`, code, type: 'x', link: '' })

test('an index goes on where its state says, if it is of this journal and shape', async (t) => {
  const { engine, replies, requests } = await open(t)
  const state = { id: 'state', position: 12, schema: 3, journal }
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
  t.like(page.next, { sort: 'newest', value: 3, seq: 3 })
  const sorts = requests.map((request) => (request.body as { sort?: unknown }).sort)
  t.deepEqual(sorts, [undefined, ['seq:desc']])
})
