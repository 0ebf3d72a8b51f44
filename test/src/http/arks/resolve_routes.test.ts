import { mint } from '#test/src/_served_registry.ts'
import { testShared } from '#test/src/_shared_registry.ts'

const test = testShared()

test('an ARK is resolved without a key, from any web page, in both families', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, receipt_id } = await mint(t.context, key)
  for (const family of ['/v1', '/api/v1']) {
    const answer = await call(`${family}/resolve/${ark}`)
    t.is(answer.status, 200)
    t.is(answer.headers['access-control-allow-origin'], '*')
    t.like(answer.json(), {
      ark,
      requested: ark,
      status: 'registered',
      version: 1,
      latest_version: 1,
      is_latest: true,
      metadata: { work_title: 'Notes by the translator' },
      content: { url: 'https://example.org/notes' },
      receipt: { receipt_id },
    })
  }
})

test('every spelling of an ARK resolves to the same record, and is echoed', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, created_at } = await mint(t.context, key)
  const bare = ark.slice('ark:/'.length)
  const name = bare.slice('12345/'.length)
  const day = created_at.slice(0, 10).split('-').reverse().join('')
  const spellings = [
    `ark:${bare}`,
    `ARK:/${bare}`,
    bare,
    name,
    encodeURIComponent(ark),
    `ark:/12345/${name.slice(0, 4)}-${name.slice(4)}`,
    `ark:/12345/${day}/${name}`,
  ]
  for (const spelling of spellings) {
    const answer = await call(`/v1/resolve/${spelling}`)
    t.is(answer.status, 200, spelling)
    t.like(answer.json(), { ark, requested: decodeURIComponent(spelling) })
  }
  t.is((await call(`/v1/resolve/ark:/12345/01011999/${name}`)).status, 404)
})

test.serial('a reply that is made past the framework is the one of the route', async (t) => {
  const { call, writer: key } = t.context
  const unlike = ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  const lasting = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !unlike.includes(name)))
  for (const work_title of ['Plain', 'Über die „Notizen“ — 山田太郎 😀', 'Another']) {
    const { ark_identifier: ark } = await mint(t.context, key, { work_title })
    for (const spelling of [ark, ark.replace('ark:/', 'ark:')]) {
      const path = `/api/v1/resolve/${spelling}`
      const [first, second] = [await call(path), await call(path)]
      const ofRoute = await call(path, { headers: [['if-none-match', '"another"']] })
      for (const answer of [first, second]) {
        t.is(answer.status, 200)
        t.is(answer.body, ofRoute.body)
        t.deepEqual(lasting(answer.headers), lasting(ofRoute.headers))
      }
    }
  }
})

test('works of the sandbox, and those that have ended, say what they are', async (t) => {
  const { call, writer: key } = t.context
  const sandboxKey = await t.context.key({ scopes: ['works:write'], environment: 'sandbox' })
  const tried = await mint(t.context, sandboxKey)
  const { ark_identifier: ark } = await mint(t.context, key)
  for (const _ of [1, 2, 3]) {
    const answer = await call(`/v1/resolve/${tried.ark_identifier}`)
    t.is(answer.status, 200)
    t.is(answer.headers['x-svc-environment'], 'sandbox')
    t.is((await call(`/v1/resolve/${ark}`)).headers['x-svc-environment'], undefined)
  }
  const body = { reason: 'author_request' }
  const path = `/v1/works/${ark}/withdraw`
  t.is((await call(path, { method: 'POST', key, body })).status, 200)
  for (const _ of [1, 2]) t.is((await call(`/v1/resolve/${ark}`)).status, 410)
})

test('however often a work is asked for, a change shows in the next reply', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const expectTitle = async (title: string, version: number) => {
    for (const spelling of [ark, ark, ark, ark, ark.replace('ark:/', 'ark:'), ark]) {
      for (const coding of ['identity', 'gzip']) {
        const headers = [['accept-encoding', coding]] as const
        const path = `/api/v1/resolve/${spelling}`
        const answer = await call(path, { headers: coding === 'gzip' ? headers : [] })
        t.is(answer.status, 200)
        t.is(answer.headers['etag'], `W/"${version}"`)
        t.is(answer.headers['content-encoding'], coding === 'gzip' ? 'gzip' : undefined)
        if (coding === 'gzip') continue
        t.like(answer.json(), { requested: spelling, metadata: { work_title: title } })
      }
    }
  }
  await expectTitle('Notes by the translator', 1)
  for (const [index, work_title] of ['Another title', 'A third title'].entries()) {
    const changed = await call(`/v1/works/${ark}`, { method: 'PUT', key, body: { work_title } })
    t.is(changed.status, 200, changed.body)
    await expectTitle(work_title, index + 2)
  }
  const body = { reason: 'author_request' }
  const path = `/v1/works/${ark}/withdraw`
  t.is((await call(path, { method: 'POST', key, body })).status, 200)
  t.is((await call(`/api/v1/resolve/${ark}`)).status, 410)
})

test('each version resolves to its own metadata', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key, { work_title: 'First' })
  const put = { method: 'PUT', key, body: { work_title: 'Second' } }
  t.is((await call(`/v1/works/${ark}`, put)).status, 200)
  const first = (await call(`/v1/resolve/${ark}/v1`)).json()
  t.like(first, {
    version: 1,
    latest_version: 2,
    is_latest: false,
    metadata: { work_title: 'First' },
  })
  const second = (await call(`/v1/resolve/${ark}/v2`)).json()
  t.like(second, { version: 2, is_latest: true, metadata: { work_title: 'Second' } })
  t.like((await call(`/v1/resolve/${ark}`)).json(), { version: 2 })
})

test('a version that does not exist is 404 and says so', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  for (const version of ['0', '2', '01', '99999999999', '99999999999999999999999']) {
    const answer = await call(`/v1/resolve/${ark}/v${version}`)
    t.is(answer.status, 404, version)
    t.is(answer.json()['message'], `The work ${ark} has no version ${version}`)
  }
  const missing = await call('/v1/resolve/ark:/12345/k2nothinghere/v1')
  t.is(missing.json()['message'], 'There is no work ark:/12345/k2nothinghere')
})

test('a history lists what happened, newest first and by page', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  await call(`/v1/works/${ark}`, { method: 'PUT', key, body: { description: 'More' } })
  const { events, next } = (await call(`/v1/resolve/${ark}/history`)).json() as Page
  t.is(next, null)
  t.deepEqual(
    events.map(({ type, version }) => [type, version]),
    [
      ['work.versioned', 2],
      ['work.registered', 1],
    ],
  )
  const first = (await call(`/v1/resolve/${ark}/history?limit=1`)).json() as Page
  t.deepEqual(first.events, events.slice(0, 1))
  const url = `/v1/resolve/${ark}/history?limit=1&before=${first.next}`
  t.deepEqual(((await call(url)).json() as Page).events, events.slice(1))
})

type Page = { events: { type: string; version: number }[]; next: number | null }

test('a withdrawn work resolves to its tombstone with 410, and keeps its history', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const body = { reason: 'author_request' }
  t.is((await call(`/v1/works/${ark}/withdraw`, { method: 'POST', key, body })).status, 200)
  for (const url of [`/v1/resolve/${ark}`, `/v1/resolve/${ark}/v1`]) {
    const gone = await call(url)
    t.is(gone.status, 410)
    t.like(gone.json(), { ark, status: 'withdrawn', reason: 'author_request' })
  }
  const history = await call(`/v1/resolve/${ark}/history`)
  t.is(history.status, 200)
  t.is((history.json() as Page).events[0]?.type, 'work.withdrawn')
})

test('what a client holds already is 304, and what is unknown is named', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark } = await mint(t.context, key)
  const { headers } = await call(`/v1/resolve/${ark}`)
  const held = [['If-None-Match', headers.etag ?? '']] as const
  const again = await call(`/v1/resolve/${ark}`, { headers: held })
  t.is(again.status, 304)
  t.is(again.body, '')
  const unknown = await call(`/v1/resolve/${ark}?colour=red`)
  t.is(unknown.status, 400)
  t.regex(String(unknown.json()['message']), /^Unknown query parameter "colour"/)
})

test('a work that exists is never said to be missing', async (t) => {
  const { call, writer: key } = t.context
  const { ark_identifier: ark, created_at } = await mint(t.context, key)
  const otherDay = ark.replace('ark:/12345/', 'ark:/12345/01011999/')
  const today = created_at.slice(0, 10)
  const refused = {
    [`/v1/resolve/${ark}/vabc`]: `The work ${ark} has nothing that is named /vabc; its first`,
    [`/v1/resolve/${ark}/v1.0`]: `The work ${ark} has nothing that is named /v1.0; its first`,
    [`/v1/resolve/${ark}/v9`]: `The work ${ark} has no version 9`,
    [`/v1/resolve/${otherDay}`]: `The work ${ark} was registered on another day: ${today}`,
    [`/${otherDay}`]: `The work ${ark} was registered on another day: ${today}`,
    [`/api/v1/works/${ark}/v1`]: 'one version of a work is at /api/v1/resolve/{ark}/v{version}',
    [`/v1/receipts/${ark}`]: 'there is one for each version, at /v1/receipts/{ark}/v{version}',
    [`/api/v1/proofs/${ark}`]: 'there is one for each version, at /api/v1/proofs/{ark}/v{version}',
  }
  for (const [url, part] of Object.entries(refused)) {
    const answer = await call(url)
    t.is(answer.status, 404, url)
    const { message } = answer.json() as { message: string }
    t.true(message.includes(part), `${url}: ${message}`)
  }
})
