import test, { type ExecutionContext } from 'ava'

import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { untilFound } from '#test/scenario/_found_works.ts'
import { forEachOf } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'

// A stranger turns every number and cursor that a listing takes into what it was never given.

const quiet = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }

/** What is sent in place of a position: numbers on every edge, no numbers, and what is far off. */
const hostileValues = [
  '0',
  '-1',
  '-0',
  '1',
  '2',
  '3',
  '5',
  '99999',
  '2147483648',
  '281474976710656',
  '9007199254740991',
  '9007199254740992',
  '18446744073709551616',
  '1e309',
  '1e3',
  '0x10',
  '1.5',
  '%2B1',
  '%201',
  '00',
  'NaN',
  'Infinity',
  'null',
  'true',
  '%00',
  '%FF',
  '%F0%9F%92%A9',
  '12345%2Fk2never',
  '..%2F..%2Fevent',
  '~',
  '',
  'a'.repeat(2_000),
]

/** How often all of them are sent to each listing, when nothing may add up. */
const rounds = 50

type Attacked = {
  readonly server: Server
  readonly key: string
  /** `ark:/naan/name` of two works, and the receipt of the first. */
  readonly arks: readonly [string, string]
}

async function open(t: Asserter): Promise<Attacked> {
  const settings = { DATA_DIR: await newDataDir(t), ...quiet }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const register = async (title: string) => {
    const { status, body } = await call(server, '/v1/works', { key, body: newWork(title) })
    t.is(status, 201)
    return String(body['ark_identifier'])
  }
  const arks = [await register('The first of two'), await register('The other one of two')] as const
  const args = ['key', 'create', '--owner', 'org:demo', '--scopes']
  const scopes = 'works:read,works:write,receipts:read,search:read,people:read'
  const made = await runJson<{ key: string }>(t, [...args, scopes], settings)
  await untilFound(server, { key: made.key, word: 'two', count: arks.length })
  return { server, key: made.key, arks }
}

const shared = share(open)

/** Every address that takes a position, a cursor, a size or a number; `@` is where it stands. */
function targetsOf([ark]: Attacked['arks']): string[] {
  const log = ['/v1/log', '/api/v1/log', '/sandbox/v1/log'].flatMap((base) => [
    `${base}/inclusion?leaf_index=@`,
    `${base}/inclusion?leaf_index=0&tree_size=@`,
    `${base}/inclusion?entry_hash=@`,
    `${base}/consistency?from=@`,
    `${base}/consistency?from=1&to=@`,
    `${base}/consistency?from=@&to=@`,
    `${base}/checkpoints?after=@`,
    `${base}/checkpoints?limit=@`,
  ])
  const search = ['works', 'people', 'organizations'].flatMap((kind) => [
    `/v1/search/${kind}?q=one&cursor=@`,
    `/v1/search/${kind}?limit=@`,
    `/v1/search/${kind}?year=@`,
    `/v1/search/${kind}?year_from=@`,
    `/v1/search/${kind}?created_from=@`,
  ])
  return [
    `/api/v1/resolve/${ark}/history?before=@`,
    `/api/v1/resolve/${ark}/history?limit=@`,
    `/api/v1/resolve/${ark}/history?before=@&limit=@`,
    `/api/v1/resolve/${ark}/history?order=oldest&cursor=@`,
    `/api/v1/works/${ark}/versions?order=newest&cursor=@`,
    `/v1/changes?order=newest&cursor=@`,
    `/api/v1/organizations/demo/works?order=oldest&cursor=@`,
    `/api/v1/resolve/${ark}/v@`,
    `/api/v1/resolve/@`,
    `/api/v1/works/${ark}/versions?after=@`,
    `/api/v1/works/${ark}/versions?limit=@`,
    `/api/v1/receipts/${ark}/v@`,
    `/api/v1/receipts/${ark}/v@/proofs`,
    `/${ark}/v@`,
    `/${ark}?before=@`,
    `/v1/changes?after=@`,
    `/v1/changes?after=@&limit=@`,
    `/v1/changes?after=0&wait=@`,
    '/feeds/works.atom?before=@',
    `/feeds/works/${ark.replace('ark:/', 'ark:%2F').replaceAll('/', '%2F')}.atom?before=@`,
    `/feeds/works/${ark}.atom?before=@`,
    '/feeds/organizations/demo.atom?before=@',
    '/feeds/log.atom?before=@',
    '/api/v1/organizations/demo/works?before=@',
    '/api/v1/organizations/demo/works?limit=@',
    '/api/v1/organizations/@',
    '/publishers/demo?before=@',
    '/publishers/@',
    '/people/@',
    '/api/v1/people/@',
    '/sitemaps/@.xml',
    '/log/tile/0/@',
    '/log/tile/@/000',
    '/log/tile/0/000.p/@',
    '/log/tile/entries/@',
    '/log/tile/entries/000.p/@',
    '/search?q=one&cursor=@',
    '/api/v1/oai?verb=ListRecords&resumptionToken=@',
    '/api/v1/oai?verb=ListIdentifiers&resumptionToken=@',
    '/api/v1/oai?verb=ListSets&resumptionToken=@',
    '/api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc&from=@',
    '/api/v1/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=@',
    ...log,
    ...search,
  ]
}

async function statusOf({ server, key }: Attacked, target: string): Promise<number> {
  const reply = await fetch(server.started.local_url + target, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/html, */*;q=0.5' },
    redirect: 'manual',
  })
  await reply.arrayBuffer()
  return reply.status
}

/** Cursors of a search whose inside was exchanged: they are signed by nobody. */
async function forgedCursors({ server, key }: Attacked, search: string): Promise<string[]> {
  type Page = { readonly next_cursor: string }
  const { body } = await call<Page>(server, search, { key })
  const [text = '', ranked = ''] = body.next_cursor.split('.')
  const read = Buffer.from(text, 'base64url').toString('utf8')
  const [mark, place] = JSON.parse(read) as [string, Record<string, unknown>]
  const encode = (changed: object, packed = ranked) => {
    const changedPlace = JSON.stringify([mark, { ...place, ...changed }])
    return `${Buffer.from(changedPlace).toString('base64url')}.${packed}`
  }
  const numbers = [0, -1, 1.5, 1e308, -1e308, 2 ** 53 - 1, 2 ** 53, 2 ** 63]
  const values = [...numbers, '', 'x'.repeat(400), '\u0000', '" OR 1=1 --', null, [], {}]
  const members = ['last', 'total', 'sort', 'engine', 'isExact', 'meant', 'beginnings', 'named']
  const ofLast = ['value', 'seq'] as const
  const packed = [[], [0], [128], [255], Array<number>(16).fill(255), [...Buffer.alloc(2_000, 1)]]
  return [
    ...members.flatMap((member) => values.map((value) => encode({ [member]: value }))),
    ...ofLast.flatMap((member) =>
      values.map((value) => encode({ last: { value: 1, seq: 1, [member]: value } })),
    ),
    ...values.map((value) => encode({ meant: [{ typed: value, meant: value }] })),
    ...values.map((value) => encode({ beginnings: [value] })),
    ...packed.map((bytes) => encode({}, Buffer.from(bytes).toString('base64url'))),
  ]
}

/** Everything that is shared still answers: reading, receipts, pages, minting, search. */
async function assertAllIsWell(t: ExecutionContext, attacked: Attacked): Promise<void> {
  const { server, key, arks } = attacked
  for (const ark of arks) {
    for (const target of [
      `/api/v1/resolve/${ark}`,
      `/api/v1/resolve/${ark}/history`,
      `/api/v1/works/${ark}`,
      `/api/v1/receipts/${ark}/v1`,
      `/feeds/works/${ark}.atom`,
      `/${ark}`,
    ]) {
      t.is(await statusOf(attacked, target), 200, target)
    }
  }
  for (const target of ['/readyz', '/v1/changes', '/sitemap.xml', '/v1/search/works?q=one']) {
    t.is(await statusOf(attacked, target), 200, target)
  }
  const minted = await call(server, '/v1/works', { key, body: newWork(`After: ${t.title}`) })
  t.is(minted.status, 201)
}

test('no position, cursor or size that a client makes up is a fault of the server', async (t) => {
  const attacked = shared()
  const requests = targetsOf(attacked.arks).flatMap((target) =>
    hostileValues.map((value) => target.replaceAll('@', value)),
  )
  for (const sort of ['relevance', 'newest', 'oldest', 'title']) {
    const search = `/v1/search/works?q=of&sort=${sort}&limit=1`
    const cursors = await forgedCursors(attacked, search)
    requests.push(...cursors.map((cursor) => `${search}&cursor=${cursor}`))
  }
  let answered = 0
  await forEachOf(requests, async (target) => {
    // Waiting for news is no fault, and takes its time.
    if (/wait=(?:[1-9]|1\d|2\d|30)$/.test(target)) return
    const status = await statusOf(attacked, target)
    answered += 1
    t.true(status < 500, `${status} ${target}`)
  })
  t.log(`${answered} requests answered`)
  await assertAllIsWell(t, attacked)
})

test('however often a history is asked for a place it has not, all go on reading', async (t) => {
  const attacked = shared()
  const { arks } = attacked
  const far = ['0', '1', '2', '99999', '9007199254740991', '9007199254740992', '-1', '1e309', '1.5']
  const listings = arks.flatMap((ark) => [
    `/api/v1/resolve/${ark}/history?before=`,
    `/feeds/works/${ark}.atom?before=`,
  ])
  const seen = new Map<string, Set<number>>()
  const requests = listings.flatMap((listing) => far.map((value) => listing + value))
  await forEachOf(Array.from({ length: rounds }, () => requests).flat(), async (target) => {
    const statuses = seen.get(target) ?? new Set()
    seen.set(target, statuses.add(await statusOf(attacked, target)))
  })
  for (const [target, statuses] of seen) {
    const right = /=(?:\d{1,5}|9007199254740991)$/.test(target) ? 200 : 400
    t.deepEqual([...statuses], [right], target)
  }
  await assertAllIsWell(t, attacked)
})
