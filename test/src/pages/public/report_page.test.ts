import test, { type ExecutionContext } from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

type Form = Readonly<Record<string, string>>

async function open(t: ExecutionContext) {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(registry.close)
  const key = await registry.createKey(['works:write'])
  let count = 0
  const mint = async () => {
    count += 1
    const reply = await registry.server.inject({
      method: 'POST',
      url: '/v1/works',
      headers: { 'x-api-key': key },
      payload: {
        ...goodWork,
        work_title: `Looms <${count}>`,
        work_url: `https://a.example/${count}`,
      },
    })
    return reply.json<{ ark_identifier: string }>().ark_identifier
  }
  return { ...registry, mint }
}

function send({ server }: Pick<TestRegistry, 'server'>, form: Form, headers: Form = {}) {
  return server.inject({
    method: 'POST',
    url: '/report',
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams(form).toString(),
  })
}

/** The reports that the registrant of a work has. */
async function reportsOf({ oauth, environments }: TestRegistry, ark: string) {
  const owner = environments.live.catalogue.state(ark.replace('ark:/', ''))?.owner
  if (owner === undefined) return []
  const entries = await oauth.audit.read(owner, { limit: 1_000 })
  return entries.filter(({ action }) => action === 'work_reported')
}

test('a reader tells the registrant of a work what is wrong with it', async (t) => {
  const registry = await open(t)
  const ark = await registry.mint()
  const landing = await registry.server.inject({ url: `/${ark}`, headers: { accept: 'text/html' } })
  const [, link = ''] =
    /<a href="([^"]+)"\s+rel="nofollow">Report a problem</.exec(landing.body) ?? []
  const page = await registry.server.inject({
    url: link.replaceAll('&#61;', '='),
    headers: { accept: 'text/html' },
  })
  t.is(page.statusCode, 200)
  t.regex(
    page.body,
    /<strong><bdi>[^<]+<\/bdi><\/strong> registered this work and gets your report/,
  )
  t.regex(page.body, /Looms &#60;1&#62;/)
  t.regex(page.body, /<meta name="robots" content="noindex">/)
  const form = { ark, kind: 'metadata', message: 'The second author is missing.' }
  const sent = await send(registry, form)
  t.is(sent.statusCode, 200)
  t.regex(sent.body, /<h1>Report sent<\/h1>/)
  const [entry, ...others] = await reportsOf(registry, ark)
  t.is(others.length, 0)
  t.is(entry?.ark, ark.replace('ark:/', ''))
  t.is(entry?.because, 'The record has an error: The second author is missing.')
  t.is(entry?.by, undefined)
  await send(registry, form)
  t.is((await reportsOf(registry, ark)).length, 1, 'the same report twice is one')
})

test('what is missing in a report is said, and nothing is sent', async (t) => {
  const registry = await open(t)
  const ark = await registry.mint()
  const good = { ark, kind: 'other', message: 'Something.' }
  for (const [form, words] of [
    [{ ...good, message: ' \n' }, 'Say what is wrong, in at most 2,000 characters.'],
    [{ ...good, message: 'x'.repeat(2_001) }, 'Say what is wrong, in at most 2,000 characters.'],
    [{ ...good, kind: 'toString' }, 'Choose what is wrong.'],
    [{ ark }, 'Choose what is wrong.'],
  ] as const) {
    const reply = await send(registry, form)
    t.is(reply.statusCode, 422, words)
    t.true(reply.body.includes(words), words)
  }
  const { statusCode } = await send(registry, good, { 'sec-fetch-site': 'cross-site' })
  t.is(statusCode, 403)
  for (const [wrong, status] of [
    ['', 400],
    ['ark:/12345/k2nothing', 404],
    ['x%', 400],
  ] as const) {
    t.is((await send(registry, { ...good, ark: wrong })).statusCode, status, wrong)
    const url = `/report?${new URLSearchParams({ ark: wrong })}`
    const page = await registry.server.inject({ url, headers: { accept: 'text/html' } })
    t.is(page.statusCode, status, wrong)
  }
  t.is((await reportsOf(registry, ark)).length, 0)
})

test('a registrant gets so many reports a day about a work, and more the next day', async (t) => {
  const registry = await open(t)
  const ark = await registry.mint()
  const report = (message: string) => send(registry, { ark, kind: 'other', message })
  for (let number = 0; number < 5; number += 1) {
    t.is((await report(`Report ${number}`)).statusCode, 200)
  }
  const refused = await report('One more')
  t.is(refused.statusCode, 422)
  t.true(refused.body.includes('There are too many reports today. Please try again tomorrow.'))
  const other = await registry.mint()
  t.is((await send(registry, { ark: other, kind: 'other', message: 'Hello' })).statusCode, 200)
  registry.time.nowMs += 86_400_001
  t.is((await report('One more')).statusCode, 200)
  t.is((await reportsOf(registry, ark)).length, 7)
})

test('an address reports so often an hour', async (t) => {
  const registry = await openRegistry({ LIMIT_REPORTS: 2 })
  t.teardown(registry.close)
  const form = { ark: 'ark:/12345/k2nothing', kind: 'other' }
  const statuses: number[] = []
  for (const message of ['one', 'two', 'three']) {
    statuses.push((await send(registry, { ...form, message })).statusCode)
  }
  t.deepEqual(statuses, [404, 404, 429])
})
