// Somebody who searches for what takes longest, as often as they can.

import path from 'node:path'
import test from 'ava'
import { Agent, fetch as fetchBy } from 'undici'

import { untilGiven } from '#test/_until.ts'
import { untilFound } from '#test/scenario/_found_works.ts'
import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { makeEndless } from '#test/src/discovery/search/embedded/_endless_index.ts'

const organizations = '/v1/search/organizations'
const bystander = '/search?q=bystander'

/** A registry with one work that is found, in which a search for organizations never ends. */
async function startEndless(t: Asserter): Promise<Server> {
  const DATA_DIR = await newDataDir(t)
  // However often somebody has to ask again here, it is the places in the queue that are few. What
  // is found takes milliseconds, but on a busy machine the first search of a new process seconds.
  const often = { LIMIT_SEARCH: '1000000', LIMIT_SEARCH_PAGE: '1000000' }
  const server = await startServer(t, { DATA_DIR, SEARCH_QUERY_MS: '8000', ...often })
  const key = firstKey(server)
  t.is((await call(server, '/v1/works', { key, body: newWork('Bystander') })).status, 201)
  await untilFound(server, { key, word: 'bystander', count: 1 })
  makeEndless(path.join(DATA_DIR, 'search', 'live', 'index.db'), 'organizations')
  return server
}

const endless = share(startEndless)

/** The page of the bystander, who asks again where a busy machine has taken too long for it. */
function untilShown(server: Server): Promise<string> {
  return untilGiven('the bystander is shown what is found', async () => {
    const page = await fetch(server.started.local_url + bystander)
    const shown = await page.text()
    return page.status === 504 ? undefined : `${page.status} ${shown}`
  })
}

test.serial('one who searches without end holds up nobody else', async (t) => {
  const server = endless()
  const key = firstKey(server)
  const startMs = performance.now()
  t.is((await call(server, organizations, { key })).status, 504)
  const oneMs = performance.now() - startMs
  const left = new AbortController()
  // Connections of their own: one that is opened for a request that is given up meanwhile is kept
  // without a request, and the server ends it at its time, whoever is about to use it.
  const dispatcher = new Agent()
  const statuses: number[] = []
  const greedy = Array.from({ length: 40 }, async () => {
    const headers = { authorization: `Bearer ${key}` }
    const url = server.started.local_url + organizations
    const response = await fetchBy(url, { headers, signal: left.signal, dispatcher })
    statuses.push(response.status)
    return response
  })
  const refused = await Promise.any(
    greedy.map(async (sent) => {
      const response = await sent
      if (response.status !== 429) throw new Error('it was let in')
      return response
    }),
  )
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
  t.like(await refused.json(), { error: 'rate_limit_exceeded' })

  t.regex(await untilShown(server), /^200 [^]*1 work\b/)
  const ended = statuses.filter((status) => status !== 429)
  t.true(ended.length <= 8, `a bystander has waited for ${ended.length} of 33`)
  t.deepEqual(new Set(ended), new Set(ended.length === 0 ? [] : [504]))

  left.abort()
  const leftMs = performance.now()
  await Promise.allSettled(greedy)
  await dispatcher.destroy()
  // The server hears of each end in its own time; until then there is no place for this key.
  await untilGiven('there is a place again', async () => {
    const { status } = await call(server, '/v1/search/works?q=bystander', { key })
    return status === 429 || status === 504 ? undefined : t.is(status, 200)
  })
  const waitedMs = performance.now() - leftMs
  // One after the other, more than 20 would take as long each as one; so does one that has begun.
  const told = `${waitedMs} ms, where one takes ${oneMs} ms`
  t.true(waitedMs < 15 * oneMs, `${told}: searches whose client has left were carried out`)
})

test.serial('a search that takes too long is ended, and the process ends in time', async (t) => {
  const server = endless()
  const key = firstKey(server)
  const { status, body } = await call(server, organizations, { key })
  t.is(status, 504)
  t.like(body, { error: 'timeout' })
  t.regex(String(body['message']), /^The search took too long and was ended; /)
  const shown = await fetch(`${server.started.local_url}/search?in=organizations`)
  t.is(shown.status, 504)
  t.regex(await shown.text(), /This search takes too long/)
  await untilFound(server, { key, word: 'bystander', count: 1 })

  const unread = fetch(`${server.started.local_url}/search?in=organizations`).catch(() => undefined)
  await untilFound(server, { key, word: 'bystander', count: 1 })
  const { code, stderr } = await server.end('SIGTERM')
  t.is(code, 0, stderr)
  await unread
})

test.serial('the worst that can be asked for is refused, or found at once', async (t) => {
  const server = await startServer(t, { DATA_DIR: await newDataDir(t) })
  const key = firstKey(server)
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join('+')
  const answered = [
    `q=${'a+'.repeat(500)}`,
    `q=${'a+'.repeat(500)}&title=${'a+'.repeat(500)}&author=${'a+'.repeat(500)}`,
    `q=${words(32)}`,
    `q=${'-a+'.repeat(300)}`,
    `q=${'%22'.repeat(999)}`,
    `q=${'x'.repeat(1_000)}`,
    `q=${encodeURIComponent('量'.repeat(100))}`,
    `q=a*&sort=title&limit=200&facets=type,language,license,organization,year,fixity_status`,
    `q=a&type=${'article,'.repeat(49)}article&organization=${'demo,'.repeat(49)}demo`,
  ]
  for (const query of answered) {
    const { status, body } = await request(server, `/v1/search/works?${query}`, { key })
    t.is(status, 200, `${query.slice(0, 80)}: ${JSON.stringify(body)}`)
  }
  const refused = [
    [`q=${words(33)}`, /^The query parameter q must have 32 different words at most, not 33/],
    [`q=${words(200)}`, /^The query parameter q must have 32 different words at most, not 200/],
    [`q=${'%22a'.repeat(1)}${'+a'.repeat(40)}`, /^The query parameter q must have 32 different/],
    [`q=${encodeURIComponent('量a'.repeat(40))}`, /^The query parameter q must have 32 different/],
    [`q=${words(20)}&title=${words(20)}`, /^The query parameters q, title together must have 32/],
    [`q=${'x'.repeat(1_001)}`, /^The query parameter q must be text of 1000 characters at most/],
    [`type=${'article,'.repeat(50)}article`, /^The query parameter type must be one of /],
  ] as const
  for (const [query, message] of refused) {
    const { status, body } = await request(server, `/v1/search/works?${query}`, { key })
    t.is(status, 400, query.slice(0, 80))
    t.regex(String(body['message']), message)
  }
})
